"""The parts of a SARIF 2.1.0 log (OASIS) that every output of ours has."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from devportal import __version__
from devportal.errors import Place

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_PLACEHOLDER = re.compile(r"\{(\d+)\}")


def sarif_log(
    tool: str, rules: Sequence[Mapping[str, Any]], results: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return a log with one run of a tool of ours."""
    driver = {"name": tool, "semanticVersion": __version__, "rules": list(rules)}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": list(results)}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def escape_message(text: str) -> str:
    """Return text in which nothing is a link or a placeholder (SARIF 2.1.0 §3.11.5, §3.11.6).

    Braces around anything but a number stay single, as in `/parcels/{id}`: readers show them as they are.
    """
    return _PLACEHOLDER.sub(r"{{\1}}", text.replace("](", "\\]("))


def sarif_location(place: Place, logical: str = "") -> dict[str, Any]:
    """Return a location; a place that is the whole file has no region (SARIF 2.1.0 §3.29.4)."""
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri_reference(place.file)}}
    if place.line:
        physical["region"] = {"startLine": place.line, "startColumn": place.column}
    found: dict[str, Any] = {"physicalLocation": physical}
    if logical:
        found["logicalLocations"] = [{"fullyQualifiedName": logical}]
    return found


def _uri_reference(file: str) -> str:
    """Return a path as the URI reference that it has to be (SARIF 2.1.0 §3.4.3, RFC 3986 §4.2)."""
    path = quote(file.encode("utf-8", "surrogateescape"), safe="/~")
    return f"file://{path}" if path.startswith("/") else path
