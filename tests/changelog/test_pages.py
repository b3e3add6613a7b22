"""The pages of the changelog."""

import html
import json
import re
from collections.abc import Callable
from datetime import date
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

import pytest
from markdown_it import MarkdownIt

from devportal.changelog import Entry, changelog_pages, load_changelog
from devportal.markup import Artefact, Page, url_of
from devportal.project.settings import Settings

from .samples import FOLDER, SITE_URL, TITLE, entry, entry_on

NO_FEED = Settings(feed=False)

OPERATIONS = {"POST /v1/messages": "reference/messages/send.md"}


def sample_entries() -> tuple[Entry, ...]:
    """Return the entries beside this file."""
    entries, findings = load_changelog(FOLDER, name="entries")
    assert findings == ()
    return entries


def sample_files(*, feed: bool = True, site_url: str = SITE_URL) -> list[Page | Artefact]:
    """Return all pages and files of the sample entries."""
    pages = changelog_pages(
        sample_entries(), site_url=site_url, title=TITLE, settings=Settings(feed=feed), operations=OPERATIONS
    )
    return list(pages)


def page(uri: str) -> Page:
    """Return one page of the sample changelog."""
    return next(
        sample_file
        for sample_file in sample_files()
        if isinstance(sample_file, Page) and sample_file.uri == uri
    )


def test_each_filter_and_entry_has_a_page() -> None:
    """The list, a page for each API, impact and need for action that has entries, one for each entry, the feeds."""
    assert [sample_file.uri for sample_file in sample_files() if isinstance(sample_file, Page)] == [
        "changelog/index.md",
        "changelog/api/messages.md",
        "changelog/api/numbers-more.md",
        "changelog/impact/breaking.md",
        "changelog/impact/deprecation.md",
        "changelog/impact/additive.md",
        "changelog/api/messages/breaking.md",
        "changelog/api/messages/deprecation.md",
        "changelog/api/messages/additive.md",
        "changelog/api/numbers-more/additive.md",
        "changelog/action-required.md",
        "changelog/api/messages/action-required.md",
        "changelog/2026-02-01-strict-input.md",
        "changelog/2026-02-01-old-field-goes.md",
        "changelog/2026-01-10-first.md",
        "changelog/feeds.md",
    ]


@pytest.mark.parametrize(
    "uri", ["changelog/index.md", "changelog/impact/breaking.md", "changelog/2026-02-01-strict-input.md"]
)
def test_pages_are_as_agreed(uri: str, golden: Callable[[str, str], None]) -> None:
    """List, filtered list and entry, each whole, as HTML and as Markdown."""
    one = page(uri)

    golden(uri.replace(".md", ".html"), one.body)
    golden(uri, one.markdown)


def test_entry_with_every_field_is_as_agreed(golden: Callable[[str, str], None]) -> None:
    """What the contract says of an entry stands in its facts."""
    golden("changelog/2026-01-10-first.html", page("changelog/2026-01-10-first.md").body)
    golden("changelog/2026-02-01-old-field-goes.md", page("changelog/2026-02-01-old-field-goes.md").markdown)


def test_same_entries_give_the_same_output_in_any_order() -> None:
    """Neither the clock nor the order of files is in the output."""
    again = changelog_pages(reversed(sample_entries()), site_url=SITE_URL, title=TITLE, operations=OPERATIONS)

    assert list(again) == sample_files()


_CHOICE = re.compile(
    r'<li><(a|span)(?: href="([^"]*)")?([^>]*)>([^<]*) <span class="dp-changelog-count">(\d+)</span></\1></li>'
)


def choices(uri: str) -> list[tuple[str, str, int, bool]]:
    """Return the choices of all filters on a page: address, words, count, and whether each is current."""
    found = _CHOICE.findall(page(uri).body)
    return [(href, text, int(count), "aria-current" in rest) for _, href, rest, text, count in found]


def test_filters_mark_the_current_list_and_count() -> None:
    """Each link says how many entries it keeps beside the other choice; what keeps none leads nowhere."""
    assert choices("changelog/impact/breaking.md") == [
        ("./", "All APIs", 1, True),
        ("../../api/messages/breaking/", "Messages", 1, False),
        ("", "Numbers &amp; more", 0, False),
        ("../../", "All impacts", 3, False),
        ("./", "Breaking", 1, True),
        ("../deprecation/", "Deprecation", 1, False),
        ("../additive/", "Additive", 1, False),
        ("../../", "All changes", 3, False),
        ("../../action-required/", "Action required", 2, False),
    ]


def test_a_list_by_both_leads_back_to_each() -> None:
    """On the page of an API and an impact, the choice of all APIs keeps the impact."""
    assert choices("changelog/api/numbers-more/additive.md")[0] == (
        "../../../impact/additive/",
        "All APIs",
        1,
        False,
    )


def test_only_the_whole_list_is_filtered_by_a_script() -> None:
    """The controls are where all entries are; they have names, and each card says what it fits."""
    whole = page("changelog/index.md")

    assert whole.scripts == ("assets/devportal/changelog.js",)
    assert re.findall(r'name="(\w+)"|<option value="([^"]*)"', whole.body.partition("<form")[2]) == [
        ("api", ""),
        ("", ""),
        ("", "messages"),
        ("", "numbers-more"),
        ("impact", ""),
        ("", ""),
        ("", "breaking"),
        ("", "deprecation"),
        ("", "additive"),
        ("action", ""),
    ]
    assert 'data-apis="messages numbers-more" data-impact="additive">' in whole.body
    assert page("changelog/impact/breaking.md").scripts == ()


def test_a_card_says_what_changed_who_is_affected_and_what_to_do() -> None:
    """The steps are a link, since they are often long."""
    body = page("changelog/index.md").body

    card = body[body.index('id="2026-02-01-strict-input"') :].partition("</article>")[0]
    assert "A request with an unknown member gets" in card
    assert "<dt>Who is affected</dt>" in card
    assert '<a href="2026-02-01-strict-input/#migration">Follow the migration steps</a>' in card


@pytest.mark.parametrize(
    ("what", "shown", "hidden"),
    [
        (
            "Two new names:\n\n| a | b |\n|---|---|\n| one | two |\n\nMore.",
            ["names:", "<table", "two"],
            "More",
        ),
        ("These:\n\n- one\n\n- two\n\nMore.", ["These:", "one", "two"], "More"),
        ("- one\n\n- two\n\nMore.", ["one", "two"], "More"),
        ("These:\n\n- one\u2028two\n- three\n\nMore.", ["These:", "one", "three"], "More"),
        ("A name.\n\n| a |\n|---|\n| one |", ["A name."], "<table"),
        ("Send:\n\n```\none\n\ntwo\n```\n\nMore.", ["Send:", "one", "two"], "More"),
    ],
)
def test_a_card_has_what_its_first_sentence_introduces(what: str, shown: list[str], hidden: str) -> None:
    """A list, a table or code, each whole; and nothing else of what follows."""
    made = entry(f"## What changed\n\n{what}\n\n## Who is affected\n\nNobody.\n")

    index = next(iter(changelog_pages((made,), NO_FEED, site_url=SITE_URL, title=TITLE)))

    assert isinstance(index, Page)
    card = index.body.partition('<article class="dp-changelog-card"')[2]
    assert all(text in card for text in shown)
    assert hidden not in card


@pytest.mark.parametrize("has_beta", [True, False])
def test_the_rule_of_beta_operations_stands_where_the_filter_is(*, has_beta: bool) -> None:
    """One visible sentence, in no box that has to be opened, and only if the contract has such parts."""
    index = next(
        iter(changelog_pages(sample_entries(), NO_FEED, site_url=SITE_URL, title=TITLE, has_beta=has_beta))
    )

    assert isinstance(index, Page)
    visible = index.body.partition('<details class="dp-nested')[0]
    assert ("Changes that break only parts in beta are marked <em>Breaking: beta</em>" in visible) is has_beta


def test_the_navigation_marks_the_page_or_what_it_belongs_to() -> None:
    """Each page of the changelog has the same navigation."""
    for uri, marked in (
        ("changelog/index.md", '<a href="./" aria-current="page">All changes</a>'),
        ("changelog/action-required.md", '<a href="./" aria-current="page">Action required</a>'),
        ("changelog/feeds.md", '<a href="./" aria-current="page">Feeds</a>'),
        ("changelog/2026-01-10-first.md", '<a href="../" aria-current="true">All changes</a>'),
    ):
        sidebar = page(uri).sidebar

        assert marked in sidebar
        assert sidebar.count("aria-current") == 1


def test_without_releases_the_navigation_lists_years() -> None:
    """Each year leads to its newest entry, on the page that has it."""
    entries = [entry_on(date(2026, 1, 1), f"number-{number:03}") for number in range(60)]
    entries.append(entry_on(date(2025, 12, 1), "older"))

    index = next(iter(changelog_pages(entries, NO_FEED, site_url="", title=TITLE)))

    assert isinstance(index, Page)
    assert '<a href="#2026-01-01-number-059">2026</a>' in index.sidebar
    assert '<a href="page-2/#2025-12-01-older">2025</a>' in index.sidebar


def test_long_lists_go_on_over_pages() -> None:
    """Sixty entries stand on a page, older ones on the next; the controls go, as they would miss those."""
    entries = [entry_on(date(2026, 1, 1), f"number-{number:03}") for number in range(61)]
    lists = {
        changelog_page.uri: changelog_page
        for changelog_page in changelog_pages(entries, site_url="", title=TITLE, settings=NO_FEED)
        if isinstance(changelog_page, Page)
    }

    first, second = lists["changelog/index.md"], lists["changelog/page-2.md"]

    assert first.body.count("<article") == 60
    assert second.body.count("<article") == 1
    assert 'rel="next"' in first.body
    assert 'rel="prev"' in second.body
    assert first.scripts == ()
    assert second.search == ()


def test_filtered_list_has_only_its_entries() -> None:
    """A page by API or impact shows the entries that the count promises."""
    body = page("changelog/api/numbers-more.md").body

    assert re.findall(r'<article class="[^"]*" id="([^"]*)">', body) == ["2026-01-10-first"]


class _Outline(HTMLParser):
    """Gathers what the tests below ask of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.headings: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.names |= {tag, *values}
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(tag)
        self.ids += [values["id"] or ""] if "id" in values else []
        self.links += [values["href"] or ""] if tag == "a" and "href" in values else []


def outline(item: Page) -> _Outline:
    """Return the outline of a page's body."""
    found = _Outline()
    found.feed(item.body)
    return found


def test_every_link_within_the_changelog_is_a_page() -> None:
    """No page links to an entry, a list or a feed that does not exist."""
    everything = sample_files()
    known = {urljoin(SITE_URL, url_of(item.uri)) for item in everything}

    linked = {
        urljoin(urljoin(SITE_URL, url_of(item.uri)), link).partition("#")[0]
        for item in everything
        if isinstance(item, Page)
        for link in outline(item).links
    }

    assert {link for link in linked if link.startswith(SITE_URL)} - known == {
        f"{SITE_URL}guides/start/",
        f"{SITE_URL}errors/unknown-member/",
        f"{SITE_URL}reference/messages/send/",
    }
    assert known <= linked


def test_pages_have_one_title_and_unique_anchors_and_no_script_or_style() -> None:
    """Each body fits a strict content policy, and the table of contents names anchors that exist."""
    for sample_file in sample_files():
        if isinstance(sample_file, Page):
            found = outline(sample_file)

            assert found.headings.count("h1") == 1
            assert found.headings[0] == "h1"
            assert len(found.ids) == len(set(found.ids))
            assert {heading.anchor for heading in sample_file.headings} <= set(found.ids)
            assert {entry.anchor for entry in sample_file.search} <= {"", *found.ids}
            assert not found.names & {"script", "style", "onclick", "iframe", "img"}


def test_text_of_a_title_is_escaped() -> None:
    """A title is plain text, whatever it looks like."""
    body = page("changelog/2026-02-01-strict-input.md").body

    assert "<h1>Unknown members are refused &lt;b&gt;now&lt;/b&gt;</h1>" in body


_HOSTILE = '<img src=x onerror="a()"> [a](javascript:b) `c ``d'


@pytest.mark.parametrize(
    "fields",
    [
        {"covers": [{"operation": _HOSTILE, "field": _HOSTILE}]},
        {"deprecates": [_HOSTILE], "replaces": [_HOSTILE]},
        {"amended": [{"date": "2026-03-06", "note": _HOSTILE}]},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_the_twin_says_facts_as_they_are_written(fields: dict[str, Any]) -> None:
    """No value of the front matter becomes an element or a link where the Markdown is rendered."""
    one = next(
        changelog_page
        for changelog_page in changelog_pages([entry(**fields)], site_url="", title=TITLE, settings=NO_FEED)
        if isinstance(changelog_page, Page) and changelog_page.uri == "changelog/2026-03-05-a-thing.md"
    )

    rendered = MarkdownIt("commonmark", {"html": True}).render(one.markdown)

    assert "<img" not in rendered
    assert not re.search('href="(?!impact/|api/|2026-)', rendered)
    assert html.escape(_HOSTILE, quote=True) in rendered


def test_code_in_what_is_deprecated_is_shown_as_code() -> None:
    """Where only a part of the words is code, the rest is text; a bare name is code as a whole."""
    one = entry(deprecates=["`code` in problems", "GET /v1/usage"])
    made = {page.uri: page for page in changelog_pages([one], site_url="", title=TITLE, settings=NO_FEED)}

    shown = made["changelog/2026-03-05-a-thing.md"]

    assert isinstance(shown, Page)
    assert "<dd><code>code</code> in problems, <code>GET /v1/usage</code></dd>" in shown.body
    assert "- Deprecates: `code` in problems, `GET /v1/usage`\n" in shown.markdown


def test_impact_is_said_in_words() -> None:
    """Nobody has to see a colour to know that a change is breaking."""
    for uri in ("changelog/index.md", "changelog/2026-02-01-strict-input.md"):
        assert '<span class="dp-badge dp-badge--breaking">Breaking</span>' in page(uri).body


def test_search_finds_entries_and_not_their_copies() -> None:
    """An entry is found once, by its page and its sections, and not on each list."""
    found = {
        sample_file.uri: [entry.title for entry in sample_file.search]
        for sample_file in sample_files()
        if isinstance(sample_file, Page)
    }

    assert found["changelog/index.md"] == ["Changelog"]
    assert found["changelog/api/messages.md"] == []
    assert found["changelog/2026-01-10-first.md"] == ["Everything begins", "What changed", "Who is affected"]


def test_neighbours_are_linked_both_ways() -> None:
    """The newest has no newer neighbour, the oldest no older one."""
    newest = page("changelog/2026-02-01-strict-input.md").body
    middle = page("changelog/2026-02-01-old-field-goes.md").body
    oldest = page("changelog/2026-01-10-first.md").body

    assert ("← Newer" in newest, "Older →" in newest) == (False, True)
    assert 'rel="prev" href="../2026-02-01-strict-input/"' in middle
    assert 'href="../2026-01-10-first/"' in middle
    assert ("← Newer" in oldest, "Older →" in oldest) == (True, False)


def test_feed_is_announced_on_each_page() -> None:
    """A feed reader finds the feed from any page of the changelog."""
    announced = ("application/rss+xml", "Sample API changelog", "changelog/feed.rss")

    assert all(
        announced in sample_file.feeds for sample_file in sample_files() if isinstance(sample_file, Page)
    )


def test_a_list_offers_the_feed_of_its_entries() -> None:
    """In each form, from the list of everything and from one that keeps some of it."""
    for folder in ("changelog", "changelog/api/messages/breaking", "changelog/action-required"):
        uri = f"{folder}/index.md" if folder == "changelog" else f"{folder}.md"
        found = [urljoin(urljoin(SITE_URL, url_of(uri)), link) for link in outline(page(uri)).links]

        assert [link for link in found if "feed" in link] == [
            *(f"{SITE_URL}{folder}/feed.{form}" for form in ("rss", "atom", "json")),
            f"{SITE_URL}changelog/feeds/",
        ]


def test_every_feed_is_on_one_page() -> None:
    """Each combination is named with its three files, whether it has entries or not, and the list for programs."""
    feeds = page("changelog/feeds.md")
    linked = {urljoin(f"{SITE_URL}changelog/feeds/", link) for link in outline(feeds).links}

    files = {
        urljoin(SITE_URL, sample_file.uri)
        for sample_file in sample_files()
        if isinstance(sample_file, Artefact)
    }
    changes = f"{SITE_URL}changelog/changes.json"
    assert {link for link in linked if "/feed." in link} | {changes} == files
    assert changes in linked
    assert f"{SITE_URL}changelog/api/numbers-more/breaking/feed.atom" in files
    assert f"{SITE_URL}changelog/api/messages/action-required/feed.json" in files


def test_the_script_is_told_which_feeds_there_are() -> None:
    """Folders below that of the main feed, so that a filter leads to a file that exists."""
    told = re.search(r'data-feeds="([^"]*)"', page("changelog/index.md").body)

    files = {sample_file.uri for sample_file in sample_files() if isinstance(sample_file, Artefact)}
    assert told is not None
    assert {f"changelog/{folder}/feed.rss" for folder in told[1].split()} == {
        uri for uri in files if uri.endswith(".rss") and uri != "changelog/feed.rss"
    }


def test_a_great_many_apis_have_combined_feeds_of_their_entries_only() -> None:
    """The number of files is bounded, and the page of the feeds says so."""
    entries = [entry(apis=[f"API {number}" for number in range(40)])]
    pages = {
        changelog_page.uri: changelog_page
        for changelog_page in changelog_pages(entries, site_url=SITE_URL, title=TITLE)
    }

    feeds = pages["changelog/feeds.md"]

    assert isinstance(feeds, Page)
    assert "has a feed once it has an entry" in feeds.body
    assert "changelog/api/api-0/fix/feed.rss" not in pages
    assert "changelog/impact/fix/feed.rss" in pages


@pytest.mark.parametrize("address", ["", "https://portal.example/subscribe?x=1&y", "mailto:api@example.com"])
def test_the_page_of_the_feeds_says_where_to_ask_for_notifications(address: str) -> None:
    """Only if the project has such an address."""
    pages = changelog_pages(
        [entry()], site_url=SITE_URL, title=TITLE, settings=Settings(notifications=address)
    )
    (feeds,) = (item for item in pages if isinstance(item, Page) and item.uri == "changelog/feeds.md")

    assert (address in outline(feeds).links) == bool(address)
    assert ("ask for notifications" in feeds.body) == bool(address)
    assert (f"[ask for notifications]({address})" in feeds.markdown) == bool(address)


def test_feed_turned_off_leaves_no_trace() -> None:
    """Without the feed there is no file, no announcement and no word of it."""
    pages = [sample_file for sample_file in sample_files(feed=False) if isinstance(sample_file, Page)]
    assert [sample_file.uri for sample_file in sample_files(feed=False) if sample_file not in pages] == [
        "changelog/changes.json"
    ]
    for item in pages:
        assert item.feeds == ()
        assert not re.search("rss|feed", item.body + item.markdown, re.IGNORECASE)


def test_site_without_address_has_pages_without_feed() -> None:
    """Only the feed needs the site's address: a permalink is relative without it."""
    pages = sample_files(feed=False, site_url="")

    assert all("https://portal.example" not in item.body for item in pages if isinstance(item, Page))


def test_empty_changelog_says_so_and_has_no_feed() -> None:
    """Before the first entry there is a page that says so, a list for programs, and nothing else."""
    only, changes = changelog_pages((), site_url=SITE_URL, title=TITLE)

    assert isinstance(changes, Artefact)
    assert json.loads(changes.content)["entries"] == {}

    assert isinstance(only, Page)
    assert "No changes have been published yet." in only.body
    assert "No changes have been published yet." in only.markdown
    assert only.feeds == ()


def test_apis_of_one_slug_have_pages_of_their_own() -> None:
    """Names that differ only in case or signs do not share a page."""
    entries = [entry(apis=["Messages", "messages", "Messages!", "電話番号", "!"])]

    uris = [
        changelog_page.uri
        for changelog_page in changelog_pages(entries, site_url="", title=TITLE, settings=NO_FEED)
    ]

    assert [uri for uri in uris if re.match(r"changelog/api/[^/]*$", uri)] == [
        "changelog/api/api.md",
        "changelog/api/messages.md",
        "changelog/api/messages-2.md",
        "changelog/api/messages-3.md",
        "changelog/api/電話番号.md",
    ]


def test_entries_of_one_day_share_its_date() -> None:
    """The rail names a day once."""
    entries = [entry_on(date(2026, 3, 5), slug) for slug in ("a", "b")]

    index = next(iter(changelog_pages(entries, site_url="", title=TITLE, settings=NO_FEED)))

    assert isinstance(index, Page)
    assert index.body.count('<time datetime="2026-03-05">5 March 2026</time>') == 1
