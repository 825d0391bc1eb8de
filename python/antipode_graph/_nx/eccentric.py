"""Eccentricity and what follows from it."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np

from .graph import ASK, EXACT, BackendGraph, is_key, serves


def _infinite(graph: BackendGraph) -> nx.NetworkXError:
    kind = "digraph is not strongly connected" if graph.is_directed() else "graph is not connected"
    return nx.NetworkXError(f"Found infinite path length because the {kind}")


def is_bunch(graph: Any, nodes: Any) -> bool:
    return nodes is None or isinstance(nodes, list | tuple | set | frozenset) or nodes in graph


def bunch(graph: BackendGraph, nodes: Any) -> list[Any]:
    """The nodes meant, in their order; those that are not in the graph are left out."""
    return [nodes] if nodes in graph else [node for node in nodes if node in graph]


def _can_eccentricity(G: Any, v: Any = None, sp: Any = None, weight: Any = None) -> bool | str:
    if sp is not None or not is_key(weight):
        return "sp= and functions as weight= are left to NetworkX"
    return is_bunch(G, v)


@serves(_can_eccentricity)
def eccentricity(G: BackendGraph, v: Any = None, sp: Any = None, weight: Any = None) -> Any:
    if v is None:
        if len(G) == 0:
            return {}
        if not G.reaches_all():
            raise _infinite(G)
        values = G.core.eccentricity("error", ASK)[1]
        return dict(zip(G.nodes, G.lengths(values), strict=True))
    result = {}
    for node in bunch(G, v):
        row = G.row(node)
        if row.min() < 0:
            raise _infinite(G)
        result[node] = G.length(int(row.max()))
    return result[v] if v in G else result


def _can_extreme(G: Any, e: Any = None, usebounds: bool = False, weight: Any = None) -> bool | str:
    if e is not None or not is_key(weight):
        return "e= and functions as weight= are left to NetworkX"
    if usebounds and weight is not None:
        return "usebounds= with weight= is left to NetworkX"
    return len(G) > 0 or "a graph without nodes is left to NetworkX"


def _check_reach(graph: BackendGraph, usebounds: bool) -> None:
    if graph.reaches_all():
        return
    if usebounds is True and not graph.is_directed():
        raise nx.NetworkXError("Cannot compute metric because graph is not connected.")
    raise _infinite(graph)


@serves(_can_extreme)
def diameter(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    _check_reach(G, usebounds)
    return G.length(G.core.diameter("error", ASK)[0][0])


@serves(_can_extreme)
def radius(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    _check_reach(G, usebounds)
    return G.length(G.core.radius("error", ASK)[0][0])


@serves(_can_extreme)
def center(
    G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Any = None
) -> list[Any]:
    _check_reach(G, usebounds)
    return G.names.of(G.core.center("error", ASK)[0].tolist())


@serves(_can_extreme)
def periphery(
    G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Any = None
) -> list[Any]:
    _check_reach(G, usebounds)
    return G.names.of(G.core.periphery("error", ASK)[0].tolist())


def _can_barycenter(G: Any, weight: Any = None, attr: Any = None, sp: Any = None) -> bool | str:
    if attr is not None or sp is not None or not is_key(weight):
        return "attr=, sp= and functions as weight= are left to NetworkX"
    return (len(G) > 0 and not G.is_directed()) or "only undirected graphs with nodes are served"


@serves(_can_barycenter)
def barycenter(G: BackendGraph, weight: Any = None, attr: Any = None, sp: Any = None) -> list[Any]:
    if not G.reaches_all():
        raise nx.NetworkXNoPath(
            f"Input graph {G} is disconnected, so every induced subgraph has infinite "
            "barycentricity."
        )
    sums = G.core.closeness(False, ASK)[1]
    if G.core.weighted and sums.max() * G.unit.factor >= EXACT:
        raise NotImplementedError("the sums of lengths are rounded")
    return G.names.of(np.flatnonzero(sums == sums.min()).tolist())


def _can_harmonic(G: Any, sp: Any = None, *, weight: Any = None) -> bool | str:
    return (sp is None and weight is None) or "sp= and weight= are left to NetworkX"


@serves(_can_harmonic)
def harmonic_diameter(G: BackendGraph, sp: Any = None, *, weight: Any = None) -> float:
    order = len(G)
    total = inverse_sum(G)
    if total != 0:
        return order * (order - 1) / total
    return math.inf if order > 1 else math.nan


def inverse_sum(graph: BackendGraph) -> float:
    """Of the distances of all pairs."""
    if len(graph) == 0:
        return 0.0
    pairs = graph.core.average(0, 1, ASK)[7].astype(np.float64)
    return float((pairs[1:] / np.arange(1, len(pairs))).sum())


def total_of(graph: BackendGraph) -> int | float:
    """The sum of the distances of all pairs, as a sum of NetworkX's numbers."""
    total = graph.core.average(0, 1, ASK)[0]
    if graph.floating and total * graph.unit.factor >= EXACT:
        raise NotImplementedError("the sums of lengths are rounded")
    return graph.length(total)


def _can_average(G: Any, weight: Any = None, method: Any = None) -> bool | str:
    if not is_key(weight) or (method == "unweighted" and weight is not None):
        return "functions as weight= are left to NetworkX"
    return method in (None, "unweighted", "dijkstra") or "other methods are left to NetworkX"


@serves(_can_average)
def average_shortest_path_length(
    G: BackendGraph, weight: Any = None, method: str | None = None
) -> Any:
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length"
        )
    if n == 1:
        return 0
    if not G.reaches_all():
        kind = "strongly connected" if G.is_directed() else "connected"
        raise nx.NetworkXError(f"Graph is not {kind}.")
    return total_of(G) / (n * (n - 1))


@serves(lambda G, weight=None: is_key(weight))
def wiener_index(G: BackendGraph, weight: Any = None) -> Any:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    if not G.reaches_all():
        return math.inf
    total = total_of(G)
    return total if G.is_directed() else total / 2


@serves()
def global_efficiency(G: BackendGraph) -> float:
    n = len(G)
    return inverse_sum(G) / (n * (n - 1)) if n > 1 else 0
