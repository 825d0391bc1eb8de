// Requests of the published evaluations alone (src/evaluation): clocks, and single levels of a
// search. An engine that supports them derives from EvaluationHooks.
#pragma once

#include <vector>

#include "antipode/engine.hpp"

namespace antipode {

// One level of a search, timed with a thread per vertex and with a warp per vertex, as compared by
// Dal, Kosters and Takes.
struct LevelTrace {
  Vertex active = 0, left = 0;  // vertices at this level; unreached vertices
  double thread_seconds = 0, warp_seconds = 0;
};

class EvaluationHooks {
 public:
  virtual ~EvaluationHooks() = default;
  virtual void finish() {}  // waits until all requests are done
  virtual std::vector<LevelTrace> trace(Vertex source) = 0;
};

void finish(Engine& engine);                                   // without hooks: nothing
std::vector<LevelTrace> trace(Engine& engine, Vertex source);  // UsageError without hooks

}  // namespace antipode
