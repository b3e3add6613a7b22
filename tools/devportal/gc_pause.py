"""The search for garbage, put off while much is made that all lives on: it would take a third of the time."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import click


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


def disable_gc_until_exit() -> None:
    """Have no garbage collected until the command ends, and nothing that it made be looked at afterwards.

    What a command such as a build makes lives until its end: looking for garbage takes up to half of the time.
    """

    def end() -> None:
        gc.freeze()
        gc.enable()

    gc.disable()
    click.get_current_context().call_on_close(end)
