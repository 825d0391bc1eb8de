"""Certificates: made, saved, read and checked here and by the program, in either direction."""

import copy
import json
import os
import pickle
import subprocess

import antipode_graph as ag
import networkx as nx
import pytest
from conftest import random_graph

QUESTIONS = ["diameter", "radius", "center", "periphery", "eccentricity"]
LENGTHS = {"edges": None, "whole": [1, 2, 7], "decimal": [0.5, 0.1, 1.3]}


def kinds(function):
    function = pytest.mark.parametrize("directed", [False, True])(function)
    return pytest.mark.parametrize("lengths", list(LENGTHS))(function)


def has_certificate(graph, question, policy):
    """Eccentricities along arcs are proved of all vertices, or of none."""
    strong = len(graph.strong_components()) == 1
    return strong or not (graph.directed and question == "eccentricity" and policy == "largest")


@kinds
def test_answers_are_proved(directed, lengths):
    proved = 0
    for seed in range(25):
        theirs = random_graph(seed, nx.DiGraph if directed else nx.Graph, LENGTHS[lengths])
        theirs = nx.relabel_nodes(theirs, {v: f"v{v:02}" for v in theirs})  # ties by text
        graph = ag.Graph(theirs, weighted=lengths != "edges")
        for question in QUESTIONS:
            for policy in ["largest", "reachable"][: 1 + directed]:
                answer = getattr(graph, question)(disconnected=policy)
                if not has_certificate(graph, question, policy):
                    with pytest.raises(ag.UsageError, match="reachable"):
                        answer.certificate()
                    continue
                try:
                    certificate = answer.certificate()
                except ag.UsageError as error:
                    assert "equally large" in str(error)
                    continue
                verified = ag.verify(certificate, graph)
                assert verified.question == question and verified.facts == certificate.facts
                if question == "eccentricity":
                    assert verified.value == max(v for v in answer.values if v == v)
                else:
                    assert verified.value == answer.value
                proved += 1
    assert proved > 60


def text_file(folder, directed=False, lengths=False):
    theirs = nx.gnm_random_graph(60, 150, seed=5, directed=directed)
    largest = max(nx.weakly_connected_components(theirs.to_directed()), key=len)
    lines = [
        f"n{u} n{v}" + (f" {1 + (u * v) % 7}.{(u + v) % 10}" if lengths else "")
        for u, v in theirs.subgraph(largest).edges
    ]
    path = folder / "graph.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


def run(program, *words):
    return subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=120)


@kinds
@pytest.mark.parametrize("question", QUESTIONS)
def test_files_go_both_ways(directed, lengths, question, tmp_path, program):
    weighted = lengths != "edges"
    path = text_file(tmp_path, directed, weighted)
    flags = ["--directed"] * directed + ["--weighted"] * weighted
    graph = ag.Graph(path, directed=directed, weighted=weighted)
    policy = "reachable" if directed else "largest"

    ours, theirs = tmp_path / "ours.json.gz", tmp_path / "theirs.json"
    getattr(graph, question)(disconnected=policy, certificate=ours)
    checked = run(program, "verify", ours, path)
    assert checked.returncode == 0 and checked.stdout.startswith(f"accepted: {question}")

    done = run(program, question, path, *flags, "--disconnected", policy, "--certificate", theirs)
    assert done.returncode == 0, done.stderr
    verified = ag.verify(theirs, graph)
    assert verified == ag.verify(theirs, path)  # read as the certificate says
    assert verified == ag.verify(str(ours), graph)
    # The same facts in the same bytes.
    assert ag.Certificate.load(ours).text == theirs.read_text()


def test_names_are_those_of_saved_files(tmp_path, program):
    """Numbers and text are the labels that a file of the graph has."""
    for names in ([f"knot {i}" for i in range(30)], [7 * i + 2**40 for i in range(30)]):
        graph = ag.Graph("gen:grid?rows=5&cols=6", names=names)
        graph.save(tmp_path / "g.apg")
        graph.diameter(certificate=tmp_path / "c.json")
        checked = run(program, "verify", tmp_path / "c.json", tmp_path / "g.apg")
        assert checked.returncode == 0, checked.stdout + checked.stderr
        assert ag.Graph(tmp_path / "g.apg").names == names
        path = graph.diameter().certificate().to_dict()["path"]
        assert set(path) <= {str(name) for name in names}
    with pytest.raises(ag.UsageError, match="same text"):
        ag.Graph("gen:path?n=2", names=[1.5, "1.5"]).diameter().certificate()


def test_what_a_certificate_is():
    certificate = ag.Graph("gen:path?n=12").diameter().certificate()
    assert certificate.question == "diameter" and certificate.value == 11
    fields = certificate.to_dict()
    assert json.loads(certificate.text) == json.loads(str(certificate)) == fields
    assert fields["schema"] == "antipode-certificate/1" and certificate.facts == len(
        fields["facts"]
    )
    fields["value"] = 3
    assert certificate.value == 11  # its fields are its own
    assert repr(certificate).startswith("<antipode_graph.Certificate: diameter 11, ")
    assert pickle.loads(pickle.dumps(certificate)) == certificate
    half = ag.Graph.from_edges([0, 1], [1, 2], [0.5, 0.25]).diameter().certificate()
    assert half.value == 0.75 and half.to_dict()["text"] == "0.75"
    whole = ag.Graph.from_edges([0, 1], [1, 2], [6 * 10**18, 6 * 10**18]).radius().certificate()
    assert whole.value == 6 * 10**18
    none = ag.Graph.from_edges([0, 2], [1, 1], directed=True).radius(disconnected="reachable")
    assert none.certificate().value == none.value == float("inf")


def test_false_certificates_are_refused(tmp_path):
    graph = ag.Graph("gen:grid?rows=6&cols=7")
    true = graph.diameter().certificate().to_dict()

    def refuses(change, match=None):
        false = copy.deepcopy(true)
        change(false)
        with pytest.raises(ag.CertificateRefused, match=match) as refused:
            ag.verify(false, graph)
        assert isinstance(refused.value, ValueError) and isinstance(refused.value, ag.Error)
        return refused.value

    assert ag.verify(true, graph).value == 11
    assert refuses(lambda c: c.update(value=12), "the path has 11 edges, not 12").searches > 0
    refuses(lambda c: c["facts"].pop(), "candidates are left")
    refuses(lambda c: c["facts"][0].update(left=0))
    refuses(lambda c: c["path"].__setitem__(1, "41"), "no edge")
    refuses(lambda c: c["graph"].update(hash="0" * 16), "another graph")
    for change, match in [
        (lambda c: c.update(schema="other/1"), "schema"),
        (lambda c: c.update(more=1), "mean nothing"),
        (lambda c: c.pop("path"), "no field 'path'"),
        (lambda c: c.update(value=True), "no number of its range"),
        (lambda c: c.update(value=1.0), "no number of its range"),
        (lambda c: c.update(value=-1), "no number of its range"),
        (lambda c: c.update(value=2**32), "no number of its range"),
        (lambda c: c.update(value=2**70), "no number of its range"),
        (lambda c: c.update(path="0"), "no list"),
        (lambda c: c.update(path=[0]), "no text"),
        (lambda c: c.update(path=["\ud800"]), "no Unicode"),
        (lambda c: c.update(question="girth"), "unknown word 'girth'"),
        (lambda c: c["facts"][0].update(rule="luck"), "unknown word 'luck'"),
        (lambda c: c.update(graph=[]), "'graph' is no object"),
        (lambda c: c["graph"].update(hash="xyz"), "hexadecimal"),
    ]:
        refuses(change, match)
    for no_object in ([], None, 3):
        with pytest.raises(ag.CertificateRefused, match="no object"):
            ag.Certificate(no_object)
    with pytest.raises(ag.CertificateRefused, match="without directions"):
        ag.verify(true, ag.Graph(([0], [1]), directed=True))
    with pytest.raises(ag.CertificateRefused, match="another graph"):
        ag.verify(true, "gen:grid?rows=7&cols=6")


def test_false_certificates_of_lengths_are_refused():
    graph = ag.Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 3], [1.5, 2.5, 1, 7], directed=True)
    true = graph.eccentricity(disconnected="reachable").certificate().to_dict()
    assert ag.verify(true, graph).value == 5
    for change in (
        {"value": true["value"] + 1},
        {"text": "9"},
        {"digest": "0" * 16},
        {"directed": False},
        {"weighted": 1},
        {"along": "reversed-arcs"},
        {"scope": {"pairs": "all", "vertices": 4, "edges": 4}},
    ):
        with pytest.raises(ag.CertificateRefused):
            ag.verify({**true, **change}, graph)
    with pytest.raises(ag.CertificateRefused, match="without|with"):
        ag.verify(true, graph.unweighted())


def test_files_that_are_no_certificates(tmp_path):
    graph = ag.Graph("gen:path?n=4")
    with pytest.raises(FileNotFoundError):
        ag.verify(tmp_path / "nowhere.json", graph)
    for text, kind in [
        ("{", ag.InputError),
        ('{"schema": 1, "schema": 2}', ag.CertificateRefused),
        ("[" * 100_000, ag.CertificateRefused),
        ('{"schema": NaN}', ag.CertificateRefused),
    ]:
        (tmp_path / "c.json").write_text(text)
        with pytest.raises(kind):
            ag.verify(tmp_path / "c.json", graph)
    (tmp_path / "c.json").write_bytes(b"\xff\xfe")
    with pytest.raises(ag.InputError):
        ag.verify(tmp_path / "c.json", graph)


def test_answers_without_a_certificate(tmp_path):
    graph = ag.Graph.from_edges([0, 1, 3], [1, 2, 4])
    target = tmp_path / "c.json"
    for policy in ("infinite", "per_component"):
        with pytest.raises(ag.UsageError, match=f"none of '{policy}'"):
            graph.diameter(disconnected=policy).certificate()
        with pytest.raises(ag.UsageError, match=f"none of '{policy}'"):
            graph.diameter(disconnected=policy, certificate=target)
    parts = graph.diameter(disconnected="per_component").per_component
    with pytest.raises(ag.UsageError, match="one of several"):
        parts[0].certificate()
    again = pickle.loads(pickle.dumps(graph.diameter(disconnected="largest")))
    assert again.value == 2
    with pytest.raises(ag.UsageError, match="pickled"):
        again.certificate()
    with pytest.raises(RuntimeError):
        graph.diameter(disconnected="largest", certificate=tmp_path / "none" / "c.json")
    # Of two largest components the answer is about the first, the file about that of "a".
    named = ag.Graph.from_edges(["c", "a"], ["d", "b"])
    with pytest.raises(ag.UsageError, match="equally large"):
        named.diameter(disconnected="largest").certificate()
    assert not target.exists()


def test_a_time_limit(tmp_path):
    graph = ag.Graph("gen:grid?rows=300&cols=300")
    answer = graph.eccentricity(time_limit=1e-6)
    assert not answer.exact
    with pytest.raises(ag.Stopped, match="not proved yet"):
        answer.certificate()
    with pytest.raises(ag.Stopped):
        graph.diameter().certificate(time_limit=1e-6)
    certificate = graph.diameter().certificate()
    with pytest.raises(ag.Stopped):
        ag.verify(certificate, graph, time_limit=1e-6)
    with pytest.warns(UserWarning, match="no certificate is written"):
        graph.eccentricity(time_limit=1e-6, certificate=tmp_path / "c.json")
    assert not (tmp_path / "c.json").exists()
    with pytest.raises(ag.UsageError, match="no engine"):
        ag.verify(certificate, graph, engine="cpu")


def test_a_graph_of_one_vertex():
    graph = ag.Graph("gen:path?n=1")
    for question in QUESTIONS:
        assert ag.verify(getattr(graph, question)().certificate(), graph).value == 0


def test_a_certificate_is_not_the_callers_dict():
    graph = ag.Graph("gen:karate")
    fields = graph.diameter().certificate().to_dict()
    certificate = ag.Certificate(fields)
    found = ag.verify(fields, graph, progress=lambda *given: fields.update(value=99))
    fields["value"] = 99
    assert found.value == 5 and certificate.value == 5


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_an_answer_is_kept_where_its_proof_cannot_be_written():
    with pytest.raises(ag.Error) as caught:
        ag.Graph("gen:karate").diameter(certificate="/dev/full")
    assert caught.value.partial.value == 5


def test_names_are_checked_before_anything_is_searched():
    graph = ag.Graph.from_edges([0, 1], [1, 2], names=["1", 1, 2])
    searched = []
    with pytest.raises(ag.UsageError, match="same text"):
        graph.diameter(certificate="never.json", progress=lambda *given: searched.append(given))
    assert not searched
