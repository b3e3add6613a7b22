"""Pauses of Python's garbage collector while a command creates many objects that all stay in use.

The collector would visit them again and again, for up to half of the time of a build, and find nothing.
"""

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import click

_Item = TypeVar("_Item")
_ITEMS_PER_COLLECTION = 100
"""So many pages leave little garbage."""


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the collector in the block; afterwards it is as it was."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def keep_all_from_gc() -> None:
    """Collect garbage, and exempt all objects that are left from later collections, which become short.

    For a process that lives on with most of what it has made. The exemption does not end: it would end for what others
    exempted, too.
    """
    gc.collect()
    gc.freeze()


def disable_gc_until_exit() -> None:
    """Pause the collector until the command ends, and exempt what the command created from the collection at exit."""

    def end() -> None:
        gc.freeze()
        gc.enable()

    gc.disable()
    click.get_current_context().call_on_close(end)


def without_garbage(items: Iterable[_Item]) -> Iterator[_Item]:
    """Yield items, and while the collector is paused, collect the garbage that making them leaves now and then.

    Templates leave reference cycles with all that they were given. Objects from before are exempt, and those that
    stay in use are visited once.
    """
    if not gc.isenabled():
        gc.freeze()
    for number, item in enumerate(items, start=1):
        yield item
        if number % _ITEMS_PER_COLLECTION == 0 and not gc.isenabled():
            gc.collect()
            gc.freeze()
