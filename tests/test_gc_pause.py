"""Tests of putting off the search for garbage."""

import gc
import weakref
from collections.abc import Iterator

import click
import pytest

from devportal.gc_pause import disable_gc_until_exit, gc_paused, without_garbage


class Circle:
    """Refers to itself, so that only a search for garbage frees it."""

    def __init__(self) -> None:
        self.itself = self


def test_nothing_is_searched_until_the_end() -> None:
    """Within the block the collector is off, after it is on again, whatever happened."""

    def failing() -> None:
        with gc_paused():
            was_on.append(gc.isenabled())
            raise KeyError

    was_on: list[bool] = []
    with pytest.raises(KeyError):
        failing()

    assert (was_on, gc.isenabled()) == ([False], True)


def test_who_searches_for_none_is_left_so() -> None:
    """Where the collector was off before, it stays off."""
    gc.disable()
    try:
        with gc_paused():
            pass
        is_on = gc.isenabled()
    finally:
        gc.enable()

    assert not is_on


def test_a_command_leaves_the_collector_as_it_was() -> None:
    """It is off while the command runs, and what the command made is left out of later searches."""
    with click.Context(click.Command("build")):
        disable_gc_until_exit()
        is_on_within = gc.isenabled()
        frozen_before = gc.get_freeze_count()

    assert (is_on_within, gc.isenabled()) == (False, True)
    assert gc.get_freeze_count() > frozen_before


def test_circles_are_dropped_while_the_collector_is_off() -> None:
    """Not all of them at once: some at a time, so that they do not add up."""
    circles: list[weakref.ref[Circle]] = []

    def make_circles() -> Iterator[int]:
        for number in range(250):
            circles.append(weakref.ref(Circle()))
            yield number

    with gc_paused():
        numbers = [*without_garbage(make_circles())]
        alive = sum(circle() is not None for circle in circles)

    assert numbers == [*range(250)]
    assert 0 < alive < 100
