"""Canonical content and its hash."""

import json
from copy import copy
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from devportal.catalog import CoverageVersion, RateVersion, content_sha256
from devportal.catalog.records.content import canonical_content
from devportal.catalog.records.coverage import Availability, Registration
from tests.catalog.build import COVERAGE, RATE
from tests.catalog.own_book import BillingTerm, NumberType, Scheme, channel_features, net, replace, steps
from tests.catalog.strategies import coverage_versions, rate_versions

if TYPE_CHECKING:
    from devportal.catalog.records.rate import RateTerms


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
        {"network": net(name="Fjord", mcc="242", mnc="10")},
        {"number_type": NumberType.MOBILE},
        {"prefixes": ("47",)},
        {"billing_increment": steps(initial_s=1, subsequent_s=1)},
        {"billing_terms": (BillingTerm.PREPAID,)},
        {"effective_from": date(2026, 2, 2)},
        {"effective_to": date(2027, 1, 1)},
        {"sample": True},
    ],
)
def test_every_term_of_a_rate_counts(changes: dict[str, object]) -> None:
    """A change of any term is another content, a trailing zero of the price included."""
    changed: RateTerms = replace(RATE, **changes)

    assert content_sha256(changed) != content_sha256(RATE)


@pytest.mark.parametrize(
    "changes",
    [
        {"features": channel_features(two_way=Availability.YES)},
        {"registration": Registration(scheme=Scheme.NONE, lead_time_days=0)},
        {"restrictions": ("No links.",)},
        {"dialling_code": "46"},
    ],
)
def test_every_term_of_coverage_counts(changes: dict[str, object]) -> None:
    """Nested terms count as well."""
    changed = replace(COVERAGE, **changes)

    assert content_sha256(changed) != content_sha256(COVERAGE)


@given(rate_versions() | coverage_versions())
def test_the_canonical_form_is_compact_json_with_sorted_keys(version: RateVersion | CoverageVersion) -> None:
    """Whatever the texts hold: any JSON library, asked for the same, writes the same bytes."""
    written = canonical_content(version.terms)

    content = json.loads(written)
    again = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert again.encode() == written
    assert content["id"] == version.terms.id
    assert None not in content.values()


def test_a_copy_with_changes_does_not_keep_the_hash() -> None:
    """Terms keep the hash of their own content: 0.1 equals 0.10 and has another one."""
    first = replace(RATE)
    kept = content_sha256(first)

    changed = replace(first, price=Decimal("0.1"))

    assert changed == first
    assert content_sha256(changed) != kept
    assert content_sha256(first) == content_sha256(copy(first)) == kept
