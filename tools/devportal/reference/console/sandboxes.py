"""Which contracts have a console: those that speak of a sandbox server, where a request has no consequences.

This decides whether there is a console, and nothing more. Whether a request is sent without asking,
`console/servers.js` decides: by what the server says itself (`x-sandbox`) and by the host, never by words.
"""

import re
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from devportal.contract import Api, Server

_WORD = re.compile(r"(?<![a-z0-9])(?:sandbox|test|mock)(?![a-z0-9])", re.IGNORECASE)


def has_console(api: Api, setting: str) -> bool:
    """Say whether the operations of a contract have a console: `always`, `never`, or with `auto` where it
    names a sandbox server.
    """
    if setting == "auto":
        return any(is_sandbox(server) for server in _servers(api))
    return setting == "always"


def _servers(api: Api) -> Iterable[Server]:
    yield from api.servers
    for operation in api.operations:
        yield from operation.servers


def is_sandbox(server: Server) -> bool:
    """Say whether a server speaks of a sandbox: itself (`x-sandbox`), or by its address or description.

    A loopback address is one, and so is a host or a description with the word sandbox, test or mock. Of a
    variable, every value that the contract names counts.
    """
    if server.is_sandbox is not None:
        return server.is_sandbox
    is_called = _WORD.search(f"{server.name} {server.description}") is not None
    return is_called or any(_is_sandbox_host(_host(one)) for one in _addresses(server))


def _is_sandbox_host(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return _WORD.search(host) is not None


def _addresses(server: Server) -> Iterable[str]:
    """Yield the address at its defaults, and with each value of each variable."""
    yield server.address
    for variable in server.variables:
        for value in variable.enum:
            yield server.url.replace(f"{{{variable.name}}}", value)


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:  # an address in brackets that is none
        return ""
