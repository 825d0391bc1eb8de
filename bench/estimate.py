#!/usr/bin/env python3
"""Predicted against measured time of the measures that go through all sources, and edges a second: ours (sources × edges over seconds) and as Penders'
thesis counts them, D M N / T for all pairs (equation 7.2; 7.1 is the same with N = 1) and twice that for betweenness (7.3).

A prediction is for a machine that stays as it is. It is made before the measurement and once more after it: where the two differ by more than a fifth
the machine has changed its speed meanwhile, and the case is done again; the table says how often.

    bench/estimate.py ANTIPODE [DATA_FOLDER]
"""
import json
import subprocess
import sys
from pathlib import Path

CASES = [("average", "gen:rmat?scale=17"), ("average", "gen:ws?n=100000"), ("average", "gen:ba?n=100000"), ("average", "gen:er?n=80000"), ("average", "gen:grid?rows=180&cols=180"),
         ("closeness", "gen:rmat?scale=17"), ("closeness", "gen:geometric?n=20000"), ("betweenness", "gen:ws?n=14000"), ("betweenness", "gen:rmat?scale=13"), ("betweenness", "gen:ba?n=12000")]
REAL = [("average", "web-NotreDame.txt.zst"), ("closeness", "web-NotreDame.txt.zst"), ("betweenness", "wiki-Vote.txt.gz")]


def ask(antipode, measure, graph, *options):
    return json.loads(subprocess.run([antipode, measure, graph, "--json", "--quiet", "--engine", "cpu", *options], capture_output=True, text=True, check=True).stdout)


def times(antipode, measure, graph):
    """The estimate, the answer, and how often that was done until the machine kept its speed."""
    for attempt in range(1, 7):
        guess, answer, again = ask(antipode, measure, graph, "--estimate")["estimate"], ask(antipode, measure, graph), ask(antipode, measure, graph, "--estimate")["estimate"]
        if 1 / 1.2 < guess["seconds"] / again["seconds"] < 1.2:
            break
    return guess, answer, attempt


def main():
    antipode, folder = sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else None
    cases = CASES + [(measure, str(folder / name)) for measure, name in REAL if folder and (folder / name).exists()]
    print("| measure | graph | sources timed | predicted, s | measured, s | predicted / measured | edges a second | as in the thesis | attempts |\n|---|---|---|---|---|---|---|---|---|")
    for measure, graph in cases:
        guess, answer, attempts = times(antipode, measure, graph)
        diameter = ask(antipode, "diameter", graph)["value"]
        seconds, edges, vertices = answer["seconds"]["compute"], answer["graph"]["edges"], answer["graph"]["vertices"]
        thesis = (2 if measure == "betweenness" else 1) * diameter * edges * vertices / seconds
        print(f"| {measure} | {graph.split('/')[-1]} | {guess['sources_timed']:,} of {guess['sources']:,} | {guess['seconds']:.2f} | {seconds:.2f} | {guess['seconds'] / seconds:.2f} | {answer['edges_per_second']:.3g} | {thesis:.3g} | {attempts} |", flush=True)


if __name__ == "__main__":
    main()
