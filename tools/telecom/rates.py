"""The JSON of published rates and coverage, and the rate book that they are from."""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from devportal.catalog import PublishedCoverage, PublishedRate
from devportal.catalog.book.book import Book, GroupForm, group_code
from devportal.catalog.book.file import parse_book
from devportal.catalog.records.coverage import Availability, CoverageTerms
from devportal.catalog.records.rate import RateTerms
from devportal.documents import Scalars, parse_document

_NAME = "rate_book.yaml"


@lru_cache(maxsize=1)
def rate_book() -> Book:
    """Return the rate book of this package. Raises ValueError if its file is invalid."""
    text = files(__package__).joinpath(_NAME).read_text("utf-8")
    book, findings = parse_book(parse_document(text, name=_NAME, scalars=Scalars.TEXT))
    if book is None:
        raise ValueError(f"the rate book of the package is broken: {findings[0]}")
    return book


ListKey = tuple[str, ...]
"""The sort key of a public list: country first."""

RATE_TERM_NAMES = (
    "product",
    "direction",
    "country",
    "network",
    "number_type",
    "prefixes",
    "unit",
    "price",
    "currency",
    "billing_increment",
    "billing_terms",
    "effective_from",
    "effective_to",
)
"""The members that are the terms of a rate, in the contract's order."""

FEATURES = (
    "two_way",
    "alphanumeric_sender",
    "delivery_receipts",
    "concatenation",
    "unicode",
    "number_portability",
)
"""The features of a channel, in the contract's order."""


def rate_sort_key(rate: PublishedRate) -> ListKey:
    """Return the sort key of a rate in a price list: country, product, direction, then its name."""
    terms = rate.terms
    return (terms.market, terms.product.key, _text(terms, "direction") or "", terms.id, f"{terms.version:06}")


def network_code(terms: RateTerms) -> tuple[str, ...] | None:
    """Return the codes of the network that a rate is for, country and network; None if it is for all."""
    network, form = terms.declared.get("network"), _NETWORK
    return None if network is None or not isinstance(form, GroupForm) else group_code(form, network)


_NETWORK = next(field.form for field in rate_book().fields if field.name == "network")


def rate_json(rate: PublishedRate) -> dict[str, Any]:
    """Return a published rate as the schema `Rate` has it."""
    terms = rate.terms
    return {
        "rate_id": terms.id,
        "version": terms.version,
        **terms_json(terms),
        "approved_on": rate.approved_on.isoformat(),
        "sample": terms.sample,
    }


def terms_json(terms: RateTerms) -> dict[str, Any]:
    """Return the terms of a rate, named as in `RATE_TERM_NAMES`."""
    network = terms.declared.get("network")
    return {
        "product": terms.product.key,
        "direction": _text(terms, "direction"),
        "country": terms.market,
        "network": None if network is None or isinstance(network, str | tuple) else dict(network),
        "number_type": _text(terms, "number_type"),
        "prefixes": _list(terms, "prefixes"),
        "unit": terms.unit.key,
        "price": format(terms.price, "f"),
        "currency": terms.currency,
        "billing_increment": _text(terms, "billing_increment"),
        "billing_terms": list(terms.offered_billing_terms(rate_book())),
        "effective_from": terms.effective_from.isoformat(),
        "effective_to": terms.effective_to.isoformat() if terms.effective_to else None,
    }


def record_fields(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the terms in a body as the fields of a record, without those that are null or empty."""
    return {name: value for name in RATE_TERM_NAMES if (value := body.get(name)) not in (None, [])}


def _text(terms: RateTerms | CoverageTerms, name: str) -> str | None:
    value = terms.declared.get(name)
    return value if isinstance(value, str) else None


def _list(terms: RateTerms | CoverageTerms, name: str) -> list[str]:
    value = terms.declared.get(name)
    return list(value) if isinstance(value, tuple) else []


def _feature(terms: CoverageTerms, name: str) -> Availability:
    return terms.features[name] if terms.features else Availability.UNKNOWN


def coverage_sort_key(record: PublishedCoverage) -> ListKey:
    """Return the sort key of a coverage record in a list: country, channel, then its name."""
    terms = record.terms
    return (terms.market, terms.channel.key, terms.id, f"{terms.version:06}")


def coverage_json(record: PublishedCoverage) -> dict[str, Any]:
    """Return a published coverage record as the schema `Coverage` has it."""
    terms = record.terms
    return {
        "id": terms.id,
        "version": terms.version,
        "country": terms.market,
        "dialling_code": _text(terms, "dialling_code"),
        "channel": terms.channel.key,
        "support": str(terms.support),
        "number_types": _list(terms, "number_types"),
        "features": {feature: str(_feature(terms, feature)) for feature in FEATURES},
        "registration": {
            "scheme": terms.registration.scheme.key if terms.registration else "none",
            "lead_time_days": terms.registration.lead_time_days if terms.registration else None,
        },
        "restrictions": list(terms.restrictions),
        "reviewed_on": terms.reviewed_on.isoformat(),
        "effective_from": terms.effective_from.isoformat(),
        "effective_to": terms.effective_to.isoformat() if terms.effective_to else None,
        "approved_on": record.approved_on.isoformat(),
        "sample": terms.sample,
    }
