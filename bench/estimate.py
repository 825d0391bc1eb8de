#!/usr/bin/env python3
"""Predicted against measured time of the measures that go through all sources.

    bench/estimate.py ANTIPODE [DATA_FOLDER]
"""
import json
import subprocess
import sys
from pathlib import Path

CASES = [("average", "gen:rmat?scale=15"), ("average", "gen:ws?n=100000"), ("average", "gen:ba?n=100000"), ("average", "gen:er?n=60000"), ("average", "gen:grid?rows=150&cols=150"),
         ("closeness", "gen:rmat?scale=15"), ("closeness", "gen:geometric?n=20000"), ("betweenness", "gen:ws?n=8000"), ("betweenness", "gen:rmat?scale=12"), ("betweenness", "gen:ba?n=6000")]
REAL = [("average", "email-Enron.txt.gz"), ("closeness", "ca-CondMat.txt.gz"), ("betweenness", "wiki-Vote.txt.gz")]


def ask(antipode, measure, graph, *options):
    return json.loads(subprocess.run([antipode, measure, graph, "--json", "--quiet", "--engine", "cpu", *options], capture_output=True, text=True, check=True).stdout)


def main():
    antipode, folder = sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else None
    cases = CASES + [(measure, str(folder / name)) for measure, name in REAL if folder and (folder / name).exists()]
    print("| measure | graph | sources timed | predicted, s | measured, s | predicted / measured |\n|---|---|---|---|---|---|")
    for measure, graph in cases:
        guess = ask(antipode, measure, graph, "--estimate")["estimate"]
        seconds = ask(antipode, measure, graph)["seconds"]["compute"]
        print(f"| {measure} | {graph.split('/')[-1]} | {guess['sources_timed']:,} of {guess['sources']:,} | {guess['seconds']:.2f} | {seconds:.2f} | {guess['seconds'] / seconds:.2f} |", flush=True)


if __name__ == "__main__":
    main()
