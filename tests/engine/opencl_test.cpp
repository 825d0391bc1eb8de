// What the OpenCL engine has beside the contract: devices, the cache of programs, searches on lists
// of edges.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "antipode/error.hpp"
#include "engine/host/edge_search.hpp"
#include "engine/opencl/program_cache.hpp"
#include "evaluation/thesis.hpp"
#include "reference/reference.hpp"
#include "support/factories.hpp"
#include "support/requests.hpp"

namespace antipode::testing {
namespace {

bool opencl_is_usable() {
  const auto list = engines();
  return std::any_of(list.begin(), list.end(),
                     [](const EngineInfo& info) { return info.name == "opencl" && info.usable; });
}

class Opencl : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!opencl_is_usable()) GTEST_SKIP() << "no OpenCL device";
  }
  static std::vector<Distance> distances_of(const Graph& graph, Vertex source) {
    std::vector<Distance> row;
    make_engine("cpu", graph)
        ->distances(std::vector<Vertex>{source}, [&](Vertex, std::span<const Distance> found) {
          row.assign(found.begin(), found.end());
        });
    return row;
  }
};

TEST_F(Opencl,
       a_device_is_found_by_number_and_by_a_part_of_its_name_and_an_unknown_one_is_an_error) {
  const auto list = engines();
  const auto info = std::find_if(list.begin(), list.end(),
                                 [](const EngineInfo& each) { return each.name == "opencl"; });
  const DeviceInfo& first = info->devices.front();
  EXPECT_NE(
      make_engine("opencl", generated("karate"), {.device = "0"})->info().detail.find(first.name),
      std::string::npos);
  EXPECT_NE(make_engine("opencl", generated("karate"), {.device = first.name.substr(1, 5)})
                ->info()
                .detail.find(first.name),
            std::string::npos);
  EXPECT_THROW(make_engine("opencl", generated("karate"), {.device = "abacus"}), DeviceError);
  EXPECT_THROW(make_engine("opencl", generated("karate"), {.device = "999"}), DeviceError);
  EXPECT_THROW(make_engine("cpu", generated("karate"), {.device = "0"}), UsageError);
}

TEST_F(Opencl, a_kernel_that_does_not_compile_is_an_error_with_the_compilers_log) {
  const opencl::Context context(opencl::find_device(""));
  try {
    opencl::build_program(context, "kernel void broken(global int* data) { *data = no_such_name; }",
                          "", "broken");
    FAIL() << "it compiled";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("broken.cl"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("no_such_name"), std::string::npos) << error.what();
  }
}

TEST_F(Opencl, every_way_of_waiting_finds_the_same_distances_whatever_the_order_of_the_edges) {
  for (const char* spec :
       {"path?n=300", "star?n=500", "er?n=400&degree=4&seed=3", "rmat?scale=9&edgefactor=4"}) {
    const Graph graph = generated(spec);
    const auto expected = distances_of(graph, 0);
    for (const EdgeOrder order :
         {EdgeOrder::as_read, EdgeOrder::by_source, EdgeOrder::by_destination, EdgeOrder::shuffled,
          EdgeOrder::scattered}) {
      const auto searches =
          make_edge_searches("", graph.order(), in_order(arc_list(graph), order, 7));
      std::vector<Distance> row(graph.order());
      for (const EdgeSync sync : {EdgeSync::local, EdgeSync::global, EdgeSync::host})
        for (const std::size_t items : {1, 3, 64, 256}) {
          searches->search(0, {sync, 0, items}, row);
          EXPECT_EQ(row, expected) << spec << " with " << items << " items";
        }
    }
  }
}

TEST_F(Opencl, more_groups_than_run_side_by_side_do_not_hang_and_say_that_the_host_waited) {
  const Graph graph = generated("er?n=2000&degree=6&seed=5");
  const auto searches = make_edge_searches("", graph.order(), arc_list(graph));
  std::vector<Distance> row(graph.order());
  EXPECT_FALSE(searches->search(0, {EdgeSync::global, searches->most_groups(), 16}, row).by_host);
  EXPECT_TRUE(
      searches->search(0, {EdgeSync::global, 64 * searches->most_groups(), 16}, row).by_host);
  EXPECT_EQ(row, distances_of(graph, 0));
}

TEST_F(Opencl, a_relaxed_search_reaches_what_a_search_reaches_and_counts_every_edge_it_passes) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Graph graph = generated("er?n=600&degree=2&seed=" + std::to_string(seed));
    const auto expected = distances_of(graph, 0);
    const auto searches =
        make_edge_searches("", graph.order(), in_order(arc_list(graph), EdgeOrder::shuffled, seed));
    const Relaxed relaxed = searches->relaxed(0, {});
    EXPECT_EQ(relaxed.reached,
              static_cast<Vertex>(std::count_if(expected.begin(), expected.end(),
                                                [](Distance d) { return d != kUnreached; })));
    for (Vertex v = 0; v < graph.order(); ++v) {
      const Vertex passed = expected[v] == kUnreached ? 0 : graph.degree(v);
      EXPECT_EQ(relaxed.out_counts[v], passed);
      EXPECT_EQ(relaxed.in_counts[v], passed);
    }
  }
}

TEST_F(Opencl, all_pairs_by_a_group_a_source_are_the_rows_of_single_searches) {
  const Graph graph = generated("er?n=150&degree=3&seed=9");
  const auto searches =
      make_edge_searches("", graph.order(), in_order(arc_list(graph), EdgeOrder::shuffled, 1));
  std::vector<Vertex> sources(graph.order());
  std::iota(sources.begin(), sources.end(), Vertex{0});
  Vertex next = 0;
  searches->all_pairs(sources, {}, [&](Vertex source, std::span<const Distance> row) {
    EXPECT_EQ(source, next++);
    EXPECT_TRUE(std::ranges::equal(row, distances_of(graph, source)));
  });
  EXPECT_EQ(next, graph.order());
}

TEST_F(Opencl, dependencies_have_the_same_bits_however_much_memory_there_is) {
  const Graph graph = generated("ws?n=1000&p=0.05");
  std::vector<Vertex> sources(graph.order());
  std::iota(sources.begin(), sources.end(), Vertex{0});
  const std::vector<double> ones(graph.order(), 1);
  std::vector<std::vector<double>> values;
  for (const std::uint64_t limit : {0, 350'000, 400'000}) {
    Dependencies sums = no_dependencies(graph, ones);
    make_engine("opencl", graph, {.memory_limit = limit})->accumulate(sources, &sums);
    values.push_back(sums.vertices);
  }
  EXPECT_EQ(values[0], values[1]);
  EXPECT_EQ(values[0], values[2]);
}

TEST_F(Opencl, the_sequential_versions_agree_with_the_engines) {
  const Graph graph = generated("er?n=120&degree=4&seed=4");
  const auto edges = arc_list(graph);
  std::vector<Distance> row(graph.order());
  sequential_search_seconds(edges, 0, row);
  EXPECT_EQ(row, distances_of(graph, 0));
  std::vector<double> centrality(graph.order(), 0);
  std::vector<Vertex> sources(graph.order());
  std::iota(sources.begin(), sources.end(), Vertex{0});
  for (const Vertex source : sources) sequential_betweenness_seconds(edges, source, centrality);
  const std::vector<double> ones(graph.order(), 1);
  Dependencies sums = no_dependencies(graph, ones);
  make_engine("opencl", graph)->accumulate(sources, &sums);
  for (Vertex v = 0; v < graph.order(); ++v)
    EXPECT_NEAR(sums.vertices[v], centrality[v], 1e-9 * (1 + centrality[v]));
}

}  // namespace
}  // namespace antipode::testing
