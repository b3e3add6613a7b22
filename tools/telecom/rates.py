"""Rates and coverage as the API writes them.

What anybody may see is made of `PublishedRate` and `PublishedCoverage` only, which nothing but the
publication gate makes. The terms of a version that the staff works on have the same members.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from devportal.catalog import PublishedCoverage, PublishedRate
from devportal.catalog.coverage import Features
from devportal.catalog.rate import RateTerms

ListKey = tuple[str, ...]
"""By what a public list is ordered: country first."""

TERMS = (
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


def rate_key(rate: PublishedRate) -> ListKey:
    """Return the place of a rate in a price list: country, product, direction, then its name."""
    terms = rate.terms
    return (terms.country, terms.product, terms.direction, terms.id, f"{terms.version:06}")


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
    """Return the terms of a rate, named as in `TERMS`."""
    network = terms.network
    increment = terms.billing_increment
    return {
        "product": str(terms.product),
        "direction": str(terms.direction),
        "country": terms.country,
        "network": None
        if network is None
        else {"name": network.name, "mcc": network.mcc, "mnc": network.mnc},
        "number_type": None if terms.number_type is None else str(terms.number_type),
        "prefixes": list(terms.prefixes),
        "unit": str(terms.unit),
        "price": format(terms.price, "f"),
        "currency": terms.currency,
        "billing_increment": None if increment is None else str(increment),
        "billing_terms": [str(term) for term in terms.offered_terms],
        "effective_from": terms.effective_from.isoformat(),
        "effective_to": terms.effective_to.isoformat() if terms.effective_to else None,
    }


def record_fields(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the terms in a body as the fields of a record, where what is null or empty is left out."""
    return {name: value for name in TERMS if (value := body.get(name)) not in (None, [])}


def coverage_key(record: PublishedCoverage) -> ListKey:
    """Return the place of a coverage record in a list: country, channel, then its name."""
    terms = record.terms
    return (terms.country, terms.channel, terms.id, f"{terms.version:06}")


def coverage_json(record: PublishedCoverage) -> dict[str, Any]:
    """Return a published coverage record as the schema `Coverage` has it."""
    terms = record.terms
    return {
        "id": terms.id,
        "version": terms.version,
        "country": terms.country,
        "dialling_code": terms.dialling_code,
        "channel": str(terms.channel),
        "support": str(terms.support),
        "number_types": [str(number_type) for number_type in terms.number_types],
        "features": {one.name: str(getattr(terms.features, one.name)) for one in fields(Features)},
        "registration": {
            "scheme": str(terms.registration.scheme),
            "lead_time_days": terms.registration.lead_time_days,
        },
        "restrictions": list(terms.restrictions),
        "reviewed_on": terms.reviewed_on.isoformat(),
        "effective_from": terms.effective_from.isoformat(),
        "effective_to": terms.effective_to.isoformat() if terms.effective_to else None,
        "approved_on": record.approved_on.isoformat(),
        "sample": terms.sample,
    }
