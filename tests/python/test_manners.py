"""Ctrl-C, progress, limits, threads, fork; and what an import brings."""

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import antipode_graph as ag
import pytest

LARGE = "gen:grid?rows=500&cols=500"  # sums over all sources take minutes


def run(code, **more):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, **more
    )


@pytest.mark.parametrize("measure", ["betweenness", "closeness", "average_distance"])
def test_interrupt(measure):
    """Ctrl-C ends the call, is not swallowed, and brings the answer so far."""
    code = f"""
import os, signal, threading, time
import antipode_graph as ag
graph = ag.Graph({LARGE!r})
before = signal.getsignal(signal.SIGINT)
def later():
    time.sleep(0.4)
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=later).start()
try:
    graph.{measure}()
    print("ended by itself")
except KeyboardInterrupt as error:
    print("interrupted", time.monotonic() - sent, hasattr(error, "partial"))
assert signal.getsignal(signal.SIGINT) is before
print(graph.path(0, 0))  # the engine goes on
"""
    done = run(code)
    words = done.stdout.split()
    assert words[0] == "interrupted", done.stdout + done.stderr
    assert float(words[1]) < 10  # seconds; the answer would take minutes
    assert words[2:] == ["True", "[0]"]


def test_interrupt_while_loading():
    code = """
import _thread, threading, time
import antipode_graph as ag
threading.Timer(0.3, _thread.interrupt_main).start()
try:
    ag.Graph("gen:rmat?scale=24")
except KeyboardInterrupt:
    print("interrupted")
"""
    done = run(code)
    assert done.stdout.strip() == "interrupted", done.stderr


def test_threads_load_and_ask_at_once():
    graph = ag.Graph("gen:rmat?scale=12")

    def work(number):
        if number % 2:
            return ag.Graph("gen:rmat?scale=12").size
        return graph.average_distance(disconnected="largest").reachable

    with ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(work, range(40)))) == 2


def test_time_limit():
    graph = ag.Graph(LARGE)
    assert not graph.betweenness(time_limit=0.1).exact
    average = graph.average_distance(time_limit=0.1)
    assert not average.finished and average.sources < graph.order
    with pytest.raises(ag.UsageError):
        graph.diameter(time_limit=-1)


def test_progress_and_exceptions_of_a_callback():
    graph = ag.Graph("gen:grid?rows=100&cols=100")
    told = []
    graph.average_distance(progress=lambda *state: told.append(state))
    assert told and all(len(state) == 4 for state in told)
    assert told == sorted(told, key=lambda state: state[2])

    class Enough(Exception):
        pass

    def enough(*state):
        raise Enough

    with pytest.raises(Enough) as raised:
        graph.betweenness(progress=enough)
    assert not raised.value.partial.exact


def test_a_callback_cannot_ask_the_graph_that_is_busy():
    graph = ag.Graph("gen:grid?rows=100&cols=100")
    with pytest.raises(ag.UsageError, match="is answering"):
        graph.average_distance(progress=lambda *state: graph.diameter())
    assert graph.diameter().value == 198


def test_progress_line(capsys):
    ag.Graph("gen:grid?rows=100&cols=100").average_distance(progress=True)
    told = capsys.readouterr().err
    assert "searches" in told and told.endswith("\n")


def test_threads_share_a_graph():
    graph = ag.Graph("gen:rmat?scale=11")
    options = {"disconnected": "largest"}
    questions = [
        lambda: graph.diameter(**options).value,
        lambda: graph.closeness(**options).top(3),
        lambda: graph.average_distance(**options).mean,
        lambda: graph.distances([0, 1]).tolist(),
        lambda: graph.betweenness(samples=20, **options).top(3),
    ]
    expected = [question() for question in questions]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda question: question(), questions * 8))
    assert answers == expected * 8


def test_other_threads_run_meanwhile():
    graph = ag.Graph(LARGE)
    count, stop = 0, threading.Event()

    def work():
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(0.001)

    other = threading.Thread(target=work)
    other.start()
    graph.betweenness(time_limit=0.5)
    stop.set()
    other.join()
    assert count > 3


def test_fork():
    graph = ag.Graph("gen:rmat?scale=14")
    expected = graph.average_distance(disconnected="largest", samples=64).mean
    child = os.fork()
    if child == 0:
        same = graph.average_distance(disconnected="largest", samples=64).mean == expected
        os._exit(0 if same else 1)
    deadline = time.monotonic() + 60
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        assert time.monotonic() < deadline, "the child hangs"
        time.sleep(0.01)
    assert os.waitstatus_to_exitcode(ended[1]) == 0


def test_engines():
    assert "cpu" in [engine["name"] for engine in ag.engines()]
    graph = ag.Graph("gen:path?n=9")
    assert graph.diameter(engine="cpu", threads=1).value == 8
    with pytest.raises(RuntimeError, match="no engine 'abacus'"):
        graph.diameter(engine="abacus")
    with pytest.raises(MemoryError):
        ag.Graph("gen:rmat?scale=14").closeness(memory_limit=1000, disconnected="largest")


def test_too_much_memory():
    with pytest.raises(MemoryError):
        ag.Graph("gen:path?n=2000000").distances()
    with pytest.raises(MemoryError):
        ag.Graph("gen:path?n=1000").distances(memory_limit=10**6)


def test_options_that_make_no_sense():
    graph = ag.Graph("gen:path?n=9")
    for bad in ({"threads": -1}, {"memory_limit": -5}, {"samples": -1}, {"samples": 1.5}):
        with pytest.raises(ag.UsageError):
            graph.average_distance(**bad)
    with pytest.raises(TypeError):
        graph.diameter(sample=5)


def test_parents_of_exceptions():
    for kind, parents in [
        (ag.UsageError, (ValueError,)),
        (ag.InputError, (OSError, ValueError)),
        (ag.DeviceError, (RuntimeError,)),
        (ag.OutOfMemory, (MemoryError, ag.DeviceError)),
        (ag.Stopped, (TimeoutError,)),
    ]:
        assert all(issubclass(kind, parent) for parent in (*parents, ag.Error))


def test_import_brings_nothing_unasked():
    code = """
import sys
import antipode_graph
assert "numpy" not in sys.modules
antipode_graph.Graph
assert "antipode_graph._results" not in sys.modules  # until there is an answer
print(sorted({"scipy", "networkx", "pandas", "igraph", "pyarrow", "matplotlib", "tqdm"} & set(sys.modules)))
"""
    done = run(code)
    assert done.stdout.strip() == "[]", done.stderr
