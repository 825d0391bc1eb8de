"""What every question takes, and how it is asked."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from typing import Any, Literal, TypedDict, TypeVar, Unpack, cast

from . import _core
from ._errors import Error, UsageError

Answer = TypeVar("Answer")
Disconnected = Literal["error", "largest", "per_component", "infinite", "reachable"]
Target = str | os.PathLike[str] | None  # a file that is written
Progress = bool | Callable[[int, int, int, int], object]


class Options(TypedDict, total=False):
    """What every question takes.

    engine: one of ``engines()``, or "auto".
    threads: of the engine; None: as many as there are processors, or ``OMP_NUM_THREADS``.
    time_limit: seconds; after it, bounds or an estimate are returned with ``exact`` False.
    memory_limit: bytes that the engine may use.
    progress: True for a bar by tqdm or, without it, a line on standard error; or a function of
    lower and upper bound, searches done and candidates left.
    """

    engine: str
    threads: int | None
    time_limit: float | None
    memory_limit: int | None
    progress: Progress | None


class LongOptions(Options, total=False):
    """What questions that may take long take as well.

    checkpoint: a file that holds what is done so far, written again and again, and removed at the
    end. The program goes on with it, and Python with the program's.
    resume: go on from the checkpoint.
    checkpoint_every: seconds between two of them.
    """

    checkpoint: Target
    resume: bool
    checkpoint_every: float


def long_ask_of(
    checkpoint: Target = None,
    resume: bool = False,
    checkpoint_every: float = 60,
    **options: Unpack[Options],
) -> _core.Ask:
    ask = ask_of(**options)
    if checkpoint is None:
        if resume:
            raise UsageError("resume= goes on from a checkpoint: name it by checkpoint=")
        return ask
    if not checkpoint_every >= 0:
        raise UsageError("checkpoint_every= is a number of seconds from 0 up")
    ask.keep(os.fspath(checkpoint), float(checkpoint_every), bool(resume))
    return ask


def short(options: LongOptions) -> Options:
    """Without those of checkpoints."""
    kept = ("checkpoint", "resume", "checkpoint_every")
    return cast(Options, {name: value for name, value in options.items() if name not in kept})


def ask_of(
    engine: str = "auto",
    threads: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> _core.Ask:
    if time_limit is not None and time_limit <= 0:
        raise UsageError("a time limit is above 0 seconds")
    check_counts(threads=threads or 0, memory_limit=memory_limit or 0)
    if progress is True:
        from ._progress import shown

        progress = shown()
    return _core.Ask(engine, threads or 0, memory_limit or 0, time_limit or 0, progress or None)


def check_counts(**counts: int) -> None:
    for name, count in counts.items():
        if not isinstance(count, int) or count < 0:
            raise UsageError(f"{name}={count!r} is not a whole number from 0 up")


def asked(call: Callable[[], Any], shape: Callable[[Any], Answer]) -> Answer:
    """The answer in its shape. What interrupts the call carries the answer so far as `partial`."""
    try:
        return shape(call())
    except UsageError as error:
        text = str(error).replace("by AskOptions::disconnected: ", "by disconnected= with one of ")
        raise UsageError(text) from None
    except BaseException as error:
        if (raw := getattr(error, "_answer", None)) is not None:
            del error._answer  # type: ignore[attr-defined]
            with contextlib.suppress(Error):  # nothing is known yet
                error.partial = shape(raw)  # type: ignore[attr-defined]
        raise
