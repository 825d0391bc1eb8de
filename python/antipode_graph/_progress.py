"""How far a question has come: a bar by tqdm where that is installed, else a line on standard
error."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any


def shown() -> Bar | Line:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a bar for notebooks may lack its widgets
            from tqdm.auto import tqdm
    except ImportError:
        return Line()
    return Bar(tqdm(unit=" searches"))


class Bar:
    def __init__(self, bar: Any) -> None:
        self._bar = bar

    def __call__(self, lower: int, upper: int, searches: int, candidates: int) -> None:
        self._bar.total = searches + candidates
        self._bar.n = searches
        if upper:
            self._bar.set_postfix_str(f"between {lower} and {upper}", refresh=False)
        self._bar.refresh()

    def __del__(self) -> None:
        self._bar.close()


class Line:
    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._told = False

    def __call__(self, lower: int, upper: int, searches: int, candidates: int) -> None:
        bounds = f"between {lower} and {upper}, " if upper else ""
        seconds = time.monotonic() - self._begun
        text = f"{bounds}{searches} searches, {candidates} left, {seconds:.1f} s"
        sys.stderr.write(f"\r{text}\x1b[K")
        sys.stderr.flush()
        self._told = True

    def __del__(self) -> None:
        if self._told and sys is not None:
            sys.stderr.write("\n")
