"""Which servers of two contracts are the same, by the addresses that operations have on them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from devportal.contract import Operation, Server
from devportal.contract.path_templates import without_names
from devportal.differ.policy import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerPair:
    """The servers of a contract or an operation in both contracts. `prefixes` are the parts of paths to
    append to the addresses of each side, since a prefix may be part of the server or of the paths.
    """

    old: tuple[Server, ...]
    new: tuple[Server, ...]
    prefixes: tuple[str, str] = ("", "")
    policy: Policy = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerMatching:
    """Each server as kept (by its template or its address), replaced, removed or added."""

    kept: tuple[tuple[Server, Server], ...]
    replaced: tuple[tuple[Server, Server], ...]
    removed: tuple[Server, ...]
    added: tuple[Server, ...]


def match_servers(pair: ServerPair) -> ServerMatching:
    """Return the matched servers. If one is left on each side, and it was the first, it was replaced."""
    left, right = list(pair.old), list(pair.new)
    if _is_implied(left, right) or _is_implied(right, left):
        return ServerMatching(kept=(), replaced=(), removed=(), added=())
    kept: list[tuple[Server, Server]] = []
    for key in (_template, _address):
        for server in tuple(left):
            sought = key(server, pair.prefixes[0])
            other = next((other for other in right if key(other, pair.prefixes[1]) == sought), None)
            if other is not None:
                kept.append((server, other))
                left.remove(server)
                right.remove(other)
    is_replaced = len(left) == len(right) == 1 and left[0] is pair.old[0]
    return ServerMatching(
        kept=tuple(kept),
        replaced=((left[0], right[0]),) if is_replaced else (),
        removed=() if is_replaced else tuple(left),
        added=() if is_replaced else tuple(right),
    )


def _is_implied(first: Sequence[Server], other: Sequence[Server]) -> bool:
    """Return whether one side only writes down the default server (OAS 3.0.3 §4.7.1)."""
    return not other and [server.url for server in first] == ["/"]


def _template(server: Server, prefix: str) -> str:
    return _normalise_url(server.url.rstrip("/") + prefix)


def _address(server: Server, prefix: str) -> str:
    return _normalise_url(server.address + prefix)


def _normalise_url(url: str) -> str:
    """Return an address as any client understands it: host in one case, without the usual port (RFC 3986
    §6.2.2.1, §6.2.3).
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    host = parts.netloc.casefold().removesuffix(_PORTS.get(parts.scheme, ":"))
    return parts._replace(netloc=host).geturl()


_PORTS = {"https": ":443", "http": ":80"}


def moved_prefixes(kept: Sequence[tuple[Operation, Operation]]) -> tuple[str, str]:
    """Return the prefix that paths of each side have and those of the other do not, if all have the same."""
    prefixes = {_prefixes(old.path, new.path) for old, new in kept}
    return prefixes.pop() if len(prefixes) == 1 else ("", "")


def _prefixes(old: str, new: str) -> tuple[str, str]:
    old, new = without_names(old), without_names(new)
    if new.endswith(old):
        return "", new[: len(new) - len(old)]
    if old.endswith(new):
        return old[: len(old) - len(new)], ""
    return "", ""
