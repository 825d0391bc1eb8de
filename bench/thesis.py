#!/usr/bin/env python3
"""Draws the figures of Penders' thesis from the CSV files that `antipode bench thesis … --output FOLDER` wrote.

Usage: thesis.py FOLDER
"""
import csv
import sys
from pathlib import Path

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt


def rows(folder, name):
    file = folder / f"{name}.csv"
    return list(csv.DictReader(open(file))) if file.exists() else []


def by_graph(table):
    graphs = {}
    for row in table:
        graphs.setdefault(row["graph"], []).append(row)
    return graphs


def saved(figure, folder, name):
    figure.tight_layout()
    figure.savefig(folder / f"{name}.png", dpi=120)
    plt.close(figure)


def curves(folder, name, x, xlabel, xscale="log"):
    """One panel a graph: milliseconds over work-items or work-groups, the sequential search beside it."""
    graphs = by_graph(rows(folder, name))
    columns = min(4, len(graphs)) or 1
    lines = (len(graphs) + columns - 1) // columns or 1
    figure, panels = plt.subplots(lines, columns, figsize=(3.2 * columns, 2.6 * lines), squeeze=False)
    for panel in panels.flat[len(graphs):]:
        panel.axis("off")
    for panel, (graph, points) in zip(panels.flat, graphs.items()):
        panel.plot([int(p[x]) for p in points], [float(p["ms"]) for p in points], marker="o", markersize=3)
        panel.axhline(float(points[0]["sequential_ms"]), color="black", linewidth=0.8)
        by_host = [p for p in points if p.get("by_host") == "yes"]
        panel.plot([int(p[x]) for p in by_host], [float(p["ms"]) for p in by_host], "x", color="tab:red", markersize=4)
        panel.set(title=graph, xlabel=xlabel, ylabel="ms", xscale=xscale)
    saved(figure, folder, name)


def bars(folder, name, columns, labels, ylabel, log=True):
    table = rows(folder, name)
    figure, axes = plt.subplots(figsize=(max(6, len(table) * 0.9), 4))
    width = 0.8 / len(columns)
    for i, (column, label) in enumerate(zip(columns, labels)):
        axes.bar([k + i * width for k in range(len(table))], [float(row[column]) for row in table], width, label=label)
    axes.set_xticks([k + 0.4 - width / 2 for k in range(len(table))], [row["graph"] for row in table], rotation=60, ha="right", fontsize=7)
    axes.set(ylabel=ylabel, yscale="log" if log else "linear")
    axes.legend(fontsize=7)
    saved(figure, folder, name)


def degrees(folder):
    figure, axes = plt.subplots(figsize=(6, 4))
    for graph, points in by_graph(rows(folder, "figure2_4")).items():
        axes.plot([max(int(p["degree"]), 0.5) for p in points], [int(p["vertices"]) for p in points], ".", markersize=3, label=graph)
    axes.set(xlabel="degree", ylabel="vertices", xscale="log", yscale="log")
    axes.legend(fontsize=6)
    saved(figure, folder, "figure2_4")


def orders(folder):
    figure, axes = plt.subplots(figsize=(8, 4))
    for graph, points in by_graph(rows(folder, "figure4_4")).items():
        axes.plot([p["order"] for p in points], [float(p["of_as_read"]) for p in points], marker="o", markersize=3, label=graph)
    axes.set(ylabel="time, as read = 1")
    axes.tick_params(axis="x", rotation=60, labelsize=7)
    axes.legend(fontsize=6)
    saved(figure, folder, "figure4_4")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    degrees(folder)
    bars(folder, "figure2_7", ["read_percent", "initialise_percent", "kernel_percent"], ["read", "initialise", "kernel"], "%", log=False)
    curves(folder, "figure4_2", "items", "work-items")
    curves(folder, "figure4_3", "groups", "work-groups", "linear")
    orders(folder)
    bars(folder, "figure4_6", ["speedup"], ["relaxed over levels"], "speedup", log=False)
    bars(folder, "figure4_7", ["edge_ms", "vertex_ms", "ours_ms"], ["edge list", "Rodinia", "ours"], "ms")
    bars(folder, "figure5_3", ["measured_s", "predicted_s", "sequential_s", "ours_s"], ["measured", "equation 5.1", "sequential", "ours"], "s")
    bars(folder, "figure6_2", ["measured_s", "predicted_s", "sequential_s"], ["measured", "equation 6.3", "sequential"], "s")
    bars(folder, "figure7_1", ["bfs_s", "all_pairs_s", "betweenness_s"], ["BFS", "all pairs", "betweenness"], "s")
    bars(folder, "figure7_2", ["bfs", "all_pairs", "betweenness"], ["BFS", "all pairs", "betweenness"], "million edges a second")


if __name__ == "__main__":
    main()
