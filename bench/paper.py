#!/usr/bin/env python3
"""Draws the figures of Dal, Kosters and Takes from the CSV files that `antipode bench paper … --surface --output FOLDER` wrote.

Usage: paper.py FOLDER
"""
import csv
import sys
from pathlib import Path

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

VARIANTS = ["standard", "pointers", "busy-wait", "textures", "warp", "hybrid"]


def rows(folder, name):
    file = folder / f"{name}.csv"
    return list(csv.DictReader(open(file))) if file.exists() else []


def saved(figure, folder, name):
    figure.tight_layout()
    figure.savefig(folder / f"{name}.png", dpi=120)
    plt.close(figure)


def figure7(folder):
    points = rows(folder, "figure7")
    figure, axes = plt.subplots(figsize=(6, 4))
    axes.scatter([float(p["D90/D"]) for p in points], [float(p["S"]) for p in points])
    for point in points:
        axes.annotate(point["graph"], (float(point["D90/D"]), float(point["S"])), fontsize=6)
    axes.set(xlabel="D90 / D", ylabel="speedup over the sequential version", yscale="log")
    saved(figure, folder, "figure7")


def figure8(folder):
    graphs = rows(folder, "figure8")
    figure, axes = plt.subplots(figsize=(max(6, len(graphs) * 0.6), 4))
    for i, variant in enumerate(VARIANTS):
        axes.bar([g + (i - 2.5) / 7 for g in range(len(graphs))], [float(row["S_" + variant]) for row in graphs], width=1 / 7, label=variant)
    axes.set_xticks(range(len(graphs)), [row["graph"] for row in graphs], rotation=60, ha="right", fontsize=7)
    axes.set(ylabel="speedup over the sequential version", yscale="log")
    axes.axhline(1, color="black", linewidth=0.5)
    axes.legend(fontsize=7, ncol=3)
    saved(figure, folder, "figure8")


def figure9(folder):
    points = rows(folder, "figure9")
    if not points:
        return
    figure, axes = plt.subplots(figsize=(6, 4))
    marks = axes.scatter([int(p["active"]) for p in points], [int(p["length"]) for p in points], c=[float(p["speedup"]) for p in points],
                         norm=matplotlib.colors.LogNorm(), s=220, marker="s", cmap="RdYlGn")
    for p in points:
        axes.annotate(f"{float(p['speedup']):.1f}", (int(p["active"]), int(p["length"])), ha="center", va="center", fontsize=6)
    axes.set(xlabel="active vertices", ylabel="list length", xscale="log", yscale="log", title="a level by warps over one by threads")
    figure.colorbar(marks)
    saved(figure, folder, "figure9")


def figure10(folder):
    levels = rows(folder, "figure10")
    for graph in sorted({row["graph"] for row in levels}):
        mine = [row for row in levels if row["graph"] == graph]
        order = int(mine[0]["active"]) + int(mine[0]["left"])
        figure, axes = plt.subplots(figsize=(6, 4))
        number = [int(row["level"]) for row in mine]
        axes.plot(number, [100 * int(row["active"]) / order for row in mine], label="active, % of vertices")
        axes.plot(number, [100 * int(row["left"]) / order for row in mine], label="left, % of vertices")
        axes.plot(number, [float(row["thread_percent"]) for row in mine], "--", label="runtime by threads, %")
        axes.plot(number, [float(row["warp_percent"]) for row in mine], "--", label="runtime by warps, %")
        axes.set(xlabel="level", title=graph)
        axes.legend(fontsize=7)
        saved(figure, folder, f"figure10-{graph}")


if __name__ == "__main__":
    where = Path(sys.argv[1])
    for draw in (figure7, figure8, figure9, figure10):
        draw(where)
