// What the functions of ask.hpp share: components are found first and the policy is checked, so
// that no measure sees a graph it has no answer for.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "antipode/ask.hpp"
#include "antipode/path_engine.hpp"
#include "measure/cost.hpp"
#include "measure/labels_of.hpp"

namespace antipode {

// The caller's observer, if there is one, and the limit of time.
class Limited final : public Observer {
 public:
  explicit Limited(const AskOptions& options) : options_(options) {}
  void progress(const Progress& progress) override {
    if (options_.observer != nullptr) options_.observer->progress(progress);
  }
  bool stop() override {
    if (options_.time_limit > 0 && clock_.seconds() >= options_.time_limit) return true;
    return options_.observer != nullptr && options_.observer->stop();
  }

 private:
  const AskOptions& options_;
  Stopwatch clock_;
};

enum class Sampling { none, possible };
using Policies = std::initializer_list<Disconnected>;

// What is asked, its components known and its options checked.
class Asked {
 public:
  Asked(const char* what, const Graph& graph, const AskOptions& options, Policies policies,
        Sampling sampling)
      : Asked(what, graph, options, policies, sampling, components(graph)) {}
  Asked(const char* what, const Graph& graph, const AskOptions& options, Policies policies,
        Sampling sampling, Components parts);

  const Graph& graph() const { return graph_; }
  const Components& parts() const { return parts_; }
  Observer& observer() { return observer_; }
  std::span<const Vertex> members(Vertex which) const { return cutter().members(which); }
  bool is_split(Disconnected policy) const {
    return parts_.count() > 1 && options_.disconnected == policy;
  }

  bool is_whole() const { return parts_.count() == 1; }
  Graph component(Vertex which) const { return is_whole() ? graph_ : cutter().subgraph(which); }
  Graph largest() const { return component(parts_.largest()); }
  // What a question about pairs is asked of.
  Graph part() const { return is_split(Disconnected::largest) ? largest() : graph_; }
  // One value for every vertex of the graph, from those of the part.
  std::vector<double> on_all(std::vector<double> values) const;
  std::unique_ptr<Engine> engine(const Graph& graph) const {
    return make_engine(options_.engine, graph, options_.engine_options);
  }
  bool has_paths() const { return graph_.is_directed() || graph_.has_lengths(); }
  // use(an engine of the component): the one that the caller keeps, or a new one.
  template <class Use>
  auto with_engine(const Graph& component, Use use) const {
    const Kept& kept = options_.kept;
    if (has_paths()) {
      if (is_whole() && kept.paths != nullptr) return use(*kept.paths);
      return use(*make_path_engine(options_.engine, component, options_.engine_options));
    }
    if (is_whole() && kept.engine != nullptr) return use(*kept.engine);
    return use(*engine(component));
  }
  About about(const Graph& graph) const;
  // The components that the policy asks for, largest first.
  std::vector<Vertex> components_asked() const;

 private:
  // Takes time by the size of the graph, and is not always needed.
  const ComponentCutter& cutter() const {
    if (!cutter_) cutter_.emplace(graph_, parts_);
    return *cutter_;
  }

  const Graph& graph_;
  const AskOptions& options_;
  Limited observer_;
  Components parts_;
  mutable std::optional<ComponentCutter> cutter_;
};

// What a distance is asked of: components; of a directed graph strong components, or all of it if
// pairs without a path do not count.
Components parts_of(const Graph& graph, const AskOptions& options);

}  // namespace antipode
