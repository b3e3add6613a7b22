"""Which parts of a contract show a schema: those that refer to it, directly or by way of others.

A part is an operation, a component, a webhook, what the operations of a path share, or another member of the root.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from devportal.contract.schemas import Location
from devportal.documents import Pointer, format_pointer
from devportal.documents.pointer import as_mapping

_POINTER = re.compile(r'#(/[^"]*)"')
"""The end of a text with a pointer: the value of a `$ref`, or of a discriminator's mapping."""
_MAPPING = re.compile(r'"mapping": \{((?:"(?:[^"\\]|\\.)*"(?:: |, )?)*)\}')
_MAPPED_NAME = re.compile(r': "([^"#]+)"')
"""A value of a mapping that is the name of a schema (OAS 3.0.3 §4.7.25)."""
_WEBHOOKS = ("webhooks", "x-webhooks")
_DEPTHS: Mapping[str, int] = {"paths": 3, "components": 3, **dict.fromkeys(_WEBHOOKS, 2)}


def part_of(location: Location) -> str:
    """Return the name of the part that a location of the root file is in; that of other files is empty."""
    pointer = location.pointer
    return "" if location.file else format_pointer(pointer[: _DEPTHS.get(pointer[0], 1)] if pointer else ())


def dependent_parts(document: Mapping[str, Any], changed: Iterable[str]) -> frozenset[str] | None:
    """Return the names of changed parts of a contract of one file, and of all parts that refer to them.

    References lead to components, or to parts outside the paths. None if names of components have characters that
    JSON escapes.
    """
    components = as_mapping(document.get("components")).values()
    if any(_is_escaped(name) for section in components for name in as_mapping(section)):
        return None
    referrers: dict[str, set[str]] = {}
    parents: set[str] = set()
    subtypes: list[tuple[str, set[str]]] = []
    for name, text in _part_texts(document):
        targets = set(_targets(text))
        for target in targets:
            referrers.setdefault(target, set()).add(name)
        if '"discriminator"' in text:
            parents.add(name)
        if '"allOf"' in text:
            subtypes.append((name, targets))
    for name, targets in subtypes:  # a discriminator selects them without a reference
        referrers.setdefault(name, set()).update(targets & parents)
    for path, item in as_mapping(document.get("paths")).items():
        own = {format_pointer(("paths", path, key)) for key in as_mapping(item)}
        referrers.setdefault(format_pointer(("paths", path)), set()).update(own)
    return _reachable(changed, referrers)


def _reachable(starts: Iterable[str], edges: Mapping[str, Iterable[str]]) -> frozenset[str]:
    found = set(starts)
    pending = list(found)
    while pending:
        new = set(edges.get(pending.pop(), ())) - found
        found |= new
        pending += new
    return frozenset(found)


def _part_texts(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield name and JSON text of each part; several may have one name."""
    for pointer, value in _parts(document):
        yield format_pointer(pointer), json.dumps(value, ensure_ascii=False, default=str)


def _parts(document: Mapping[str, Any]) -> Iterator[tuple[Pointer, Any]]:
    for key, member in document.items():
        if key in ("paths", "components"):
            for name, below in as_mapping(member).items():
                for inner, value in as_mapping(below).items():
                    is_shared = key == "paths" and not isinstance(value, dict)
                    yield (key, name) if is_shared else (key, name, str(inner)), value
        elif key in _WEBHOOKS:
            yield from (((key, name), value) for name, value in as_mapping(member).items())
        else:
            yield (key,), member


def _targets(text: str) -> Iterator[str]:
    """Yield the names of the parts that a part refers to."""
    for pointer in _POINTER.findall(text):
        tokens = unquote(pointer).split("/")
        yield "/".join(tokens[: _DEPTHS.get(tokens[1], 1) + 1])
    for mapping in _MAPPING.findall(text):
        for name in _MAPPED_NAME.findall(mapping):
            yield format_pointer(("components", "schemas", name))


def _is_escaped(name: str) -> bool:
    return json.dumps(name, ensure_ascii=False) != f'"{name}"'
