#!/usr/bin/env python3
"""Antipode on a busy machine: every verb with all threads, beside one thread, while other processes
keep the cores busy. All of them are kept on the first two cores that may be used. Prints a table of
medians; exits with 1 where two threads take more than the bound times one.

Usage: busy.py ANTIPODE [--busy N] [--runs N] [--bound X] (GRAPH… | --data FOLDER)
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GRAPHS = [
    "email-Enron.txt.gz",
    "ca-CondMat.txt.gz",
    "OL-road.gr.gz",
    "USA-road-d.NY.gr.zst",
    "web-Stanford.txt.zst",
    "p2p-Gnutella31.txt.zst",
]
CORES = 2

# verb: its arguments; APG, PROOF and SOURCES are files made before, NEW one that is written
VERBS = {
    "diameter": "APG",
    "radius": "APG",
    "center": "APG",
    "periphery": "APG",
    "eccentricity": "APG",
    "average": "APG --samples 64",
    "closeness": "APG",
    "betweenness": "APG --samples 64",
    "distances": "APG NEW --sources SOURCES",
    "verify": "PROOF APG",
    "bfs": "APG",
    "info": "APG",
    "convert": "APG NEW",
    "generate": "gen:uniform?n=200000&degree=10 NEW",
}


def files_of(antipode, graph, folder):
    """What the verbs take of this graph."""
    files = {"APG": "g.apg", "PROOF": "proof.json", "SOURCES": "sources.txt", "NEW": "new.txt"}
    files = {name: str(folder / file) for name, file in files.items()}
    quiet = ["-q", "--engine", "cpu"]
    subprocess.run([antipode, "convert", graph, files["APG"], "-q"], check=True)
    subprocess.run(
        [antipode, "center", files["APG"], "--output", folder / "center", *quiet],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    center = (folder / "center").read_text().splitlines()[:32]
    Path(files["SOURCES"]).write_text("\n".join(center) + "\n")
    subprocess.run(
        [antipode, "diameter", files["APG"], "--certificate", files["PROOF"], *quiet],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return files


def seconds(command):
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.decode().strip()}")
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("antipode"), parser.add_argument("graphs", nargs="*")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--busy", type=int, default=6), parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--bound", type=float, default=1.5)
    options = parser.parse_intermixed_args()
    graphs = options.graphs or [str(options.data / name) for name in GRAPHS if options.data]
    if not graphs:
        parser.error("name graphs, or with --data the folder that has the usual ones")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        others = [
            subprocess.Popen([sys.executable, "-c", "while True: pass"])
            for _ in range(options.busy)
        ]
        try:
            print(f"{options.busy} busy processes; wall time of the process, median of {options.runs}")
            print("| graph | verb | one thread, ms | all threads, ms | ratio |")
            print("|---|---|---|---|---|")
            for graph in graphs:
                files = files_of(options.antipode, graph, Path(folder))
                for verb, words in VERBS.items():
                    arguments = [files.get(word, word) for word in words.split()]
                    engine = [] if verb in ("info", "verify", "convert", "generate") else ["--engine", "cpu"]
                    command = [options.antipode, verb, *arguments, "-q", *engine]
                    one, all_threads = [], []
                    for _ in range(options.runs):  # alternating: both have the same machine
                        one.append(seconds([*command, "--threads", "1"]))
                        all_threads.append(seconds(command))
                    ratio = statistics.median(all_threads) / statistics.median(one)
                    worst = max(worst, ratio)
                    print(
                        f"| {Path(graph).name} | {verb} | {statistics.median(one) * 1e3:.1f} "
                        f"| {statistics.median(all_threads) * 1e3:.1f} | {ratio:.2f} |",
                        flush=True,
                    )
        finally:
            for other in others:
                other.kill()
                other.wait()
    print(f"\nworst ratio {worst:.2f}, {options.bound} allowed")
    return 0 if worst <= options.bound else 1


if __name__ == "__main__":
    sys.exit(main())
