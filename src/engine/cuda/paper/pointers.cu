// Pointers: as Standard, but V_b holds addresses instead of indices, and values used twice stay in
// registers.
#include "engine/cuda/paper/variant.hpp"

namespace antipode::cuda {

namespace {

template <class Lists>
void write_addresses(const Context& context, const Lists& lists, const Vertex** bases) {
  for_each(context, lists.order, [lists, bases] __device__(std::size_t v) {
    bases[v] = lists.begin(static_cast<Vertex>(v));
  });
}

class Pointers final : public Variant {
 public:
  Pointers(const Context& context, const PaddedGraph& graph)
      : context_(context), sizes_(graph.lists().sizes), bases_(graph.lists().order) {
    graph.visit([&](const auto& lists) { write_addresses(context, lists, bases_.data()); });
  }
  void level(Distance* F, Distance level, const LevelReport&, LevelReport* report) override {
    thread_level(context_, PointersView{static_cast<Vertex>(bases_.size()), bases_.data(), sizes_},
                 F, level, report);
  }

 private:
  const Context& context_;
  const Vertex* sizes_;
  Buffer<const Vertex*> bases_;
};

}  // namespace

std::unique_ptr<Variant> pointers(const Context& context, const PaddedGraph& graph) {
  return std::make_unique<Pointers>(context, graph);
}

}  // namespace antipode::cuda
