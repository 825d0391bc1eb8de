// One breadth-first search on threads, direction-optimizing. [Beamer, Asanović, Patterson 2012]
// Levels with few arcs are pushed from a queue by one thread, and large ones by all threads.
// Between, the faster of both so far is used. The widest are pulled by the unvisited vertices.
// Distances are the only marks of visits. Memory besides distances: 8 bytes per vertex, and 8 for
// each vertex of the widest pushed frontier.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "antipode/engine.hpp"

namespace antipode::cpu {

// Chosen with the diameter benchmark on the shared graphs.
struct TraversalTuning {
  EdgeOffset parallel_arcs = 16384;  // a level with as many arcs runs on all threads
  EdgeOffset alone_arcs = 512;       // a level with fewer runs on one thread; between: see Pace
  // Pull if the frontier has more than 1 / pull_ratio of the unvisited arcs, and one of two: it has
  // more than 1 / pull_share of the vertices; or pull_margin times its arcs are more than a pull is
  // expected to read, where an arc costs less.
  EdgeOffset pull_ratio = 14;
  Vertex pull_share = 24;
  EdgeOffset pull_margin = 4;
  EdgeOffset sparse_degree = 4;  // graphs of lower mean degree without a hub never pull
  Vertex hub_degree = 128;
  EdgeOffset short_degree = 8;  // a level of lower mean degree is pushed without branches
};

enum class Team : bool { one, all };  // threads that run a level

// Whether levels of about one size are faster on one thread or on all depends on how awake the
// other threads are. Both are timed; the slower one is tried again a few times in a row now and
// then.
class Pace {
 public:
  Team next();  // of the next level
  void took(Team team, double nanoseconds_an_arc);

 private:
  double alone_ = 0, together_ = 0;  // nanoseconds per arc; 0: unknown
  unsigned turn_ = 0;
  Team last_ = Team::one;  // of the last level
};

class Traversal {
 public:
  Traversal(const Graph& graph, unsigned threads);

  Search run(Vertex source, std::span<Distance> distances,
             const std::function<bool()>& interrupted);

 private:
  struct Frontier {
    // In queue_. A pulled frontier is only marked; when it is queued, it starts at 0.
    std::size_t begin = 0, end = 0;
    EdgeOffset arcs = 0;
    std::size_t size() const { return end - begin; }
  };
  using Paces = std::array<Pace, 64>;  // by the bit width of a level's number of arcs

  template <bool kShortAdjacency>
  Frontier push_alone(Frontier frontier, std::span<Distance> distances, Distance level);
  Frontier push_together(Frontier frontier, std::span<Distance> distances, Distance level);
  Frontier push_level(Frontier frontier, std::span<Distance> distances, Distance level);
  template <class Level>
  Frontier timed(Paces& paces, EdgeOffset arcs, Level level);
  bool worth_pulling(const Frontier& frontier) const;
  template <class Work>
  void for_chunks(Team team, Work work);
  void prepare_pull(std::span<const Distance> distances, Distance level);
  Frontier pull_level(std::span<Distance> distances, Distance level);
  Frontier pull_parts(std::span<Distance> distances, Distance level, Team team);
  Frontier pull(std::span<Vertex>& unvisited, std::span<Distance> distances, Distance level);
  void queue_marked();

  Adjacency graph_, into_;  // the second: for pulls
  bool is_directed_;
  TraversalTuning tuning_;
  int threads_;
  Vertex widest_ = 0;  // the largest degree
  bool may_pull_ = false;
  EdgeOffset unvisited_arcs_ = 0;
  std::vector<Vertex> queue_, unvisited_;
  static constexpr std::size_t kPartsPerThread = 8, kPushesPerThread = 1;
  std::vector<std::span<Vertex>> parts_;             // ranges of unvisited_
  std::vector<std::uint64_t> marked_, next_marked_;  // while pulling: the frontier, a bit a vertex
  // In a push by all: the number of arcs before those of each vertex of the frontier.
  std::vector<EdgeOffset> arc_starts_;
  std::vector<std::size_t> starts_;  // the first vertex of each part
  struct alignas(64) Found {         // by one thread in a level, in its own cache line
    std::size_t count = 0;
    EdgeOffset arcs = 0;
  };
  std::vector<Found> found_;
  Paces push_paces_, pull_paces_;
};

}  // namespace antipode::cpu
