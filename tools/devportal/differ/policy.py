"""The policy: the verdicts that the owner of a contract may choose."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from devportal.contract import Stability
from devportal.differ.rule import Verdict

ENFORCED_FORMATS = frozenset(
    {"int32", "int64", "float", "double", "byte", "date", "date-time", "time", "duration", "uuid", "email",
     "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri", "uri-reference", "iri", "iri-reference",
     "uri-template", "json-pointer", "relative-json-pointer", "regex"}
)  # fmt: skip
"""Formats that validators look at: those of JSON Schema 2020-12 (Validation §7.3) and OAS 3.0.3 §4.4."""


class OpenSet(StrEnum):
    """What a consumer has to expect of a set of values that may grow."""

    RISKY = "risky"
    CLOSED = "closed"
    OPEN = "open"


class UnknownInput(StrEnum):
    """What the provider does with parameters and members that it does not know."""

    IGNORED = "ignored"
    REJECTED = "rejected"


class Softening(StrEnum):
    """How the verdict on a part of some stability is softened: not at all, never breaking, or by one step."""

    NONE = "none"
    NEVER_BREAKING = "never-breaking"
    ONE_STEP = "one-step"

    def soften(self, verdict: Verdict) -> Verdict:
        """Return the verdict that is left."""
        if self is Softening.NONE or not verdict.is_at_least(Verdict.RISKY):
            return verdict
        if verdict is Verdict.BREAKING:
            return Verdict.RISKY
        return Verdict.COMPATIBLE if self is Softening.ONE_STEP else verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledgement:
    """A change that somebody has reviewed and accepted, by its fingerprint: the reason, and the date.

    `places` are what the change affected then, `OPERATION field` each, and the references that led there; None if
    they were not written down. `until` is the last day on which it is accepted, None if it has no end.
    """

    reason: str
    date: dt.date
    places: tuple[str, ...] | None = None
    until: dt.date | None = None

    def has_expired(self, today: dt.date | None) -> bool:
        """Return whether its last day has passed; without a day to compare with it has not."""
        return self.until is not None and today is not None and today > self.until


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredRenames:
    """What the owner of the contracts renamed: the new names by the old ones.

    Operations are named by their operationId, or by method and path, such as `GET /v1/orders`.
    """

    properties: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    operations: Mapping[str, str] = field(default_factory=dict)
    schemas: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Every setting, with its default."""

    response_enum: OpenSet = OpenSet.RISKY
    """A value added to an enum that the provider sends, or the enum dropped."""
    response_union: OpenSet = OpenSet.CLOSED
    """A branch added to a union with a discriminator that the provider sends."""
    response_optional_removed: Verdict = Verdict.RISKY
    unknown_input: UnknownInput = UnknownInput.IGNORED
    first_bound: Verdict = Verdict.BREAKING
    """The first bound of a number, text, list or object that had none, in what the consumer sends."""
    format_enforced: frozenset[str] = ENFORCED_FORMATS
    date_time_accepts_date: bool = False
    operation_id: Verdict = Verdict.RISKY
    placeholder_renamed: Verdict = Verdict.COMPATIBLE
    component_renamed: Verdict | None = None
    """None turns the rule off; risky suits generated client code whose types are named after components."""
    default_change: Verdict = Verdict.RISKY
    oauth_url: Verdict = Verdict.BREAKING
    success_status_added: Verdict = Verdict.RISKY
    sunset_required: bool = False
    deprecation_notice_days: int = 0
    stability_levels: Mapping[Stability, Softening] = field(
        default_factory=lambda: {
            Stability.STABLE: Softening.NONE,
            Stability.BETA: Softening.NEVER_BREAKING,
            Stability.ALPHA: Softening.ONE_STEP,
            Stability.DRAFT: Softening.ONE_STEP,
        }
    )
    today: dt.date | None = None
    """The day that decides which sunsets have passed; None if that is left open."""
    levels: Mapping[str, Verdict | None] = field(default_factory=dict)
    """Verdicts by rule id that replace those of the rows; None turns a rule off."""
    renamed: DeclaredRenames = field(default_factory=DeclaredRenames)
    acknowledged: Mapping[str, Acknowledgement] = field(default_factory=dict)

    @property
    def needs_sunset(self) -> bool:
        """Say whether each deprecation has to name a day: who asks for notice asks for its end."""
        return self.sunset_required or self.deprecation_notice_days > 0
