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


def write_quoted(graph, path):
    """As spreadsheets save it: marked, every field in quotes, lengths."""
    with open(path, "w", newline="", encoding="utf-8-sig") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(["Source", "Target", "Weight"])
        writer.writerows([u, v, 1 + i % 3] for i, (u, v) in enumerate(graph.edges()))


def write_indexed(separator, first=""):
    """As pandas writes a table: its rows are numbered, and the first column has no name."""
    def write(graph, path):
        with open(path, "w", newline="") as file:
            writer = csv.writer(file, delimiter=separator)
            writer.writerow([first, "source", "target", "weight"])
            writer.writerows([i, u, v, 0.5] for i, (u, v) in enumerate(graph.edges()))
    return write


def write_decimal_commas(graph, path):
    Path(path).write_text("".join(f"{u};{v};0,5\n" for u, v in graph.edges()))


def write_row_names(quote):
    """As R's write.table does: the header has no word above the row names."""
    def write(graph, path):
        rows = [["source", "target"]] + [[str(1 + i), str(u), str(v)] for i, (u, v) in enumerate(graph.edges())]
        Path(path).write_text("".join(" ".join(quote + word + quote for word in row) + "\n" for row in rows))
    return write


def write_returns(graph, path):
    networkx.write_edgelist(graph, path, data=False)
    Path(path).write_bytes(Path(path).read_bytes().replace(b"\n", b"\r"))


def write_matrix(separator):
    def write(graph, path):
        places = {v: i for i, v in enumerate(graph)}
        rows = [["0"] * len(places) for _ in places]
        for u, v in graph.edges():
            rows[places[u]][places[v]] = rows[places[v]][places[u]] = "1"
        Path(path).write_text("".join(separator.join(row) + "\n" for row in rows))
    return write


def write_leda(graph, path):
    places = {v: i + 1 for i, v in enumerate(graph)}
    lines = ["LEDA.GRAPH", "string", "void", "-2", str(len(places)), *[f"|{{{v}}}|" for v in graph], str(graph.size())]
    lines += [f"{places[u]} {places[v]} 0 |{{}}|" for u, v in graph.edges()]
    Path(path).write_text("\n".join(lines) + "\n")


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
    "tabs.txt": (lambda graph, path: networkx.write_edgelist(graph, path, delimiter="\t"), False),
    "comma.csv": (write_csv(",", True), False),
    "quoted.csv": (write_quoted, False),
    "indexed.csv": (write_indexed(","), False),
    "indexed.tsv": (write_indexed("\t"), False),
    "numbered.txt": (write_indexed("\t", "id"), False),
    "decimals.csv": (write_decimal_commas, False),
    "semicolon.txt": (write_csv(";", False), False),
    "tab.tsv": (write_csv("\t", True), False),
    "graph.graphml": (networkx.write_graphml, True),
    "graph.net": (networkx.write_pajek, True),
    "graph.json": (write_json, True),
    "graph.g6": (networkx.write_graph6, True),
    "graph.s6": (networkx.write_sparse6, True),
    "graph6.txt": (lambda graph, path: networkx.write_graph6(graph, path, header=False), True),
    "sparse6.txt": (lambda graph, path: networkx.write_sparse6(graph, path, header=False), True),
    "graph6": (networkx.write_graph6, True),
    "sparse6": (networkx.write_sparse6, True),
}
REFUSED = {
    "graph.gexf": networkx.write_gexf,
    "gexf": networkx.write_gexf,
    "graph.gml": networkx.write_gml,
    "gml": networkx.write_gml,
    "lists.txt": networkx.write_adjlist,
    "lists.csv": lambda graph, path: networkx.write_adjlist(graph, path, delimiter=","),
    "multiline.txt": networkx.write_multiline_adjlist,
    "rows.txt": write_row_names(""),
    "quoted rows.txt": write_row_names('"'),
    "returns.txt": write_returns,
    "matrix.txt": write_matrix(" "),
    "matrix.csv": write_matrix(","),
    "leda": write_leda,
    "python.txt": lambda graph, path: Path(path).write_text(f"{networkx.to_dict_of_lists(graph)}\n"),
    "cytoscape": lambda graph, path: Path(path).write_text(json.dumps(networkx.cytoscape_data(graph), default=str)),
    "adjacency": lambda graph, path: Path(path).write_text(json.dumps(networkx.adjacency_data(graph))),
    "dot": lambda graph, path: Path(path).write_text("graph g {\n" + "".join(f"  {u} -- {v};\n" for u, v in graph.edges()) + "}\n"),
}


# What an edge list between blanks makes of names with blanks, the attributes behind them; and of
# tuples also without attributes, or between commas.
REFUSED_BLANKS = {
    "edges.txt": networkx.write_edgelist,
    "multiline.txt": networkx.write_multiline_adjlist,
    "graph.gml": networkx.write_gml,
}
REFUSED_TUPLES = {
    **REFUSED_BLANKS,
    "plain.txt": lambda graph, path: networkx.write_edgelist(graph, path, data=False),
    "commas.txt": lambda graph, path: networkx.write_edgelist(graph, path, delimiter=","),
    "commas.csv": lambda graph, path: networkx.write_edgelist(graph, path, delimiter=",", data=False),
}
HOLD_BLANKS = {"tabs.txt", "semicolon.txt", "numbered.txt", "graph6.txt", "sparse6.txt"}


def graphs():
    yield "karate", networkx.karate_club_graph()
    yield "florence", networkx.florentine_families_graph()
    yield "names with blanks", networkx.relabel_nodes(networkx.cycle_graph(5), lambda v: f"vertex {v}, of 5")
    for seed in range(6):
        yield f"random {seed}", networkx.gnm_random_graph(20 + 30 * seed, 40 + 60 * seed, seed=seed)
    yield "tree", networkx.random_labeled_tree(60, seed=3)
    yield "path", networkx.path_graph(7)
    yield "words on a path", networkx.relabel_nodes(networkx.path_graph(7), lambda v: f"v{v}")
    yield "one edge", networkx.path_graph(2)
    yield "regular", networkx.random_regular_graph(3, 20, seed=1)
    yield "tuples", networkx.grid_2d_graph(3, 4)
    yield "cities", networkx.relabel_nodes(networkx.cycle_graph(5), dict(enumerate(["New York", "Los Angeles", "San Diego", "El Paso", "Las Vegas"])))
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
        blank, tuples = (any(" " in str(v) for v in graph), any(isinstance(v, tuple) for v in graph))
        for file, (write, isolated) in READ.items():
            if blank and file.endswith(".txt") and file not in HOLD_BLANKS:
                continue               # an edge list cannot hold them
            if (blank and file == "decimals.csv") or (tuples and file == "graph.json"):
                continue               # not written so by any program
            write(graph, str(folder / file))
            yield name, file, expected(graph, isolated)
        for file, write in (REFUSED_TUPLES if tuples else REFUSED_BLANKS if blank else REFUSED).items():
            if graph.order() < 3 and file in ("matrix.txt", "matrix.csv", "returns.txt"):
                continue               # "0 1" and "1 0" are edges, and one line needs no end
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
