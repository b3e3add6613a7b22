"""What holds for every public page and file."""

import html
import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from urllib.parse import unquote, urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.catalog import Catalog, Published, published
from devportal.catalog.pages import Options, catalog_pages
from devportal.catalog.pages.rendering import markdown_cell
from devportal.markup import Page, render_markdown, url_of
from tests.catalog.own_book import net, replace
from tests.contracts import own_catalog

from .build import RATE, TODAY
from .publishing import ANY_NETWORK, VOICE, files_of, pages_of, public, read, small_catalog

DATA = Path(__file__).parents[2] / "data"
GOLDEN = {
    "rates": "rates/index.md",
    "rates-sms": "rates/sms/index.md",
    "rates-sms-outbound": "rates/sms/outbound/index.md",
    "rates-sms-networks": "rates/sms/networks/index.md",
    "rates-voice": "rates/voice/index.md",
    "country-no": "coverage/no/index.md",
    "country-se": "coverage/se/index.md",
}
"""The golden file of each kind of page, and the page."""


@pytest.mark.parametrize("name", GOLDEN)
def test_pages_are_these(name: str, golden: Callable[[str, str], None]) -> None:
    """The whole page, its Markdown twin, its description and what search finds."""
    page = pages_of(small_catalog())[GOLDEN[name]]

    golden(f"catalog/{name}.html", page.body)
    golden(f"catalog/{name}.md", page.markdown)
    found = "".join(f"{entry.anchor}|{entry.title}|{entry.text}\n" for entry in page.search)
    golden(f"catalog/{name}.search.txt", f"{page.title}\n{page.description}\n\n{found}")


def test_every_link_has_its_target() -> None:
    """Ids are unique, links between the pages lead to a page, file or anchor that is there."""
    pages, files = pages_of(small_catalog()), files_of(small_catalog())
    bodies = {url_of(uri): read(page.body) for uri, page in pages.items()}
    ids = {url: frozenset(found.ids) for url, found in bodies.items()}
    for url, found in bodies.items():
        assert [value for value, count in Counter(found.ids).items() if count > 1] == [], url
        assert found.refused == [], url
        for link in found.links:
            target, _, anchor = unquote(urljoin(f"/{url}", link)).removeprefix("/").partition("#")
            target = target.partition("?")[0]
            assert target in bodies or target in files, f"{url}: {link}"
            assert not anchor or anchor in ids[target], f"{url}: {link}"


def test_headings_and_search_lead_somewhere() -> None:
    """The table of contents and the results of a search name anchors of their page."""
    for page in pages_of(small_catalog()).values():
        ids = set(read(page.body).ids)

        assert {heading.anchor for heading in page.headings} <= ids, page.uri
        assert {entry.anchor for entry in page.search} <= {"", *ids}, page.uri
        assert page.description.endswith(f"in force on {TODAY}.") or page.uri.count("/") < 2, page.uri


def test_an_empty_catalog_has_pages_that_say_so() -> None:
    """Nothing published is a state of its own, with files that hold only their header."""
    nothing = Published(on=TODAY)
    pages, files = pages_of(nothing), files_of(nothing)

    assert "No rate is published yet." in pages["rates/index.md"].body
    assert "none yet" in pages["rates/index.md"].description
    assert files["rates/rates.csv"].count(b"\n") == 1
    assert files["rates/rates.json"] == b'{"rates": []}\n'
    assert "<table" not in pages["rates/index.md"].body
    assert [uri for uri in pages if uri.count("/") > 1] == []


def _private_words(catalog: Catalog, shown: Published) -> Iterator[str]:
    """Yield the names, notes and restrictions that only samples have which are not public."""
    public = {row.terms.ref for row in shown.rates} | {row.terms.ref for row in shown.replaced_rates}
    public |= {row.terms.ref for row in shown.coverage} | {row.terms.ref for row in shown.replaced_coverage}
    restrictions = {text for row in shown.coverage for text in row.terms.restrictions}
    restrictions |= {text for row in shown.replaced_coverage for text in row.terms.restrictions}
    for version in catalog.records.all():
        yield from (version.note,) if version.note else ()
        if version.ref not in public:
            yield f"{version.ref.id}@{version.ref.version}"
            yield f"rate-{version.ref.id}-{version.ref.version}"
    for record in catalog.records.coverage:
        yield from set(record.terms.restrictions) - restrictions


def test_nothing_private_is_in_any_byte_of_the_output() -> None:
    """No name, note or restriction of a sample that is not public occurs anywhere."""
    catalog = own_catalog()
    shown = published(catalog.records, catalog.audit, date(2026, 11, 21))
    output = "\n".join(
        f"{made!r}{made.body}{made.markdown}"
        if isinstance(made, Page)
        else f"{made.uri}{made.content.decode(errors='replace')}"
        for made in catalog_pages(shown, Options())
    )
    words = "|".join(map(re.escape, sorted(_private_words(catalog, shown))))

    assert words.count("|") > 20
    assert re.findall(rf"\b(?:{words})(?![0-9])", output) == []
    assert re.search(r"\brate-[a-z0-9-]+-[0-9]+\b", output)


HOSTILE = "<img src=x onerror=alert(1)>|[x](javascript:y)`*_\"'&amp;"


def test_hostile_names_are_shown_as_text() -> None:
    """HTML and Markdown in a network's name are in no page and no twin as anything but text."""
    terms = replace(RATE, network=net(name=HOSTILE, mcc="242", mnc="010"))
    showing = [page for page in pages_of(public((terms,))).values() if "onerror" in page.body]

    assert {page.uri for page in showing} >= {"rates/sms/index.md", "coverage/no/index.md"}
    for page in showing:
        assert "<img" not in page.body, page.uri
        assert "&lt;img src=x onerror=alert(1)&gt;" in page.body, page.uri
        twin = render_markdown(page.markdown)
        assert "<img" not in twin, page.uri
        assert "javascript:" not in re.sub(r">[^<]*<", "><", twin), page.uri


@given(st.text(max_size=40))
def test_a_markdown_cell_is_its_text(text: str) -> None:
    """Rendered again, the cell of a table holds the text and nothing else."""
    words = " ".join(text.replace("\0", "").split())
    table = f"| a |\n| --- |\n| x{markdown_cell(words)}x |\n"

    rendered = re.findall(r"<td>(.*?)</td>", render_markdown(table), re.DOTALL)

    assert len(rendered) == 1
    assert html.unescape(rendered[0]) == f"x{words}x"


def test_the_same_records_give_the_same_bytes() -> None:
    """The order of the records in their files does not show."""
    forward, backward = public((RATE, VOICE, ANY_NETWORK)), public((ANY_NETWORK, VOICE, RATE))

    assert files_of(forward) == files_of(backward)
    assert pages_of(forward) == pages_of(backward)
