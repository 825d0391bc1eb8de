"""How NetworkX finds the backend, what it is given, and what stays with NetworkX."""

import copy
import pickle
import subprocess
import sys

import networkx as nx
import pytest
from antipode_graph import nx_info
from antipode_graph._nx.graph import FUNCTIONS
from antipode_graph.nx_backend import backend

pytestmark = pytest.mark.filterwarnings("ignore:Note. conversions")


def test_the_functions_that_are_announced_are_those_that_are_there():
    assert sorted(FUNCTIONS) == sorted(nx_info.FUNCTIONS)
    assert all(hasattr(nx, name) for name in FUNCTIONS if name != "is_strongly_connected")
    assert "antipode" in nx.utils.backends.backends


def test_importing_networkx_does_not_import_the_package():
    code = """
import sys, networkx
assert "antipode" in networkx.utils.backends.backend_info
print(sorted(name for name in sys.modules if name.startswith(("antipode_graph.", "numpy"))))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "['antipode_graph.nx_info']", done.stderr


def test_weights_that_are_left_to_networkx():
    for bad in (-1, 0.1, "x", 2**60):
        graph = nx.path_graph(4)
        nx.set_edge_attributes(graph, {(0, 1): bad, (1, 2): 0.3, (2, 3): 7.7e-9}, "weight")
        with pytest.raises(NotImplementedError):
            nx.diameter(graph, weight="weight", backend="antipode")
    with pytest.raises(NotImplementedError):
        nx.diameter(nx.path_graph(4), weight=lambda u, v, d: 1, backend="antipode")


def test_what_is_not_served_falls_back():
    graph = nx.path_graph(100)
    nx.set_edge_attributes(graph, 0.1, "weight")
    with nx.config(backend_priority=["antipode"]):
        assert nx.diameter(graph, weight="weight") == pytest.approx(9.9)
        assert nx.diameter(graph, e={0: 3, 1: 4}) == 4
        assert nx.diameter(graph) == 99


def test_a_graph_that_stays_converted():
    graph = backend.convert_from_nx(nx.path_graph(5))
    assert nx.diameter(graph) == 4 and nx.is_connected(graph)
    assert nx.closeness_centrality(graph)[2] == pytest.approx(4 / 6)
    assert backend.convert_from_nx(graph) is graph
    assert nx.utils.graphs_equal(backend.convert_to_nx(graph), nx.path_graph(5))


def test_by_itself_it_takes_graphs_that_are_worth_it():
    large, small = nx.cycle_graph(100), nx.cycle_graph(10)
    assert backend.should_run("diameter", (large,), {}) is True
    assert backend.should_run("diameter", (), {"G": small}) != True  # noqa: E712
    counted = []
    original = backend.diameter
    try:
        type(backend).diameter = staticmethod(
            lambda G, *a: counted.append(len(G)) or original(G, *a)
        )
        with nx.config(backend_priority=["antipode"]):
            assert nx.diameter(large) == 50 and nx.diameter(small) == 5
            with nx.config.backends.antipode(smallest_order=10):
                assert nx.diameter(small) == 5
    finally:
        type(backend).diameter = staticmethod(original)
    assert counted == [100, 10]


def test_graphs_that_were_converted_are_copied_and_pickled():
    graph = nx.path_graph(70)
    assert nx.diameter(graph, backend="antipode") == 69
    for again in (copy.deepcopy(graph), pickle.loads(pickle.dumps(graph)), graph.copy()):
        assert nx.utils.graphs_equal(again, graph)
        assert nx.diameter(again, backend="antipode") == 69


def test_changes_are_seen():
    graph = nx.path_graph(80)
    assert nx.diameter(graph, backend="antipode") == 79
    graph.add_edge(0, 79)
    assert nx.diameter(graph, backend="antipode") == 40
