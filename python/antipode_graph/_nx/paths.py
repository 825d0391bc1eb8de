"""Lengths of shortest paths, nearest nodes first, and one path between two nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from .graph import ASK, BackendGraph, is_key, serves

BATCH = 64  # sources whose rows are held at once


def _lengths(graph: BackendGraph, row: np.ndarray, reached: np.ndarray) -> dict[Any, Any]:
    found = np.flatnonzero(reached)
    found = found[np.argsort(row[found], kind="stable")]
    return dict(zip(graph.names.of(found.tolist()), graph.lengths(row[found]), strict=True))


def _in_edges(graph: BackendGraph, row: np.ndarray, cutoff: float | None) -> dict[Any, Any]:
    """NetworkX goes one level on while the level is below the cutoff."""
    reached = row >= 0
    if cutoff is not None:
        reached &= (row == 0) | (row - 1 < cutoff)
    return _lengths(graph, row, reached)


def _in_lengths(graph: BackendGraph, row: np.ndarray, cutoff: float | None) -> dict[Any, Any]:
    reached = row >= 0
    found = _lengths(graph, row, reached)
    return found if cutoff is None else {node: d for node, d in found.items() if d <= cutoff}


def _rows(graph: BackendGraph) -> Iterator[tuple[Any, np.ndarray]]:
    for begin in range(0, len(graph), BATCH):
        numbers = np.arange(begin, min(begin + BATCH, len(graph)), dtype=np.uint32)
        rows = graph.core.distances(numbers, ASK)
        yield from zip(graph.names.of(numbers.tolist()), rows, strict=True)


def _check(graph: BackendGraph, node: Any, role: str) -> None:
    if node not in graph:
        raise nx.NodeNotFound(f"{role} {node} is not in G")


def _is_cutoff(cutoff: Any) -> bool:
    return cutoff is None or (isinstance(cutoff, int | float) and cutoff >= 0)


@serves(lambda G, source, cutoff=None: _is_cutoff(cutoff))
def single_source_shortest_path_length(
    G: BackendGraph, source: Any, cutoff: float | None = None
) -> dict[Any, Any]:
    _check(G, source, "Source")
    return _in_edges(G, G.row(source), cutoff)


@serves(lambda G, target, cutoff=None: _is_cutoff(cutoff))
def single_target_shortest_path_length(
    G: BackendGraph, target: Any, cutoff: float | None = None
) -> dict[Any, Any]:
    _check(G, target, "Target")
    return _in_edges(G, G.row(target, reverse=True), cutoff)


@serves(lambda G, cutoff=None: _is_cutoff(cutoff))
def all_pairs_shortest_path_length(
    G: BackendGraph, cutoff: float | None = None
) -> Iterator[tuple[Any, dict[Any, Any]]]:
    for node, row in _rows(G):
        yield node, _in_edges(G, row, cutoff)


def _check_dijkstra(graph: BackendGraph, node: Any) -> None:
    if node not in graph:
        raise nx.NodeNotFound(f"Node {node} not found in graph")


def _is_weight(weight: Any) -> bool:
    return isinstance(weight, str)


@serves(lambda G, source, cutoff=None, weight="weight": _is_cutoff(cutoff) and _is_weight(weight))
def single_source_dijkstra_path_length(
    G: BackendGraph, source: Any, cutoff: float | None = None, weight: Any = "weight"
) -> dict[Any, Any]:
    hash(source)  # NetworkX puts it into a set
    _check_dijkstra(G, source)
    return _in_lengths(G, G.row(source), cutoff)


@serves(lambda G, cutoff=None, weight="weight": _is_cutoff(cutoff) and _is_weight(weight))
def all_pairs_dijkstra_path_length(
    G: BackendGraph, cutoff: float | None = None, weight: Any = "weight"
) -> Iterator[tuple[Any, dict[Any, Any]]]:
    for node, row in _rows(G):
        yield node, _in_lengths(G, row, cutoff)


@serves(lambda G, source, target, weight="weight": _is_weight(weight))
def dijkstra_path_length(G: BackendGraph, source: Any, target: Any, weight: Any = "weight") -> Any:
    _check_dijkstra(G, source)
    if source == target:
        return 0
    raw = int(G.row(source)[G.number(target)]) if target in G else -1
    if raw < 0:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return G.length(raw)


def _can_length(
    G: Any, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> bool | str:
    if not is_key(weight) or (weight is not None and method != "dijkstra"):
        return "functions as weight= and other methods are left to NetworkX"
    return True


@serves(_can_length)
def shortest_path_length(
    G: BackendGraph,
    source: Any = None,
    target: Any = None,
    weight: Any = None,
    method: str = "dijkstra",
) -> Any:
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    if source is None and target is None:
        pairs = all_pairs_shortest_path_length if weight is None else all_pairs_dijkstra_path_length
        return pairs(G)
    if source is not None and target is not None:
        if weight is not None:
            return dijkstra_path_length(G, source, target)
        return len(bidirectional_shortest_path(G, source, target)) - 1
    node, reverse = (target, True) if source is None else (source, False)
    if weight is None:
        _check(G, node, "Source")  # of the reversed graph, too
        return _in_edges(G, G.row(node, reverse), None)
    hash(node)
    _check_dijkstra(G, node)
    return _in_lengths(G, G.row(node, reverse), None)


@serves()
def bidirectional_shortest_path(G: BackendGraph, source: Any, target: Any) -> list[Any]:
    _check(G, source, "Source")
    _check(G, target, "Target")
    path = G.core.path(G.number(source), G.number(target), ASK)
    if not path:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return G.names.of(path)


@serves(lambda G, source, target: source is not None and target is not None)
def has_path(G: BackendGraph, source: Any, target: Any) -> bool:
    try:
        bidirectional_shortest_path(G, source, target)
    except nx.NetworkXNoPath:
        return False
    return True


@serves(lambda G, source, distance: isinstance(distance, int | float))
def descendants_at_distance(G: BackendGraph, source: Any, distance: float) -> set[Any]:
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    if distance < 0:
        return set()
    return set(G.names.of(np.flatnonzero(G.row(source) == distance).tolist()))
