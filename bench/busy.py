#!/usr/bin/env python3
"""Antipode on a busy machine: every verb with all threads, beside one thread, while other processes
keep the cores busy. Prints a table of medians; exits with 1 where two threads take more than the
bound times one.

Usage: busy.py ANTIPODE [--busy N] [--runs N] [--bound X] GRAPH…
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

VERBS = {
    "diameter": [],
    "radius": [],
    "eccentricity": [],
    "average": ["--samples", "64"],
    "closeness": [],
    "betweenness": ["--samples", "64"],
    "bfs": [],
    "info": [],
}


def seconds(command):
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.decode().strip()}")
    return time.monotonic() - start, json.loads(done.stdout)["seconds"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("antipode"), parser.add_argument("graphs", nargs="+")
    parser.add_argument("--busy", type=int, default=6), parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--bound", type=float, default=1.5)
    options = parser.parse_args()
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
            for number, graph in enumerate(options.graphs):
                file = str(Path(folder) / f"{number}.apg")
                subprocess.run([options.antipode, "convert", graph, file, "-q"], check=True)
                for verb, more in VERBS.items():
                    command = [options.antipode, verb, file, "--json", "-q", "--engine", "cpu", *more]
                    one, all_threads = [], []
                    for _ in range(options.runs):  # by turns, so that both have the machine as it is
                        one.append(seconds([*command, "--threads", "1"])[0])
                        all_threads.append(seconds(command)[0])
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
