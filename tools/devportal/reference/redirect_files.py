"""What is published for old addresses: a small page at each, and one table of anchors for the script.

A server that can redirect is not needed. Without scripts a page at an old address refreshes itself to the new
one; with scripts it also takes the anchor along, which a refresh would lose.
"""

import json
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import quote

from jinja2 import Template

from devportal.pages import Artefact, environment
from devportal.reference.redirects import RedirectTable

TABLE = "assets/devportal/redirects.json"
"""Where the script of every page looks for an anchor that is not on it; keys unquoted, values quoted."""


def redirect_files(table: RedirectTable, *, site_url: str = "") -> Iterator[Artefact]:
    """Yield the pages at old addresses, and the table of anchors. `site_url` ends in `/`, if it is known."""
    anchors = {old: _quoted(new) for old, new in table.anchors.items()}
    text = json.dumps(anchors, ensure_ascii=False, indent=0, sort_keys=True)
    yield Artefact(uri=TABLE, content=f"{text}\n".encode())
    for old, new in table.pages.items():
        yield Artefact(uri=_file_of(old), content=_page(old, new, table, site_url).encode())


def _page(old: str, new: str, table: RedirectTable, site_url: str) -> str:
    root = "../" * old.count("/")
    own = {
        address.partition("#")[2]: root + _quoted(target)
        for address, target in table.anchors.items()
        if address.partition("#")[0] == old
    }
    target = root + _quoted(new) or "./"
    return _template().render(
        root=root,
        target=target,
        canonical=site_url + _quoted(new.partition("#")[0]) if site_url else target.partition("#")[0],
        words=new or "the home page",
        anchors=json.dumps(own, ensure_ascii=False, sort_keys=True) if own else "",
    )


@lru_cache(maxsize=1)
def _template() -> Template:
    """Return the template, which needs nothing of what renders the reference."""
    return environment("devportal.reference").get_template("redirect.html.jinja")


def _file_of(address: str) -> str:
    return address if address.endswith(".html") else f"{address}index.html"


def _quoted(address: str) -> str:
    page, hash_mark, anchor = address.partition("#")
    return quote(page) + hash_mark + quote(anchor)
