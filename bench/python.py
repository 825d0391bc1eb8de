#!/usr/bin/env python3
"""Five functions of NetworkX with the backend, beside plain NetworkX, igraph and NetworKit.

Usage: OMP_NUM_THREADS=1 PYTHONPATH=build/release/python python bench/python.py [--plot PNG] GRAPH…
Processor time from a NetworkX graph to the answer as Python numbers, with one thread each; the
conversion from NetworkX is part of it. Ours is the median of five, or of fewer that take seconds.
What takes others long is extrapolated, and marked with ~: the time for SAMPLE sources, and for each
further source what it takes more for three times as many.
The others come from the index: pip install igraph networkit matplotlib.
"""

import argparse
import random
import statistics
import time
from pathlib import Path

import antipode_graph as ag
import igraph
import networkit
import networkx as nx

SAMPLE = 16  # sources
LARGE = 2e7  # vertices times edges, from which on others are extrapolated
FUNCTIONS = (
    "diameter",
    "eccentricity",
    "closeness_centrality",
    "betweenness_centrality",
    "average_shortest_path_length",
)
PLAIN = {"backend": "networkx"}


def seconds(call):
    begin = time.process_time()
    call()
    return time.process_time() - begin


def largest_component(path):
    """Of NetworkX, from a file that Antipode reads."""
    graph = ag.Graph(path)
    parts = graph.components()
    members = parts.members(parts.largest)
    number = {v: i for i, v in enumerate(members)}
    result = nx.Graph()
    result.add_nodes_from(range(len(members)))
    result.add_edges_from((number[u], number[v]) for u in members for v in graph.neighbors(u))
    return result


def sampled_networkx(graph, name, sources):
    """The work that NetworkX does for these sources."""
    if name in ("diameter", "eccentricity"):
        nx.eccentricity(graph, v=sources, **PLAIN)
    elif name == "closeness_centrality":
        for source in sources:
            nx.closeness_centrality(graph, u=source, **PLAIN)
    elif name == "betweenness_centrality":
        nx.betweenness_centrality(graph, k=len(sources), seed=1, **PLAIN)
    else:
        for source in sources:
            sum(nx.single_source_shortest_path_length(graph, source, **PLAIN).values())


def to_igraph(graph):
    return igraph.Graph(n=len(graph), edges=list(graph.edges))


IGRAPH = {
    "diameter": lambda g: g.diameter(directed=False),
    "eccentricity": lambda g: g.eccentricity(),
    "closeness_centrality": lambda g: g.closeness(),
    "betweenness_centrality": lambda g: g.betweenness(),
    "average_shortest_path_length": lambda g: g.average_path_length(directed=False),
}


def sampled_igraph(graph, name, sources):
    if name in ("diameter", "eccentricity"):
        graph.eccentricity(vertices=sources)
    elif name == "closeness_centrality":
        graph.closeness(vertices=sources)
    elif name == "betweenness_centrality":
        graph.betweenness(sources=sources)
    else:
        graph.distances(source=sources)


def eccentricities(graph, sources):
    return [networkit.distance.Eccentricity.getValue(graph, source)[1] for source in sources]


def closeness(graph):
    standard = networkit.centrality.ClosenessVariant.STANDARD
    return networkit.centrality.Closeness(graph, True, standard).run().scores()


def exact_diameter(graph):
    exact = networkit.distance.DiameterAlgo.EXACT
    return networkit.distance.Diameter(graph, algo=exact).run().getDiameter()[0]


NETWORKIT = {
    "diameter": exact_diameter,
    "eccentricity": lambda g: eccentricities(g, range(g.numberOfNodes())),
    "closeness_centrality": closeness,
    "betweenness_centrality": lambda g: networkit.centrality.Betweenness(g).run().scores(),
    "average_shortest_path_length": lambda g: networkit.distance.NeighborhoodFunction(g)
    .run()
    .getNeighborhoodFunction(),
}


def sampled_networkit(graph, name, sources):
    if name == "eccentricity":
        eccentricities(graph, sources)
    elif name == "closeness_centrality":
        networkit.centrality.ApproxCloseness(graph, len(sources)).run()
    elif name == "betweenness_centrality":
        networkit.centrality.EstimateBetweenness(graph, len(sources)).run()
    else:  # no function of its own: searches
        for source in sources:
            sum(networkit.distance.BFS(graph, source, storePaths=False).run().getDistances())


def converted(graph):
    """Graphs of the others, and the times to make them."""
    result = {}
    for name, convert in (("igraph", to_igraph), ("NetworKit", networkit.nxadapter.nx2nk)):
        made = []
        took = seconds(lambda convert=convert, made=made: made.append(convert(graph)))
        result[name] = made[0], took
    return result


def ours(graph, name):
    function, times = getattr(nx, name), []
    while len(times) < 5 and sum(times) < 3:
        graph.__networkx_cache__.clear()
        times.append(seconds(lambda: function(graph, backend="antipode")))
    return statistics.median(times)


def theirs(graph, name, whole, sampled):
    """Seconds, and whether they are extrapolated."""
    order = len(graph)
    if order * graph.size() < LARGE or (whole is not None and name == "diameter" and not sampled):
        return seconds(whole), False
    sources = random.Random(1).sample(range(order), 3 * SAMPLE)
    few, more = seconds(lambda: sampled(sources[:SAMPLE])), seconds(lambda: sampled(sources))
    return few + (more - few) * (order - SAMPLE) / (2 * SAMPLE), True


def rows_of(graph):
    peers = converted(graph)
    for name in FUNCTIONS:
        own = ours(graph, name)
        plain = theirs(
            graph,
            name,
            lambda name=name: getattr(nx, name)(graph, **PLAIN),
            lambda sources, name=name: sampled_networkx(graph, name, sources),
        )
        cells = {"NetworkX": plain}
        for peer, whole, sampled in (
            ("igraph", IGRAPH, sampled_igraph),
            ("NetworKit", NETWORKIT, sampled_networkit),
        ):
            other, conversion = peers[peer]
            is_one_run = peer == "NetworKit" and name == "diameter"  # not a search for each vertex
            took, rough = theirs(
                graph,
                name,
                lambda whole=whole, other=other, name=name: whole[name](other),
                None
                if is_one_run
                else lambda sources, sampled=sampled, other=other, name=name: sampled(
                    other, name, sources
                ),
            )
            cells[peer] = took + conversion, rough
        yield name, own, cells


def text_of(own, took, rough):
    return f"{'~' if rough else ''}{took:.3g} s, {took / own:,.0f} ×"


def plot(results, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(FUNCTIONS), figsize=(11, 3.2), sharey=True)
    for axis, function in zip(axes, FUNCTIONS, strict=True):
        for shift, peer in enumerate(("NetworkX", "igraph", "NetworKit")):
            ratios = [rows[function][1][peer][0] / rows[function][0] for rows in results.values()]
            places = [place + 0.27 * (shift - 1) for place in range(len(ratios))]
            axis.bar(places, ratios, 0.25, label=peer)
        axis.axhline(1, color="black", linewidth=0.8)
        axis.set_yscale("log")
        axis.set_title(function, fontsize=7)
        axis.set_xticks(range(len(results)), results, rotation=60, fontsize=7)
    axes[0].set_ylabel("times the backend's time", fontsize=8)
    figure.legend(*axes[0].get_legend_handles_labels(), fontsize=7, loc="lower right")
    figure.tight_layout()
    figure.savefig(path, dpi=90)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--plot")
    options = parser.parse_args()
    networkit.setNumberOfThreads(1)
    results = {}
    for path in options.graphs:
        graph = largest_component(path)
        label = Path(path).name.split(".")[0]
        print(f"\n{label}: {len(graph):,} vertices, {graph.size():,} edges\n")
        print("| function | backend | NetworkX | igraph | NetworKit |\n|---|---|---|---|---|")
        rows = results[label] = {}
        for name, own, cells in rows_of(graph):
            rows[name] = own, cells
            others = " | ".join(text_of(own, *cell) for cell in cells.values())
            print(f"| `{name}` | {1e3 * own:.3g} ms | {others} |", flush=True)
        if options.plot:
            plot(results, options.plot)


if __name__ == "__main__":
    main()
