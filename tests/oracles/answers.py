#!/usr/bin/env python3
"""What every verb prints with --json is as docs/schema/answer.json says, and the schema is not loose: no answer passes with a
field more or a required one less. Labels are numbers where those of the file are. Usage: answers.py ANTIPODE"""
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jsonschema import Draft202012Validator

SCHEMA = Path(__file__).parents[2] / "docs/schema/answer.json"
MEASURES = "degree,eccentricity,closeness,harmonic,betweenness,component"
FILES = {"g.txt": "1 2\n2 3\n3 4\n10 11\n11 12\n", "names.txt": "anna bert\nbert carl\ncarl dora\n", "w.txt": "1 2 0.5\n2 3 0.25\n3 4 7\n",
         "arcs.txt": "1 2\n2 3\n3 1\n3 4\n", "none.json": '{"nodes": [], "links": []}', "apart.json": '{"nodes": [{"id": 7}, {"id": 9}], "links": []}'}
GRAPHS = ["gen:karate", "g.txt", "names.txt", "none.json", "apart.json", "gen:path?n=1"]
VERBS = ["info", "diameter", "radius", "center", "periphery", "eccentricity", "average", "closeness", "betweenness"]
# Run one after the other, since some read what others write.
ORDERED = [
    "diameter g.txt --disconnected per-component", "diameter g.txt --disconnected infinite", "diameter w.txt --weighted --certificate proof.json",
    "diameter gen:ws?n=3000 --certificate proof2.json", "diameter arcs.txt --directed --count-pairs", "diameter arcs.txt --directed --disconnected infinite",
    "diameter gen:er?n=300&degree=2&lengths=1..9 --weighted --disconnected per-component", "radius arcs.txt --directed", "center arcs.txt --directed",
    "closeness g.txt --harmonic --top 2", "closeness w.txt --weighted", "betweenness g.txt --edges", "betweenness gen:ws?n=300 --samples 20",
    "betweenness gen:ws?n=300 --epsilon 0.3", "average gen:ws?n=300 --samples 20", "average w.txt --weighted --distribution", "average w.txt --weighted --samples 2",
    "bfs g.txt", "bfs names.txt", "bfs w.txt --weighted", "bfs arcs.txt --directed", "distances g.txt d.npy", "distances w.txt d2.npy --weighted",
    f"table g.txt -m {MEASURES} -o t.csv", "table gen:ws?n=300 -m betweenness --samples 20 -o t.npz", "table arcs.txt --directed -o t.json",
    "generate gen:ws?n=30 new.txt", "convert g.txt new.apg", "convert w.txt w.apg --weighted", "verify proof.json w.txt", "verify proof2.json gen:ws?n=3000",
    "engines", "golf bound 64 4", "golf search --order 64 --degree 4 --steps 50 --chains 2 --output new.part", "golf evaluate new.part", "golf evaluate g.txt",
    "info w.txt --weighted", "info arcs.txt --directed"]
COMMANDS = [f"{verb} {graph}" for verb in VERBS for graph in GRAPHS]
COMMANDS += [f"{verb} w.txt --weighted --directed" for verb in VERBS if verb != "info"]
COMMANDS += [f"{verb} gen:ws?n=300 --estimate" for verb in ["distances", *VERBS, "bfs"]]
STOPPED = ["diameter gen:grid?rows=300&cols=300", "eccentricity gen:ws?n=3000", "center gen:ws?n=3000", "radius gen:er?n=3000&degree=3 --directed", "average gen:ws?n=3000",
           "closeness gen:ws?n=3000 --output never.txt", "betweenness gen:ws?n=3000", "average gen:ws?n=3000&lengths=1..9 --weighted", "table gen:ws?n=3000 -o never.csv",
           "distances gen:ws?n=3000 never.npy", "eccentricity gen:er?n=3000&degree=3 --directed", "diameter gen:er?n=3000&degree=1 --disconnected per-component"]
WITHOUT_ENGINE = ("golf", "engines", "info", "generate", "convert", "verify")


class Program:
    def __init__(self, program, folder):
        self.program, self.folder = Path(program).resolve(), folder

    def run(self, command, stop=False):
        words = command.split()
        if words[0] == "distances" and "--estimate" in words:
            words.insert(2, "unwritten.npy")
        words += ["--json"] + ["--engine", "cpu"] * (words[0] not in WITHOUT_ENGINE) + ["--quiet"] * (words[0] not in ("engines", "golf"))
        environment = {**os.environ, **({"ANTIPODE_STOP": "computing"} if stop else {})}
        done = subprocess.run([self.program, *words], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120)
        return done


def loose(validator, answer):
    """Fields whose absence, and values whose strangeness, the schema does not notice."""
    if not validator.is_valid(answer):
        return []
    faults = []
    for key in ("schema", "measure", "value", "graph"):
        if key in answer and validator.is_valid({k: v for k, v in answer.items() if k != key}):
            faults.append(f"nothing said without {key}")
    for change in ({"surprise": 1}, {"schema": "antipode/1"}, {"measure": "width"}, {"searches": -1}, {"witness": 3}):
        if validator.is_valid({**answer, **change}):
            faults.append(f"nothing said with {change}")
    return faults


def labels_in(answer):
    witness = answer.get("witness") or {}
    yield from (witness[end] for end in ("from", "to") if end in witness)
    yield from witness.get("path") or []
    yield from (answer[key] for key in ("source", "farthest") if key in answer)
    if isinstance(answer.get("value"), list) and answer["measure"] != "engines":
        for each in answer["value"]:
            yield from (each.get("edge") or [each["vertex"]]) if isinstance(each, dict) else [each]


def main():
    validator = Draft202012Validator(json.loads(SCHEMA.read_text()))
    Draft202012Validator.check_schema(validator.schema)
    failed, labels, answers = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            (Path(folder) / name).write_text(text)
        program = Program(sys.argv[1], folder)
        ordered = [(command, program.run(command)) for command in ORDERED]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            rest = list(pool.map(program.run, COMMANDS))
            stopped = list(pool.map(lambda command: program.run(command, stop=True), STOPPED))
        several = program.run("diameter g.txt none.json missing.txt names.txt")
        runs = [*ordered, *zip(COMMANDS, rest), *zip(STOPPED, stopped)]
    for command, done in runs:
        wanted = 5 if command in STOPPED else 0
        if done.returncode != wanted:
            print(f"{command}: exit code {done.returncode}, not {wanted}: {done.stderr}")
            failed += 1
            continue
        answers.append((command, json.loads(done.stdout)))
    lines = several.stdout.splitlines()
    if several.returncode != 3 or len(lines) != 4:
        print(f"several graphs: exit code {several.returncode}, {len(lines)} lines")
        failed += 1
    answers += [(f"line {i} of several graphs", json.loads(line)) for i, line in enumerate(lines)]
    for command, answer in answers:
        problems = [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(answer)] + loose(validator, answer)
        kind = str if "names" in json.dumps(answer.get("graph", {}).get("name", "")) else int
        found = list(labels_in(answer))
        labels += len(found)
        problems += [f"{label!r} is no {kind.__name__}" for label in found if type(label) is not kind]
        if problems:
            print(f"{command}: {'; '.join(problems[:3])}")
            failed += 1
    seen = {answer["measure"] for _, answer in answers}
    unseen = set(validator.schema["properties"]["measure"]["enum"]) - seen - {"relaxed"}  # which wants an OpenCL device
    if unseen:
        print(f"no answer of {', '.join(sorted(unseen))}")
        failed += 1
    print(f"{len(answers)} answers of {len(seen)} measures, {labels} labels, {failed} failed")
    return 1 if failed or not labels else 0


if __name__ == "__main__":
    sys.exit(main())
