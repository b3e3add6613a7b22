"""The sample records of this repository: explained by their log, and in every state."""

from datetime import date
from pathlib import Path

import pytest

from devportal.catalog import Catalog, check_catalog, load_catalog, published
from devportal.catalog.lifecycle import State
from devportal.catalog.rate import Unit

from .sample_log import sample_log

DATA = Path(__file__).parents[2] / "data"
TODAY = date(2026, 11, 21)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """Return the sample records with their log."""
    found, findings = load_catalog(DATA, name="data")
    assert findings == ()
    return found


def test_the_sample_log_is_what_its_story_makes(request: pytest.FixtureRequest) -> None:
    """The audit log under `data/` is the one that the story of the samples makes, to the byte."""
    records = load_catalog(DATA, name="data")[0].records
    expected = sample_log(records).text()
    if request.config.getoption("--update-golden"):
        (DATA / "audit.jsonl").write_bytes(expected.encode())

    assert (DATA / "audit.jsonl").read_bytes().decode() == expected


def test_the_samples_have_no_findings(catalog: Catalog) -> None:
    """Every sample record is explained by the sample log."""
    assert list(check_catalog(catalog, today=TODAY)) == []


def test_the_samples_are_in_every_state_and_marked(catalog: Catalog) -> None:
    """There is a sample of each lifecycle state, and each says that it is a sample."""
    versions = catalog.records.all()

    assert {version.status for version in versions} == set(State)
    assert all(version.terms.sample for version in versions)


def test_exactly_these_samples_are_public(catalog: Catalog) -> None:
    """Drafts, approved but inactive, future, superseded, withdrawn and unsupported ones stay private."""
    public = published(catalog.records, catalog.audit, TODAY)

    assert [str(rate.terms.ref) for rate in public.rates] == [
        "rates/de-voice-fixed@2",
        "rates/gb-sms-albion@1",
        "rates/no-sms-fjord@2",
        "rates/no-voice-mobile@1",
        "rates/us-sms-inbound@1",
        "rates/us-sms-summit@1",
    ]
    assert [str(record.terms.ref) for record in public.coverage] == [
        "coverage/gb-sms@1",
        "coverage/no-sms@1",
        "coverage/no-voice@1",
        "coverage/us-sms@1",
    ]


def test_public_calls_are_billed_per_second(catalog: Catalog) -> None:
    """1/1 is what the service documents (service.md, What the service does 7)."""
    public = published(catalog.records, catalog.audit, TODAY)
    per_minute = [rate.terms for rate in public.rates if rate.terms.unit is Unit.MINUTE]

    assert per_minute
    assert {str(terms.billing_increment) for terms in per_minute} == {"1/1"}


def test_norway_010_and_trailing_zeros_survive(catalog: Catalog) -> None:
    """`NO`, mnc `010` and price `0.10` are text in the file and stay what they are."""
    (rate,) = (v.terms for v in catalog.records.rates if str(v.ref) == "rates/no-sms-fjord@2")

    assert rate.country == "NO"
    assert rate.network is not None
    assert rate.network.mnc == "010"
    assert str(rate.price) == "0.10"
