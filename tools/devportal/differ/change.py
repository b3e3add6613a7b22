"""A change: what differs between two contracts at one place, judged. All outputs are made of them."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from devportal.contract import ABSENT, Location
from devportal.differ.merging import canonical
from devportal.differ.policy import Acknowledgement
from devportal.differ.rule import Action, Area
from devportal.differ.verdict import Direction, Verdict

_DIGITS = 16
"""Hexadecimal digits of a fingerprint: 64 bits are enough to tell the changes of a release apart."""


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
        """Return the subject as people read it."""
        match self.kind:
            case SubjectKind.DOCUMENT:
                return "the contract"
            case SubjectKind.COMPONENT:
                return f"{_SECTIONS.get(self.section, self.section)} {self.name}"
        return self.name


_SECTIONS = {
    "schemas": "schema",
    "parameters": "parameter",
    "responses": "response",
    "requestBodies": "request body",
    "headers": "header",
    "securitySchemes": "security scheme",
    "callbacks": "callback",
    "links": "link",
    "pathItems": "path item",
}


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Use:
    """Where a change is felt: an operation or event, the place in it, and its tags."""

    subject: Subject
    field: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One finding of the differ.

    `field` is the place within the subject: `request.total`, `response.202.state`, or `owner.name` within a
    component. `old` and `new` are JSON values, ABSENT where there is none; `direction` is None for what does
    not travel. `used_by` has every operation and event that is reached, the subject itself included.
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
    essence: str = ""
    """A digest of what `old` and `new` only describe."""
    acknowledged: Acknowledgement | None = None

    @property
    def fingerprint(self) -> str:
        """Return what names this change whatever its wording: the rule, the place and both values."""
        told = (
            self.rule,
            self.direction or "",
            self.subject.kind,
            self.subject.section,
            self.subject.name,
            self.field,
            *("" if value is ABSENT else canonical(value) for value in (self.old, self.new)),
            *([self.essence] if self.essence else []),
        )
        return hashlib.sha256("\0".join(told).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]

    @property
    def counts(self) -> bool:
        """Say whether nobody has accepted the change yet."""
        return self.acknowledged is None


def in_order(change: Change) -> tuple[int, Subject, str, str, str]:
    """Return the key by which changes are listed: the gravest first, then by place."""
    return (-change.verdict.rank, change.subject, change.field, change.rule, change.direction or "")
