"""The canonical content of a version and its SHA-256: what an approval pins.

Absent values are left out, so that a field that the shape gains later does not undo old approvals.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import date
from decimal import Decimal
from enum import StrEnum
from json.encoder import encode_basestring
from operator import attrgetter
from typing import Any

from devportal.catalog.coverage import CoverageTerms, Features, Registration
from devportal.catalog.rate import Increment, Network, RateTerms


def content_sha256(terms: RateTerms | CoverageTerms) -> str:
    """Return the SHA-256, in lower-case hexadecimal, of the terms' canonical content.

    The terms keep it. It is not looked up by equal terms: a price of 0.10 equals one of 0.1.
    """
    try:
        return terms.kept_sha256
    except AttributeError:
        found = hashlib.sha256(canonical_content(terms)).hexdigest()
        object.__setattr__(terms, "kept_sha256", found)
        return found


def canonical_content(terms: RateTerms | CoverageTerms) -> bytes:
    """Return the terms as compact JSON in UTF-8: keys sorted, every scalar as text, digits as written."""
    return _mapping(terms).encode()


def _mapping(value: Any) -> str:
    labels, parts_of = _MEMBERS[type(value)]
    parts = zip(labels, parts_of(value), strict=True)
    return (
        f"{{{','.join([label + _text(part) for label, part in parts if part is not None and part != ()])}}}"
    )


def _members(kind: type[Any], *more: str) -> tuple[tuple[str, ...], Callable[[Any], tuple[object, ...]]]:
    """Return the labels of the members of a type in the order of their names, and what gets their values."""
    names = sorted((*(item.name for item in fields(kind)), *more))
    return tuple(f"{encode_basestring(name)}:" for name in names), attrgetter(*names)


_MEMBERS: Mapping[type, tuple[tuple[str, ...], Callable[[Any], tuple[object, ...]]]] = {
    **{kind: _members(kind, "kind") for kind in (RateTerms, CoverageTerms)},
    **{kind: _members(kind) for kind in (Network, Features, Registration)},
}


def _text(value: Any) -> str:
    """Return the canonical JSON text of a term."""
    form = _FORMS.get(type(value))
    if form is not None:
        return form(value)
    if isinstance(value, StrEnum):
        return f'"{value}"'
    raise TypeError(f"a term of type {type(value).__name__} has no canonical form")


_FORMS: Mapping[type, Callable[[Any], str]] = {
    bool: lambda value: '"yes"' if value else '"no"',
    str: encode_basestring,
    int: lambda value: f'"{value}"',
    Increment: lambda value: f'"{value}"',
    Decimal: lambda value: f'"{value:f}"',
    date: lambda value: f'"{value.isoformat()}"',
    tuple: lambda value: f"[{','.join(map(_text, value))}]",
    Network: _mapping,
    Features: _mapping,
    Registration: _mapping,
}
"""The canonical JSON text of each type of term but those of closed sets, which are their words."""
