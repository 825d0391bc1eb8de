"""Components, triangles and clustering."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from .graph import BackendGraph, serves


def _sets(graph: BackendGraph, count: int, of: np.ndarray) -> Iterator[set[Any]]:
    order = np.argsort(of, kind="stable")
    ends = np.cumsum(np.bincount(of, minlength=count))[:-1]
    for part in np.split(order, ends) if count else ():
        yield set(graph.names.of(part.tolist()))


def _check_nodes(graph: BackendGraph) -> None:
    if len(graph) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")


@serves()
def connected_components(G: BackendGraph) -> Iterator[set[Any]]:
    yield from _sets(G, *G.components())


@serves()
def weakly_connected_components(G: BackendGraph) -> Iterator[set[Any]]:
    yield from _sets(G, *G.components())


@serves()
def strongly_connected_components(G: BackendGraph) -> Iterator[set[Any]]:
    """In an order of its own: no edge goes from a set to a later one."""
    of, orders, _, _ = G.core.components(True)
    yield from _sets(G, len(orders), of)


@serves()
def number_connected_components(G: BackendGraph) -> int:
    return G.components()[0]


@serves()
def number_weakly_connected_components(G: BackendGraph) -> int:
    return G.components()[0]


@serves()
def number_strongly_connected_components(G: BackendGraph) -> int:
    return len(G.core.components(True)[1])


@serves()
def is_connected(G: BackendGraph) -> bool:
    _check_nodes(G)
    return G.components()[0] == 1


@serves()
def is_weakly_connected(G: BackendGraph) -> bool:
    _check_nodes(G)
    return G.components()[0] == 1


@serves()
def is_strongly_connected(G: BackendGraph) -> bool:
    _check_nodes(G)
    return G.reaches_all()


@serves(lambda G, n: n in G)
def node_connected_component(G: BackendGraph, n: Any) -> set[Any]:
    _, of = G.components()
    return set(G.names.of(np.flatnonzero(of == of[G.number(n)]).tolist()))


def _degrees(graph: BackendGraph) -> np.ndarray:
    return np.diff(graph.core.offsets.astype(np.int64))


@serves(lambda G, nodes=None: nodes is None)
def triangles(G: BackendGraph, nodes: Any = None) -> dict[Any, int]:
    return G.named(G.core.triangles()[1])


def _can_cluster(G: Any, nodes: Any = None, weight: Any = None) -> bool | str:
    if G.is_directed() or G.is_multigraph():
        return "directed graphs and multigraphs are left to NetworkX"
    return (nodes is None and weight is None) or "nodes= and weight= are left to NetworkX"


@serves(_can_cluster)
def clustering(G: BackendGraph, nodes: Any = None, weight: Any = None) -> dict[Any, float]:
    twice = (2 * G.core.triangles()[1].astype(np.int64)).tolist()
    rows = zip(G.nodes, twice, _degrees(G).tolist(), strict=True)
    return {node: 0 if t == 0 else t / (d * (d - 1)) for node, t, d in rows}


@serves(_can_cluster)
def transitivity(G: BackendGraph) -> float:
    degrees, total = _degrees(G), G.core.triangles()[0]
    return 6 * total / int((degrees * (degrees - 1)).sum()) if total else 0
