"""All cells of a row of docs/translation.md have the same value."""

import re
from pathlib import Path

import pytest

TEXT = (Path(__file__).parents[2] / "docs/translation.md").read_text()
COLUMNS = ["Antipode", "NetworkX", "igraph", "NetworKit"]
HEAD = re.escape("| question | " + " | ".join(COLUMNS) + " |")
TABLES = re.findall(rf"^{HEAD}\n\|[-|]+\|\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
ROWS = [
    [cell.strip() for cell in line.strip("| ").split("|")]
    for table in TABLES
    for line in table.splitlines()
]


def graphs():
    setup = re.search(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)[1]
    try:
        import networkit  # noqa: F401
    except ImportError:
        setup = re.sub(r"^.*\bnk\b.*\n", "", setup, flags=re.MULTILINE)
    names = {}
    exec(setup, names)
    return names


NAMES = graphs()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_row(row):
    calls = [call.strip("`") for call in row[1:] if call != "–"]
    if "nk" not in NAMES:
        calls = [call for call in calls if not call.startswith("nk.") and not call.startswith("k.")]
    first, *others = [eval(call, NAMES) for call in calls]
    assert len(row) == len(COLUMNS) + 1
    for other in others:
        assert other == (first if isinstance(first, list) else pytest.approx(first, rel=1e-9))


def test_there_are_rows():
    assert len(ROWS) >= 15
