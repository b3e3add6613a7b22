"""The columns of the public files: name, meaning and value, one row each. Adding a column is adding a row."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from devportal.catalog.codes import country_names
from devportal.catalog.pages.labels import FEATURES
from devportal.catalog.publication import PublishedCoverage, PublishedRate

Cell: TypeAlias = str | int | bool | tuple[str, ...] | None
"""A value of a public file; None is an empty cell, and `null` in JSON."""

PublishedT = TypeVar("PublishedT", PublishedRate, PublishedCoverage)
"""What a public file may hold: nothing but what the publication gate made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column(Generic[PublishedT]):
    """One column: its name in the files, what it means in one sentence, and its value for a row.

    Where they are not None, all values of a column have one type.
    """

    name: str
    meaning: str
    value: Callable[[PublishedT], Cell]


def _rate(name: str, meaning: str, value: Callable[[PublishedRate], Cell]) -> Column[PublishedRate]:
    return Column(name=name, meaning=meaning, value=value)


def _coverage(
    name: str, meaning: str, value: Callable[[PublishedCoverage], Cell]
) -> Column[PublishedCoverage]:
    return Column(name=name, meaning=meaning, value=value)


def row_id(row: PublishedRate | PublishedCoverage) -> str:
    """Return the name of a row that stays the same for as long as its version is public."""
    return f"{row.terms.id}@{row.terms.version}"


RATE_COLUMNS: tuple[Column[PublishedRate], ...] = (
    _rate("row_id", "The rate and its version; stays the same while the version is published.", row_id),
    _rate("product", "What is sold: sms, mms, rcs, voice or number.", lambda row: row.terms.product),
    _rate(
        "direction",
        "outbound leaves the platform, inbound reaches it.",
        lambda row: row.terms.direction,
    ),
    _rate("country", "Destination country, ISO 3166-1 alpha-2 code.", lambda row: row.terms.country),
    _rate("country_name", "The country's English name.", lambda row: country_names()[row.terms.country]),
    _rate(
        "network",
        "The mobile network; empty where the price holds for every network.",
        lambda row: row.terms.network.name if row.terms.network else None,
    ),
    _rate(
        "mcc",
        "Mobile country code of the network, 3 digits (ITU-T E.212).",
        lambda row: row.terms.network.mcc if row.terms.network else None,
    ),
    _rate(
        "mnc",
        "Mobile network code, 2 or 3 digits; leading zeros count.",
        lambda row: row.terms.network.mnc if row.terms.network else None,
    ),
    _rate(
        "number_type",
        "Kind of number: local, mobile, national, toll_free or short_code.",
        lambda row: row.terms.number_type,
    ),
    _rate(
        "prefixes",
        "Dialling prefixes that the price holds for, country code included, without '+'.",
        lambda row: row.terms.prefixes,
    ),
    _rate("unit", "What one price pays for: segment, message, minute or month.", lambda row: row.terms.unit),
    _rate(
        "price",
        "Price of one unit as a decimal number, with all its digits.",
        lambda row: format(row.terms.price, "f"),
    ),
    _rate("currency", "Currency of the price, ISO 4217 code.", lambda row: row.terms.currency),
    _rate(
        "billing_increment",
        "Seconds billed at first and then in steps: 1/1 is per second, 60/60 per started minute.",
        lambda row: str(row.terms.billing_increment) if row.terms.billing_increment else None,
    ),
    _rate(
        "billing_terms",
        "How the price can be paid: prepaid, billed or both.",
        lambda row: row.terms.offered_terms,
    ),
    _rate(
        "effective_from",
        "First day on which the price holds.",
        lambda row: row.terms.effective_from.isoformat(),
    ),
    _rate(
        "effective_to",
        "First day on which the price no longer holds; empty where no end is set.",
        lambda row: row.terms.effective_to.isoformat() if row.terms.effective_to else None,
    ),
    _rate("version", "Version of the rate; a change makes a new one.", lambda row: row.terms.version),
    _rate("approved_on", "Day on which this version was approved.", lambda row: row.approved_on.isoformat()),
    _rate("sample", "Whether the row is sample data and no offer.", lambda row: row.terms.sample),
    _rate(
        "content_sha256",
        "SHA-256 of the content that was approved.",
        lambda row: row.content_sha256,
    ),
)


def _feature(name: str, title: str) -> Column[PublishedCoverage]:
    return _coverage(
        name,
        f"{title}: yes, no, or unknown where it is not stated.",
        lambda row: str(getattr(row.terms.features, name)),
    )


COVERAGE_COLUMNS: tuple[Column[PublishedCoverage], ...] = (
    _coverage("row_id", "The record and its version; stays the same while the version is published.", row_id),
    _coverage("country", "Market, ISO 3166-1 alpha-2 code.", lambda row: row.terms.country),
    _coverage("country_name", "The country's English name.", lambda row: country_names()[row.terms.country]),
    _coverage(
        "dialling_code",
        "Country calling code without '+' (ITU-T E.164).",
        lambda row: row.terms.dialling_code,
    ),
    _coverage("channel", "What reaches the market: sms, mms, rcs or voice.", lambda row: row.terms.channel),
    _coverage(
        "support",
        "full, or limited where restrictions narrow it. A market that is not served is not listed.",
        lambda row: row.terms.support,
    ),
    _coverage("number_types", "Kinds of numbers that can send or call.", lambda row: row.terms.number_types),
    *(_feature(name, title) for name, title in FEATURES.items()),
    _coverage(
        "registration",
        "What a sender registers first: none, sender_id, 10dlc or dlt.",
        lambda row: row.terms.registration.scheme,
    ),
    _coverage(
        "registration_days",
        "Usual calendar days until the registration is done; empty where none is stated.",
        lambda row: row.terms.registration.lead_time_days,
    ),
    _coverage("restrictions", "What a sender must observe.", lambda row: row.terms.restrictions),
    _coverage("reviewed_on", "Day of the last review.", lambda row: row.terms.reviewed_on.isoformat()),
    _coverage(
        "effective_from",
        "First day on which the record holds.",
        lambda row: row.terms.effective_from.isoformat(),
    ),
    _coverage(
        "effective_to",
        "First day on which the record no longer holds; empty where no end is set.",
        lambda row: row.terms.effective_to.isoformat() if row.terms.effective_to else None,
    ),
    _coverage("version", "Version of the record; a change makes a new one.", lambda row: row.terms.version),
    _coverage(
        "approved_on", "Day on which this version was approved.", lambda row: row.approved_on.isoformat()
    ),
    _coverage("sample", "Whether the row is sample data.", lambda row: row.terms.sample),
    _coverage("content_sha256", "SHA-256 of the content that was approved.", lambda row: row.content_sha256),
)
