// What every engine promises of its bounds and batches.
#include <numeric>
#include <random>

#include "contract/contract.hpp"

namespace antipode::testing {

namespace {

// Bounds of a small graph, computed by the definitions.
struct Expected {
  std::vector<Distance> lower, upper;
  std::vector<bool> candidate, outside;

  explicit Expected(Vertex order)
      : lower(order, 0), upper(order, order), candidate(order, true), outside(order, true) {}
  Vertex count(const std::vector<bool>& set) const {
    return static_cast<Vertex>(std::count(set.begin(), set.end(), true));
  }
  Distance largest(const std::vector<bool>& set, const std::vector<unsigned>& of) const {
    Distance most = 0;
    for (std::size_t v = 0; v < set.size(); ++v)
      if (set[v]) most = std::max(most, of[v]);
    return most;
  }
};

TEST_P(EngineContract, bounds_follow_their_definitions) {
  RandomConnectedGraphs graphs(13);
  std::mt19937 random(13);
  for (int round = 0; round < rounds(800); ++round) {
    const Graph graph = graphs.next();
    const auto distances = reference_of(graph);
    const auto tested = engine(graph);
    EccentricityBounds& bounds = tested->bounds();
    CandidateSets& sets = tested->candidates();
    sets.reset();
    Expected expected(graph.order());
    for (int step = 0; step < 6; ++step) {
      const Vertex source = random() % graph.order();
      const auto row = distances.distances(source);
      const Distance e = tested->search(source).eccentricity, limit = random() % (e + 2),
                     radius = limit / 2;
      const Distance farthest = sets.farthest_in(Among::candidates, kLatest);
      ASSERT_EQ(farthest, expected.largest(expected.candidate, row));
      ASSERT_EQ(sets.farthest_in(Among::outside, kLatest), expected.largest(expected.outside, row));
      ASSERT_EQ(sets.census().max_upper_outside,
                expected.largest(expected.outside, expected.upper));
      if (step % 2 == 0) {
        bounds.tighten(kLatest, source, e, farthest);
        for (Vertex v = 0; v < graph.order(); ++v)
          expected.lower[v] = std::max({expected.lower[v], row[v], e - row[v]});
        for (Vertex v = 0; v < graph.order(); ++v)
          expected.upper[v] = std::min(expected.upper[v], row[v] + farthest);
        sets.drop(limit);
      } else {
        sets.eliminate(kLatest, Among::candidates, farthest, limit);
        for (Vertex v = 0; v < graph.order(); ++v)
          if (expected.candidate[v])
            expected.upper[v] = std::min(expected.upper[v], row[v] + farthest);
      }
      for (Vertex v = 0; v < graph.order(); ++v)
        if (expected.upper[v] <= limit) expected.candidate[v] = expected.outside[v] = false;
      sets.set_ball(kLatest, radius);
      for (Vertex v = 0; v < graph.order(); ++v)
        expected.outside[v] = expected.candidate[v] && row[v] > radius;
      const Distance farthest_outside = expected.largest(expected.outside, row);
      sets.eliminate(kLatest, Among::outside, farthest_outside, limit);
      for (Vertex v = 0; v < graph.order(); ++v)
        if (expected.candidate[v] && !expected.outside[v] && row[v] + farthest_outside <= limit)
          expected.candidate[v] = false;
      ASSERT_EQ(sets.census().candidates, expected.count(expected.candidate));
      ASSERT_EQ(sets.census().outside, expected.count(expected.outside));
      std::vector<Distance> lower(graph.order()), upper(graph.order());
      bounds.copy(lower, upper);
      ASSERT_EQ(lower, expected.lower);
      ASSERT_EQ(upper, expected.upper);
      const BoundsSummary summary = bounds.summary();
      ASSERT_EQ(summary.max_lower, *std::max_element(lower.begin(), lower.end()));
      ASSERT_EQ(summary.min_lower, *std::min_element(lower.begin(), lower.end()));
      ASSERT_EQ(summary.max_upper, *std::max_element(upper.begin(), upper.end()));
      ASSERT_EQ(summary.min_upper, *std::min_element(upper.begin(), upper.end()));
    }
  }
}

// Two copies of an engine, one asked for the large requests and one for the small ones that they
// stand for.
TEST_P(EngineContract, bounds_that_were_copied_out_can_be_put_back) {
  const Graph graph = generated("ws?n=300&p=0.1");
  const auto first = engine(graph), second = engine(graph);
  for (const Vertex source : {Vertex{3}, Vertex{200}}) {
    const Distance e = first->search(source).eccentricity;
    first->bounds().tighten(kLatest, source, e, e);
  }
  std::vector<Distance> lower(graph.order()), upper(graph.order()), again(graph.order()),
      above(graph.order());
  first->bounds().copy(lower, upper);
  second->search(7);
  second->bounds().tighten(kLatest, 7, 1, 1);  // nonsense that must be forgotten
  second->bounds().restore(lower, upper);
  second->bounds().copy(again, above);
  EXPECT_EQ(again, lower);
  EXPECT_EQ(above, upper);
  EXPECT_EQ(second->bounds().prune(Question::eccentricity),
            first->bounds().prune(Question::eccentricity));
}

TEST_P(EngineContract, large_requests_do_what_the_small_ones_do) {
  RandomConnectedGraphs graphs(31);
  std::mt19937 random(31);
  for (int round = 0; round < 300; ++round) {
    const Graph graph = graphs.next();
    const auto large = engine(graph), small = engine(graph);
    CandidateSets &at_once = large->candidates(), &in_steps = small->candidates();
    at_once.reset();
    in_steps.reset();
    std::vector<DistanceHandle> handles_there, handles_here;
    Distance limit = 0;
    for (int step = 0; step < 5; ++step) {
      const Vertex source = random() % graph.order();
      const Distance e = small->search(source).eccentricity;
      handles_here.push_back(small->retain());
      SearchEffect there;
      if (step % 2 == 0) {
        large->search(source);
        handles_there.push_back(large->retain());
        limit = std::max(limit, e - static_cast<Distance>(e > 0 ? random() % 2 : 0));
        there = at_once.apply_search(handles_there.back(), source, e, limit, handles_there);
      } else {
        handles_there.push_back(kLatest);
        const auto probes = large->probe(
            {.starts = {{.vertex = source}}, .lower = limit, .centers = handles_there});
        ASSERT_EQ(probes.size(), 1u);
        ASSERT_EQ(probes.front().search.eccentricity, e);
        handles_there.back() = probes.front().distances;
        limit = std::max(limit, e);
        there = probes.front().effect;
      }
      const SearchEffect here =
          in_steps.CandidateSets::apply_search(handles_here.back(), source, e, limit, handles_here);
      ASSERT_EQ(there.farthest, here.farthest);
      ASSERT_EQ(there.center, here.center);
      ASSERT_EQ(there.outside, here.outside);
      ASSERT_EQ(at_once.census().outside, in_steps.census().outside);
      ASSERT_EQ(at_once.census().max_upper_outside, in_steps.census().max_upper_outside);
      ASSERT_EQ(at_once.choose_ball(handles_there, limit / 3),
                in_steps.CandidateSets::choose_ball(handles_here, limit / 3));
      ASSERT_EQ(at_once.census().outside, in_steps.census().outside);
      const auto center = static_cast<std::size_t>(random() % handles_here.size());
      at_once.set_ball(handles_there[center], limit / 2);
      in_steps.set_ball(handles_here[center], limit / 2);
      const auto found = at_once.refine(handles_there, limit, 3),
                 expected = in_steps.CandidateSets::refine(handles_here, limit, 3);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].index, expected[i].index);
        ASSERT_EQ(found[i].among, expected[i].among);
        ASSERT_EQ(found[i].farthest, expected[i].farthest);
      }
      const Census census = at_once.census(), same = in_steps.census();
      ASSERT_EQ(census.candidates, same.candidates);
      ASSERT_EQ(census.outside, same.outside);
      ASSERT_EQ(census.max_upper, same.max_upper);
      ASSERT_EQ(census.max_upper_outside, same.max_upper_outside);
      for (const Among among : {Among::candidates, Among::outside})
        ASSERT_EQ(at_once.farthest_in(among, handles_there.front()),
                  in_steps.farthest_in(among, handles_here.front()));
      std::vector<Distance> lower(graph.order()), upper(lower), other_lower(lower),
          other_upper(lower);
      large->bounds().copy(lower, upper);
      small->bounds().copy(other_lower, other_upper);
      ASSERT_EQ(lower, other_lower);
      ASSERT_EQ(upper, other_upper);
    }
  }
}

TEST_P(EngineContract, selection_follows_its_rules_and_breaks_ties_by_degree_then_number) {
  const Graph graph =
      graph_of(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {1, 5}});  // a path with a leaf at 1
  const auto tested = engine(graph);
  EccentricityBounds& bounds = tested->bounds();
  CandidateSets& sets = tested->candidates();
  bounds.reset();
  EXPECT_EQ(bounds.select(Select::largest_upper, kLatest),
            1u);  // nothing known: the highest degree
  const Search search = tested->search(1);
  bounds.tighten(kLatest, 1, search.eccentricity, search.eccentricity);
  EXPECT_EQ(bounds.select(Select::largest_upper, kLatest), 4u);
  EXPECT_EQ(bounds.select(Select::farthest, kLatest), 4u);
  EXPECT_EQ(bounds.select(Select::smallest_lower, kLatest),
            2u);  // 0, 2, 3, 5 tie at 2; 2 and 3 have degree 2
  EXPECT_EQ(bounds.select(Select::largest_difference, kLatest),
            3u);                                           // 3 and 4 tie; 3 has the higher degree
  EXPECT_EQ(bounds.select(Select::central, kLatest), 2u);  // 1 itself was searched
  sets.set_ball(kLatest, 2);
  EXPECT_EQ(sets.select(Select::outside_upper, kLatest), 4u);
  sets.drop(6);
  EXPECT_EQ(sets.select(Select::outside_upper, kLatest), kNoVertex);
}

TEST_P(EngineContract, pruning_drops_exactly_what_cannot_matter) {
  RandomConnectedGraphs graphs(14);
  for (int round = 0; round < rounds(400); ++round) {
    const Graph graph = graphs.next();
    const auto tested = engine(graph);
    for (const Question question : {Question::diameter, Question::radius, Question::center,
                                    Question::periphery, Question::eccentricity}) {
      EccentricityBounds& bounds = tested->bounds();
      bounds.reset();
      const Search search = tested->search(0);
      bounds.tighten(kLatest, 0, search.eccentricity, search.eccentricity);
      std::vector<Distance> lower(graph.order()), upper(graph.order());
      bounds.copy(lower, upper);
      const Distance max_lower = *std::max_element(lower.begin(), lower.end()),
                     min_upper = *std::min_element(upper.begin(), upper.end());
      const Distance max_upper = *std::max_element(upper.begin(), upper.end());
      Vertex left = 0;
      for (Vertex v = 0; v < graph.order(); ++v) {
        bool pruned = lower[v] == upper[v];
        if (question == Question::diameter)
          pruned |= upper[v] <= max_lower && 2 * lower[v] >= max_upper;
        if (question == Question::radius) pruned |= lower[v] >= min_upper;
        if (question == Question::center) pruned |= lower[v] > min_upper;
        if (question == Question::periphery) pruned |= upper[v] < max_lower;
        left += pruned ? 0 : 1;
      }
      ASSERT_EQ(bounds.prune(question), left);
    }
  }
}

// A state in the middle of an elimination: some candidates gone, a ball around some vertex.
struct Midway {
  Vertex center;
  Distance limit;
  std::vector<Distance> upper;
  std::vector<bool> candidate, outside;

  Midway(Engine& engine, const reference::Graph& graph, std::mt19937& random)
      : center(random() % graph.order()),
        upper(graph.order()),
        candidate(graph.order()),
        outside(graph.order()) {
    CandidateSets& sets = engine.candidates();
    sets.reset();
    const Search search = engine.search(center);
    limit = search.eccentricity + random() % (search.eccentricity + 1);
    sets.tighten(kLatest, center, search.eccentricity, search.eccentricity);
    sets.drop(limit);
    sets.set_ball(kLatest, limit / 2);
    const auto row = graph.distances(center);
    for (Vertex v = 0; v < graph.order(); ++v) {
      upper[v] = std::min(row[v] + search.eccentricity, graph.order());
      candidate[v] = upper[v] > limit;
      outside[v] = candidate[v] && row[v] > limit / 2;
    }
  }
  static Distance reach(const std::vector<unsigned>& row, const std::vector<bool>& among) {
    Distance most = 0;
    for (std::size_t v = 0; v < row.size(); ++v)
      if (among[v]) most = std::max(most, row[v]);
    return most;
  }
};

void expect_sets(const CandidateSets& sets, const std::vector<bool>& candidate,
                 const std::vector<bool>& outside) {
  for (Vertex v = 0; v < candidate.size(); ++v) ASSERT_EQ(sets.contains(v), candidate[v]);
  const auto found = sets.sample(Among::outside, candidate.size(), 1);
  for (Vertex v = 0; v < outside.size(); ++v)
    ASSERT_EQ(std::find(found.begin(), found.end(), v) != found.end(), outside[v]);
}

TEST_P(EngineContract, a_batch_finds_every_farthest_distance_and_eliminates_around_every_source) {
  RandomConnectedGraphs graphs(15);
  std::mt19937 random(15);
  for (int round = 0; round < rounds(1600); ++round) {
    const Graph graph = graphs.next();
    const auto reference = reference_of(graph);
    const auto tested = engine(graph);
    Midway now(*tested, reference, random);
    CandidateSets& sets = tested->candidates();
    const std::size_t most = tested->batch_costs().sources;
    for (int batch = 0; batch < 2; ++batch) {
      std::vector<Vertex> sources(
          1 + random() % std::min<std::size_t>(most, random() % 3 == 0 ? 300 : 20));
      for (auto& source : sources) source = random() % graph.order();
      const auto farthest = sets.farthest_from(sources);
      std::vector<bool> candidate = now.candidate, outside = now.outside;
      now.limit += random() % 2;
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const auto row = reference.distances(sources[i]);
        ASSERT_EQ(farthest[i].candidates, Midway::reach(row, now.candidate));
        ASSERT_EQ(farthest[i].outside, Midway::reach(row, now.outside));
        for (Vertex v = 0; v < graph.order(); ++v) {
          now.upper[v] = std::min(now.upper[v], row[v] + farthest[i].candidates);
          const bool inside = !now.outside[v] && row[v] + farthest[i].outside <= now.limit;
          if (now.upper[v] <= now.limit || inside) candidate[v] = outside[v] = false;
        }
      }
      sets.eliminate_around(sources, farthest, now.limit);
      now.candidate = candidate, now.outside = outside;
      ASSERT_NO_FATAL_FAILURE(expect_sets(sets, candidate, outside)) << "graph " << round;
    }
  }
}

TEST_P(EngineContract, a_batch_raises_lower_bounds_only_to_true_distances) {
  RandomConnectedGraphs graphs(16);
  std::mt19937 random(16);
  for (int round = 0; round < rounds(400); ++round) {
    const Graph graph = graphs.next();
    const auto truth = reference_of(graph).eccentricities();
    const auto tested = engine(graph);
    tested->bounds().reset();
    const std::vector<Vertex> sources{static_cast<Vertex>(random() % graph.order()),
                                      static_cast<Vertex>(random() % graph.order())};
    tested->candidates().farthest_from(sources);
    std::vector<Distance> lower(graph.order()), upper(graph.order());
    tested->bounds().copy(lower, upper);
    for (Vertex v = 0; v < graph.order(); ++v) ASSERT_LE(lower[v], truth[v]);
  }
}

TEST_P(EngineContract, cliques_are_cliques) {
  RandomConnectedGraphs graphs(23);
  for (int round = 0; round < rounds(400); ++round) {
    const Graph graph =
        round < 2 ? generated(round == 0 ? "ba?n=2000&degree=60" : "rmat?scale=11&edgefactor=40")
                  : graphs.next();  // some rows are long
    const auto reference = reference_of(graph);
    const auto tested = engine(graph);
    for (Vertex v = 0; v < std::min<Vertex>(graph.order(), 20); ++v) {
      const auto clique = tested->clique(v);
      ASSERT_FALSE(clique.empty());
      ASSERT_EQ(clique.front(), v);
      ASSERT_TRUE(graph.degree(v) == 0 || graph.degree(v) > 300 || clique.size() > 1);
      for (std::size_t i = 0; i < clique.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          ASSERT_TRUE(reference.adjacent(clique[i], clique[j]))
              << "graph " << round << ", around " << v;
    }
  }
}

TEST_P(EngineContract, a_ball_widened_around_a_clique_holds_what_is_near_to_it) {
  RandomConnectedGraphs graphs(17);
  std::mt19937 random(17);
  for (int round = 0; round < rounds(1600); ++round) {
    const Graph graph = graphs.next();
    const auto reference = reference_of(graph);
    const auto tested = engine(graph);
    const Midway now(*tested, reference, random);
    std::vector<Vertex> clique{now.center};
    for (const Vertex v : graph.neighbors(now.center))
      if (std::all_of(clique.begin(), clique.end(),
                      [&](Vertex member) { return reference.adjacent(v, member); }))
        clique.push_back(v);
    tested->candidates().widen_ball(kLatest, now.limit / 2, clique);
    if (round % 2 == 0) {  // balls compete: the same ones are asked for again
      tested->candidates().set_ball(kLatest, now.limit / 2);
      tested->candidates().widen_ball(kLatest, now.limit / 2, std::span(clique).first(1));
      tested->candidates().widen_ball(kLatest, now.limit / 2, clique);
    }
    std::vector<bool> outside = now.outside;
    for (const Vertex member : clique) {
      const auto row = reference.distances(member);
      for (Vertex v = 0; v < graph.order(); ++v)
        if (row[v] <= now.limit / 2) outside[v] = false;
    }
    ASSERT_NO_FATAL_FAILURE(expect_sets(tested->candidates(), now.candidate, outside))
        << "graph " << round;
  }
}

TEST_P(EngineContract, pendant_paths_are_dropped_down_to_their_leaves) {
  RandomConnectedGraphs graphs(19);
  for (int round = 0; round < rounds(800); ++round) {
    const Graph graph = graphs.next();
    const auto reference = reference_of(graph);
    // From every leaf along its pendant path, while vertices have two neighbours, and one beyond.
    std::vector<bool> candidate(graph.order(), true);
    for (Vertex leaf = 0; leaf < graph.order(); ++leaf) {
      if (reference.around[leaf].size() != 1) continue;
      std::vector<Vertex> chain{leaf, *reference.around[leaf].begin()};
      while (reference.around[chain.back()].size() == 2) {
        const auto& around = reference.around[chain.back()];
        chain.push_back(*around.begin() == chain[chain.size() - 2] ? *around.rbegin()
                                                                   : *around.begin());
      }
      for (const Vertex v : chain)
        if (reference.around[v].size() > 1) candidate[v] = false;
    }
    const auto tested = engine(graph);
    tested->bounds().reset();
    tested->candidates().drop_pendant_paths();
    ASSERT_EQ(tested->candidates().census().candidates,
              static_cast<Vertex>(std::count(candidate.begin(), candidate.end(), true)));
    ASSERT_NO_FATAL_FAILURE(expect_sets(tested->candidates(), candidate, candidate))
        << "graph " << round;
  }
}

TEST_P(EngineContract, twins_are_dropped_but_for_the_first_of_each_class) {
  RandomConnectedGraphs graphs(18);
  std::mt19937 random(18);
  for (int round = 0; round < rounds(800); ++round) {
    const Graph graph = graphs.next();
    const auto reference = reference_of(graph);
    const auto tested = engine(graph);
    const Midway now(*tested, reference, random);
    std::vector<bool> candidate = now.candidate, outside = now.outside;
    for (Vertex v = 0; v < graph.order(); ++v)
      for (Vertex u = 0; u < v && candidate[v]; ++u)
        if (now.candidate[u] && reference.around[u] == reference.around[v])
          candidate[v] = outside[v] = false;
    tested->candidates().drop_twins();
    ASSERT_EQ(tested->candidates().census().candidates,
              static_cast<Vertex>(std::count(candidate.begin(), candidate.end(), true)));
    ASSERT_NO_FATAL_FAILURE(expect_sets(tested->candidates(), candidate, outside))
        << "graph " << round;
  }
}

TEST_P(EngineContract, a_sample_is_drawn_from_the_set_without_repeats) {
  const auto tested = engine(generated("path?n=100"));
  tested->bounds().reset();
  const auto some = tested->candidates().sample(Among::candidates, 10, 3);
  EXPECT_EQ(std::set<Vertex>(some.begin(), some.end()).size(), 10u);
  EXPECT_EQ(tested->candidates().sample(Among::candidates, 10, 3),
            some);  // the same seed, the same sample
}

TEST_P(EngineContract, wide_batches_agree_with_single_searches) {
  for (const std::string spec :
       {"rmat?scale=12&edgefactor=8", "grid?rows=60&cols=70", "ws?n=6000", "star?n=5000"}) {
    const Graph whole = generated(spec);
    const Components parts = components(whole);
    const Graph graph = component_subgraph(whole, parts, parts.largest());
    for (const unsigned count : {1u, 4u}) {
      const auto tested = engine(graph, count);
      tested->bounds().reset();
      std::vector<Vertex> sources;
      for (Vertex v = 0; sources.size() < tested->batch_costs().sources && v < graph.order();
           v += 5)
        sources.push_back(v);
      const auto farthest = tested->candidates().farthest_from(sources);
      for (std::size_t i = 0; i < sources.size(); i += 61)
        ASSERT_EQ(farthest[i].candidates, tested->search(sources[i]).eccentricity) << spec;
    }
  }
}

TEST_P(EngineContract, many_sources_tighten_all_bounds_as_their_searches_would) {
  RandomConnectedGraphs graphs(19);
  std::mt19937 random(19);
  std::vector<Graph> all;
  for (int round = 0; round < rounds(800); ++round) all.push_back(graphs.next());
  for (const std::string spec : {"path?n=600", "grid?rows=2&cols=400", "cycle?n=900"})
    all.push_back(generated(spec));  // deep ones
  for (const Graph& graph : all) {
    const auto reference = reference_of(graph);
    const auto tested = engine(graph);
    EccentricityBounds& bounds = tested->bounds();
    bounds.reset();
    Expected expected(graph.order());
    const auto tighten = [&](Vertex source, Distance e) {
      const auto row = reference.distances(source);
      for (Vertex v = 0; v < graph.order(); ++v) {
        expected.lower[v] = std::max({expected.lower[v], row[v], e - row[v]});
        expected.upper[v] = std::min(expected.upper[v], row[v] + e);
      }
    };
    const Vertex first = random() % graph.order();
    const Distance depth = tested->search(first).eccentricity;
    bounds.tighten(kLatest, first, depth, depth);
    tighten(first, depth);
    for (int batch = 0; batch < 2; ++batch) {
      std::vector<Vertex> sources(1 + random() % 70);
      for (auto& source : sources) source = random() % graph.order();
      const auto before = expected.lower;
      const auto outcomes = bounds.tighten_from(sources);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        ASSERT_EQ(outcomes[i].eccentricity, reference.eccentricity(sources[i]));
        ASSERT_EQ(outcomes[i].lower_before, before[sources[i]]);
        tighten(sources[i], outcomes[i].eccentricity);
      }
      std::vector<Distance> lower(graph.order()), upper(graph.order());
      bounds.copy(lower, upper);
      ASSERT_EQ(lower, expected.lower);
      ASSERT_EQ(upper, expected.upper);
    }
    std::vector<Vertex> lowest;
    for (Vertex v = 0; v < graph.order(); ++v)
      if (std::none_of(reference.around[v].begin(), reference.around[v].end(),
                       [&](unsigned u) { return expected.lower[u] < expected.lower[v]; }))
        lowest.push_back(v);
    ASSERT_EQ(bounds.lowest(graph.order()), lowest);
  }
}

}  // namespace
}  // namespace antipode::testing
