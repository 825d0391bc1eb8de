#include "engine/opencl/traversal.hpp"

#include <algorithm>

#include "antipode/error.hpp"
#include "graph/machine.hpp"

namespace antipode::opencl {

namespace {

// Chosen with bench_measure on PoCL and an NVIDIA GPU.
struct Tuning {
  std::uint32_t wide_arcs_cpu = 16384, wide_arcs_gpu = 4096;  // a level with fewer is narrow
  std::uint32_t levels_at_once = 4096;  // after so many an interrupt is asked for
  std::uint64_t pull_ratio =
      14;                  // pull when the frontier has more than this share of the arcs left …
  Vertex pull_share = 24;  // … and more than this share of the vertices
  EdgeOffset sparse_degree = 4;  // graphs of lower mean degree without a hub never pull
  Vertex hub_degree = 128;
  std::size_t groups_a_unit_cpu = 8, groups_a_unit_gpu = 8;
  EdgeOffset alone_arcs = 1 << 15;       // graphs with fewer are searched by a crew of one
  std::uint64_t arcs_at_once = 1 << 24;  // after so many a crew asks for an interrupt
  std::uint32_t patience =
      1 << 16;  // looks at a word while a crew gathers: about a tenth of a millisecond
};
constexpr Tuning kTuning;

bool worth_pulling(const Graph& graph) {
  if (graph.arcs() >= kTuning.sparse_degree * graph.order()) return true;
  for (Vertex v = 0; v < graph.order(); ++v)
    if (graph.degree(v) >= kTuning.hub_degree) return true;
  return false;
}

std::string macros_for(const Graph& graph) {
  return graph.arcs() >= 8 * std::uint64_t{graph.order()} ? "-D TEAM=32" : "-D TEAM=4";
}

Search described(Vertex source, std::vector<Vertex> level_sizes, Vertex farthest) {
  Search result;
  result.source = source;
  result.farthest = farthest;
  result.eccentricity = static_cast<Distance>(level_sizes.size() - 1);
  for (std::size_t d = 0; d < level_sizes.size(); ++d) {
    result.reached += level_sizes[d];
    result.distance_sum += d * level_sizes[d];
  }
  result.level_sizes = std::move(level_sizes);
  return result;
}

}  // namespace

Traversal::Traversal(const Context& context, const DeviceGraph& graph,
                     std::function<bool()> interrupted)
    : context_(context),
      graph_(graph),
      interrupted_(std::move(interrupted)),
      may_pull_(worth_pulling(graph.host())),
      macros_(macros_for(graph.host())),
      rising_(context, "search", macros_),
      queue_(context, std::size_t{graph.order()} + 1),
      sizes_(context, std::size_t{graph.order()} + 2),
      control_(context, sizeof(Frontier) / 4),
      bits_(context, graph.order() / 32 + 1),
      next_bits_(context, graph.order() / 32 + 1),
      first_(context, 1),
      found_(context, wide_range().items / wide_range().group) {
  if (context.device().is_cpu) crew_.emplace(context, graph.host());
}

// Threads that take turns on a core would wait for each other in vain: no more than there are cores
// for this process. The sizes of buffers are those of crew.cl: 8 parts for each of the crew; words
// in lines of their own.
Traversal::Crew::Crew(const Context& context, const Graph& graph)
    : wanted(graph.arcs() < kTuning.alone_arcs ? 1
                                               : std::clamp(std::uint32_t{usable_processors()}, 1u,
                                                            std::uint32_t{context.device().units})),
      kernels(context, "crew"),
      unvisited(context, std::size_t{graph.order()} + 1),
      counts(context, 8 * wanted),
      meeting(context, 48),
      desks(context, 48),
      found(context, 3 * wanted),
      course(context, 1) {}

Range Traversal::narrow_range() const {
  const std::size_t items =
      context_.device().is_cpu
          ? 1
          : std::min<std::size_t>(rising_.most_items("narrow"), 1024) / 32 * 32;
  return {items, items};
}

Range Traversal::wide_range() const {
  const Device& device = context_.device();
  if (device.is_cpu) return {device.units * kTuning.groups_a_unit_cpu, 1};
  return {device.units * kTuning.groups_a_unit_gpu * 256, 256};
}

void Traversal::set(const Frontier& frontier) const {
  const std::uint32_t values[] = {
      frontier.begin, frontier.end, frontier.level, frontier.done, 0, 0};
  control_.upload(values);
}

Traversal::Frontier Traversal::frontier() const {
  std::uint32_t values[6];
  control_.download(values);
  return {values[0], values[1], values[2], values[3], values[4], values[5]};
}

void Traversal::narrow(const Program& program, Frontier& frontier, Distance limit,
                       std::uint32_t most_levels, const Buffer<Distance>& values) {
  const std::uint32_t wide =
      context_.device().is_cpu ? kTuning.wide_arcs_cpu : kTuning.wide_arcs_gpu;
  program.run("narrow", narrow_range(), graph_.rows().offsets, graph_.rows().targets, values,
              queue_, sizes_, control_, limit, std::min(most_levels, kTuning.levels_at_once), wide);
  frontier = this->frontier();
}

Traversal::Found Traversal::added(const Buffer<Found>& parts, std::size_t count) const {
  Found sum{0, 0};
  for (const Found& part : parts.values(count))
    sum = {sum.arcs + part.arcs, sum.count + part.count};
  return sum;
}

Traversal::Found Traversal::push(const Program& program, Frontier& frontier, Distance next,
                                 const Buffer<Distance>& values) {
  set(frontier);
  const Range range = wide_range();
  program.run("push", range, graph_.rows().offsets, graph_.rows().targets, values, queue_, control_,
              found_, frontier.begin, frontier.end, next);
  const Found found = added(found_, range.items / range.group);
  frontier = {frontier.end, frontier.end + static_cast<std::uint32_t>(found.count), next,
              frontier.done + 1};
  return found;
}

Traversal::Found Traversal::pull(Frontier& frontier, const Buffer<Distance>& row) {
  set(frontier);
  const Range range = wide_range();
  rising_.run("pull", range, graph_.into().offsets, graph_.into().targets, graph_.rows().offsets,
              row, bits_, next_bits_, control_, found_, graph_.order(), frontier.level + 1);
  const Found found = added(found_, range.items / range.group);
  std::swap(bits_, next_bits_);
  frontier = {frontier.end, frontier.end + static_cast<std::uint32_t>(found.count),
              frontier.level + 1, frontier.done + 1};
  return found;
}

Search Traversal::search(Vertex source, const Buffer<Distance>& row) {
  return crew_ ? search_together(source, row) : search_by_levels(source, row);
}

// Twice as many groups as are wanted: PoCL gives a thread several of few at a time, and those
// behind its first come too late to be of the crew.
Search Traversal::search_together(Vertex source, const Buffer<Distance>& row) {
  const Range range{crew_->wanted == 1 ? 1 : 2 * crew_->wanted, 1};
  Course course{};
  for (std::uint32_t is_new = 1; course.ended == 0; is_new = 0) {
    if (interrupted_()) throw Interrupted();
    crew_->meeting.fill(0);
    crew_->kernels.run("search_together", range, graph_.rows().offsets, graph_.rows().targets,
                       graph_.into().offsets, graph_.into().targets, row, queue_, crew_->unvisited,
                       crew_->counts, sizes_, bits_, next_bits_, crew_->meeting, crew_->desks,
                       crew_->found, crew_->course, graph_.order(),
                       std::uint32_t{!graph_.host().is_directed()}, std::uint32_t{may_pull_},
                       is_new, source, kTuning.arcs_at_once, crew_->wanted, kTuning.patience);
    crew_->course.download(std::span<Course>(&course, 1));
  }
  return described(source, sizes_.values(std::size_t{course.level} + 1), course.farthest);
}

Search Traversal::search_by_levels(Vertex source, const Buffer<Distance>& row) {
  const Vertex order = graph_.order();
  const std::uint64_t wide = kTuning.wide_arcs_gpu;
  const Range words = Range::over(order / 32 + 1, 64);
  row.fill(kUnreached, order);
  rising_.run("start", {1, 1}, control_, row, queue_, sizes_, source);
  std::vector<Vertex> sizes(1, 1);  // of the levels done one by one; kNoVertex: in sizes_
  Frontier here{0, 1, 0, 0};
  std::uint64_t arcs = graph_.host().degree(source), left = graph_.host().arcs() - arcs;
  bool pulled = false;  // the last level: it is a bitmap, and not in the queue
  bool fresh = true;    // control_ holds this frontier
  while (here.size() > 0) {
    if (interrupted_()) throw Interrupted();
    const bool pulls =
        may_pull_ && arcs * kTuning.pull_ratio > left && here.size() > order / kTuning.pull_share;
    if (pulls && !pulled) rising_.run("mark", words, row, bits_, here.level, order);
    if (!pulls && pulled) {
      set({here.begin, here.begin, here.level, here.done});
      rising_.run("collect", words, bits_, queue_, control_, order);
    }
    Found found;
    if (pulls) {
      found = pull(here, row);
    } else if (arcs > wide) {
      found = push(rising_, here, here.level + 1, row);
    } else {
      if (!fresh) set(here);
      narrow(rising_, here, kUnreached, kUnreached, row);
      found = {here.hint, here.size()};
      sizes.resize(here.done + 1, kNoVertex);
    }
    fresh = !pulls && arcs <= wide;
    pulled = pulls;
    arcs = found.arcs;
    left -= std::min(left, arcs);
    if (!fresh) sizes.push_back(static_cast<Vertex>(found.count));
  }
  std::vector<Vertex> level_sizes = sizes_.values(sizes.size());
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] != kNoVertex) level_sizes[d] = sizes[d];
  while (level_sizes.size() > 1 && level_sizes.back() == 0) level_sizes.pop_back();
  first_.fill(kUnreached);
  rising_.run("first_at", Range::over(order), row, first_,
              static_cast<Distance>(level_sizes.size() - 1), order);
  return described(source, std::move(level_sizes), first_.value(0));
}

std::vector<Vertex> Traversal::path(const Buffer<Distance>& row, Vertex to) const {
  const Distance length = row.value(to);
  if (length == kUnreached) return {};
  const Buffer<Vertex> path(context_, std::size_t{length} + 1);
  path.upload(std::span<const Vertex>(&to, 1));
  rising_.run("path", {1, 1}, graph_.into().offsets, graph_.into().targets, row, path, length);
  auto result = path.values();
  std::reverse(result.begin(), result.end());
  return result;
}

void Traversal::wave(const Program& program, const std::vector<host::WaveStart>& starts,
                     Distance last, bool falling, const Buffer<Distance>& values) {
  if (starts.empty()) return;
  std::vector<Vertex> sources;
  for (const host::WaveStart& start : starts) sources.push_back(start.source);
  const Buffer<Vertex> list(context_, sources);
  const std::uint64_t wide =
      context_.device().is_cpu ? kTuning.wide_arcs_cpu : kTuning.wide_arcs_gpu;
  const auto beyond = [&](Distance level) { return falling ? level < last : level > last; };
  Frontier here;
  std::uint64_t arcs = 0;
  for (std::size_t next = 0;;) {
    if (interrupted_()) throw Interrupted();
    if (here.size() == 0) {  // nothing happens before the next source
      if (next == starts.size() || beyond(starts[next].level)) return;
      here = {0, 0, starts[next].level, 0};
      arcs = 0;
    }
    std::size_t end = next;
    while (end < starts.size() && starts[end].level == here.level)
      arcs += graph_.host().degree(starts[end++].source);
    if (end > next) {
      set(here);
      program.run("admit", Range::over(end - next, 64), control_, values, queue_, list,
                  static_cast<std::uint32_t>(next), static_cast<std::uint32_t>(end - next),
                  here.level);
      here = frontier();
      next = end;
    }
    if (here.level == last) return;
    if (here.size() == 0) continue;
    const std::uint32_t until = next == starts.size() ? kUnreached
                                : falling             ? here.level - starts[next].level
                                                      : starts[next].level - here.level;
    if (arcs > wide) {
      arcs = push(program, here, falling ? here.level - 1 : here.level + 1, values).arcs;
    } else {
      set(here);
      here.done = 0;  // its sizes are nobody's
      narrow(program, here, last, until, values);
      arcs = here.hint;
    }
    here.done = 0;
  }
}

void Traversal::offset_search(std::vector<host::WaveStart> starts, Distance limit,
                              const Buffer<Distance>& values) {
  std::stable_sort(
      starts.begin(), starts.end(),
      [](const host::WaveStart& a, const host::WaveStart& b) { return a.level < b.level; });
  wave(rising_, starts, limit, false, values);
}

void Traversal::descending_offset_search(std::vector<host::WaveStart> starts,
                                         const Buffer<Distance>& values) {
  std::erase_if(starts, [](const host::WaveStart& start) { return start.level == 0; });
  std::stable_sort(
      starts.begin(), starts.end(),
      [](const host::WaveStart& a, const host::WaveStart& b) { return a.level > b.level; });
  if (!falling_) falling_.emplace(context_, "search", macros_ + " -D FALLING");
  wave(*falling_, starts, 0, true, values);
}

}  // namespace antipode::opencl
