"""The canonical content of a version and its SHA-256: what an approval pins.

Absent values are left out, so that a field that the shape gains later does not undo old approvals.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from datetime import date
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any

from devportal.catalog.book.book import MarketKind, Named, Product, Unit
from devportal.catalog.records.coverage import CoverageTerms, Features, Registration
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.values import Declared, Values
from devportal.catalog.records.version_ref import Kind


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


def _mapping(terms: RateTerms | CoverageTerms) -> str:
    market = '"country":' if terms.market_kind is MarketKind.COUNTRY else '"zone":'
    labels, parts_of = _members(terms.kind, tuple(terms.declared), market)
    parts = zip(labels, parts_of(terms, terms.declared), strict=True)
    return (
        f"{{{','.join([label + _text(part) for label, part in parts if part is not None and part != ()])}}}"
    )


_TYPES: Mapping[Kind, type[RateTerms | CoverageTerms]] = {
    Kind.RATE: RateTerms,
    Kind.COVERAGE: CoverageTerms,
}


@lru_cache(maxsize=256)
def _members(
    kind: Kind, declared: tuple[str, ...], market: str
) -> tuple[tuple[str, ...], Callable[[Any, Declared], Iterator[object]]]:
    """Return the labels of the members of terms in the order of their names, and what gets their values.

    Of many versions the same fields are declared, so that this is worked out for few.
    """
    names = [one.name for one in fields(_TYPES[kind])]
    fixed = [name for name in names if name not in {"market", "market_kind", "declared"}]
    ways = {f"{encode_basestring(name)}:": (False, name) for name in (*fixed, "kind")}
    ways[market] = (False, "market")
    ways |= {f"{encode_basestring(name)}:": (True, name) for name in declared}
    labels = tuple(sorted(ways))
    getters = [(is_declared, name) for is_declared, name in map(ways.__getitem__, labels)]

    def values(terms: Any, declared: Declared) -> Iterator[object]:
        return (declared[name] if is_declared else getattr(terms, name) for is_declared, name in getters)

    return labels, values


def _text(value: Any) -> str:
    """Return the canonical JSON text of a term."""
    form = _FORMS.get(type(value))
    if form is not None:
        return form(value)
    if isinstance(value, StrEnum):
        return f'"{value}"'
    raise TypeError(f"a term of type {type(value).__name__} has no canonical form")


def _group(values: Mapping[str, str]) -> str:
    """Return the canonical JSON text of values by name."""
    return f"{{{','.join(f'{encode_basestring(name)}:{_text(values[name])}' for name in sorted(values))}}}"


def _registration(value: Registration) -> str:
    days = "" if value.lead_time_days is None else f'"lead_time_days":"{value.lead_time_days}",'
    return f'{{{days}"scheme":{_key_json(value.scheme)}}}'


def _key_json(value: Named) -> str:
    return encode_basestring(value.key)


_FORMS: Mapping[type, Callable[[Any], str]] = {
    bool: lambda value: '"yes"' if value else '"no"',
    str: encode_basestring,
    int: lambda value: f'"{value}"',
    Decimal: lambda value: f'"{value:f}"',
    date: lambda value: f'"{value.isoformat()}"',
    tuple: lambda value: f"[{','.join(map(_text, value))}]",
    Named: _key_json,
    Product: _key_json,
    Unit: _key_json,
    Values: _group,
    Features: lambda value: _group(value.stated),
    Registration: _registration,
}
"""The canonical JSON text of each type of term but those of closed sets, which are their words."""
