// The one file that knows which engines were built, best first.
#include <algorithm>
#include <utility>

#include "antipode/error.hpp"
#include "antipode/path_engine.hpp"
#include "engine/cpu/engine.hpp"
#include "engine/cpu/lengths/path_engine.hpp"
#include "engine/host/arc_paths.hpp"
#include "engine/host/edge_search.hpp"
#include "engine/host/length_paths.hpp"
#include "graph/machine.hpp"
#include "graph/nearest.hpp"
#if defined(ANTIPODE_HAS_CUDA)
#include "engine/cuda/engine.hpp"
#include "engine/cuda/lengths/path_engine.hpp"
#endif
#if defined(ANTIPODE_HAS_OPENCL)
#include "engine/opencl/engine.hpp"
#endif

namespace antipode {

namespace {

struct Entry {
  std::string_view name;
  EngineInfo (*info)();  // may start a driver: only engines that are wanted are asked
  std::unique_ptr<Engine> (*make)(const Graph&, const EngineOptions&);
  std::unique_ptr<PathEngine> (*make_paths)(const Graph&, const EngineOptions&);  // with lengths
  std::unique_ptr<PartSearches> (*make_part_searches)(const golf::Part&, const EngineOptions&);
  std::unique_ptr<golf::PartEngine> (*make_parts)(unsigned threads);  // null: it does not anneal
};

constexpr Entry kEntries[] = {
#if defined(ANTIPODE_HAS_CUDA)
    {.name = "cuda",
     .info = cuda::info,
     .make = cuda::make_engine,
     .make_paths =
         [](const Graph& graph, const EngineOptions& options) {
           return cuda::make_path_engine(cpu::make_path_engine(graph, options));
         },
     .make_part_searches = cuda::make_part_searches,
     .make_parts = cuda::make_part_engine},
#endif
    {.name = "cpu",
     .info = cpu::info,
     .make = cpu::make_engine,
     .make_paths = cpu::make_path_engine,
     .make_part_searches = cpu::make_part_searches,
     .make_parts = cpu::make_part_engine},
#if defined(ANTIPODE_HAS_OPENCL)
    {.name = "opencl",
     .info = opencl::info,
     .make = opencl::make_engine,
     .make_paths =
         [](const Graph& graph, const EngineOptions&) {
           EngineInfo info = opencl::info();
           info.detail += ", lengths searched by the host";
           return host::length_paths(graph, std::move(info));
         },
     .make_part_searches = opencl::make_part_searches,
     .make_parts = nullptr},
#endif
};

void check_kernel(const EngineInfo& info, const std::string& kernel) {
  if (std::find(info.kernels.begin(), info.kernels.end(), kernel) != info.kernels.end()) return;
  std::string known;
  for (const auto& name : info.kernels) known += " " + name;
  throw UsageError("engine '" + info.name + "' has no kernel '" + kernel + "'; it has" + known +
                   did_you_mean(kernel, {info.kernels.begin(), info.kernels.end()}));
}

void check_device(const EngineInfo& info, const std::string& device) {
  if (!device.empty() && info.devices.empty())
    throw UsageError("engine '" + info.name +
                     "' has no devices to choose from: --device goes with --engine opencl");
}

void check_layout(const EngineInfo& info, const std::string& layout) {
  if (layout != "lists" && info.name != "cuda")
    throw UsageError("engine '" + info.name +
                     "' has one layout: --layout matrix goes with --engine cuda");
}

// Voltage graphs are searched without materialized adjacency, unless a kernel is named. If the
// adjacency does not fit later on and the engine was "auto", the next one is tried.
std::unique_ptr<Engine> make(const Entry& entry, std::string_view asked_for,
                             const std::string& name, const Graph& graph,
                             const EngineOptions& options) {
  const golf::Part* const part = graph.part();
  if (part == nullptr) return entry.make(graph, options);
  auto searches = options.kernel == "auto" && suits_part_searches(*part)
                      ? entry.make_part_searches(*part, options)
                      : nullptr;
  return part_graph_engine(
      graph, name, std::move(searches),
      [asked_for = std::string(asked_for), options](const Graph& materialized) {
        return make_engine(asked_for, materialized, options);
      });
}

[[noreturn]] void refuse_engine(std::string_view name) {
  std::string known;
  std::vector<std::string_view> names{"auto"};
  for (const Entry& entry : kEntries) {
    names.push_back(entry.name);
    known.append(" ").append(entry.name);
  }
  throw DeviceError("no engine '" + std::string(name) + "' in this build; it has" + known +
                    did_you_mean(name, names));
}

}  // namespace

std::vector<EngineInfo> engines() {
  std::vector<EngineInfo> result;
  for (const Entry& entry : kEntries) {
    result.push_back(entry.info());
    result.back().anneals = entry.make_parts != nullptr;
  }
  return result;
}

std::unique_ptr<Engine> make_engine(std::string_view name, const Graph& graph,
                                    const EngineOptions& options) {
  for (const Entry& entry : kEntries) {
    if (name != "auto" && name != entry.name) continue;
    const EngineInfo info = entry.info();
    if (info.usable) {
      check_kernel(info, options.kernel);
      check_device(info, options.device);
      check_layout(info, options.layout);
      const bool replaceable = name == "auto" && options.kernel == "auto" &&
                               info.name != "cpu";  // what comes after it needs more
      try {
        return make(entry, name, info.name, graph, options);
      } catch (const DeviceError&) {
        if (!replaceable) throw;  // else the next one may have room
      }
    }
    if (name == entry.name)
      throw DeviceError("engine '" + info.name + "' cannot be used: " + info.detail);
  }
  refuse_engine(name);
}

std::unique_ptr<PathEngine> make_path_engine(std::string_view name, const Graph& graph,
                                             const EngineOptions& options) {
  if (graph.has_lengths()) {
    // Lengths are searched on the CPU unless an engine is named: single searches gain nothing on a
    // GPU, and its driver takes longer to start than most of them take.
    const std::string_view wanted = name == "auto" ? "cpu" : name;
    for (const Entry& entry : kEntries) {
      if (wanted != entry.name) continue;
      const EngineInfo info = entry.info();
      if (!info.usable)
        throw DeviceError("engine '" + info.name + "' cannot be used: " + info.detail);
      return entry.make_paths(graph, options);
    }
    refuse_engine(name);
  }
  // More than two threads gain more in one search after the other.
  const auto directions = thread_count(options.threads) == 2 ? host::Directions::side_by_side
                                                             : host::Directions::in_turn;
  return host::arc_paths(
      graph,
      [name = std::string(name), options](const Graph& one) {
        return make_engine(name, one, options);
      },
      directions);
}

std::unique_ptr<golf::PartEngine> golf::make_part_engine(std::string_view name, unsigned threads) {
  for (const Entry& entry : kEntries) {
    if (name != "auto" && name != entry.name) continue;
    if (entry.make_parts == nullptr)
      throw DeviceError("engine '" + std::string(name) + "' does not anneal: use cpu or cuda");
    const EngineInfo info = entry.info();
    if (info.usable) return entry.make_parts(threads);
    if (name == entry.name)
      throw DeviceError("engine '" + info.name + "' cannot be used: " + info.detail);
  }
  refuse_engine(name);
}

#if defined(ANTIPODE_HAS_OPENCL)
std::unique_ptr<EdgeSearches> make_edge_searches(const std::string& device, Vertex order,
                                                 std::span<const Edge> edges,
                                                 std::function<bool()> interrupted) {
  return opencl::make_edge_searches(device, order, edges, std::move(interrupted));
}
Footprint footprint(ThesisTask task) { return opencl::footprint(task); }
#else
std::unique_ptr<EdgeSearches> make_edge_searches(const std::string&, Vertex, std::span<const Edge>,
                                                 std::function<bool()>) {
  throw DeviceError("this build has no OpenCL engine, and searches on edge lists need it");
}
Footprint footprint(ThesisTask) { throw DeviceError("this build has no OpenCL engine"); }
#endif

}  // namespace antipode
