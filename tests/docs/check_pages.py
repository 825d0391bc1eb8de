#!/usr/bin/env python3
"""Checks what the documents say about each other, about verbs and about formats.

  check_pages.py PROGRAM FOLDER

- Links between the Markdown files lead to files and headings that exist.
- Every document is reached from docs/index.md or from docs/decisions/index.md.
- The verbs and options in the tables of docs/verbs.md exist.
- The fields that docs/json.md names for a measure are in its answer.
- Every format that src/io/detect.cpp lists has a section in docs/formats.md.
"""
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@cache
def prose(path):
    return FENCED.sub("", path.read_text())


@cache
def anchors(path):
    """The anchors that GitHub gives the headings."""
    found, seen = set(), {}
    for heading in re.findall(r"^#+ (.*)$", prose(path), re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        found.add(slug if slug not in seen else f"{slug}-{seen[slug]}")
        seen[slug] = seen.get(slug, 0) + 1
    return found


def broken_links(root, pages):
    for page in pages:
        for link in LINK.findall(prose(page)):
            target, _, anchor = link.partition("#")
            if "://" in target or target.startswith("mailto:"):
                continue
            path = (page.parent / target).resolve() if target else page
            if not path.exists():
                yield f"{page.relative_to(root)}: no file {target}"
            elif anchor and anchor not in anchors(path):
                yield f"{page.relative_to(root)}: no heading #{anchor} in {path.relative_to(root)}"


def unreached(root):
    for folder in (root / "docs", root / "docs/decisions"):
        listed = {(folder / link.partition("#")[0]).resolve() for link in LINK.findall(prose(folder / "index.md"))}
        pages = {path.resolve() for path in folder.glob("*.md")} | (
            {path.resolve() for path in (root / "docs/guides").glob("*.md")} if folder.name == "docs" else set())
        for path in sorted(pages - listed - {(folder / "index.md").resolve()}):
            yield f"{folder.relative_to(root)}/index.md does not list {path.relative_to(root)}"


def unknown_words(program, page):
    @cache
    def help_of(*words):
        done = subprocess.run([program, *words, "--help"], capture_output=True, text=True)
        return done.stdout if re.search(rf"antipode {' '.join(words)}\b", done.stdout) else ""

    for command in re.findall(r"`antipode ([^`]*)`", prose(page)):
        words = command.split()
        if words[0].isupper():
            continue  # any verb
        verb = words[:2] if words[0] == "golf" else words[:1]
        text = help_of(*verb)
        if not text:
            yield f"{page.name}: no verb {' '.join(verb)}"
        for option in re.findall(r"--[a-z-]+", command):
            if not re.search(rf"{option}\b", text):
                yield f"{page.name}: {' '.join(verb)} has no option {option}"


def missing_fields(program, page):
    table = prose(page).partition("## Fields of single measures")[2].partition("\n\n")[0]
    for row in re.findall(r"^\| (`.*) \| (.*) \|$", table, re.MULTILINE):
        for command in re.findall(r"`([^`]*)`", row[0]):
            answer = subprocess.run([program, *command.split(), "gen:karate", "--json"], capture_output=True, text=True)
            for field in re.findall(r"`(\w+)`", row[1]):
                if f'"{field}":' not in answer.stdout:
                    yield f"{page.name}: {command} has no field {field}"


def formats_without_example(root):
    names = re.findall(r'\.name = "(\w+)"', (root / "src/io/detect.cpp").read_text())
    headings = " ".join(re.findall(r"^## .*", prose(root / "docs/formats.md"), re.MULTILINE))
    for name in names:
        if f"`{name}`" not in headings:
            yield f"docs/formats.md: no section for the format '{name}'"
    if len(names) < 10:
        yield "src/io/detect.cpp: its formats were not found"


def main():
    program, root = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    pages = [*root.glob("*.md"), *(root / "docs").glob("**/*.md")]
    faults = [*broken_links(root, pages), *unreached(root), *unknown_words(program, root / "docs/verbs.md"),
              *missing_fields(program, root / "docs/json.md"), *formats_without_example(root)]
    print("\n".join([*faults, f"{len(pages)} documents, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
