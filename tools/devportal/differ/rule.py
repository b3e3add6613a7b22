"""A rule of the differ, and the verdicts it may give."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, TypeVar

from devportal.contract import ABSENT, Location, Stability
from devportal.contract.wording import truncate_text


class Verdict(StrEnum):
    """What a change between two contracts means for code that keeps to the older one, the gravest first.

    `LIFECYCLE` is a promise about time, such as a deprecation; `DOCUMENTATION` changes words alone.
    """

    BREAKING = "breaking"
    RISKY = "risky"
    COMPATIBLE = "compatible"
    LIFECYCLE = "lifecycle"
    DOCUMENTATION = "documentation"

    @property
    def rank(self) -> int:
        """Return how grave the verdict is: 0 for the least."""
        return len(_ORDER) - 1 - _ORDER.index(self)

    def is_at_least(self, other: "Verdict") -> bool:
        """Say whether the verdict is as grave as another, or graver."""
        return self.rank >= other.rank


_ORDER = tuple(Verdict)


class Direction(StrEnum):
    """Who sends the messages that a schema describes.

    What the consumer sends may become wider (each old message is still accepted), what the provider sends may
    become narrower (each new message was already allowed). Webhooks and callbacks have the two swapped.
    """

    TO_PROVIDER = "to provider"
    TO_CONSUMER = "to consumer"

    @property
    def opposite(self) -> "Direction":
        """Return the other direction."""
        return Direction.TO_CONSUMER if self is Direction.TO_PROVIDER else Direction.TO_PROVIDER


class Area(StrEnum):
    """The part of a contract that a rule looks at."""

    DOCUMENT = "document"
    SERVER = "server"
    OPERATION = "operation"
    PARAMETER = "parameter"
    BODY = "body"
    RESPONSE = "response"
    SCHEMA = "schema"
    SECURITY = "security"
    WEBHOOK = "webhook"
    LIFECYCLE = "lifecycle"


class Action(StrEnum):
    """What was done to the part."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    NARROWED = "narrowed"
    WIDENED = "widened"

    @property
    def mirror(self) -> "Action":
        """Return what is done when old and new are swapped."""
        return _MIRRORS.get(self, self)


_MIRRORS = {
    Action.ADDED: Action.REMOVED,
    Action.REMOVED: Action.ADDED,
    Action.NARROWED: Action.WIDENED,
    Action.WIDENED: Action.NARROWED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One place where a rule applies. `old` and `new` are what a reader is shown: JSON values, or ABSENT.

    `at` is the way from the compared part to the place, in steps of `devportal.differ.change`. Of a schema,
    `keyword` tells where it stands if no location is given. `verdict` is set where it is not the row's own;
    `reason` then says why. `names` fill the places in the row's sentence beyond `{old}` and `{new}`, and
    `hint` says how to migrate. `stability` is that of the place itself, if it has one of its own.
    """

    old: Any = ABSENT
    new: Any = ABSENT
    at: str = ""
    keyword: str = ""
    old_location: Location | None = None
    new_location: Location | None = None
    verdict: Verdict | None = None
    reason: str = ""
    hint: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    stability: Stability | None = None
    levels: tuple[Stability, Stability] | None = None
    """Before and after, of a rule about stability that shows something else than the two."""


Pair_contra = TypeVar("Pair_contra", contravariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(Generic[Pair_contra]):
    """One row. A verdict of None means that nothing is found in that direction.

    `says` is the sentence of a finding, with places `{old}`, `{new}` and those of the hit's words.
    """

    id: str
    area: Area
    action: Action
    to_provider: Verdict | None
    to_consumer: Verdict | None
    says: str
    find: Callable[[Pair_contra], Iterator[Hit]] = field(repr=False)
    mirror: str = ""
    """The rule that applies when old and new are swapped; itself where it is empty."""
    waiver: str = ""
    """Why its verdicts are not those of its mirror in the opposite direction."""

    is_softened: bool = True
    """Whether what is not stable is judged more softly: not where the rule is about stability itself."""

    @property
    def is_directed(self) -> bool:
        """Say whether it matters which way the values travel: not for words and promises about time."""
        return not {self.to_provider, self.to_consumer} <= {Verdict.LIFECYCLE, Verdict.DOCUMENTATION}

    def verdict(self, direction: Direction | None) -> Verdict | None:
        """Return the row's verdict; rules of parts that do not travel have the same in both directions."""
        return self.to_consumer if direction is Direction.TO_CONSUMER else self.to_provider


_LONGEST = 120
"""How much of a value a sentence quotes, in code points."""


def change_message(rule: Rule[Any], hit: Hit) -> str:
    """Return what has changed, in one sentence without its full stop."""
    told = _one_sided_sentence(rule.says, hit).format_map(
        {"old": quote_value(hit.old), "new": quote_value(hit.new), **hit.names}
    )
    return f"{told}: {hit.reason}" if hit.reason else told


def _one_sided_sentence(says: str, hit: Hit) -> str:
    """Return the sentence of a rule for a value that has only come, or is gone, where it speaks of both."""
    if hit.old is ABSENT:
        return _FROM_TO.sub(r" is {new}\1 now, where there was none", says)
    if hit.new is ABSENT:
        return _FROM_TO.sub(r" was {old}\1 and is gone", says)
    return says


_FROM_TO = re.compile(r" is \w+ from \{old\} to \{new\}( characters)?")


def quote_value(value: Any) -> str:
    """Return a value as a sentence quotes it: JSON, cut where it is long; nothing where there is none."""
    if value is ABSENT:
        return "none"
    return truncate_text(json.dumps(value, ensure_ascii=False, default=str), _LONGEST)
