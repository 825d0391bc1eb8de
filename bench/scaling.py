#!/usr/bin/env python3
"""Does cost grow linearly? Time per edge of one search and of a 512-lane batch, rmat and grids of growing size. Writes a CSV and,
where matplotlib is installed, a plot. Usage: scaling.py BENCH_MEASURE CSV [--threads N] [--plot PNG]"""
import argparse
import csv
import json
import subprocess

GRAPHS = [("rmat", f"scale {s}", f"gen:rmat?scale={s}") for s in range(16, 23)] + [("grid", f"{s}²", f"gen:grid?rows={s}&cols={s}") for s in (500, 1000, 2000, 4000)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("measure"), parser.add_argument("csv"), parser.add_argument("--threads", default="0"), parser.add_argument("--plot")
    options = parser.parse_args()
    rows = []
    for family, name, graph in GRAPHS:
        # Scattered lanes do not share work over thousands of levels: grids are measured by searches alone.
        command = [options.measure, graph, "--threads", options.threads, "--search"] + (["--lanes"] if family == "rmat" else [])
        result = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        edges = result["size"]
        rows.append({"family": family, "size": name, "edges": edges, "search_ns_per_edge": round(result["search"] / edges * 1e9, 3),
                     "batch_ns_per_edge": round(result["lanes_512"] / edges * 1e9, 3) if "lanes_512" in result else ""})
        print(rows[-1], flush=True)
    with open(options.csv, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    if options.plot:
        draw(rows, options.plot)


def draw(rows, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4))
    for family in ("rmat", "grid"):
        mine = [row for row in rows if row["family"] == family]
        left.plot([row["edges"] for row in mine], [row["search_ns_per_edge"] for row in mine], "o-", label=family)
    mine = [row for row in rows if row["batch_ns_per_edge"] != ""]
    right.plot([row["edges"] for row in mine], [row["batch_ns_per_edge"] for row in mine], "o-", label="rmat, 512 lanes")
    for axes, title in ((left, "one search"), (right, "one batch")):
        axes.set(xscale="log", xlabel="edges", ylabel="ns per edge", title=title, ylim=(0, None))
        axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=80)


if __name__ == "__main__":
    main()
