"""A contract split into structure and descriptions: shows whether only descriptions changed, and which.

The text of a description only affects the pages that show it. Whether a description exists is part of the
structure.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from devportal.contract.keywords import holds_values
from devportal.contract.schemas import Location
from devportal.documents import Pointer, format_pointer

_DESCRIPTION = re.compile(r'"description": "(?!")([^"\\]*+(?>(?:\\.[^"\\]*+)*))"')
_DESCRIPTION_AS_KEY = re.compile(
    r'"(?:mapping|parameters)": \{(?>(?:(?!"description": ")(?:[^"{}]|"(?>(?:[^"\\]|\\.)*)"))*)"description": "'
)
"""A discriminator's value, or a link's parameter, that is called so: the text beside it is not a description."""

_EXAMPLE = re.compile(r'"(?:examples?|default|const|value)": [\[{]|"enum": \[[^\]]*\{')
"""A structure that may contain a member called `description`: a value of the API."""
_SECTIONS = (
    "schemas",
    "responses",
    "parameters",
    "examples",
    "requestBodies",
    "headers",
    "links",
    "callbacks",
)
"""The components that are units: what uses another names it."""


_PART_NAME = re.compile(
    r'"\$(?:(?:id|anchor|dynamicAnchor|recursiveAnchor)": |ref": "[^"#]*#(?:(?!/)|/paths\b|/[^"/]*%))'
)
"""An identifier, or a reference to one or to a part of a path: others may share parts of an operation by it."""

_LINK_TO_PART = re.compile(
    r'(?:[^"]|\\")#(?:(?:tag|operation|schemas?|model)(?:/|%2[fF])|(?:/|%2[fF])(?:paths|components|definitions)\b)'
)
"""A link in a text that leads to the page of a part by its name, as `DescriptionLinks` resolves it: no reference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractUnit:
    """A part of a contract: an operation with what its path gives it, a component, or the rest of a file (its name is
    then empty).

    `structure` is a digest of everything but the descriptions, which are JSON texts, in order. Pages that
    show nothing else of a unit may show its examples. With `names_parts` it has identifiers, or references to
    those or to parts of operations. With `links_parts` its texts have links to parts by their names.
    """

    name: str
    has_examples: bool
    names_parts: bool
    links_parts: bool
    structure: str
    descriptions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedDescription:
    """A description that is not what it was: what it was, and the unit that a page names which shows it.

    The unit is empty if pages may show it that do not name any.
    """

    unit: str
    text: str


ContractUnits = tuple[ContractUnit, ...]
"""A contract's units, in its order."""


def _is_named_by_pages(unit: ContractUnit) -> bool:
    return not unit.has_examples and unit.name.startswith(("/paths/", "/components/schemas/"))


def unit_of(location: Location) -> str:
    """Return the name of the unit that a location is in."""
    return "" if location.file else _unit_of(location.pointer[:3])


@lru_cache(maxsize=4096)
def _unit_of(head: Pointer) -> str:
    is_unit = len(head) == 3 and (head[0] == "paths" or head[:2] == ("components", "schemas"))
    return format_pointer(head) if is_unit else ""


def changed_descriptions(
    before: ContractUnits, after: ContractUnits, *, beside: frozenset[str] = frozenset()
) -> tuple[ChangedDescription, ...] | None:
    """Return the descriptions that have changed; None if anything else has. Units named `beside` do not count."""
    pairs = _kept_pairs(before, after, beside)
    if pairs is None or any(_unit_structure(unit) != _unit_structure(now) for unit, now in pairs):
        return None
    return tuple(
        ChangedDescription(unit=unit.name if _is_named_by_pages(unit) else "", text=json.loads(f'"{old}"'))
        for unit, now in pairs
        for old, new in zip(unit.descriptions, now.descriptions, strict=True)
        if old != new
    )


def changed_parts(
    before: ContractUnits, after: ContractUnits, documents: Iterable[tuple[str, Any]] = ()
) -> frozenset[str] | None:
    """Return the names of the operations and components that are new, gone, or changed in more than descriptions.

    A description within an example is none, and pages may write it in another way: the `documents` that the units
    after were made from, by name, tell which are. None if there is a change in anything else, or in the order of the
    others, or if others may share parts of an operation.
    """
    names, names_now = ({unit.name for unit in units} for units in (before, after))
    new_or_gone = names ^ names_now
    pairs = _kept_pairs(before, after, new_or_gone)
    if pairs is None:
        return None
    changed = new_or_gone | {now.name for unit, now in pairs if _unit_structure(unit) != _unit_structure(now)}
    if any(_may_have_changed_data(*pair) for pair in pairs):
        named = (unit for file, data in documents for unit in _unit_values(file, data))
        values = (value for name, value in named if name not in new_or_gone)
        changed |= {
            now.name
            for (unit, now), value in zip(pairs, values, strict=False)
            if _may_have_changed_data(unit, now) and _has_changed_data(unit, now, value)
        }
    names_parts = changed and any(unit.names_parts for unit in (*before, *after))
    return None if "" in changed or names_parts else frozenset(changed)


def _may_have_changed_data(unit: ContractUnit, now: ContractUnit) -> bool:
    is_same = _unit_structure(unit) == _unit_structure(now)
    return is_same and now.has_examples and unit.descriptions != now.descriptions


def _has_changed_data(unit: ContractUnit, now: ContractUnit, value: Any) -> bool:
    """Say whether a description of a unit with the same structure is data, and not what it was; `value` is the unit."""
    kinds = [*_descriptions_in_data(value)]
    if len(kinds) != len(now.descriptions):  # a date, say, is text only as JSON
        return True
    pairs = zip(kinds, unit.descriptions, now.descriptions, strict=True)
    return any(is_data and old != new for is_data, old, new in pairs)


def _descriptions_in_data(value: Any, *, is_data: bool = False) -> Iterator[bool]:
    """Say for each description in a value, in the order of its text, whether it is a member of a value of the API."""
    if isinstance(value, list):
        for item in value:
            yield from _descriptions_in_data(item, is_data=is_data)
    elif isinstance(value, dict):
        for key, member in value.items():
            if key == "description" and isinstance(member, str):
                if member:
                    yield is_data
            else:
                yield from _descriptions_in_data(member, is_data=is_data or holds_values(key, member))


def changed_units(before: ContractUnits, after: ContractUnits) -> frozenset[str] | None:
    """Return the names of the units of which anything has changed; None if there are others, or another order."""
    pairs = _kept_pairs(before, after, ())
    return frozenset(now.name for unit, now in pairs if unit != now) if pairs is not None else None


def _kept_pairs(
    before: ContractUnits, after: ContractUnits, beside: Collection[str]
) -> list[tuple[ContractUnit, ContractUnit]] | None:
    """Return the units before and after but those `beside`; None if they are others, or in another order."""
    kept, kept_now = ([unit for unit in units if unit.name not in beside] for units in (before, after))
    if [unit.name for unit in kept] != [unit.name for unit in kept_now]:
        return None
    return list(zip(kept, kept_now, strict=True))


def structure_of(units: ContractUnits) -> tuple[tuple[str, str, int], ...]:
    """Return all that there is of units but the descriptions, to be compared."""
    return tuple(map(_unit_structure, units))


def _unit_structure(unit: ContractUnit) -> tuple[str, str, int]:
    return unit.name, unit.structure, len(unit.descriptions)


def contract_units(documents: Iterable[tuple[str, Any]]) -> ContractUnits:
    """Return the units of a contract, given its files by name; that of the root file is empty."""
    return tuple(unit for name, data in documents for unit in _file_units(name, data))


def _file_units(file: str, data: Any) -> Iterator[ContractUnit]:
    """Yield the units of a file; the rest of the file comes last."""
    yield from (_make_unit(name, value) for name, value in _unit_values(file, data))


def _unit_values(file: str, data: Any) -> Iterator[tuple[str, Any]]:
    """Yield the name and the value of each unit of a file."""
    paths = _member_mapping(data, "paths") if not file else {}
    components = _member_mapping(data, "components") if not file else {}
    for path in paths:
        for key, value in _member_mapping(paths, path).items():
            if isinstance(value, dict):
                operation = _with_shared_members(paths[path], _with_named_responses(value))
                yield format_pointer(("paths", path, key)), operation
    for section in _SECTIONS:
        for name, value in _member_mapping(components, section).items():
            yield format_pointer(("components", section, name)), value
    yield "", [file, _without_units(data, paths, components) if paths or components else data]


def _with_named_responses(operation: dict[str, Any]) -> dict[str, Any]:
    """Return an operation whose default response is not taken for a default value."""
    responses = _member_mapping(operation, "responses")
    renamed = {"default " if status == "default" else status: responses[status] for status in responses}
    return {**operation, "responses": renamed} if "default" in responses else operation


def _without_units(data: dict[str, Any], paths: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    """Return a document without what are separate units."""
    rest = dict(data)
    if paths:
        rest["paths"] = {path: item for path, item in paths.items() if not _has_operations(item)}
    if components:
        rest["components"] = {
            section: value
            for section, value in components.items()
            if section not in _SECTIONS or not isinstance(value, dict)
        }
    return rest


def _has_operations(item: Any) -> bool:
    return isinstance(item, dict) and any(isinstance(value, dict) for value in item.values())


def _with_shared_members(item: dict[str, Any], operation: dict[str, Any]) -> Any:
    """Return an operation with what all operations of its path share, if there is anything."""
    shared = {key: value for key, value in item.items() if not isinstance(value, dict)}
    return [shared, operation] if shared else operation


def _member_mapping(data: Any, key: str) -> dict[str, Any]:
    value = data.get(key) if isinstance(data, dict) else None
    return value if isinstance(value, dict) else {}


def _make_unit(name: str, value: Any) -> ContractUnit:
    text = json.dumps(value, ensure_ascii=False, default=str)
    names_parts = _PART_NAME.search(text) is not None
    links_parts = _LINK_TO_PART.search(text) is not None
    if _DESCRIPTION_AS_KEY.search(text):
        return ContractUnit(
            name=name,
            has_examples=False,
            names_parts=names_parts,
            links_parts=links_parts,
            structure=_digest(text),
            descriptions=(),
        )
    parts = _DESCRIPTION.split(text)  # alternately the text between descriptions, and a description
    return ContractUnit(
        name=name,
        has_examples=_EXAMPLE.search(text) is not None,
        names_parts=names_parts,
        links_parts=links_parts,
        structure=_digest('"description": "…"'.join(parts[::2])),
        descriptions=tuple(parts[1::2]),
    )


def _digest(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass")).hexdigest()
