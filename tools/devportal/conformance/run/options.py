"""The options of a run, and the operations that it tests."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import takewhile
from pathlib import Path
from urllib.parse import urlsplit

from devportal.conformance.deployment.client import RequestPolicy
from devportal.conformance.deployment.credentials import CredentialSet
from devportal.conformance.deployment.http_connection import ConnectionSettings
from devportal.conformance.expectations import matches_pattern, require_matches
from devportal.conformance.results.baseline import Baseline
from devportal.conformance.settings import Settings
from devportal.contract import Operation
from devportal.errors import InvalidSettings

_SHARD = re.compile(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})")


def parse_shard(text: str) -> tuple[int, int]:
    """Return the number of a shard and of all shards from a text such as `2/5`; raises InvalidSettings."""
    found = _SHARD.fullmatch(text.strip())
    number, total = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= number <= total:
        raise InvalidSettings(f"{text!r} is not a shard", help="give it like 2/5: the second of five")
    return number, total


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Patterns of operations to test and to leave out, and the shard of several (from 1).

    A pattern is an operationId, a tag, a path, or a method and a path; `*` stands for any text.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    shard: int = 1
    shards: int = 1

    def of(self, operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
        """Return the selected operations, in their order.

        Operations on one resource type are in one shard: most checks need several of them. Raises
        InvalidSettings for a pattern without a match, and if no operation is left.
        """
        require_matches(operations, (*self.include, *self.exclude))
        selected = [operation for operation in operations if self._includes(operation)]
        if not selected:
            raise InvalidSettings(
                "--include and --exclude leave no operation", help="exclude fewer operations"
            )
        shard = split_operations(selected, self.shards)[self.shard - 1]
        if not shard:
            raise InvalidSettings(
                f"shard {self.shard} of {self.shards} has no operation: {len(selected)} are selected, and "
                "those on one kind of thing stay together",
                help="make fewer shards",
            )
        return shard

    def _includes(self, operation: Operation) -> bool:
        is_included = not self.include or any(matches_pattern(operation, pattern) for pattern in self.include)
        return is_included and not any(matches_pattern(operation, pattern) for pattern in self.exclude)


def split_operations(operations: Sequence[Operation], count: int) -> tuple[tuple[Operation, ...], ...]:
    """Return the operations in parts of about one size, each in the order given; always the same.

    Operations on one resource type stay together: those whose paths agree up to the first parameter.
    """
    by_prefix: dict[str, list[Operation]] = {}
    for operation in operations:
        by_prefix.setdefault(_resource_prefix(operation.path), []).append(operation)
    parts: list[list[Operation]] = [[] for _ in range(count)]
    for members in sorted(by_prefix.values(), key=len, reverse=True):
        min(parts, key=len).extend(members)
    order = {id(operation): position for position, operation in enumerate(operations)}
    return tuple(tuple(sorted(part, key=lambda item: order[id(item)])) for part in parts)


def _resource_prefix(path: str) -> str:
    steps = takewhile(lambda step: "{" not in step, path.strip("/").split("/"))
    return "/".join(steps)


class Gate(StrEnum):
    """Which operations can fail the run, by their stability. The others are tested and reported."""

    STABLE = "stable"
    BETA = "beta"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """How much Schemathesis generates: its phases, and the number of examples for each operation in fuzzing."""

    name: str
    phases: tuple[str, ...]
    max_examples: int


PHASES = ("examples", "coverage", "fuzzing", "stateful")
"""The phases of Schemathesis, in their order."""
QUICK = Profile(name="quick", phases=("examples", "coverage", "fuzzing"), max_examples=20)
"""For pull requests: most failures that fuzzing finds show in its first 20 examples."""
NIGHTLY = Profile(name="nightly", phases=PHASES, max_examples=100)
PROFILES = {"quick": QUICK, "nightly": NIGHTLY, "full": NIGHTLY}
"""The profiles by name; `full` is an alias of `nightly`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The deployment, its contract, and how to test it. Secrets are never shown."""

    url: str
    contract: Path
    allow_outside_references: bool = False
    credentials: CredentialSet = field(default_factory=CredentialSet)
    profile: Profile = QUICK
    gate: Gate = Gate.STABLE
    seed: int = 1
    policy: RequestPolicy = field(default_factory=RequestPolicy)
    connection: ConnectionSettings = field(default_factory=ConnectionSettings)
    selection: Selection = field(default_factory=Selection)
    settings: Settings = field(default_factory=Settings)
    baseline: Baseline = field(default_factory=Baseline)
    min_coverage: float | None = None
    results: tuple[Path, ...] = ()
    """The files that the result goes to. None of them may be one that the contract is read from."""


def parse_base_url(text: str) -> str:
    """Return a base address without a trailing slash; raises InvalidSettings if it is none."""
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


_EXAMPLE = "give it like http://127.0.0.1:8080 or https://api.example.com"
