#!/usr/bin/env python3
"""Every column of `antipode table` against NetworkX, on random graphs: connected and not, with directions, lengths and names.
The table is read as users read it: CSV and TSV by pandas, JSON by pandas, .npz by NumPy; they agree. Usage: tables.py ANTIPODE"""
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import networkx
import numpy
import pandas

MEASURES = ["degree", "component", "eccentricity", "closeness", "harmonic", "betweenness"]


def random_graph(rng, directed, weighted, named):
    graph = (networkx.DiGraph if directed else networkx.Graph)()
    name = (lambda v: rng.choice(["a,{}", 'q"{}', "ü{}", "{} b"]).format(v)) if named else (lambda v: v)
    n = rng.choice([1, 2, 3, 12, 40])
    names = [name(v) for v in range(n)]
    graph.add_nodes_from(names)
    for _ in range(int(n * rng.choice([0.4, 1, 2]))):
        u, v = rng.choice(names), rng.choice(names)
        if u != v:
            graph.add_edge(u, v, weight=rng.choice([1.0, 2.0, 0.5, 0.25]) if weighted else 1)
    return graph


def scope(graph, policy):
    """The vertices that distances are of, by the policy."""
    if policy == "reachable":
        return set(graph)
    parts = networkx.strongly_connected_components(graph) if graph.is_directed() else networkx.connected_components(graph)
    return max(parts, key=len)


def numbers(graph, parts):
    sizes = {v: len(part) for part in parts for v in part}
    return {v: sorted(map(len, parts), reverse=True).index(sizes[v]) for v in graph}, sizes


def expected(graph, weighted, policy):
    directed, weight = graph.is_directed(), "weight" if weighted else None
    inside = graph.subgraph(scope(graph, policy))
    backwards = inside.reverse() if directed else inside  # NetworkX measures towards the vertex

    def eccentricity(of):
        rows = dict(networkx.all_pairs_dijkstra_path_length(of, weight=weight or (lambda *_: 1)))
        return {v: max(rows[v].values()) for v in of}

    columns = {"closeness": networkx.closeness_centrality(backwards, distance=weight), "harmonic": networkx.harmonic_centrality(backwards, distance=weight),
               "betweenness": networkx.betweenness_centrality(inside, weight=weight, normalized=False)}
    if directed:
        columns |= {"out_degree": dict(graph.out_degree()), "in_degree": dict(graph.in_degree()),
                    "out_eccentricity": eccentricity(inside), "in_eccentricity": eccentricity(inside.reverse())}
    else:
        columns |= {"degree": dict(graph.degree()), "eccentricity": eccentricity(inside)}
    return columns


def check_components(graph, column, parts):
    """Equal numbers are equal components, and a smaller number is no smaller component."""
    parts = [frozenset(part) for part in parts]
    of = {v: part for part in parts for v in part}
    by_number = {}
    for v, number in column.items():
        by_number.setdefault(number, set()).add(v)
    assert {frozenset(part) for part in by_number.values()} == set(of.values())
    sizes = [len(by_number[number]) for number in range(len(parts))]
    assert sizes == sorted(sizes, reverse=True), sizes


def tables(program, file, folder, *options):
    """The same table in every format."""
    found = {}
    for ending in ("csv", "tsv", "json", "npz"):
        output = Path(folder) / f"t.{ending}"
        done = subprocess.run([program, "table", file, "-m", ",".join(MEASURES), "-o", output, "--engine", "cpu", "--quiet", *options],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        if ending == "npz":
            with numpy.load(output, allow_pickle=False) as arrays:
                found[ending] = pandas.DataFrame({name: arrays[name] for name in arrays.files})
        elif ending == "json":
            found[ending] = pandas.read_json(output, precise_float=True)
        else:
            found[ending] = pandas.read_csv(output, sep={"csv": ",", "tsv": "\t"}[ending], keep_default_na=False, na_values=[""])
    return found


def check(program, rng, case):
    directed, weighted, named = rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.5
    policy = rng.choice(["reachable", "largest"])
    graph = random_graph(rng, directed, weighted, named)
    inside = scope(graph, policy)
    parts = list(networkx.strongly_connected_components(graph) if directed else networkx.connected_components(graph))
    if policy == "largest" and sum(len(part) == len(inside) for part in parts) > 1:
        policy = "reachable"  # which one is the largest is a matter of labels
        inside = scope(graph, policy)
    options = ["--directed"] * directed + ["--weighted"] * (weighted and graph.size() > 0) + ["--disconnected", policy]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "g.graphml"
        networkx.write_graphml(graph, file)
        found = tables(program, file, folder, *options)
    table = found["csv"]
    for ending, other in found.items():
        pandas.testing.assert_frame_equal(table, other, check_dtype=False, check_exact=False, rtol=1e-14, obj=ending)
    assert [str(v) for v in table["vertex"]] == [str(v) for v in graph], (case, "other vertices")
    column = lambda name: dict(zip(graph, table[name]))
    for name, values in expected(graph, weighted and graph.size() > 0, policy).items():
        for v, value in column(name).items():
            wanted = values.get(v, math.nan)
            same = math.isnan(value) if math.isnan(wanted) else abs(value - wanted) <= 1e-9 * max(1, abs(wanted))
            assert same, f"case {case}: {name} of {v} is {value}, not {wanted}: {options}, {graph.edges(data=True)}"
    check_components(graph, column("component"), networkx.weakly_connected_components(graph) if directed else networkx.connected_components(graph))
    if directed:
        check_components(graph, column("strong_component"), networkx.strongly_connected_components(graph))
    return table


def main():
    rng = random.Random(7)
    cases, rows, missing = 40, 0, 0
    for case in range(cases):
        table = check(sys.argv[1], rng, case)
        rows, missing = rows + len(table), missing + int(table.isna().sum().sum())
    assert missing > 0, "no case has a vertex outside"
    print(f"{cases} graphs, {rows} rows, {missing} values missing: as NetworkX has them, in four formats")


if __name__ == "__main__":
    main()
