"""The public pages and files."""

import csv
import hashlib
import html
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.catalog import Options, Published, Records, catalog_pages, load_catalog, published
from devportal.catalog.coverage import Availability, Features, Registration, Scheme, Support
from devportal.catalog.pages.columns import RATE_COLUMNS
from devportal.catalog.pages.downloads import csv_cell, csv_file
from devportal.catalog.pages.rendering import markdown_cell
from devportal.catalog.rate import Direction, Increment, Network, NumberType, Product, Unit
from devportal.pages import Artefact, Page, render_markdown

from .build import COVERAGE, RATE, TODAY, coverage, log_of, rate

DATA = Path(__file__).parents[2] / "data"

VOICE = replace(
    RATE,
    id="se-voice",
    country="SE",
    product=Product.VOICE,
    network=None,
    number_type=NumberType.TOLL_FREE,
    prefixes=("4620", "4670"),
    unit=Unit.MINUTE,
    price=Decimal("0.00000010"),
    billing_increment=Increment(initial_s=1, subsequent_s=1),
    effective_to=date(2027, 1, 1),
    sample=True,
)
ANY_NETWORK = replace(RATE, id="no-sms-in", direction=Direction.INBOUND, network=None)
LIMITED = replace(
    COVERAGE,
    id="se-sms",
    country="SE",
    dialling_code="46",
    support=Support.LIMITED,
    number_types=(NumberType.MOBILE, NumberType.SHORT_CODE),
    features=Features(two_way=Availability.YES, unicode=Availability.NO),
    registration=Registration(scheme=Scheme.SENDER_ID, lead_time_days=1),
    restrictions=("No links.",),
)


def small() -> Published:
    """Return a few public records, with every optional field both there and missing."""
    rates, markets = (RATE, VOICE, ANY_NETWORK), (COVERAGE, LIMITED)
    records = Records(
        rates=tuple(rate(terms) for terms in rates), coverage=tuple(coverage(terms) for terms in markets)
    )
    return published(records, log_of(*rates, *markets), TODAY)


def pages_of(public: Published) -> dict[str, Page]:
    """Return the pages by uri."""
    return {made.uri: made for made in catalog_pages(public, Options()) if isinstance(made, Page)}


def files_of(public: Published) -> dict[str, bytes]:
    """Return the files by uri."""
    return {made.uri: made.content for made in catalog_pages(public, Options()) if isinstance(made, Artefact)}


@pytest.mark.parametrize("name", ["rates", "coverage"])
def test_pages_are_these(name: str, golden: Callable[[str, str], None]) -> None:
    """The whole page, its Markdown twin and what search finds."""
    page = pages_of(small())[f"{name}/index.md"]

    golden(f"catalog/{name}.html", page.body)
    golden(f"catalog/{name}.md", page.markdown)
    golden(f"catalog/{name}.search.txt", "".join(f"{e.anchor}|{e.title}|{e.text}\n" for e in page.search))


@pytest.mark.parametrize("name", ["rates/rates", "coverage/coverage"])
def test_files_are_these(name: str, golden: Callable[[str, str], None]) -> None:
    """The whole downloads, to the byte."""
    files = files_of(small())

    golden(f"catalog/{name.partition('/')[0]}.csv", files[f"{name}.csv"].decode())
    golden(f"catalog/{name.partition('/')[0]}.json", files[f"{name}.json"].decode())


def test_a_page_shows_the_checksum_of_each_file() -> None:
    """Who downloads a file can compare it with the page."""
    pages, files = pages_of(small()), files_of(small())

    for uri, content in files.items():
        page = pages[f"{uri.partition('/')[0]}/index.md"]
        assert f"<code>{hashlib.sha256(content).hexdigest()}</code>" in page.body
        assert hashlib.sha256(content).hexdigest() in page.markdown


def test_both_files_hold_the_same_rows() -> None:
    """CSV and JSON differ in form only."""
    files = files_of(small())
    rows = list(csv.DictReader(io.StringIO(files["rates/rates.csv"].decode(), newline="")))
    items = json.loads(files["rates/rates.json"])["rates"]

    for row, item in zip(rows, items, strict=True):
        assert row == {name: csv_cell(tuple(v) if isinstance(v, list) else v) for name, v in item.items()}


class _Anchors(HTMLParser):
    """Gathers ids, links within the page, and what a strict content policy would refuse."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.refused: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name == "href" and (value or "").startswith("#"):
                self.links.append((value or "")[1:])
            if name == "style" or name.startswith("on"):
                self.refused.append(name)
        if tag in {"script", "style"}:
            self.refused.append(tag)


@pytest.mark.parametrize("uri", ["rates/index.md", "coverage/index.md"])
def test_every_link_within_a_page_has_its_target(uri: str) -> None:
    """Ids are unique, links and headings lead somewhere, and nothing is inline that a policy refuses."""
    page = pages_of(small())[uri]
    found = _Anchors()
    found.feed(page.body)

    assert len(found.ids) == len(set(found.ids))
    assert set(found.links) <= set(found.ids)
    assert {heading.anchor for heading in page.headings} <= set(found.ids)
    assert {entry.anchor for entry in page.search} <= {"", *found.ids}
    assert found.refused == []


def test_an_empty_catalog_has_pages_that_say_so() -> None:
    """Nothing published is a state of its own, with files that hold only their header."""
    public = Published(on=TODAY)
    pages, files = pages_of(public), files_of(public)

    assert "No rate is published yet." in pages["rates/index.md"].body
    assert "No coverage record is published yet." in pages["coverage/index.md"].markdown
    assert files["rates/rates.csv"].count(b"\n") == 1
    assert "<table" not in pages["rates/index.md"].body


def _words_of_private_samples() -> Iterator[str]:
    """Return the ids, prices, networks, notes and restrictions that only non-public samples have."""
    catalog, _findings = load_catalog(DATA, name="data")
    public = published(catalog.records, catalog.audit, date(2026, 11, 21))
    shown = {row.terms.ref for row in public.rates} | {row.terms.ref for row in public.coverage}
    for version in catalog.records.all():
        if version.note:
            yield version.note
        if version.ref in shown:
            continue
        yield f"{version.ref.id}@{version.ref.version}"
    for draft in catalog.records.rates:
        if draft.ref not in shown:
            yield f"{draft.terms.price:f}"
    for record in catalog.records.coverage:
        if record.ref not in shown:
            yield from record.terms.restrictions
    yield from ("Rheinfunk", "Ganga", "India", "Brazil", "Japan")


def test_nothing_private_is_in_any_byte_of_the_output() -> None:
    """No id, price, network, note or market of a sample that is not public occurs anywhere."""
    catalog, _findings = load_catalog(DATA, name="data")
    public = published(catalog.records, catalog.audit, date(2026, 11, 21))
    output = "\n".join(
        repr((made, made.body, made.markdown)) if isinstance(made, Page) else made.content.decode()
        for made in catalog_pages(public, Options())
    )
    private = list(_words_of_private_samples())

    assert len(private) > 20
    assert [word for word in private if word in output] == []
    assert "0.10" in output


HOSTILE = "<img src=x onerror=alert(1)>|[x](javascript:y)`*_\"'&amp;"


def test_hostile_names_are_shown_as_text() -> None:
    """HTML and Markdown in a network's name are neither in the page nor in its twin."""
    terms = replace(RATE, network=Network(name=HOSTILE, mcc="242", mnc="010"))
    page = pages_of(published(Records(rates=(rate(terms),)), log_of(terms), TODAY))["rates/index.md"]

    assert "<img" not in page.body
    assert "&lt;img src=x onerror=alert(1)&gt;" in page.body
    twin = render_markdown(page.markdown)
    assert "<img" not in twin
    assert "javascript:" not in re.sub(r">[^<]*<", "><", twin)


@given(st.text(max_size=40))
def test_a_markdown_cell_is_its_text(text: str) -> None:
    """Rendered again, the cell of a table holds the text and nothing else."""
    words = " ".join(text.replace("\0", "").split())
    table = f"| a |\n| --- |\n| x{markdown_cell(words)}x |\n"

    rendered = re.findall(r"<td>(.*?)</td>", render_markdown(table), re.DOTALL)

    assert len(rendered) == 1
    assert html.unescape(rendered[0]) == f"x{words}x"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", " =", "＝"])
def test_a_formula_is_text_in_csv(start: str) -> None:
    """A name that a spreadsheet would run gets a quote before it."""
    terms = replace(RATE, network=Network(name=f"{start}HYPERLINK(1)", mcc="242", mnc="010"))
    public = published(Records(rates=(rate(terms),)), log_of(terms), TODAY)

    content = csv_file("rates.csv", RATE_COLUMNS, public.rates).content.decode()
    (row,) = csv.DictReader(io.StringIO(content, newline=""))

    assert row["network"] == f"'{start}HYPERLINK(1)"
    assert row["mnc"] == "010"
    assert row["price"] == "0.10"


def test_the_same_records_give_the_same_bytes() -> None:
    """The order of the records in their files does not show."""
    forward = small()
    records = Records(rates=tuple(map(rate, (ANY_NETWORK, VOICE, RATE))), coverage=())
    backward = published(records, log_of(RATE, VOICE, ANY_NETWORK), TODAY)

    assert files_of(forward)["rates/rates.csv"] == files_of(backward)["rates/rates.csv"]
