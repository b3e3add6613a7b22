"""Addresses of the web: which text is one, and which lead into a site."""

from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

from devportal.site.web_address import PORTS

_SOMEWHERE = "https://site.invalid/somewhere/"
"""Stands for the address of a site that names none: a link that climbs too far leads out of it."""


class Home:
    """Where a site is published: what is below it leads into the site."""

    def __init__(self, address: str) -> None:
        """Take its address, with or without a slash at its end; nothing where it is not known."""
        self._is_known = bool(address)
        self._address = f"{(address or _SOMEWHERE).rstrip('/')}/"
        split = urlsplit(self._address)
        self._host = _host(split)
        self._root = unquote(split.path)

    def address_of(self, name: str, base: str) -> str:
        """Return what the relative links of a file are resolved against. Raises ValueError if it is none."""
        return self._joined(self._address + quote(name), base)

    def resolved(self, target: str, address: str) -> SplitResult:
        """Return a link as a whole address. Raises ValueError if it is none."""
        return urlsplit(self._joined(address, target))

    def _joined(self, address: str, target: str) -> str:
        """Return a link as text. The root of a host that is not known is the root of the site."""
        if not self._is_known and target.startswith("/") and not target.startswith("//"):
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
    return address.hostname, None if address.port == PORTS.get(address.scheme) else address.port
