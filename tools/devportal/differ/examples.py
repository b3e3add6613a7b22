"""What examples say, whatever their place in the file."""

from collections.abc import Iterable

from devportal.contract import Example
from devportal.differ.merging import canonical

Told = tuple[tuple[str, ...], ...]


def told(examples: Iterable[Example]) -> Told:
    """Return what examples say, in a form in which equal ones are equal."""
    return tuple(
        (one.name, canonical(one.value), one.serialised or "", one.summary, one.description, one.external)
        for one in sorted(examples, key=lambda one: one.name)
    )
