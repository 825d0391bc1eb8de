"""examples/spread_over_dask.py on Dask's local cluster of two processes."""

import subprocess
import sys
from pathlib import Path

import antipode_graph as ag
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples/spread_over_dask.py"


def test_sources_are_spread_over_dask():
    pytest.importorskip("dask.distributed")
    done = subprocess.run(
        [sys.executable, EXAMPLE, "gen:ba?n=700"], capture_output=True, text=True, timeout=300
    )
    words = done.stdout.replace(",", "").split()
    assert words[:4] == ["the", "largest", "difference", "is"], done.stderr
    assert float(words[4]) < 1e-12
    ((most_central, _),) = ag.Graph("gen:ba?n=700").closeness().top(1)
    assert words[-1] == str(most_central)
