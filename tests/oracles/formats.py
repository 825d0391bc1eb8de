#!/usr/bin/env python3
"""Graphs as NetworkX writes them, in every format that both know: order, size and diameter must be those that NetworkX has. What is
refused must be refused with exit code 3. Usage: formats.py ANTIPODE"""
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import networkx
except ImportError:
    print("skipped: networkx is not installed")
    sys.exit(77)


def write_csv(separator, header):
    def write(graph, path):
        with open(path, "w", newline="") as file:
            writer = csv.writer(file, delimiter=separator)
            writer.writerows([["Source", "Target"]] * header)
            writer.writerows(graph.edges())
    return write


def write_json(graph, path):
    Path(path).write_text(json.dumps(networkx.node_link_data(graph, edges="links")))


def write_marked(graph, path):
    networkx.write_edgelist(graph, path, data=False)
    Path(path).write_bytes(b"\xef\xbb\xbf" + Path(path).read_bytes())


# name of the file: how it is written, and whether vertices without edges are in it
READ = {
    "edges.txt": (lambda graph, path: networkx.write_edgelist(graph, path), False),
    "plain.txt": (lambda graph, path: networkx.write_edgelist(graph, path, data=False), False),
    "marked.txt": (write_marked, False),
    "comma.csv": (write_csv(",", True), False),
    "semicolon.txt": (write_csv(";", False), False),
    "tab.tsv": (write_csv("\t", True), False),
    "graph.graphml": (networkx.write_graphml, True),
    "graph.net": (networkx.write_pajek, True),
    "graph.json": (write_json, True),
    "graph.g6": (networkx.write_graph6, True),
    "graph.s6": (networkx.write_sparse6, True),
    "graph6": (networkx.write_graph6, True),
    "sparse6": (networkx.write_sparse6, True),
}
REFUSED = {
    "graph.gexf": networkx.write_gexf,
    "gexf": networkx.write_gexf,
    "graph.gml": networkx.write_gml,
    "gml": networkx.write_gml,
    "lists.txt": networkx.write_adjlist,
    "cytoscape": lambda graph, path: Path(path).write_text(json.dumps(networkx.cytoscape_data(graph), default=str)),
    "adjacency": lambda graph, path: Path(path).write_text(json.dumps(networkx.adjacency_data(graph))),
    "dot": lambda graph, path: Path(path).write_text("graph g {\n" + "".join(f"  {u} -- {v};\n" for u, v in graph.edges()) + "}\n"),
}


def graphs():
    yield "karate", networkx.karate_club_graph()
    yield "florence", networkx.florentine_families_graph()
    yield "names with blanks", networkx.relabel_nodes(networkx.cycle_graph(5), lambda v: f"vertex {v}, of 5")
    for seed in range(6):
        yield f"random {seed}", networkx.gnm_random_graph(20 + 30 * seed, 40 + 60 * seed, seed=seed)
    yield "tree", networkx.random_labeled_tree(60, seed=3)
    yield "large", networkx.gnm_random_graph(300, 3000, seed=1)


def ask(program, verb, path):
    return subprocess.run([program, verb, str(path), "--json", "--quiet"], capture_output=True, text=True)


def expected(graph, isolated):
    graph = networkx.Graph(graph)
    if not isolated:
        graph.remove_nodes_from(list(networkx.isolates(graph)))
    giant = graph.subgraph(max(networkx.connected_components(graph), key=len))
    return graph.order(), graph.size(), networkx.diameter(giant)


def found(program, path):
    info, diameter = ask(program, "info", path), ask(program, "diameter", path)
    if info.returncode or diameter.returncode:
        return (info.stderr + diameter.stderr).strip()
    info, diameter = json.loads(info.stdout), json.loads(diameter.stdout)
    return info["vertices"], info["edges"], diameter["value"]


def cases(folder):
    for name, graph in graphs():
        blank = any(" " in str(v) for v in graph)
        for file, (write, isolated) in READ.items():
            if blank and file.endswith(".txt") and file != "semicolon.txt":
                continue               # an edge list cannot hold them
            write(graph, str(folder / file))
            yield name, file, expected(graph, isolated)
        for file, write in REFUSED.items():
            if not blank:
                write(graph, str(folder / file))
                yield name, file, None


def main():
    program = sys.argv[1]
    checked = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, file, wanted in cases(Path(folder)):
            path = Path(folder) / file
            checked += 1
            if wanted is None:
                done = ask(program, "info", path)
                problem = "" if done.returncode == 3 and done.stderr else f"not refused: exit code {done.returncode}"
            else:
                answer = found(program, path)
                problem = "" if answer == wanted else f"networkx says {wanted}, antipode {answer}"
            if problem:
                failed += 1
                print(f"{name} as {file}: {problem}")
    print(f"{checked - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
