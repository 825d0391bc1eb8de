// The diameters of real graphs that are known from elsewhere. Skipped where the folder of graphs is
// missing.
#include <gtest/gtest.h>

#include <filesystem>

#include "antipode/certificate.hpp"
#include "antipode/io.hpp"
#include "antipode/measures.hpp"
#include "antipode/path_measures.hpp"

namespace antipode::testing {
namespace {

struct Known {
  const char* file;
  Distance diameter;
};

void PrintTo(const Known& known, std::ostream* out) { *out << known.file; }

class RealGraph : public ::testing::TestWithParam<Known> {};

TEST_P(RealGraph, has_its_known_diameter_and_the_certificate_is_accepted) {
  const std::filesystem::path path = std::filesystem::path(ANTIPODE_TEST_DATA) / GetParam().file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  const LoadedGraph loaded = load_graph(path.string());
  const Components parts = components(loaded.graph);
  const auto engine = make_engine("auto", component_subgraph(loaded.graph, parts, parts.largest()));
  Observer observer;
  const Diameter answer = diameter(*engine, {}, observer);
  EXPECT_TRUE(answer.exact());
  EXPECT_EQ(answer.lower, GetParam().diameter);
  const Verdict verdict = verify(certify(*engine, loaded.graph, answer), loaded.graph);
  EXPECT_TRUE(verdict.accepted) << verdict.reason;
}

INSTANTIATE_TEST_SUITE_P(
    Data, RealGraph,
    ::testing::Values(Known{"web-Stanford.txt.zst", 164}, Known{"web-NotreDame.txt.zst", 46},
                      Known{"com-dblp.txt.zst", 23}, Known{"Email-EuAll.txt.zst", 14},
                      Known{"soc-Epinions1.txt.zst", 15}, Known{"wiki-Vote.txt.gz", 7},
                      Known{"email-Enron.txt.gz", 13}, Known{"p2p-Gnutella31.txt.zst", 11},
                      Known{"ca-CondMat.txt.gz", 15}, Known{"ego-Twitter.txt.zst", 7},
                      Known{"facebook_combined.txt.gz", 8}, Known{"gemsec-fb-artist.txt.zst", 11},
                      Known{"cnr-2000.txt.zst", 34}, Known{"dblp-2010.txt.zst", 26},
                      Known{"USA-road-d.NY.gr.zst", 720}, Known{"usroads.mtx.gz", 617},
                      Known{"usa-algs4.gr.zst", 534}, Known{"cal-road.gr.gz", 728},
                      Known{"OL-road.gr.gz", 104}, Known{"power.txt.gz", 46},
                      Known{"wave.txt.zst", 56}, Known{"delaunay_n16.txt.zst", 119},
                      Known{"graph4096.rodinia.gz", 9}, Known{"graph65536.rodinia.zst", 12}),
    [](const auto& tested) {
      std::string name = tested.param.file;
      name = name.substr(0, name.find('.'));
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

// The longest finite distance along the arcs, confirmed by a search from every vertex.
class DirectedGraph : public ::testing::TestWithParam<Known> {};

TEST_P(DirectedGraph, has_its_known_diameter) {
  const std::filesystem::path path = std::filesystem::path(ANTIPODE_TEST_DATA) / GetParam().file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  const LoadedGraph loaded = load_graph(path.string(), "auto", Direction::forward);
  const auto engine = make_path_engine("cpu", loaded.graph);
  Observer observer;
  const PathDiameter answer = diameter(*engine, observer);
  EXPECT_TRUE(answer.exact());
  EXPECT_EQ(answer.lower, GetParam().diameter);
  EXPECT_EQ(answer.witness.path.size(), answer.lower + 1);
}

INSTANTIATE_TEST_SUITE_P(
    Data, DirectedGraph,
    ::testing::Values(Known{"wiki-Vote.txt.gz", 10}, Known{"p2p-Gnutella31.txt.zst", 31},
                      Known{"web-Stanford.txt.zst", 753}, Known{"web-NotreDame.txt.zst", 93},
                      Known{"cnr-2000.txt.zst", 84}, Known{"soc-Epinions1.txt.zst", 21},
                      Known{"Email-EuAll.txt.zst", 13}, Known{"ego-Twitter.txt.zst", 34}),
    [](const auto& tested) {
      std::string name = tested.param.file;
      name = name.substr(0, name.find('.'));
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

// Takes & Kosters 2013 published how email-Enron's eccentricities are distributed.
TEST(RealGraphs, email_enron_has_its_published_eccentricities) {
  const std::filesystem::path path =
      std::filesystem::path(ANTIPODE_TEST_DATA) / "email-Enron.txt.gz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  const LoadedGraph loaded = load_graph(path.string());
  const Components parts = components(loaded.graph);
  const auto engine = make_engine("auto", component_subgraph(loaded.graph, parts, parts.largest()));
  Observer observer;
  const Eccentricities answer =
      eccentricities(*engine, Question::eccentricity, Selection::together, observer);
  std::map<Distance, Vertex> counts;
  for (const Distance e : answer.lower) ++counts[e];
  EXPECT_TRUE(answer.exact);
  EXPECT_EQ(counts,
            (std::map<Distance, Vertex>{
                {7, 248}, {8, 12210}, {9, 17051}, {10, 3647}, {11, 485}, {12, 44}, {13, 11}}));
}

}  // namespace
}  // namespace antipode::testing
