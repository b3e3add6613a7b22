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
from devportal.errors import InvalidSettings

SAME_IN_ALL_SHARDS: tuple[tuple[str, Callable[[Result], Any]], ...] = (
    ("contract", lambda one: one.contract_digest),
    ("URL", lambda one: one.url),
    ("seed", lambda one: one.seed),
    ("profile", lambda one: one.profile),
    ("--stability", lambda one: one.gate),
    ("--min-coverage", lambda one: one.min_coverage),
    ("number of shards", lambda one: one.shard.of),
)
"""What all shards of a run have in common."""


def merge_shards(results: Mapping[str, Result]) -> Result:
    """Return the shards of a run, by the name of each one's file, as one result.

    Raises InvalidSettings where they are not the shards of one run, or not all of them.
    """
    _require_same_run(results)
    _require_all_shards(results)
    shards = sorted(results.values(), key=lambda one: one.shard.number)
    operations = _in_contract_order([one.operations for one in shards])
    failures = _merge_failures(failure for one in shards for failure in one.failures)
    start = min(one.started_at for one in shards)
    end = max(one.started_at + timedelta(seconds=one.duration_s) for one in shards)
    return replace(
        shards[0],
        started_at=start,
        duration_s=round((end - start).total_seconds(), 3),
        operations=operations,
        failures=sort_failures(mark_intermittent(failures), operations),
        warnings=tuple(_merge_warnings(shards)),
        gaps=tuple(dict.fromkeys(gap for one in shards for gap in one.gaps)),
        coverage=_merge_coverage(shards, operations),
        doubts=tuple(_merge_baseline_warnings(shards)),
        assumptions=tuple(dict.fromkeys(text for one in shards for text in one.assumptions)),
        hints=shards[0].hints if all(one.hints for one in shards) else (),
        shard=Shard(),
    )


def _require_same_run(results: Mapping[str, Result]) -> None:
    (first, one), *others = results.items()
    for name, other in others:
        for what, of in SAME_IN_ALL_SHARDS:
            if of(one) != of(other):
                raise InvalidSettings(
                    f"{first} and {name} are not of one run: the {what} of the first is {of(one)!r}, of the "
                    f"other {of(other)!r}",
                    help="give the JSON reports of one run's shards",
                )


def _require_all_shards(results: Mapping[str, Result]) -> None:
    """Raise InvalidSettings for a shard that is there twice, or missing: so are its failures."""
    found: dict[int, str] = {}
    for name, one in results.items():
        if one.shard.number in found:
            raise InvalidSettings(
                f"{found[one.shard.number]} and {name} are both shard {one.shard.number} of {one.shard.of}",
                help="give the report of each shard once",
            )
        found[one.shard.number] = name
    of = next(iter(results.values())).shard.of
    missing = ", ".join(str(number) for number in range(1, of + 1) if number not in found)
    if missing:
        raise InvalidSettings(
            f"of the {of} shards of the run these are missing: {missing}",
            help="give the reports of all shards; one that did not end has none, and its job says why",
        )


def _in_contract_order(parts: Sequence[tuple[OperationResult, ...]]) -> tuple[OperationResult, ...]:
    """Return the operations of all shards: each shard has every n-th of them (`selection`)."""
    return tuple(one for one in chain.from_iterable(zip_longest(*parts)) if one is not None)


def _merge_failures(failures: Iterable[Failure]) -> tuple[Failure, ...]:
    """Return the failures; what several shards say of the run as a whole is said once."""
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
    for one in chain.from_iterable(shard.warnings for shard in shards):
        warned.setdefault(one.kind, []).append(one)
    for same in warned.values():
        subjects = tuple(dict.fromkeys(chain.from_iterable(one.subjects for one in same)))
        yield replace(same[0], subjects=subjects, gates=any(one.gates for one in same))


def _merge_coverage(
    shards: Sequence[Result], operations: Sequence[OperationResult]
) -> tuple[CoveredPart, ...]:
    """Return the parts in the order of the operations, with all that was received of each event."""
    order = {one.label: position for position, one in enumerate(operations)}
    parts = [one for shard in shards for one in shard.coverage if one.part is not ContractPart.EVENT]
    parts.sort(key=lambda one: order.get(one.operation, len(order)))
    events: dict[str, CoveredPart] = {}
    for one in (one for shard in shards for one in shard.coverage if one.part is ContractPart.EVENT):
        before = events[one.name].count if one.name in events else 0
        events[one.name] = replace(one, count=before + one.count)
    return (*parts, *events.values())


def _merge_baseline_warnings(shards: Sequence[Result]) -> Iterator[BaselineWarning]:
    """Yield what is doubtful about the baseline; an entry of no operation where every shard doubts it."""
    for doubt in dict.fromkeys(chain.from_iterable(shard.doubts for shard in shards)):
        if doubt.operation or all(doubt in shard.doubts for shard in shards):
            yield doubt
