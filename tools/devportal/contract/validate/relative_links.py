"""Links in descriptions that name no host: their author wrote them for a site, which may not be the portal."""

import json
import re
from collections.abc import Iterator
from html import unescape

from devportal.contract.internal.withheld import published_objects_within
from devportal.contract.load import Contract
from devportal.contract.schemas import Location
from devportal.contract.texts import ContractUnit
from devportal.markup import render_markdown
from devportal.markup.urls import NO_SCHEME_OR_HOST

_MAY_LINK = re.compile(rf"(?:\]\(|\]:|\b(?:href|src)\s*=)\s*[<\"']?(?!#){NO_SCHEME_OR_HOST}\S", re.IGNORECASE)
"""Text without this has no such link, and is not rendered."""
_LINK = re.compile(rf'<a [^<>]*?href="(?!#){NO_SCHEME_OR_HOST}([^"]+)"', re.IGNORECASE)


def relative_links(contract: Contract) -> Iterator[tuple[Location, str]]:
    """Yield these links in the descriptions of a contract, each with the location of its description."""
    units = frozenset(unit.name for unit in contract.texts() if _may_link(unit))
    for _, value, location in published_objects_within(contract.source, units):
        text = value.get("description")
        if isinstance(text, str) and _MAY_LINK.search(text):
            for target in _LINK.findall(render_markdown(text)):
                yield location.child("description"), unescape(target)


def _may_link(unit: ContractUnit) -> bool:
    """Say whether a description of a unit may have such a link; without descriptions, it may have any of them."""
    texts = (json.loads(f'"{text}"') if "\\" in text else text for text in unit.descriptions)
    return not unit.descriptions or any(_MAY_LINK.search(text) for text in texts)
