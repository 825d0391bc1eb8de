// What only the published evaluations ask of an engine (src/evaluation): clocks, and the levels of
// a search one by one. An engine that knows them derives from EvaluationHooks.
#pragma once

#include <vector>

#include "antipode/engine.hpp"

namespace antipode {

// One level of a search, done with a thread for each vertex and with a warp for each vertex: what
// Dal, Kosters and Takes compare.
struct LevelTrace {
  Vertex active = 0, left = 0;  // vertices at this level, and not yet reached
  double thread_seconds = 0, warp_seconds = 0;
};

class EvaluationHooks {
 public:
  virtual ~EvaluationHooks() = default;
  virtual void finish() {}  // waits until everything requested is done: for clocks
  virtual std::vector<LevelTrace> trace(Vertex source) = 0;
};

void finish(Engine& engine);                                   // nothing to do without hooks
std::vector<LevelTrace> trace(Engine& engine, Vertex source);  // UsageError without hooks

}  // namespace antipode
