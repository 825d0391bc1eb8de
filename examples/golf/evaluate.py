#!/usr/bin/env python3
"""Evaluates every part in this folder (order, degree and part size are in its name), and graphs that are constructed.

Usage: evaluate.py ANTIPODE
"""
import json
import subprocess
import sys
from pathlib import Path


CONSTRUCTED = [(1726, 30, "gen:plane?degree=30&n=1726")]


def evaluated(order, degree, part, graph):
    answer = json.loads(subprocess.run([sys.argv[1], "golf", "evaluate", graph, "--degree", str(degree), "--json"], capture_output=True, text=True, check=True).stdout)
    if (answer["order"], answer.get("part"), answer["connected"]) != (order, part, True):
        sys.exit(f"{graph}: is not what its name says")
    return answer


def main():
    graphs = [(order, degree, None, graph) for order, degree, graph in CONSTRUCTED]
    for path in Path(__file__).parent.glob("*.part"):
        order, degree, part = (int(number) for number in path.stem.split("-"))
        graphs.append((order, degree, part, str(path)))
    print("| order, degree | | diameter (bound) | average distance | gap to the bound |\n|---|---|---|---|---|")
    for order, degree, part, graph in sorted(graphs, key=lambda each: (each[0], each[2] or 0)):
        answer = evaluated(order, degree, part, graph)
        print(f"| {order:,}, {degree} | {f'part {part}' if part else graph} | {answer['value']['diameter']} ({answer['bounds']['diameter']}) | {answer['value']['average']:.6f} | {answer['gap']['average']:.6f} |")


if __name__ == "__main__":
    main()
