"""Lengths are whole numbers of a unit inside; here they get the unit of their source again."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np


class Unit(NamedTuple):
    """A length of 1 stands for ``factor * 10**-decimals * 2**-halvings``."""

    factor: int = 1
    decimals: int = 0
    halvings: int = 0

    @property
    def is_whole(self) -> bool:
        return self.decimals <= 0 and self.halvings <= 0

    def number(self, raw: int) -> int | float:
        """-1 stands for an infinite length."""
        if raw < 0:
            return math.inf
        whole = raw * self.factor * 10 ** max(-self.decimals, 0) * 2 ** max(-self.halvings, 0)
        if self.is_whole:
            return whole
        return whole / (10 ** max(self.decimals, 0) * 2 ** max(self.halvings, 0))

    def ratio(self) -> float:
        return float(self.number(1))

    def array(self, raw: np.ndarray, none: float = math.inf) -> np.ndarray:
        """Whole numbers stay whole unless one is missing (-1), which becomes ``none``."""
        if self == (1, 0, 0):
            values = raw
        elif self.is_whole and int(raw.max(initial=0)) * int(self.number(1)) < 2**63:
            values = raw * int(self.number(1))
        else:
            values = raw * float(self.factor) / 10.0**self.decimals / 2.0**self.halvings
        missing = raw < 0
        if not missing.any():
            return values
        values = values.astype(np.float64)
        values[missing] = none
        return values


EDGES = Unit()
