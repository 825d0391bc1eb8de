"""The page of figures: its numbers are those of the other answers."""

import json
import re

import antipode_graph as ag
import networkx as nx
import pytest


def graphs_of(page):
    text = page.read_text()
    assert text.startswith("<!doctype html>") and text.endswith("</html>\n")
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])["graphs"]


def test_numbers_are_those_of_the_answers(tmp_path):
    theirs = nx.relabel_nodes(nx.karate_club_graph(), {0: "</script><b>"})
    graph, page = ag.Graph(theirs), tmp_path / "page.html"
    assert graph.report(page, time_limit=None)
    (shown,) = graphs_of(page)
    assert shown["diameter"]["lower"] == shown["diameter"]["upper"] == graph.diameter().value
    assert shown["distances"]["mean"] == pytest.approx(graph.average_distance().mean)
    best = min(shown["central"]["rows"], key=lambda row: row[4] or 99)
    assert best[0] == "</script><b>"
    assert best[3] == pytest.approx(nx.closeness_centrality(theirs)[best[0]], rel=1e-5)
    assert best[5] == pytest.approx(nx.betweenness_centrality(theirs)[best[0]], rel=1e-5)


def test_several_graphs(tmp_path):
    page = tmp_path / "page.html"
    names = ["a", "b", "c", ("d", 1)]
    path = ag.Graph(([0, 1, 2], [1, 2, 3], [0.5, 1, 0.25]), names=names)
    arcs = ag.Graph(([0, 1, 2, 3], [1, 2, 0, 0]), directed=True)
    assert path.report(page, arcs, ag.Graph("gen:path?n=0"), time_limit=None)
    first, second, third = graphs_of(page)
    assert first["weighted"] and first["diameter"]["lower"] == 1.75
    assert {stop[1] for stop in first["path"]["stops"]} == {"a", "b", "c", "('d', 1)"}
    assert second["directed"] and second["components"] == 2 and second["diameter"]["lower"] == 2
    assert third["diameter"]["state"] == "undefined" and third["name"] == "gen:path?n=0"


def test_interrupted_it_shows_what_there_is(tmp_path):
    page = tmp_path / "page.html"

    def raise_it(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ag.Graph("gen:ba?n=20000").report(page, progress=raise_it)
    (shown,) = graphs_of(page)
    assert shown["vertices"] == 20000 and shown["distances"]["state"] == "missing"


def test_what_cannot_be(tmp_path):
    graph = ag.Graph("gen:karate")
    with pytest.raises(ag.UsageError, match="time limit"):
        graph.report(tmp_path / "x.html", time_limit=-1)
    with pytest.raises(ag.UsageError, match="seed"):
        graph.report(tmp_path / "x.html", seed=-1)
    with pytest.raises(ag.DeviceError, match="cannot be written"):
        graph.report(tmp_path / "none" / "x.html")
    with pytest.raises(ag.DeviceError, match="no engine"):
        graph.report(tmp_path / "x.html", engine="none")
    assert not list(tmp_path.iterdir())
