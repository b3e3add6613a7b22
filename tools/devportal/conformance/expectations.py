"""What settings expect of a deployment beyond its contract: the contents of responses, and how fast they are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from devportal.contract import Operation
from devportal.errors import InvalidSettings

Percentiles = Mapping[float, float]
"""The longest time in milliseconds, by the percentage of responses that must not take longer."""
LATENCY_WORDS: Mapping[str, float] = {
    "p50_ms": 50,
    "p75_ms": 75,
    "p90_ms": 90,
    "p95_ms": 95,
    "p99_ms": 99,
    "slowest_ms": 100,
}
"""The words of the settings for a percentage of responses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyLimits:
    """Limits for every operation, and those for operations that match a pattern, which replace them."""

    general: Percentiles = field(default_factory=dict)
    by_pattern: tuple[tuple[str, Percentiles], ...] = ()

    def of(self, operation: Operation) -> Percentiles:
        """Return the limits of an operation; the last pattern that it matches counts."""
        matching = (limits for pattern, limits in self.by_pattern if matches_pattern(operation, pattern))
        return {**self.general, **{percent: limit for item in matching for percent, limit in item.items()}}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedRow:
    """A row of expected values by column. `place` is where it is written, in messages."""

    values: Mapping[str, Any]
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedRows:
    """The rows of a file or of records. `unapproved` are the identifiers of records that must not be public."""

    source: str
    rows: tuple[ExpectedRow, ...]
    unapproved: frozenset[str] = frozenset()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns, in their order."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.values))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedResponse:
    """What the responses of an operation must hold.

    `values` and `body` are those of the request; `{column}` in them stands for a value of a row. `items`
    leads to the list in the response, None if the response itself is what a row describes. `key` are the
    columns that identify an item, `members` where the compared columns are in an item. `is_whole` if the
    response must hold nothing else.
    """

    operation: str
    values: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    items: str | None = None
    key: tuple[str, ...] = ()
    members: Mapping[str, str] = field(default_factory=dict)
    is_whole: bool = True
    rows: ExpectedRows

    def pointer(self, column: str) -> str:
        """Return where the value of a column is in an item: a member of the same name if nothing is declared."""
        return self.members.get(column, f"/{column}")

    @property
    def compared_columns(self) -> tuple[str, ...]:
        """The columns that are compared: all, or those with a declared member."""
        return tuple(self.members) or self.rows.columns


def matches_pattern(operation: Operation, pattern: str) -> bool:
    """Return whether an operation matches an operationId, a tag, a path or `METHOD /path`, with `*` for any
    text.
    """
    names = (operation.id, operation.path, f"{operation.method} {operation.path}", *operation.tags)
    return any(fnmatchcase(name, pattern) for name in names)


def require_matches(
    operations: Sequence[Operation], patterns: Iterable[str], *, settings_path: str = ""
) -> None:
    """Raise InvalidSettings for the first pattern that no operation matches; `settings_path` says whose it is."""
    for pattern in patterns:
        if not any(matches_pattern(operation, pattern) for operation in operations):
            where = f"{settings_path}: " if settings_path else ""
            raise InvalidSettings(
                f"{where}no operation of the contract fits {pattern!r}",
                help="give an operationId, a tag, a path such as '/v1/orders*', or 'POST /v1/orders'",
            )


def parse_latency(declared: Mapping[str, Any]) -> LatencyLimits:
    """Return the limits that settings declare."""
    operations: Mapping[str, Any] = declared.get("operations", {})
    return LatencyLimits(
        general=_percentiles(declared.items()),
        by_pattern=tuple((pattern, _percentiles(words.items())) for pattern, words in operations.items()),
    )


def _percentiles(words: Iterable[tuple[str, Any]]) -> Percentiles:
    return {LATENCY_WORDS[name]: float(limit) for name, limit in words if name in LATENCY_WORDS}
