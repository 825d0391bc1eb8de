// The least that an engine has to write: seven functions, slowly. Everything else is the host's.
#pragma once

#include <algorithm>
#include <map>
#include <memory>

#include "antipode/engine.hpp"
#include "antipode/error.hpp"

namespace antipode::testing {

class ToyEngine final : public Engine {
 public:
  explicit ToyEngine(const Graph& graph) : graph_(graph) {}

  EngineInfo info() const override { return {.name = "toy", .usable = true, .detail = "tests"}; }
  const Graph& graph() const override { return graph_; }

  Search search(Vertex source) override {
    if (interrupted()) throw Interrupted();
    latest_.assign(graph_.order(), kUnreached);
    latest_[source] = 0;
    Search result;
    result.source = source;
    for (std::vector<Vertex> level{source}, next; !level.empty(); level.swap(next)) {
      const Distance d = latest_[level.front()];
      result.level_sizes.push_back(static_cast<Vertex>(level.size()));
      result.reached += static_cast<Vertex>(level.size());
      result.distance_sum += std::uint64_t{d} * level.size();
      result.eccentricity = d;
      result.farthest = *std::min_element(level.begin(), level.end());
      next.clear();
      for (const Vertex v : level)
        for (const Vertex u : graph_.neighbors(v))
          if (latest_[u] == kUnreached) latest_[u] = d + 1, next.push_back(u);
    }
    latest_handle_ = kLatest;
    return result;
  }

  DistanceHandle retain() override {
    if (latest_handle_ != kLatest) return latest_handle_;
    latest_handle_ = DistanceHandle{++handles_};
    retained_[latest_handle_] = latest_;
    return latest_handle_;
  }
  void release(DistanceHandle distances) override {
    retained_.erase(distances);
    if (distances == latest_handle_) latest_handle_ = kLatest;
  }
  void read(DistanceHandle distances, std::span<Distance> out) const override {
    std::ranges::copy(distances == kLatest ? latest_ : retained_.at(distances), out.begin());
  }

  std::vector<Summary> summarize(std::span<const Vertex> sources) override {
    std::vector<Summary> result;
    for (const Vertex source : sources) {
      const Search found = search(source);
      result.push_back({found.eccentricity, found.reached, found.distance_sum});
    }
    return result;
  }

 private:
  Graph graph_;
  std::vector<Distance> latest_;
  DistanceHandle latest_handle_ = kLatest;
  std::uint32_t handles_ = 0;
  std::map<DistanceHandle, std::vector<Distance>> retained_;
};

inline std::unique_ptr<Engine> make_toy_engine(const Graph& graph, const EngineOptions& options) {
  if (options.memory_limit != 0 && options.memory_limit < std::uint64_t{graph.order()} * 100)
    throw DeviceError("the toy engine needs 100 bytes a vertex");
  return std::make_unique<ToyEngine>(graph);
}

}  // namespace antipode::testing
