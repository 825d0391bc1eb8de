#!/usr/bin/env python3
"""Every verb that takes --directed, with every policy for graphs that are not connected, against a slow reference."""
import json
import random
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

VERBS = {"average": ("reachable", "largest"), "closeness": ("reachable", "largest"), "betweenness": ("reachable", "largest"), "eccentricity": ("reachable", "largest"), "distances": ("reachable",),
         "bfs": ("reachable",)}


def graphs(rng):
    yield [(1, 2), (2, 3), (3, 1), (10, 11)]
    yield [(1, 2), (2, 3), (3, 1)]
    yield [(1, 2), (3, 2)]
    yield [(1, 2), (3, 2), (5, 6), (6, 7), (7, 8), (9, 8)]
    for _ in range(3):
        arcs, first = [], 0
        for order in (9, 14, 5):
            names = range(first, first + order)
            arcs += [(a, b) for a in names for b in names if a != b and (b == a + 1 or rng.random() < 0.08)]
            first += order
        rng.shuffle(arcs)
        yield arcs


class Slow:
    def __init__(self, arcs, policy):
        names = list(dict.fromkeys(v for arc in arcs for v in arc))
        self.out = {v: {b for a, b in arcs if a == v} for v in names}
        if policy == "largest":  # strong component; of equal ones that with the first label
            reached = {v: self.search(v).keys() for v in names}
            names = max(({u for u in reached[v] if v in reached[u]} for v in names), key=lambda part: (len(part), -min(part)))
            self.out = {v: self.out[v] & names for v in names}
        self.names = sorted(names)
        self.far = {v: self.search(v) for v in self.names}
        self.connected = all(len(far) == len(self.names) for far in self.far.values())

    def search(self, source):
        far, queue = {source: 0}, [source]
        for v in queue:
            for u in self.out[v] - far.keys():
                far[u] = far[v] + 1
                queue.append(u)
        return far

    def paths(self, a, b):
        """Shortest paths from a to b."""
        if a == b:
            return 1
        return sum(self.paths(a, v) for v in self.far[a] if b in self.out[v] and self.far[a][v] + 1 == self.far[a][b])

    def betweenness(self, v):
        total = Fraction(0)
        for s in self.names:
            for t in self.far[s]:
                if v not in (s, t) and v in self.far[s] and t in self.far[v] and self.far[s][v] + self.far[v][t] == self.far[s][t]:
                    total += Fraction(self.paths(s, v) * self.paths(v, t), self.paths(s, t))
        return total

    def closeness(self, v):
        reached = len(self.far[v]) - 1
        return reached ** 2 / (sum(self.far[v].values()) * (len(self.names) - 1)) if reached else 0


def values(path):
    return {int(line.split()[0]): line.split()[1] for line in Path(path).read_text().splitlines()}


def main():
    program = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        def answer(*arguments):
            done = subprocess.run([program, *arguments, "--directed", "-q", "--json"], cwd=folder, capture_output=True, text=True)
            return done.returncode, json.loads(done.stdout) if done.stdout else None

        for arcs in graphs(random.Random(3)):
            (Path(folder) / "g.txt").write_text("".join(f"{a} {b}\n" for a, b in arcs))
            for verb, policies in VERBS.items():
                for policy in (*policies, "error"):
                    slow = Slow(arcs, policy)
                    target = Path(folder) / "rows.txt"
                    target.unlink(missing_ok=True)
                    more = {"average": [], "distances": ["rows.txt"], "bfs": ["--source", str(slow.names[0]), "--output", "rows.txt"]}.get(verb, ["--output", "rows.txt"])
                    code, found = answer(verb, "g.txt", *more, "--disconnected", policy, "--engine", "cpu")
                    where = f"{verb} --disconnected {policy} of {arcs}"
                    if policy == "error" and not slow.connected:
                        assert code == 3, (where, code)
                        continue
                    assert code == 0, (where, code)
                    sums = [d for far in slow.far.values() for d in far.values()]
                    if verb == "average":
                        assert (found["sum"], found["reachable_pairs"]) == (sum(sums), len(sums) - len(slow.names)), (where, found)
                    elif verb == "eccentricity":
                        wanted = {v: max(far.values()) for v, far in slow.far.items()}
                        reaching = [wanted[v] for v in slow.names if len(slow.far[v]) == len(slow.names)]
                        assert {v: int(e) for v, e in values(target).items() if e != "nan"} == wanted, where
                        assert found["reach_all"] == len(reaching) and found["radius"] == min(reaching, default=None), where
                    elif verb == "distances":
                        order = list(dict.fromkeys(v for arc in arcs for v in arc))
                        rows = [[str(slow.far[a].get(b, "inf")) for b in order] for a in order]
                        given = [line.split() for line in target.read_text().splitlines()]
                        assert sorted(map(sorted, given)) == sorted(map(sorted, rows)), where
                    elif verb == "bfs":
                        assert {v: int(d) for v, d in values(target).items() if d != "inf"} == slow.far[slow.names[0]], where
                    else:
                        for v, value in values(target).items():
                            if value == "nan":
                                assert v not in slow.far, (where, v)
                                continue
                            wanted = getattr(slow, verb)(v)
                            assert abs(float(value) - wanted) <= 1e-9 * max(1, wanted), (where, v, value, float(wanted))
    print("all policies agree with the reference")


if __name__ == "__main__":
    main()
