#include "engine/opencl/lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "antipode/error.hpp"

namespace antipode::opencl {

namespace {

// 128, 512 or (not on a CPU) 1,024 lanes, as few as hold the sources.
std::size_t lanes_for(std::size_t sources, const Device& device) { return sources <= 128 ? 128 : device.is_cpu || sources <= 512 ? 512 : 1024; }

}  // namespace

Lanes::Lanes(const Context& context, const DeviceGraph& graph, std::size_t most, std::function<bool()> interrupted) : context_(context), graph_(graph), most_(most), interrupted_(std::move(interrupted)) {}

Range Lanes::range() const {
  const Device& device = context_.device();
  return device.is_cpu ? Range{std::size_t{device.units} * 4, 1} : Range{std::size_t{device.units} * 8 * 256, 256};
}

const Program& Lanes::program(Keep keep, std::size_t lanes) {
  auto& place = programs_[{keep, lanes}];
  if (!place) {
    const unsigned width = context_.device().is_cpu && lanes == 512 ? 16 : 4;
    place = std::make_unique<Program>(context_, "lanes", fmt::format("-D WIDTH={} -D GROUPS={} -D KEEP={}", width, lanes / 32 / width, static_cast<int>(keep)));
  }
  return *place;
}

void Lanes::make_room(std::size_t lanes) {
  const std::size_t order = graph_.order(), words = lanes / 32;
  if (words_ == 0) {
    for (auto* buffer : {&changed_, &changed_next_, &fresh_counts_}) {
      *buffer = Buffer<std::uint32_t>(context_, order);
      buffer->fill(0);
    }
    list_ = Buffer<Vertex>(context_, order);
    next_list_ = Buffer<Vertex>(context_, order);
    sources_ = Buffer<Vertex>(context_, 1024);
    full_ = Buffer<std::uint32_t>(context_, 32);
    totals_ = Buffer<std::uint32_t>(context_, 1024);
    counters_ = Buffer<std::uint32_t>(context_, 2);
    no_flags_ = Buffer<unsigned char>(context_, order);
    no_flags_.fill(3);
    no_lower_ = Buffer<Distance>(context_, 1);
    reports_ = Buffer<Report>(context_, range().items / range().group);
  }
  if (words <= words_) return;
  now_ = Buffer<std::uint32_t>();      // the old ones go first
  next_ = Buffer<std::uint32_t>();
  now_ = Buffer<std::uint32_t>(context_, words * order);
  next_ = Buffer<std::uint32_t>(context_, words * order);
  words_ = words;
}

void Lanes::run(std::span<const Vertex> sources, Keep keep, const ReachRequest& request, std::uint64_t wanted, const OnLevel& on_level) {
  const Vertex order = graph_.order();
  const std::size_t lanes = lanes_for(sources.size(), context_.device()), words = lanes / 32;
  make_room(lanes);
  const Program& kernels = program(keep, lanes);
  const Buffer<unsigned char>& flags = request.flags != nullptr ? *request.flags : no_flags_;
  const Buffer<Distance>& lower = request.lower != nullptr ? *request.lower : no_lower_;
  const std::uint32_t raises = request.lower != nullptr ? 1 : 0;
  const std::size_t tally = keep == Keep::lanes ? lanes : 2 * words;
  if (stamp_ > std::numeric_limits<std::uint32_t>::max() - order - 4) {
    changed_.fill(0);
    changed_next_.fill(0);
    stamp_ = 0;
  }
  std::vector<std::uint32_t> full(32, 0);
  for (std::size_t i = 0; i < sources.size(); ++i) full[i / 32] |= 1u << i % 32;
  full_.upload(full);
  sources_.upload(sources);
  now_.fill(0, words * order);
  next_.fill(0, words * order);
  counters_.fill(0);
  stamp_ += 2;
  kernels.run("seed", Range::over(sources.size(), 64), now_, changed_, list_, counters_, sources_, static_cast<std::uint32_t>(sources.size()), stamp_);
  Report last{sources.size(), 0, 0, counters_.value(0)};
  for (const Vertex source : sources) last.arcs += graph_.host().degree(source);
  bool listed = true;                  // those that changed are in list_
  for (Distance level = 1; last.arrivals > 0 && wanted > 0; ++level) {
    if (interrupted_()) throw Interrupted();
    ++stamp_;
    const bool pushes = last.active * 8 < order && last.arcs * 8 < graph_.host().arcs();
    counters_.fill(0);
    totals_.fill(0, tally);
    if (pushes) {
      if (!listed) {
        kernels.run("collect", Range::over(order), changed_, list_, counters_, stamp_ - 1, order);
        counters_.fill(0);
      }
      const auto count = static_cast<std::uint32_t>(last.active);
      kernels.run("push", range(), graph_.rows().offsets, graph_.rows().targets, now_, next_, changed_next_, list_, next_list_, counters_, flags, lower, fresh_counts_, totals_, reports_, count, stamp_, level, raises);
      kernels.run("catch_up", Range::over(count * words, 64), now_, next_, list_, count);
      std::swap(list_, next_list_);
    } else {
      kernels.run("pull", range(), graph_.into().offsets, graph_.into().targets, graph_.rows().offsets, now_, next_, changed_, changed_next_, full_, flags, lower, fresh_counts_, totals_, reports_, counters_, order, stamp_, level, raises);
    }
    listed = pushes;
    last = {};
    for (const Report& part : reports_.values()) last = {last.arrivals + part.arrivals, last.at_candidates + part.at_candidates, last.arcs + part.arcs, last.active + part.active};
    std::swap(now_, next_);
    std::swap(changed_, changed_next_);
    if (last.arrivals == 0) break;
    wanted -= std::min(wanted, keep == Keep::reach ? last.at_candidates : last.arrivals);
    on_level(level, last, totals_.values(tally));
  }
}

std::vector<Reach> Lanes::reach(std::span<const Vertex> sources, const ReachRequest& request) {
  std::vector<Reach> result(sources.size());
  if (sources.empty()) return result;
  const std::size_t words = lanes_for(sources.size(), context_.device()) / 32;
  std::uint64_t wanted = request.candidates * sources.size();  // a source that is a candidate has reached one: at worst a level is done for nothing
  run(sources, Keep::reach, request, wanted, [&](Distance level, const Report&, std::span<const std::uint32_t> totals) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if ((totals[i / 32] >> i % 32 & 1) != 0) result[i].candidates = level;
      if ((totals[words + i / 32] >> i % 32 & 1) != 0) result[i].outside = level;
    }
  });
  return result;
}

std::vector<Summary> Lanes::summarize(std::span<const Vertex> sources) {
  std::vector<Summary> result(sources.size(), Summary{0, 1, 0});
  for (std::size_t begin = 0; begin < sources.size(); begin += most_) {
    const auto part = sources.subspan(begin, std::min(most_, sources.size() - begin));
    const auto wanted = part.size() * (std::uint64_t{graph_.order()} - 1);
    run(part, Keep::lanes, {}, wanted, [&](Distance level, const Report&, std::span<const std::uint32_t> totals) {
      for (std::size_t i = 0; i < part.size(); ++i) {
        if (totals[i] == 0) continue;
        Summary& summary = result[begin + i];
        summary = {level, summary.reached + totals[i], summary.distance_sum + std::uint64_t{level} * totals[i]};
      }
    });
  }
  return result;
}

std::vector<std::uint64_t> Lanes::distribution(std::span<const Vertex> sources) {
  std::vector<std::uint64_t> result;
  if (!sources.empty()) result.push_back(sources.size());
  for (std::size_t begin = 0; begin < sources.size(); begin += most_) {
    const auto part = sources.subspan(begin, std::min(most_, sources.size() - begin));
    run(part, Keep::vertices, {}, part.size() * (std::uint64_t{graph_.order()} - 1), [&](Distance level, const Report& report, auto) {
      if (result.size() <= level) result.resize(level + 1, 0);
      result[level] += report.arrivals;
    });
  }
  return result;
}

void Lanes::receive(std::span<const Vertex> sources, Received& received) {
  const std::size_t order = graph_.order();
  if (sources.empty()) return;
  const Buffer<std::uint64_t> sums(context_, order), inverse_sums(context_, order);
  const Buffer<Vertex> counts(context_, order);
  const Buffer<Distance> farthest(context_, order);
  if (words_ != 0) fresh_counts_.fill(0);  // others leave there what they do not want
  sums.fill(0);
  inverse_sums.fill(0);
  counts.fill(0);
  farthest.fill(0);
  for (std::size_t begin = 0; begin < sources.size(); begin += most_) {
    const auto part = sources.subspan(begin, std::min(most_, sources.size() - begin));
    const Program& kernels = program(Keep::vertices, lanes_for(part.size(), context_.device()));
    run(part, Keep::vertices, {}, part.size() * (std::uint64_t{order} - 1), [&](Distance level, const Report&, auto) {
      kernels.run("account", Range::over(order), fresh_counts_, sums, inverse_sums, counts, farthest, level, inverse_of(level, received.unit), graph_.order());
    });
  }
  for (const Vertex source : sources) ++received.sources[source];
  const auto add = [](auto& totals, const auto& parts) {
    const auto here = parts.values();
    for (std::size_t v = 0; v < here.size(); ++v) totals[v] += here[v];
  };
  add(received.sum, sums);
  add(received.inverse_sum, inverse_sums);
  add(received.sources, counts);
  const auto far = farthest.values();
  for (std::size_t v = 0; v < order; ++v) received.farthest[v] = std::max(received.farthest[v], far[v]);
}

}  // namespace antipode::opencl
