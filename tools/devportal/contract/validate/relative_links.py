"""Links in descriptions that name no host: their author wrote them for a site, which may not be the portal."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

from devportal.contract.internal.withheld import published_objects_within
from devportal.contract.load import Contract
from devportal.contract.schemas import Location
from devportal.contract.texts import unit_of
from devportal.markup import render_markdown
from devportal.markup.urls import NO_SCHEME_OR_HOST

_MAY_LINK = re.compile(rf"(?:\]\(|\]:|\b(?:href|src)\s*=)\s*[<\"']?(?!#){NO_SCHEME_OR_HOST}\S", re.IGNORECASE)
"""Text without this has no such link, and is not rendered."""
_LINK = re.compile(rf'<a [^<>]*?href="(?!#){NO_SCHEME_OR_HOST}([^"]+)"', re.IGNORECASE)


def relative_links(contract: Contract) -> Iterator[tuple[Location, str]]:
    """Yield these links in the descriptions of a contract, each with the location of its description."""
    root = contract.source.root().value
    units = frozenset(name for name, value in _units(root) if any(map(_may_link, _descriptions_in(value))))
    for _, value, location in published_objects_within(contract.source, units):
        text = value.get("description")
        if isinstance(text, str) and _may_link(text):
            for target in _LINK.findall(render_markdown(text)):
                yield location.child("description"), unescape(target)


def _units(root: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the operations and shared schemas of a contract with the names of their units."""
    components = root.get("components")
    schemas = components.get("schemas") if isinstance(components, dict) else None
    groups = [(("components", "schemas"), schemas)]
    paths = root.get("paths")
    if isinstance(paths, dict):
        groups += [(("paths", path), item) for path, item in paths.items()]
    for above, members in groups:
        for name, value in members.items() if isinstance(members, dict) else ():
            yield unit_of(Location("", (*above, name))), value


def _descriptions_in(value: Any) -> Iterator[str]:
    """Yield every text in a value that may be a description: few units have a link, so they are looked at first."""
    pending = [value]
    while pending:
        found = pending.pop()
        members = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
        pending += [member for member in members if isinstance(member, (dict, list))]
        if isinstance(found, dict) and isinstance(text := found.get("description"), str):
            yield text


def _may_link(text: str) -> bool:
    """Say whether a text may have such a link; most have not even one of its signs."""
    return ("](" in text or "]:" in text or "=" in text) and _MAY_LINK.search(text) is not None
