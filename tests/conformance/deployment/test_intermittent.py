# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""Faults that come and go, and the hiccup that is none."""

import itertools
from dataclasses import replace

import pytest
from starlette.requests import Request as Asked
from starlette.responses import Response

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.knowledge.subject import operation_label
from devportal.conformance.results.result import Failure, Standing
from devportal.conformance.run.confirm import (
    intermittent_server_errors,
    mark_intermittent,
    schemathesis_failures,
)
from devportal.conformance.schemathesis.events import Case, FailedCheck
from tests.apps.parcels import Parcels, Refusal
from tests.apps.serving import serving
from tests.conformance.running import blocking_failures, describe_result, judging, run, subject_of
from tests.conformance.values import FLUKE, LABEL, exchange, result

ERROR = replace(
    FLUKE, check="not_a_server_error", code="ST101", exchange=exchange(500, {}), seen_in=("a" * 16,)
)


def standings(*failures: Failure) -> list[Standing]:
    return [failure.standing for failure in mark_intermittent(failures)]


def test_one_hiccup_is_not_counted_however_many_promises_it_broke() -> None:
    """One answer of 500 breaks the promise of its status, of its media type and of its schema."""
    of_one_answer = [replace(ERROR, title=title) for title in ("status", "media type", "schema")]

    assert set(standings(*of_one_answer)) == {Standing.NOT_REPRODUCED}


def test_the_same_fault_in_two_answers_is_intermittent() -> None:
    """In one operation or in two: the answers prove it, and the message says how often it was met."""
    twice = replace(ERROR, seen_in=("a" * 16, "b" * 16))
    elsewhere = replace(ERROR, operation="GET /v1/health", seen_in=("b" * 16,))

    assert standings(twice) == [Standing.INTERMITTENT]
    assert standings(ERROR, elsewhere) == [Standing.INTERMITTENT] * 2
    assert mark_intermittent([twice])[0].fails
    assert "seen in 2 responses and in no replay" in mark_intermittent([twice])[0].message


@pytest.mark.parametrize("check", ["documented-responses", "unique-ids"])
def test_what_our_families_see_in_answers_is_proven_by_two(check: str) -> None:
    """An undocumented status and an identifier that was given twice need no third."""
    twice = replace(FLUKE, check=check, code="", seen_in=("a" * 16, "b" * 16))

    assert standings(twice) == [Standing.INTERMITTENT]
    assert standings(replace(twice, seen_in=("a" * 16,))) == [Standing.NOT_REPRODUCED]


def test_what_an_answer_alone_does_not_prove_needs_three() -> None:
    """Valid data that was refused twice may have met another state; three faults of a run are no chance."""
    one = replace(FLUKE, check="valid-data", seen_in=("a" * 16, "b" * 16))
    other = replace(FLUKE, check="methods", seen_in=("c" * 16,))

    assert standings(one) == [Standing.NOT_REPRODUCED]
    assert standings(one, other) == [Standing.INTERMITTENT] * 2


def test_a_rate_limit_is_no_fault_that_comes_and_goes() -> None:
    """429 comes to one request and not to its replay, as it should."""
    limited = replace(ERROR, code="ST103", exchange=exchange(429, {}), seen_in=("a" * 16, "b" * 16))

    assert standings(limited) == [Standing.NOT_REPRODUCED]


def test_what_does_not_gate_makes_nothing_red() -> None:
    """Faults of operations that are not counted do not count together either."""
    beta = replace(ERROR, gates=False, seen_in=("a" * 16, "b" * 16, "c" * 16))

    assert standings(beta) == [Standing.NOT_REPRODUCED]


def errors_among(total: int, *answers: Exchange, told: tuple[Failure, ...] = ()) -> list[Failure]:
    operation = replace(result().operations[0], cases=total)
    return list(intermittent_server_errors(subject_of(), [operation], answers, told))


def test_server_errors_that_no_check_told_are_told() -> None:
    """Two answers of 5xx among 200 are one in a hundred; two among 201 are fewer, and one is a hiccup."""
    found = errors_among(200, exchange(500, 1), exchange(502, 2))

    assert [(failure.operation, failure.fails, failure.count) for failure in found] == [(LABEL, True, 2)]
    assert found[0].message == "2 of 200 responses: 500 (1×), 502 (1×)"
    assert errors_among(201, exchange(500, 1), exchange(502, 2)) == []
    assert errors_among(5, exchange(500, 1)) == []


def test_server_errors_are_told_once() -> None:
    """Where a check has shown one, or the baseline knows it, nothing is added."""
    confirmed = replace(ERROR, standing=Standing.CONFIRMED)
    known = replace(ERROR, standing=Standing.KNOWN)

    for told in (confirmed, known):
        assert errors_among(4, exchange(500, 1), exchange(500, 2), told=(told,)) == []


def test_a_documented_server_error_is_none() -> None:
    """What the contract names is no break of it."""
    subject = subject_of()
    operation = next(operation for operation in subject.operations if operation_label(operation) == LABEL)
    unavailable = replace(operation.responses[0], status="503")
    documented = replace(subject, operations=(replace(operation, responses=(unavailable,)),))

    found = intermittent_server_errors(
        documented, result().operations, [exchange(503, 1), exchange(503, 2)], ()
    )

    assert list(found) == []


class FailsSometimes(Parcels):
    """Answers 500 to every so manieth request."""

    every = 60

    def __init__(self) -> None:
        super().__init__()
        self.turns = itertools.count(1)

    async def answer(self, request: Asked) -> Response:
        if next(self.turns) % self.every == 0:
            raise Refusal(500, "hiccup", "Something broke.")
        return await super().answer(request)


class FailsSeldom(FailsSometimes):
    """Answers 500 to one request in 700."""

    every = 700


@pytest.mark.deep
@pytest.mark.conformance
def test_a_server_that_fails_now_and_then_is_red() -> None:
    """No replay shows it, and the run says how often it was met."""
    with serving(FailsSometimes()) as url:
        found = run(url, phases=("examples", "coverage"))

    assert not found.is_clean
    loose = [
        blocking_failure
        for blocking_failure in blocking_failures(found)
        if blocking_failure.standing is Standing.INTERMITTENT
    ]
    assert loose, describe_result(found)
    assert any("in no replay" in failure.message for failure in loose)


@pytest.mark.parametrize(
    ("requests", "standing"),
    [(750, "not-reproduced"), pytest.param(1450, "intermittent", marks=pytest.mark.deep)],
)
def test_a_server_that_fails_seldom_is_red_where_it_is_met_twice(requests: int, standing: str) -> None:
    """One in 700: a run that met it once cannot tell it from a hiccup, one that met it twice can."""
    with judging(FailsSeldom()) as judge:
        request = Request(method="GET", url=f"{judge.subject.base_url}/v1/health")
        met = [judge.deployment.send(request, operation="GET /v1/health") for _ in range(requests)]
        found = list(schemathesis_failures(judge, [_case(item) for item in met]))

    (failure,) = mark_intermittent(found)
    assert failure.standing == standing


def _case(met: Exchange) -> Case:
    """Return a case as Schemathesis judges it."""
    fault = FailedCheck(
        check="not_a_server_error",
        code="ST101",
        title="Server error",
        message="",
        schema_path="",
        exchange=met,
    )
    return Case(phase="fuzzing", exchange=met, failed_checks=(fault,) if met.status >= 500 else ())
