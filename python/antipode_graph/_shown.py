"""How answers look in notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice


class Shown:
    """What has an HTML form for notebooks."""

    __slots__ = ()

    def _facts(self) -> dict[str, object]:
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return to_html(type(self).__name__, self._facts().items())


def to_html(title: str, rows: Iterable[tuple[object, object]]) -> str:
    cells = "".join(
        f"<tr><th style='text-align: left'>{_text(name)}</th><td>{_text(value)}</td></tr>"
        for name, value in rows
    )
    return f"<table><tr><th colspan='2'>{_text(title)}</th></tr>{cells}</table>"


def _text(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    import html  # where it is needed: it takes a millisecond

    return html.escape(f"{value:.6g}" if isinstance(value, float) else str(value))


def first(values: Iterable[object], count: int = 10) -> str:
    """The first few of them."""
    shown = [str(value) for value in islice(values, count + 1)]
    return ", ".join([*shown[:count], "…"] if len(shown) > count else shown)
