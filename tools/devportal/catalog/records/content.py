"""The canonical content of a version and its SHA-256, which an approval pins.

Absent values are left out, so that a field that is added to the shape later does not invalidate approvals.
"""

import hashlib
from collections.abc import Callable, Mapping
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
from devportal.catalog.records.values import Values
from devportal.catalog.records.version_ref import Kind


def content_sha256(terms: RateTerms | CoverageTerms) -> str:
    """Return the SHA-256, in lower-case hexadecimal, of the terms' canonical content.

    It is cached on the terms, not looked up by equal terms: a price of 0.10 equals one of 0.1.
    """
    try:
        return terms.kept_sha256
    except AttributeError:
        digest = hashlib.sha256(canonical_content(terms)).hexdigest()
        object.__setattr__(terms, "kept_sha256", digest)
        return digest


def canonical_content(terms: RateTerms | CoverageTerms) -> bytes:
    """Return the terms as compact JSON in UTF-8: keys sorted, every scalar as text, digits as written."""
    return _terms_json(terms).encode()


def _terms_json(terms: RateTerms | CoverageTerms) -> str:
    market = '"country":' if terms.market_kind is MarketKind.COUNTRY else '"zone":'
    declared = terms.declared
    members = []
    for label, is_declared, name in _members(terms.kind, tuple(declared), market):
        value = declared[name] if is_declared else getattr(terms, name)
        if value is not None and value != ():
            members.append(label + _value_json(value))
    return f"{{{','.join(members)}}}"


_TYPES: Mapping[Kind, type[RateTerms | CoverageTerms]] = {
    Kind.RATE: RateTerms,
    Kind.COVERAGE: CoverageTerms,
}


@lru_cache(maxsize=256)
def _members(kind: Kind, declared: tuple[str, ...], market: str) -> tuple[tuple[str, bool, str], ...]:
    """Return the members of terms in the order of their names: label, whether it is declared, and its name there.

    The result is cached: most versions declare the same fields.
    """
    names = [field.name for field in fields(_TYPES[kind])]
    fixed = [name for name in names if name not in {"market", "market_kind", "declared"}]
    sources = {f"{encode_basestring(name)}:": (False, name) for name in (*fixed, "kind")}
    sources[market] = (False, "market")
    sources |= {f"{encode_basestring(name)}:": (True, name) for name in declared}
    return tuple((label, *sources[label]) for label in sorted(sources))


def _value_json(value: Any) -> str:
    """Return the canonical JSON text of a term."""
    form = _FORMS.get(type(value))
    if form is not None:
        return form(value)
    if isinstance(value, StrEnum):
        return f'"{value}"'
    raise TypeError(f"a term of type {type(value).__name__} has no canonical form")


def _mapping_json(values: Mapping[str, str]) -> str:
    """Return the canonical JSON text of values by name."""
    return (
        f"{{{','.join(f'{encode_basestring(name)}:{_value_json(values[name])}' for name in sorted(values))}}}"
    )


def _registration_json(value: Registration) -> str:
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
    tuple: lambda value: f"[{','.join(map(_value_json, value))}]",
    Named: _key_json,
    Product: _key_json,
    Unit: _key_json,
    Values: _mapping_json,
    Features: lambda value: _mapping_json(value.stated),
    Registration: _registration_json,
}
"""The canonical JSON text of each type of term. Members of closed sets are written as their values."""
