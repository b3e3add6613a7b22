"""Shards of one run as one result."""

from dataclasses import replace
from datetime import timedelta

import pytest

from devportal.conformance.results.merging import merge_shards
from devportal.conformance.results.result import (
    BaselineWarning,
    ContractPart,
    CoveredPart,
    Failure,
    Result,
    RunWarning,
    Shard,
    Standing,
)
from devportal.errors import InvalidSettings, Place
from tests.conformance.values import FAILURE, FLUKE, LABEL, exchange, result

HEALTH = "GET /v1/health"


def shard(number: int, label: str, *failures: Failure, **changes: object) -> Result:
    """Return one of two shards."""
    one = result(*failures)
    operation = replace(one.operations[0], label=label)
    return replace(one, operations=(operation,), shard=Shard(number=number, of=2), **changes)  # type: ignore[arg-type]


def test_shards_become_one_result() -> None:
    """All operations and failures, the time from the first start to the last end, in any order."""
    first = shard(1, LABEL, FAILURE)
    second = shard(2, HEALTH, started_at=first.started_at + timedelta(seconds=10), duration_s=4.0)

    whole = merge_shards({"b.json": second, "a.json": first})

    assert [operation.label for operation in whole.operations] == [LABEL, HEALTH]
    assert whole.failures == (FAILURE,)
    assert not whole.is_clean
    assert whole.cases == 14
    assert whole.duration_s == 14.0
    assert whole.shard == Shard()
    assert merge_shards({"a.json": shard(1, LABEL), "b.json": shard(2, HEALTH)}).is_clean


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"contract_digest": "1" * 64}, "contract"),
        ({"url": "http://127.0.0.1:2"}, "URL"),
        ({"seed": 2}, "seed"),
        ({"profile": "full"}, "profile"),
        ({"gate": "all"}, "--stability"),
        ({"shard": Shard(number=2, of=3)}, "number of shards"),
    ],
)
def test_other_runs_are_refused(changes: dict[str, object], what: str) -> None:
    """The message names both files and what differs."""
    with pytest.raises(InvalidSettings, match=rf"a\.json and b\.json are not of one run: the {what} "):
        merge_shards({"a.json": shard(1, LABEL), "b.json": replace(shard(2, HEALTH), **changes)})  # type: ignore[arg-type]


def test_a_missing_or_doubled_shard_is_refused() -> None:
    """Half of a run must not look like a whole one."""
    with pytest.raises(InvalidSettings, match="of the 2 shards of the run these are missing: 2"):
        merge_shards({"a.json": shard(1, LABEL)})
    with pytest.raises(InvalidSettings, match="are both shard 1 of 2"):
        merge_shards({"a.json": shard(1, LABEL), "b.json": shard(1, LABEL)})


def test_what_is_of_the_whole_run_is_told_once() -> None:
    """Failures, warnings and events that each shard reports of the same thing."""
    warned = RunWarning(kind="missing_auth", subjects=(LABEL,), message="m", gates=False)
    event = CoveredPart(part=ContractPart.EVENT, operation="", name="parcelDelivered", count=2)
    of_run = replace(FAILURE, operation="", standing=Standing.CERTAIN)
    first = shard(1, LABEL, of_run, warnings=(warned,), coverage=(event,))
    other = replace(warned, subjects=(HEALTH,), gates=True)
    second = shard(2, HEALTH, of_run, warnings=(other,), coverage=(event,))

    whole = merge_shards({"a.json": first, "b.json": second})

    assert [(failure.title, failure.count) for failure in whole.failures] == [(FAILURE.title, 2)]
    assert whole.warnings == (replace(warned, subjects=(LABEL, HEALTH), gates=True),)
    assert whole.coverage == (replace(event, count=4),)


def test_hiccups_of_several_shards_are_no_single_one() -> None:
    """Each shard let one pass; together they are a server that fails now and then."""
    hiccup = replace(FLUKE, code="ST101", exchange=exchange(500, {}), seen_in=("a" * 16,))
    again = replace(hiccup, operation=HEALTH, seen_in=("b" * 16,))
    first, second = shard(1, LABEL, hiccup), shard(2, HEALTH, again)

    assert first.is_clean
    assert second.is_clean
    assert not merge_shards({"a.json": first, "b.json": second}).is_clean


def test_an_entry_is_stale_where_every_shard_says_so() -> None:
    """One about any operation may fit in the other shard; one about an operation is asked in its shard."""
    anywhere = BaselineWarning(
        place=Place(file="b.yaml", line=2, column=5), operation="", about="a", reason="r"
    )
    here = replace(anywhere, operation=LABEL)

    whole = merge_shards({"a.json": shard(1, LABEL, doubts=(anywhere, here)), "b.json": shard(2, HEALTH)})

    assert whole.doubts == (here,)
