"""Our record of a Schemathesis run: versioned JSON lines, written by `recorder`, read here.

One line per event. `started` comes first and `finished` last; between them `case` and `error`.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, exchange_from_json
from devportal.contract.wording import quote_value

FORMAT = 2
COMPLETED = "completed"
MAX_TIME = "max_time"
"""Schemathesis' reasons for stopping: everything is done, or its time is over."""
WENT_DOWN = "went_down"
"""Our reason for stopping if the deployment went down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedCheck:
    """A check of Schemathesis that failed on a case.

    `schema_path` is the path in the schema that was violated, if any. `exchange` shows the failure: that of
    the case, or of a request that the check derived from it. `chain` holds the exchanges before it.
    """

    check: str
    code: str
    title: str
    message: str
    schema_path: str
    exchange: Exchange
    chain: tuple[Exchange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted:
    """The run has begun."""

    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One generated request with its response and the outcomes of the checks."""

    phase: str
    invalid_inputs: tuple[tuple[str, str], ...] = ()
    """The parameters that the case makes invalid, by location and name; `body` stands with its media type."""
    broken_rules: tuple[str, ...] = ()
    """The keywords or rules that these inputs break."""
    exchange: Exchange
    passed: tuple[str, ...] = ()
    failed_checks: tuple[FailedCheck, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemathesisError:
    """An error that kept a case or an operation from being tested."""

    operation: str
    title: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFinished:
    """The run is over: `stop_reason` is `completed`, `max_time` or another reason."""

    stop_reason: str


SchemathesisEvent = RunStarted | Case | SchemathesisError | RunFinished


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemathesisOutcome:
    """The outcome of a run of Schemathesis: its cases, its errors, its warnings by kind, and why it stopped."""

    version: str
    stop_reason: str
    cases: tuple[Case, ...]
    errors: tuple[SchemathesisError, ...]
    warnings: tuple[tuple[str, tuple[str, ...]], ...]


def read_events(lines: Iterable[str]) -> Iterator[SchemathesisEvent]:
    """Yield the events of complete lines; raises ValueError if a line is not ours."""
    for line in lines:
        record = json.loads(line)
        match record.get("event"):
            case "started":
                if record["format"] != FORMAT:
                    raise ValueError(f"event format {quote_value(record['format'])}, expected {FORMAT}")
                yield RunStarted(version=record["schemathesis"])
            case "case":
                yield _parse_case(record)
            case "error":
                yield SchemathesisError(
                    operation=record["operation"], title=record["title"], message=record["message"]
                )
            case "finished":
                yield RunFinished(stop_reason=record["stop"])
            case other:
                raise ValueError(f"unknown event {quote_value(other)}")


def _parse_case(record: dict[str, Any]) -> Case:
    exchange = exchange_from_json(record["exchange"])
    return Case(
        phase=record["phase"],
        invalid_inputs=tuple((where, name) for where, name in record["invalid_inputs"]),
        broken_rules=tuple(record["broken_rules"]),
        exchange=exchange,
        passed=tuple(record["passed"]),
        failed_checks=tuple(
            FailedCheck(
                check=deviation["check"],
                code=deviation["code"],
                title=deviation["title"],
                message=deviation["message"],
                schema_path=deviation["where"],
                exchange=exchange_from_json(deviation["exchange"]) if deviation["exchange"] else exchange,
                chain=tuple(exchange_from_json(before) for before in deviation["chain"]),
            )
            for deviation in record["deviations"]
        ),
    )
