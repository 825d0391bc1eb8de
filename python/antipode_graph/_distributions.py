"""How many there are at each distance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _core
from ._shown import Shown
from ._tables import Table

Number = int | float


@dataclass(frozen=True, slots=True, eq=False)
class Distribution(Shown, Table):
    """Counts at distances 0, 1, 2, …, or in bins of `width` where edges have lengths.

    It can be used as the array of its counts.

    >>> import antipode_graph as ag
    >>> d = ag.Graph("gen:path?n=4").distance_distribution()
    >>> d.tolist(), d.median, d.effective(0.75)
    ([0, 6, 4, 2], 1, 1.75)
    """

    counts: np.ndarray = field(repr=False)  # [i]: from i * width on, below (i + 1) * width
    width: Number = 1
    exact_bins: bool = True  # all in a bin are at its lower end
    of: str = "ordered pairs"
    by: str = "distance"

    @property
    def distances(self) -> np.ndarray:
        """Where the bins begin."""
        return np.arange(len(self.counts)) * self.width

    @property
    def total(self) -> int:
        return int(self.counts.sum(dtype=np.int64))

    def quantile(self, share: float) -> Number:
        """The least distance within which this share lies; of bins the upper end."""
        within, wanted = np.cumsum(self.counts, dtype=np.int64), self._wanted(share)
        bin_number = int(np.searchsorted(within, wanted))
        return (bin_number if self.exact_bins else bin_number + 1) * self.width

    @property
    def median(self) -> Number:
        return self.quantile(0.5)

    def effective(self, share: float = 0.9) -> float:
        """The effective diameter: `quantile`, interpolated within the last step."""
        wanted = self._wanted(share)
        if not self.total:
            return 0.0
        within = np.cumsum(self.counts, dtype=np.int64)
        last = int(np.searchsorted(within, wanted))
        part = (wanted - (int(within[last - 1]) if last else 0)) / int(self.counts[last])
        begin = last - 1 if self.exact_bins else last
        return float(max(begin + part, 0.0) * self.width)

    def _wanted(self, share: float) -> float:
        if not 0 < share <= 1:
            raise ValueError("a share is above 0 and at most 1")
        return share * self.total

    def plot(self, ax: Any = None, *, log: bool = False, **style: Any) -> Any:
        """Bars, by matplotlib; returns the axes. `log`: a logarithmic scale of counts.

        `ax`: axes to draw in; `style`: what ``matplotlib.axes.Axes.bar`` takes.
        """
        if ax is None:
            try:
                from matplotlib import pyplot
            except ModuleNotFoundError as error:
                raise ImportError(
                    f"plot() needs matplotlib: pip install matplotlib ({error})"
                ) from None
            ax = pyplot.subplots()[1]
        align = "center" if self.exact_bins else "edge"
        style = {"width": 0.9 * self.width, "align": align, **style}
        ax.bar(self.distances, self.counts, **style)
        ax.set_xlabel(self.by)
        ax.set_ylabel(self.of)
        if log:
            ax.set_yscale("log")
        return ax

    def to_series(self) -> Any:
        """A pandas Series, indexed by where the bins begin."""
        import pandas as pd

        return pd.Series(self.counts, index=pd.Index(self.distances, name=self.by), name=self.of)

    def to_arrow(self) -> _core.ArrowTable:
        """Columns distance (or eccentricity) and count."""
        columns = [self.distances, np.ascontiguousarray(self.counts)]
        return _core.ArrowTable([self.by, "count"], columns)

    def tolist(self) -> list[int]:
        return self.counts.tolist()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False and dtype not in (None, self.counts.dtype):
            raise ValueError("another type takes a copy")
        return np.array(self.counts, dtype=dtype) if copy else np.asarray(self.counts, dtype=dtype)

    def __len__(self) -> int:
        return len(self.counts)

    def __getitem__(self, number: Any) -> Any:
        return self.counts[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self.tolist())

    def _facts(self) -> dict[str, object]:
        if not self.total:
            return {self.of: 0}
        return {
            self.of: self.total,
            "median": self.median,
            "effective (0.9)": f"{self.effective():.2f}",
            "largest": self.distances[np.flatnonzero(self.counts)[-1]].item(),
        }


def of_values(values: np.ndarray, of: str, by: str) -> Distribution:
    """Of whole numbers at each; of others in about 50 bins."""
    values = values[np.isfinite(values)]
    if values.dtype.kind in "iu" or (values == np.floor(values)).all():
        most = values.max(initial=0)
        if most < 10_000:
            return Distribution(np.bincount(values.astype(np.int64)), 1, True, of, by)
    width = float(values.max(initial=0)) / 50 or 1.0
    bins = np.floor(values / width).astype(np.int64)
    return Distribution(np.bincount(bins), width, False, of, by)
