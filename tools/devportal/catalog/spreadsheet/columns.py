"""The columns of versions in a CSV file: one for each field, and for each part of a field that has parts."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from devportal.catalog.record_text import FIELDS, PARTS
from devportal.catalog.ref import Kind
from devportal.documents import Pointer


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: its name, where its value stands in a record, and whether it is a list or never empty."""

    name: str
    path: Pointer
    is_list: bool = False
    is_required: bool = False


_LISTS = frozenset({"prefixes", "billing_terms", "number_types", "restrictions"})
_REQUIRED: Mapping[Kind, frozenset[str]] = MappingProxyType(
    {
        Kind.RATE: frozenset(
            {
                "id",
                "version",
                "product",
                "direction",
                "country",
                "unit",
                "price",
                "currency",
                "effective_from",
            }
        ),
        Kind.COVERAGE: frozenset(
            {
                *("id", "version", "country", "dialling_code", "channel", "support", "registration"),
                *("reviewed_on", "effective_from"),
            }
        ),
    }
)
"""What a row must say. A row that says no `status` is a draft."""

_NAMES: Mapping[Pointer, str] = MappingProxyType(
    {
        ("network", "name"): "network_name",
        ("registration", "scheme"): "registration",
        ("registration", "lead_time_days"): "registration_days",
    }
)
"""The columns of parts that are not called as the part is: as in the public files, where these have them."""


def _columns(kind: Kind) -> tuple[Column, ...]:
    paths = [
        (field, *part)
        for field in FIELDS[kind]
        for part in ([(name,) for name in PARTS[field]] if field in PARTS else [()])
    ]
    named = [(_NAMES.get(path, path[-1]), path) for path in paths]
    return tuple(
        Column(name=name, path=path, is_list=path[0] in _LISTS, is_required=name in _REQUIRED[kind])
        for name, path in named
    )


COLUMNS: Mapping[Kind, tuple[Column, ...]] = MappingProxyType({kind: _columns(kind) for kind in Kind})
"""The columns of each kind, in the order in which they are written."""
