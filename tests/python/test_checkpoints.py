"""Long questions that are stopped and taken up again, here and by the program."""

import json
import subprocess

import antipode_graph as ag
import numpy as np
import pytest

MEASURES = {
    "average_distance": lambda a: (a.mean, a.pairs.tolist()),
    "distance_distribution": lambda a: a.tolist(),
    "closeness": lambda a: a.values.tolist(),
    "harmonic": lambda a: a.values.tolist(),
    "betweenness": lambda a: a.values.tolist(),
    "eccentricity": lambda a: a.values.tolist(),
}


class Enough(Exception):
    pass


def enough(*state):
    raise Enough


def graph_of(kind):
    """Connected, with few pendant trees, and large enough for several batches."""
    rng = np.random.default_rng(3)
    order = 1500
    source = np.tile(np.arange(1, order), 2)
    target = source - rng.integers(1, np.minimum(source, 9) + 1)
    lengths = rng.integers(1, 50, len(source)) / 4
    if kind == "edges":
        return ag.Graph.from_edges(source, target)
    if kind == "lengths":
        return ag.Graph.from_edges(source, target, lengths)
    both = np.concatenate([source, target]), np.concatenate([target, source])
    if kind == "arcs":
        return ag.Graph.from_edges(*both, directed=True)
    return ag.Graph.from_edges(*both, np.concatenate([lengths, lengths]), directed=True)


@pytest.mark.parametrize("kind", ["edges", "arcs", "lengths", "lengths of arcs"])
@pytest.mark.parametrize("measure", list(MEASURES))
def test_resumed(kind, measure, tmp_path):
    graph, told = graph_of(kind), []
    kept = {"checkpoint": tmp_path / "kept"}
    ask = getattr(graph, measure)
    with pytest.raises(Enough):
        ask(progress=enough, **kept)
    assert kept["checkpoint"].stat().st_size > 30
    with pytest.raises(ag.UsageError, match="give resume=True to go on"):
        ask(**kept)
    answer = ask(resume=True, progress=lambda *state: told.append(state[2]), **kept)
    assert not kept["checkpoint"].exists()  # all is done
    assert MEASURES[measure](answer) == MEASURES[measure](ask())
    if measure != "eccentricity" or kind == "edges":  # others tell of their last searches alone
        assert not told or told[0] > 1  # it did not begin anew


# Of eccentricities with lengths, the program keeps those against arcs in the same file.
SHARED = [("edges", "eccentricity")] + [
    (kind, measure)
    for kind in ("edges", "lengths")
    for measure in ("average", "closeness", "betweenness")
]


@pytest.mark.parametrize(("kind", "measure"), SHARED)
def test_the_program_goes_on(kind, measure, tmp_path, program):
    graph = graph_of(kind)
    graph.save(tmp_path / "g.apg")
    graph = ag.Graph(tmp_path / "g.apg", weighted=kind == "lengths")
    ours = getattr(graph, "average_distance" if measure == "average" else measure)
    with pytest.raises(Enough):
        ours(progress=enough, checkpoint=tmp_path / "kept")
    words = [measure, tmp_path / "g.apg", "--json", "--checkpoint", tmp_path / "kept", "--resume"]
    if kind == "lengths":
        words += ["--weighted", *["--distribution"] * (measure == "average")]
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "kept").exists()
    if measure == "average":
        assert json.loads(done.stdout)["value"] == pytest.approx(ours().mean)


def test_options_that_make_no_sense(tmp_path):
    graph, file = ag.Graph("gen:path?n=9"), tmp_path / "kept"
    for bad in ({"resume": True}, {"checkpoint": file, "checkpoint_every": -1}):
        with pytest.raises(ag.UsageError):
            graph.closeness(**bad)
    with pytest.raises(ag.InputError, match="nothing to resume"):
        graph.closeness(checkpoint=file, resume=True)
    with pytest.raises(TypeError):
        graph.diameter(checkpoint=file)
    file.write_text("my thesis")
    with pytest.raises(ag.UsageError, match="no checkpoint"):
        graph.betweenness(checkpoint=file)
    assert file.read_text() == "my thesis"
    with pytest.raises(RuntimeError):
        graph.closeness(checkpoint=tmp_path / "none" / "kept")


def test_a_checkpoint_of_another_question(tmp_path):
    graph, file = graph_of("edges"), tmp_path / "kept"
    with pytest.raises(Enough):
        graph.closeness(progress=enough, checkpoint=file)
    for ask in (graph.betweenness, graph.average_distance, graph_of("lengths").closeness):
        with pytest.raises(ag.InputError, match="another question or graph"):
            ask(checkpoint=file, resume=True)
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(ag.InputError, match="no whole checkpoint"):
        graph.closeness(checkpoint=file, resume=True)


def test_components(tmp_path):
    file = tmp_path / "kept"
    graph = ag.Graph.from_edges([0, 1, 2, 5], [1, 2, 3, 6])
    answer = graph.eccentricity(disconnected="largest", checkpoint=file)
    expected = graph.eccentricity(disconnected="largest")
    assert np.array_equal(answer.values, expected.values, equal_nan=True) and answer.exact
    for policy in ("infinite", "per_component"):
        with pytest.raises(ag.UsageError, match="of one component"):
            graph.eccentricity(disconnected=policy, checkpoint=file)
    for policy in ("error", "reachable", "anything"):
        with pytest.raises(ag.UsageError):
            graph.eccentricity(disconnected=policy, checkpoint=file)
    arcs = ag.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=True)
    for policy in ("largest", "reachable"):
        kept = arcs.eccentricity(disconnected=policy, checkpoint=file)
        expected = arcs.eccentricity(disconnected=policy)
        assert np.array_equal(kept.values, expected.values, equal_nan=True)
    assert arcs.closeness(disconnected="largest", checkpoint=file).exact
    assert not file.exists()


def test_a_certificate_of_an_answer_with_a_checkpoint(tmp_path):
    graph = ag.Graph("gen:grid?rows=6&cols=7")
    answer = graph.eccentricity(checkpoint=tmp_path / "kept", certificate=tmp_path / "c.json")
    assert ag.verify(tmp_path / "c.json", graph) == ag.verify(answer.certificate(), graph)
