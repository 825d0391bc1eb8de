#!/usr/bin/env python3
"""NetworkX's functions with and without the backend, conversion included, in processor time.

Usage: PYTHONPATH=build/release/python .venv/bin/python bench/networkx_backend.py GRAPH…
Ours is the median of five, NetworkX's own one run: it takes minutes for a few thousand nodes.
"""
import statistics
import sys
import time

import antipode_graph as ag
import networkx as nx

FUNCTIONS = (
    "diameter",
    "eccentricity",
    "average_shortest_path_length",
    "closeness_centrality",
    "betweenness_centrality",
)


def seconds(call):
    begin = time.process_time()
    call()
    return time.process_time() - begin


def largest_component(path):
    """Of NetworkX, from a file that Antipode reads."""
    graph = ag.Graph(path)
    parts = graph.components()
    result = nx.Graph()
    result.add_nodes_from(parts.members(parts.largest))
    result.add_edges_from((u, v) for u in result for v in graph.neighbors(u))
    return result


def main():
    for path in sys.argv[1:]:
        graph = largest_component(path)
        print(f"{path}: {len(graph)} nodes, {graph.size()} edges")
        for name in FUNCTIONS:
            function, ours = getattr(nx, name), []
            for _ in range(5):
                graph.__networkx_cache__.clear()
                ours.append(seconds(lambda: function(graph, backend="antipode")))
            theirs = seconds(lambda: function(graph, backend="networkx"))
            own = statistics.median(ours)
            ratio = theirs / own
            print(f"  {name:30} {1e3 * own:9.1f} ms {theirs:8.2f} s {ratio:7.0f} ×", flush=True)


if __name__ == "__main__":
    main()
