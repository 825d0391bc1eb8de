#include "engine/host/evaluation.hpp"

#include "antipode/error.hpp"

namespace antipode {

void finish(Engine& engine) {
  if (auto* const hooks = dynamic_cast<EvaluationHooks*>(&engine)) hooks->finish();
}

std::vector<LevelTrace> trace(Engine& engine, Vertex source) {
  if (auto* const hooks = dynamic_cast<EvaluationHooks*>(&engine)) return hooks->trace(source);
  throw UsageError("engine '" + engine.info().name +
                   "' does not search a level by threads and by warps");
}

}  // namespace antipode
