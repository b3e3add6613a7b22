"""The life of a part of a contract: deprecation, sunset, stability; of schemas and properties too."""

import datetime as dt
import json
from dataclasses import dataclass, field

from devportal.contract import Location, Operation, SecurityScheme, Stability
from devportal.differ import change
from devportal.differ.normalise.forms import NormalProperty, NormalSchema
from devportal.differ.policy import Policy
from devportal.differ.schemas.pair import SchemaPair


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifecycle:
    """The lifecycle of a part. `sunset` is as written; `stability` includes that of its parents."""

    is_deprecated: bool = False
    sunset: str = ""
    stability: Stability = Stability.STABLE
    unknown_stability: str = ""
    """The level as written, if it is none that exists."""
    location: Location | None = None

    @property
    def is_default(self) -> bool:
        """Return whether a part declares nothing about its lifecycle."""
        is_plain = self.stability is Stability.STABLE and not self.unknown_stability
        return not self.is_deprecated and not self.sunset and is_plain

    @property
    def ends_on(self) -> dt.date | None:
        """Return the day of the sunset, None if none is written or it is not a date of RFC 3339."""
        return parse_day(self.sunset)


def operation_lifecycle(operation: Operation) -> Lifecycle:
    """Return the deprecation, the sunset and the stability of an operation."""
    return Lifecycle(
        is_deprecated=operation.deprecated,
        sunset=operation.sunset,
        stability=operation.stability,
        unknown_stability=operation.unknown_stability,
        location=operation.location,
    )


def scheme_lifecycle(scheme: SecurityScheme) -> Lifecycle:
    """Return the lifecycle of a security scheme (`deprecated`, OAS 3.2.0 §4.27)."""
    return Lifecycle(
        is_deprecated=scheme.deprecated,
        sunset=scheme.sunset,
        stability=scheme.stability or Stability.STABLE,
        location=scheme.location,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LifecyclePair:
    """The life of one part in both contracts."""

    old: Lifecycle
    new: Lifecycle
    policy: Policy = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """A removed part: its lifecycle, its name, and the path to it."""

    lifecycle: Lifecycle
    name: str
    at: str = ""
    policy: Policy = field(repr=False)

    @property
    def has_known_sunset(self) -> bool:
        """Say whether its sunset decides how bad the removal is: it was deprecated and the day is known."""
        ends = self.lifecycle.ends_on
        return self.lifecycle.is_deprecated and ends is not None and self.policy.today is not None

    @property
    def is_due(self) -> bool:
        """Say whether the sunset has passed."""
        ends, today = self.lifecycle.ends_on, self.policy.today
        return self.has_known_sunset and ends is not None and today is not None and ends <= today


def parse_day(text: str) -> dt.date | None:
    """Return the day that a date or a date-time of RFC 3339 §5.6 names, None if it is neither."""
    try:
        return dt.date.fromisoformat(text) if len(text) == _DATE else dt.datetime.fromisoformat(text).date()
    except ValueError:
        return None


_DATE = len("2026-01-31")


def schema_lifecycle(form: NormalSchema) -> Lifecycle:
    """Return the lifecycle of a schema; its stability is its own, without that of its parents."""
    return Lifecycle(
        is_deprecated=any(part.deprecated for part in form.parts),
        sunset=next((part.sunset for part in reversed(form.parts) if part.sunset), ""),
        stability=next((part.stability for part in reversed(form.parts) if part.stability), Stability.STABLE),
        unknown_stability=_unknown_stability(form),
        location=form.schema.location,
    )


def _unknown_stability(form: NormalSchema) -> str:
    levels = (dict(part.idle_keywords).get("x-stability-level") for part in reversed(form.parts))
    return next((str(json.loads(level)) for level in levels if level), "")


def property_removal(pair: SchemaPair, member: NormalProperty) -> Removal:
    """Return the removal of a property with its lifecycle."""
    life = schema_lifecycle(pair.old_forms.of(*member.schemas))
    return Removal(lifecycle=life, name=member.name, at=change.property_step(member.name), policy=pair.policy)


def property_removals(pair: SchemaPair) -> tuple[Removal, ...]:
    """Return the removals of properties, none for what is not an object on both sides."""
    removed = pair.properties.removed if pair.may_both_be_of_type("object") and not pair.is_wrapped else ()
    return tuple(property_removal(pair, normal_property) for normal_property in removed)
