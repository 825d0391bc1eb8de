#!/usr/bin/env python3
"""NetworkX and igraph against antipode on the small real graphs: diameter, radius, center, periphery, eccentricities,
triangles, clustering, components, the distribution of distances; closeness and betweenness to nine digits. Usage: compare.py ANTIPODE DATA_FOLDER"""
import gzip
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import igraph
import networkx

# igraph answers for all of these; NetworkX, which is slower, for those marked.
GRAPHS = {"power.txt.gz": True, "OL-road.gr.gz": True, "facebook_combined.txt.gz": False, "wiki-Vote.txt.gz": False, "ca-CondMat.txt.gz": False,
          "graph4096.rodinia.gz": False}
# Those on which betweenness takes seconds.
BETWEENNESS = {"power.txt.gz", "OL-road.gr.gz", "facebook_combined.txt.gz", "graph4096.rodinia.gz"}
# With lengths.
ROADS = "OL-road.gr.gz"
# Those that have a direction; or are given one, as they are written.
DIRECTED = {"wiki-Vote.txt.gz", "power.txt.gz"}


def read(path):
    """Edges as pairs of labels, by a reader that knows only these few layouts."""
    lines = gzip.open(path, "rt").read().splitlines()
    if ".gr." in path.name:
        return [tuple(line.split()[1:3]) for line in lines if line.startswith("a ")]
    if ".rodinia." in path.name:
        numbers = [int(word) for line in lines for word in line.split()]
        n, rows = numbers[0], numbers[1:]
        targets = numbers[3 + 2 * n::2]
        return [(str(v), str(u)) for v in range(n) for u in targets[rows[2 * v]:rows[2 * v] + rows[2 * v + 1]]]
    return [tuple(line.split()[:2]) for line in lines if line and line[0] not in "#%"]


def ask(program, *arguments):
    done = subprocess.run([program, *arguments, "--json", "--quiet"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def ours(program, path):
    with tempfile.TemporaryDirectory() as folder:
        info = ask(program, "info", path)
        output = Path(folder) / "e"
        eccentricity = ask(program, "eccentricity", path, "--output", str(output))
        values = dict(line.split("\t") for line in output.read_text().splitlines())
    return {"components": info["components"], "triangles": info["triangles"], "clustering": round(info["average_clustering"], 9),
            "diameter": ask(program, "diameter", path)["value"], "radius": ask(program, "radius", path)["value"],
            "center": sorted(map(str, ask(program, "center", path)["value"])), "periphery": sorted(map(str, ask(program, "periphery", path)["value"])),
            "eccentricities": {v: int(e) for v, e in values.items() if e != "nan"}, "largest": eccentricity["diameter"],
            "distribution": ask(program, "average", path)["distribution"]}


def written(program, *arguments):
    """What a verb writes with --output: the last column by the others."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "values"
        ask(program, *arguments, "--output", str(output))
        rows = [line.split("\t") for line in output.read_text().splitlines()]
    order = tuple if "--directed" in arguments else lambda ends: tuple(sorted(ends))
    return {order(row[:-1]): float(row[-1]) for row in rows}


def centralities(program, path, *direction):
    return {"closeness": written(program, "closeness", path, "--unscaled", *direction), "harmonic": written(program, "closeness", path, "--harmonic", *direction),
            "betweenness": written(program, "betweenness", path, *direction), "edge betweenness": written(program, "betweenness", path, "--edges", *direction)}


def centralities_by_igraph(edges, directed=False):
    graph = igraph.Graph.TupleList(edges, directed=directed).simplify()
    names = graph.vs["name"]
    of_vertices = lambda values: {(name,): 0 if value != value else value for name, value in zip(names, values)}  # nan: no vertex is reached
    order = tuple if directed else lambda ends: tuple(sorted(ends))
    return {"closeness": of_vertices(graph.closeness(mode="out", normalized=True)), "harmonic": of_vertices(graph.harmonic_centrality(mode="out", normalized=False)),
            "betweenness": of_vertices(graph.betweenness(directed=directed)),
            "edge betweenness": {order((names[e.source], names[e.target])): value for e, value in zip(graph.es, graph.edge_betweenness(directed=directed))}}


def apart(found, expected):
    """The first key whose values differ."""
    if found.keys() != expected.keys():
        return next(iter(found.keys() ^ expected.keys()))
    return next((key for key, value in expected.items() if abs(found[key] - value) > 1e-9 * max(1, abs(value))), None)


def read_lengths(path):
    """Edges of a DIMACS file with their lengths; of parallel ones the shortest. Lengths of 0 are made 1, so that paths can be counted."""
    lengths = {}
    for line in gzip.open(path, "rt").read().splitlines():
        if line.startswith("a "):
            _, u, v, w = line.split()
            if u != v:
                lengths[u, v] = min(max(int(w), 1), lengths.get((u, v), max(int(w), 1)))
    return lengths


def with_lengths(program, path, directed):
    """The first vertices of a road network as a graph of its own: ours and NetworkX's."""
    lengths = {(u, v): w for (u, v), w in read_lengths(path).items() if int(u) < 400 and int(v) < 400}
    graph = networkx.DiGraph() if directed else networkx.Graph()
    for (u, v), w in lengths.items():
        if not graph.has_edge(u, v) or graph[u][v]["weight"] > w:
            graph.add_edge(u, v, weight=w)
    distances = dict(networkx.all_pairs_dijkstra_path_length(graph))
    order = tuple if directed else lambda ends: tuple(sorted(ends))
    backwards = graph.reverse() if directed else graph  # NetworkX measures towards the vertex
    expected = {"closeness": {(v,): c for v, c in networkx.closeness_centrality(backwards, distance="weight").items()},
                "harmonic": {(v,): c for v, c in networkx.harmonic_centrality(backwards, distance="weight").items()},
                "betweenness": {(v,): c for v, c in networkx.betweenness_centrality(graph, weight="weight", normalized=False).items()},
                "edge betweenness": {order(e): c for e, c in networkx.edge_betweenness_centrality(graph, weight="weight", normalized=False).items()},
                "sum": {(): sum(sum(row.values()) for row in distances.values())}}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "g.txt"
        file.write_text("".join(f"{u} {v} {data['weight']}\n" for u, v, data in graph.edges(data=True)))
        options = ["--weighted", *["--directed"] * directed]
        found = {"closeness": written(program, "closeness", str(file), *options), "harmonic": written(program, "closeness", str(file), "--harmonic", *options),
                 "betweenness": written(program, "betweenness", str(file), *options), "edge betweenness": written(program, "betweenness", str(file), "--edges", *options),
                 "sum": {(): ask(program, "average", str(file), *options)["sum"]}}
    return found, expected


def from_eccentricities(values):
    low, high = min(values.values()), max(values.values())
    return {"radius": low, "diameter": high, "largest": high, "eccentricities": values,
            "center": sorted(v for v, e in values.items() if e == low), "periphery": sorted(v for v, e in values.items() if e == high)}


def by_igraph(edges):
    graph = igraph.Graph.TupleList(edges, directed=False).simplify()
    parts = graph.connected_components()
    giant = parts.giant()
    values = dict(zip(giant.vs["name"], (int(e) for e in giant.eccentricity())))
    pairs = graph.path_length_hist(directed=False)  # unordered
    return {"components": len(parts), "triangles": len(graph.list_triangles()), "distribution": [0] + [2 * int(count) for _, _, count in pairs.bins()],
            "clustering": round(graph.transitivity_avglocal_undirected(mode="zero"), 9), **from_eccentricities(values)}


def by_networkx(edges):
    graph = networkx.Graph(edges)
    graph.remove_edges_from(list(networkx.selfloop_edges(graph)))
    giant = graph.subgraph(max(networkx.connected_components(graph), key=len))
    extremes = {question.__name__: question(giant, usebounds=True)
                for question in (networkx.diameter, networkx.radius, networkx.center, networkx.periphery)}
    extremes = {name: sorted(answer) if isinstance(answer, list) else answer for name, answer in extremes.items()}
    return {"components": networkx.number_connected_components(graph), "triangles": sum(networkx.triangles(graph).values()) // 3,
            "clustering": round(networkx.average_clustering(graph), 9), **extremes}


def differing_measures(program, path, oracle):
    """How many values are compared, and a line for each that differs."""
    edges, found = read(path), ours(program, str(path))
    expected = {"igraph": by_igraph, "networkx": by_networkx}[oracle](edges)
    return len(expected), [f"{path.name}: {key}: {oracle} says {str(value)[:200]}, antipode {str(found[key])[:200]}"
                           for key, value in expected.items() if found[key] != value]


def differing_centralities(program, path, directed):
    edges, found = read(path), centralities(program, path, *["--directed"] * directed)
    expected, lines = centralities_by_igraph(edges, directed), []
    for key, values in expected.items():
        if (where := apart(found[key], values)) is not None:
            lines.append(f"{path.name}{', directed' * directed}: {key} of {where}: igraph says {values.get(where)}, antipode {found[key].get(where)}")
    return len(expected), lines


def differing_distribution(program, path):
    graph = igraph.Graph.TupleList(read(path), directed=True).simplify()
    expected = [0] + [int(count) for _, _, count in graph.path_length_hist(directed=True).bins()]
    found = ask(program, "average", str(path), "--directed")["distribution"]
    return 1, [] if found == expected else [f"{path.name}, directed: distribution: igraph says {expected}, antipode {found}"]


def differing_lengths(program, path, directed):
    found, expected = with_lengths(program, path, directed)
    lines = []
    for key, values in expected.items():
        if (where := apart(found[key], values)) is not None:
            lines.append(f"{path.name} with lengths{', directed' * directed}: {key} of {where}: NetworkX says {values.get(where)}, antipode {found[key].get(where)}")
    return len(expected), lines


def jobs(program, folder):
    """The longest first."""
    paths = [folder / name for name in GRAPHS if (folder / name).exists()]
    for path in sorted(paths, key=lambda each: each.stat().st_size, reverse=True):
        yield differing_measures, program, path, "igraph"
    for path in paths:
        if GRAPHS[path.name]:
            yield differing_measures, program, path, "networkx"
    for path in paths:
        if path.name in BETWEENNESS:
            yield differing_centralities, program, path, False
        if path.name in DIRECTED:
            yield differing_centralities, program, path, True
            yield differing_distribution, program, path
    if (folder / ROADS).exists():
        for directed in (False, True):
            yield differing_lengths, program, folder / ROADS, directed


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    for name in GRAPHS:
        if not (folder / name).exists():
            print(f"{name}: skipped, not there")
    checked = failed = 0
    with ProcessPoolExecutor() as pool:
        for result in [pool.submit(*job) for job in jobs(program, folder)]:
            count, lines = result.result()
            checked, failed = checked + count, failed + len(lines)
            for line in lines:
                print(line)
    print(f"{checked - failed} passed, {failed} failed")
    return 77 if checked == 0 else 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
