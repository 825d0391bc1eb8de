#include "engine/cpu/traversal.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <utility>

#include "antipode/error.hpp"
#include "graph/parallel.hpp"

namespace antipode::cpu {

namespace {

bool claim(Distance& cell, Distance level) {
  Distance expected = kUnreached;
  return relaxed_load(cell) == kUnreached &&
         std::atomic_ref<Distance>(cell).compare_exchange_strong(expected, level,
                                                                 std::memory_order_relaxed);
}

// The vertices that one thread finds in a level, on its stack: adjacent lists in memory would share
// cache lines. They are appended to the queue when the list is full, and at the end.
class Finds {
 public:
  Finds(const Adjacency& graph, std::vector<Vertex>& queue, std::size_t& end, EdgeOffset& arcs)
      : graph_(graph), queue_(queue), end_(end), arcs_(arcs) {}
  ~Finds() {
    flush();
    relaxed_add(arcs_, mine_);
  }
  void add(Vertex v) {
    if (count_ == kMany) flush();
    found_[count_++] = v;
  }

 private:
  static constexpr std::size_t kMany = 4096;
  void flush() {
    for (std::size_t i = 0; i < count_; ++i)
      mine_ += graph_.degree(found_[i]);  // separate from the claims, which would block these reads
    std::copy(found_, found_ + count_,
              queue_.begin() + static_cast<std::ptrdiff_t>(relaxed_add(end_, count_)));
    count_ = 0;
  }
  const Adjacency& graph_;
  std::vector<Vertex>& queue_;
  std::size_t& end_;     // of the queue; shared
  EdgeOffset& arcs_;     // of the vertices that all threads found …
  EdgeOffset mine_ = 0;  // … and this thread
  std::size_t count_ = 0;
  Vertex found_[kMany];
};

}  // namespace

Traversal::Traversal(const Graph& graph, unsigned threads)
    : graph_(graph.adjacency()),
      into_(graph.into().adjacency()),
      is_directed_(graph.is_directed()),
      threads_(static_cast<int>(threads)),
      queue_(graph.order() + std::size_t{1}),
      unvisited_(graph.order()),
      parts_(std::size_t{threads} * kPartsPerThread),
      starts_(parts_.size()),
      found_(threads) {
  widest_ = fold(
      graph.order(), threads_, Vertex{0}, [](Vertex a, Vertex b) { return std::max(a, b); },
      [&](std::size_t v) { return graph.degree(static_cast<Vertex>(v)); });
  // With directions, many vertices may never be reached, and would be read again on every level.
  may_pull_ = !is_directed_ && (graph.arcs() > tuning_.sparse_degree * graph.order() ||
                                widest_ >= tuning_.hub_degree);
}

Search Traversal::run(Vertex source, std::span<Distance> distances,
                      const std::function<bool()>& interrupted) {
  in_chunks(distances.size(), distances.size() > kWorthThreads * 4 ? threads_ : 1,
            [&](std::size_t begin, std::size_t end) {
              std::fill(distances.begin() + static_cast<std::ptrdiff_t>(begin),
                        distances.begin() + static_cast<std::ptrdiff_t>(end), kUnreached);
            });
  distances[source] = 0;
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
    const bool last = result.reached == graph_.order() || (unvisited_arcs_ == 0 && !is_directed_);

    Frontier next;
    bool marked = pulling;  // the frontier is in the bitmap, not in the queue
    if (!last) {
      const bool shrinks =
          result.level_sizes.size() > 1 && frontier.size() < result.level_sizes[level - 1];
      const bool pull = pulling
                            ? !(shrinks && frontier.size() < graph_.order() / tuning_.pull_share)
                            : worth_pulling(frontier);
      if (pull && !pulling) prepare_pull(distances, level);
      if (!pull && marked) {
        queue_marked();
        marked = false;
      }
      pulling = pull;
      next = pull ? pull_level(distances, level + 1) : push_level(frontier, distances, level + 1);
      unvisited_arcs_ -= next.arcs;
    }
    if (next.size() == 0) {
      if (marked && !last) marked_.swap(next_marked_);  // this frontier found nothing
      if (marked) queue_marked();
      result.farthest =
          *std::min_element(queue_.begin() + static_cast<std::ptrdiff_t>(frontier.begin),
                            queue_.begin() + static_cast<std::ptrdiff_t>(frontier.end));
    }
    frontier = next;
  }
  return result;
}

// work(part, member) for all parts of the unvisited vertices.
template <class Work>
void Traversal::for_chunks(Team team, Work work) {
  in_pieces(parts_.size(), 1, team == Team::all ? threads_ : 1,
            [&](std::size_t first, std::size_t last, int member) {
              for (std::size_t part = first; part < last; ++part) work(part, member);
            });
}

bool Traversal::worth_pulling(const Frontier& frontier) const {
  if (!may_pull_ || frontier.arcs <= unvisited_arcs_ / tuning_.pull_ratio) return false;
  // Expected number of neighbours that an unvisited vertex reads before it meets the frontier.
  const EdgeOffset reads =
      std::min(unvisited_arcs_ / frontier.arcs + 1, graph_.arcs() / graph_.order() + 1);
  return frontier.size() > graph_.order() / tuning_.pull_share ||
         graph_.order() * reads < frontier.arcs * tuning_.pull_margin;
}

// One thread writes directly to the queue. If degrees are low, whether a neighbour is new cannot be
// predicted, so it decides no branch. Otherwise most neighbours are old, and a store for each would
// cost more.
template <bool kShortAdjacency>
Traversal::Frontier Traversal::push_alone(Frontier frontier, std::span<Distance> distances,
                                          Distance level) {
  // The queue has one entry more than vertices, for the last write that does not count.
  std::size_t end = frontier.end;
  for (std::size_t i = frontier.begin; i < frontier.end; ++i)
    for (const Vertex u : graph_.neighbors(queue_[i])) {
      const Distance before = distances[u];
      if (!kShortAdjacency && before != kUnreached) continue;
      queue_[end] = u;
      distances[u] = std::min(before, level);  // kUnreached is the largest
      end += before == kUnreached ? 1 : 0;
    }
  EdgeOffset arcs = 0;
  for (std::size_t i = frontier.end; i < end; ++i) arcs += graph_.degree(queue_[i]);
  return {frontier.end, end, arcs};
}

// The threads share the vertices of the frontier in shares: neighbouring vertices have common
// neighbours, which should be in one cache.
Traversal::Frontier Traversal::push_together(Frontier frontier, std::span<Distance> distances,
                                             Distance level) {
  std::size_t end = frontier.end;
  EdgeOffset arcs = 0;
  const std::size_t pieces = kPushesPerThread * static_cast<std::size_t>(threads_),
                    grain = (frontier.size() + pieces - 1) / pieces;
  in_shares(frontier.size(), grain, threads_,
            [&, frontier, distances, level](std::size_t first, std::size_t last, int) {
              Finds finds(graph_, queue_, end, arcs);
              for (std::size_t i = frontier.begin + first; i < frontier.begin + last; ++i)
                for (const Vertex u : graph_.neighbors(queue_[i]))
                  if (claim(distances[u], level)) finds.add(u);
            });
  return {frontier.end, end, arcs};
}

Team Pace::next() {
  constexpr unsigned kTrial = 4, kRound = 256;
  // All threads must take less than this share of the time of one: their writes are in other
  // caches when the next level runs on one thread.
  constexpr double kClearly = 0.85;
  const unsigned turn = turn_++;
  if (turn < 2 * kTrial) return Team{turn < kTrial};
  return Team{(together_ < kClearly * alone_) != (turn % kRound < kTrial)};
}

// The first level after a change is not counted: it finds the other threads asleep, or data in
// their caches.
void Pace::took(Team team, double nanoseconds_an_arc) {
  if (std::exchange(last_, team) != team) return;
  double& known = team == Team::all ? together_ : alone_;
  // At most four times the average counts, since a thread may have been descheduled.
  known = known == 0 ? nanoseconds_an_arc
                     : known + (std::min(nanoseconds_an_arc, 4 * known) - known) / 8;
}

// Runs and times level(team), for a level of so many arcs.
template <class Level>
Traversal::Frontier Traversal::timed(Paces& paces, EdgeOffset arcs, Level level) {
  using Clock = std::chrono::steady_clock;
  Pace& pace = paces[static_cast<std::size_t>(std::bit_width(arcs))];
  const Team team = pace.next();
  const auto start = Clock::now();
  const Frontier next = level(team);
  pace.took(team, std::chrono::duration<double, std::nano>(Clock::now() - start).count() /
                      static_cast<double>(arcs));
  return next;
}

Traversal::Frontier Traversal::push_level(Frontier frontier, std::span<Distance> distances,
                                          Distance level) {
  if (threads_ == 1 || frontier.arcs < tuning_.parallel_arcs) {
    const auto alone = [&] {
      return frontier.arcs < tuning_.short_degree * frontier.size()
                 ? push_alone<true>(frontier, distances, level)
                 : push_alone<false>(frontier, distances, level);
    };
    if (threads_ == 1 || frontier.arcs < tuning_.alone_arcs) return alone();
    return timed(push_paces_, frontier.arcs, [&](Team team) {
      return team == Team::all ? push_together(frontier, distances, level) : alone();
    });
  }
  if (widest_ < tuning_.hub_degree) return push_together(frontier, distances, level);
  // The threads share the arcs evenly: a hub may have more than all other vertices together.
  const std::span<const Vertex> sources =
      std::span<const Vertex>(queue_).subspan(frontier.begin, frontier.size());
  arc_starts_.resize(sources.size());
  in_chunks(sources.size(), threads_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) arc_starts_[i] = graph_.degree(sources[i]);
  });
  exclusive_sum(arc_starts_, threads_);
  const EdgeOffset piece = std::clamp<EdgeOffset>(frontier.arcs / (parts_.size() * 4), 64, 4096);
  std::size_t queue_end = frontier.end;
  EdgeOffset arcs = 0;
  std::atomic<EdgeOffset> next{0};
  in_team(threads_, [&, distances, level](int) {
    Finds finds(graph_, queue_, queue_end, arcs);
    for (EdgeOffset begin;
         (begin = next.fetch_add(piece, std::memory_order_relaxed)) < frontier.arcs;) {
      const EdgeOffset end = std::min(begin + piece, frontier.arcs);
      auto source =
          static_cast<std::size_t>(std::upper_bound(arc_starts_.begin(), arc_starts_.end(), begin) -
                                   arc_starts_.begin()) -
          1;
      for (EdgeOffset at = begin; at < end; ++source) {
        const auto rest = graph_.neighbors(sources[source]).subspan(at - arc_starts_[source]);
        const auto mine = rest.first(std::min<EdgeOffset>(rest.size(), end - at));
        for (const Vertex u : mine)
          if (claim(distances[u], level)) finds.add(u);
        at += mine.size();
      }
    }
  });
  return {frontier.end, queue_end, arcs};
}

// Lists the unvisited vertices, in parts that share no word of a bitmap, and marks the frontier,
// which is at this level.
void Traversal::prepare_pull(std::span<const Distance> distances, Distance level) {
  marked_.resize(graph_.order() / 64 + 1);
  next_marked_.resize(marked_.size());
  const auto begin_of = [&](std::size_t part) {
    return part == parts_.size() ? graph_.order() : marked_.size() * part / parts_.size() * 64;
  };
  for_chunks(Team{graph_.order() > kWorthThreads}, [&, distances, level](std::size_t part, int) {
    const std::size_t begin = begin_of(part), end = begin_of(part + 1);
    std::size_t count = begin;
    for (std::size_t first = begin; first < end; first += 64) {
      std::uint64_t marks = 0;
      for (std::size_t v = first; v < std::min(first + 64, end); ++v) {
        unvisited_[count] = static_cast<Vertex>(v);
        count += distances[v] == kUnreached ? 1 : 0;
        marks |= std::uint64_t{distances[v] == level} << (v - first);
      }
      marked_[first / 64] = marks;
    }
    parts_[part] = std::span<Vertex>(unvisited_).subspan(begin, count - begin);
    starts_[part] = begin;
  });
}

// The marks of a frontier take one bit per vertex, so they stay in cache where distances do not.
Traversal::Frontier Traversal::pull(std::span<Vertex>& unvisited, std::span<Distance> distances,
                                    Distance level) {
  Frontier found;
  std::size_t left = 0;
  for (const Vertex v : unvisited) {
    bool reached = false;
    for (const Vertex u : into_.neighbors(v)) {
      reached = (marked_[u / 64] >> u % 64 & 1) != 0;
      if (reached) break;
    }
    if (reached) {
      distances[v] = level;
      next_marked_[v / 64] |= std::uint64_t{1} << v % 64;
      ++found.end;
      found.arcs += graph_.degree(v);
    } else {
      unvisited[left++] = v;
    }
  }
  unvisited = unvisited.first(left);
  return found;
}

Traversal::Frontier Traversal::pull_level(std::span<Distance> distances, Distance level) {
  if (threads_ == 1 || unvisited_arcs_ < tuning_.alone_arcs)
    return pull_parts(distances, level, Team::one);
  if (unvisited_arcs_ > kWorthThreads) return pull_parts(distances, level, Team::all);
  return timed(pull_paces_, unvisited_arcs_,
               [&](Team team) { return pull_parts(distances, level, team); });
}

Traversal::Frontier Traversal::pull_parts(std::span<Distance> distances, Distance level,
                                          Team team) {
  std::fill(found_.begin(), found_.end(), Found{});
  for_chunks(team, [&, distances, level](std::size_t part, int member) {
    const std::size_t end = part + 1 == parts_.size() ? marked_.size() : starts_[part + 1] / 64;
    std::fill(next_marked_.begin() + static_cast<std::ptrdiff_t>(starts_[part] / 64),
              next_marked_.begin() + static_cast<std::ptrdiff_t>(end), 0);
    std::span<Vertex> unvisited = parts_[part];
    const Frontier found = pull(unvisited, distances, level);
    parts_[part] = unvisited;
    Found& mine = found_[static_cast<std::size_t>(member)];
    mine.count += found.size();
    mine.arcs += found.arcs;
  });
  marked_.swap(next_marked_);
  Frontier next;
  for (const Found& found : found_) {
    next.end += found.count;
    next.arcs += found.arcs;
  }
  return next;
}

// Moves the marked vertices to the queue.
void Traversal::queue_marked() {
  std::size_t end = 0;
  for (std::size_t w = 0; w < marked_.size(); ++w)
    for (std::uint64_t word = marked_[w]; word != 0; word &= word - 1)
      queue_[end++] =
          static_cast<Vertex>(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
}

}  // namespace antipode::cpu
