"""Versions as the text of a record file, in the one form that all files have which the toolkit writes.

Whatever other YAML readers would take for a number, a date or a truth value stands between quotes.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType
from typing import TypeAlias

from devportal.catalog.content import canonical_content
from devportal.catalog.coverage import Features, Registration
from devportal.catalog.rate import Network
from devportal.catalog.ref import Kind
from devportal.catalog.version import CoverageVersion, RateVersion
from devportal.documents import to_yaml

Field: TypeAlias = "str | list[str] | dict[str, str]"
"""A field of a record as its file holds it: text, a list of texts, or a mapping to texts."""

FIELDS: Mapping[Kind, tuple[str, ...]] = MappingProxyType(
    {
        Kind.RATE: (
            *("id", "version", "status", "sample", "note", "product", "direction", "country", "network"),
            *("number_type", "prefixes", "unit", "price", "currency", "billing_increment", "billing_terms"),
            *("effective_from", "effective_to"),
        ),
        Kind.COVERAGE: (
            *("id", "version", "status", "sample", "note", "country", "dialling_code", "channel", "support"),
            *("number_types", "features", "registration", "restrictions", "reviewed_on"),
            *("effective_from", "effective_to"),
        ),
    }
)
"""The fields of a record of each kind, in the order in which they are written."""

PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "network": tuple(part.name for part in fields(Network)),
        "features": tuple(part.name for part in fields(Features)),
        "registration": tuple(part.name for part in fields(Registration)),
    }
)
"""The parts of the fields that are mappings, in the order in which they are written."""


def yaml_text(versions: Sequence[RateVersion | CoverageVersion], *, comment: str = "") -> str:
    """Return versions, at least one and all of one kind, as the text of a record file.

    `comment` stands above them, a `#` before each of its lines. Reading the text again gives the same
    versions (their places apart), and writing those the same text. Raises ValueError where there is no
    version or the kinds differ.
    """
    kinds = {version.terms.kind for version in versions}
    if len(kinds) != 1:
        raise ValueError(f"a record file holds versions of one kind, not of {len(kinds)}")
    (kind,) = kinds
    head = "".join(f"# {line}".rstrip() + "\n" for line in comment.splitlines())
    return f"{head}{kind}:\n" + "\n".join(_item(version) for version in versions)


def record_fields(version: RateVersion | CoverageVersion) -> dict[str, Field]:
    """Return the fields of a version as its file holds them, in order; what says nothing is left out."""
    content: dict[str, Field] = json.loads(canonical_content(version.terms))
    content |= {"status": str(version.status), "note": version.note}
    for name, parts in PARTS.items():
        if isinstance(part := content.get(name), dict):
            silent_part = "unknown" if name == "features" else None
            content[name] = {key: part[key] for key in parts if part.get(key, silent_part) != silent_part}
    silent = {"note": "", "sample": "no"}
    return {
        name: content[name]
        for name in FIELDS[version.terms.kind]
        if name in content and content[name] != silent.get(name)
    }


def _item(version: RateVersion | CoverageVersion) -> str:
    """Return a version as an item of the list of its file."""
    return to_yaml({"list": [record_fields(version)]}).removeprefix("list:\n")
