"""Distributions, plots, progress bars and what notebooks show."""

import subprocess
import sys

import antipode_graph as ag
import matplotlib
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402 - after its backend is chosen


def bars(ax):
    return [(bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in ax.patches]


def test_plots_of_distances():
    average = ag.Graph("gen:path?n=4").average_distance()
    ax = average.plot()
    assert bars(ax) == [(0, 0), (1, 6), (2, 4), (3, 2)]
    assert ax.get_xlabel() == "distance" and ax.get_ylabel() == "ordered pairs"
    assert ax.get_yscale() == "linear"
    _, axes = pyplot.subplots(1, 2)
    assert average.distribution.plot(axes[1], log=True, color="red") is axes[1]
    assert axes[1].get_yscale() == "log" and axes[1].patches[1].get_facecolor()[:3] == (1, 0, 0)
    assert not axes[0].patches
    pyplot.close("all")


def test_plots_of_eccentricities():
    found = ag.Graph("gen:path?n=5").eccentricity()
    assert found.distribution.tolist() == [0, 0, 1, 2, 2]
    assert bars(found.plot()) == [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2)]
    assert found.plot().get_xlabel() == "eccentricity"
    lengths = ag.Graph.from_edges([0, 1, 2], [1, 2, 3], [0.5, 1.25, 3]).eccentricity()
    assert lengths.distribution.total == 4 and lengths.distribution.width == 4.75 / 50
    assert sum(height for _, height in bars(lengths.plot())) == 4
    two = ag.Graph.from_edges([0, 3], [1, 4])
    assert two.eccentricity(disconnected="infinite").distribution.total == 0
    assert two.eccentricity(disconnected="largest").distribution.tolist() == [0, 2]
    with pytest.raises(ag.Stopped):
        ag.Graph("gen:grid?rows=300&cols=300").eccentricity(time_limit=1e-6).plot()
    pyplot.close("all")


def test_plots_want_matplotlib():
    code = """
import sys
sys.modules["matplotlib"] = None
import antipode_graph as ag
try:
    ag.Graph("gen:path?n=4").average_distance().plot()
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.startswith("plot() needs matplotlib: pip install matplotlib"), done.stderr


def test_distributions():
    found = ag.Graph("gen:path?n=4").distance_distribution()
    assert np.asarray(found).tolist() == found.tolist() == list(found) == [0, 6, 4, 2]
    assert len(found) == 4 and found[1] == 6 and found.total == 12
    assert found.distances.tolist() == [0, 1, 2, 3] and found.exact_bins
    assert [found.quantile(share) for share in (0.1, 0.5, 0.51, 5 / 6, 1)] == [1, 1, 2, 2, 3]
    assert found.effective(0.5) == 1 and found.effective(0.25) == 0.5 and found.effective(1) == 3
    for bad in (0, 1.5, -1):
        with pytest.raises(ValueError, match="share"):
            found.quantile(bad)
    series = found.to_series()
    assert series[2] == 4 and series.index.name == "distance" and isinstance(series, pd.Series)
    table = pa.table(found).to_pydict()
    assert table == {"distance": [0, 1, 2, 3], "count": [0, 6, 4, 2]}
    alone = ag.Graph("gen:path?n=1").average_distance()
    assert alone.effective() == 0 and alone.reachable == 0


def test_distributions_of_lengths():
    # Whole numbers in one unit are exact, many of them are in bins.
    graph = ag.Graph.from_edges([0, 1], [1, 2], [0.1, 0.3])
    found = graph.distance_distribution()
    assert found.exact_bins and found.width == 0.1 and found.tolist() == [0, 2, 0, 2, 2]
    assert found.median == pytest.approx(0.3) and found.quantile(1) == pytest.approx(0.4)
    far = ag.Graph.from_edges([0, 1], [1, 2], [10**6, 10**6 + 1]).distance_distribution()
    assert not far.exact_bins and far.width == 1024 and len(far) <= 2048
    assert 10**6 < far.median <= 10**6 + 2 * 1024 and 2 * 10**6 < far.quantile(1)


def test_a_bar_by_tqdm(capsys):
    ag.Graph("gen:grid?rows=100&cols=100").average_distance(progress=True)
    told = capsys.readouterr().err
    assert " searches" in told and "10000" in told and told.endswith("\n")


def test_a_line_without_tqdm(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    ag.Graph("gen:grid?rows=100&cols=100").average_distance(progress=True)
    told = capsys.readouterr().err
    assert " left, " in told and told.endswith("\n")


def test_what_notebooks_show():
    graph = ag.Graph.from_edges(["<a>", "b"], ["b", "c"])
    shown = {
        "Graph": graph,
        "Distance": graph.diameter(),
        "VertexSet": graph.center(),
        "VertexValues": graph.closeness(),
        "Eccentricities": graph.eccentricity(),
        "EdgeValues": graph.betweenness(edges=True),
        "Average": graph.average_distance(),
        "Distribution": graph.distance_distribution(),
        "Components": graph.components(),
        "Certificate": graph.diameter().certificate(),
        "Verified": ag.verify(graph.diameter().certificate(), graph),
    }
    for title, each in shown.items():
        text = each._repr_html_()
        assert text.startswith("<table>") and title in text and "<a>" not in text
    assert "&lt;a&gt;" in graph._repr_html_() and "3 vertices" in graph._repr_html_()
    assert "&lt;a&gt;, b, c (3 vertices)" in graph.diameter()._repr_html_()
    stopped = ag.Graph("gen:grid?rows=300&cols=300").average_distance(time_limit=1e-6)
    assert "<table>" in stopped._repr_html_()
    many = ag.Graph("gen:path?n=2000")
    assert "…" in many.diameter()._repr_html_() and len(many.closeness()._repr_html_()) < 3000


def test_bins_of_lengths_below_one():
    answer = ag.Graph(([0, 1, 2], [1, 2, 3], [0.001, 0.002, 0.003])).eccentricity()
    assert answer.distribution.counts.sum() == 4
    assert answer.distribution.median <= 0.0062 and len(answer.distribution.counts) > 10
