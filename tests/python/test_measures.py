"""Answers against NetworkX on random graphs, with and without directions and lengths."""

import math

import antipode_graph as ag
import networkx as nx
import numpy as np
import pytest
from conftest import connected, random_graph

SEEDS = range(50)
LENGTHS = {"edges": None, "whole": [1, 2, 3, 10], "decimal": [0.5, 0.1, 1.3]}


def cases(directed, lengths):
    """Graphs, ours and theirs, and the weight that NetworkX takes."""
    for seed in SEEDS:
        theirs = random_graph(seed, nx.DiGraph if directed else nx.Graph, LENGTHS[lengths])
        theirs.remove_edges_from(list(nx.selfloop_edges(theirs)))
        weight = None if lengths == "edges" else "weight"
        yield ag.Graph(theirs, weighted=weight), theirs, weight


def largest(theirs):
    """The component that is asked about: of equal ones that with the first vertex."""
    parts = (
        nx.strongly_connected_components(theirs)
        if theirs.is_directed()
        else nx.connected_components(theirs)
    )
    place = {name: number for number, name in enumerate(theirs)}
    return theirs.subgraph(max(parts, key=lambda p: (len(p), -min(place[v] for v in p))))


def kinds(function):
    function = pytest.mark.parametrize("directed", [False, True])(function)
    return pytest.mark.parametrize("lengths", list(LENGTHS))(function)


@kinds
def test_eccentricities(directed, lengths):
    for ours, theirs, weight in cases(directed, lengths):
        policy = "error" if connected(theirs) else "largest"
        part = largest(theirs)
        expected = nx.eccentricity(part, weight=weight)
        found = ours.eccentricity(disconnected=policy)
        assert found.exact
        for v in theirs:
            if v in expected:
                assert found[v] == pytest.approx(expected[v])
            else:
                assert math.isnan(found[v])
        diameter, radius = (getattr(ours, m)(disconnected=policy) for m in ("diameter", "radius"))
        assert diameter.value == pytest.approx(max(expected.values()))
        assert radius.value == pytest.approx(min(expected.values()))
        for answer in (diameter, radius):
            length = nx.path_weight(part, answer.path, weight) if weight else len(answer.path) - 1
            assert length == pytest.approx(answer.value) and answer.order == len(part)


@kinds
def test_center_and_periphery(directed, lengths):
    for ours, theirs, weight in cases(directed, lengths):
        policy = "error" if connected(theirs) else "largest"
        expected = {
            v: round(e, 6) for v, e in nx.eccentricity(largest(theirs), weight=weight).items()
        }
        center, periphery = (getattr(ours, m)(disconnected=policy) for m in ("center", "periphery"))
        low, high = min(expected.values()), max(expected.values())
        assert list(center) == [v for v in theirs if expected.get(v) == low]
        assert list(periphery) == [v for v in theirs if expected.get(v) == high]
        assert center.value == pytest.approx(low) and periphery.value == pytest.approx(high)


def distances_of(theirs, weight):
    return dict(nx.all_pairs_dijkstra_path_length(theirs, weight=weight or "no lengths"))


@kinds
def test_rows_and_averages(directed, lengths):
    for ours, theirs, weight in cases(directed, lengths):
        expected = distances_of(theirs, weight)
        none = math.inf if lengths == "decimal" else -1
        rows = ours.distances()
        for i, u in enumerate(theirs):
            for j, v in enumerate(theirs):
                there = expected[u].get(v)
                if there is None:
                    assert rows[i, j] in (-1, none, math.inf)
                else:
                    assert rows[i, j] == pytest.approx(there)
        found = [d for u, row in expected.items() for v, d in row.items() if u != v]
        average = ours.average_distance(disconnected="reachable")
        assert average.reachable == len(found) and average.exact
        assert average.reachable + average.unreachable == len(theirs) * (len(theirs) - 1)
        assert average.mean == pytest.approx(np.mean(found) if found else 0)
        assert average.pairs.sum() == len(found)
        if lengths == "edges" and found:
            assert average.median == sorted(found)[(len(found) - 1) // 2]
            assert average.pairs.tolist() == np.bincount(found).tolist()


@kinds
def test_closeness(directed, lengths):
    for ours, theirs, weight in cases(directed, lengths):
        back = theirs.reverse() if directed else theirs  # theirs is of distances to a vertex
        for kind, expected in [
            ("wasserman_faust", nx.closeness_centrality(back, distance=weight)),
            ("classic", nx.closeness_centrality(back, distance=weight, wf_improved=False)),
            ("harmonic", nx.harmonic_centrality(back, distance=weight)),
        ]:
            found = ours.closeness(kind=kind, disconnected="reachable")
            assert found.to_dict() == pytest.approx(expected)
        assert ours.harmonic(disconnected="reachable").to_dict() == pytest.approx(expected)


# NetworkX compares rounded sums of decimals: paths of equal length are not equal to it.
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("lengths", ["edges", "whole"])
def test_betweenness(directed, lengths):
    for ours, theirs, weight in cases(directed, lengths):
        for normalized in (False, True):
            options = {"normalized": normalized, "disconnected": "reachable"}
            found = ours.betweenness(**options).to_dict()
            theirs_by = {"normalized": normalized, "weight": weight}
            assert found == pytest.approx(nx.betweenness_centrality(theirs, **theirs_by))
            edges = ours.betweenness(edges=True, **options).to_dict()
            expected = nx.edge_betweenness_centrality(theirs, **theirs_by)
            key = tuple if directed else frozenset
            assert {key(e): x for e, x in edges.items()} == pytest.approx(
                {key(e): x for e, x in expected.items()}
            )


def test_values_of_the_largest_component():
    graph = ag.Graph.from_edges([0, 1, 4, 4, 4], [1, 2, 5, 6, 7])
    inside = graph.closeness(disconnected="largest").to_dict()
    assert inside[4] == 1.0 and all(math.isnan(inside[v]) for v in range(4))
    assert graph.betweenness(disconnected="largest")[4] == 3
    edges = graph.betweenness(edges=True, disconnected="largest").to_dict()
    assert edges == {(4, 5): 3, (4, 6): 3, (4, 7): 3}
    assert graph.average_distance(disconnected="largest").mean == 1.5


def test_policies():
    graph = ag.Graph.from_edges([0, 1, 3], [1, 2, 4])
    assert graph.diameter(disconnected="infinite").value == math.inf
    assert graph.eccentricity(disconnected="infinite").values.tolist() == [math.inf] * 5
    each = graph.diameter(disconnected="per_component")
    assert each.value == 2 and [part.value for part in each.per_component] == [2, 1]
    for measure in ("diameter", "radius", "eccentricity", "center", "periphery", "closeness"):
        with pytest.raises(ag.UsageError, match="disconnected= with one of largest"):
            getattr(graph, measure)()
        with pytest.raises(ag.UsageError):
            getattr(graph, measure)(disconnected="anything")
    with pytest.raises(ag.UsageError, match="no form 'infinite'"):
        graph.average_distance(disconnected="infinite")


def test_components():
    for seed in SEEDS:
        theirs = random_graph(seed, nx.DiGraph)
        ours = ag.Graph(theirs)
        for found, expected in [
            (ours.components(), nx.weakly_connected_components(theirs)),
            (ours.strong_components(), nx.strongly_connected_components(theirs)),
        ]:
            assert sorted(map(sorted, found)) == sorted(map(sorted, expected))
            assert len(found.members(found.largest)) == max(found.orders)
            with pytest.raises(IndexError):
                found.members(len(found))


def test_paths():
    for ours, theirs, weight in cases(True, "whole"):
        expected = distances_of(theirs, weight)
        for u in theirs:
            for v in theirs:
                path = ours.path(u, v)
                if v not in expected[u]:
                    assert path is None
                else:
                    assert path[0] == u and path[-1] == v
                    assert nx.path_weight(theirs, path, weight) == expected[u][v]


def test_samples():
    graph = ag.Graph("gen:rmat?scale=10")
    exact = graph.average_distance(disconnected="largest")
    guess = graph.average_distance(disconnected="largest", samples=200, seed=3)
    assert not guess.exact and guess.sources == 200
    assert guess.interval[0] < guess.mean < guess.interval[1]
    assert abs(guess.mean - exact.mean) < 0.2
    again = graph.average_distance(disconnected="largest", samples=200, seed=3)
    assert again.mean == guess.mean
    between = graph.betweenness(disconnected="largest", samples=100, seed=3)
    assert not between.exact and 0 < between.epsilon < 1


def test_most_central():
    for seed in SEEDS:
        theirs = largest(random_graph(seed))
        ours = ag.Graph(nx.Graph(theirs))
        expected = sorted(ours.closeness().to_dict().items(), key=lambda item: -item[1])
        found = ours.most_central(4)
        assert found == [(v, pytest.approx(x)) for v, x in expected[:4]]
    graph = ag.Graph.from_edges([0, 4, 4], [1, 5, 6])
    assert graph.most_central(1, disconnected="largest") == [(4, 1.0)]
    with pytest.raises(ag.UsageError, match="reachable"):
        graph.most_central()
    for other in (ag.Graph(([0], [1]), directed=True), ag.Graph(([0], [1], [2.5]))):
        with pytest.raises(ag.UsageError):
            other.most_central()


def test_epsilon():
    graph = ag.Graph("gen:rmat?scale=10")
    options = {"disconnected": "largest", "normalized": True}
    exact, guess = graph.betweenness(**options), graph.betweenness(epsilon=0.15, **options)
    assert not guess.exact and guess.epsilon <= 0.15
    assert np.nanmax(abs(guess.values - exact.values)) < 0.15
    assert graph.betweenness(epsilon=1e-9, **options).exact
    for bad in ({"epsilon": 0}, {"epsilon": 2}, {"epsilon": 0.1, "samples": 5}):
        with pytest.raises(ag.UsageError):
            graph.betweenness(disconnected="largest", **bad)


def test_table():
    graph = ag.Graph.from_edges(["a", "a"], ["b", "c"])
    frame = graph.table(["closeness", "betweenness"])
    assert frame.index.tolist() == ["a", "b", "c"] and frame.loc["a"].tolist() == [1.0, 1.0]
    with pytest.raises(ag.UsageError):
        graph.table(["diameter"])


def test_forms_of_values():
    values = ag.Graph.from_edges(["a", "a"], ["b", "c"]).closeness()
    assert values.names == ["a", "b", "c"] and len(values) == 3
    assert values.top(2) == [("a", 1.0), ("b", 2 / 3)]
    series = values.to_series()
    assert series["a"] == 1.0 and series.index.tolist() == ["a", "b", "c"]
    with pytest.raises(KeyError):
        values["z"]


def test_real_graph(data):
    graph = ag.Graph(data / "com-dblp.txt.zst")
    answer = graph.diameter(disconnected="largest")
    assert answer.value == 23 and len(answer.path) == 24
    assert graph.radius(disconnected="largest").value == 12
