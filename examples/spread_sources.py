#!/usr/bin/env python3
"""Spreads sources over processes: the mean distance, from rows that workers search.

Usage: spread_sources.py [GRAPH [WORKERS]]
A graph is pickled once for each worker. `spread_over_dask.py` spreads sources over machines.
"""

import sys
from concurrent.futures import Executor, ProcessPoolExecutor

import antipode_graph as ag
import numpy as np

CHUNK = 256  # sources at a time: a row takes 4 bytes for each vertex


def receive(graph: ag.Graph) -> None:
    global kept
    kept = graph


def sums_from(sources: range) -> tuple[int, int]:
    """The sum of the distances from these sources, and how many there are."""
    rows = kept.distances(sources, threads=1)
    reached = rows > 0
    return int(rows.sum(where=reached, dtype=np.int64)), int(reached.sum())


def mean_distance(executor: Executor, order: int) -> float:
    chunks = [range(begin, min(begin + CHUNK, order)) for begin in range(0, order, CHUNK)]
    total = count = 0
    for part, pairs in executor.map(sums_from, chunks):
        total, count = total + part, count + pairs
    return total / count


def main() -> None:
    where = sys.argv[1] if len(sys.argv) > 1 else "gen:ws?n=2000"
    workers = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    graph = ag.Graph(where)
    graph = ag.Graph(graph, names=range(len(graph)))
    with ProcessPoolExecutor(workers, initializer=receive, initargs=(graph,)) as executor:
        spread = mean_distance(executor, len(graph))
    print(f"mean distance {spread:.6f}, in one process {graph.average_distance().mean:.6f}")


if __name__ == "__main__":
    main()
