#!/usr/bin/env python3
"""Evaluates every part in this folder; order, degree and part size are in its name.

Usage: evaluate.py ANTIPODE
"""
import json
import subprocess
import sys
from pathlib import Path


def main():
    print("| order, degree, part | diameter (bound) | average distance | gap to the bound |\n|---|---|---|---|")
    for path in sorted(Path(__file__).parent.glob("*.part"), key=lambda p: int(p.stem.split("-")[0])):
        order, degree, part = (int(number) for number in path.stem.split("-"))
        answer = json.loads(subprocess.run([sys.argv[1], "golf", "evaluate", str(path), "--degree", str(degree), "--json"], capture_output=True, text=True, check=True).stdout)
        if (answer["order"], answer["part"], answer["connected"]) != (order, part, True):
            sys.exit(f"{path.name}: is not what its name says")
        print(f"| {order:,}, {degree}, {part} | {answer['value']['diameter']} ({answer['bounds']['diameter']}) | {answer['value']['average']:.6f} | {answer['gap']['average']:.6f} |")


if __name__ == "__main__":
    main()
