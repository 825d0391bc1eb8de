// One breadth-first search on threads, direction-optimizing: levels with few arcs are pushed from a
// queue by one thread, wide ones by all, those between by whichever has been quicker, and the
// widest are pulled by the vertices not reached yet.  [Beamer, Asanović, Patterson 2012] The row of
// distances is the only mark of a visit. Memory beside the row: 8 bytes a vertex, and 8 for each of
// the widest frontier pushed.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "antipode/engine.hpp"

namespace antipode::cpu {

// Chosen by the diameter benchmark over the shared graphs.
struct TraversalTuning {
  EdgeOffset parallel_arcs = 16384;  // a level with as many arcs runs on all threads
  EdgeOffset alone_arcs = 512;  // a level with fewer runs on one; one between the two on one or
                                // all, whichever has been quicker
  EdgeOffset pull_ratio =
      14;  // pull when the frontier has more than this share of the unvisited arcs, and …
  Vertex pull_share = 24;      // … more than this share of the vertices, or …
  EdgeOffset pull_margin = 4;  // … its arcs, so many times, are more than those a pull is likely to
                               // look at: an arc costs less there
  EdgeOffset sparse_degree = 4;  // graphs of lower mean degree without a hub never pull
  Vertex hub_degree = 128;
  EdgeOffset short_degree =
      8;  // a level whose rows are shorter in the mean is pushed without branches
};

// Whether levels of about one size are quicker alone or together depends on how awake the other
// threads are: both are timed, the slower one a few times in a row now and then.
class Pace {
 public:
  bool together();  // shall the next one be?
  void took(bool together, double nanoseconds_an_arc);

 private:
  double alone_ = 0, together_ = 0;  // nanoseconds an arc; 0: not known
  unsigned turn_ = 0;
  bool last_ = false;  // whether the last one was together
};

class Traversal {
 public:
  Traversal(const Graph& graph, unsigned threads);

  Search run(Vertex source, std::span<Distance> row, const std::function<bool()>& interrupted);

 private:
  struct Frontier {
    std::size_t begin = 0, end = 0;  // in queue_; what was pulled is only marked, and gets places
                                     // from 0 on when it is queued
    EdgeOffset arcs = 0;
    std::size_t size() const { return end - begin; }
  };
  using Paces = std::array<Pace, 64>;  // of levels that have so many bits of arcs

  template <bool kShortAdjacency>
  Frontier push_alone(Frontier frontier, std::span<Distance> row, Distance level);
  Frontier push_together(Frontier frontier, std::span<Distance> row, Distance level);
  Frontier push_level(Frontier frontier, std::span<Distance> row, Distance level);
  template <class Level>
  Frontier quicker(Paces& paces, EdgeOffset arcs, Level level);
  bool worth_pulling(const Frontier& frontier) const;
  template <class Work>
  void for_chunks(bool together, Work work);
  void prepare_pull(std::span<const Distance> row, Distance level);
  Frontier pull_level(std::span<Distance> row, Distance level);
  Frontier pull_parts(std::span<Distance> row, Distance level, bool together);
  Frontier pull(std::span<Vertex>& unvisited, std::span<Distance> row, Distance level);
  void queue_marked();

  Adjacency graph_, into_;  // the second is what a pull looks at
  bool is_directed_;
  TraversalTuning tuning_;
  int threads_;
  Vertex widest_ = 0;  // the largest degree
  bool may_pull_ = false;
  EdgeOffset unvisited_arcs_ = 0;
  std::vector<Vertex> queue_, unvisited_;
  static constexpr std::size_t kPartsPerThread = 8, kPushesPerThread = 1;
  std::vector<std::span<Vertex>> parts_;             // stretches of unvisited_
  std::vector<std::uint64_t> marked_, next_marked_;  // while pulling: the frontier, a bit a vertex
  std::vector<EdgeOffset> arc_starts_;  // in a push by all: how many arcs come before those of each
                                        // vertex of the frontier
  std::vector<std::size_t> starts_;     // the first vertex of each part
  struct alignas(64) Found {            // by one thread in a level, in a cache line of its own
    std::size_t count = 0;
    EdgeOffset arcs = 0;
  };
  std::vector<Found> found_;
  Paces push_paces_, pull_paces_;
};

}  // namespace antipode::cpu
