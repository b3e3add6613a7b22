"""What a run is asked to do, checked before anything is sent."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from devportal.conformance.baseline import Baseline
from devportal.conformance.deployment import Manners
from devportal.conformance.line import Connection
from devportal.conformance.parties import Parties
from devportal.conformance.selection import Selection
from devportal.conformance.settings import Settings
from devportal.errors import InvalidSettings


class Gate(StrEnum):
    """Which operations can fail the run, by their stability. The others are tested and reported."""

    STABLE = "stable"
    BETA = "beta"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """How much Schemathesis generates: its phases, and how many examples each operation gets in fuzzing."""

    name: str
    phases: tuple[str, ...]
    max_examples: int


QUICK = Profile(name="quick", phases=("examples", "coverage", "fuzzing"), max_examples=20)
"""For pull requests: what fuzzing finds, it mostly finds in its first 20 examples."""
NIGHTLY = Profile(name="nightly", phases=("examples", "coverage", "fuzzing", "stateful"), max_examples=100)
PROFILES = {"quick": QUICK, "nightly": NIGHTLY, "full": NIGHTLY}
"""By the names that the command takes; `full` is another one for `nightly`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The deployment, the contract it must keep, and how to test it. Secrets are never shown."""

    url: str
    contract: Path
    parties: Parties = field(default_factory=Parties)
    profile: Profile = QUICK
    gate: Gate = Gate.STABLE
    seed: int = 1
    manners: Manners = field(default_factory=Manners)
    connection: Connection = field(default_factory=Connection)
    selection: Selection = field(default_factory=Selection)
    settings: Settings = field(default_factory=Settings)
    baseline: Baseline = field(default_factory=Baseline)


def checked_url(text: str) -> str:
    """Return a base address without a trailing slash; raises InvalidSettings where it is none."""
    try:
        parts = urlsplit(text.strip())
        port_is_valid = parts.port is None or parts.port > 0
    except ValueError:
        raise InvalidSettings(f"{text!r} is not a URL", help=_EXAMPLE) from None
    if parts.username or parts.password:
        raise InvalidSettings("the URL holds a user name or a password", help="give the secret with --token")
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_valid:
        raise InvalidSettings(f"{text!r} is not the base URL of a deployment", help=_EXAMPLE)
    if parts.query or parts.fragment:
        raise InvalidSettings(f"the base URL {text!r} has a query or a fragment", help=_EXAMPLE)
    return text.strip().rstrip("/")


def checked_token(token: str) -> str:
    """Return a token that can travel in a header; raises InvalidSettings, without quoting it, otherwise."""
    token = token.strip()
    if not token.isprintable() or not token.isascii():
        raise InvalidSettings(
            "the token has characters that no header can carry", help="check how it was copied"
        )
    return token


_EXAMPLE = "give it like http://127.0.0.1:8080 or https://api.example.com"
