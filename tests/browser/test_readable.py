"""All that a contract, records and entries say can be read in a browser without scripts.

What there is to say comes from the contract as it is written, from the records and from the entries, never
from the pages.
"""

import re
from datetime import date
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from devportal.catalog import PublishedRate, load_catalog, published
from devportal.catalog.pages.prices import price_text
from devportal.changelog import load_changelog
from devportal.markup import Page as Generated
from devportal.markup import plain_text
from tests.catalog.own_book import value
from tests.reference.coverage import missing
from tests.reference.raw import Raw
from tests.reference.shown import letters_and_digits

from .conftest import ROOT
from .readable import content_of, readable
from .views import WIDE

pytestmark = pytest.mark.browser

_TITLE = re.compile(r'<meta property="og:title" content="([^"]*)"')
_TAG = re.compile(r"<[^>]*>")
_OVERVIEWS = {"portal": "reference/index.md", "parcels": "index.md", "big": "index.md"}
# The link to the samples is for narrow windows, where these come last: beside them nobody needs it.
_UNSEEN = """() => {
  const unread = "[hidden], dialog, [role=status], .dp-hidden, .dp-op__bar";
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  for (const one of document.querySelectorAll("details")) one.open = true;
  const isBehindATab = (one) => one.closest(".dp-tabs__panel, .tabbed-block") !== null;
  return [...document.querySelectorAll("article :is(h1, h2, h3, p, li, td, th, dt, dd, code, summary)")]
    .filter((one) => one.textContent.trim() && !one.closest(unread))
    .filter((one) => !isBehindATab(one) && !isSeen(one))
    .map((one) => one.textContent.trim().slice(0, 80));
}"""
_PANELS = """() => [...document.querySelectorAll("article .dp-tabs > input")].flatMap((input) => {
  input.click();
  const panel = input.nextElementSibling.nextElementSibling;
  const isInside = panel.parentElement.closest(".dp-tabs__panel");
  return isInside || panel.checkVisibility({ visibilityProperty: true }) ? [] : [input.id];
})"""


def network_of(rate: PublishedRate) -> str:
    """Return the name of the network that a rate is for, empty if it is for all."""
    network = value(rate.terms, "network")
    return str(network["name"]) if network else ""


def pages_in(site: Path) -> dict[str, Generated]:
    """Return the pages of the reference of a site, as they are read without scripts."""
    twins = [*(site / "reference").rglob("*.md"), site / "index.md"]
    made = {}
    for twin in sorted(twins):
        uri = twin.relative_to(site).as_posix()
        html = (site / uri.removesuffix(".md").removesuffix("index") / "index.html").read_text(
            encoding="utf-8"
        )
        title = _TITLE.search(html)
        made[uri] = Generated(
            uri=uri,
            title=unescape(title[1]) if title else "",
            description="",
            body=content_of(site, uri),
            markdown=twin.read_text(encoding="utf-8"),
        )
    overview = _OVERVIEWS[site.name]
    return {overview: made.pop(overview), **made}


@pytest.mark.parametrize(
    ("site", "contract"),
    [
        ("portal", ROOT / "openapi" / "openapi.yaml"),
        ("parcels", ROOT / "tests" / "reference" / "contracts" / "rich-3.1.yaml"),
        pytest.param("big", None, marks=pytest.mark.deep),
    ],
)
def test_contract_is_read_without_scripts(site: str, contract: Path | None, sites: Path) -> None:
    """Every operation, parameter, field, status and example of it, on the page where it belongs."""
    pages = pages_in(sites / site)

    assert missing(Raw.read(contract or sites.with_name("big.json")), pages) == []


def test_what_only_a_script_would_show_is_noticed(sites: Path) -> None:
    """A parameter, a status or an example that is hidden until a script runs is missing."""
    pages = pages_in(sites / "parcels")
    raw = Raw.read(ROOT / "tests" / "reference" / "contracts" / "rich-3.1.yaml")
    uri = "reference/parcels/create-parcel.md"
    page = pages[uri]

    for opening in ('<li class="dp-field', "<details", '<aside class="dp-op__samples'):
        assert opening in page.body
        body = readable(
            page.body.replace(
                opening, opening.replace(" ", " hidden ", 1) if " " in opening else f"{opening} hidden"
            )
        )
        changed = {
            **pages,
            uri: Generated(uri=uri, title=page.title, description="", body=body, markdown=page.markdown),
        }
        assert missing(raw, changed) != [], opening


def test_hidden_parts_are_left_out() -> None:
    """With what is inside them, and no more: elements of their name in them, templates, dialogs, scripts."""
    html = (
        "<p>a<b hidden>b</b><div class='x'>c</div>"
        '<div id="i" hidden><div>d</div>e</div><span class="y dp-hidden">f</span>'
        "<dialog open>g</dialog><template><i>h</i></template><script>j</script>k</p>"
    )

    assert readable(html) == "<p>a<div class='x'>c</div>k</p>"


def words_of(site: Path, *uris: str) -> str:
    """Return the letters and digits of pages, as they are read without scripts."""
    return letters_and_digits(" ".join(unescape(_TAG.sub(" ", content_of(site, uri))) for uri in uris))


def test_rates_and_coverage_are_read_without_scripts(sites: Path) -> None:
    """Of each public rate price, currency and network on the page of its country; each country covered."""
    catalog, _ = load_catalog(ROOT / "data", name="data")
    public = published(catalog.records, catalog.audit, date(2026, 12, 1))
    site = sites / "portal"
    texts = {
        market: words_of(site, f"coverage/{market.lower()}/index.md")
        for market in {rate.terms.market for rate in public.rates}
    }

    lost = [
        (rate.terms.ref, wanted)
        for rate in public.rates
        for wanted in (
            price_text(rate.terms.price, 0),
            rate.terms.currency,
            network_of(rate),
        )
        if letters_and_digits(wanted) not in texts[rate.terms.market]
    ]
    unseen = [
        record.terms.ref
        for record in public.coverage
        if not (site / "coverage" / record.terms.market.lower() / "index.html").is_file()
    ]

    assert len(public.rates) > 100
    assert (lost, unseen) == ([], [])


def test_entries_are_read_without_scripts(sites: Path) -> None:
    """Each entry in the list of all, and every section of it on its own page."""
    entries, findings = load_changelog(ROOT / "changelog", name="changelog")
    site = sites / "portal"
    listed = words_of(site, "changelog/index.md")

    assert findings == ()
    assert len(entries) > 20
    for entry in entries:
        text = words_of(site, f"changelog/{entry.id}/index.md")
        assert letters_and_digits(entry.title) in listed
        for section in entry.sections:
            assert letters_and_digits(plain_text(section.text)) in text, (entry.id, section.name)


@pytest.mark.parametrize(
    "path",
    [
        "portal/reference/messages/send-message/",
        "portal/reference/schemas/new-message/",
        "portal/rates/sms/",
        "portal/changelog/",
        "portal/guides/webhooks/",
        "big/reference/meta/meta-set-thing-1169/",
        "big/reference/schemas/event/",
    ],
)
def test_style_sheets_hide_nothing_more(path: str, browser: Browser, origin: str) -> None:
    """With all details opened each text is visible, and each tab shows its panel when it is clicked."""
    with browser.new_context(viewport=WIDE, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{origin}/{path}")

        assert page.evaluate(_UNSEEN) == []
        assert page.evaluate(_PANELS) == []


def test_text_that_a_style_sheet_hides_is_noticed(browser: Browser, origin: str) -> None:
    """A list of fields that waits for a script in a style sheet would be found."""
    sheet = ".no-js .dp-fields { visibility: hidden } .dp-tabs__panel { display: none !important }"
    with browser.new_context(viewport=WIDE, java_script_enabled=False) as context:
        page = context.new_page()
        page.route(
            "**/immutable/portal.*.css",
            lambda route: route.fulfill(response=(whole := route.fetch()), body=whole.text() + sheet),
        )
        page.goto(f"{origin}/portal/reference/messages/send-message/")

        assert page.evaluate(_UNSEEN) != []
        assert page.evaluate(_PANELS) != []
