// Standard: one thread per vertex, Algorithm 3.
#include "engine/cuda/paper/variant.hpp"

namespace antipode::cuda {

namespace {

class Standard final : public Variant {
 public:
  Standard(const Context& context, const PaddedGraph& graph) : context_(context), graph_(graph) {}
  void level(Distance* F, Distance level, const LevelReport&, LevelReport* report) override {
    graph_.visit([&](const auto& lists) { thread_level(context_, lists, F, level, report); });
  }

 private:
  const Context& context_;
  const PaddedGraph& graph_;
};

}  // namespace

std::unique_ptr<Variant> standard(const Context& context, const PaddedGraph& graph) {
  return std::make_unique<Standard>(context, graph);
}

}  // namespace antipode::cuda
