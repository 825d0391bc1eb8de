#!/usr/bin/env python3
"""Betweenness against whole numbers of any size: path counts are exact, and quotients have 256 binary places.

All sources of k × k grids: the distance is |dx| + |dy| and the paths from a corner of a rectangle to the other are a binomial coefficient. Sources are
taken from an eighth of the grid; reflections and rotations give the rest. Where there are too many sources for that, one of them: a 600 × 600 grid, and
a ladder of 2,000 diamonds whose ends are joined by 2^2000 paths, searched from near an end.

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


def from_one(neighbors, source):
    """What passes every vertex when the source sends 1 to all others, in units of 2^-256; and the largest path count, in bits."""
    row, paths, order = {source: 0}, {source: 1}, [source]
    for v in order:
        for u in neighbors[v]:
            if u not in row:
                row[u], paths[u] = row[v] + 1, 0
                order.append(u)
            if row[u] == row[v] + 1:
                paths[u] += paths[v]
    passes = [0] * len(neighbors)
    for v in reversed(order[1:]):
        passes[v] = sum((ONE + passes[u]) * paths[v] // paths[u] for u in neighbors[v] if row[u] == row[v] + 1)
    return passes, max(paths.values()).bit_length() - 1


def grid(k):
    return [[a * k + b for a, b in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if 0 <= a < k and 0 <= b < k] for x in range(k) for y in range(k)]


def ladder(k):
    """k diamonds in a row: tip, two sides, tip, …"""
    neighbors = [[] for _ in range(3 * k + 1)]
    for tip in range(0, 3 * k, 3):
        for side in (tip + 1, tip + 2):
            for end in (tip, tip + 3):
                neighbors[side].append(end)
                neighbors[end].append(side)
    return neighbors


def check(name, found, wanted):
    worst = max(abs(a - b) / max(1, b) for a, b in zip(found, wanted))
    print(f"{name}: largest relative difference {worst:.1e}")
    if len(found) != len(wanted) or worst > 1e-9:
        sys.exit(1)


def values(graph, *options):
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "values"
        subprocess.run([sys.argv[1], "betweenness", str(graph), "--output", str(output), "--quiet", *options], check=True, stdout=subprocess.DEVNULL)
        lines = [line.split("\t") for line in output.read_text().splitlines()]
    return [float(value) for _, value in sorted(lines, key=lambda line: int(line[0]))]


def check_one_source(name, graph, neighbors, least_bits, silent):
    """A sample of one source, as far out as gives that many paths. Nothing passes the source, nor the `silent` vertices."""
    n = len(neighbors)
    for seed in range(1, 1000):
        found = values(graph, "--samples", "1", "--seed", str(seed))
        sources = [v for v in range(n) if found[v] == 0 and v not in silent]
        if len(sources) != 1:
            continue
        wanted, bits = from_one(neighbors, sources[0])
        if bits >= least_bits:
            return check(f"{name}, from vertex {sources[0]} (up to 2^{bits} paths)", [value * 2 / n for value in found], [value / ONE for value in wanted])
    sys.exit(f"{name}: no seed gives a source with 2^{least_bits} paths")


def main():
    for k in [int(word) for word in sys.argv[2:]] or [18, 35, 67]:
        check(f"{k} × {k}", values(f"gen:grid?rows={k}&cols={k}"), [value for row in exact(k) for value in row])
    check_one_source("600 × 600", "gen:grid?rows=600&cols=600", grid(600), 500, {0, 599, 600 * 599, 600 * 600 - 1})
    with tempfile.TemporaryDirectory() as folder:
        file, neighbors = Path(folder) / "ladder.txt", ladder(2000)
        file.write_text("".join(f"{v} {u}\n" for v in range(len(neighbors)) for u in neighbors[v] if v < u))
        check_one_source("ladder of 2,000 diamonds", file, neighbors, 1900, {0, len(neighbors) - 1})


if __name__ == "__main__":
    main()
