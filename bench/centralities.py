#!/usr/bin/env python3
"""Average distance, closeness and betweenness: ours beside igraph and NetworKit in the same run, as time a source. Where a peer would take
minutes it searches from some of the sources; ours always does all of average and closeness.

Usage: centralities.py ANTIPODE DATA_FOLDER [--skip-betweenness]
"""
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import igraph
import networkit

from run import edge_list

GRAPHS = ["email-Enron.txt.gz", "web-NotreDame.txt.zst", "gen:uniform?n=1000000&degree=8"]
BETWEENNESS = [("wiki-Vote.txt.gz", None), ("ca-CondMat.txt.gz", None), ("email-Enron.txt.gz", 2000)]  # sources; None: all, exactly
PATIENCE = 12  # seconds a peer may search for


def asked(antipode, *arguments):
    return json.loads(subprocess.run([antipode, *arguments, "--json", "--quiet", "--engine", "cpu"], capture_output=True, text=True, check=True).stdout)


def a_source(search, sources):
    """Seconds for one, from as many as there is patience for."""
    done, start = 0, time.perf_counter()
    for source in sources:
        search(source)
        done += 1
        if time.perf_counter() - start > PATIENCE:
            break
    return (time.perf_counter() - start) / done, done


def ours_a_source(antipode, verb, text, order):
    """Exactly from all sources if that is a matter of a minute; else from a sample (average) or as predicted from the first of them."""
    predicted = asked(antipode, verb, text, "--estimate")["estimate"]["seconds"]
    if predicted < 60:
        return asked(antipode, verb, text)["seconds"]["compute"] / order, "all"
    return predicted / order, "predicted"


def main():
    antipode, data = sys.argv[1], Path(sys.argv[2])
    networkit.setNumberOfThreads(2)
    print("| graph | n | m | average, µs a source | closeness, µs a source | igraph, µs a source (sources) | NetworKit, µs a source on two threads (sources) | igraph / average | NetworKit / average | igraph / closeness | NetworKit / closeness |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name in GRAPHS:
        path = name if name.startswith("gen:") else str(data / name)
        with tempfile.TemporaryDirectory() as folder:
            text = edge_list(antipode, path, folder)
            peer = igraph.Graph.Read_Edgelist(str(text), directed=False)
            step = max(1, peer.vcount() // 997)
            by_igraph, igraph_sources = a_source(lambda s: peer.closeness(vertices=[s]), range(0, peer.vcount(), step))
            order, size = peer.vcount(), peer.ecount()
            del peer
            graph = networkit.readGraph(str(text), networkit.Format.EdgeListSpaceZero)
            by_networkit, networkit_sources = a_source(lambda s: networkit.distance.BFS(graph, s, storePaths=False).run(), range(0, order, step))
            by_networkit /= 2  # as if two searches at once took no longer than one
            del graph
            average, how = ours_a_source(antipode, "average", str(text), order)
            closeness, also = ours_a_source(antipode, "closeness", str(text), order)
        print(f"| {name} | {order:,} | {size:,} | {average * 1e6:.1f} ({how}) | {closeness * 1e6:.1f} ({also}) | {by_igraph * 1e6:.0f} ({igraph_sources}) | {by_networkit * 1e6:.0f} ({networkit_sources}) "
              f"| {by_igraph / average:.1f} | {by_networkit / average:.1f} | {by_igraph / closeness:.1f} | {by_networkit / closeness:.1f} |", flush=True)
    if "--skip-betweenness" in sys.argv:
        return
    print("\n| betweenness of | sources | threads | ours | NetworKit | ratio |\n|---|---|---|---|---|---|")
    for name, samples in BETWEENNESS:
        with tempfile.TemporaryDirectory() as folder:
            text = edge_list(antipode, str(data / name), folder)
            graph = networkit.readGraph(str(text), networkit.Format.EdgeListSpaceZero)
            for threads in (1, 2):
                networkit.setNumberOfThreads(threads)
                ours = asked(antipode, "betweenness", str(text), "--threads", str(threads), *(["--samples", str(samples)] if samples else []))["seconds"]["compute"]
                start = time.perf_counter()
                (networkit.centrality.EstimateBetweenness(graph, samples, parallel=True) if samples else networkit.centrality.Betweenness(graph)).run()
                theirs = time.perf_counter() - start
                print(f"| {name} | {samples or 'all'} | {threads} | {ours:.2f} s | {theirs:.2f} s | {theirs / ours:.1f} |", flush=True)


if __name__ == "__main__":
    main()
