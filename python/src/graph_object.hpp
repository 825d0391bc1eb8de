// The graph behind a Python object: immutable, with the engines that searched it last. Engines
// serve one caller at a time: whoever asks one holds `busy`, which is taken without the GIL.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "antipode/ask.hpp"
#include "antipode/engine.hpp"
#include "antipode/error.hpp"
#include "antipode/graph.hpp"
#include "antipode/path_engine.hpp"
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

  const Graph& graph() const { return graph_; }
  std::timed_mutex& busy() { return busy_; }

  // While `busy` is held. Valid until another machine is asked for.
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

  Graph graph_;
  std::timed_mutex busy_;
  std::optional<Components> parts_;  // strong ones, of a directed graph
  Latest<Engine> engine_;
  Latest<PathEngine> path_engine_;
};

// What every question takes.
struct Ask {
  Machine machine;
  double time_limit = 0;
  nb::object progress = nb::none();
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
  return without_gil(watch, [&] {
    const auto turn = take(object.busy(), watch);
    return work();
  });
}

}  // namespace antipode::python
