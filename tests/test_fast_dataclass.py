"""Dataclasses that are frozen for the type checker alone are like others in all else."""

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

if not TYPE_CHECKING:
    from devportal.fast_dataclass import fast_dataclass
else:
    from dataclasses import dataclass as fast_dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    """A dataclass as others are."""

    name: str
    words: tuple[str, ...] = ()


@fast_dataclass(frozen=True, slots=True, kw_only=True)
class Fast:
    """The same fields, set faster."""

    name: str
    words: tuple[str, ...] = ()


def test_values_are_compared_and_hashed_by_their_fields() -> None:
    """Equal values are one member of a set."""
    found = {Fast(name="a"), Fast(name="a", words=()), Fast(name="b")}

    assert found == {Fast(name="b"), Fast(name="a")}


def test_fields_are_those_of_other_dataclasses() -> None:
    """They have names and defaults, `replace` and slots."""
    described = [[(field.name, field.default) for field in fields(kind)] for kind in (Fast, Frozen)]
    changed = replace(Fast(name="a", words=("x",)), name="b")

    assert described[0] == described[1]
    assert changed == Fast(name="b", words=("x",))
    assert not hasattr(changed, "__dict__")
