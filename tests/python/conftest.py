"""Random graphs, the folder of real ones, and the program."""

import os
import random
from pathlib import Path

import networkx as nx
import pytest


@pytest.fixture
def data():
    folder = Path(os.environ.get("ANTIPODE_TEST_DATA", ""))
    if not (folder / "com-dblp.txt.zst").exists():
        pytest.skip("ANTIPODE_TEST_DATA has no real graphs")
    return folder


@pytest.fixture
def program():
    """The command line program, which may not be built beside the module."""
    path = os.environ.get("ANTIPODE_PROGRAM", "")
    if not os.access(path, os.X_OK):
        pytest.skip("ANTIPODE_PROGRAM is no program")
    return path


def random_graph(seed, kind=nx.Graph, lengths=None):
    """Up to 14 vertices, often in several components, with loops and parallel edges."""
    rng = random.Random(seed)
    order = rng.randrange(1, 15)
    nodes = list(range(order))
    rng.shuffle(nodes)
    graph = kind()
    graph.add_nodes_from(nodes)
    for _ in range(rng.randrange(0, 3 * order)):
        data = {} if lengths is None else {"weight": rng.choice(lengths)}
        graph.add_edge(rng.choice(nodes), rng.choice(nodes), **data)
    return graph


def connected(graph):
    return nx.is_strongly_connected(graph) if graph.is_directed() else nx.is_connected(graph)
