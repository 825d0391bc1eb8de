// Chooses for every level how it is done, and launches the kernels of search.cl and workers.cl.
#include "engine/opencl/traversal.hpp"

#include <algorithm>

#include "antipode/error.hpp"
#include "graph/machine.hpp"

namespace antipode::opencl {

namespace {

// Chosen with bench_measure on PoCL and an NVIDIA GPU.
struct Tuning {
  std::uint32_t wide_arcs_cpu = 16384, wide_arcs_gpu = 4096;  // a level with fewer is narrow
  std::uint32_t levels_at_once = 4096;  // an interrupt is checked after so many
  // Pull if the frontier has more than 1 / pull_ratio of the arcs left, and more than 1 /
  // pull_share of the vertices.
  std::uint64_t pull_ratio = 14;
  Vertex pull_share = 24;
  EdgeOffset sparse_degree = 4;  // graphs of lower mean degree without a hub never pull
  Vertex hub_degree = 128;
  std::size_t groups_a_unit_cpu = 8, groups_a_unit_gpu = 8;
  EdgeOffset one_worker_arcs = 1 << 15;  // graphs with fewer are searched by one worker
  std::uint64_t arcs_at_once = 1 << 24;  // workers check for an interrupt after so many
  std::uint32_t patience = 1 << 16;      // polls until all workers have begun: about 0.1 ms
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

Search to_search(Vertex source, std::vector<Vertex> level_sizes, Vertex farthest) {
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
  if (context.device().is_cpu) workers_.emplace(context, graph.host());
}

// Threads that share a core would poll without effect, so there are at most as many workers as
// cores for this process. Buffer sizes are those of workers.cl: 8 sections per worker, and sync
// words in separate cache lines.
Traversal::Workers::Workers(const Context& context, const Graph& graph)
    : count(graph.arcs() < kTuning.one_worker_arcs
                ? 1
                : std::clamp(std::uint32_t{usable_processors()}, 1u,
                             std::uint32_t{context.device().units})),
      kernels(context, "workers"),
      unvisited(context, std::size_t{graph.order()} + 1),
      counts(context, 8 * count),
      sync_words(context, 48),
      counters(context, 48),
      found(context, 3 * count),
      state(context, 1) {}

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
  return {.begin = values[0],
          .end = values[1],
          .level = values[2],
          .done = values[3],
          .ticket = values[4],
          .hint = values[5]};
}

void Traversal::narrow(const Program& program, Frontier& frontier, Distance limit,
                       std::uint32_t most_levels, const Buffer<Distance>& values) {
  const std::uint32_t wide =
      context_.device().is_cpu ? kTuning.wide_arcs_cpu : kTuning.wide_arcs_gpu;
  program.run("narrow", narrow_range(), graph_.adjacency().offsets, graph_.adjacency().targets,
              values, queue_, sizes_, control_, limit,
              std::min(most_levels, kTuning.levels_at_once), wide);
  frontier = this->frontier();
}

Traversal::Found Traversal::sum_of(const Buffer<Found>& partials, std::size_t count) const {
  Found sum{0, 0};
  for (const Found& partial : partials.values(count))
    sum = {sum.arcs + partial.arcs, sum.count + partial.count};
  return sum;
}

Traversal::Found Traversal::push(const Program& program, Frontier& frontier, Distance next,
                                 const Buffer<Distance>& values) {
  set(frontier);
  const Range range = wide_range();
  program.run("push", range, graph_.adjacency().offsets, graph_.adjacency().targets, values, queue_,
              control_, found_, frontier.begin, frontier.end, next);
  const Found found = sum_of(found_, range.items / range.group);
  frontier = {.begin = frontier.end,
              .end = frontier.end + static_cast<std::uint32_t>(found.count),
              .level = next,
              .done = frontier.done + 1};
  return found;
}

Traversal::Found Traversal::pull(Frontier& frontier, const Buffer<Distance>& distances) {
  set(frontier);
  const Range range = wide_range();
  rising_.run("pull", range, graph_.into().offsets, graph_.into().targets,
              graph_.adjacency().offsets, distances, bits_, next_bits_, control_, found_,
              graph_.order(), frontier.level + 1);
  const Found found = sum_of(found_, range.items / range.group);
  std::swap(bits_, next_bits_);
  frontier = {.begin = frontier.end,
              .end = frontier.end + static_cast<std::uint32_t>(found.count),
              .level = frontier.level + 1,
              .done = frontier.done + 1};
  return found;
}

Search Traversal::search(Vertex source, const Buffer<Distance>& distances) {
  return workers_ ? search_together(source, distances) : search_by_levels(source, distances);
}

// Launches twice as many groups as workers: PoCL gives a thread several groups at a time, and all
// but its first begin too late to become workers.
Search Traversal::search_together(Vertex source, const Buffer<Distance>& distances) {
  const Range range{workers_->count == 1 ? 1 : 2 * workers_->count, 1};
  SearchState state{};
  for (std::uint32_t is_new = 1; state.ended == 0; is_new = 0) {
    if (interrupted_()) throw Interrupted();
    workers_->sync_words.fill(0);
    workers_->kernels.run("search_together", range, graph_.adjacency().offsets,
                          graph_.adjacency().targets, graph_.into().offsets, graph_.into().targets,
                          distances, queue_, workers_->unvisited, workers_->counts, sizes_, bits_,
                          next_bits_, workers_->sync_words, workers_->counters, workers_->found,
                          workers_->state, graph_.order(),
                          std::uint32_t{!graph_.host().is_directed()}, std::uint32_t{may_pull_},
                          is_new, source, kTuning.arcs_at_once, workers_->count, kTuning.patience);
    workers_->state.download(std::span<SearchState>(&state, 1));
  }
  return to_search(source, sizes_.values(std::size_t{state.level} + 1), state.farthest);
}

Search Traversal::search_by_levels(Vertex source, const Buffer<Distance>& distances) {
  const Vertex order = graph_.order();
  const std::uint64_t wide = kTuning.wide_arcs_gpu;
  const Range words = Range::over(order / 32 + 1, 64);
  distances.fill(kUnreached, order);
  rising_.run("start", {1, 1}, control_, distances, queue_, sizes_, source);
  // Sizes of levels that had a launch of their own; kNoVertex: the size is in sizes_.
  std::vector<Vertex> sizes(1, 1);
  Frontier current{.begin = 0, .end = 1, .level = 0, .done = 0};
  std::uint64_t arcs = graph_.host().degree(source), arcs_left = graph_.host().arcs() - arcs;
  bool pulled = false;       // the last level was: it is in a bitmap, not in the queue
  bool is_on_device = true;  // control_ holds this frontier
  while (current.size() > 0) {
    if (interrupted_()) throw Interrupted();
    const bool should_pull = may_pull_ && arcs * kTuning.pull_ratio > arcs_left &&
                             current.size() > order / kTuning.pull_share;
    if (should_pull && !pulled) rising_.run("mark", words, distances, bits_, current.level, order);
    if (!should_pull && pulled) {
      set({.begin = current.begin,
           .end = current.begin,
           .level = current.level,
           .done = current.done});
      rising_.run("collect", words, bits_, queue_, control_, order);
    }
    Found found;
    if (should_pull) {
      found = pull(current, distances);
    } else if (arcs > wide) {
      found = push(rising_, current, current.level + 1, distances);
    } else {
      if (!is_on_device) set(current);
      narrow(rising_, current, kUnreached, kUnreached, distances);
      found = {current.hint, current.size()};
      sizes.resize(current.done + 1, kNoVertex);
    }
    is_on_device = !should_pull && arcs <= wide;
    pulled = should_pull;
    arcs = found.arcs;
    arcs_left -= std::min(arcs_left, arcs);
    if (!is_on_device) sizes.push_back(static_cast<Vertex>(found.count));
  }
  return outcome(source, sizes, distances);
}

// Completes the sizes of levels, and finds the first of the farthest vertices.
Search Traversal::outcome(Vertex source, std::span<const Vertex> sizes,
                          const Buffer<Distance>& distances) {
  std::vector<Vertex> level_sizes = sizes_.values(sizes.size());
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] != kNoVertex) level_sizes[d] = sizes[d];
  while (level_sizes.size() > 1 && level_sizes.back() == 0) level_sizes.pop_back();
  first_.fill(kUnreached);
  rising_.run("first_at", Range::over(graph_.order()), distances, first_,
              static_cast<Distance>(level_sizes.size() - 1), graph_.order());
  return to_search(source, std::move(level_sizes), first_.value(0));
}

std::vector<Vertex> Traversal::path(const Buffer<Distance>& distances, Vertex to) const {
  const Distance length = distances.value(to);
  if (length == kUnreached) return {};
  const Buffer<Vertex> path(context_, std::size_t{length} + 1);
  path.upload(std::span<const Vertex>(&to, 1));
  rising_.run("path", {1, 1}, graph_.into().offsets, graph_.into().targets, distances, path,
              length);
  auto result = path.values();
  std::reverse(result.begin(), result.end());
  return result;
}

void Traversal::run_offset_search(const Program& program,
                                  const std::vector<host::OffsetSource>& starts, Distance last,
                                  bool falling, const Buffer<Distance>& values) {
  if (starts.empty()) return;
  std::vector<Vertex> sources;
  for (const host::OffsetSource& start : starts) sources.push_back(start.source);
  const Buffer<Vertex> list(context_, sources);
  const std::uint64_t wide =
      context_.device().is_cpu ? kTuning.wide_arcs_cpu : kTuning.wide_arcs_gpu;
  const auto beyond = [&](Distance level) { return falling ? level < last : level > last; };
  Frontier current;
  std::uint64_t arcs = 0;
  for (std::size_t next = 0;;) {
    if (interrupted_()) throw Interrupted();
    if (current.size() == 0) {  // skips the levels before the next source
      if (next == starts.size() || beyond(starts[next].level)) return;
      current = {.begin = 0, .end = 0, .level = starts[next].level, .done = 0};
      arcs = 0;
    }
    std::size_t end = next;
    while (end < starts.size() && starts[end].level == current.level)
      arcs += graph_.host().degree(starts[end++].source);
    if (end > next) {
      set(current);
      program.run("admit", Range::over(end - next, 64), control_, values, queue_, list,
                  static_cast<std::uint32_t>(next), static_cast<std::uint32_t>(end - next),
                  current.level);
      current = frontier();
      next = end;
    }
    if (current.level == last) return;
    if (current.size() == 0) continue;
    const std::uint32_t until = next == starts.size() ? kUnreached
                                : falling             ? current.level - starts[next].level
                                                      : starts[next].level - current.level;
    if (arcs > wide) {
      arcs = push(program, current, falling ? current.level - 1 : current.level + 1, values).arcs;
    } else {
      set(current);
      current.done = 0;  // the sizes of levels are not used
      narrow(program, current, last, until, values);
      arcs = current.hint;
    }
    current.done = 0;
  }
}

void Traversal::offset_search(std::vector<host::OffsetSource> starts, Distance limit,
                              const Buffer<Distance>& values) {
  std::stable_sort(
      starts.begin(), starts.end(),
      [](const host::OffsetSource& a, const host::OffsetSource& b) { return a.level < b.level; });
  run_offset_search(rising_, starts, limit, false, values);
}

void Traversal::descending_offset_search(std::vector<host::OffsetSource> starts,
                                         const Buffer<Distance>& values) {
  std::erase_if(starts, [](const host::OffsetSource& start) { return start.level == 0; });
  std::stable_sort(
      starts.begin(), starts.end(),
      [](const host::OffsetSource& a, const host::OffsetSource& b) { return a.level > b.level; });
  if (!falling_) falling_.emplace(context_, "search", macros_ + " -D FALLING");
  run_offset_search(*falling_, starts, 0, true, values);
}

}  // namespace antipode::opencl
