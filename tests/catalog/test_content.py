"""Canonical content and its hash."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from devportal.catalog import content_sha256
from devportal.catalog.content import canonical_content
from devportal.catalog.coverage import Availability, Features, Registration, Scheme
from devportal.catalog.rate import BillingTerm, Increment, Network, NumberType, RateTerms

from .build import COVERAGE, RATE


def test_the_canonical_form_never_changes() -> None:
    """Old approvals pin this very text: it may gain fields, but not change."""
    terms = replace(RATE, price=Decimal("0.00000010"), prefixes=("474", "479"))

    assert canonical_content(terms).decode() == (
        '{"country":"NO","currency":"EUR","direction":"outbound","effective_from":"2026-02-01","id":"no-sms",'
        '"kind":"rates","network":{"mcc":"242","mnc":"010","name":"Fjord"},"prefixes":["474","479"],'
        '"price":"0.00000010","product":"sms","sample":"no","unit":"segment","version":"1"}'
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"price": Decimal("0.1")},
        {"price": Decimal("0.11")},
        {"version": 2},
        {"id": "no-mms"},
        {"country": "SE"},
        {"currency": "USD"},
        {"network": None},
        {"network": Network(name="Fjord", mcc="242", mnc="10")},
        {"number_type": NumberType.MOBILE},
        {"prefixes": ("47",)},
        {"billing_increment": Increment(initial_s=1, subsequent_s=1)},
        {"billing_terms": (BillingTerm.PREPAID,)},
        {"effective_from": date(2026, 2, 2)},
        {"effective_to": date(2027, 1, 1)},
        {"sample": True},
    ],
)
def test_every_term_of_a_rate_counts(changes: dict[str, object]) -> None:
    """A change of any term is another content, a trailing zero of the price included."""
    changed: RateTerms = replace(RATE, **changes)  # type: ignore[arg-type]  # the changes of one case

    assert content_sha256(changed) != content_sha256(RATE)


@pytest.mark.parametrize(
    "changes",
    [
        {"features": Features(two_way=Availability.YES)},
        {"registration": Registration(scheme=Scheme.NONE, lead_time_days=0)},
        {"restrictions": ("No links.",)},
        {"dialling_code": "46"},
    ],
)
def test_every_term_of_coverage_counts(changes: dict[str, object]) -> None:
    """Nested terms count as well."""
    changed = replace(COVERAGE, **changes)  # type: ignore[arg-type]  # as above

    assert content_sha256(changed) != content_sha256(COVERAGE)
