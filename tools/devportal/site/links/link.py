"""Links of a file, and the address of a site, which decides whether a link leads into it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

from devportal.project.site_url import DEFAULT_PORTS


@dataclass(frozen=True, slots=True)
class Link:
    """A link as it is written, without entities, and its offset in the text."""

    target: str
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a file links to or loads, in order, and the anchors that links can lead to."""

    links: tuple[Link, ...] = ()
    anchors: frozenset[str] | None = None
    """None if they cannot be known: then any anchor is valid."""
    repeated: tuple[Link, ...] = ()
    """Ids that an earlier element of the page has already."""
    base: str = ""
    """The base of relative links, itself relative to the file."""
    canonical: str = ""
    """The canonical address that the file names."""


Reader = Callable[[str], Reading]
"""Reads the text of one kind of file. Raises ValueError or RecursionError if it is not of that kind."""


def offset_links(links: Iterable[Link], offset: int) -> Iterable[Link]:
    """Return links of a part of a text with offsets in the whole text."""
    return (Link(link.target, link.offset + offset) for link in links)


_UNKNOWN_SITE = "https://site.invalid/somewhere/"
"""Stands for the address of a site that names none: a link that climbs too far leads out of it."""


class SiteAddress:
    """The address of a published site: everything below it belongs to the site."""

    def __init__(self, address: str) -> None:
        """Take the address, with or without a slash at its end; empty if it is not known."""
        self._has_site_url = bool(address)
        self._address = f"{(address or _UNKNOWN_SITE).rstrip('/')}/"
        split = urlsplit(self._address)
        self._host = _host(split)
        self._root = unquote(split.path)

    def address_of(self, name: str, base: str) -> str:
        """Return the address that relative links of a file are resolved against. Raises ValueError if it is none."""
        return self._join_address(self._address + quote(name), base)

    def resolve_link(self, target: str, address: str) -> SplitResult:
        """Return a link as an absolute address. Raises ValueError if it is none."""
        return urlsplit(self._join_address(address, target))

    def _join_address(self, address: str, target: str) -> str:
        """Return a link as an absolute address. If the host is not known, its root is the root of the site."""
        if not self._has_site_url and target.startswith("/") and not target.startswith("//"):
            target = f"{self._root}{target[1:]}"
        return urljoin(address, target)

    def is_host_of(self, address: SplitResult) -> bool:
        """Return whether an address has the host and port of the site. Raises ValueError for an invalid port."""
        return _host(address) == self._host

    def path_of(self, address: SplitResult) -> str | None:
        """Return the path of an address below the root of the site; None if it is not below."""
        path = unquote(address.path or "/")
        if path == self._root.removesuffix("/"):
            return ""
        return path.removeprefix(self._root) if path.startswith(self._root) else None


def _host(address: SplitResult) -> tuple[str | None, int | None]:
    """Return host name and port; the port is None if it is the default of http or https."""
    return address.hostname, None if address.port == DEFAULT_PORTS.get(address.scheme) else address.port
