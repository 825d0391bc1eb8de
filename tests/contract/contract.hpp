// The suite that every engine must pass: one fixture, tests in three files.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "antipode/engine.hpp"
#include "antipode/error.hpp"
#include "contract/toy_engine.hpp"
#include "support/factories.hpp"
#include "support/requests.hpp"

namespace antipode::testing {

// An engine with one of its kernels; the layout of the adjacency and the device where that matters.
struct Tested {
  std::string engine, kernel = "auto", layout = "lists", device = {};
  std::string name() const {
    std::string result = engine + (kernel == "auto" ? "" : "_" + kernel) +
                         (layout == "lists" ? "" : "_" + layout) +
                         (device.empty() ? "" : "_on_" + device);
    std::replace(result.begin(), result.end(), '-', '_');
    return result;
  }
};

inline void PrintTo(const Tested& tested, std::ostream* out) { *out << tested.name(); }

inline std::vector<Tested> usable_engines() {
  std::vector<Tested> result{{.engine = "toy"}};
  for (const EngineInfo& info : engines())
    for (const std::string& kernel : info.kernels) {
      if (!info.usable) continue;
      result.push_back({.engine = info.name, .kernel = kernel});
      if (kernel == "warp" || kernel == "standard")
        result.push_back({.engine = info.name, .kernel = kernel, .layout = "matrix"});
      for (std::size_t device = 1; device < info.devices.size(); ++device)
        result.push_back({.engine = info.name, .kernel = kernel, .device = std::to_string(device)});
    }
  return result;
}

class EngineContract : public ::testing::TestWithParam<Tested> {
 protected:
  std::unique_ptr<Engine> engine(const Graph& graph, unsigned threads = 2,
                                 std::uint64_t memory_limit = 0) const {
    const EngineOptions options{.threads = threads,
                                .memory_limit = memory_limit,
                                .kernel = GetParam().kernel,
                                .layout = GetParam().layout,
                                .device = GetParam().device};
    return GetParam().engine == "toy" ? make_toy_engine(graph, options)
                                      : make_engine(GetParam().engine, graph, options);
  }
  // OpenCL on a CPU takes minutes for all of them: a quarter, unless ANTIPODE_ALL_ROUNDS is set.
  static int rounds(int all) {
    const bool is_slow = GetParam().engine == "opencl" && !std::getenv("ANTIPODE_ALL_ROUNDS");
    return is_slow ? all / 4 : all;
  }
};

}  // namespace antipode::testing
