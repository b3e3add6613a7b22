"""Links in descriptions that name no host: their author wrote them for a site, which may not be the portal."""

import re
from collections.abc import Iterator
from html import unescape

from devportal.contract.internal.withheld import published_objects
from devportal.contract.load import Contract
from devportal.contract.schemas import Location
from devportal.markup import render_markdown
from devportal.markup.urls import NO_SCHEME_OR_HOST

_MAY_LINK = re.compile(rf"(?:\]\(|\]:|\b(?:href|src)\s*=)\s*[<\"']?(?!#){NO_SCHEME_OR_HOST}\S", re.IGNORECASE)
"""Text without this has no such link, and is not rendered."""
_LINK = re.compile(rf'<a [^<>]*?href="(?!#){NO_SCHEME_OR_HOST}([^"]+)"', re.IGNORECASE)


def relative_links(contract: Contract) -> Iterator[tuple[Location, str]]:
    """Yield these links in the descriptions of a contract, each with the location of its description."""
    for _, value, location in published_objects(contract.source):
        text = value.get("description")
        if isinstance(text, str) and _MAY_LINK.search(text):
            for target in _LINK.findall(render_markdown(text)):
                yield location.child("description"), unescape(target)
