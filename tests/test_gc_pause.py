"""Tests of putting off the search for garbage."""

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import click
import pytest
from mkdocs.config import load_config

from devportal.contract import load_contract
from devportal.documents import Document, read_document
from devportal.gc_pause import disable_gc_until_exit, gc_paused, without_garbage
from tests.site.building import write_contract, write_project


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


def test_a_contract_is_read_without_searches(tmp_path: Path) -> None:
    """All that is made stays in use."""
    is_on: list[bool] = []

    def read(path: Path, **options: Any) -> Document:
        is_on.append(gc.isenabled())
        return read_document(path, **options)

    load_contract(write_contract(tmp_path / "openapi.yaml"), read=read)

    assert (is_on, gc.isenabled()) == ([False], True)


@pytest.mark.parametrize("command", ["build", "serve"])
def test_builds_of_mkdocs_search_for_nothing(command: Literal["build", "serve"], tmp_path: Path) -> None:
    """A server of MkDocs lives on after its builds."""
    plugins = load_config(str(write_project(tmp_path))).plugins

    plugins.on_startup(command=command, dirty=False)
    is_on_within = gc.isenabled()
    plugins.on_shutdown()

    assert (is_on_within, gc.isenabled()) == (command == "serve", True)
