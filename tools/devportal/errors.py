"""Errors that end a command. What somebody wrote wrong in a file does not: that is a finding (`devportal.findings`).

```text
PortalError
├── UnreadableInput    a file that is missing, not text, or not YAML or JSON
├── InvalidContract    a file that is readable but is not an OpenAPI contract we can load
├── InvalidSettings    a setting or an option that cannot be used
├── DeploymentError    a deployment that cannot be reached or tested
├── EnvironmentProblem what the machine refuses: a port that is taken, a folder that cannot be written
├── MissingExtra       a command, or a part of one, whose packages are not installed
└── RefusedWrite       a write that lifecycle, roles or the four-eyes rule do not allow
```
"""

import re
from dataclasses import dataclass, field

__all__ = [
    "DeploymentError",
    "EnvironmentProblem",
    "InvalidContract",
    "InvalidSettings",
    "Place",
    "PortalError",
    "RefusedWrite",
    "UnreadableInput",
]


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Place:
    """Where in a file something stands: `line` and `column` count from 1; 0 means the whole file."""

    file: str
    line: int = 0
    column: int = 0
    within: str = field(default="", compare=False)
    """What it is a part of, where line and column are of little help: the operation and the JSON Pointer."""

    def __str__(self) -> str:
        """Return `file:line:column`, or `file` alone where the place is the whole file."""
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


class PortalError(Exception):
    """The root of all errors that end a command: says where, what is wrong, and what to do.

    A command prints it without a traceback and exits with 2.
    """

    def __init__(self, message: str, *, place: Place | None = None, help: str = "") -> None:  # noqa: A002
        """Take the sentence that quotes the wrong value, its place, and what to do about it."""
        super().__init__(message)
        self.message = message
        self.place = place
        self.help = help

    def __str__(self) -> str:
        """Return place, message and help in one text of one or two lines."""
        head = f"{self.place}: {self.message}" if self.place else self.message
        return f"{head}\n  help: {self.help}" if self.help else head


class UnreadableInput(PortalError):
    """A file that is missing, is not text, or is not YAML or JSON."""


class InvalidContract(PortalError):
    """A file that is readable but is not an OpenAPI contract that can be loaded."""


class InvalidSettings(PortalError):
    """A setting or a command-line option whose value cannot be used."""


class DeploymentError(PortalError):
    """A deployment that cannot be reached, or cannot be tested with what was given."""


class EnvironmentProblem(PortalError):
    """Something that the machine refuses: a port that is taken, a folder that cannot be written."""


class MissingExtra(PortalError):
    """A command, or a part of one, that needs packages of an extra which is not installed."""


class RefusedWrite(PortalError):
    """A write that the lifecycle, the roles or the four-eyes rule do not allow."""


_CREDENTIALS = re.compile(r"(?<=://)[^/?#]*@|(?<==)[^&#]+")
"""The user name and password of an address, and each value in its query."""


def hide_credentials(address: str) -> str:
    """Return an address as messages quote it: user name, password and what its query says may be secret."""
    return _CREDENTIALS.sub(lambda found: "…@" if found[0].endswith("@") else "…", address)
