"""The shards of one run as one result."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import chain, zip_longest
from typing import Any

from devportal.conformance.results.result import (
    BaselineWarning,
    ContractPart,
    CoveredPart,
    Failure,
    OperationResult,
    Result,
    RunWarning,
    Shard,
)
from devportal.conformance.results.run_result import sort_failures
from devportal.conformance.run.confirm import mark_intermittent
from devportal.contract.wording import quote_value
from devportal.errors import InvalidSettings

SAME_IN_ALL_SHARDS: tuple[tuple[str, Callable[[Result], Any]], ...] = (
    ("contract", lambda result: result.contract_digest),
    ("URL", lambda result: result.url),
    ("seed", lambda result: result.seed),
    ("profile", lambda result: result.profile),
    ("--stability", lambda result: result.gate),
    ("--min-coverage", lambda result: result.min_coverage),
    ("number of shards", lambda result: result.shard.of),
)
"""What all shards of a run have in common."""


def merge_shards(results: Mapping[str, Result]) -> Result:
    """Return the shards of a run, by the name of each one's file, as one result.

    Raises InvalidSettings if they are not the shards of one run, or not all of them.
    """
    _require_same_run(results)
    _require_all_shards(results)
    shards = sorted(results.values(), key=lambda result: result.shard.number)
    operations = _in_contract_order([shard.operations for shard in shards])
    failures = _merge_failures(failure for shard in shards for failure in shard.failures)
    start = min(shard.started_at for shard in shards)
    end = max(shard.started_at + timedelta(seconds=shard.duration_s) for shard in shards)
    return replace(
        shards[0],
        started_at=start,
        duration_s=round((end - start).total_seconds(), 3),
        operations=operations,
        failures=sort_failures(mark_intermittent(failures), operations),
        warnings=tuple(_merge_warnings(shards)),
        gaps=tuple(dict.fromkeys(gap for shard in shards for gap in shard.gaps)),
        coverage=_merge_coverage(shards, operations),
        doubts=tuple(_merge_baseline_warnings(shards)),
        assumptions=tuple(dict.fromkeys(text for shard in shards for text in shard.assumptions)),
        hints=shards[0].hints if all(shard.hints for shard in shards) else (),
        shard=Shard(),
    )


def _require_same_run(results: Mapping[str, Result]) -> None:
    (first, first_result), *others = results.items()
    for name, other in others:
        for noun, value_of in SAME_IN_ALL_SHARDS:
            if value_of(first_result) != value_of(other):
                raise InvalidSettings(
                    f"{first} and {name} are not of one run: the {noun} of the first is "
                    f"{quote_value(value_of(first_result))}, of the other {quote_value(value_of(other))}",
                    help="give the JSON reports of one run's shards",
                )


def _require_all_shards(results: Mapping[str, Result]) -> None:
    """Raise InvalidSettings for a shard that is there twice, or missing: so are its failures."""
    found: dict[int, str] = {}
    for name, result in results.items():
        if result.shard.number in found:
            raise InvalidSettings(
                f"{found[result.shard.number]} and {name} are both shard {result.shard.number} of {result.shard.of}",
                help="give the report of each shard once",
            )
        found[result.shard.number] = name
    of = next(iter(results.values())).shard.of
    missing = ", ".join(str(number) for number in range(1, of + 1) if number not in found)
    if missing:
        raise InvalidSettings(
            f"of the {of} shards of the run these are missing: {missing}",
            help="give the reports of all shards; one that did not end has none, and its job says why",
        )


def _in_contract_order(parts: Sequence[tuple[OperationResult, ...]]) -> tuple[OperationResult, ...]:
    """Return the operations of all shards: each shard has every n-th of them (`selection`)."""
    return tuple(
        operation_result
        for operation_result in chain.from_iterable(zip_longest(*parts))
        if operation_result is not None
    )


def _merge_failures(failures: Iterable[Failure]) -> tuple[Failure, ...]:
    """Return the failures; failures of the run as a whole that several shards report are listed once."""
    found: dict[object, Failure] = {}
    for number, failure in enumerate(failures):
        key = number if failure.operation else (failure.fingerprint, failure.standing)
        before = found.get(key)
        if before is None:
            found[key] = failure
            continue
        seen_in = tuple(dict.fromkeys((*before.seen_in, *failure.seen_in)))
        found[key] = replace(before, count=before.count + failure.count, seen_in=seen_in)
    return tuple(found.values())


def _merge_warnings(shards: Sequence[Result]) -> Iterator[RunWarning]:
    warned: dict[str, list[RunWarning]] = {}
    for run_warning in chain.from_iterable(shard.warnings for shard in shards):
        warned.setdefault(run_warning.kind, []).append(run_warning)
    for same in warned.values():
        subjects = tuple(dict.fromkeys(chain.from_iterable(run_warning.subjects for run_warning in same)))
        yield replace(same[0], subjects=subjects, gates=any(run_warning.gates for run_warning in same))


def _merge_coverage(
    shards: Sequence[Result], operations: Sequence[OperationResult]
) -> tuple[CoveredPart, ...]:
    """Return the parts in the order of the operations, with all that was received of each event."""
    order = {operation.label: position for position, operation in enumerate(operations)}
    parts = [
        covered_part
        for shard in shards
        for covered_part in shard.coverage
        if covered_part.part is not ContractPart.EVENT
    ]
    parts.sort(key=lambda part: order.get(part.operation, len(order)))
    events: dict[str, CoveredPart] = {}
    for covered_part in (
        part for shard in shards for part in shard.coverage if part.part is ContractPart.EVENT
    ):
        before = events[covered_part.name].count if covered_part.name in events else 0
        events[covered_part.name] = replace(covered_part, count=before + covered_part.count)
    return (*parts, *events.values())


def _merge_baseline_warnings(shards: Sequence[Result]) -> Iterator[BaselineWarning]:
    """Yield what is doubtful about the baseline; an entry of no operation where every shard doubts it."""
    for doubt in dict.fromkeys(chain.from_iterable(shard.doubts for shard in shards)):
        if doubt.operation or all(doubt in shard.doubts for shard in shards):
            yield doubt
