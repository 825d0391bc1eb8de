#!/usr/bin/env python3
"""Verbs with --weighted, --directed and both, with every policy for graphs of several parts, against distances between all
pairs [Floyd 1962] in exact fractions."""
import itertools
import json
import random
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

POLICIES = {"diameter": (("largest", "per-component", "infinite", "error"), ("reachable", "largest", "infinite", "error")),
            "radius": (("largest", "error"), ("reachable", "largest", "error")),
            "center": (("largest", "error"), ("reachable", "largest", "error")),
            "periphery": (("largest", "error"), ("reachable", "largest", "error")),
            "eccentricity": (("largest", "error"), ("reachable", "largest", "error")),
            "bfs": (("reachable", "error"),) * 2,
            "distances": (("reachable", "error"),) * 2}


def graphs(rng):
    yield [(7, 7, "3")]
    yield [(1, 2, "0.5")]
    yield [(1, 2, "2"), (2, 3, "3"), (3, 1, "1"), (10, 11, "100"), (2, 1, "4")]
    yield [(1, 2, "0"), (2, 3, "0"), (3, 1, "1.50"), (3, 4, "0.125")]
    for round in range(6):
        edges, first = [], 0
        for order in rng.choice([(9, 4, 1), (12,), (5, 5, 2)]):
            names = range(first, first + order)
            for a, b in itertools.product(names, names):
                if b == a + 1 or rng.random() < 0.12:
                    edges.append((a, b, rng.choice([str(rng.randrange(1, 10)), f"{rng.randrange(1, 400) / 100:.2f}", "1", "0"][:3 + round % 2])))
            first += order
        rng.shuffle(edges)
        yield edges


class Slow:
    """Distances of some vertices among themselves."""

    def __init__(self, edges, weighted, directed, names=None):
        self.names = sorted({v for a, b, _ in edges for v in (a, b)} if names is None else names)
        self.length = {}
        for a, b, text in edges:
            for u, v in [(a, b)] if directed else [(a, b), (b, a)]:
                if u != v and u in self.names and v in self.names:
                    w = Fraction(text) if weighted else Fraction(1)
                    self.length[u, v] = min(w, self.length.get((u, v), w))
        self.far = {(v, v): Fraction(0) for v in self.names} | self.length
        for k, i, j in itertools.product(self.names, repeat=3):
            if (i, k) in self.far and (k, j) in self.far:
                through = self.far[i, k] + self.far[k, j]
                self.far[i, j] = min(through, self.far.get((i, j), through))

    def parts(self):
        """Sets of vertices that reach each other, largest first; of equal ones that with the first label."""
        sets = {frozenset(u for u in self.names if (v, u) in self.far and (u, v) in self.far) for v in self.names}
        return sorted(sets, key=lambda part: (-len(part), min(part)))

    def out(self, v):
        return max(d for (a, _), d in self.far.items() if a == v)

    def into(self, v):
        return max(d for (_, b), d in self.far.items() if b == v)

    def reach_all(self):
        return [v for v in self.names if all((v, u) in self.far for u in self.names)]

    def diameter(self):
        return max(self.far.values())

    def radius(self):
        return min(map(self.out, self.reach_all()), default=None)


class Check:
    def __init__(self, answer, whole, part, where):
        self.answer, self.whole, self.part, self.where = answer, whole, part, where

    def same(self, found, wanted, what):
        assert found == wanted, (self.where, what, found, wanted)

    def witness(self, length):
        """A path of the graph, of this length."""
        witness = self.answer["witness"]
        path = witness["path"]
        lengths = [self.part.length[step] for step in zip(path, path[1:])]
        self.same((path[0], path[-1], sum(lengths)), (witness["from"], witness["to"], length), "witness")
        self.same(witness.get("lengths", lengths), lengths, "lengths of the witness")

    def diameter(self):
        for bound in ("value", "lower", "upper"):
            self.same(self.answer[bound], self.part.diameter(), bound)
        self.witness(self.part.diameter())
        if "pairs_without_path" in self.answer:
            self.same(self.answer["pairs_without_path"], len(self.part.names) ** 2 - len(self.part.far), "pairs")

    def radius(self):
        self.same(self.answer["value"], self.part.radius(), "radius")
        self.same(self.answer.get("undefined", False), self.part.radius() is None, "undefined")
        if self.part.radius() is not None:
            self.witness(self.part.radius())
        self.same(self.answer.get("reach_all", len(self.part.reach_all())), len(self.part.reach_all()), "reach all")

    def center(self):
        center = [v for v in self.part.reach_all() if self.part.out(v) == self.part.radius()]
        self.same(sorted(self.answer["value"] or []), sorted(center), "center")
        self.same(self.answer["lower"], self.part.radius(), "radius")

    def periphery(self):
        wanted = [v for v in self.part.names if self.part.out(v) == self.part.diameter()]
        self.same(sorted(self.answer["value"]), sorted(wanted), "periphery")
        self.witness(self.part.diameter())

    def eccentricity(self, lines, directed):
        wanted = {}
        for v in self.whole.names:
            inside = v in self.part.names
            wanted[str(v)] = [self.part.out(v) if inside else "nan"] + ([self.part.into(v) if inside else "nan"] if directed else [])
        found = {line[0]: [e if e == "nan" else Fraction(e) for e in line[1:]] for line in lines}
        self.same(found, wanted, "eccentricities")
        self.same(self.answer["radius"], self.part.radius(), "radius")
        self.same(self.answer["diameter"], self.part.diameter(), "diameter")
        self.witness(self.part.diameter())

    def bfs(self, lines, source):
        wanted = {str(v): self.part.far.get((source, v), "inf") for v in self.part.names}
        self.same({v: d if d == "inf" else Fraction(d) for v, d in lines}, wanted, "distances")
        self.same(self.answer["value"], self.part.out(source), "eccentricity")

    def distances(self, rows, order):
        wanted = [[self.part.far.get((a, b), "inf") for b in order] for a in order]
        self.same([[d if d == "inf" else Fraction(d) for d in row] for row in rows], wanted, "rows")


def numbers(path, unit):
    """The rows of a .npy file."""
    data = path.read_bytes()
    header = eval(data[10:128])
    rows, columns = header["shape"]
    flat = struct.unpack(f"<{rows * columns}{'q' if header['descr'] == '<i8' else 'i'}", data[128:])
    return [["inf" if d < 0 else Fraction(d) * unit for d in flat[i * columns:(i + 1) * columns]] for i in range(rows)]


def asked(policy, whole, directed, edges, weighted):
    """What the answer is about; None: exit code 3."""
    parts = whole.parts()
    if policy == "error":
        return whole if len(parts) == 1 else None
    return Slow(edges, weighted, directed, parts[0]) if policy == "largest" else whole


def check(answer, verb, policy, edges, weighted, directed, folder):
    whole = Slow(edges, weighted, directed)
    part = asked(policy, whole, directed, edges, weighted)
    more = {"bfs": ["--source", str(whole.names[0]), "--output", "new.txt"], "eccentricity": ["--output", "new.txt"], "distances": ["new.txt"]}.get(verb, [])
    flags = ["--weighted"] * weighted + ["--directed"] * directed
    code, found = answer(verb, "g.txt", *more, *flags, "--disconnected", policy)
    where = f"{verb} {flags} --disconnected {policy} of {edges}: {found}"
    if part is None:
        assert code == 3, where
        return
    assert code == 0 and found["exact"], where
    test = Check(found, whole, part, where)
    lines = [line.split() for line in (folder / "new.txt").read_text().splitlines()] if more else []
    if verb == "diameter" and policy == "infinite" and len(whole.parts()) > 1:
        ends = found["witness"]["from"], found["witness"]["to"]
        test.same((found["infinite"], ends in whole.far), (True, False), "infinite")
    elif verb == "eccentricity":
        test.eccentricity(lines, directed)
    elif verb == "bfs":
        test.bfs(lines, whole.names[0])
    elif verb == "distances":
        order = list(dict.fromkeys(v for a, b, _ in edges for v in (a, b)))
        names = [line.split()[0] for line in (folder / "order.txt").read_text().splitlines()]
        order = [int(v) for v in names]
        test.distances(lines, order)
        _, found = answer(verb, "g.txt", "new.npy", *flags)
        test.distances(numbers(folder / "new.npy", Fraction(found.get("unit_of_rows", "1"))), order)
    else:
        getattr(test, verb)()


def check_info(answer, edges):
    whole = Slow(edges, True, True)
    parts = whole.parts()
    _, found = answer("info", "g.txt", "--directed", "--weighted")
    arcs = found["arcs"]
    both = sum((b, a) in whole.length for a, b in whole.length)
    wanted = (len(parts), len(parts[0]), len(whole.reach_all()), sum(all((u, v) in whole.far for u in whole.names) for v in whole.names), len(whole.length))
    largest = arcs["largest_strong_component"]["vertices"]
    assert (arcs["strong_components"], largest, arcs["reach_all"], arcs["reached_by_all"], arcs["count"]) == wanted, (edges, arcs, wanted)
    assert abs(arcs["reciprocity"] * len(whole.length) - both) < 1e-6, (edges, arcs, both)
    if whole.length:
        lengths = found["lengths"]
        assert (lengths["least"], lengths["most"]) == (min(whole.length.values()), max(whole.length.values())), (edges, lengths)


def main():
    program = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def answer(*arguments):
            engine = [] if arguments[0] == "info" else ["--engine", "cpu"]
            done = subprocess.run([program, *arguments, "-q", "--json", *engine], cwd=folder, capture_output=True, text=True)
            return done.returncode, json.loads(done.stdout, parse_float=Fraction, parse_int=Fraction) if done.stdout else done.stderr

        for edges in graphs(random.Random(5)):
            (folder / "g.txt").write_text("".join(f"{a} {b} {w}\n" for a, b, w in edges))
            answer("bfs", "g.txt", "--output", "order.txt")
            for (weighted, directed), verb in itertools.product([(True, False), (False, True), (True, True)], POLICIES):
                if verb in ("bfs", "distances") and not weighted:
                    continue  # directed.py
                for policy in POLICIES[verb][directed]:
                    check(answer, verb, policy, edges, weighted, directed, folder)
            check_info(answer, edges)
    print("all policies agree with the reference")


if __name__ == "__main__":
    main()
