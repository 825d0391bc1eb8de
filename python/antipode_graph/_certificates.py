"""Proofs of answers, in the form of the files that the program writes, and their checks."""

from __future__ import annotations

import copy
import json
import math
import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, Unpack

from . import _core
from ._errors import CertificateRefused, InputError, UsageError
from ._options import Options, ask_of, asked
from ._shown import Shown

if TYPE_CHECKING:
    from ._graph import Graph
    from ._results import Number

_CONTROLS = re.compile("[\x7f-\x9f]")  # others are escaped by json


@dataclass(frozen=True, slots=True)
class Certificate(Shown):
    """A proof of a diameter, a radius, a center, a periphery or eccentricities.

    It is a list of facts, each of which a search confirms or refutes. It names vertices by their
    text, as a file that `Graph.save` writes names them.

    >>> import antipode_graph as ag
    >>> g = ag.Graph("gen:path?n=5")
    >>> c = g.diameter().certificate()
    >>> c.question, c.value, ag.verify(c, g).value
    ('diameter', 4, 4)
    """

    _fields: dict[str, Any] = field(repr=False)

    def __post_init__(self) -> None:
        # What the caller changes later must not change what was checked.
        object.__setattr__(self, "_fields", copy.deepcopy(self._fields))
        _core.check_certificate(self._fields)

    @property
    def question(self) -> str:
        return str(self._fields["question"])

    @property
    def value(self) -> Number:
        """What it says the answer is, in the unit of the graph."""
        if self._fields.get("reach_all") == 0:
            return math.inf  # no vertex reaches all others
        text = str(self._fields.get("text", self._fields["value"]))
        return int(text) if text.isdecimal() else float(text)

    @property
    def facts(self) -> int:
        """How many there are."""
        return len(self._fields["facts"])

    @property
    def text(self) -> str:
        """JSON, as `antipode verify` reads it."""
        return _text_of(self._fields)

    def to_dict(self) -> dict[str, Any]:
        return copy.deepcopy(self._fields)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file, complete or not at all; compressed if its name ends in .gz or .zst."""
        _core.write_text(os.fspath(path), self.text)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Certificate:
        """From a file that `save` or the program wrote."""
        where = os.fspath(path)
        if where != "-" and not os.path.exists(where):
            raise FileNotFoundError(2, "there is no such file", where)
        return cls(_parsed(where, _core.read_file(where)))

    def __str__(self) -> str:
        return self.text

    def _facts(self) -> dict[str, object]:
        return {"question": self.question, "value": self.value, "facts": self.facts}

    def __repr__(self) -> str:
        return f"<antipode_graph.Certificate: {self.question} {self.value}, {self.facts:,} facts>"


@dataclass(frozen=True, slots=True)
class Verified(Shown):
    """What a certificate has proved."""

    question: str
    value: Number
    facts: int
    searches: int  # that the check took

    def _facts(self) -> dict[str, object]:
        return {"proved": self.question, "value": self.value, "searches": self.searches}


def _text_of(fields: dict[str, Any]) -> str:
    text = json.dumps(fields, indent=1, ensure_ascii=False)
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON's readers differ on which of two equal keys counts."""
    result = dict(pairs)
    if len(result) < len(pairs):
        raise CertificateRefused("this is no certificate: an object has a field twice")
    return result


def _no_number(text: str) -> NoReturn:
    raise CertificateRefused(f"this is no certificate: {text} is no number")


def _parsed(name: str, text: bytes) -> Any:
    try:
        return json.loads(text.decode(), object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError:
        raise CertificateRefused("this is no certificate: it is nested too deep") from None
    except CertificateRefused:
        raise
    except ValueError as error:
        raise InputError(f"{name}: not JSON: {error}") from None


def verify(
    certificate: Certificate | dict[str, Any] | str | os.PathLike[str],
    graph: Graph | Any,
    **options: Unpack[Options],
) -> Verified:
    """What a certificate proves about the graph; ``CertificateRefused`` if it does not.

    `certificate`: one, its fields, or the name of a file that `Certificate.save` or the program
    wrote. `graph`: a Graph, or what one is made of, which is then read with directions and lengths
    as the certificate says. Every fact is checked by searches of the checker's own, which shares
    nothing with the engines: of the options `time_limit` and `progress` have a meaning.

    >>> import antipode_graph as ag
    >>> g = ag.Graph("gen:cycle?n=9")
    >>> ag.verify(g.radius().certificate(), g).question
    'radius'
    >>> ag.verify(g.radius().certificate(), "gen:cycle?n=10")
    Traceback (most recent call last):
        ...
    antipode_graph._errors.CertificateRefused: the certificate is about another graph (fingerprints differ)
    """
    from ._graph import Graph

    if unknown := set(options) - {"time_limit", "progress"}:
        raise UsageError(f"verify has no use for {', '.join(sorted(unknown))}: it has no engine")
    if isinstance(certificate, str | os.PathLike):
        certificate = Certificate.load(certificate)
    elif not isinstance(certificate, Certificate):
        certificate = Certificate(certificate)
    fields = certificate._fields
    if not isinstance(graph, Graph):
        directed, weighted = (fields.get(kind, False) for kind in ("directed", "weighted"))
        graph = Graph(graph, directed=directed or None, weighted=weighted or None)
    ask = ask_of(**options)
    core = graph._labelled()
    accepted, reason, searches = asked(lambda: core.verify(fields, ask), tuple)
    if not accepted:
        raise CertificateRefused(reason, searches)
    return Verified(certificate.question, certificate.value, certificate.facts, searches)
