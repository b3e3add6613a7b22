"""The terms of one coverage record: what works in a market, and what must be registered first."""

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import ClassVar

from devportal.catalog.book.book import NO_REGISTRATION, MarketKind, Named
from devportal.catalog.records.values import NOTHING, Declared, Values
from devportal.catalog.records.version_ref import Kind, Terms


class Support(StrEnum):
    """How well a market is served. `UNAVAILABLE` is for the records only: it is never published."""

    FULL = "full"
    LIMITED = "limited"
    UNAVAILABLE = "unavailable"


class Availability(StrEnum):
    """Whether a feature works in a market."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """The features of a channel in a market. A feature that is not `stated` is unknown."""

    stated: Values[Availability] = field(default_factory=lambda: Values[Availability]({}))

    def __getitem__(self, key: str) -> Availability:
        """Return whether a feature works."""
        return self.stated.get(key, Availability.UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """What must be registered before the first use; `lead_time_days` are calendar days."""

    scheme: Named = NO_REGISTRATION
    lead_time_days: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageTerms(Terms):
    """The part of a coverage record that an approval covers and that may be published.

    `features` and `registration` are None if the project declares none; `declared` holds the fields that the
    project declares.
    """

    kind: ClassVar[Kind] = Kind.COVERAGE

    id: str
    version: int
    market: str
    market_kind: MarketKind = MarketKind.COUNTRY
    declared: Declared = NOTHING
    channel: Named
    support: Support
    features: Features | None = None
    registration: Registration | None = None
    restrictions: tuple[str, ...] = ()
    reviewed_on: date
    effective_from: date
    effective_to: date | None = None
    sample: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """Return what the record is about: two versions with one key must not overlap in time."""
        return (self.market, self.channel.key)
