"""A rule of the differ, and the verdicts it may give."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar

from devportal.contract import ABSENT, Location, Stability
from devportal.contract.wording import truncate_text
from devportal.differ.phrase import Phrase, clauses_phrase, compose, phrase, phrase_in_context
from devportal.translation import gettext_noop


class Verdict(StrEnum):
    """What a change between two contracts means for code written for the older one, the most severe first.

    `LIFECYCLE` is a promise about time, such as a deprecation; `DOCUMENTATION` changes words alone.
    """

    BREAKING = "breaking"
    RISKY = "risky"
    COMPATIBLE = "compatible"
    LIFECYCLE = "lifecycle"
    DOCUMENTATION = "documentation"

    @property
    def rank(self) -> int:
        """Return how severe the verdict is: 0 for the least."""
        return len(_ORDER) - 1 - _ORDER.index(self)

    def is_at_least(self, other: "Verdict") -> bool:
        """Return whether the verdict is at least as severe as another."""
        return self.rank >= other.rank


_ORDER = tuple(Verdict)


class Direction(StrEnum):
    """Who sends the messages that a schema describes.

    What the consumer sends may become wider: each old message is still accepted. What the provider sends may
    become narrower: each new message was already allowed. Webhooks and callbacks swap the two.
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
        """Return the action with old and new swapped."""
        return _MIRRORS.get(self, self)


_MIRRORS = {
    Action.ADDED: Action.REMOVED,
    Action.REMOVED: Action.ADDED,
    Action.NARROWED: Action.WIDENED,
    Action.WIDENED: Action.NARROWED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundChange:
    """A change that a rule finds in a pair of parts. `old` and `new` are shown to readers: JSON values, or ABSENT.

    `at` is the path from the compared parts to the change, in steps of `devportal.differ.change`. In a schema,
    `keyword` locates the change if it has no location. `verdict` overrides that of the rule, and `reason` says
    why. `names` fill the placeholders of the rule's sentence beyond `%(old)s` and `%(new)s`; `says` takes the place
    of that sentence. `hint` says how to migrate. `stability` is that of the changed part, if the part has one.
    `is_of_part` holds if the change belongs to the component in which the part at `at` stands, not to the parts
    that were compared.
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
    says: str = ""
    stability: Stability | None = None
    essence: str = ""
    """A digest of all that the change allows, if `old` and `new` are not all of it."""
    is_of_part: bool = False
    is_of_double_match: bool = False
    """Whether only values show the change that match two branches of `oneOf`, now or before."""
    levels: tuple[Stability, Stability] | None = None
    """The stability before and after, of a rule about stability that shows other values."""


Pair_contra = TypeVar("Pair_contra", contravariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(Generic[Pair_contra]):
    """One row. A verdict of None turns the rule off in that direction.

    `says` is the sentence of a change, with the placeholders `%(old)s`, `%(new)s` and the keys of its `names`.
    Marked by `gettext_noop`, it is in the language of the site on pages.
    """

    id: str
    area: Area
    action: Action
    to_provider: Verdict | None
    to_consumer: Verdict | None
    says: str
    find: Callable[[Pair_contra], Iterator[FoundChange]] = field(repr=False)
    mirror: str = ""
    """The rule that applies when old and new are swapped; empty if that is this rule."""
    waiver: str = ""
    """Why its verdicts differ from those of its mirror in the opposite direction."""

    is_softened: bool = True
    """Whether the verdict is softened for parts that are not stable; not for rules about stability itself."""

    @property
    def is_directed(self) -> bool:
        """Return whether the direction matters: not for texts and promises about time."""
        return not {self.to_provider, self.to_consumer} <= {Verdict.LIFECYCLE, Verdict.DOCUMENTATION}

    def verdict(self, direction: Direction | None) -> Verdict | None:
        """Return the verdict for a direction; parts that are not sent have the same in both."""
        return self.to_consumer if direction is Direction.TO_CONSUMER else self.to_provider


def join_reasons(*reasons: str) -> str:
    """Return several reasons of a change as one, without the empty ones."""
    return clauses_phrase(filter(None, reasons))


EXCLUSIVE = "exclusive"
"""The key of the number of a bound that does not belong to its range."""
_MAX_QUOTED_LENGTH = 120
"""How much of a value a sentence quotes, in code points."""


def change_message(rule: Rule[Any], change: FoundChange) -> Phrase:
    """Return what has changed as one sentence without its full stop."""
    values = {"old": quote_value(change.old), "new": quote_value(change.new), **change.names}
    message = change.says or rule.says
    found = _FROM_TO.search(message)
    if found is not None and ABSENT in (change.old, change.new):
        if found.start() == 0:
            values["keyword"] = found["keyword"]
        message = one_sided_message(message, has_old=change.old is not ABSENT)
    used = {name: values[name] for name in _PLACEHOLDER.findall(message)}
    sentence = phrase(message, **used)
    if not change.reason:
        return sentence
    return phrase("%(change)s: %(reason)s", change=sentence, reason=change.reason)


def one_sided_message(message: str, *, has_old: bool) -> str:
    """Return the message of a change from one value to another, reworded for one that came or went.

    Those about a keyword share theirs.
    """
    rest = " is removed (was %(old)s)" if has_old else " is set to %(new)s"
    return _FROM_TO.sub(lambda found: f"%(keyword)s{rest}" if found["keyword"] else rest, message)


_FROM_TO = re.compile(r"(?:^(?P<keyword>\w+))? is \w+ from %\(old\)s to %\(new\)s")
_PLACEHOLDER = re.compile(r"%\(([\w ]+)\)s")
ONE_SIDED: Final = (
    gettext_noop("%(keyword)s is set to %(new)s"),
    gettext_noop("%(keyword)s is removed (was %(old)s)"),
    gettext_noop("the default is set to %(new)s"),
    gettext_noop("the default is removed (was %(old)s)"),
    gettext_noop("the default of the %(place)s parameter %(name)s is set to %(new)s"),
    gettext_noop("the default of the %(place)s parameter %(name)s is removed (was %(old)s)"),
)
"""Messages of changes that have one value alone, as `one_sided_message` words them."""


def is_exclusive_bound(value: Any) -> bool:
    """Say whether a value is a bound that is not within its range: it is shown as `quote_value` does."""
    return isinstance(value, dict) and value.keys() == {EXCLUSIVE}


def quote_value(value: Any) -> str:
    """Return a value as a sentence quotes it: JSON, shortened if long; `none` if there is no value."""
    if value is ABSENT:
        return phrase_in_context("no value", "none")
    if is_exclusive_bound(value):
        return phrase("%(number)s (exclusive)", number=quote_value(value[EXCLUSIVE]))
    text = truncate_text(json.dumps(value, ensure_ascii=False, default=str), _MAX_QUOTED_LENGTH)
    return compose('"%(text)s"', text=value) if isinstance(value, Phrase) and text == f'"{value}"' else text
