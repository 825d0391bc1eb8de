#include <gtest/gtest.h>

#include "antipode/error.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

struct Known {
  const char* spec;
  struct {
    Vertex order;
    EdgeOffset size;
    unsigned diameter;
  } numbers;
};

void PrintTo(const Known& known, std::ostream* out) { *out << known.spec; }

class KnownGraphs : public ::testing::TestWithParam<Known> {};

TEST_P(KnownGraphs, have_their_order_size_and_diameter) {
  const Graph graph = generated(GetParam().spec);
  EXPECT_EQ(graph.order(), GetParam().numbers.order);
  EXPECT_EQ(graph.size(), GetParam().numbers.size);
  EXPECT_EQ(reference_of(graph).diameter(), GetParam().numbers.diameter);
}

INSTANTIATE_TEST_SUITE_P(
    Generators, KnownGraphs,
    ::testing::Values(Known{"path?n=9", {9, 8, 8}}, Known{"cycle?n=9", {9, 9, 4}},
                      Known{"star?n=9", {9, 8, 2}}, Known{"complete?n=9", {9, 36, 1}},
                      Known{"grid?rows=3&cols=5", {15, 22, 6}},
                      Known{"torus?rows=4&cols=6", {24, 48, 5}}, Known{"tree?n=15", {15, 14, 6}},
                      Known{"hypercube?scale=4", {16, 32, 4}}, Known{"plane?degree=3", {14, 21, 3}},
                      Known{"plane?degree=5", {42, 105, 3}}, Known{"plane?degree=9", {146, 657, 3}},
                      Known{"plane?degree=9&n=140", {140, 630, 3}},
                      Known{"plane?degree=28&n=1501", {1501, 21014, 3}},
                      Known{"petersen", {10, 15, 2}}, Known{"karate", {34, 78, 5}},
                      Known{"road?rows=4&cols=4&p=1", {16, 24, 6}}, Known{"er?n=9&p=1", {9, 36, 1}},
                      Known{"ws?n=10&degree=2&p=0", {10, 10, 5}}, Known{"path?n=0", {0, 0, 0}},
                      Known{"cycle?n=1", {1, 0, 0}}, Known{"cycle?n=2", {2, 1, 1}},
                      Known{"torus?rows=1&cols=1", {1, 0, 0}}));

TEST(Generators, every_kind_is_the_same_for_any_number_of_threads) {
  for (const Generator& generator : generators()) {
    const std::string spec(generator.kind);
    set_threads(1);
    const Fingerprint one = fingerprint(generated(spec));
    set_threads(3);
    EXPECT_EQ(fingerprint(generated(spec)), one) << spec;
    set_threads(0);
  }
}

TEST(Generators, another_seed_gives_another_graph) {
  for (const std::string kind :
       {"er", "ba", "ws", "geometric", "road", "rmat", "uniform", "tree?degree=0"}) {
    const std::string separator = kind.find('?') == std::string::npos ? "?" : "&";
    EXPECT_NE(fingerprint(generated(kind + separator + "seed=1")).hash,
              fingerprint(generated(kind + separator + "seed=2")).hash)
        << kind;
  }
}

TEST(Generators, random_kinds_have_about_the_mean_degree_asked_for) {
  for (const std::string spec :
       {"er?n=20000&degree=6", "geometric?n=20000&degree=6", "uniform?n=20000&degree=6",
        "ws?n=20000&degree=6", "ba?n=20000&degree=3"}) {
    const Graph graph = generated(spec);
    EXPECT_NEAR(static_cast<double>(graph.arcs()) / graph.order(), 6, 0.3) << spec;
  }
}

TEST(Generators, preferential_attachment_makes_hubs_and_rmat_is_skewed) {
  for (const std::string spec : {"ba?n=20000&degree=3", "rmat?scale=14&edgefactor=4"}) {
    const Graph graph = generated(spec);
    Vertex most = 0;
    for (Vertex v = 0; v < graph.order(); ++v) most = std::max(most, graph.degree(v));
    EXPECT_GT(most, 150u) << spec;
  }
}

TEST(Generators, geometric_edges_are_found_as_a_search_over_all_pairs_would) {
  // Mean degree n - 1 means that all are within the square's diagonal; the cells must not lose a
  // pair.
  EXPECT_EQ(generated("geometric?n=40&radius=1.5").size(), 40u * 39 / 2);
}

TEST(Generators, unknown_kinds_and_parameters_are_refused_with_the_choices) {
  EXPECT_THROW(generate("moebius?n=5"), UsageError);
  EXPECT_THROW(generate("path?m=5"), UsageError);
  EXPECT_THROW(generate("plane?degree=7"), UsageError);
  EXPECT_THROW(generate("plane?degree=8&n=97"), UsageError);
  EXPECT_THROW(generate("plane?degree=8&n=115"), UsageError);
  EXPECT_THROW(generate("path?n=-5"), UsageError);
  EXPECT_THROW(generate("path?n=5&n=6"), UsageError);
  EXPECT_THROW(generate("er?p=1.5"), UsageError);
  EXPECT_THROW(generate("er?p=nan"), UsageError);
  EXPECT_THROW(generate("complete?n=4000000000"), UsageError);
  EXPECT_THROW(generate("grid?rows=100000&cols=100000"), UsageError);
  EXPECT_THROW(generate("path?n"), UsageError);
}

}  // namespace
}  // namespace antipode::testing
