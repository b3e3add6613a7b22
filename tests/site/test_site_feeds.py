"""Feeds in built sites: announced, readable, leading to what is there, and gone without a trace."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

import pytest

from devportal.errors import InvalidSettings
from tests.changelog.samples import file_text
from tests.markup.feed_grammars import addresses_in, check_together, ids_in, links_in
from tests.own_site import OwnSite

from .building import DAY, Tags, built_project, contents, environment, write_project

SITE_URL = "https://devportal.example.com/"
_FEED = re.compile(r"(?:changelog|rates)/(?:.*/)?feed(?:/\d+)?\.(?:rss|atom|json)")
_TRACE = re.compile(rb"feed\.(?:rss|atom|json)|application/(?:rss|atom|feed)\+|Subscribe by")


def feeds_in(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files of feeds in a site, by name."""
    return {name: content for name, content in files.items() if _FEED.fullmatch(name)}


def project(folder: Path, *, feed: bool = True, site_url: str = SITE_URL, **plugin: Any) -> dict[str, bytes]:
    """Return every file of a small project's site that has a changelog."""
    entries = folder / "changelog"
    entries.mkdir(parents=True, exist_ok=True)
    text = file_text(apis=["Parcels"])
    (entries / "2026-03-05-a-thing.md").write_text(text, encoding="utf-8")
    settings = {"changelog": "changelog", "feed": feed, **plugin}
    config = write_project(folder, plugin=settings, site_url=site_url)
    with environment(SOURCE_DATE_EPOCH=DAY):
        assert built_project(config, folder / "site").findings == ()
    return contents(folder / "site")


@pytest.fixture(scope="module")
def files(own_site: OwnSite) -> dict[str, bytes]:
    """Return every file of this project's own site."""
    return contents(own_site.site_dir)


def test_every_feed_of_our_own_site_keeps_to_the_grammars(files: dict[str, bytes]) -> None:
    """Those of the changelog and that of the rates, each in three forms."""
    feeds = feeds_in(files)

    assert {f"{area}/feed.{form}" for area in ("changelog", "rates") for form in ("rss", "atom", "json")} <= {
        *feeds
    }
    check_together(feeds)


def test_every_address_in_our_own_feeds_is_built(files: dict[str, bytes]) -> None:
    """Pages with the anchor that is asked for, and other feeds."""
    feeds = feeds_in(files)
    linked = {link for name, data in feeds.items() if name.endswith(".json") for link in addresses_in(data)}
    linked |= {
        link for name, data in feeds.items() if "json" not in name for link in links_in(name, data).values()
    }

    for link in linked:
        assert re.match("https?://|mailto:", link)
        if link.startswith(SITE_URL):
            url, anchor = urldefrag(link)
            name = unquote(url.removeprefix(SITE_URL))
            content = files[name if name in files else f"{name}index.html"]
            assert not anchor or f'id="{unquote(anchor)}"'.encode() in content, link


def test_every_announced_feed_is_built(files: dict[str, bytes]) -> None:
    """Heads of the pages of the changelog and of the rates name files that are there, by their media type."""
    kinds = {"rss": "rss+xml", "atom": "atom+xml", "json": "feed+json"}
    found = 0
    for name, data in files.items():
        if name.endswith("index.html") and name.startswith(("changelog/", "rates/")):
            links = [
                (values["type"], urljoin(name, values["href"]))
                for tag, values in Tags(data.decode()).tags
                if tag == "link" and "feed." in values.get("href", "")
            ]
            assert len(links) in {3, 6}, name
            for kind, target in links:
                assert kind == f"application/{kinds[target.rpartition('.')[2]]}"
                assert target in files
            found += 1
    assert found > 10


def test_a_site_without_feeds_has_no_trace_of_them(folder: Path) -> None:
    """No file, no link, no announcement: not in pages, twins, the search index, nor in lists for machines."""
    with_feeds, without = project(folder / "on"), project(folder / "off", feed=False)

    assert {name for name, data in with_feeds.items() if _TRACE.search(data)} >= {
        "changelog/index.html",
        "changelog/index.md",
    }
    listed = {"changelog/feeds/index.html", "changelog/feeds.md"}
    assert {*with_feeds} - {*without} == {*feeds_in(with_feeds), *listed}
    assert {name for name, data in without.items() if _TRACE.search(data)} == set()


def test_two_builds_write_the_same_feeds(folder: Path) -> None:
    """A static host answers readers that nothing has changed."""
    assert feeds_in(project(folder / "one")) == feeds_in(project(folder / "two"))


def test_ids_are_of_the_host_unless_a_setting_says_otherwise(folder: Path) -> None:
    """The path is in no id, and the host only where no authority is named."""
    built = [
        project(folder / "a", site_url="https://a.example/"),
        project(folder / "b", site_url="https://a.example/docs/"),
        project(folder / "c", site_url="https://c.example/", feed_authority="a.example"),
        project(folder / "d", site_url="https://d.example/"),
    ]
    here, there, moved, other = (ids_in("x.atom", files["changelog/feed.atom"]) for files in built)

    assert here == ["tag:a.example,2026-03-05:changelog/2026-03-05-a-thing"]
    assert here == there == moved
    assert other == ["tag:d.example,2026-03-05:changelog/2026-03-05-a-thing"]


def test_a_host_that_names_nobody_is_refused(folder: Path) -> None:
    """An address of digits in brackets makes no tag URI: the message names the setting that helps."""
    with pytest.raises(InvalidSettings, match="authority") as caught:
        project(folder, site_url="http://[::1]/")

    assert "feed_authority" in caught.value.help
