"""The differences between two versions, field by field, in the order of a record file."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from devportal.catalog.book.book import Book
from devportal.catalog.records.content import canonical_content
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.text import Field, mapping_parts, record_order
from devportal.catalog.records.window import Terms

_NEW = "new"
"""The text if nothing is public yet."""
_NAMES_THE_VERSION = frozenset({"kind", "id", "version"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One field, or part of a field, and its value before and after; None if it has none."""

    field: str
    before: "Field | None"
    after: "Field | None"


def differences(before: Terms | None, after: Terms, book: Book) -> tuple[Difference, ...]:
    """Return the differences; without an earlier version, every field differs. Id and version do not count."""
    old = dict(_fields(before, book)) if before is not None else {}
    new = dict(_fields(after, book))
    return tuple(
        Difference(field=name, before=old.get(name), after=new.get(name))
        for name in dict.fromkeys([*_field_order(after, book), *old, *new])
        if old.get(name) != new.get(name)
    )


def summary_cells(before: Terms | None, after: Terms, book: Book) -> tuple[str, str, str, str]:
    """Return a version in four cells: its name, its market, its public value, and its new value."""
    name = f"{after.id}@{after.version}"
    if isinstance(after, RateTerms) and (before is None or isinstance(before, RateTerms)):
        old = _price_text(before) if before else _NEW
        other_fields = [
            difference.field
            for difference in (differences(before, after, book) if before else ())
            if difference.field not in {"price", "currency", "unit", "effective_from"}
        ]
        return (
            name,
            after.market,
            old,
            _price_text(after) + (f"; also {', '.join(other_fields)}" if other_fields else ""),
        )
    changed = differences(before, after, book)
    old = "; ".join(
        f"{difference.field} {field_text(difference.before) or 'nothing'}" for difference in changed if before
    )
    new = "; ".join(
        f"{difference.field} {field_text(difference.after) or 'nothing'}" for difference in changed
    )
    return name, after.market, old or _NEW, new


def _price_text(rate: RateTerms) -> str:
    return f"{format(rate.price, 'f')} {rate.currency}/{rate.unit} from {rate.effective_from}"


def field_text(value: "Field | None") -> str:
    """Return a value as text for a table; empty for None."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {part}" for name, part in value.items())
    return value if isinstance(value, str) else "; ".join(value)


def _fields(terms: Terms, book: Book) -> Iterator[tuple[str, Field]]:
    content: dict[str, Field] = json.loads(canonical_content(terms))
    parts = mapping_parts(book)
    for name, value in content.items():
        if name in parts and isinstance(value, dict):
            yield from ((f"{name}.{part}", each) for part, each in value.items())
        elif name not in _NAMES_THE_VERSION:
            yield name, value


def _field_order(terms: Terms, book: Book) -> Iterator[str]:
    parts = mapping_parts(book)
    for name in record_order(book, terms.kind):
        yield from (f"{name}.{part}" for part in parts[name]) if name in parts else (name,)
