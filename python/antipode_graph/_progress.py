"""A line on standard error that tells how far a question has come."""

from __future__ import annotations

import sys
import time


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
