"""Quotas: what readings of answers show, and that a limiter which tells the truth is believed."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.apps.faults.catching import known_families, part_of_run
from tests.apps.faults.quotas import Limiter, count_by
from tests.apps.faults.standing import Standing, standing

from devportal.conformance.deployment.exchange import Exchange, Headers, HttpResponse, Request
from devportal.conformance.results.result import Failure
from devportal.conformance.results.result import Standing as Stand
from devportal.contract import Contract
from telecom.conformance.quota import (
    QuotaReading,
    parse_quota,
    quota_count_mismatches,
    quota_decision_mismatches,
)
from telecom.sandbox.api.rate_limit import RateLimit

ALLOWED = {"devportal-telecom": {"quota_probe": True}}
FIELDS = (("RateLimit", '"numbers";r=5;t=60'), ("RateLimit-Policy", '"numbers";q=6;w=60'))


def exchange(status: int = 200, headers: Headers = ()) -> Exchange:
    """Return an exchange with an answer."""
    asked = Request(method="GET", url="http://a.example/")
    return Exchange(request=asked, answer=HttpResponse(status=status, headers=headers))


def reading(
    left: int, *, status: int = 200, at_s: float = 0.0, ends_in_s: int = 60, quota: int = 6
) -> QuotaReading:
    """Return what an answer says that came at a moment."""
    return QuotaReading(
        exchange=exchange(status),
        sent_s=at_s,
        received_s=at_s,
        name="numbers",
        remaining=left,
        reset_s=ends_in_s,
        quota=quota,
        window_s=60,
    )


def titles(*readings: QuotaReading) -> list[str]:
    """Return what is untrue in readings."""
    return [
        quota_count_mismatch.title
        for quota_count_mismatch in (*quota_count_mismatches(readings), *quota_decision_mismatches(readings))
    ]


def test_an_answer_is_read_with_all_that_it_says() -> None:
    """What remains, of how much, until when, and when to go on."""
    found = parse_quota(exchange(429, (*FIELDS, ("Retry-After", "17"))), sent_s=1, received_s=2)

    assert found is not None
    assert (found.name, found.remaining, found.reset_s, found.quota, found.window_s) == (
        "numbers",
        5,
        60,
        6,
        60,
    )
    assert (found.is_refusal, found.retry_after_s) == (True, 17)


@pytest.mark.parametrize(
    "headers",
    [
        (),
        FIELDS[:1],
        (FIELDS[0], ("RateLimit-Policy", '"sms";q=6;w=60')),
        (FIELDS[0], ("RateLimit-Policy", '"numbers";q=many')),
    ],
    ids=["nothing", "no policy", "another policy", "no number"],
)
def test_what_does_not_say_all_of_it_is_no_reading(headers: Headers) -> None:
    """A field that cannot be read is ignored, as clients do."""
    assert parse_quota(exchange(headers=headers), sent_s=0, received_s=0) is None


@pytest.mark.parametrize(
    "readings",
    [
        (reading(5), reading(4), reading(3)),
        (reading(5), reading(3), reading(2)),
        (reading(1), reading(0), reading(0, status=429), reading(0, status=429)),
        (reading(0, ends_in_s=2), reading(5, at_s=1.5)),
        (reading(2), reading(0, status=429)),
        (reading(3, ends_in_s=1), reading(5)),
        (reading(90, quota=99), reading(87, quota=99), reading(85, quota=99)),
    ],
    ids=[
        "in turn",
        "somebody else's",
        "to the end",
        "a new window",
        "the last went elsewhere",
        "any moment",
        "others all the time",
    ],
)
def test_readings_that_can_be_true_are_believed(readings: tuple[QuotaReading, ...]) -> None:
    """Others may ask meanwhile, and a window that ends in a second may have ended."""
    assert titles(*readings) == []


@pytest.mark.parametrize(
    ("readings", "title"),
    [
        ((reading(5), reading(5)), "a request is not counted"),
        ((reading(5), reading(3), reading(1)), "a request is counted more than once"),
        ((reading(5), reading(4, quota=7)), "the quota changes between responses"),
        ((reading(0), reading(0)), "a request beyond the quota is accepted"),
        ((reading(3), reading(0, status=429)), "a request within the quota is rejected"),
    ],
)
def test_readings_that_cannot_be_true_are_told(readings: tuple[QuotaReading, ...], title: str) -> None:
    """Two answers contradict each other."""
    assert title in titles(*readings)


@pytest.fixture(scope="module")
def sandbox(contract: Contract, tmp_path_factory: pytest.TempPathFactory) -> Standing:
    """Return a sandbox that is prepared."""
    return standing(contract.api, tmp_path_factory.mktemp("standing"))


def quota_failures(
    sandbox: Standing, contract: Contract, folder: Path, limiter: Limiter | None = None
) -> tuple[Failure, ...]:
    """Return the failures of the checks of quotas."""
    asked = [known_families()[name] for name in ("request-quotas", "quota-exhaustion")]
    with sandbox.serving(folder, limiter) as served, pytest.MonkeyPatch.context() as patch:
        count_by(served.time, patch)
        include = ("listNumbers", "listEvents", "replayEvent")
        return part_of_run(served, contract, asked, include=include, plugins=ALLOWED)


@pytest.mark.conformance
def test_a_small_quota_is_used_up_and_begins_anew(
    sandbox: Standing, contract: Contract, tmp_path: Path
) -> None:
    """Nothing is said of the sandbox's own limiter, nor of the one that the faults are made of."""
    small = replace(sandbox.settings, rate_limit=RateLimit(quota=6, window_s=2))

    assert quota_failures(replace(sandbox, settings=small), contract, tmp_path) == ()
    assert quota_failures(sandbox, contract, tmp_path, Limiter()) == ()


@pytest.mark.conformance
def test_a_large_quota_is_left_alone(sandbox: Standing, contract: Contract, tmp_path: Path) -> None:
    """A million requests are not sent; that this was not tested is a note, which fails nothing."""
    (note,) = quota_failures(sandbox, contract, tmp_path)

    assert note.title == "the quota is too large to be used up"
    assert note.standing is Stand.NOTE
    assert not note.fails
