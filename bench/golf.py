#!/usr/bin/env python3
"""Pictures of a graph that 'antipode golf search' found, and of how it was found.

Usage: golf.py part FILE.part PICTURE     the part on a circle, and the whole graph if it is small
       golf.py trace FILE.csv PICTURE     temperature and averages over the steps
"""
import csv
import math
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plot

SMALL = 600  # vertices of which every edge can still be told


def read_part(path):
    lines = open(path).read().splitlines()
    if lines[0] != "antipode part 1":
        sys.exit(f"{path}: no part file")
    order, size = int(lines[1].split()[1]), int(lines[2].split()[1])
    group = [int(word) for word in lines[3].split()[1:]]
    return order, size, group, [tuple(map(int, line.split())) for line in lines[5:]]


def added(group, a, b):
    result, unit = 0, 1
    for size in reversed(group):
        result += (a % size + b % size) % size * unit
        a, b, unit = a // size, b // size, unit * size
    return result


def on_circle(i, count):
    angle = 2 * math.pi * i / count
    return math.cos(angle), math.sin(angle)


def draw_part(path, picture):
    order, size, group, edges = read_part(path)
    panels = 2 if order <= SMALL and size < order else 1
    figure, axes = plot.subplots(1, panels, figsize=(7 * panels, 7), squeeze=False)
    axes = axes[0]
    largest = max(1, order // size - 1)
    for a, b, shift in edges:
        (x1, y1), (x2, y2) = on_circle(a, size), on_circle(b, size)
        color = plot.cm.viridis(shift / largest)
        if a == b:
            axes[0].add_patch(plot.Circle((1.08 * x1, 1.08 * y1), 0.08, fill=False, color=color, linewidth=0.8))
        else:
            axes[0].plot([x1, x2], [y1, y2], color=color, linewidth=0.8)
    axes[0].scatter(*zip(*(on_circle(i, size) for i in range(size))), s=18, color="black", zorder=3)
    axes[0].set_title(f"the part: {size} vertices, {len(edges)} edges, colour is the shift")
    if panels == 2:
        for a, b, shift in edges:
            for q in range(order // size):
                (x1, y1), (x2, y2) = on_circle(q * size + a, order), on_circle(added(group, q, shift) * size + b, order)
                axes[1].plot([x1, x2], [y1, y2], color="steelblue", linewidth=0.25)
        axes[1].set_title(f"all {order} vertices")
    for each in axes:
        each.set_aspect("equal"), each.axis("off")
    figure.tight_layout()
    figure.savefig(picture, dpi=120)


def draw_trace(path, picture):
    rows = list(csv.DictReader(open(path)))
    steps = [float(row["step"]) for row in rows]
    figure, axes = plot.subplots(figsize=(8, 5))
    axes.plot(steps, [float(row["mean_average"]) for row in rows], label="average distance, mean of the chains")
    axes.plot(steps, [float(row["best_average"]) for row in rows], label="of the best")
    axes.set(xlabel="steps of each chain", ylabel="average distance")
    axes.legend(loc="upper right")
    other = axes.twinx()
    other.plot(steps, [float(row["temperature"]) for row in rows], color="gray", linestyle=":")
    other.set(ylabel="temperature (dotted)", yscale="log")
    figure.tight_layout()
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("part", "trace"):
        sys.exit(__doc__)
    {"part": draw_part, "trace": draw_trace}[sys.argv[1]](sys.argv[2], sys.argv[3])
