"""Closeness, harmonic and betweenness centrality, with NetworkX's factors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import networkx as nx
import numpy as np

from .._errors import UsageError
from .._sum_measures import closeness_values
from .eccentric import bunch, is_bunch
from .graph import ASK, EXACT, BackendGraph, is_key, serves


@serves(lambda G, u=None, distance=None, wf_improved=True: is_key(distance))
def closeness_centrality(
    G: BackendGraph, u: Any = None, distance: Any = None, wf_improved: bool = True
) -> Any:
    if u is not None:
        return _closeness_of(G, u, distance, wf_improved)
    if len(G) == 0:
        return {}
    reached, sums, *_ = G.core.closeness(False, ASK)
    if G.core.weighted:
        sums = sums * G.unit.ratio()
        if sums.max() / G.unit.ratio() * G.unit.factor >= EXACT:
            raise NotImplementedError("the sums of lengths are rounded")
    return G.named(closeness_values(reached, sums, wf_improved))


def _closeness_of(graph: BackendGraph, u: Any, distance: Any, wf_improved: bool) -> float:
    if u not in graph:
        text = f"Source {u} is not in G" if distance is None else f"Node {u} not found in graph"
        raise nx.NodeNotFound(text)
    row = graph.row(u, reverse=True)
    reached, total = int((row >= 0).sum()), sum(graph.lengths(row[row >= 0]))
    if total <= 0:
        return 0.0
    value = (reached - 1.0) / total
    return value * ((reached - 1.0) / (len(graph) - 1)) if wf_improved else value


def _can_harmonic(G: Any, nbunch: Any = None, distance: Any = None, sources: Any = None) -> Any:
    if sources is not None or not is_key(distance):
        return "sources= and functions as distance= are left to NetworkX"
    return is_bunch(G, nbunch)


@serves(_can_harmonic)
def harmonic_centrality(
    G: BackendGraph, nbunch: Any = None, distance: Any = None, sources: Any = None
) -> dict[Any, Any]:
    if len(G) == 0:
        return {}
    nodes = set(G.nodes if nbunch is None else bunch(G, nbunch))
    values = G.core.closeness(True, ASK)[2]
    return {node: float(values[G.number(node)]) or 0 for node in nodes}


def rescaled(
    values: np.ndarray,
    n: int,
    *,
    normalized: bool,
    directed: bool,
    endpoints: bool = True,
    sampled: Sequence[int] | None = None,
) -> np.ndarray:
    """Sums over ordered pairs, scaled as NetworkX 3.6 does; `sampled`: the sources."""
    most = n if endpoints else n - 1
    if most < 2:
        return values
    sources = most if sampled is None else len(sampled)
    ways = 1 if directed else 2

    def scale(count: int) -> float:
        if count < 1:
            return math.nan
        return 1 / (count * (most - 1)) if normalized else most / (count * ways)

    if sampled is None or endpoints:
        return values * scale(sources)
    factors = np.full(len(values), scale(sources))
    factors[list(sampled)] = scale(sources - 1)
    return values * factors


def _is_sample(k: Any) -> bool:
    return k is None or (isinstance(k, int) and k != 0)


def _numbers(graph: BackendGraph, k: int | None, seed: Any) -> list[int] | None:
    """The sources that NetworkX would draw from the same generator."""
    if k is None:
        return None
    return [graph.number(node) for node in seed.sample(list(graph.nodes), k)]


def _dependencies(
    graph: BackendGraph, sources: list[int], arcs: bool, weights: np.ndarray | None = None
) -> Any:
    if weights is None:
        weights = np.ones(len(graph))
    try:
        return graph.core.dependencies(np.array(sources, np.uint32), weights, arcs, ASK)
    except UsageError as error:  # lengths of 0
        raise NotImplementedError(str(error)) from None


def _betweenness(graph: BackendGraph, edges: bool) -> Any:
    try:
        return graph.core.betweenness(edges, 0, 1, ASK)
    except UsageError as error:
        raise NotImplementedError(str(error)) from None


def _can_betweenness(
    G: Any,
    k: Any = None,
    normalized: bool = True,
    weight: Any = None,
    endpoints: bool = False,
    seed: Any = None,
) -> bool | str:
    return (is_key(weight) and _is_sample(k)) or "functions as weight= are left to NetworkX"


@serves(_can_betweenness)
def betweenness_centrality(
    G: BackendGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    endpoints: bool = False,
    seed: Any = None,
) -> dict[Any, float]:
    n = len(G)
    if n == 0:
        return {}
    sampled = None if k == n else _numbers(G, k, seed)
    if sampled is None:
        values = _betweenness(G, False)[0] * (1 if G.is_directed() else 2)
    else:
        values = _dependencies(G, sampled, False)[0]
    if endpoints:
        values = values + _ends(G, sampled)
    directed = G.is_directed()
    return G.named(
        rescaled(
            values,
            n,
            normalized=normalized,
            directed=directed,
            endpoints=endpoints,
            sampled=sampled,
        )
    )


def _ends(graph: BackendGraph, sampled: list[int] | None) -> np.ndarray:
    """How many of the paths from the sources begin or end at each node."""
    if sampled is None and not graph.is_directed():
        _, of = graph.components()
        return 2.0 * (np.bincount(of)[of] - 1)
    ends = np.zeros(len(graph))
    for source in range(len(graph)) if sampled is None else sampled:
        reached = graph.core.distances(np.array([source], np.uint32), ASK)[0] >= 0
        reached[source] = False
        ends += reached
        ends[source] += reached.sum()
    return ends


def _can_edges(
    G: Any, k: Any = None, normalized: bool = True, weight: Any = None, seed: Any = None
) -> bool | str:
    if G.is_multigraph():
        return "keys of parallel edges are left to NetworkX"
    return (is_key(weight) and _is_sample(k)) or "functions as weight= are left to NetworkX"


@serves(_can_edges)
def edge_betweenness_centrality(
    G: BackendGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    seed: Any = None,
) -> dict[Any, float]:
    n = len(G)
    if n == 0:
        return {}
    sampled = _numbers(G, k, seed)
    if sampled is None:
        source, target, values = _betweenness(G, True)[1:4]
        values = values * (1 if G.is_directed() else 2)
    else:
        source, target, values = _edges_of_arcs(G, _dependencies(G, sampled, True)[1])
    values = rescaled(values, n, normalized=normalized, directed=G.is_directed(), sampled=sampled)
    nodes = G.nodes
    result = {
        (nodes[u], nodes[v]): value
        for u, v, value in zip(source.tolist(), target.tolist(), values.tolist(), strict=True)
    }
    for loop in G.loops.tolist():
        result[nodes[loop], nodes[loop]] = 0.0
    return result


def _edges_of_arcs(
    graph: BackendGraph, arcs: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The ends of every edge, in the order of the nodes, and the sum over its arcs."""
    degrees = np.diff(graph.core.offsets).astype(np.int64)
    source, target = np.repeat(np.arange(len(graph)), degrees), graph.core.targets.astype(np.int64)
    if graph.is_directed():
        return source, target, arcs
    key = np.minimum(source, target) * len(graph) + np.maximum(source, target)
    keys, edge = np.unique(key, return_inverse=True)
    return keys // len(graph), keys % len(graph), np.bincount(edge, arcs, len(keys))


def _can_subset(
    G: Any, sources: Any, targets: Any, normalized: bool = False, weight: Any = None
) -> bool | str:
    lists = all(isinstance(nodes, list | tuple | set) for nodes in (sources, targets))
    if not is_key(weight) or not lists:
        return "functions as weight= are left to NetworkX"
    return all(node in G for nodes in (sources, targets) for node in nodes)


@serves(_can_subset)
def betweenness_centrality_subset(
    G: BackendGraph, sources: Any, targets: Any, normalized: bool = False, weight: Any = None
) -> dict[Any, float]:
    n = len(G)
    weights, values = np.zeros(n), np.zeros(n)
    weights[[G.number(node) for node in targets]] = 1
    numbers = [G.number(node) for node in sources]
    if both := [s for s in numbers if weights[s]]:
        values += _dependencies(G, both, False, weights)[0]
    for source in (s for s in numbers if not weights[s]):
        weights[source] = 1  # it sends to the targets; a path to itself passes no node
        values += _dependencies(G, [source], False, weights)[0]
        weights[source] = 0
    directed = G.is_directed()
    return G.named(rescaled(values, n, normalized=normalized, directed=directed, endpoints=False))
