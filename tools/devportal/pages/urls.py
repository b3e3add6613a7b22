"""Addresses of pages within the site. Pages live at directory addresses: `a/b.md` is served at `a/b/`."""

import posixpath
from urllib.parse import quote


def url_of(uri: str) -> str:
    """Return the address of a page or file below the site's root: `a/b.md` → `a/b/`, `index.md` → ``."""
    if not uri.endswith(".md"):
        return quote(uri)
    stem = uri.removesuffix(".md")
    if stem == "index" or stem.endswith("/index"):
        stem = stem.removesuffix("index").rstrip("/")
    return quote(stem) + "/" if stem else ""


def href(source: str, target: str) -> str:
    """Return a relative link from the page `source` to `target`, both uris; `target` may end in `#anchor`.

    `href("reference/messages/send.md", "errors/index.md#not-found")` is `../../../errors/#not-found`.
    """
    uri, hash_mark, anchor = target.partition("#")
    if uri == source and hash_mark:
        return f"#{quote(anchor)}"
    here, there = url_of(source), url_of(uri)
    base = here if here.endswith("/") or not here else posixpath.dirname(here)
    relative = posixpath.relpath("/" + there, "/" + base)
    if there.endswith("/") or not there:
        relative += "/"
    return relative + (hash_mark and f"#{quote(anchor)}")
