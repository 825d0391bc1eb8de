#!/usr/bin/env python3
"""Benchmark of the exact diameter: Antipode, NetworKit and igraph on the same graphs in the same
run, beside published times. One search is compared with one by GAP's algorithm (beamer.hpp),
alternating, from the same sources. Prints a table and writes bench/results.csv, keyed by machine
and commit.

Usage: run.py BENCH_MEASURE ANTIPODE DATA_FOLDER [--no-peers] [--threads N] [name …]
"""
import argparse
import csv
import json
import math
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cases import CASES

HERE = Path(__file__).resolve().parent


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    return model


def commit():
    done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def asked(command, timeout):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return {"timeout": timeout}
    return json.loads(done.stdout[done.stdout.index("{"):]) if done.returncode == 0 and "{" in done.stdout else {"error": done.stderr.strip()[-200:]}


def edge_list(antipode, graph, folder):
    """The largest component as 'u v' lines with ids from 0, which every peer reads."""
    binary, text = Path(folder) / "g.egr", Path(folder) / "g.txt"
    subprocess.run([antipode, "convert", graph, binary, "--largest", "--quiet"], check=True)
    subprocess.run([antipode, "convert", binary, text, "--quiet"], check=True)
    lines = [line.replace("\t", " ") for line in text.read_text().splitlines(True) if line[0] != "#"]
    text.write_text("".join(lines))
    return text


def shown(seconds):
    if seconds is None:
        return ""
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def floor(result):
    """Every search reads all adjacency and writes one distance per vertex, at the bandwidth measured
    in this run. A batch counts as one search."""
    one = (8 * result["size"] + 12 * result["order"]) / result["bandwidth"]
    return one * (result["searches"] + result["batches"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("measure"), parser.add_argument("antipode"), parser.add_argument("data", type=Path)
    parser.add_argument("--no-peers", action="store_true"), parser.add_argument("--threads", default="0")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    rows, ratios, wrong = [], [], 0
    print("| graph | n | m | D | ours | floor | searches + batches (lanes) | NetworKit | igraph | best peer elsewhere | elsewhere / ours | one search | GAP's algorithm / ours | GAP's elsewhere / ours | reading: NetworKit / ours | igraph / ours |")
    print("|" + "---|" * 16)
    for case in CASES:
        if options.names and case.name not in options.names:
            continue
        graph = case.graph if case.graph.startswith("gen:") else str(options.data / case.graph)
        if not case.graph.startswith("gen:") and not Path(graph).exists():
            print(f"| {case.name} | skipped: not there |")
            continue
        ours = asked([options.measure, graph, "--threads", options.threads, "--beamer", *(["--eccentricity"] if case.eccentricity_peer else [])], 300)
        if "diameter" not in ours:
            print(f"| {case.name} | {ours} |")
            continue
        peers, reading = {}, None
        if not options.no_peers:
            with tempfile.TemporaryDirectory() as folder:
                text = edge_list(options.antipode, graph, folder)
                reading = asked([options.measure, str(text), "--read", "--threads", options.threads], 300)["read"]
                for peer in ("networkit", "igraph"):
                    peers[peer] = asked([sys.executable, str(HERE / "peers.py"), peer, str(text)], 40)
        right = [d for d in (case.diameter, *(p.get("diameter") for p in peers.values())) if d is not None]
        wrong += any(d != ours["diameter"] for d in right)
        ratio = case.peer / ours["seconds"] if case.peer else None
        ratios += [ratio] if ratio and case.peer < 25 or case.name == "ba 1M" else []
        gap = f"{case.gap / ours['search'] / 1e3:.2f}" if case.gap else ""
        said = {peer: shown(p.get("seconds")) if "seconds" in p else (f"> {p['timeout']} s" if "timeout" in p else "–") for peer, p in peers.items()}
        faster = {peer: f"{p['read'] / reading:.1f}" if "read" in p and reading else "" for peer, p in peers.items()}
        print(f"| {case.name} | {ours['order']:,} | {ours['size']:,} | {ours['diameter']}{'' if all(d == ours['diameter'] for d in right) else ' WRONG ' + str(right)} "
              f"| {shown(ours['seconds'])} | {shown(floor(ours))} | {ours['searches']} + {ours['batches']} ({ours['lanes']}) | {said.get('networkit', '')} | {said.get('igraph', '')} "
              f"| {'> 25 s' if case.peer == 25 else shown(case.peer)} | {f'{ratio:.1f}' if ratio else ''} | {shown(ours['search'])} | {ours['beamer_over_ours']:.2f} | {gap} | {faster.get('networkit', '')} | {faster.get('igraph', '')} |", flush=True)
        if case.eccentricity_peer:
            print(f"| {case.name}, all eccentricities | | | | {shown(ours['eccentricities'])} | | {ours['eccentricity_searches']} | | | {shown(case.eccentricity_peer)} "
                  f"| {case.eccentricity_peer / ours['eccentricities']:.1f} | | | | | |", flush=True)
        rows.append({"date": time.strftime("%Y-%m-%d"), "machine": machine(), "commit": commit(), "case": case.name, **ours,
                     "floor": floor(ours), "networkit": peers.get("networkit", {}).get("seconds"), "igraph": peers.get("igraph", {}).get("seconds")})
    if ratios:
        print(f"\ngeometric mean of best peer elsewhere / ours over {len(ratios)} graphs: {math.prod(ratios) ** (1 / len(ratios)):.2f}; least {min(ratios):.2f}")
    if rows and not options.names:
        fields = sorted({key for row in rows for key in row}, key=lambda key: list(rows[0]).index(key) if key in rows[0] else 99)
        with open(HERE / "results.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, fields)
            writer.writeheader()
            writer.writerows(rows)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
