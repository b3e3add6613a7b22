"""The sandbox beside served pages: its address stands in them in place of the one that the contract names.

A built site keeps the address of the contract. Served pages are for one person and one sandbox, on a port that
somebody chose today.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from devportal.contract import Contract
from devportal.reference.console import is_sandbox
from devportal.reference.samples.servers import base_address

SANDBOX_URL = "DEVPORTAL_SANDBOX_URL"
"""The environment variable with the address of the sandbox that served pages name."""
_TEXT_FILES = frozenset({".html", ".json", ".md", ".txt", ".yaml", ".xml"})


SERVED_API = "DEVPORTAL_SERVED_API"
"""The environment variable with the name of the API that the sandbox is of, in a portal of several."""
MOCK = "DEVPORTAL_SERVED_MOCK"
"""The environment variable that is set if the sandbox is a mock of the contract."""


def sandbox_address(contract: Contract | None, *, is_mock: bool = False) -> str:
    """Return the address of the first sandbox that a contract names, empty if it names none. A mock stands for the
    first server of a contract without a sandbox.
    """
    servers = contract.api.servers if contract is not None else ()
    sandboxes = (base_address((server,)) for server in servers if is_sandbox(server))
    others = (base_address((server,)) for server in servers[:1] if is_mock and "://" in server.address)
    return next(sandboxes, None) or next(others, "")


def replace_addresses(paths: Iterable[Path], addresses: Mapping[str, str]) -> None:
    """Replace addresses in the text files among paths; each stands for what follows it too, never for a longer host."""
    patterns = {
        re.compile(rb"%s(?![\w:-]|\.\w)" % re.escape(old.encode())): new.encode()
        for old, new in addresses.items()
        if old and old != new
    }
    for path in paths if patterns else ():
        if path.suffix in _TEXT_FILES and path.is_file():
            _replace_in(path, patterns)


def _replace_in(path: Path, patterns: Mapping[re.Pattern[bytes], bytes]) -> None:
    content = changed = path.read_bytes()
    for pattern, new in patterns.items():
        changed = pattern.sub(lambda _, new=new: new, changed)  # type: ignore[misc]  # a default of the loop
    if changed != content:
        path.write_bytes(changed)
