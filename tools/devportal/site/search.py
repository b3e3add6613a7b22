"""Our entries in the search index that the theme writes: by page and named section, not by heading."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from devportal.pages import PageHead, SearchEntry, url_of


def merge_search_entries(index: Path, pages: Iterable[PageHead]) -> None:
    """Add the entries of the generated pages to the index file, if the site has one."""
    if not index.is_file():
        return
    data = json.loads(index.read_text(encoding="utf-8"))
    for page in pages:
        data["docs"] += (_document(url_of(page.uri), entry) for entry in page.search)
    index.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def _document(url: str, entry: SearchEntry) -> dict[str, Any]:
    document: dict[str, Any] = {
        "location": f"{url}#{entry.anchor}" if entry.anchor else url,
        "title": _escaped(entry.title),
        "text": _escaped(entry.text),
    }
    if entry.tags:
        document["tags"] = [_escaped(tag) for tag in entry.tags]
    return document


def _escaped(text: str) -> str:
    """Return plain text as the theme's search expects it: it puts titles and texts into the page as HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
