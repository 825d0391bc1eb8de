// Hybrid: warps if many vertices are active, else threads; chosen at every level by how many
// vertices the last level took.
#include "engine/cuda/paper/variant.hpp"

namespace antipode::cuda {

namespace {

// Share of all vertices that makes a level steep. Chosen from `antipode bench paper`, figure 10.
constexpr double kSteep = 0.01;

class Hybrid final : public Variant {
 public:
  Hybrid(const Context& context, const PaddedGraph& graph) : context_(context), graph_(graph) {}
  void level(Distance* F, Distance level, const LevelReport& before, LevelReport* report) override {
    graph_.visit([&](const auto& lists) {
      if (before.active > kSteep * lists.order) {
        warp_level(context_, lists, F, level, report);
      } else {
        thread_level(context_, lists, F, level, report);
      }
    });
  }

 private:
  const Context& context_;
  const PaddedGraph& graph_;
};

}  // namespace

std::unique_ptr<Variant> hybrid(const Context& context, const PaddedGraph& graph) {
  return std::make_unique<Hybrid>(context, graph);
}

}  // namespace antipode::cuda
