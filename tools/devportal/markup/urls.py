"""Addresses of pages within the site. Pages live at directory addresses: `a/b.md` is served at `a/b/`."""

import re
import urllib.parse
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

_UNRESERVED = re.compile(r"[A-Za-z0-9_.~/-]*")
"""Text that stays as it is in an address (RFC 3986 §2.3), slashes between its segments included."""

NO_SCHEME_OR_HOST = r"(?!//|[a-z][a-z\d+.-]*:)"
"""Matches in front of an address that is an anchor or relative (RFC 3986 §4.2), in a pattern that ignores case."""


def quote(text: str) -> str:
    """Return text percent-encoded for a path or fragment, as `urllib.parse.quote` does, but faster for most."""
    return text if _UNRESERVED.fullmatch(text) else urllib.parse.quote(text)


@lru_cache(maxsize=16_384)
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
    return _relative(url_of(source), url_of(uri)) + (hash_mark and f"#{quote(anchor)}")


def twin_href(source: str, target: str) -> str:
    """Return a relative link from the Markdown twin of the page `source` to that of `target`, or to a file.

    Twins lie where the uris say, and have no anchors: `twin_href("a/b.md", "c/index.md#d")` is
    `../c/index.md`.
    """
    return _relative(quote(source), quote(target.partition("#")[0]))


def href_from_twin(source: str, address: str) -> str:
    """Return an address on the page `source` as it stands in its twin; one that is not relative stays."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return address
    if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
        return address
    path = urljoin(f"/{url_of(source)}", parts.path).removeprefix("/")
    return parts._replace(path=_relative(quote(source), path)).geturl()


def _relative(here: str, there: str) -> str:
    """Return a relative reference from one address to another (RFC 3986 §4.2); both are below the root."""
    base, target = here.split("/")[:-1], there.split("/")
    shared = 0
    for first, other in zip(base, target[:-1], strict=False):
        if first != other:
            break
        shared += 1
    return "../" * (len(base) - shared) + "/".join(target[shared:]) or "./"
