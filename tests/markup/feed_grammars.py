"""What is wrong with a file of a feed: the grammars of its form, and what no grammar can say."""

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import feedparser
import jsonschema_rs
from lxml import etree  # type: ignore[import-untyped]

from devportal.markup import Artefact, Page

GRAMMARS = Path(__file__).parent / "grammars"
FORMS = ("rss", "atom", "json")
_ATOM = {"a": "http://www.w3.org/2005/Atom"}
_SCHEMATRON = {
    "boolean(a:author) or not(a:entry[not(a:author)])": "an entry has no author",
    "not(a:entry[not(a:content) and not(a:link[not(@rel) or @rel='alternate'])])": "an entry leads nowhere",
    "count(a:link[@rel='self']) = 1": "there is not one self link",
}
"""What RFC 4287 asserts beside its grammar (Appendix B, §4.1.1), and what we do."""


def faults_of(uri: str, content: bytes) -> list[str]:
    """Return what is wrong with a file of a feed by the grammar of its form."""
    match uri.rpartition(".")[2]:
        case "rss":
            return [*_by_grammar("rss.rng", content), *_by_reader(content, "rss20")]
        case "atom":
            return [*_by_grammar("atom.rng", content), *_by_rules(content), *_by_reader(content, "atom10")]
        case _:
            return [error.message for error in _json_feed().iter_errors(json.loads(content))]


def ids_in(uri: str, content: bytes) -> list[str]:
    """Return the ids of the items of a file, in their order."""
    if uri.endswith(".json"):
        return [item["id"] for item in json.loads(content)["items"]]
    path = "//item/guid" if uri.endswith(".rss") else "//a:entry/a:id"
    return [found.text for found in etree.fromstring(content).xpath(path, namespaces=_ATOM)]


def days_in(content: bytes) -> list[str]:
    """Return the days on which the items of a JSON Feed were published, in their order."""
    return [item["date_published"][:10] for item in json.loads(content)["items"]]


def addresses_in(content: bytes) -> Iterator[str]:
    """Yield every address that a JSON Feed leads to, those in the HTML of its items among them."""
    feed: dict[str, Any] = json.loads(content)
    yield from (feed[name] for name in ("home_page_url", "feed_url", "next_url") if name in feed)
    for item in feed["items"]:
        yield item["url"]
        html = etree.HTML(f"<div>{item['content_html']}</div>")
        yield from html.xpath("//@href | //@src")


def links_in(uri: str, content: bytes) -> dict[str, str]:
    """Return the link relations of an XML feed with their addresses."""
    path = "/rss/channel/a:link" if uri.endswith(".rss") else "/a:feed/a:link"
    found = etree.fromstring(content).xpath(path, namespaces=_ATOM)
    return {link.get("rel"): link.get("href") for link in found}


def feed_files(made: Iterable[Page | Artefact]) -> dict[str, bytes]:
    """Return the files of feeds among pages and files, by uri."""
    files = (page for page in made if isinstance(page, Artefact))
    return {
        file.uri: file.content for file in files if re.search(r"(^|/)feed[./].*(rss|atom|json)$", file.uri)
    }


def check_together(files: Mapping[str, bytes]) -> None:
    """Assert that each file keeps to its grammar, and that its three forms tell the same, in order."""
    for uri, content in files.items():
        assert faults_of(uri, content) == [], uri
    for stem in {uri.rpartition(".")[0] for uri in files}:
        rss, atom, made = (ids_in(f"{stem}.{form}", files[f"{stem}.{form}"]) for form in FORMS)
        days = days_in(files[f"{stem}.json"])

        assert rss == atom == made
        assert len(made) == len(set(made))
        assert days == sorted(days, reverse=True)


def _by_grammar(name: str, content: bytes) -> Iterator[str]:
    grammar = _grammar(name)
    if not grammar.validate(etree.fromstring(content)):
        yield str(grammar.error_log.last_error)


def _by_rules(content: bytes) -> Iterator[str]:
    feed = etree.fromstring(content)
    for rule, fault in _SCHEMATRON.items():
        if not feed.xpath(rule, namespaces=_ATOM):
            yield fault
    for entry in feed.xpath("a:entry[a:published]", namespaces=_ATOM):
        if entry.findtext("a:updated", None, _ATOM) < entry.findtext("a:published", None, _ATOM):
            yield "an entry changed before it was published"


def _by_reader(content: bytes, version: str) -> Iterator[str]:
    read = feedparser.parse(io.BytesIO(content))
    if read.bozo or read.version != version:
        yield f"a feed reader takes it for {read.version!r}: {read.get('bozo_exception')}"


@lru_cache
def _grammar(name: str) -> Any:
    return etree.RelaxNG(etree.parse(GRAMMARS / name))


@lru_cache
def _json_feed() -> jsonschema_rs.Draft202012Validator:
    text = (GRAMMARS / "json-feed.schema.json").read_text("utf-8")
    return jsonschema_rs.Draft202012Validator(json.loads(text))
