#!/usr/bin/env python3
"""Betweenness of square grids against whole numbers of any size: path counts are exact, and quotients have 256 binary places.

On a k × k grid the distance is |dx| + |dy| and the paths from a corner of a rectangle to the other are a binomial coefficient. Sources are taken from
an eighth of the grid; reflections and rotations give the rest.

Usage: big_numbers.py ANTIPODE [K …]
"""
import subprocess
import sys
import tempfile
from math import comb
from pathlib import Path

PLACES = 256
ONE = 1 << PLACES


def dependencies(k, x, y):
    """What passes every cell when (x, y) sends 1 to all others, in units of 2^-256."""
    def paths(a, b):
        return comb(abs(a - x) + abs(b - y), abs(a - x))

    passes = [[0] * k for _ in range(k)]
    cells = sorted(((abs(a - x) + abs(b - y), a, b) for a in range(k) for b in range(k)), reverse=True)
    for distance, a, b in cells:
        mine, total = paths(a, b), 0
        for c, d in ((a - 1, b), (a + 1, b), (a, b - 1), (a, b + 1)):
            if 0 <= c < k and 0 <= d < k and abs(c - x) + abs(d - y) == distance + 1:
                total += (ONE + passes[c][d]) * mine // paths(c, d)
        passes[a][b] = total
    passes[x][y] = 0
    return passes


def exact(k):
    half, sums = (k + 1) // 2, [[0] * k for _ in range(k)]
    images = [lambda a, b: (a, b), lambda a, b: (b, a)]
    images += [lambda a, b, f=f: (k - 1 - f(a, b)[0], f(a, b)[1]) for f in images]
    images += [lambda a, b, f=f: (f(a, b)[0], k - 1 - f(a, b)[1]) for f in images]
    for x in range(half):
        for y in range(x, half):
            orbit = len({image(x, y) for image in images})
            for row, more in zip(sums, dependencies(k, x, y)):
                for b, value in enumerate(more):
                    row[b] += orbit * value
    return [[sum(sums[p][q] for p, q in (image(a, b) for image in images)) / (16 * ONE) for b in range(k)] for a in range(k)]  # eight images, unordered pairs


def main():
    for k in [int(word) for word in sys.argv[2:]] or [18, 35, 67]:
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "values"
            subprocess.run([sys.argv[1], "betweenness", f"gen:grid?rows={k}&cols={k}", "--output", str(output), "--quiet"], check=True, stdout=subprocess.DEVNULL)
            found = [float(line.split("\t")[1]) for line in output.read_text().splitlines()]
        wanted = [value for row in exact(k) for value in row]
        worst = max(abs(a - b) / max(1, b) for a, b in zip(found, wanted))
        print(f"{k} × {k}: largest relative difference {worst:.1e}")
        if len(found) != len(wanted) or worst > 1e-9:
            sys.exit(1)


if __name__ == "__main__":
    main()
