"""Links in entries. Authors write them relative to the entry's file; pages and feeds need other forms."""

import html
import posixpath
import re
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt

from devportal.pages import href, twin_href
from devportal.pages.feeds import address

_HREF = re.compile(r'(<a\b(?:[^>"]|"[^"]*")*?\shref=")([^"]*)(?=")')


def in_site(link: str, *, source: str) -> str | None:
    """Return the uri (with its anchor) that a link on the page `source` means, or None if it leaves the site.

    A path that ends in `/` is a folder's index page.
    """
    try:
        parts = urlsplit(link)
    except ValueError:
        return None
    if parts.scheme or parts.netloc or parts.query:
        return None
    anchor = f"#{unquote(parts.fragment)}" if parts.fragment else ""
    if not parts.path:
        return source + anchor
    path = unquote(parts.path) + ("index.md" if parts.path.endswith("/") else "")
    uri = posixpath.normpath(posixpath.join(posixpath.dirname(source), path)).lstrip("/")
    return None if uri.startswith("../") else uri + anchor


def relative(link: str, *, source: str, page: str | None = None) -> str:
    """Return a link of `source` as it stands in `page`, or in `source` itself."""
    target = in_site(link, source=source)
    return link if target is None else href(page or source, target)


def relative_twin(link: str, *, source: str) -> str:
    """Return a link of `source` as it stands in its Markdown twin, which lies where `source` says.

    A link to a folder stays one to a page: what its twin is called is not to be seen from it.
    """
    target = in_site(link, source=source)
    return link if target is None or target.endswith("/index.md") else twin_href(source, target)


def absolute(link: str, *, source: str, site_url: str) -> str:
    """Return the link as it stands outside of the site; `site_url` ends in `/`."""
    target = in_site(link, source=source)
    return link if target is None else address(target, site_url=site_url)


def change_html(fragment: str, change: Callable[[str], str]) -> str:
    """Return sanitised HTML with the address of each link changed."""

    def replace(match: re.Match[str]) -> str:
        return match.group(1) + html.escape(change(html.unescape(match.group(2))))

    return _HREF.sub(replace, fragment)


def change_markdown(text: str, change: Callable[[str], str]) -> str:
    """Return CommonMark with the address of each inline link changed.

    What stands in code or in raw HTML stays, unless it is written exactly like a link of the same text.
    """
    inline = [token for token in MarkdownIt("commonmark").parse(text) if token.type == "inline"]
    found = {
        str(child.attrs["href"])
        for token in inline
        for child in token.children or ()
        if child.type == "link_open"
    }
    if not found:
        return text
    addresses = "|".join(re.escape(link) for link in sorted(found))
    return re.sub(
        rf"(\]\(\s*<?)({addresses})(?=>?[\s)])",
        lambda match: match.group(1) + change(match.group(2)),
        text,
    )
