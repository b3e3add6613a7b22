"""The search for garbage, put off while much is made that all lives on: it would take a third of the time."""

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import click

_Item = TypeVar("_Item")
_ITEMS_PER_SEARCH = 100
"""How many pages leave little garbage."""


@contextmanager
def gc_paused() -> Iterator[None]:
    """Have no garbage collected in the block, if it was collected before."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def keep_all_from_gc() -> None:
    """Have what there is now, garbage apart, not be looked at any more: searches for garbage become short.

    For a process that lives on with most of what it has made.
    """
    gc.collect()
    gc.freeze()


def return_all_to_gc() -> None:
    """Have all be looked at again."""
    gc.unfreeze()


def disable_gc_until_exit() -> None:
    """Have no garbage collected until the command ends, and nothing that it made be looked at afterwards.

    What a command such as a build makes lives until its end: looking for garbage takes up to half of the time.
    """

    def end() -> None:
        gc.freeze()
        gc.enable()

    gc.disable()
    click.get_current_context().call_on_close(end)


def without_garbage(items: Iterable[_Item]) -> Iterator[_Item]:
    """Yield items, and now and then drop the garbage that making them left, while none is collected otherwise.

    Templates leave circles with all that they were given. What was there before is not looked at, and what lives on
    only once.
    """
    if not gc.isenabled():
        gc.freeze()
    for number, item in enumerate(items, start=1):
        yield item
        if number % _ITEMS_PER_SEARCH == 0 and not gc.isenabled():
            gc.collect()
            gc.freeze()
