"""A link, which text is an address of the web, and which lead into a site."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

from devportal.project.site_url import DEFAULT_PORTS


@dataclass(frozen=True, slots=True)
class Link:
    """A link as it is written, without entities, and where in the text."""

    target: str
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a file links to or loads, in order, and the anchors that links can lead to."""

    links: tuple[Link, ...] = ()
    anchors: frozenset[str] | None = None
    """None where they cannot be known: any anchor is then right."""
    repeated: tuple[Link, ...] = ()
    """Ids that another element of the page has already, each where it stands again."""
    base: str = ""
    """What relative links are resolved against, itself relative to the file."""
    canonical: str = ""
    """What the file says is its own address."""


Reader = Callable[[str], Reading]
"""Reads the text of one kind of file. Raises ValueError or RecursionError where it is not of that kind."""


def offset_links(links: Iterable[Link], offset: int) -> Iterable[Link]:
    """Return links of a part of a text as links of the whole."""
    return (Link(one.target, one.offset + offset) for one in links)


_UNKNOWN_SITE = "https://site.invalid/somewhere/"
"""Stands for the address of a site that names none: a link that climbs too far leads out of it."""


class SiteAddress:
    """Where a site is published: what is below it leads into the site."""

    def __init__(self, address: str) -> None:
        """Take its address, with or without a slash at its end; nothing where it is not known."""
        self._has_site_url = bool(address)
        self._address = f"{(address or _UNKNOWN_SITE).rstrip('/')}/"
        split = urlsplit(self._address)
        self._host = _host(split)
        self._root = unquote(split.path)

    def address_of(self, name: str, base: str) -> str:
        """Return what the relative links of a file are resolved against. Raises ValueError if it is none."""
        return self._join_address(self._address + quote(name), base)

    def resolve_link(self, target: str, address: str) -> SplitResult:
        """Return a link as a whole address. Raises ValueError if it is none."""
        return urlsplit(self._join_address(address, target))

    def _join_address(self, address: str, target: str) -> str:
        """Return a link as text. The root of a host that is not known is the root of the site."""
        if not self._has_site_url and target.startswith("/") and not target.startswith("//"):
            target = f"{self._root}{target[1:]}"
        return urljoin(address, target)

    def is_host_of(self, address: SplitResult) -> bool:
        """Say whether an address is on the host of the site, at its port. Raises ValueError for no port."""
        return _host(address) == self._host

    def path_of(self, address: SplitResult) -> str | None:
        """Return what an address on the host means below the root of the site; None if it is not below."""
        path = unquote(address.path or "/")
        if path == self._root.removesuffix("/"):
            return ""
        return path.removeprefix(self._root) if path.startswith(self._root) else None


def _host(address: SplitResult) -> tuple[str | None, int | None]:
    """Return name and port; the port that is meant where none is written is none, of http as of https."""
    return address.hostname, None if address.port == DEFAULT_PORTS.get(address.scheme) else address.port
