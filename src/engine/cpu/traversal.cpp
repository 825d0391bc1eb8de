#include "engine/cpu/traversal.hpp"

#include <omp.h>

#include <algorithm>

#include "antipode/error.hpp"
#include "graph/parallel.hpp"

namespace antipode::cpu {

namespace {

template <bool kShared>
bool claim(Distance& cell, Distance level) {
  if constexpr (kShared) {
    Distance expected = kUnreached;
    return relaxed_load(cell) == kUnreached &&
           std::atomic_ref<Distance>(cell).compare_exchange_strong(expected, level, std::memory_order_relaxed);
  } else {
    if (cell != kUnreached) return false;
    cell = level;
    return true;
  }
}

template <class T>
std::span<T> share(std::span<T> whole, std::size_t part, std::size_t parts) {
  const std::size_t begin = whole.size() * part / parts, end = whole.size() * (part + 1) / parts;
  return whole.subspan(begin, end - begin);
}

}  // namespace

Traversal::Traversal(const Graph& graph, unsigned threads)
    : graph_(graph), threads_(static_cast<int>(threads)), queue_(graph.order()), unvisited_(graph.order()), parts_(std::size_t{threads} * kPartsPerThread), found_(parts_.size()), places_(parts_.size()) {
  Vertex widest = 0;
#pragma omp parallel for reduction(max : widest) num_threads(threads_) if (graph.order() > kWorthThreads)
  for (Vertex v = 0; v < graph.order(); ++v) widest = std::max(widest, graph.degree(v));
  may_pull_ = graph.arcs() > tuning_.sparse_degree * graph.order() || widest >= tuning_.hub_degree;
}

Search Traversal::run(Vertex source, std::span<Distance> row, const std::function<bool()>& interrupted) {
#pragma omp parallel for simd num_threads(threads_) if (row.size() > kWorthThreads * 4)
  for (std::size_t v = 0; v < row.size(); ++v) row[v] = kUnreached;
  row[source] = 0;
  queue_[0] = source;
  Frontier frontier{0, 1, graph_.degree(source)};
  unvisited_arcs_ = graph_.arcs() - frontier.arcs;

  Search result;
  result.source = source;
  bool pulling = false;
  for (Distance level = 0; frontier.size() > 0; ++level) {
    if (interrupted()) throw Interrupted();
    result.level_sizes.push_back(static_cast<Vertex>(frontier.size()));
    result.reached += static_cast<Vertex>(frontier.size());
    result.distance_sum += std::uint64_t{level} * frontier.size();
    result.eccentricity = level;
    const bool last = result.reached == graph_.order() || unvisited_arcs_ == 0;

    Frontier next;
    if (!last) {
      const bool shrinks = result.level_sizes.size() > 1 && frontier.size() < result.level_sizes[level - 1];
      const bool pull = pulling ? !(shrinks && frontier.size() < graph_.order() / tuning_.pull_share) : worth_pulling(frontier);
      if (pull && !pulling) list_unvisited(row);
      pulling = pull;
      next = pull ? pull_level(row, level + 1) : push_level(frontier, row, level + 1);
      unvisited_arcs_ -= next.arcs;
    }
    if (next.size() == 0) {
      result.farthest = *std::min_element(queue_.begin() + static_cast<std::ptrdiff_t>(frontier.begin),
                                          queue_.begin() + static_cast<std::ptrdiff_t>(frontier.end));
    }
    frontier = next;
  }
  return result;
}

bool Traversal::worth_pulling(const Frontier& frontier) const {
  return may_pull_ && frontier.arcs > unvisited_arcs_ / tuning_.pull_ratio && frontier.size() > graph_.order() / tuning_.pull_share;
}

template <bool kShared>
EdgeOffset Traversal::push(std::span<const Vertex> sources, std::span<Distance> row, Distance level, std::vector<Vertex>& found) const {
  EdgeOffset arcs = 0;
  for (const Vertex v : sources)
    for (const Vertex u : graph_.neighbors(v)) {
      if (!claim<kShared>(row[u], level)) continue;
      found.push_back(u);
      arcs += graph_.degree(u);
    }
  return arcs;
}

Traversal::Frontier Traversal::push_level(Frontier frontier, std::span<Distance> row, Distance level) {
  const std::span<const Vertex> sources = std::span<const Vertex>(queue_).subspan(frontier.begin, frontier.size());
  if (threads_ == 1 || frontier.arcs < tuning_.parallel_arcs) {
    found_[0].clear();
    const EdgeOffset arcs = push<false>(sources, row, level, found_[0]);
    return collected(frontier.end, arcs);
  }
  EdgeOffset arcs = 0;
  const std::size_t piece = std::clamp<std::size_t>(sources.size() / (found_.size() * 2), 1, 256);  // hubs make vertices unequal
#pragma omp parallel num_threads(threads_) reduction(+ : arcs)
  {
    auto& found = found_[static_cast<std::size_t>(omp_get_thread_num())];
    found.clear();
#pragma omp for schedule(dynamic, 1)
    for (std::size_t i = 0; i < sources.size(); i += piece)
      arcs += push<true>(sources.subspan(i, std::min(piece, sources.size() - i)), row, level, found);
  }
  return collected(frontier.end, arcs);
}

void Traversal::list_unvisited(std::span<const Distance> row) {
#pragma omp parallel for schedule(static) num_threads(threads_) if (graph_.order() > kWorthThreads)
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const std::span<Vertex> mine = share(std::span<Vertex>(unvisited_), part, parts_.size());
    const Vertex first = static_cast<Vertex>(mine.data() - unvisited_.data());
    std::size_t count = 0;
    for (Vertex v = first; v < first + mine.size(); ++v)
      if (row[v] == kUnreached) mine[count++] = v;
    parts_[part] = mine.first(count);
  }
}

EdgeOffset Traversal::pull(std::span<Vertex>& unvisited, std::span<Distance> row, Distance level, std::vector<Vertex>& found) const {
  EdgeOffset arcs = 0;
  std::size_t left = 0;
  for (const Vertex v : unvisited) {
    bool reached = false;
    for (const Vertex u : graph_.neighbors(v)) {
      reached = relaxed_load(row[u]) == level - 1;
      if (reached) break;
    }
    if (reached) {
      relaxed_store(row[v], level);
      found.push_back(v);
      arcs += graph_.degree(v);
    } else {
      unvisited[left++] = v;
    }
  }
  unvisited = unvisited.first(left);
  return arcs;
}

Traversal::Frontier Traversal::pull_level(std::span<Distance> row, Distance level) {
  EdgeOffset arcs = 0;
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1) reduction(+ : arcs) if (unvisited_arcs_ > kWorthThreads)
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    found_[part].clear();
    arcs += pull(parts_[part], row, level, found_[part]);
  }
  return collected(0, arcs);
}

// Moves what the threads found into the queue from `begin` on; nothing found leaves the queue as it was.
Traversal::Frontier Traversal::collected(std::size_t begin, EdgeOffset arcs) {
  Frontier frontier{begin, begin, arcs};
  for (std::size_t part = 0; part < found_.size(); ++part) {
    places_[part] = frontier.end;
    frontier.end += found_[part].size();
  }
#pragma omp parallel for num_threads(threads_) schedule(static) if (frontier.size() > kWorthThreads)
  for (std::size_t part = 0; part < found_.size(); ++part) {
    std::copy(found_[part].begin(), found_[part].end(), queue_.begin() + static_cast<std::ptrdiff_t>(places_[part]));
    found_[part].clear();
  }
  return frontier;
}

}  // namespace antipode::cpu
