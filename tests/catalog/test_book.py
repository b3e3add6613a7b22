"""The rate book: what is wrong in it is found, and what it declares decides what prices are the same."""

from dataclasses import replace
from pathlib import Path

import pytest

from devportal.catalog import load_catalog
from devportal.catalog.book.book import Book
from devportal.catalog.book.file import parse_book
from devportal.catalog.records.content import canonical_content
from devportal.catalog.records.fields import Fields, Value
from devportal.catalog.records.parsing import parse_coverage, rate_terms
from devportal.catalog.records.text import Source
from devportal.catalog.records.window import terms_key
from devportal.documents import Scalars, parse_document
from devportal.findings import Finding

from .own_book import BOOK, PATH

CARRIER = (Path(__file__).parent / "carrier" / "book.yaml").read_text(encoding="utf-8")


def parse(text: str) -> tuple[Book | None, tuple[Finding, ...]]:
    """Return a parsed book and its findings."""
    return parse_book(parse_document(text, name="data/book.yaml", scalars=Scalars.TEXT))


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        (
            "    unit: kg\n",
            "    unit: ton\n",
            42,
            "is 'ton', which is none of the units",
        ),
        ("channel: parcel", "channel: sea", 43, "'sea', which is none of the channels of coverage"),
        ("    kind: choice\n", "    kind: enum\n", 47, "`rate_fields.service.kind` is 'enum', which is none"),
        ("headline: standard", "headline: slow", 51, "'slow', which is none of the values"),
        ("    max: 31.5\n", "", 55, "this number has no `max`"),
        ("    max: 31.5\n", "    max: 31.5\n    pattern: x\n", 57, "a number has no `pattern`"),
        ("  weight_step:\n", "  price:\n", 72, "'price' is taken already: records and downloads use it"),
        ("field: weight_step", "field: weight", 22, "'weight' is not a field of rates of kind steps"),
        (
            "needs: [weight]\n    takes",
            "needs: [colour]\n    takes",
            31,
            "'colour', which is not a field",
        ),
        ("countries: [DE, FR, NL]", "countries: [DE, NO]", 6, "'NO' is in 'home' already"),
        ("countries: [US, JP]", "countries: [US, UK]", 7, "'UK' names no country"),
        ("express: Express", "depots: Depots", 68, "'depots' would be the address of two pages"),
        ("customs: Customs papers", "none: None", 85, "the registration 'none' is always there"),
        (
            "{letter: Letters, parcel: Parcels}",
            "{letter: Letters, parcel: Parcels, home: Home}",
            81,
            "also the key of a zone",
        ),
        ("title: Weight\n", "titel: Weight\n", 54, "the field 'title' is missing"),
    ],
)
def test_what_is_wrong_is_found_at_its_line(old: str, new: str, line: int, said: str) -> None:
    """With the value, and with what to do."""
    assert old in CARRIER

    book, findings = parse(CARRIER.replace(old, new, 1))

    assert book is None
    found = [finding for finding in findings if said in finding.message]
    assert found, findings
    assert found[0].place.line == line
    assert found[0].help


def test_records_without_a_book_are_not_read(tmp_path: Path) -> None:
    """One error says to write it; neither the records nor the log are reported for what follows from it."""
    (tmp_path / "rates").mkdir()
    (tmp_path / "rates" / "no.yaml").write_text("rates: []\n", encoding="utf-8")

    catalog, (found,) = load_catalog(tmp_path, name="data")

    assert (found.rule, found.place.file) == ("catalog-book", "data/book.yaml")
    assert "init --with-rates" in found.help
    assert not catalog.is_readable
    assert catalog.records.all() == ()


def test_a_folder_without_records_needs_no_book(tmp_path: Path) -> None:
    """There is nothing that it would say."""
    catalog, findings = load_catalog(tmp_path, name="data")

    assert findings == ()
    assert catalog.is_readable


def test_books_that_say_the_same_are_equal() -> None:
    """Whoever reads a folder twice has one book."""
    again, _ = parse(PATH.read_text(encoding="utf-8"))

    assert again == BOOK
    assert hash(again) == hash(BOOK)
    assert again != parse(CARRIER)[0]


RECORD: dict[str, Value] = {
    "id": "eu-1-parcel",
    "version": "1",
    "status": "draft",
    "product": "parcel",
    "service": "standard",
    "zone": "eu-1",
    "weight": "2",
    "depot": {"name": "Hamburg Nord", "code": "HAM-03"},
    "unit": "piece",
    "price": "7.350",
    "currency": "EUR",
    "effective_from": "2026-12-01",
}


def read(book: Book, **changes: Value) -> tuple[tuple[object, ...], bytes]:
    """Return the key of a record, and its content."""
    source = Source(document=parse_document("{}", name="a"), pointer=())
    fields = Fields(data={**RECORD, **changes}, source=source)
    terms = rate_terms(fields, book)
    assert fields.findings == []
    return terms_key(book, terms), canonical_content(terms)


def test_the_name_of_a_group_is_not_what_a_price_is_for() -> None:
    """Its code is; and so is each field that the book does not except."""
    book, _ = parse(CARRIER)
    assert book is not None
    key, content = read(book)

    renamed, other_content = read(book, depot={"name": "Hamburg", "code": "HAM-03"})
    assert renamed == key
    assert other_content != content
    assert read(book, depot={"name": "Hamburg Nord", "code": "HAM-04"})[0] != key
    assert read(book, weight="5")[0] != key


def test_content_has_each_value_as_it_is_written() -> None:
    """Names sorted, digits kept, what is declared beside what is not."""
    book, _ = parse(CARRIER)
    assert book is not None

    assert read(book)[1].decode() == (
        '{"currency":"EUR","depot":{"code":"HAM-03","name":"Hamburg Nord"},"effective_from":"2026-12-01",'
        '"id":"eu-1-parcel","kind":"rates","price":"7.350","product":"parcel","sample":"no",'
        '"service":"standard","unit":"piece","version":"1","weight":"2","zone":"eu-1"}'
    )


def test_a_feature_that_is_added_later_undoes_no_approval() -> None:
    """Only what is pinned is content where a record does not state it."""
    coverage = BOOK.coverage
    later = replace(coverage.features[0], key="later", is_always_content=False, rank=9)
    book = replace(BOOK, coverage=replace(coverage, features=(*coverage.features, later)))
    record: dict[str, Value] = {
        "id": "no-sms",
        "version": "1",
        "status": "draft",
        "country": "NO",
        "dialling_code": "47",
        "channel": "sms",
        "support": "full",
        "features": {"two_way": "yes"},
        "registration": {"scheme": "none"},
        "reviewed_on": "2026-11-01",
        "effective_from": "2026-12-01",
    }
    source = Source(document=parse_document("{}", name="a"), pointer=())

    old, new = (parse_coverage(Fields(data=record, source=source), other_book) for other_book in (BOOK, book))

    assert old is not None
    assert new is not None
    assert canonical_content(new.terms) == canonical_content(old.terms)
    assert b'"unicode":"unknown"' in canonical_content(old.terms)
