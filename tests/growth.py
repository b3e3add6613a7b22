"""How work grows with its input, counted in steps: what a clock says depends on the machine."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

LINEAR = 2.1
"""The most that twice as much input may cost, as a multiple. To compare each part with all costs four times
as much, and is a small share of the work while there are few parts.
"""


@dataclass(slots=True)
class Steps:
    """How many lines of Python were run; each turn of a loop is one at least."""

    count: int = 0


@contextmanager
def counted_steps() -> Iterator[Steps]:
    """Count the steps of what this thread calls in the `with` block."""
    steps = Steps()

    def note(_frame: FrameType, event: str, _value: Any) -> Any:
        steps.count += event == "line"
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        yield steps
    finally:
        sys.settrace(before)


def growth(work: Callable[[int], object], size: int) -> float:
    """Return how many times as many steps the work takes for an input of twice the size.

    What is only done once, such as an import, is done before anything is counted.
    """
    work(1)
    with counted_steps() as once:
        work(size)
    with counted_steps() as twice:
        work(2 * size)
    return twice.count / once.count
