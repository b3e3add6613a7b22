"""The sample records of this repository: made from tables, explained by their log, in every state."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from devportal.catalog import Catalog, Published, check_catalog, load_catalog, published
from devportal.catalog.audit.lifecycle import State
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.version_ref import Kind
from tests.catalog.own_book import Product, Unit, value

from .samples.making import MADE, sample_files, sample_log, samples

DATA = Path(__file__).parents[2] / "data"
TODAY = date(2026, 11, 21)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """Return the sample records with their log."""
    found, findings = load_catalog(DATA, name="data")
    assert findings == ()
    return found


@pytest.fixture(scope="module")
def public(catalog: Catalog) -> Published:
    """Return what is public of the sample records."""
    return published(catalog.records, catalog.audit, TODAY)


def shown_terms(public: Published) -> list[RateTerms | CoverageTerms]:
    """Return the terms that may be shown: those in force, and those that these have replaced."""
    shown: list[RateTerms | CoverageTerms] = [rate.terms for rate in public.rates]
    shown += [rate.terms for rate in public.replaced_rates]
    shown += [record.terms for record in public.coverage]
    return [*shown, *(record.terms for record in public.replaced_coverage)]


def made_files() -> Iterator[Path]:
    """Yield the record files under `data/` that say that they are made."""
    for kind in Kind:
        yield from (path for path in (DATA / kind).glob("*.yaml") if MADE in path.read_text("utf-8"))


def test_files_and_log_are_what_the_tables_make(request: pytest.FixtureRequest) -> None:
    """Record files and audit log are those that tables and story make, to the byte, and there is no other."""
    expected = sample_files()
    if request.config.getoption("--update-golden"):
        for path in made_files():
            path.unlink()
        for name, text in expected.items():
            (DATA / name).write_bytes(text.encode())
    found = {path.relative_to(DATA).as_posix(): path.read_bytes().decode() for path in made_files()}
    log = sample_log(load_catalog(DATA, name="data")[0].records).text()
    if request.config.getoption("--update-golden"):
        (DATA / "audit.jsonl").write_bytes(log.encode())

    assert found.keys() == expected.keys()
    assert [name for name, text in found.items() if text != expected[name]] == []
    is_same = (DATA / "audit.jsonl").read_bytes().decode() == log
    assert is_same, "tell the story anew: pytest tests/catalog/test_samples.py --update-golden"


def test_the_samples_have_no_findings(catalog: Catalog) -> None:
    """Every sample record is explained by the sample log."""
    assert list(check_catalog(catalog, today=TODAY)) == []


def test_the_samples_are_in_every_state_and_marked(catalog: Catalog) -> None:
    """There is a rate and a coverage record in each lifecycle state, and each says that it is a sample."""
    for versions in (catalog.records.rates, catalog.records.coverage):
        assert {version.status for version in versions} == set(State)
        assert all(version.terms.sample for version in versions)


def test_the_samples_span_the_world(catalog: Catalog, public: Published) -> None:
    """Enough of everything to show what a portal of a real company looks like."""
    assert len({version.terms.market for version in catalog.records.rates}) >= 64
    assert len({version.terms.market for version in catalog.records.coverage}) >= 64
    assert len({rate.terms.market for rate in public.rates}) >= 60
    assert {rate.terms.product for rate in public.rates} == set(Product)
    assert {rate.terms.currency for rate in public.rates} == {"EUR", "GBP", "USD"}


def test_the_samples_have_a_past_and_a_future(catalog: Catalog, public: Published) -> None:
    """Some public rates have replaced two versions, some end, and some will be replaced on a known day."""
    replaced = [replaced_rate.terms.id for replaced_rate in public.replaced_rates]
    waiting = {
        version.terms.id
        for version in catalog.records.rates
        if version.status is State.ACTIVE and version.terms.effective_from > TODAY
    }

    assert max(replaced.count(name) for name in replaced) == 2
    assert len(public.replaced_coverage) >= 2
    assert {rate.terms.id for rate in public.rates if rate.terms.effective_to} & waiting


def test_exactly_these_samples_are_public(public: Published, golden: Callable[[str, str], None]) -> None:
    """Drafts, approved but inactive, future, ended, superseded and unsupported ones stay private."""
    refs = [str(rate.terms.ref) for rate in public.rates]
    refs += [str(record.terms.ref) for record in public.coverage]

    golden("catalog/public-samples.txt", "".join(f"{ref}\n" for ref in refs))


def test_a_private_price_cannot_be_taken_for_a_public_one(catalog: Catalog, public: Published) -> None:
    """What the search for leaks looks for stands in no public price, of whatever market."""
    terms = shown_terms(public)
    shown = [f"{term.price:f}" for term in terms if isinstance(term, RateTerms)]
    rates = [version.terms for version in catalog.records.rates]
    private = [f"{rate.price:f}" for rate in rates if rate not in terms]

    assert len(private) > 30
    assert [price for price in private if any(price in other for other in shown)] == []


def test_private_words_stand_in_no_public_text(catalog: Catalog, public: Published) -> None:
    """No note, and no id or restriction of a record of which nothing is public."""
    terms = shown_terms(public)
    shown, ids = "\n".join(map(repr, terms)), {term.id for term in terms}
    words = [version.note for version in catalog.records.all() if version.note]
    words += [version.terms.id for version in catalog.records.all() if version.terms.id not in ids]
    for record in catalog.records.coverage:
        if record.terms not in terms:
            words += [text for text in record.terms.restrictions if text not in shown]

    assert len(words) > 40
    assert [word for word in words if word in shown] == []


def test_public_calls_are_billed_per_second(public: Published) -> None:
    """1/1 is what the service documents (service.md, What the service does 7)."""
    per_minute = [rate.terms for rate in public.rates if rate.terms.unit == Unit.MINUTE]

    assert per_minute
    assert {value(terms, "billing_increment") for terms in per_minute} == {"1/1"}


def test_each_network_has_one_code_and_each_code_one_network(catalog: Catalog) -> None:
    """Invented networks are told apart by name and by code, as real ones are."""
    networks = {found for version in catalog.records.rates if (found := value(version.terms, "network"))}

    codes, names = (
        {(network["mcc"], network["mnc"]) for network in networks},
        {network["name"] for network in networks},
    )

    assert len(codes) == len(names) == len(networks)


def test_norway_010_and_trailing_zeros_survive(catalog: Catalog) -> None:
    """`NO`, mnc `010` and price `0.10` are text in the file and stay what they are."""
    (rate,) = (v.terms for v in catalog.records.rates if str(v.ref) == "rates/no-sms-fjord@2")

    assert rate.market == "NO"
    assert value(rate, "network")["mnc"] == "010"
    assert str(rate.price) == "0.10"


def test_made_versions_are_in_the_order_of_their_names() -> None:
    """So that a change of a table changes few lines of the files."""
    refs = [sample.terms.ref for sample in samples()]

    assert refs == sorted(refs)
