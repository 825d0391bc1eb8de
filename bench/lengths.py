#!/usr/bin/env python3
"""Diameter, all eccentricities, average and betweenness with lengths, beside igraph and NetworKit
in the same run. igraph searches from every vertex: its time for a diameter is that of eight
sources, extrapolated.

Usage: lengths.py ANTIPODE DATA_FOLDER
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import igraph
import networkit

GRAPHS = ["OL-road.gr.gz", "cal-road.gr.gz", "usa-algs4.gr.zst", "USA-road-d.NY.gr.zst"]
BETWEENNESS = GRAPHS[:2]  # exactly
SOURCES = 8


def asked(antipode, *arguments):
    done = subprocess.run(
        [antipode, *arguments, "--weighted", "--json", "--quiet", "--engine", "cpu"],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def seconds(antipode, *arguments, runs=5):
    return statistics.median(asked(antipode, *arguments)["seconds"]["compute"] for _ in range(runs))


def timed(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def largest_component(antipode, graph, folder):
    """Its file, and the same graph for both peers."""
    text = Path(folder) / f"{graph.name}.txt"
    subprocess.run(
        [antipode, "convert", graph, text, "--largest", "--weighted", "--quiet"], check=True
    )
    rows = [line.split() for line in text.read_text().splitlines() if line[0] != "#"]
    number = {
        name: i for i, name in enumerate(dict.fromkeys(name for row in rows for name in row[:2]))
    }
    edges = [(number[a], number[b]) for a, b, _ in rows]
    lengths = [int(length) for _, _, length in rows]
    first = igraph.Graph(n=len(number), edges=edges, edge_attrs={"length": lengths})
    second = networkit.Graph(len(number), weighted=True)
    for (a, b), length in zip(edges, lengths):
        second.addEdge(a, b, length)
    return str(text), first, second


def betweenness(antipode, text, first, second):
    yield 1, "igraph", timed(lambda: first.betweenness(weights="length")), seconds(
        antipode, "betweenness", text, "--threads", "1", runs=1
    )
    for threads in (1, 2):
        networkit.setNumberOfThreads(threads)
        yield threads, "NetworKit", timed(networkit.centrality.Betweenness(second).run), seconds(
            antipode, "betweenness", text, "--threads", str(threads), runs=1
        )


def row(*cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def header(*cells):
    row(*cells)
    print("|" + "---|" * len(cells))


def measure_distances(antipode, name, text, first):
    n = first.vcount()
    diameter = seconds(antipode, "diameter", text)
    eccentricities = seconds(antipode, "eccentricity", text)
    average = seconds(antipode, "average", text, runs=1)
    sources = [i * n // SOURCES for i in range(SOURCES)]
    its = timed(lambda: first.eccentricity(sources, weights="length")) / SOURCES
    ours = (f"{diameter * 1e3:.1f} ms", f"{eccentricities * 1e3:.0f} ms", f"{average:.2f} s")
    row(
        name,
        f"{n:,}",
        f"{first.ecount():,}",
        *ours,
        f"{its * 1e3:.2f} ms",
        f"{its * n / diameter:,.0f}",
    )


def measure_betweenness(antipode, name, text, first, second):
    for threads, peer, its, ours in betweenness(antipode, text, first, second):
        row(name, str(threads), peer, f"{its:.2f} s", f"{ours:.2f} s", f"{its / ours:.1f}")


def main():
    antipode, data = sys.argv[1], Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        made = {name: largest_component(antipode, data / name, folder) for name in GRAPHS}
        header(
            "graph", "n", "m", "diameter", "eccentricities", "average", "igraph, a source", "ratio"
        )
        for name, (text, first, _) in made.items():
            measure_distances(antipode, name, text, first)
        print()
        header("betweenness of", "threads", "peer", "its time", "Antipode", "ratio")
        for name in BETWEENNESS:
            measure_betweenness(antipode, name, *made[name])


if __name__ == "__main__":
    main()
