"""The terms of one rate version: what sending or calling costs, where, and from when."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import ClassVar

from devportal.catalog.ref import Kind, Terms


class Product(StrEnum):
    """What is sold (service.md, What the service does 2)."""

    SMS = "sms"
    MMS = "mms"
    RCS = "rcs"
    VOICE = "voice"
    NUMBER = "number"


class Direction(StrEnum):
    """Who starts: `OUTBOUND` leaves the platform, `INBOUND` reaches it."""

    OUTBOUND = "outbound"
    INBOUND = "inbound"


class NumberType(StrEnum):
    """The kind of number that a rate or a market is about."""

    LOCAL = "local"
    MOBILE = "mobile"
    NATIONAL = "national"
    TOLL_FREE = "toll_free"
    SHORT_CODE = "short_code"


class Unit(StrEnum):
    """What one price pays for."""

    SEGMENT = "segment"
    MESSAGE = "message"
    MINUTE = "minute"
    MONTH = "month"


UNITS: Mapping[Product, Unit] = MappingProxyType(
    {
        Product.SMS: Unit.SEGMENT,
        Product.MMS: Unit.MESSAGE,
        Product.RCS: Unit.MESSAGE,
        Product.VOICE: Unit.MINUTE,
        Product.NUMBER: Unit.MONTH,
    }
)
"""What a price of each product pays for."""


class BillingTerm(StrEnum):
    """How a price can be paid (service.md, What the service does 7)."""

    PREPAID = "prepaid"
    BILLED = "billed"


_EVERY_TERM = tuple(BillingTerm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """A mobile network; `mcc` and `mnc` are text, for their leading zeros count (ITU-T E.212)."""

    name: str
    mcc: str
    mnc: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Increment:
    """How call time is billed: the first `initial_s` seconds, then each started `subsequent_s`."""

    initial_s: int
    subsequent_s: int

    def __str__(self) -> str:
        """Return the trade's form: `1/1` is per second."""
        return f"{self.initial_s}/{self.subsequent_s}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RateTerms(Terms):
    """Everything of a rate version that an approval covers and that may be published.

    `price` keeps the digits written; `effective_to` is the first day on which it no longer holds;
    `billing_terms` is empty where a record does not narrow them.
    """

    kind: ClassVar[Kind] = Kind.RATE

    id: str
    version: int
    product: Product
    direction: Direction
    country: str
    network: Network | None = None
    number_type: NumberType | None = None
    prefixes: tuple[str, ...] = ()
    unit: Unit
    price: Decimal
    currency: str
    billing_increment: Increment | None = None
    billing_terms: tuple[BillingTerm, ...] = ()
    effective_from: date
    effective_to: date | None = None
    sample: bool = False

    @property
    def offered_terms(self) -> tuple[BillingTerm, ...]:
        """Return how the price can be paid: in every way, where the record does not narrow it."""
        return self.billing_terms or _EVERY_TERM

    @property
    def key(self) -> tuple[object, ...]:
        """Return what a customer pays one price for: two versions with one key must not overlap in time."""
        network = (self.network.mcc, self.network.mnc) if self.network else None
        return (
            self.product,
            self.direction,
            self.country,
            network,
            self.number_type,
            self.prefixes,
            self.unit,
            self.currency,
        )
