"""Dataclasses that are frozen for the type checker alone, for classes with very many instances.

A frozen dataclass sets each field by `object.__setattr__`, which makes the creation of a schema, with its fifty fields,
five times slower. Type checkers see `dataclasses.dataclass` in its place, which they know: see the imports of
`devportal.contract.schemas`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

_Class = TypeVar("_Class")


def fast_dataclass(*, frozen: bool, **options: Any) -> Callable[[type[_Class]], type[_Class]]:
    """Return the decorator `dataclass(frozen=…, …)`, but one that does not refuse assignments at run time."""
    return dataclass(unsafe_hash=frozen, **options)
