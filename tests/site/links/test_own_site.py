"""This project's own site: what is in it, and what must never be."""

import gzip
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit
from xml.etree import ElementTree

import feedparser
import pytest

from devportal.catalog import load_catalog, published
from devportal.reference.pages.part_pages import MAX_NODES
from devportal.site.links import check_links
from devportal.site.output.twins import TwinPublisher
from tests.catalog.own_book import value
from tests.contracts import own_contract
from tests.own_site import OwnSite
from tests.site.building import DAY, ROOT, Tags, contents, environment
from tests.site.reading_search import entries
from tests.waiting import PATIENCE_S

SITE_URL = "https://devportal.example.com/"
EARLIER = re.compile(r"reference/\d+\.\d+\.\d+/")
"""Where the pages of earlier releases begin."""


@pytest.fixture(scope="module")
def files(own_site: OwnSite) -> dict[str, bytes]:
    """Return every file of the site, and what packed ones hold unless it stands beside them."""
    found = contents(own_site.site_dir)
    unpacked = {name[:-3]: gzip.decompress(data) for name, data in found.items() if name.endswith(".gz")}
    new = {name: data for name, data in unpacked.items() if found.get(name) != data}
    return {**found, **{f"{name} (unpacked)": data for name, data in new.items()}}


@pytest.fixture(scope="module")
def pages(files: dict[str, bytes]) -> dict[str, Tags]:
    """Return the tags of every HTML page by its address below the site."""
    return {
        name.removesuffix("index.html"): Tags(data.decode())
        for name, data in files.items()
        if name.endswith(".html")
    }


def test_build_has_no_findings(own_site: OwnSite) -> None:
    """Our own inputs are right, and the site builder has nothing to warn of."""
    assert own_site.complaints == ()


def test_a_generated_page_among_others_shows_these(files: dict[str, bytes]) -> None:
    """The page of deployments leads to the pages of its section, and is called there as everywhere."""
    page = files["conformance/status/index.html"].decode()
    links = re.findall(r'<a href="([^"]*)"[^>]*>\s*([^<]*?)\s*</a>', page)

    assert {("./", "Status"), ("../running/", "Run it"), ("../checks/", "Checks")} <= set(links)


def test_every_kind_of_page_is_there(files: dict[str, bytes]) -> None:
    """Home, guide, operation and group, errors, rates, coverage, changelog with feed, Python API, twins."""
    expected = {
        "index.html",
        "guides/get-started/index.html",
        "reference/index.html",
        "reference/messages/index.html",
        "reference/messages/send-message/index.html",
        "reference/messages/send-message.md",
        "reference/errors/index.html",
        "rates/index.html",
        "rates/index.md",
        "coverage/index.html",
        "changelog/index.html",
        "changelog/feed.rss",
        "toolkit/python-api/index.html",
        "search/search_index.json",
        "sitemap.xml",
    }

    assert expected - set(files) == set()


def test_every_operation_of_the_contract_has_a_page(files: dict[str, bytes]) -> None:
    """The number of operations is the number of pages with an operation's head."""
    api = own_contract().api
    heads = [
        data
        for name, data in files.items()
        if name.endswith(".html") and b"dp-op__line" in data and not EARLIER.match(name)
    ]

    for operation in api.operations:
        assert sum(f'<h1 id="{operation.id}">'.encode() in data for data in heads) == 1


def private_words() -> Iterator[str]:
    """Yield the ids, prices, networks, notes and restrictions that only records have that are not shown:
    neither public nor replaced by what is.
    """
    catalog, findings = load_catalog(ROOT / "data", name="data")
    assert findings == ()
    public = published(catalog.records, catalog.audit, date(2026, 12, 1))
    rates = [*(row.terms for row in public.rates), *(row.terms for row in public.replaced_rates)]
    coverage = [*(row.terms for row in public.coverage), *(row.terms for row in public.replaced_coverage)]
    shown = {terms.ref for terms in (*rates, *coverage)}
    shown_ids = {ref.id for ref in shown}
    texts = "\n".join(map(repr, (*rates, *coverage)))
    for version in catalog.records.all():
        if version.note:
            yield version.note
        if version.ref.id not in shown_ids:
            yield version.ref.id
        if version.ref not in shown:
            yield f"{version.ref.id}@{version.ref.version}"
    for rate in catalog.records.rates:
        if rate.ref not in shown:
            yield f"{rate.terms.price:f}"
            network = value(rate.terms, "network")
            if network is not None and network["name"] not in texts:
                yield network["name"]
    for record in catalog.records.coverage:
        if record.ref not in shown:
            yield from (text for text in record.terms.restrictions if text not in texts)


def test_nothing_unpublished_is_in_any_byte(files: dict[str, bytes]) -> None:
    """No id, price, network, note or restriction of a record that is not public occurs in any file; documents of the
    toolkit may have the same numbers.
    """
    words = {word.encode() for word in private_words()}
    texts = {word for word in words if not re.fullmatch(rb"[\d.]+", word)}
    hand_written = ("contributing/", "decisions/", "toolkit/")

    leaks = [
        (word, name)
        for name, data in files.items()
        for word in (texts if name.startswith(hand_written) else words)
        if word in data
    ]

    assert len(words) > len(texts) > 20
    assert leaks == []
    assert b"0.10" in files["rates/index.html"], "the search finds what is public"


@pytest.mark.deep
def test_mkdocs_builds_the_same_bytes(own_site: OwnSite, tmp_path: Path) -> None:
    """`mkdocs build --strict` and `devportal build` make one and the same site, in another process: nothing
    in it depends on the clock beyond the day, on a path or on chance.
    """
    with environment(SOURCE_DATE_EPOCH=DAY, NO_MKDOCS_2_WARNING="1"):
        ended = subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", tmp_path / "site"],
            cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
        )  # fmt: skip

    assert ended.returncode == 0, ended.stderr
    assert differing_files(contents(own_site.site_dir), contents(tmp_path / "site")) == []


def differing_files(first: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """Return the names of the files that are not in both, or not the same."""
    return sorted(name for name in {*first, *other} if first.get(name) != other.get(name))


def test_no_machine_path_is_in_the_site(files: dict[str, bytes]) -> None:
    """A site does not tell where it was built."""
    assert [name for name, data in files.items() if str(ROOT).encode() in data] == []


@pytest.mark.parametrize("attribute", ["src", "href", "action", "data", "poster", "srcset"])
def test_nothing_is_loaded_from_another_host(pages: dict[str, Tags], attribute: str) -> None:
    """Scripts, styles, images and frames are files of the site; only links lead elsewhere."""
    foreign = [
        (page, tag, values[attribute])
        for page, found in pages.items()
        for tag, values in found.tags
        if attribute in values and tag not in {"a", "use"} and _is_loaded(tag, values)
        and urlsplit(values[attribute]).netloc
    ]  # fmt: skip

    assert foreign == []


def _is_loaded(tag: str, values: dict[str, str]) -> bool:
    return tag != "link" or bool(
        {"stylesheet", "icon", "preload", "modulepreload", "preconnect"} & {*values.get("rel", "").split()}
    )


def test_styles_load_nothing_from_another_host(files: dict[str, bytes]) -> None:
    """No style sheet has an import or an address of another host."""
    sheets = {name: data.decode() for name, data in files.items() if name.endswith(".css")}

    assert sheets
    for name, text in sheets.items():
        assert not re.search(r"@import|url\(\s*[\"']?(?:https?:)?//", text), name


DATA_TYPES = {"application/json", "application/ld+json"}
"""What a browser does not run."""


def test_nothing_is_inline(pages: dict[str, Tags]) -> None:
    """No script, style or event attribute in a page: `default-src 'self'` holds. Blocks of data are none."""
    inline = [
        (page, tag, name)
        for page, found in pages.items()
        for tag, values in found.tags
        for name in (tag, *values)
        if name == "style" or name.startswith("on")
    ]
    scripts = [
        (page, values)
        for page, found in pages.items()
        for tag, values in found.tags
        if tag == "script"
        and "src" not in values
        and values.get("type") not in {"application/json", "application/ld+json"}
    ]

    assert inline == []
    assert scripts == []


def test_every_link_leads_somewhere(own_site: OwnSite) -> None:
    """Of pages, twins, feeds and all other files, with their anchors."""
    checked = check_links(own_site.site_dir)

    assert checked.findings == ()
    assert checked.links > 50_000


def test_every_page_is_light(pages: dict[str, Tags]) -> None:
    """None is too large for a browser, whether it is generated or written by hand."""
    counts = {page: len(found.tags) for page, found in pages.items()}

    assert len(counts) > 300
    assert {page: count for page, count in counts.items() if count > MAX_NODES} == {}


def test_no_id_is_there_twice(pages: dict[str, Tags]) -> None:
    """The frame, the body and the tables of contents together."""
    for page, found in pages.items():
        ids = [values["id"] for _, values in found.tags if "id" in values]
        assert len(ids) == len(set(ids)), (page, {id_ for id_ in ids if ids.count(id_) > 1})


def test_search_knows_operations_fields_problems_and_guides(files: dict[str, bytes]) -> None:
    """By path, by the name of a field, by problem, and hand-written pages as the builder indexes them."""
    known = entries(files["search/search_index.json"].decode())
    by_address = {entry.address: entry for entry in known}

    operation = by_address["reference/messages/send-message/"]
    assert operation.tags == ("POST /v1/messages", "sendMessage")
    assert ("header.Idempotency-Key", "Headers") in operation.fields
    assert ("segments", "") in by_address["reference/schemas/accepted-message/"].fields
    assert any(text.startswith("reference/errors/") and text != "reference/errors/" for text in by_address)
    assert "rates/" in by_address
    assert any(text.startswith("guides/get-started/") for text in by_address)
    assert len(by_address) == len(known), "one entry per place"


def test_search_entries_lead_to_pages(files: dict[str, bytes], pages: dict[str, Tags]) -> None:
    """Every place that search knows is a page of the site, and the anchors of its fields are there."""
    known = entries(files["search/search_index.json"].decode())
    ids = {page: {values.get("id") for _, values in found.tags} for page, found in pages.items()}

    for entry in known:
        page, _, anchor = unquote(entry.address).partition("#")
        assert page in pages, entry.address
        assert not anchor or anchor in ids[page]
        assert {field for field, _ in entry.fields} <= ids[page]
    assert sum(len(entry.fields) for entry in known) > 50


def test_sitemap_lists_every_page_once(files: dict[str, bytes], pages: dict[str, Tags]) -> None:
    """Each HTML page but the one for errors, those that search engines are told to leave out, and those of
    earlier releases, of which the present ones stand there.
    """
    root = ElementTree.fromstring(files["sitemap.xml"])  # noqa: S314 - our own file
    listed = [element.text or "" for element in root.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]

    assert len(listed) == len(set(listed))
    hidden = {
        name
        for name, page in pages.items()
        if ("meta", {"name": "robots", "content": "noindex"}) in page.tags
    }
    signed_in = "assets/devportal/console/signed-in.html"
    assert {name for name in hidden if not EARLIER.match(name)} == {"reference/events/", signed_in}
    left_out = {"404.html", *hidden, *filter(EARLIER.match, pages)}
    assert {unquote(text.removeprefix(SITE_URL)) for text in listed} == pages.keys() - left_out


def test_feed_is_read_by_a_feed_reader(files: dict[str, bytes]) -> None:
    """RSS that parses without complaint, with entries that link to pages of the site."""
    feed = feedparser.parse(files["changelog/feed.rss"])

    assert not feed.bozo
    assert feed.version == "rss20"
    assert feed.entries
    for entry in feed.entries:
        name = urldefrag(entry.link).url.removeprefix(SITE_URL)
        assert f"{name}index.html" in files, entry.link


def test_twin_of_every_generated_page_is_linked(
    own_site: OwnSite, files: dict[str, bytes], pages: dict[str, Tags]
) -> None:
    """Each generated page says where the same content is for machines, and it is there."""
    assert own_site.twins
    for uri, markdown in own_site.twins.items():
        assert files[uri] == TwinPublisher(SITE_URL).publish(uri, markdown).encode()
    for name, found in pages.items():
        for tag, values in found.tags:
            if tag == "link" and values.get("type") == "text/markdown":
                assert unquote(urljoin(SITE_URL + name, values["href"])).removeprefix(SITE_URL) in files


def test_area_of_a_page_is_marked_in_the_tabs(files: dict[str, bytes]) -> None:
    """On an operation's page the tab of the reference is the current one."""
    html = files["reference/messages/send-message/index.html"].decode()
    active = re.findall(r'md-tabs__item--active">\s*<a href="[^"]*"[^>]*>\s*([^<]+?)\s*</a>', html)

    assert active == ["API reference"]
