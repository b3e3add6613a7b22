"""Faults in quotas: a limiter before the sandbox that lists of numbers are asked through, right or wrong."""

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

import pytest

from telecom.conformance import quota_ends, quotas
from tests.apps.faults.proxy import Asked, Fault, Forward, Given
from tests.apps.faults.standing import Time
from tests.apps.faults.twists import EVENTS, answer

NUMBERS = "GET /v1/numbers"
QUOTA, WINDOW_S = 6, 2
PROBLEM = {
    "type": "https://devportal.example.com/reference/errors/rate-limit-exceeded/",
    "title": "Too many requests",
    "status": 429,
    "detail": "The quota is used up.",
    "correlation_id": "d4735e3a265e46eea03f59718b9b5d03",
}


@dataclass(kw_only=True)
class Limiter:
    """A small quota of requests in windows of fixed length; right unless something is changed."""

    quota: int = QUOTA
    accepts: int = QUOTA
    each_counts: int = 1
    retry_after: Callable[[int], str | None] = str
    is_prolonged: bool = False
    stops: tuple[str, ...] = (NUMBERS,)
    used: int = 0
    ends_s: float = 0.0

    async def __call__(self, asked: Asked, forward: Forward) -> Given:
        """Count a request for numbers, and refuse what is too much."""
        if asked.has(NUMBERS):
            self._count()
        if self._is_over() and any(map(asked.has, self.stops)):
            return Given(
                status=429,
                headers=(("content-type", "application/problem+json"), *self._fields()),
                body=json.dumps(PROBLEM).encode(),
            )
        given = await forward(asked)
        return given.with_headers(**dict(self._fields())) if asked.has(NUMBERS) else given

    def _count(self) -> None:
        now = time.monotonic()
        if now >= self.ends_s:
            self.used, self.ends_s = 0, now + WINDOW_S
        self.used += self.each_counts
        if self.is_prolonged and self.used > self.accepts + 1:
            self.ends_s += WINDOW_S  # a whole window more, so that no slow machine hides it

    def _is_over(self) -> bool:
        return self.used > self.accepts

    def _fields(self) -> tuple[tuple[str, str], ...]:
        ends_in_s = max(1, ceil(self.ends_s - time.monotonic()))
        left = max(0, self.quota - self.used)
        after = self.retry_after(ends_in_s) if self._is_over() else None
        return (
            ("ratelimit", f'"numbers";r={left};t={ends_in_s}'),
            ("ratelimit-policy", f'"numbers";q={self.quota};w={WINDOW_S}'),
            *((("retry-after", after),) if after is not None else ()),
        )


def count_by(time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let windows end by the time of a sandbox, for the limiters here and for the checks: on a busy machine
    one would be over before its quota is used up.
    """
    for module in (sys.modules[__name__], quotas, quota_ends):
        monkeypatch.setattr(module, "time", time)


def _quota_fault(name: str, breaks: str, limiter: Callable[[], Limiter]) -> Fault:
    return Fault(
        name=name,
        breaks=breaks,
        check="quota-exhaustion",
        operations=("listNumbers", "listEvents", "replayEvent"),
        make=limiter,
        plugins={"devportal-telecom": {"quota_probe": True}},
    )


def _counting(name: str, breaks: str, limiter: Callable[[], Limiter]) -> Fault:
    return Fault(
        name=name,
        breaks=breaks,
        check="request-quotas",
        operations=("listNumbers",),
        make=limiter,
    )


FAULTS = (
    _counting("requests-that-count-nothing", "each request counts one", lambda: Limiter(each_counts=0)),
    _counting(
        "requests-that-count-twice",
        "each request counts one",
        lambda: Limiter(each_counts=2, quota=60, accepts=60),
    ),
    Fault(
        name="a-quota-of-what-remains",
        breaks="the quota is the same in each answer",
        check="request-quotas",
        operations=("listNumbers",),
        make=answer(
            NUMBERS,
            lambda given: given.with_headers(
                ratelimit_policy=given.header("ratelimit-policy").replace(
                    "q=1000000", "q=" + given.header("ratelimit").partition("r=")[2].partition(";")[0]
                )
            ),
        ),
    ),
    _quota_fault(
        "a-quota-that-nobody-enforces", "requests beyond the quota are refused", lambda: Limiter(accepts=99)
    ),
    _quota_fault(
        "half-as-many-again",
        "requests beyond the quota are refused",
        lambda: Limiter(accepts=QUOTA + QUOTA // 2),
    ),
    _quota_fault(
        "half-a-quota", "requests within the quota are accepted", lambda: Limiter(accepts=QUOTA // 2)
    ),
    _quota_fault(
        "retry-after-a-second",
        "it goes on after Retry-After",
        lambda: Limiter(retry_after=lambda _: "1"),
    ),
    _quota_fault(
        "retry-after-an-hour",
        "Retry-After is within the window",
        lambda: Limiter(retry_after=lambda _: "3600"),
    ),
    _quota_fault(
        "no-retry-after", "a refusal says when to go on", lambda: Limiter(retry_after=lambda _: None)
    ),
    _quota_fault(
        "who-comes-too-early-waits-longer",
        "what is refused does not count",
        lambda: Limiter(is_prolonged=True),
    ),
    _quota_fault(
        "one-quota-for-all",
        "each API has a quota of its own",
        lambda: Limiter(stops=(NUMBERS, EVENTS)),
    ),
)
