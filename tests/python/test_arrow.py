"""Tables in and out by Arrow's PyCapsule interface, with and without the libraries that know it."""

import gc
import subprocess
import sys
import threading

import antipode_graph as ag
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest


class Capsules:
    """An object of an unknown library: it has the interface and nothing else."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


def edges_of(graph):
    return sorted(pa.table(graph).to_pylist(), key=str)


WHOLE = [
    pa.int8(),
    pa.uint8(),
    pa.int16(),
    pa.uint16(),
    pa.int32(),
    pa.uint32(),
    pa.int64(),
    pa.uint64(),
]


@pytest.mark.parametrize("kind", WHOLE, ids=str)
def test_whole_numbers(kind):
    table = pa.table({"u": pa.array([0, 1, 2], kind), "v": pa.array([1, 2, 5], kind)})
    graph = ag.Graph(Capsules(table))
    assert graph.order == 6 and graph.size == 3 and graph.names == range(6)
    assert [(e["source"], e["target"]) for e in edges_of(graph)] == [(0, 1), (1, 2), (2, 5)]


TEXT = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.dictionary(pa.int8(), pa.string()),
    pa.dictionary(pa.uint32(), pa.large_string()),
]


@pytest.mark.parametrize("kind", TEXT, ids=str)
def test_text(kind):
    long = "a name of more than twelve letters, ä"
    source, target = ["b", "b", long, "d"], ["c", "e", "b", ""]
    columns = [pa.array(ends).cast(kind) for ends in (source, target)]
    table = pa.table(dict(zip(("from", "to"), columns, strict=True)))
    graph = ag.Graph(Capsules(table), directed=True)
    assert graph.names == ["b", long, "d", "c", "e", ""]  # sources first, each as it comes
    assert graph.neighbors("b") == ["c", "e"] and graph.neighbors(long) == ["b"]
    again = ag.Graph(graph.to_arrow(), directed=True)
    assert edges_of(again) == edges_of(graph)
    # Slices begin within buffers.
    part = ag.Graph(Capsules(table.slice(1, 2)), directed=True)
    assert part.names == ["b", long, "e"] and part.neighbors(long) == ["b"]


@pytest.mark.parametrize(
    "kind", [pa.float32(), pa.float64(), pa.int16(), pa.uint64(), None], ids=str
)
def test_lengths(kind):
    lengths = pa.array([2, 4], kind) if kind else pa.array([2.0, 4.0]).dictionary_encode()
    table = pa.table({"a": [0, 1], "b": [1, 2], "km": lengths})
    graph = ag.Graph(Capsules(table), weighted=True)
    assert graph.diameter().value == 6
    assert ag.Graph(Capsules(table)).diameter().value == 2
    assert edges_of(ag.Graph(graph.to_arrow(), weighted=True)) == edges_of(graph)


def test_batches_and_columns():
    batches = [pa.record_batch({"w": [1.5 * i], "to": [i + 1], "from": [i]}) for i in range(1, 9)]
    table = Capsules(pa.Table.from_batches(batches))
    graph = ag.Graph(table, columns="from, to, w", weighted=True)
    assert graph.order == 10 and graph.path(1, 9) == list(range(1, 10))
    assert graph.lengths.sum() == 2 * 1.5 * 36
    with pytest.raises(ag.UsageError, match="no column 'where'"):
        ag.Graph(table, columns="from,where")
    with pytest.raises(ag.UsageError, match="source, target"):
        ag.Graph(table, columns="from")
    empty = pa.table({"u": pa.array([], pa.int64()), "v": pa.array([], pa.int64())})
    assert len(ag.Graph(Capsules(empty))) == 0


def test_ends_of_two_kinds():
    table = Capsules(pa.table({"u": ["a", "b"], "v": [1, 2]}))
    graph = ag.Graph(table)
    assert graph.names == ["a", "b", 1, 2] and graph.neighbors(2) == ["b"]


def test_tables_that_are_refused():
    def refused(match, **columns):
        with pytest.raises(ag.UsageError, match=match):
            ag.Graph(Capsules(pa.table(columns)), weighted="km" in columns)

    refused("'v' has no value in row 1", u=[0, 1], v=[1, None])
    refused("'u' has no value in row 2", u=["a", "b", None], v=["b", "c", "d"])
    refused("format 'b'", u=[True], v=[False])
    refused("source, target", u=[1])
    refused("not text", u=[1], v=[2], km=["far"])
    refused("2\\^63 or more", u=pa.array([2**63 + 1], pa.uint64()), v=pa.array([1], pa.uint64()))
    refused("'v' has no value in row 0", u=[1], v=pa.nulls(1))
    with pytest.raises(IndexError):
        ag.Graph(Capsules(pa.table({"u": [-1], "v": [0]})))

    class Once:
        capsule = pa.table({"u": [0], "v": [1]}).__arrow_c_stream__()

        def __arrow_c_stream__(self, requested_schema=None):
            return self.capsule

    once = Once()
    assert ag.Graph(once).size == 1
    with pytest.raises(ag.UsageError, match="read before"):
        ag.Graph(once)

    def failing():
        yield pa.record_batch({"u": [0], "v": [1]})
        raise RuntimeError("the disk is gone")

    schema = pa.schema({"u": pa.int64(), "v": pa.int64()})
    with pytest.raises(ag.UsageError, match="the disk is gone"):
        ag.Graph(pa.RecordBatchReader.from_batches(schema, failing()))
    numbers = pa.chunked_array([[1, 2]])
    with pytest.raises(ag.UsageError, match="with columns"):
        ag.Graph(Capsules(numbers))


def test_answers_as_tables():
    graph = ag.Graph.from_edges(["a", "a"], ["b", "c"])
    values = graph.closeness()
    table = pa.table(values)
    assert table.to_pydict() == {"vertex": ["a", "b", "c"], "value": values.values.tolist()}
    assert pa.table(values.to_arrow()) == table
    assert pa.record_batch(values.to_arrow()).num_rows == 3  # by __arrow_c_array__
    assert values.to_arrow().column_names == ["vertex", "value"] and len(values.to_arrow()) == 3
    edges = pa.table(graph.betweenness(edges=True))
    assert edges.to_pydict() == {"source": ["a", "a"], "target": ["b", "c"], "value": [2.0, 2.0]}
    assert pa.table(graph).to_pydict() == {"source": ["a", "a"], "target": ["b", "c"]}
    far = ag.Graph("gen:path?n=2", names=[2**63, 5])
    assert pa.table(far.harmonic())["vertex"].to_pylist() == [2**63, 5]
    with pytest.raises(ag.UsageError, match="neither"):
        ag.Graph("gen:path?n=2", names=[(1, 2), "a"]).closeness().to_arrow()


def test_numbers_are_not_copied_and_live_as_long_as_the_table():
    values = ag.Graph("gen:cycle?n=1000").harmonic()
    table = pa.table(values)
    at = table["value"].chunk(0).buffers()[1].address
    assert at == values.values.ctypes.data
    expected = values.values.tolist()
    del values
    gc.collect()
    assert table["value"].to_pylist() == expected
    # Released by a thread that Python has not made the owner of anything.
    holder = [table]
    del table
    thread = threading.Thread(target=holder.clear)
    thread.start()
    thread.join()


def test_a_capsule_that_nothing_takes():
    made = ag.Graph("gen:path?n=5").closeness().to_arrow()
    for _ in range(1000):
        made.__arrow_c_stream__()
        made.__arrow_c_array__()
        made.__arrow_c_schema__()


def test_no_other_library_is_needed():
    code = """
import sys
sys.modules["pyarrow"] = None
import antipode_graph as ag
graph = ag.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2])
again = ag.Graph(graph.to_arrow(), weighted=True)
print(again.path("a", "c"), again.diameter().value, again.closeness().to_arrow().num_rows)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "['a', 'b', 'c'] 3.5 3", done.stderr


def test_pandas():
    frame = pd.DataFrame({"u": ["a", "b"], "v": ["b", "c"]}, index=[5, 7])
    assert ag.Graph(frame).names == ["a", "b", "c"]  # the index is no column
    frame = pd.DataFrame.from_arrow(ag.Graph(frame).closeness())
    assert frame["value"].tolist() == [2 / 3, 1.0, 2 / 3]


def test_polars():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"u": ["a", "b"], "v": ["b", "c"], "km": [1.5, 2.0]})
    for source in (frame, frame.with_columns(pl.col("u", "v").cast(pl.Categorical))):
        graph = ag.Graph(source, weighted=True)
        assert graph.names == ["a", "b", "c"] and graph.diameter().value == 3.5
    assert pl.DataFrame(graph.closeness()).columns == ["vertex", "value"]
    assert pl.DataFrame(graph.to_arrow()).rows() == [("a", "b", 1.5), ("b", "c", 2.0)]


def test_as_many_rows_as_one_likes():
    rng = np.random.default_rng(1)
    ends = rng.integers(0, 5000, (2, 50_000))
    table = pa.table({"u": ends[0], "v": ends[1]})
    expected = ag.Graph.from_edges(*ends)
    found = ag.Graph(pa.Table.from_batches(table.to_batches(777)))
    assert found.size == expected.size and (found.indices == expected.indices).all()


def test_weighted_names_no_column_of_a_table():
    table = pa.table({"a": [0, 1], "b": [1, 2], "w": [1.5, 2.0]})
    with pytest.raises(ag.UsageError, match="columns="):
        ag.Graph(table, weighted="w")
