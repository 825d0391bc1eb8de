#!/usr/bin/env python3
"""Prints one table: Antipode on the GPU beside the floor, the CPU and published times.

    bench/gpu.py BENCH_MEASURE GRAPH...

Published times: one search by BLEST on the same kind of GPU; diameters by F-Diam on 16 cores of the
same kind; T of Dal, Kosters & Takes 2014.
"""
import json
import os
import subprocess
import sys

PAPER_MS = {"web-Stanford": 111.23, "web-NotreDame": 16.35, "Email-EuAll": 8.95, "com-dblp": 21.78}
FDIAM_MS = {"USA-road-d.NY": 77, "web-Stanford": 55, "ego-Twitter": 179, "cnr-2000": 3986, "rmat 21": 202}
PEER_SEARCH_MS = {"rmat 21": 0.23, "web-Stanford": 0.67, "cnr-2000": 0.24, "ego-Twitter": 0.082, "USA-road-d.NY": 2.86}
READ = 4.57e12      # bytes a second, measured
BARRIER = 1.0e-6    # of all blocks, measured
BLOCK_LEVEL = 0.35e-6   # one block: a read that hits the cache, a barrier


def name_of(graph):
    if graph.startswith("gen:rmat"):
        return "rmat " + graph.split("scale=")[1].split("&")[0]
    return graph if graph.startswith("gen:") else os.path.basename(graph).split(".txt")[0].split(".gr.")[0].split(".mtx")[0].split(".rodinia")[0]


def floor_ms(measured):
    """A search reads four neighbours and writes one distance per vertex, level after level."""
    order, size, levels = measured["order"], measured["size"], measured["levels"]
    level = BLOCK_LEVEL if 2 * size <= 8 * order else BARRIER
    return (28 * order / READ + levels * level) * 1e3


def ratio(other, ours):
    return f"{other / ours:.1f}" if other else ""


def main():
    binary, graphs = sys.argv[1], sys.argv[2:]
    print("| graph | n | m | D | diameter, ms | searches + batches (lanes) | cpu, ms | cpu / gpu | F-Diam / gpu | paper's T / gpu | search, ms | levels | µs a level | floor, ms | peer, ms | 128 lanes, ms | 1,024 lanes, ms |")
    print("|" + "---|" * 17)
    for graph in graphs:
        run = subprocess.run([binary, graph, "--engine", "cuda", "--resident", "--lanes", "--against", "cpu"], capture_output=True, text=True)
        if run.returncode != 0:
            print(f"| {name_of(graph)} | {run.stderr.strip().splitlines()[-1] if run.stderr else run.returncode} |")
            continue
        m = json.loads(run.stdout.splitlines()[-1])
        if m["diameter"] != m["against_diameter"]:
            sys.exit(f"{graph}: {m['diameter']} on the GPU, {m['against_diameter']} on the CPU")
        name, ms, cpu, search = name_of(graph), m["seconds"] * 1e3, m["against_seconds"] * 1e3, m["search"] * 1e3
        batches = f" + {m['batches']} ({m['lanes']:,})" if m["batches"] else ""
        cells = [name, f"{m['order']:,}", f"{m['size']:,}", m["diameter"], f"{ms:.2f}", f"{m['searches']}{batches}", f"{cpu:.1f}", f"{cpu / ms:.1f}", ratio(FDIAM_MS.get(name), ms),
                 ratio(PAPER_MS.get(name), ms), f"{search:.3f}", f"{m['levels']:.0f}", f"{search * 1e3 / max(m['levels'], 1):.2f}", f"{floor_ms(m):.3f}", PEER_SEARCH_MS.get(name, ""),
                 f"{m.get('lanes_128', 0) * 1e3:.2f}", f"{m.get('lanes_1024', 0) * 1e3:.2f}"]
        print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


if __name__ == "__main__":
    main()
