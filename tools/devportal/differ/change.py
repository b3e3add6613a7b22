"""A change between two contracts, and how the place of it is written. All outputs are made of changes."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from devportal.contract import ABSENT, Location
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.phrase import phrase_in_context
from devportal.differ.policy import Acknowledgement
from devportal.differ.rule import Action, Area, Direction, Verdict
from devportal.differ.witness import WitnessSearch

_DIGITS = 16
"""Hexadecimal digits of a fingerprint: 64 bits distinguish the changes of a release."""


class SubjectKind(StrEnum):
    """What a change is a change of."""

    DOCUMENT = "document"
    OPERATION = "operation"
    EVENT = "event"
    COMPONENT = "component"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Subject:
    """What a change is a change of: an operation `POST /v1/orders`, an event by its name, or a component.

    `section` is that of a component: `schemas`, `responses`… A callback is `POST /v1/calls > onAnswer`.
    """

    kind: SubjectKind
    name: str = ""
    section: str = ""

    def __str__(self) -> str:
        """Return the subject as readers see it."""
        match self.kind:
            case SubjectKind.DOCUMENT:
                return "the contract"
            case SubjectKind.COMPONENT:
                return f"{section_noun(self.section)} {self.name}"
        return self.name


def section_noun(section: str) -> str:
    """Return what readers call a component of a section."""
    return _SECTIONS.get(section, section)


_SECTIONS = {
    "schemas": phrase_in_context("a component", "schema"),
    "parameters": phrase_in_context("a component", "parameter"),
    "responses": phrase_in_context("a component", "response"),
    "requestBodies": phrase_in_context("a component", "request body"),
    "headers": phrase_in_context("a component", "header"),
    "securitySchemes": phrase_in_context("a component", "security scheme"),
    "callbacks": phrase_in_context("a component", "callback"),
    "links": phrase_in_context("a component", "link"),
    "examples": phrase_in_context("a component", "example"),
    "pathItems": phrase_in_context("a component", "path item"),
    "mediaTypes": phrase_in_context("a component", "media type"),
}


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Use:
    """What a change affects: an operation or event, the field in it, and its tags."""

    subject: Subject
    field: str
    tags: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the place as policies list it: `POST /v1/orders request.total`."""
        return f"{self.subject} {self.field.removeprefix('.')}".rstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerPlace:
    """Where earlier versions filed a change, and the digest that they had of it: fingerprints made of these are
    still known.
    """

    subject: Subject
    field: str
    essence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change between two contracts.

    `field` is the path within the subject: `request.total`, `response.202.state`, or `owner.name` within a
    component. `old` and `new` are JSON values, ABSENT if there is none; `direction` is None for parts that
    are not sent. `used_by` has every affected operation and event, the subject itself included: each place in
    it that leads directly to what changed, or else one.
    """

    rule: str
    area: Area
    action: Action
    verdict: Verdict
    direction: Direction | None
    subject: Subject
    field: str
    old: Any
    new: Any
    old_location: Location | None
    new_location: Location | None
    message: str
    hint: str = ""
    used_by: tuple[Use, ...] = ()
    references: tuple[str, ...] = ()
    """The further references that lead to what changed, such as `schema Order customer`."""
    essence: str = ""
    """A digest of what `old` and `new` only describe."""
    former: FormerPlace | None = None
    """None if earlier versions filed it at the same place."""
    acknowledged: Acknowledgement | None = None
    witness_search: WitnessSearch | None = None
    """None for a change that needs no witness, such as a removed operation."""
    targets: tuple[Location, Location] | None = None
    """Where the values are written to which a reference leads, if it leads elsewhere. The other locations are then
    those of the reference.
    """
    softened_from: Verdict | None = None
    """The verdict before it was lowered: the part is not stable, or a change that needs a witness has none."""

    @property
    def fingerprint(self) -> str:
        """Return a stable id of the change, whatever its wording: of its rule, its place and what it allows."""
        return self._fingerprint_at(self.subject, self.field, self.essence)

    @property
    def former_fingerprint(self) -> str:
        """Return the fingerprint that earlier versions gave the change; other changes may have the same one."""
        former = self.former
        if former is None:
            return self.fingerprint
        return self._fingerprint_at(former.subject, former.field, former.essence)

    def _fingerprint_at(self, subject: Subject, field: str, essence: str) -> str:
        parts = (
            self.rule,
            self.direction or "",
            subject.kind,
            subject.section,
            subject.name,
            field,
            *("" if value is ABSENT else canonical_json(value) for value in (self.old, self.new)),
            *([essence] if essence else []),
        )
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]

    @property
    def counts(self) -> bool:
        """Say whether nobody has accepted the change yet."""
        return self.acknowledged is None


def change_sort_key(change: Change) -> tuple[int, Subject, str, str, str]:
    """Return the key by which changes are listed: the most severe first, then by place."""
    return (-change.verdict.rank, change.subject, change.field, change.rule, change.direction or "")


ITEMS_STEP = "[]"
ADDITIONAL_STEP = ".*"


def property_step(name: str) -> str:
    """Return the step to a property; a name that looks like steps is quoted: `."a.b"`."""
    return f".{name}" if _PLAIN_NAME.fullmatch(name) else f".{json.dumps(name, ensure_ascii=False)}"


def property_name(step: str) -> str:
    """Return the name of the property that a step leads to."""
    return str(json.loads(step[1:])) if step.startswith('."') else step[1:]


_PLAIN_NAME = re.compile(r'[^.\[\]|:*"]+')


def item_step(number: int) -> str:
    """Return the step to an item by its position, from 0."""
    return f"[{number}]"


def branch_step(name: str) -> str:
    """Return the step to a branch of a union."""
    return f"|{name}"


def keyword_step(keyword: str) -> str:
    """Return the step to the schema under a rarer keyword."""
    return f":{keyword}"


def component_of(location: Location) -> tuple[str, str, tuple[str, ...]] | None:
    """Return section and name of the component that contains a location, and the rest of the pointer."""
    pointer = location.pointer
    if len(pointer) > 2 and pointer[0] == "components":
        return pointer[1], pointer[2], tuple(pointer[3:])
    return None


def path_in_component(section: str, pointer: tuple[str, ...]) -> str:
    """Return the path within a component of a section; requests of a path item or callback are named by
    method.
    """
    requests = pointer[1:] if section == "callbacks" else pointer
    if section in _SECTIONS_OF_OPERATIONS and requests:
        return property_step(requests[0]) + pointer_steps(requests[1:])
    return pointer_steps(pointer)


_SECTIONS_OF_OPERATIONS = frozenset({"callbacks", "pathItems"})


def pointer_steps(pointer: tuple[str, ...]) -> str:
    """Return the steps of a JSON pointer within a component."""
    steps: list[str] = []
    tokens = list(pointer)
    while tokens:
        keyword = tokens.pop(0)
        step = _NAMED_STEPS.get(keyword)
        if step is not None and tokens:
            steps.append(step(tokens.pop(0)))
        elif keyword not in _FIXED_STEPS:
            steps.append(keyword_step(keyword))
        else:
            steps.append(_FIXED_STEPS[keyword])
    return "".join(steps)


_NAMED_STEPS: dict[str, Callable[[str], str]] = {
    "properties": property_step,
    "patternProperties": property_step,
    "prefixItems": "[{}]".format,
    "oneOf": branch_step,
    "anyOf": branch_step,
    "allOf": lambda _: "",
    "content": lambda _: "",
    "headers": ".header.{}".format,
    "links": ".link.{}".format,
    "responses": ".response.{}".format,
    "parameters": ".parameter[{}]".format,
}
_FIXED_STEPS = {
    "items": ITEMS_STEP,
    "additionalProperties": ADDITIONAL_STEP,
    "schema": "",
    "requestBody": ".request",
}
