// Batches in bit lanes: memory, the launches of a level, and the requests.
#include "engine/opencl/lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "antipode/error.hpp"
#include "engine/host/multiplicities.hpp"

namespace antipode::opencl {

namespace {

constexpr std::uint64_t kMostPushed = 2048,
                        kMany = std::uint64_t{1} << 40;  // as in lane_account.cl

// 128, 512 or (not on a CPU) 1,024 bit lanes, as few as hold the sources.
std::size_t lanes_for(std::size_t sources, const Device& device) {
  return sources <= 128 ? 128 : device.is_cpu || sources <= 512 ? 512 : 1024;
}

}  // namespace

Lanes::Lanes(const Context& context, const DeviceGraph& graph, std::size_t most,
             std::function<bool()> interrupted)
    : context_(context), graph_(graph), most_(most), interrupted_(std::move(interrupted)) {
  if (GroupSearches::suits(graph.host(), context.device())) groups_.emplace(context, graph);
}

// Empty if groups do not suit the graph, or if a frontier overflowed its ring.
std::vector<GroupResult> Lanes::search_by_groups(std::span<const Vertex> sources,
                                                 const FarthestRequest& request) {
  if (!groups_) return {};
  if (interrupted_()) throw Interrupted();
  auto result = groups_->search(sources, request);
  if (result.empty()) groups_.reset();
  return result;
}

// High degrees first, which work-groups share; then the others by descending number of steps, and
// within that in the order of the graph, in which neighbours may be close.
void Lanes::rank_vertices() {
  constexpr Vertex kHighDegree = 256, kPiece = 2048;  // kPiece: as in lane_account.cl
  const Graph& into = graph_.host().into();
  if (context_.device().is_cpu) {
    ranks_ = Buffer<Vertex>(context_, 1);
    done_ = Buffer<unsigned char>(context_, 1);
    pieces_ = Buffer<Piece>(context_, 1);
    return;
  }
  const auto key = [&](Vertex v) {
    return into.degree(v) > kHighDegree ? 0 : 1 + (kHighDegree - into.degree(v)) / 4;
  };
  std::vector<Vertex> ranks(graph_.order());
  std::iota(ranks.begin(), ranks.end(), Vertex{0});
  std::stable_sort(ranks.begin(), ranks.end(), [&](Vertex a, Vertex b) { return key(a) < key(b); });
  std::vector<Piece> pieces;
  for (wide_ = 0; wide_ < ranks.size() && key(ranks[wide_]) == 0; ++wide_)
    for (std::uint32_t number = 0; number * kPiece < into.degree(ranks[wide_]); ++number)
      pieces.push_back({wide_, number});
  ranks_ = Buffer<Vertex>(context_, ranks);
  pieces_ = Buffer<Piece>(context_, pieces);
  done_ = Buffer<unsigned char>(context_, std::size_t{graph_.order()} * 8);
}

Range Lanes::range() const {
  const Device& device = context_.device();
  return device.is_cpu ? Range{std::size_t{device.units} * 4, 1}
                       : Range{std::size_t{device.units} * 32 * 256, 256};
}

const Program& Lanes::program(LaneOutput output, std::size_t lanes) {
  auto& place = programs_[{output, lanes}];
  if (!place) {
    const unsigned width = context_.device().is_cpu && lanes == 512 ? 16 : 4;
    const char* const registers =
        context_.device().info.platform.find("NVIDIA") != std::string::npos
            ? " -cl-nv-maxrregcount=64"
            : "";  // so that four groups fit on a unit
    place = std::make_unique<Program>(
        context_, "lanes",
        fmt::format("-D WIDTH={} -D GROUPS={} -D OUTPUT={}{}", width, lanes / 32 / width,
                    static_cast<int>(output), registers),
        "lane_account");
  }
  return *place;
}

void Lanes::make_room(std::size_t lanes) {
  const std::size_t order = graph_.order(), words = lanes / 32;
  if (reports_.size() == 0) {
    for (auto* buffer : {&claimed_, &pushed_}) {
      *buffer = Buffer<std::uint32_t>(context_, order);
      buffer->fill(0);
    }
    for (auto& list : lists_) list = Buffer<Vertex>(context_, order);
    setup_ = Buffer<std::uint32_t>(context_, 32 + 1024);
    totals_ = Buffer<std::uint32_t>(context_, 1024);
    totals_.fill(0);
    counters_ = Buffer<std::uint32_t>(context_, 3);
    answer_ = Buffer<std::uint32_t>(context_, 8 + 1024);
    rank_vertices();
    no_flags_ = Buffer<unsigned char>(context_, order);
    no_flags_.fill(3);
    no_lower_ = Buffer<Distance>(context_, 1);
    for (auto* reports : {&wide_reports_, &reports_})
      *reports = Buffer<Report>(context_, range().items / range().group);
  }
  if (words <= words_) return;
  words_ = 0;
  now_ = Buffer<std::uint32_t>();  // frees the old buffers before allocating
  next_ = Buffer<std::uint32_t>();
  now_ = Buffer<std::uint32_t>(context_, words * order);
  next_ = Buffer<std::uint32_t>(context_, words * order);
  changed_ = Buffer<unsigned char>(context_, vectors_of(words) * order);
  fresh_ = Buffer<std::uint16_t>(context_, vectors_of(words) * order);
  words_ = words;
}

// Puts the sources into the words and the first list; returns the report of level 0.
Lanes::Report Lanes::begin(const Job& job) {
  const Vertex order = graph_.order();
  if (stamp_ > std::numeric_limits<std::uint32_t>::max() - order - 4) {
    claimed_.fill(0);
    stamp_ = 0;
  }
  std::vector<std::uint32_t> setup(32, 0);  // mask of the bit lanes, then the sources
  for (std::size_t i = 0; i < job.sources.size(); ++i) setup[i / 32] |= 1u << i % 32;
  setup.insert(setup.end(), job.sources.begin(), job.sources.end());
  setup_.upload(setup);
  job.kernels.run("clear", range(), now_, next_, changed_, done_, counters_,
                  std::uint64_t{order} * vectors_of(job.words));
  job.kernels.run("seed", Range::over(job.sources.size(), 64), now_, changed_, claimed_, lists_[0],
                  counters_, setup_, static_cast<std::uint32_t>(job.sources.size()), ++stamp_);
  Report report{.arrivals = job.sources.size(), .active = job.sources.size()};
  for (const Vertex source : job.sources)
    report.arcs +=
        graph_.host().degree(source) > kMostPushed ? kMany : graph_.host().degree(source);
  return report;
}

// Launches one level. Only the device knows how many vertices push, since it counts each once.
void Lanes::run_level(const Job& job, Distance level, bool pushes, bool pushed,
                      std::uint64_t active) {
  const Vertex order = graph_.order();
  const FarthestRequest& request = job.request;
  const Buffer<unsigned char>& flags = request.flags != nullptr ? *request.flags : no_flags_;
  const Buffer<Distance>& lower = request.lower != nullptr ? *request.lower : no_lower_;
  const std::uint32_t raises = request.lower != nullptr ? 1 : 0;
  const std::size_t most_items = context_.device().is_cpu ? 1 : 256;
  Range range = this->range();
  ++stamp_;
  if (pushes) {
    const Buffer<Vertex>&list = lists_[(level - 1) % 2], &next_list = lists_[level % 2];
    range.items = std::min(range.items, Range::over(active * most_items, range.group).items);
    if (!pushed)
      job.kernels.run("collect", Range::over(order), changed_, list, counters_, level, order);
    job.kernels.run("push", range, graph_.adjacency().offsets, graph_.adjacency().targets, now_,
                    next_, changed_, claimed_, list, next_list, counters_, flags, lower, fresh_,
                    pushed_, totals_, reports_, stamp_, level, raises);
  } else {
    const Adjacency& into = graph_.into();
    job.kernels.run("pull", range, into.offsets, into.targets, graph_.adjacency().offsets, now_,
                    next_, changed_, setup_, ranks_, done_, flags, lower, fresh_, pushed_, totals_,
                    reports_, counters_, pieces_, static_cast<std::uint32_t>(pieces_.size()), wide_,
                    order, level, raises);
    if (wide_ > 0)
      job.kernels.run("update_wide", range, graph_.adjacency().offsets, now_, next_, changed_,
                      setup_, ranks_, done_, flags, lower, fresh_, pushed_, totals_, wide_reports_,
                      wide_, level, raises);
  }
  const auto groups = static_cast<std::uint32_t>(range.items / range.group);
  job.kernels.run("conclude", Range{most_items, most_items}, reports_, groups, wide_reports_,
                  !pushes && wide_ > 0 ? groups : 0, totals_, counters_, answer_, level);
  std::swap(now_, next_);
}

void Lanes::run(std::span<const Vertex> sources, LaneOutput output, const FarthestRequest& request,
                std::uint64_t remaining, const OnLevel& on_level) {
  const std::size_t lanes = lanes_for(sources.size(), context_.device());
  make_room(lanes);
  const Job job{.sources = sources,
                .request = request,
                .kernels = program(output, lanes),
                .words = lanes / 32};
  Report last = begin(job);
  bool pushed = true;
  std::vector<std::uint32_t> answer(8 + (output == LaneOutput::lanes ? lanes : lanes / 16));
  for (Distance level = 1; last.arrivals > 0 && remaining > 0; ++level) {
    if (interrupted_()) throw Interrupted();
    const bool pushes = last.active * 8 < graph_.order() && last.arcs * 8 < graph_.host().arcs();
    run_level(job, level, pushes, pushed, last.active);
    pushed = pushes;
    answer_.download(answer);
    std::memcpy(static_cast<void*>(&last), answer.data(), sizeof(last));
    if (last.arrivals == 0) break;
    remaining -=
        std::min(remaining, output == LaneOutput::farthest ? last.at_candidates : last.arrivals);
    on_level(
        {.level = level, .pushed = pushes, .report = last, .totals = std::span(answer).subspan(8)});
  }
}

std::vector<FarthestDistance> Lanes::farthest_from(std::span<const Vertex> sources,
                                                   const FarthestRequest& request) {
  std::vector<FarthestDistance> result(sources.size());
  if (sources.empty()) return result;
  if (const auto found = search_by_groups(sources, request); !found.empty()) {
    std::transform(found.begin(), found.end(), result.begin(),
                   [](const GroupResult& each) { return each.farthest; });
    return result;
  }
  const std::size_t words = lanes_for(sources.size(), context_.device()) / 32;
  // Sources that are candidates have reached one already; at worst one more level is done.
  const std::uint64_t remaining = request.candidates * sources.size();
  run(sources, LaneOutput::farthest, request, remaining, [&](const LevelEnd& end) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if ((end.totals[i / 32] >> i % 32 & 1) != 0) result[i].candidates = end.level;
      if ((end.totals[words + i / 32] >> i % 32 & 1) != 0) result[i].outside = end.level;
    }
  });
  return result;
}

std::vector<Summary> Lanes::summarize(std::span<const Vertex> sources) {
  std::vector<Summary> result(sources.size(), Summary{0, 1, 0});
  for (std::size_t begin = 0; begin < sources.size(); begin += most_) {
    const auto batch = sources.subspan(begin, std::min(most_, sources.size() - begin));
    if (const auto found = search_by_groups(batch, {}); !found.empty()) {
      std::transform(found.begin(), found.end(),
                     result.begin() + static_cast<std::ptrdiff_t>(begin),
                     [](const GroupResult& each) {
                       return Summary{each.eccentricity, each.reached, each.distance_sum};
                     });
      continue;
    }
    const auto remaining = batch.size() * (std::uint64_t{graph_.order()} - 1);
    run(batch, LaneOutput::lanes, {}, remaining, [&](const LevelEnd& end) {
      for (std::size_t i = 0; i < batch.size(); ++i) {
        if (end.totals[i] == 0) continue;
        Summary& summary = result[begin + i];
        summary = {end.level, summary.reached + end.totals[i],
                   summary.distance_sum + std::uint64_t{end.level} * end.totals[i]};
      }
    });
  }
  return result;
}

std::vector<std::uint64_t> Lanes::distribution(std::span<const Vertex> sources) {
  std::vector<std::uint64_t> result;
  if (!sources.empty()) result.push_back(sources.size());
  for (std::size_t begin = 0; begin < sources.size(); begin += most_) {
    const auto batch = sources.subspan(begin, std::min(most_, sources.size() - begin));
    run(batch, LaneOutput::vertices, {}, batch.size() * (std::uint64_t{graph_.order()} - 1),
        [&](const LevelEnd& end) {
          if (result.size() <= end.level) result.resize(end.level + 1, 0);
          result[end.level] += end.report.arrivals;
        });
  }
  return result;
}

std::vector<std::uint64_t> Lanes::weighted_distribution(std::span<const Vertex> sources,
                                                        std::span<const Multiplicities> weights) {
  std::vector<std::uint64_t> result;
  for (const auto& each : weights) host::add_multiplied(each, 0, 1, result);
  for (std::size_t begin = 0; begin < sources.size(); begin += most_) {
    const auto batch = sources.subspan(begin, std::min(most_, sources.size() - begin));
    run(batch, LaneOutput::lanes, {}, batch.size() * (std::uint64_t{graph_.order()} - 1),
        [&](const LevelEnd& end) {
          for (std::size_t i = 0; i < batch.size(); ++i)
            if (end.totals[i] != 0)
              host::add_multiplied(weights[begin + i], end.level, end.totals[i], result);
        });
  }
  return result;
}

void Lanes::add_distances(std::span<const Vertex> sources, DistanceSums& sums) {
  const std::size_t order = graph_.order();
  if (sources.empty()) return;
  const Buffer<std::uint64_t> distance_sums(context_, order), inverse_sums(context_, order);
  const Buffer<Vertex> counts(context_, order);
  const Buffer<Distance> farthest(context_, order);
  if (pushed_.size() != 0) pushed_.fill(0);  // earlier batches may have left values
  distance_sums.fill(0);
  inverse_sums.fill(0);
  counts.fill(0);
  farthest.fill(0);
  for (std::size_t begin = 0; begin < sources.size(); begin += most_) {
    const auto batch = sources.subspan(begin, std::min(most_, sources.size() - begin));
    const Program& kernels =
        program(LaneOutput::vertices, lanes_for(batch.size(), context_.device()));
    run(batch, LaneOutput::vertices, {}, batch.size() * (std::uint64_t{order} - 1),
        [&](const LevelEnd& end) {
          kernels.run("account", Range::over(order), fresh_, pushed_, std::uint32_t{end.pushed},
                      distance_sums, inverse_sums, counts, farthest, end.level,
                      inverse_of(end.level, sums.unit), graph_.order());
        });
  }
  for (const Vertex source : sources) ++sums.sources[source];
  const auto add = [](auto& totals, const auto& parts) {
    const auto values = parts.values();
    for (std::size_t v = 0; v < values.size(); ++v) totals[v] += values[v];
  };
  add(sums.sum, distance_sums);
  add(sums.inverse_sum, inverse_sums);
  add(sums.sources, counts);
  const auto far = farthest.values();
  for (std::size_t v = 0; v < order; ++v) sums.farthest[v] = std::max(sums.farthest[v], far[v]);
}

}  // namespace antipode::opencl
