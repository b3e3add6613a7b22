"""Dataclasses of which there are very many, frozen for the type checker alone.

A frozen dataclass sets each field by `object.__setattr__`: to create a schema with its fifty fields took five times
as long. A module that uses this one in its place lets type checkers see `dataclasses.dataclass`, which they know.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

_Class = TypeVar("_Class")


def fast_dataclass(*, frozen: bool, **options: Any) -> Callable[[type[_Class]], type[_Class]]:
    """Return the decorator `dataclass(frozen=…, …)` without what refuses assignments at run time."""
    return dataclass(unsafe_hash=frozen, **options)
