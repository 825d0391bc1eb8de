"""The Python examples of README.md and the guides print what their comments say."""

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "docs/guides/python.md", "docs/guides/networkx.md"]
SAYS = re.compile(r"^print\(.*\)  # (.*)$", re.MULTILINE)


@pytest.mark.filterwarnings("ignore:Note. conversions")
@pytest.mark.parametrize("page", PAGES)
def test_examples(page, tmp_path, monkeypatch):
    blocks = re.findall(
        r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL
    )
    assert blocks
    monkeypatch.chdir(tmp_path)  # where they write files
    code = "\n".join(blocks)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), nx.config(backend_priority=[]):
        exec(compile(code, page, "exec"), {})
    lines = printed.getvalue().splitlines()
    assert len(lines) == code.count("print(")
    said = SAYS.findall(code)
    if said:
        assert lines == said
    if page.endswith("networkx.md"):
        assert lines[0] == "True"


def test_sources_are_spread_over_processes():
    example = ROOT / "examples/spread_sources.py"
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, timeout=120)
    words = done.stdout.replace(",", "").split()
    assert words[:2] == ["mean", "distance"] and words[2] == words[-1], done.stderr


def test_functions_that_are_listed_are_served():
    from antipode_graph.nx_info import FUNCTIONS

    text = (ROOT / "docs/guides/networkx.md").read_text()
    first_columns = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    listed = re.findall(r"`(\w+)`", " ".join(first_columns))
    assert len(listed) > 20 and set(listed) <= set(FUNCTIONS)
