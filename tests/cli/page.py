#!/usr/bin/env python3
"""The page says what the verbs say, for graphs in one and several components, with lengths and directions.

Usage: page.py ANTIPODE
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

GRAPHS = (
    "gen:er?n=300&degree=2",
    "gen:road?rows=20&cols=20",
    "gen:tree?n=500",
    "gen:er?n=300&degree=5&directed --directed",
    "gen:road?rows=15&cols=15&lengths=1..99 --weighted",
    "gen:er?n=300&degree=5&lengths=1..9&directed --weighted --directed",
)


class Program:
    def __init__(self, program, folder):
        self.program, self.page = program, Path(folder) / "page.html"

    def run(self, *words):
        engine = [] if words[0] == "info" else ["--engine", "cpu"]
        done = subprocess.run([self.program, *words, "-q", *engine], capture_output=True, text=True)
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    def verb(self, verb, *words):
        return json.loads(self.run(verb, *words, "--disconnected", "largest", "--json"))

    def graph(self, *words):
        self.run("report", *words, "-o", str(self.page), "--time-limit", "0")
        text = re.search(r'id="data">(.*?)</script>', self.page.read_text(), re.S)[1]
        return json.loads(text)["graphs"][0]


def near(a, b):
    return abs(a - b) <= 1e-5 * max(abs(a), abs(b))


def check(program, words):
    page = program.graph(*words)
    directed, weighted = "--directed" in words, "--weighted" in words
    diameter, radius = program.verb("diameter", *words), program.verb("radius", *words)
    assert page["diameter"]["lower"] == page["diameter"]["upper"] == diameter["value"]
    assert page["diameter"]["radius"]["lower"] == radius["value"]
    # The path is one, and no level of it is empty.
    stops = page["path"]["stops"]
    assert stops[-1][2] == diameter["value"] and sum(page["path"]["bins"]["counts"]) == page["part"]["vertices"]
    assert sum(page["spindle"]["bins"]["counts"]) == page["part"]["vertices"]
    average = program.verb("average", *words, *(["--distribution"] if weighted else []))
    distances = page["distances"]
    assert distances["state"] == "exact" and near(distances["mean"], average["value"]), (distances["mean"], average["value"])
    assert distances["pairs"] == sum(distances["bins"]["counts"]) == average["reachable_pairs"]
    if not weighted:
        assert distances["bins"]["counts"] == average["distribution"]
    central, periphery = program.verb("center", *words), program.verb("periphery", *words)
    assert page["eccentricities"]["state"] == "exact"
    assert page["eccentricities"]["central"] == central["count"]
    if not directed:
        assert page["eccentricities"]["peripheral"] == periphery["count"]
    closeness = program.verb("closeness", *words, "--top", "20")["value"]
    rows = sorted((row for row in page["central"]["rows"] if row[4]), key=lambda row: row[4])
    assert len(rows) == 20 and all(near(row[3], each["value"]) for row, each in zip(rows, closeness)), (rows, closeness)
    between = program.verb("betweenness", *words, "--normalized", "--top", "20")["value"]
    rows = sorted((row for row in page["central"]["rows"] if row[6]), key=lambda row: row[6])
    assert len(rows) == 20 and all(near(row[5], each["value"]) for row, each in zip(rows, between)), (rows, between)
    info = json.loads(program.run("info", *words, "--json"))
    assert page["fingerprint"] == info["fingerprint"]
    return page


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = Program(sys.argv[1], folder)
        several = [check(program, words.split())["components"] > 1 for words in GRAPHS]
    assert any(several) and not all(several)
    print(f"{len(GRAPHS)} pages say what the verbs say")


if __name__ == "__main__":
    main()
