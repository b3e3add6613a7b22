"""References from public parts of a contract to internal ones: removed from the documents before they are
read.

The readers skip what is marked `x-internal`. What remains are places that only name internal parts: links in
descriptions, successors, values that a link of a response passes on, scopes. Prose stays as written; an
internal name in it is reported.
"""

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from html import unescape
from typing import Any
from urllib.parse import unquote

from devportal.contract.internal.withheld import InternalParts, component_of, is_internal
from devportal.contract.read.lifecycle_extensions import ENUM_DESCRIPTION_KEYS, SUCCESSOR_KEYS
from devportal.contract.schemas import ABSENT, Location
from devportal.contract.validate.oas_objects import DATA_FIELDS, MAP_FIELDS
from devportal.contract.wording import normalise_name, quote_value
from devportal.documents import Document, parse_pointer
from devportal.findings import Level

_VALUE_FIELDS = DATA_FIELDS - {"examples"}
"""Fields in which nothing is a description; examples may have names and texts."""
_TEXT_FIELDS = frozenset({"description", "summary"})
_TRANSITIONS = ("x-state-machine", "transitions")
_HASH = r"(?:#|&#0*35;|&#[xX]0*23;|&num;)"
_FENCED = r"^ {0,3}(?P<fence>`{3,}+(?=[^`\n]*$)|~{3,}+)[\s\S]*?(?:^ {0,3}(?P=fence)|\Z)"
_SPAN = r"(?P<ticks>`++)(?>(?:[^`\n]++|(?!(?P=ticks)(?!`))`++)*)(?P=ticks)|`++"
_LINK_TEXT = r"(?>(?:[^\[\]`\\]|\\.|`++[^`\n]*+`++|\[[^\[\]]*+\])*)"
_LINK_TITLE = r"""(?:\s+(?:"[^"]*+"|'[^']*+'))?"""
_ANCHOR_LINK = (
    rf"\\[^\w\s]|\[(?P<words>{_LINK_TEXT})\]"
    rf"\(\s*+<?(?P<target>{_HASH}(?>(?:[^\s<>()]|\([^\s<>()]*+\))+))>?{_LINK_TITLE}\s*+\)"
)
_LINK = re.compile(_ANCHOR_LINK)
"""A link to an anchor (CommonMark), or an escaped character."""
_LINK_OR_CODE = re.compile(rf"{_FENCED}|{_SPAN}|{_ANCHOR_LINK}", re.MULTILINE)
_AMBIGUOUS_CODE = re.compile(r"[<|\t]|    ")
"""What may end code, or have none within it: HTML, cells of tables, lines that are indented."""
_ANCHOR = re.compile(rf"{_HASH}[^\s\"'<>()\[\]]+")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_WORD = re.compile(r"[\w/{}.-]+")
_LOOKS_LIKE_NAME = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|[\d_/{}.-]")
"""What no word of a language has within it."""
_OPERATION = re.compile(r"(?:tag/(.+?)/)?operation/(.+)")
_TAG = re.compile(r"tag/([^/]+)")
_SCHEMA = re.compile(r"(?:schemas?|model)/(.+)")


@dataclass(frozen=True, slots=True)
class InternalReference:
    """A place that names something internal, and what was done about it."""

    location: Location
    message: str
    advice: str
    level: Level = Level.WARNING


class _AnchorNames:
    """Internal names as anchors spell them: exactly, or nearly if no public name is spelled like that."""

    def __init__(self, hidden: Set[str], public: Set[str]) -> None:
        self._hidden = hidden
        self._nearly = set(map(normalise_name, hidden)) - set(map(normalise_name, public)) - {""}

    def include(self, name: str) -> bool:
        return name in self._hidden or normalise_name(name) in self._nearly


class InternalReferences:
    """Removes references to internal parts from documents; `found` lists what was removed or reported."""

    def __init__(self, hidden: InternalParts) -> None:
        """Take the internal parts of a contract."""
        self._hidden = hidden
        schemas = {name for section, name in hidden.components if section == "schemas"}
        self._operations = _AnchorNames(hidden.operations.names, hidden.public.operations)
        self._tags = _AnchorNames(hidden.tags, hidden.public.tags)
        self._schemas = _AnchorNames(schemas, hidden.public.schemas)
        internal_names = hidden.operations.names | schemas | hidden.paths | hidden.events
        self._words = {
            name for name in internal_names if _LOOKS_LIKE_NAME.search(name) and _WORD.fullmatch(name)
        }
        self.found: list[InternalReference] = []

    def redact_document(self, name: str, document: Document) -> Document:
        """Return a document that names nothing internal, but in prose: itself if it names none. `name` is that of
        its file.
        """
        data = self._redact_value(document.data, Location(name, ()), is_map=False)
        return replace(document, data=data) if data is not document.data else document

    def _redact_value(self, value: Any, location: Location, *, is_map: bool) -> Any:
        """Return a value without such names: itself if there are none."""
        if isinstance(value, list):
            items = [
                self._redact_value(member, location.child(number), is_map=False)
                for number, member in enumerate(value)
            ]
            return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
        if not isinstance(value, dict) or self._is_hidden(value, location):
            return value
        members = dict(self._members(value, location, is_map=is_map))
        if not is_map:
            members = _without_internal_variables(members)
        is_same = len(members) == len(value) and all(members[key] is value.get(key) for key in members)
        return value if is_same else members

    def _is_hidden(self, value: dict[str, Any], location: Location) -> bool:
        if is_internal(value) or location in self._hidden.operations.locations:
            return True
        return len(location.pointer) == 3 and component_of(location) in self._hidden.components

    def _members(
        self, value: dict[str, Any], location: Location, *, is_map: bool
    ) -> Iterator[tuple[str, Any]]:
        for key, member in value.items():
            member_location = location.child(key)
            if key == "requestBody":
                member = self._hidden.link_bodies.get(member_location, member)  # noqa: PLW2901 - what is left of it
            if member is ABSENT or self._only_names_internal(key, member, member_location, is_map=is_map):
                continue
            if isinstance(member, str):
                is_text = (not is_map and key in _TEXT_FIELDS) or location.pointer[-1:] in _ENUM_TEXTS
                is_text = is_text or (key == "on" and location.pointer[-3:-1] == _TRANSITIONS)
                yield key, self._redact_text(member, member_location) if is_text else member
            elif is_map or key not in _VALUE_FIELDS:
                is_examples = key == "examples" and isinstance(member, list)
                below = not is_map and key in MAP_FIELDS
                yield (
                    key,
                    member if is_examples else self._redact_value(member, member_location, is_map=below),
                )
            else:
                yield key, member

    def _only_names_internal(self, key: str, member: Any, location: Location, *, is_map: bool) -> bool:
        """Say whether a member is only there to name something internal; notes that it goes."""
        parent = location.pointer[:-1]
        if not is_map and key == "server" and is_internal(member):
            return True
        if (
            not is_map
            and key in SUCCESSOR_KEYS
            and isinstance(member, str)
            and self._is_internal_successor(member.strip())
        ):
            message = f"the successor {quote_value(member)} is internal, so it is not shown"
            self._add_reference(location, message, "name one that is published, or none")
            return True
        is_event = key == "event" and parent[-3:-1] == _TRANSITIONS and isinstance(member, str)
        if is_event and member in self._hidden.events:
            message = f"the event {quote_value(member)} is internal, so it is not shown"
            self._add_reference(location, message, "name one that is published, or none")
            return True
        if parent[-1:] == ("parameters",) and parent[-3:-2] == ("links",):
            return key.rpartition(".")[2] in self._hidden.parameters
        if parent[-1:] == ("scopes",) and "flows" in parent:
            return key in self._hidden.scopes
        is_parent = key == "parent" and parent[:1] == ("tags",) and len(parent) == 2
        return is_parent and isinstance(member, str) and member in self._hidden.tags

    def _redact_text(self, text: str, location: Location) -> str:
        """Return a text without links to internal parts. Reports the links and the internal names that
        remain.
        """
        unlinked = self._unlink_internal(text) if "#" in text or "&num;" in text else text
        if unlinked == text:
            unlinked = text  # the object itself, by which documents without such a link are recognised
        else:
            message = "this text links to something internal, so the link is taken out"
            self._add_reference(
                location, message, "take the link out of the text, or publish what it leads to"
            )
        for word in dict.fromkeys(_WORD.findall(unlinked)):
            name = next(
                (
                    candidate_name
                    for candidate_name in _candidate_names(word)
                    if candidate_name in self._words
                ),
                "",
            )
            if name:
                message = f"this text names {quote_value(name)}, which is internal"
                self._add_reference(
                    location, message, "leave the name out, if readers should not know it", Level.NOTE
                )
        return unlinked

    def _add_reference(
        self, location: Location, message: str, advice: str, level: Level = Level.WARNING
    ) -> None:
        self.found.append(InternalReference(location, message, advice, level))

    def _unlink_internal(self, text: str) -> str:
        """Return CommonMark in which links to internal parts are replaced by their text."""

        parts: list[str] = []
        end = 0
        for match in (_LINK_OR_CODE if _has_plain_code(text) else _LINK).finditer(text):
            parts.append(self._without_anchors(text[end : match.start()]))
            end = match.end()
            target = match["target"]
            is_inside = target is not None and self._is_internal_anchor(unescape(_ESCAPE.sub(r"\1", target)))
            parts.append(self._without_anchors(match["words"]) if is_inside else match.group())
        return "".join([*parts, self._without_anchors(text[end:])])

    def _without_anchors(self, text: str) -> str:
        """Return text between links without anchors in HTML, and in definitions of references."""
        return _ANCHOR.sub(
            lambda match: "#" if self._is_internal_anchor(unescape(match.group())) else match.group(), text
        )

    def _is_internal_successor(self, name: str) -> bool:
        """Say whether a successor is internal: an operation, as rows of them may call it, or a parameter."""
        is_internal_name = name in self._hidden.operations.names or name in self._hidden.parameters
        return is_internal_name or (name.startswith("#") and self._is_internal_anchor(name))

    def _is_internal_anchor(self, anchor: str) -> bool:
        """Say whether an anchor, as authors write them, means something internal."""
        target = unquote(anchor[1:])
        if target.startswith("/"):
            return self._is_internal_pointer(target)
        if match := _OPERATION.fullmatch(target):
            return self._operations.include(match.group(2)) or self._tags.include(match.group(1) or "")
        if match := _TAG.fullmatch(target):
            return self._tags.include(match.group(1))
        match = _SCHEMA.fullmatch(target)
        return match is not None and self._schemas.include(match.group(1))

    def _is_internal_pointer(self, pointer: str) -> bool:
        try:
            location = Location("", parse_pointer(pointer))
        except ValueError:
            return False
        match location.pointer:
            case ("paths", path, *_) if path in self._hidden.paths:
                return True
        operations = (Location("", location.pointer[:length]) for length in (3, 4))
        return component_of(location) in self._hidden.components or any(
            operation in self._hidden.operations.locations for operation in operations
        )


def _has_plain_code(text: str) -> bool:
    """Return whether code can be recognised in a text. Otherwise nothing counts as code, so that no link is
    missed.
    """
    if ("`" not in text and "~~~" not in text) or _AMBIGUOUS_CODE.search(text):
        return False
    code = (match for match in _LINK_OR_CODE.finditer(text) if match.group()[0] == "`")
    return all(match["ticks"] or match["fence"] for match in code)


def _candidate_names(word: str) -> tuple[str, ...]:
    """Return the names that a word may stand for: itself, itself without a full stop, or the end of an
    anchor.
    """
    trimmed = word.rstrip(".")
    return (word, trimmed, trimmed.rpartition("operation/")[2])


_ENUM_TEXTS = frozenset((key,) for key in ENUM_DESCRIPTION_KEYS)


def _without_internal_variables(value: dict[str, Any]) -> dict[str, Any]:
    """Return an object without the variables of a server that are internal; a server whose address has one
    is internal itself, since nobody can fill it in.
    """
    url, variables = value.get("url"), value.get("variables")
    if not isinstance(url, str) or not isinstance(variables, dict):
        return value
    internal = [name for name, variable in variables.items() if is_internal(variable)]
    if not internal:
        return value
    if any(f"{{{name}}}" in url for name in internal):
        return {**value, "x-internal": True}
    return {
        **value,
        "variables": {name: variable for name, variable in variables.items() if name not in internal},
    }
