"""Scripts and style sheets of a page by itself: what a hand-written page asks for in its front matter.

Only files of the site are loaded, so that a page makes no request to anybody else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mkdocs.structure.files import Files

_ENDINGS = {"scripts": ".js", "styles": ".css"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PageAssets:
    """The uris of the assets of a page, by the key of the front matter, and what is wrong with the others."""

    uris: Mapping[str, tuple[str, ...]]
    faults: tuple[str, ...]


def assets_of(page: str, meta: Mapping[str, Any], files: Files) -> PageAssets:
    """Return what the page with this uri and front matter asks for."""
    uris, faults = {}, []
    for key in _ENDINGS:
        asked = meta.get(key, [])
        found = {str(uri): _fault(key, uri, files) for uri in (asked if isinstance(asked, list) else [asked])}
        uris[key] = tuple(uri for uri, fault in found.items() if not fault)
        faults += [f"{page}: front matter '{key}': {fault}" for fault in found.values() if fault]
    return PageAssets(uris=uris, faults=tuple(faults))


def _fault(key: str, uri: Any, files: Files) -> str:
    if not isinstance(uri, str) or not uri.endswith(_ENDINGS[key]):
        return f"{uri!r} does not end in {_ENDINGS[key]}; list files, from the folder of the pages on"
    if files.get_file_from_path(uri) is None:
        return f"{uri!r} is no file of the site; add it, or mend its path from the folder of the pages on"
    return ""
