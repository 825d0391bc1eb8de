// The graph behind a Python object: immutable, with the engines that searched it last. Engines
// serve one caller at a time. Their mutex is taken without the GIL: the other way round is a
// deadlock.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "antipode/ask.hpp"
#include "antipode/engine.hpp"
#include "antipode/error.hpp"
#include "antipode/graph.hpp"
#include "antipode/path_engine.hpp"
#include "kept_state.hpp"
#include "watch.hpp"

namespace antipode::python {

// Where to search.
struct Machine {
  std::string engine = "auto";
  unsigned threads = 0;
  std::uint64_t memory_limit = 0;
  friend bool operator==(const Machine&, const Machine&) = default;
  EngineOptions options() const {
    EngineOptions options;
    options.threads = threads;
    options.memory_limit = memory_limit;
    return options;
  }
};

class GraphObject {
 public:
  explicit GraphObject(Graph graph) : graph_(std::move(graph)) {}
  static std::unique_ptr<GraphObject> component(const GraphObject& whole, const Components& parts,
                                                Vertex which);

  const Graph& graph() const { return graph_; }
  // Work that has the engines to itself.
  template <class Work>
  auto exclusively(Watch& watch, Work work) {
    if (owner_ == std::this_thread::get_id())
      throw UsageError("the graph is answering a question: a callback cannot ask it another");
    const auto turn = take(busy_, watch);
    const Ownership ownership(owner_);
    return work();
  }

  // Of work that is done exclusively.
  const Components& components();         // of a directed graph: weak ones
  const Components& strong_components();  // of an undirected graph: the same
  // Valid until another machine is asked for.
  Engine& engine(const Machine& machine);
  PathEngine& path_engine(const Machine& machine);
  // What the one-call forms may use again: nothing, unless every vertex reaches every other.
  Kept kept(const Machine& machine);

 private:
  template <class Made>
  struct Latest {
    Machine machine;
    std::unique_ptr<Made> engine;
  };

  struct Ownership {
    explicit Ownership(std::atomic<std::thread::id>& of) : owner(of) {
      owner = std::this_thread::get_id();
    }
    ~Ownership() { owner = std::thread::id(); }
    std::atomic<std::thread::id>& owner;
  };

  Graph graph_;
  std::timed_mutex busy_;
  std::atomic<std::thread::id> owner_;
  std::optional<Components> components_, strong_components_;
  Latest<Engine> engine_;
  Latest<PathEngine> path_engine_;
};

// What every question takes.
struct Ask {
  Machine machine;
  double time_limit = 0;
  nb::object progress = nb::none();
  CheckpointAsk checkpoint = {};  // of long measures
};

// While it is there, the engine's requests end with Interrupted once `stop` says so.
template <class AnyEngine>
class Interruption {
 public:
  template <class Stop>
  Interruption(AnyEngine& engine, Stop stop) : engine_(engine) {
    engine_.interrupt_when(stop);
  }
  ~Interruption() { engine_.interrupt_when(nullptr); }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

 private:
  AnyEngine& engine_;
};

// Work with the GIL released. Nothing, if the watch ended it before it had an answer: an exception
// of Python's is then thrown at once.
template <class Work>
auto without_gil(Watch& watch, Work work) -> std::optional<decltype(work())> {
  std::optional<decltype(work())> result;
  {
    const nb::gil_scoped_release release;
    try {
      result.emplace(work());
    } catch (const Interrupted&) {
    }
  }
  if (!result) watch.rethrow();
  return result;
}

// The same, for work that needs the graph's engines, or its memory between calls.
template <class Work>
auto alone(GraphObject& object, Watch& watch, Work work) {
  return without_gil(watch, [&] { return object.exclusively(watch, work); });
}

}  // namespace antipode::python
