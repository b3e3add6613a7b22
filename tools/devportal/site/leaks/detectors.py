"""Detectors of private values: the bytes that lead to a candidate, and the check of each candidate."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from devportal.catalog.records.version_ref import RecordRef
from devportal.site.leaks.private_values import PrivateValue, ValueKind
from devportal.site.leaks.surrounding_context import FileContext


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A value of a version that is not public, in a file of the site."""

    file: str
    offset: int
    kind: ValueKind
    label: str
    ref: RecordRef
    text: str
    excerpt: str = field(compare=False)


class Detector(Protocol):
    """Finds the private values of one kind."""

    def hooks(self) -> Iterable[bytes]:
        """Return the bytes that lead to candidates. A candidate may be found by several."""

    def check_hook(self, context: FileContext, start: int, end: int) -> Iterator[Leak]:
        """Yield the leaks at a hook between two positions of a view."""


def leak_at(value: PrivateValue, context: FileContext, start: int, end: int) -> Leak:
    """Return the leak of a private value between two positions of a view."""
    view = context.view
    return Leak(
        file=view.name,
        offset=view.offset(start),
        kind=value.kind,
        label=value.label,
        ref=value.ref,
        text=value.text,
        excerpt=view.excerpt(start, end),
    )


def case_variants(text: str) -> Iterator[bytes]:
    """Yield a text of ASCII letters in lower case, in upper case, and capitalised."""
    yield from dict.fromkeys(form.encode() for form in (text.lower(), text.upper(), text.capitalize(), text))
