"""What this project's site holds for programs: twins that lead to each other, heads, files."""

import gzip
import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
import yaml
from markdown_it import MarkdownIt

from devportal.contract import load_contract, read_contract
from devportal.documents import parse_document
from devportal.site.rendering.environments import THEME
from devportal.site.rendering.page_assets import packed_script
from tests.own_site import OwnSite

from .building import ROOT, Tags, contents

SITE_URL = "https://devportal.example.com/"
EARLIER = re.compile(r"reference/\d+\.\d+\.\d+/")
"""Where the pages of earlier releases begin."""
SKILLS = ".well-known/agent-skills/"
"""Where Markdown lies that is no twin."""


@pytest.fixture(scope="module")
def files(own_site: OwnSite) -> dict[str, bytes]:
    """Return every file of the site."""
    return contents(own_site.site_dir)


@pytest.fixture(scope="module")
def pages(files: dict[str, bytes]) -> dict[str, Tags]:
    """Return the tags of every HTML page by its address, but the one for errors and those that have moved."""
    found = {
        name.removesuffix("index.html"): Tags(data.decode())
        for name, data in files.items()
        if name.endswith(".html") and name != "404.html" and not name.startswith("assets/")
    }
    return {
        name: page
        for name, page in found.items()
        if not any(values.get("http-equiv") == "refresh" for _, values in page.tags)
    }


def links_of(markdown: str) -> Iterator[str]:
    """Yield where the links of a Markdown document lead."""
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        for child in token.children or ():
            if child.type == "link_open":
                yield str(child.attrs["href"])


def head_of(page: Tags) -> dict[str, str]:
    """Return the meta elements of a page by name or property; none may be there twice."""
    metas = [
        values for tag, values in page.tags if tag == "meta" and ("name" in values or "property" in values)
    ]
    named = {values.get("property") or values["name"]: values["content"] for values in metas}
    assert len(named) == len(metas)
    return named


def link(page: Tags, rel: str, media_type: str = "") -> list[str]:
    """Return the targets of the link elements of a relation."""
    return [
        values["href"]
        for tag, values in page.tags
        if tag == "link" and rel in values["rel"].split() and media_type in values.get("type", "")
    ]


def test_every_page_has_a_twin(pages: dict[str, Tags], files: dict[str, bytes]) -> None:
    """It starts with a heading, and is linked in the head and in the page; on the home page only in the head."""
    for name, page in pages.items():
        (twin,) = link(page, "alternate", "text/markdown")
        target = unquote(urljoin(SITE_URL + name, twin)).removeprefix(SITE_URL)
        assert PurePosixPath(target).suffix == ".md"
        assert files[target].startswith(b"# "), target
        is_linked = any(tag == "a" and values.get("href") == twin for tag, values in page.tags)
        assert is_linked == bool(name), name


def test_every_page_and_twin_leads_agents_to_the_table_of_contents(
    pages: dict[str, Tags], files: dict[str, bytes]
) -> None:
    """Above its content: behind the skip link of a page, behind the title of a twin."""
    for name, page in pages.items():
        links = [values.get("href", "") for tag, values in page.tags if tag == "a"]
        index = next(text for text in links if text.endswith("/llms.txt"))
        assert urljoin(SITE_URL + name, index) == f"{SITE_URL}llms.txt"
        assert links.index(index) <= 2, name
    for name, data in files.items():
        if name.endswith(".md") and not name.startswith(SKILLS):
            title, blank, line, *_ = data.decode().split("\n")
            assert (title[:2], blank) == ("# ", ""), name
            assert line.startswith("> For AI agents:"), name
            assert line.endswith(f"]({SITE_URL}llms.txt)."), name


def test_links_of_twins_lead_somewhere(files: dict[str, bytes]) -> None:
    """They are absolute: who reads a twin may not know where it lies."""
    links = {
        (name, target)
        for name, data in files.items()
        if name.endswith(".md")
        for target in links_of(data.decode())
    }

    assert [pair for pair in links if not urlsplit(pair[1]).scheme and not pair[1].startswith("#")] == []
    assert [
        (name, target)
        for name, target in links
        if target.startswith(SITE_URL) and not is_there(urldefrag(target).url, files)
    ] == []


def is_there(address: str, files: dict[str, bytes]) -> bool:
    """Say whether a file or a page is at an address."""
    name = unquote(address).removeprefix(SITE_URL)
    return (f"{name}index.html" if not name or name.endswith("/") else name) in files


def test_heads_say_what_the_page_is(pages: dict[str, Tags]) -> None:
    """For previews where the page is shared: title, words, address, site."""
    for name, page in pages.items():
        head = head_of(page)
        assert head["og:title"]
        assert head["og:description"] == head["description"], name
        assert head["og:site_name"] == "Programmable Messaging"
        assert head["og:type"] == ("website" if not name else "article")
        assert [head["og:url"]] == link(page, "canonical")
        if not EARLIER.match(name):
            assert head["og:url"] == f"{SITE_URL}{name}"
        assert head["twitter:card"] == ("summary_large_image" if "og:image" in head else "summary")


def test_heads_lead_to_the_description_of_the_api(pages: dict[str, Tags], files: dict[str, bytes]) -> None:
    """By the relations that are registered for that (RFC 8631, RFC 9727), for what is now."""
    for name, page in pages.items():
        if EARLIER.match(name):
            assert link(page, "service-desc") == []
            continue
        for rel, target in (("service-desc", "openapi.json"), ("api-catalog", ".well-known/api-catalog")):
            (found,) = link(page, rel)
            assert urljoin(SITE_URL + name, found) == SITE_URL + target
            assert target in files


def test_the_contract_in_one_file(files: dict[str, bytes]) -> None:
    """YAML and JSON say what the files of the contract say, without a reference that leads out."""
    text = files["openapi.yaml"].decode()
    published = read_contract(parse_document(text, name="openapi.yaml"))
    written = load_contract(ROOT / "openapi" / "openapi.yaml")

    assert json.loads(files["openapi.json"]) == yaml.load(text, Loader=yaml.CSafeLoader)
    assert published.findings == ()
    assert set(re.findall(r"\$ref\W+([^\s\"']*)#/", text)) == {""}
    assert [operation.id for operation in published.api.operations] == [
        operation.id for operation in written.api.operations
    ]
    assert [webhook.name for webhook in published.api.webhooks] == [
        webhook.name for webhook in written.api.webhooks
    ]


def test_links_of_the_catalogue_lead_into_the_site(files: dict[str, bytes]) -> None:
    """Absolute, as the site has an address."""
    _, *services = json.loads(files[".well-known/api-catalog"])["linkset"]

    for service in services:
        for item in service["service-desc"]:
            assert item["href"].removeprefix(SITE_URL) in files
        assert service["service-doc"][0]["href"] == f"{SITE_URL}reference/"


def test_llms_txt_lists_every_twin_once(files: dict[str, bytes]) -> None:
    """In its sections or in theirs, and in the whole; those of earlier releases would say everything once more."""
    texts = {name: data.decode() for name, data in files.items() if re.match(r"llms(/.*)?\.txt\Z", name)}
    listed = [
        other_text for text in texts.values() for other_text in links_of(text) if other_text.endswith(".md")
    ]
    sources = re.findall(r"^Source: (.*)$", files["llms-full.txt"].decode(), re.MULTILINE)
    twins = {
        SITE_URL + name
        for name in files
        if name.endswith(".md") and not EARLIER.match(name) and not name.startswith(SKILLS)
    }

    assert max(map(len, texts.values())) < 50_000
    assert set(texts) - {"llms.txt"} <= {text.removeprefix(SITE_URL) for text in links_of(texts["llms.txt"])}
    assert len(listed) == len(set(listed))
    assert set(listed) == twins == set(sources)


def test_scripts_stay_small(files: dict[str, bytes]) -> None:
    """What any one page names, gzipped, the theme's included; all that is ours, before it is joined; and the console,
    which who opens it loads: with a page's own it stays within the same bound (tests/browser/test_weight.py)."""
    sizes = {name: len(gzip.compress(data)) for name, data in files.items() if name.endswith(".js")}
    pages = {name: data.decode() for name, data in files.items() if name.endswith(".html")}
    named = {
        name: sum(sizes[posixpath.normpath(posixpath.join(posixpath.dirname(name), item))] for item in found)
        for name, text in pages.items()
        if name != "404.html" and (found := re.findall(r'<script[^>]* src="([^"?]+)', text))
    }

    console = sum(size for name, size in sizes.items() if name.startswith("assets/devportal/console"))
    sources = [
        path
        for path in (THEME / "assets/devportal").rglob("*.js")
        if "console" not in str(path.relative_to(THEME))
    ]
    packed = (packed_script(source.read_text(encoding="utf-8")).encode() for source in sources)
    assert sum(len(gzip.compress(chunk)) for chunk in packed) <= 30_000
    assert console <= 56_000
    assert max(named.values()) <= 18_000


def test_skills_for_agents_are_in_the_index(files: dict[str, bytes]) -> None:
    """The contract and the guides that ask for it; every address in them is there."""
    folder = ".well-known/agent-skills/"
    index = json.loads(files[f"{folder}index.json"])

    names = {skill["name"] for skill in index["skills"]}
    assert names == {
        "programmable-messaging-api", "send-a-message", "receive-webhooks", "handle-errors", "list-and-read-messages",
    }  # fmt: skip
    for skill in index["skills"]:
        text = files[f"{folder}{skill['url']}"].decode()
        links = [urldefrag(target).url for target in links_of(text) if target.startswith(SITE_URL)]
        assert links, skill
        assert all(is_there(target, files) for target in links), skill
    assert f"{SITE_URL}{folder}index.json" in links_of(files["llms.txt"].decode()) or any(
        f"{SITE_URL}{folder}index.json" in data.decode()
        for name, data in files.items()
        if name.startswith("llms/")
    )
