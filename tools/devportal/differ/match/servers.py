"""Which servers of two contracts are the same, by the addresses that operations have on them."""

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from devportal.contract import Operation, Server, ServerVariable
from devportal.contract.path_templates import fill_placeholders, placeholder_names, without_names
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
    """Each server as kept (by its template or its address), replaced, removed or added.

    Servers are neither removed nor added if variables of others give their addresses. `old_addresses` and
    `new_addresses` are all that the servers of a side have, apart from those with a variable of any value.
    """

    kept: tuple[tuple[Server, Server], ...]
    replaced: tuple[tuple[Server, Server], ...]
    removed: tuple[Server, ...]
    added: tuple[Server, ...]
    old_addresses: frozenset[str] = frozenset()
    new_addresses: frozenset[str] = frozenset()


def match_servers(pair: ServerPair) -> ServerMatching:
    """Return the matched servers. If one is left on each side, and it was the first, it was replaced."""
    left, right = _without_default(pair.old, pair.new), _without_default(pair.new, pair.old)
    prefixes = pair.prefixes
    kept: list[tuple[Server, Server]] = []
    for key in (_template, _unnamed_template, _address):
        for server in tuple(left):
            sought = key(server, prefixes[0])
            other = next((other for other in right if key(other, prefixes[1]) == sought), None)
            if other is not None:
                kept.append((server, other))
                left.remove(server)
                right.remove(other)
    old_addresses, new_addresses = _addresses(pair.old, prefixes[0]), _addresses(pair.new, prefixes[1])
    left = [server for server in left if not _is_covered(server, prefixes[0], new_addresses)]
    right = [server for server in right if not _is_covered(server, prefixes[1], old_addresses)]
    is_replaced = len(left) == len(right) == 1 and left[0] is pair.old[0]
    return ServerMatching(
        kept=tuple(kept),
        replaced=((left[0], right[0]),) if is_replaced else (),
        removed=() if is_replaced else tuple(left),
        added=() if is_replaced else tuple(right),
        old_addresses=old_addresses,
        new_addresses=new_addresses,
    )


def match_variables(old: Server, new: Server) -> Mapping[str, ServerVariable]:
    """Return the new variable for each old one, by name: the names are never sent, so that those of one template
    match by their positions (decision of ours, as for path parameters).
    """
    after = {variable.name: variable for variable in new.variables}
    old_names, new_names = placeholder_names(old.url), placeholder_names(new.url)
    if without_names(old.url) == without_names(new.url) and len(old_names) == len(new_names):
        renamed = dict(zip(old_names, new_names, strict=True))
        return {name: after[other] for name, other in renamed.items() if other in after}
    return after


def values_at_other_addresses(
    server: Server, prefix: str, variable: ServerVariable, addresses: frozenset[str]
) -> list[str]:
    """Return the values of a variable with which a server has addresses that are not among the given ones."""
    return [
        value
        for value in variable.enum
        if not _is_covered(_with_value(server, variable, value), prefix, addresses)
    ]


def _with_value(server: Server, variable: ServerVariable, value: str) -> Server:
    fixed = replace(variable, default=value, enum=(value,))
    variables = (fixed if other.name == variable.name else other for other in server.variables)
    return replace(server, variables=tuple(variables))


_MAX_ADDRESSES = 1000
"""How many addresses of a server are listed at most."""


def _addresses(servers: Sequence[Server], prefix: str) -> frozenset[str]:
    """Return all addresses of servers; that of `/`, which an empty list means, if paths have a prefix on it."""
    if not servers:
        return frozenset({prefix} if prefix else ())
    return frozenset(address for server in servers for address in _server_addresses(server, prefix))


def _server_addresses(server: Server, prefix: str) -> frozenset[str]:
    """Return all addresses of a server, empty if a variable can have any value (OAS 3.0.3 §4.7.6)."""
    names = placeholder_names(server.url)
    values = {variable.name: (*variable.enum,) for variable in server.variables if variable.name in names}
    is_listed = values.keys() == set(names) and all(values.values())
    if not is_listed or math.prod(map(len, values.values())) > _MAX_ADDRESSES:
        return frozenset()
    return frozenset(
        _normalise_url(
            fill_placeholders(server.url, dict(zip(values, chosen, strict=True))).rstrip("/") + prefix
        )
        for chosen in itertools.product(*values.values())
    )


def _is_covered(server: Server, prefix: str, addresses: frozenset[str]) -> bool:
    own = _server_addresses(server, prefix)
    return bool(own) and own <= addresses


def _without_default(servers: Sequence[Server], other: Sequence[Server]) -> list[Server]:
    """Return servers without the default one (OAS 3.0.3 §4.7.1), which the other side has if it lists none."""
    return [server for server in servers if other or server.url != "/"]


def _template(server: Server, prefix: str) -> str:
    return _normalise_url(server.url.rstrip("/") + prefix)


def _unnamed_template(server: Server, prefix: str) -> str:
    return without_names(_template(server, prefix))


def _address(server: Server, prefix: str) -> str:
    return _normalise_url(server.address + prefix)


def may_be_same_address(old: Server, new: Server, prefixes: tuple[str, str]) -> bool:
    """Return whether a relative URL may be the absolute one of the other side: what it is relative to, the place of
    the contract, is not known (OAS 3.0.3 §4.7.5).
    """
    relative, absolute = sorted(
        (urlsplit(_address(old, prefixes[0])), urlsplit(_address(new, prefixes[1]))),
        key=lambda parts: bool(parts.scheme),
    )
    if relative.scheme or not absolute.scheme or relative.netloc not in ("", absolute.netloc):
        return False
    path, whole_path = relative.path.rstrip("/"), absolute.path.rstrip("/")
    if relative.path.startswith("/") or relative.netloc:
        return path == whole_path
    return whole_path.endswith(f"/{path.lstrip('./')}".rstrip("/"))


def may_have_address_of(new: Server, old: Server, prefixes: tuple[str, str]) -> bool:
    """Return whether a server whose variables can have any values may have the one address of an old server: which
    values there are is not known (OAS 3.0.3 §4.7.6).
    """
    names = placeholder_names(new.url)
    has_listed_values = any(variable.enum for variable in new.variables if variable.name in names)
    if not names or has_listed_values or placeholder_names(old.url):
        return False
    fixed = _unnamed_template(new, prefixes[1]).split("{}")
    pattern = ".+".join(map(re.escape, fixed))
    return re.fullmatch(pattern, _address(old, prefixes[0])) is not None


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
