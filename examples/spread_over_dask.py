#!/usr/bin/env python3
"""Spreads sources over the workers of a Dask cluster: the closeness of every vertex.

Usage: spread_over_dask.py [GRAPH [SCHEDULER]]
SCHEDULER is an address such as tcp://head:8786; without it two processes are started here. The graph
is pickled and sent to each worker once. Each task returns sums over its sources, 16 bytes for each
vertex, so that few bytes come back.
"""

import sys

import antipode_graph as ag
import numpy as np
from dask.distributed import Client, as_completed

CHUNK = 256  # sources at a time: a row takes 4 bytes for each vertex


def sums_from(graph: ag.Graph, begin: int) -> np.ndarray:
    """How many of these sources reach each vertex, and the sum of their distances to it."""
    sources = graph.names[begin : begin + CHUNK]
    rows = graph.distances(sources=sources, threads=1)
    reached = rows >= 0
    return np.stack([reached.sum(axis=0), rows.sum(axis=0, where=reached, dtype=np.int64)])


def closeness(client: Client, graph: ag.Graph) -> np.ndarray:
    """As `graph.closeness()` has it: by the formula of Wasserman and Faust."""
    everywhere = client.scatter(graph, broadcast=True)
    parts = [client.submit(sums_from, everywhere, at) for at in range(0, len(graph), CHUNK)]
    total = sum(result for _, result in as_completed(parts, with_results=True))
    others, distances = total[0] - 1, total[1]
    inverse = np.divide(others, distances, out=np.zeros(len(graph)), where=distances > 0)
    return inverse * others / (len(graph) - 1)


def main() -> None:
    where = sys.argv[1] if len(sys.argv) > 1 else "gen:ws?n=2000"
    graph = ag.Graph(where)
    with Client(sys.argv[2]) if len(sys.argv) > 2 else local_client() as client:
        spread = closeness(client, graph)
    own = graph.closeness(disconnected="reachable").values
    print(f"the largest difference is {abs(spread - own).max():.1e}", end=", ")
    print(f"the most central vertex {graph.names[int(spread.argmax())]}")


def local_client() -> Client:
    return Client(n_workers=2, threads_per_worker=1, dashboard_address=None)


if __name__ == "__main__":
    main()
