# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""Whole runs: right servers are green, each wrong one is red and the right check says so."""

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.results.result import Source, Standing
from devportal.conformance.run.options import Gate
from tests.apps.correct import KnowsTwoMethods, LooseFields, SessionCookie, UnusualButRight
from tests.apps.faulty import FAULTS, TOGETHER, Fault, Together
from tests.apps.other_parcels import SilentOnNotes, serving_other
from tests.apps.parcels import TOKEN, Parcels, Refusal
from tests.apps.serving import never_answer, serving
from tests.conformance.results.test_reproduction import unreproduced_failures
from tests.conformance.running import CONTRACT, SILENT_AFTER_S, blocking_failures, describe_result, run

pytestmark = pytest.mark.conformance


def contract_without_405(folder: Path) -> Path:
    """Write the contract without its promise of 405, and return where."""
    path = folder / "parcels.yaml"
    lines = CONTRACT.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "'405'" not in line))
    return path


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.deep) for seed in (7, 4711))])
def test_the_right_server_is_green(seed: int) -> None:
    """A server that keeps its contract raises no alarm, whatever the seed, business refusals included."""
    with serving(Parcels()) as url:
        result = run(url, seed=seed)

    assert result.is_clean, describe_result(result)
    assert not result.failures
    assert not result.warnings
    assert {operation.label for operation in result.operations if dict(operation.statuses).get(200)} == {
        "GET /v1/parcels/{parcelId}",
        "GET /v1/health",
    }
    assert result.cases > 80


@pytest.mark.deep
def test_the_other_right_server_is_green() -> None:
    """A server written in another way is green too: the checks know the contract, not a server."""
    with serving_other() as url:
        result = run(url)

    assert result.is_clean, describe_result(result)
    assert not result.failures


@pytest.mark.deep
def test_habits_that_http_leaves_open_are_no_fault(tmp_path: Path) -> None:
    """A server that has several of them at once is green: each alone is in the deep tier."""
    contract = contract_without_405(tmp_path)
    with serving_other(UnusualButRight) as url:
        result = run(url, contract=contract, phases=("examples", "coverage"))

    assert result.is_clean, describe_result(result)
    assert "not_a_server_error" not in {failure.check for failure in result.failures}


@pytest.mark.deep
def test_a_server_that_opens_sessions_is_green() -> None:
    """A cookie set on an authenticated answer is not sent along where no credential is to be sent."""
    with serving(SessionCookie()) as url:
        result = run(url, phases=("examples", "coverage"))

    assert result.is_clean, describe_result(result)
    assert not result.failures


@pytest.mark.deep
def test_a_method_that_a_server_does_not_know_may_get_501(tmp_path: Path) -> None:
    """Where no 405 is promised, 501 to an undeclared method is right (RFC 9110 §15.6.2)."""
    contract = contract_without_405(tmp_path)
    with serving_other(KnowsTwoMethods) as url:
        result = run(url, contract=contract, phases=("examples", "coverage"))

    assert result.is_clean, describe_result(result)
    assert "not_a_server_error" not in {failure.check for failure in result.failures}


@pytest.mark.deep
def test_how_fields_are_laid_out_says_nothing() -> None:
    """Space around a value is none of it, and lines of one field are one list (RFC 9110 §5.3, §5.5)."""
    with serving_other(LooseFields) as url:
        result = run(url, phases=("examples", "coverage"))

    assert result.is_clean, describe_result(result)
    assert not result.failures, describe_result(result)


@pytest.mark.deep
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.app.__name__)
def test_each_wrong_server_is_red(fault: Fault) -> None:
    """The check that is there for a fault finds it, and sending the request again confirms it."""
    with serving(fault.app()) as url:
        result = run(url, phases=fault.phases, gate=Gate.STABLE)

    assert not result.is_clean
    found = [
        member
        for blocking_failure in blocking_failures(result)
        for member in blocking_failure.members
        if member.check == fault.check
    ]
    assert found, describe_result(result)
    assert found[0].standing in (Standing.CONFIRMED, Standing.CERTAIN)
    assert found[0].promise is not None
    assert found[0].promise.line > 1


def test_faults_that_do_not_meet_are_each_found_and_shown_again() -> None:
    """A server with many faults is reported with each of them, by the check for it, and confirmed; all that it
    does wrong shows again on a fresh server when the printed commands are pasted.
    """
    with serving(Together()) as url:
        result = run(url, phases=("examples", "coverage"), gate=Gate.STABLE)

    confirmed = (
        blocking_failure
        for blocking_failure in blocking_failures(result)
        if blocking_failure.standing in (Standing.CONFIRMED, Standing.CERTAIN)
    )
    found = {member.check: member for failure in confirmed for member in failure.members}
    assert found.keys() >= {fault.check for fault in TOGETHER}, describe_result(result)
    assert all(failure.promise is not None and failure.promise.line > 1 for failure in found.values())
    assert len(result.failures) >= len(TOGETHER)
    assert list(unreproduced_failures(result.failures, Together, DEVPORTAL_TOKEN=TOKEN)) == []


def test_a_closed_connection_is_a_failure() -> None:
    """A server that answers nothing to some requests is red, and is not taken for one that is down."""
    with serving_other(SilentOnNotes) as url:
        result = run(url, phases=("examples",))

    assert not result.is_clean
    assert "odd-bodies" in {blocking_failure.check for blocking_failure in blocking_failures(result)}, (
        describe_result(result)
    )
    assert "answers" in {blocking_failure.check for blocking_failure in blocking_failures(result)}, (
        describe_result(result)
    )


class RateLimited(Parcels):
    """Answers 429 to every fortieth request."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = itertools.count(1)

    async def answer(self, request: Request) -> Response:
        if request.url.path != "/v1/health" and next(self.turns) % 40 == 0:
            raise Refusal(429, "slow-down", "Wait.", {"Retry-After": "1"})
        return await super().answer(request)


@pytest.mark.deep
def test_a_rate_limit_slows_the_run_down() -> None:
    """429 with Retry-After is waited for; it is no failure."""
    with serving(RateLimited()) as url:
        result = run(url, phases=("examples", "coverage"))

    assert result.is_clean, describe_result(result)


class BreaksOnce(Parcels):
    """Fails a single time, and never again."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = itertools.count(1)

    def created_response(self, parcel: dict[str, Any]) -> Response:
        if next(self.turns) == 12:
            raise Refusal(500, "hiccup", "Something broke.")
        return super().created_response(parcel)


@pytest.mark.deep
def test_a_fault_that_does_not_show_again_is_reported_but_not_counted() -> None:
    """What one replay does not show is no reason to fail a run, and is not hidden either."""
    with serving(BreaksOnce()) as url:
        result = run(url, phases=("examples", "coverage"))

    assert result.is_clean, describe_result(result)
    assert {failure.standing for failure in result.failures} == {Standing.NOT_REPRODUCED}
    assert any(failure.exchange is not None and failure.exchange.status == 500 for failure in result.failures)


class SlowToAnswer(Parcels):
    """Takes longer than the run waits, for one kind of parcel."""

    async def answer(self, request: Request) -> Response:
        if b"brick" in await request.body() or b"3000" in await request.body():
            await never_answer(request.receive)
        return await super().answer(request)


@pytest.mark.deep
def test_an_answer_that_takes_too_long_is_a_failure() -> None:
    """A request that is not answered in time is reported with what it was."""
    with serving(SlowToAnswer()) as url:
        result = run(url, phases=("examples",), timeout_s=SILENT_AFTER_S)

    late = [
        blocking_failure
        for blocking_failure in blocking_failures(result)
        if blocking_failure.check == "answers"
    ]
    assert late, describe_result(result)
    assert late[0].exchange is not None
    assert b"3000" in (late[0].exchange.request.body or b"")


class BetaIsUnwell(Parcels):
    """Breaks the promise of the one operation that is not stable."""

    async def health(self, request: Request) -> Response:
        return self.json({"status": "so-so"}, 200)


@pytest.mark.deep
def test_a_failure_in_a_beta_operation_is_reported_but_not_counted() -> None:
    """Only operations of the chosen stability gate; with `all` the same server is red."""
    with serving(BetaIsUnwell()) as url:
        stable = run(url, phases=("coverage",), gate=Gate.STABLE)
        beta = run(url, phases=("coverage",), gate=Gate.BETA)

    assert stable.is_clean, describe_result(stable)
    assert {failure.operation for failure in stable.failures} == {"GET /v1/health"}
    assert not beta.is_clean
    assert Source.SCHEMATHESIS in {
        member.source for blocking_failure in blocking_failures(beta) for member in blocking_failure.members
    }


@pytest.mark.deep
def test_the_same_seed_makes_the_same_cases() -> None:
    """A failure can be found again: two runs with one seed send the same requests."""
    with serving(Parcels()) as first, serving(Parcels()) as second:
        results = [run(url, seed=5, phases=("fuzzing",), max_examples=5) for url in (first, second)]

    once, again = (
        [replace(operation, latency=None) for operation in result.operations] for result in results
    )
    assert once == again
