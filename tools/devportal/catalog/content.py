"""The canonical content of a version and its SHA-256: what an approval pins.

Absent values are left out, so that a field that the shape gains later does not undo old approvals.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from decimal import Decimal
from typing import TypeAlias

from devportal.catalog.coverage import CoverageTerms, Features, Registration
from devportal.catalog.rate import Increment, Network, RateTerms

Canonical: TypeAlias = "str | list[Canonical] | dict[str, Canonical]"


def content_sha256(terms: RateTerms | CoverageTerms) -> str:
    """Return the SHA-256, in lower-case hexadecimal, of the terms' canonical content."""
    return hashlib.sha256(canonical_content(terms)).hexdigest()


def canonical_content(terms: RateTerms | CoverageTerms) -> bytes:
    """Return the terms as compact JSON in UTF-8: keys sorted, every scalar as text, digits as written."""
    content = {"kind": str(terms.kind), **_members(terms)}
    return json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def _members(value: object) -> Mapping[str, Canonical]:
    found = {
        item.name: getattr(value, item.name)
        for item in fields(value)  # type: ignore[arg-type]  # only dataclasses come here
    }
    return {name: _canonical(part) for name, part in found.items() if part is not None and part != ()}


def _canonical(value: object) -> Canonical:
    match value:
        case bool():
            return "yes" if value else "no"
        case str() | int() | Increment():
            return str(value)
        case Decimal():
            return format(value, "f")
        case date():
            return value.isoformat()
        case tuple():
            return [_canonical(item) for item in value]
        case Network() | Features() | Registration():
            return dict(_members(value))
    raise TypeError(f"a term of type {type(value).__name__} has no canonical form")
