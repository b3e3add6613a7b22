"""The terms of one coverage record: what works in a market, and what must be registered first."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import ClassVar

from devportal.catalog.rate import NumberType
from devportal.catalog.ref import Kind, Terms


class Channel(StrEnum):
    """How something reaches a market."""

    SMS = "sms"
    MMS = "mms"
    RCS = "rcs"
    VOICE = "voice"


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


class Scheme(StrEnum):
    """The registration that a market asks of senders."""

    NONE = "none"
    SENDER_ID = "sender_id"
    TEN_DLC = "10dlc"
    DLT = "dlt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What works on a channel in a market."""

    two_way: Availability = Availability.UNKNOWN
    alphanumeric_sender: Availability = Availability.UNKNOWN
    delivery_receipts: Availability = Availability.UNKNOWN
    concatenation: Availability = Availability.UNKNOWN
    unicode: Availability = Availability.UNKNOWN
    number_portability: Availability = Availability.UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """What a sender registers before the first message; `lead_time_days` are calendar days."""

    scheme: Scheme
    lead_time_days: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageTerms(Terms):
    """Everything of a coverage record that an approval covers and that may be published."""

    kind: ClassVar[Kind] = Kind.COVERAGE

    id: str
    version: int
    country: str
    dialling_code: str
    channel: Channel
    support: Support
    number_types: tuple[NumberType, ...] = ()
    features: Features
    registration: Registration
    restrictions: tuple[str, ...] = ()
    reviewed_on: date
    effective_from: date
    effective_to: date | None = None
    sample: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """Return what the record is about: two versions with one key must not overlap in time."""
        return (self.country, self.channel)
