"""Definitions of hand-written pages: each is found by search as a place of its own."""

from pathlib import Path
from typing import Any

from devportal.markup import SearchEntry, SearchKind
from devportal.site.hand_written.inserting import definitions_in, without_definitions
from tests.site.building import built_project, write_project
from tests.site.reading_search import entries

HTML = """<h2 id="send">send<a class="headerlink" href="#send">#</a></h2>
<dl>
<dt><a class="dp-term" href="#send--to" id="send--to"><code>--to NAME</code></a></dt>
<dd>
<p>Who gets it: <code>a</code>, or &lt;b&gt;.</p>
<p class="dp-muted">One of <code>x</code>.</p>
</dd>
</dl>
<dl>
<dt>A word</dt>
<dd>of ours</dd>
</dl>"""
PAGE = """# Options

## send

Sends it.

[`--to NAME`](#send--to){ #send--to .dp-term }

:   Who gets it.

Word
:   Of ours.
"""
SETTINGS: dict[str, Any] = {
    "markdown_extensions": ["attr_list", "def_list"],
    "nav": [{"Options": "index.md"}],
}


def test_a_definition_is_an_entry_with_its_section() -> None:
    """Its name, its words as text, and its place; ordinary definitions are left to the theme."""
    assert list(definitions_in(HTML)) == [
        SearchEntry(
            kind=SearchKind.TERM,
            title="--to NAME",
            tags=("--to",),
            text="send: Who gets it: a, or <b>. One of x.",
            anchor="send--to",
        )
    ]
    assert without_definitions(HTML).count("<dl data-search-exclude>") == 1


def found_in(folder: Path, page: str) -> dict[str, tuple[str, str]]:
    """Return what search knows of a site with a page: title and text by address."""
    config = write_project(folder, **SETTINGS)
    (folder / "docs" / "index.md").write_text(page, encoding="utf-8")
    built_project(config, folder / "site")
    index = (folder / "site" / "search" / "search_index.json").read_text(encoding="utf-8")
    return {entry.address: (entry.title, entry.text) for entry in entries(index)}


def test_search_leads_to_the_definition(folder: Path) -> None:
    """Its section keeps everything else, and says nothing of it."""
    found = found_in(folder, PAGE)

    assert found["#send--to"] == ("--to NAME", "send: Who gets it.")
    assert "Sends it." in found["#send"][1]
    assert "Who gets it." not in found["#send"][1]


def test_a_page_that_is_not_searched_has_no_definitions(folder: Path) -> None:
    """Its front matter says so."""
    found = found_in(folder, f"---\nsearch:\n  exclude: true\n---\n{PAGE}")

    assert [address for address in found if address.startswith("#")] == []
