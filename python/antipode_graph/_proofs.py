"""How answers of distances are proved; a certificate is what comes of it."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from . import _core
from ._errors import Stopped, UsageError
from ._options import Options, Target, ask_of, asked

if TYPE_CHECKING:
    from ._certificates import Certificate
    from ._distance_measures import DistanceMeasures

Answer = TypeVar("Answer", bound=Any)


class Proof:
    """Asks an answer's question again and proves it. Left out of pickles: it holds the graph."""

    __slots__ = ("_disconnected", "_graph", "_options", "_question")

    def __init__(
        self, graph: DistanceMeasures, question: str, disconnected: str, options: Options
    ) -> None:
        self._graph = graph
        self._question = question
        self._disconnected = disconnected
        self._options = options

    def __call__(self, options: Options) -> Certificate:
        from ._certificates import Certificate

        part, whole = self.part_and_whole()
        merged: Options = {**self._options, **options}
        ask = ask_of(**merged)
        return Certificate(asked(lambda: part.certificate(whole, self._question, ask), dict))

    def check(self) -> None:
        """An error before anything is searched."""
        if self._disconnected == "error":
            self._graph._labelled()
        else:
            self.part_and_whole()

    def part_and_whole(self) -> tuple[_core.Graph, _core.Graph]:
        """What the answer is about, and the whole graph, both under the labels of a file."""
        graph, policy = self._graph, self._disconnected
        parts = graph._components(strong=graph.directed)
        whole = graph._labelled()
        if len(parts) <= 1 or (graph.directed and policy == "reachable"):
            return whole, whole
        if policy in ("infinite", "per_component"):
            raise UsageError(
                f"a certificate proves one value of the largest component, and none of {policy!r}"
            )
        if graph.directed and self._question == "eccentricity":
            raise UsageError(
                "a certificate of eccentricities along arcs is of all vertices: choose "
                "disconnected='reachable'"
            )
        if whole is graph._core and not graph.directed:
            return graph._largest()[0], whole
        largest = whole.components(graph.directed)[3]
        if largest != parts.largest:
            raise UsageError(
                "several components are equally large, and by their names another one comes "
                "first: ask of a graph of one component"
            )
        return whole.component(graph.directed, largest), whole

    def __reduce__(self) -> tuple[Any, ...]:
        return _no_proof, ()

    def __copy__(self) -> Proof:
        return self

    def __deepcopy__(self, memo: Any) -> Proof:
        return self


def _no_proof() -> None:
    return None


def certificate_by(proof: Proof | None, exact: bool, options: Options) -> Certificate:
    if proof is None:
        raise UsageError(
            "this answer has no certificate: it is one of several, or has been pickled"
        )
    if not exact:
        raise Stopped("the answer is not proved yet: it was stopped early")
    return proof(options)


def with_file(
    ask: Callable[[], Answer],
    proof: Proof,
    path: Target,
) -> Answer:
    """The answer; its certificate is in the file, or a warning says why it is not."""
    if path is None:
        return ask()
    proof.check()
    _core.check_target(os.fspath(path))
    begun = time.monotonic()
    answer = ask()
    limit = proof._options.get("time_limit")
    left: Options = {}
    if limit is not None:
        left["time_limit"] = max(limit - (time.monotonic() - begun), 1e-9)
    try:
        answer.certificate(**left).save(path)
    except Stopped as error:
        warnings.warn(f"no certificate is written: {error}", stacklevel=4)
    except BaseException as error:  # the answer is known, whatever became of its proof
        error.partial = answer  # type: ignore[attr-defined]
        raise
    return answer
