// Warp: 32 threads read a list together, Algorithm 4.
#include "engine/cuda/paper/variant.hpp"

namespace antipode::cuda {

namespace {

class Warp final : public Variant {
 public:
  Warp(const Context& context, const PaddedGraph& graph) : context_(context), graph_(graph) {}
  void level(Distance* F, Distance level, const LevelReport&, LevelReport* report) override {
    graph_.visit([&](const auto& lists) { warp_level(context_, lists, F, level, report); });
  }

 private:
  const Context& context_;
  const PaddedGraph& graph_;
};

}  // namespace

std::unique_ptr<Variant> warp(const Context& context, const PaddedGraph& graph) {
  return std::make_unique<Warp>(context, graph);
}

}  // namespace antipode::cuda
