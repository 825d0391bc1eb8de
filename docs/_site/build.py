#!/usr/bin/env python3
"""Builds the documentation site, offline, with warnings as errors.

  build.py FOLDER [PACKAGE]     into FOLDER/html; PACKAGE: a folder with the built Python package

The Markdown files are staged in FOLDER/source as they lie in the repository, so that their links
hold. The contents of the site are the lists of links in docs/index.md and docs/decisions/index.md.
What is generated lies beside them: the reference of C++ from the headers, that of Python from the
package, the schemas where docs/schema has any. Exit code 77: Sphinx is missing.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import cpp_reference

ROOT = Path(__file__).resolve().parents[2]
GENERATED_AFTER = "- [JSON answers](json.md)\n"
LINK = re.compile(r"^- \[([^\]]*)\]\(([^)#]+)\.md\)", re.MULTILINE)


def toctree(pages, caption=""):
    head = ["```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), ""]
    return "\n".join(["", *head, *pages, "```", ""])


def add_contents(index, text):
    """Appends the contents of the site: the links of each list, under the heading above it."""
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        pages = [f"{title.replace('`', '')} <{page}>" for title, page in LINK.findall(section)]
        if pages:
            text += toctree(pages, section.splitlines()[0])
    index.write_text(text)


def stage(source):
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", "CITATION.cff"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "docs", source / "docs", ignore=shutil.ignore_patterns("_site", "*.txt"))
    add_contents(source / "docs/decisions/index.md", (ROOT / "docs/decisions/index.md").read_text())
    add_contents(source / "docs/index.md", (ROOT / "docs/index.md").read_text().replace(GENERATED_AFTER, GENERATED_AFTER
                 + "- [Python reference](reference/python.md)\n- [C++ reference](reference/cpp/index.md)\n"))


def kind_of(value):
    if isinstance(value, type):
        return "exception" if issubclass(value, Exception) else "class"
    return "function" if callable(value) else "data"  # a union of types


def write_python_reference(page, package):
    lines = ["# Python reference", ""]
    if not package:
        page.write_text("\n".join([*lines, "The Python package was not built where this site was made, so "
                                   "its reference is missing. `make build docs` makes both."]) + "\n")
        return
    sys.path.insert(0, package)
    import antipode_graph

    lines += ["From the package itself. [In Python](../guides/python.md) is the guide.", "", "```{eval-rst}"]
    for name in antipode_graph.__all__:
        value = getattr(antipode_graph, name)
        kind = kind_of(value)
        lines += [f".. auto{kind}:: antipode_graph.{name}"]
        if kind == "class":
            lines += ["   :members:", "   :undoc-members:", "   :inherited-members:"]
        lines.append("")
    page.write_text("\n".join([*lines, "```", ""]))


def write_schemas(page):
    """The published schemas, below the text of docs/json.md."""
    schemas = sorted((ROOT / "docs/schema").glob("**/*.json"))
    if schemas:
        with page.open("a") as file:
            file.write("\n## Files\n" + "".join(
                f"\n### {path.name}\n```{{literalinclude}} {path.relative_to(ROOT / 'docs')}\n:language: json\n```\n"
                for path in schemas))


def main():
    if not all(importlib.util.find_spec(name) for name in ("sphinx", "myst_parser", "furo")):
        print("skipped: Sphinx, MyST and furo are not installed (docs/requirements.txt)")
        return 77
    folder, package = Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else ""
    if not list(Path(package).glob("antipode_graph/_core*.so")):
        package = ""
        print("note: the Python package is not built; its reference is left out")
    shutil.rmtree(folder, ignore_errors=True)
    source, html = folder / "source", folder / "html"
    source.mkdir(parents=True)
    stage(source)
    reference = source / "docs/reference"
    headers = cpp_reference.write_pages(ROOT / "include/antipode", reference / "cpp")
    write_python_reference(reference / "python.md", package)
    write_schemas(source / "docs/json.md")
    version = re.search(r"project\(\w+ VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.IGNORECASE)[1]
    environment = {**os.environ, "ANTIPODE_ROOT": str(ROOT), "ANTIPODE_VERSION": version,
                   "ANTIPODE_MODULE": str(Path(package).resolve()) if package else ""}
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going", "-n", "-j", "2",
               "-c", ROOT / "docs/_site", "-d", folder / "doctrees", source, html]
    if subprocess.run(command, env=environment).returncode:
        return 1
    (html / "index.html").write_text(
        '<!doctype html><meta charset="utf-8"><title>Antipode</title>'
        '<meta http-equiv="refresh" content="0; url=docs/index.html"><a href="docs/index.html">Antipode</a>\n')
    pages = len(list(html.glob("**/*.html")))
    print(f"{pages} pages, {headers} headers, in {html}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
