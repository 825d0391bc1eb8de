"""Graphs from everything they can be made from, and what they tell of themselves."""

import copy
import pickle

import antipode_graph as ag
import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse as sp
from conftest import random_graph

EDGES = [(0, 1), (1, 2), (2, 3), (3, 1), (0, 1), (2, 2)]


def edges_of(graph):
    """Each edge once, as names, with its length."""
    lengths = graph.lengths
    found = {}
    for v, name in enumerate(graph.names):
        for at in range(int(graph.indptr[v]), int(graph.indptr[v + 1])):
            other = graph.names[int(graph.indices[at])]
            key = (name, other) if graph.directed else frozenset((name, other))
            found[key] = 1 if lengths is None else lengths[at]
    return found


def expected_edges(graph, weight=None):
    found = {}
    for u, v, data in graph.edges(data=True):
        if u == v:
            continue
        key = (u, v) if graph.is_directed() else frozenset((u, v))
        length = 1 if weight is None else data.get(weight, 1)
        found[key] = min(length, found.get(key, length))
    return found


KINDS = [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lengths", [None, [1, 2, 7], [0.5, 1.25, 3.0], [0.1, 0.7, 1]])
def test_networkx(kind, lengths):
    for seed in range(40):
        source = random_graph(seed, kind, lengths)
        graph = ag.Graph(source, weighted=lengths is not None)
        assert list(graph) == list(source)
        assert graph.directed == source.is_directed()
        weight = None if lengths is None else "weight"
        assert edges_of(graph) == pytest.approx(expected_edges(source, weight), rel=1e-15)


def names_of_kind(kind, count):
    return {
        "text": [f"v{i}" for i in range(count)],
        "tuples": [(i, "x") for i in range(count)],
        "mixed": [i if i % 2 else str(i) for i in range(count)],
        "far": [10**9 * i - 5 for i in range(count)],
    }[kind]


@pytest.mark.parametrize("kind", ["text", "tuples", "mixed", "far"])
def test_networkx_names(kind):
    names = names_of_kind(kind, 30)
    cycle = nx.relabel_nodes(nx.cycle_graph(30), dict(enumerate(names)))
    graph = ag.Graph(cycle)
    assert graph.names == names
    assert edges_of(graph) == expected_edges(cycle)
    assert graph.diameter().value == 15
    assert all(name in cycle for name in graph.diameter().path)


def test_networkx_neighbours_that_are_equal_and_not_the_same_objects():
    source = nx.Graph()
    for i in range(300, 400):
        source.add_edge(int(str(i)), int(str(i + 1)))
        source.add_edge("n" + str(i), "n" + str(i + 1))
        source.add_edge((i, str(i)), (i + 1, str(i + 1)))
    source.add_edge(1.0, 2.0)
    source.add_edge(1, 2)
    assert edges_of(ag.Graph(source)) == expected_edges(source)


def test_networkx_views():
    source = nx.complete_graph(6)
    view = source.subgraph([0, 1, 4])
    assert edges_of(ag.Graph(view)) == expected_edges(view)
    multi = nx.MultiGraph([(0, 1), (0, 1), (1, 2)]).subgraph([0, 1])
    assert edges_of(ag.Graph(multi, weighted=True)) == expected_edges(multi)


def test_networkx_lengths_that_are_no_lengths():
    for bad in (-1, "x", None, float("nan"), float("inf")):
        with pytest.raises(ag.UsageError):
            ag.Graph(nx.Graph([(0, 1, {"weight": bad})]), weighted=True)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("width", [np.int32, np.int64])
def test_scipy(directed, width):
    for seed in range(60):
        source = random_graph(seed, nx.DiGraph)
        nodes = range(len(source))
        matrix = nx.to_scipy_sparse_array(source, nodelist=nodes, dtype=np.int64, format="csr")
        matrix.indices, matrix.indptr = matrix.indices.astype(width), matrix.indptr.astype(width)
        graph = ag.Graph(matrix, directed=directed)
        wanted = source if directed else source.to_undirected()
        assert edges_of(graph) == expected_edges(wanted)


def test_scipy_symmetric_rows_are_taken_as_they_are():
    source = nx.to_scipy_sparse_array(nx.karate_club_graph(), format="csr", dtype=np.int32)
    source.sort_indices()
    graph = ag.Graph(source)
    assert graph.indices.tolist() == source.indices.tolist()
    source.indices[:] = 0  # the graph has a copy
    assert graph.diameter().value == 5
    assert (
        graph.to_scipy() != nx.to_scipy_sparse_array(nx.karate_club_graph()).astype(bool)
    ).nnz == 0


def test_scipy_rows_that_are_nearly_symmetric():
    """One arc more or less: what is taken as it is must have every edge at both ends."""
    for seed in range(200):
        rng = np.random.default_rng(seed)
        order = int(rng.integers(2, 8))
        half = np.triu(rng.random((order, order)) < 0.4, 1)
        matrix = half | half.T
        u, v = rng.integers(0, order, 2)
        matrix[u, v] ^= True
        graph = ag.Graph(sp.csr_array(matrix.astype(np.int8)))
        wanted = matrix | matrix.T
        np.fill_diagonal(wanted, False)
        assert (graph.to_scipy().toarray() == wanted).all(), seed


def test_scipy_lengths_and_other_formats():
    matrix = sp.coo_array(([2.5, 1.0], ([0, 1], [1, 2])), shape=(4, 4))
    graph = ag.Graph(matrix, weighted=True)
    assert edges_of(graph) == {frozenset((0, 1)): 2.5, frozenset((1, 2)): 1.0}
    with pytest.raises(ag.UsageError, match="square"):
        ag.Graph(sp.coo_array((2, 3)))


def test_rows_that_lie_are_refused():
    from antipode_graph import _core

    def rows(offsets, targets):
        both = np.array(offsets, np.int32), np.array(targets, np.int32)
        return _core.Graph.from_rows(*both, False, None, (1, 0, 0))

    for offsets, targets in [([0, 1], [5]), ([0, 1], [-1]), ([0, 2], [0]), ([0, 2, 1, 2], [0, 1])]:
        with pytest.raises(ag.UsageError):
            rows(offsets, targets)
    # One direction of an edge is enough, whichever it is; so are rows that are not in order.
    for offsets, targets in [([0, 1, 1], [1]), ([0, 0, 1], [0]), ([0, 2, 4], [1, 1, 0, 0])]:
        assert rows(offsets, targets).size == 1
    assert rows([0, 2, 3, 4], [2, 1, 0, 0]).size == 2
    assert rows([0, 1, 2, 3], [1, 2, 0]).size == 3


@pytest.mark.parametrize("width", [np.int32, np.int64, np.uint8])
def test_arrays(width):
    source, target = np.array(EDGES, width).T
    graph = ag.Graph.from_edges(source, target)
    assert edges_of(graph) == expected_edges(nx.MultiGraph(EDGES))
    assert edges_of(ag.Graph((source, target), directed=True)) == expected_edges(
        nx.MultiDiGraph(EDGES)
    )
    assert ag.Graph.from_edges(source, target, order=9).order == 9


def test_arrays_with_lengths():
    graph = ag.Graph.from_edges([0, 1], [1, 2], [0.1, 0.2])
    assert graph.weighted and graph.diameter().value == 0.3  # and not 0.30000000000000004
    assert ag.Graph.from_edges([0, 1], [1, 2], [3, 4]).diameter().value == 7
    assert ag.Graph.from_edges([0, 1], [1, 2], [1e17, 3e17]).diameter().value == 4e17
    for bad in ([-1, 2], [np.nan, 1], [np.inf, 1], [1e-300, 1e300], [1]):
        with pytest.raises(ag.UsageError):
            ag.Graph.from_edges([0, 1], [1, 2], bad)


def test_bad_ends():
    for source, target in [([0], [-1]), ([-1], [0])]:
        with pytest.raises(IndexError):
            ag.Graph.from_edges(source, target)
    with pytest.raises(IndexError):
        ag.Graph.from_edges([0], [7], order=7)
    with pytest.raises(ValueError):
        ag.Graph.from_edges([0, 1], [1])
    with pytest.raises(ValueError):
        ag.Graph.from_edges([0], [1], names=["a", "a"])
    with pytest.raises(TypeError, match="no graph"):
        ag.Graph(5)


def test_empty_graphs():
    for graph in (
        ag.Graph.from_edges([], []),
        ag.Graph(nx.Graph()),
        ag.Graph(sp.csr_array((0, 0))),
    ):
        assert len(graph) == 0 and graph.size == 0 and len(graph.components()) == 0
        assert list(graph.components()) == []
        with pytest.raises(ag.UsageError):
            graph.diameter()
        with pytest.raises(ag.UsageError):
            graph.average_distance()


def test_igraph():
    source = igraph.Graph.Famous("Petersen")
    assert ag.Graph(source).diameter().value == source.diameter() == 2
    named = igraph.Graph([(0, 1), (1, 2)], directed=True)
    named.vs["name"] = ["a", "b", "c"]
    named.es["cost"] = [2, 5]
    graph = ag.Graph(named, weighted="cost")
    assert edges_of(graph) == {("a", "b"): 2, ("b", "c"): 5}


@pytest.mark.parametrize("make", [pd.DataFrame, pa.table])
def test_tables(make):
    table = make({"from": ["a", "b"], "to": ["b", "c"], "km": [1.5, 2.0]})
    assert edges_of(ag.Graph(table)) == {frozenset("ab"): 1, frozenset("bc"): 1}
    graph = ag.Graph(table, weighted=True, directed=True)
    assert edges_of(graph) == {("a", "b"): 1.5, ("b", "c"): 2.0}
    assert ag.Graph(table, columns="to, from").names == ["b", "c", "a"]
    with pytest.raises(ag.UsageError, match="no column 'where'"):
        ag.Graph(table, columns="from,where")


def test_files(tmp_path):
    graph = ag.Graph("gen:grid?rows=5&cols=4")
    for name in ("g.apg", "g.txt", "g.mtx.gz"):
        graph.save(tmp_path / name)
        again = ag.Graph(tmp_path / name)
        assert again.order == 20 and again.size == 31 and again.diameter().value == 7
    named = ag.Graph.from_edges(["a", "b"], ["b", "c d"])
    named.save(tmp_path / "named.apg")
    assert ag.Graph(tmp_path / "named.apg").names == ["a", "b", "c d"]
    text = tmp_path / "lengths.txt"
    text.write_text("x y 1.5\ny z 2.25\n")
    graph = ag.Graph(text, weighted=True, directed=True)
    assert edges_of(graph) == {("x", "y"): 1.5, ("y", "z"): 2.25}
    numbers = tmp_path / "numbers.txt"
    numbers.write_text("100 7\n7 3000000000\n")
    assert sorted(ag.Graph(numbers).names) == [7, 100, 3000000000]


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(FileNotFoundError):
        ag.Graph(tmp_path / "nowhere.txt")
    bad = tmp_path / "bad.mtx"
    bad.write_text("%%MatrixMarket matrix coordinate real general\n3 3 1\n9 1 2.0\n")
    with pytest.raises(ag.InputError, match="bad.mtx:3"):
        ag.Graph(bad)
    with pytest.raises(ValueError):
        ag.Graph("gen:nothing?n=3")


def test_other_names(tmp_path):
    graph = ag.Graph(ag.Graph("gen:path?n=3"), names=["x", "y", "z"])
    assert graph.neighbors("y") == ["x", "z"]
    graph.save(tmp_path / "named.apg")
    assert ag.Graph(tmp_path / "named.apg").names == ["x", "y", "z"]
    assert ag.Graph("gen:path?n=2", names=[(1, 2), None]).path(None, (1, 2)) == [None, (1, 2)]
    with pytest.raises(ag.UsageError):
        ag.Graph(graph, weighted=True)


def test_lengths_of_a_large_unit():
    graph = ag.Graph.from_edges([0, 1], [1, 2], [6 * 10**18, 6 * 10**18])
    assert graph.diameter().value == 12 * 10**18
    assert graph.distances([0]).tolist() == [[0, 6e18, 1.2e19]]


def test_what_it_tells():
    graph = ag.Graph("gen:cycle?n=1500")
    assert repr(graph) == "<antipode_graph.Graph: 1,500 vertices, 1,500 edges, gen:cycle?n=1500>"
    assert "1,500 vertices" in graph._repr_html_()
    assert 7 in graph and 1500 not in graph and "7" not in graph and [] not in graph
    assert not graph.indptr.flags.writeable and not graph.indices.flags.writeable
    with pytest.raises(AttributeError):
        graph.order = 3
    offsets = graph.indptr
    del graph
    assert offsets[1500] == 3000  # the view keeps the memory


def test_copies_and_pickles():
    made = [
        ag.Graph("gen:grid?rows=3&cols=3"),
        ag.Graph.from_edges(["a", "b"], ["b", "c"], [0.1, 2.5], directed=True),
        ag.Graph.from_edges([], []),
    ]
    for graph in made:
        again = pickle.loads(pickle.dumps(graph))
        assert edges_of(again) == edges_of(graph) and list(again) == list(graph)
        assert again.directed == graph.directed and again.weighted == graph.weighted
        assert copy.copy(graph) is graph and copy.deepcopy(graph) is graph


def test_names_are_looked_up():
    graph = ag.Graph.from_edges(["a", "b"], ["b", "c"])
    assert graph.neighbors("b") == ["a", "c"]
    for bad in ("z", 0, [], None):
        with pytest.raises(KeyError):
            graph.neighbors(bad)
    numbered = ag.Graph("gen:path?n=4")
    assert numbered.neighbors(np.int64(1)) == [0, 2]
    for bad in (4, -1, 10**30):
        with pytest.raises(IndexError):
            numbered.neighbors(bad)
    for bad in ("1", 1.5, True, None):
        with pytest.raises(KeyError):
            numbered.neighbors(bad)
    with pytest.raises(IndexError):
        numbered.distances(np.array([0, 9]))
    with pytest.raises(KeyError):
        numbered.distances(np.array([0.5]))
