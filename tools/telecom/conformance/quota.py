"""The rate limit fields of responses, and whether they agree: a pure comparison of readings in order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from devportal.conformance.deployment.exchange import Exchange
from telecom.conformance.rate_limit_fields import TOO_MANY_REQUESTS, parse_field

OTHER_CLIENTS_MARGIN = 2
"""Up to this many remaining requests, another client may have used them meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaReading:
    """The fields of one response: `remaining` of `quota` requests, in a window of `window_s` that ends in
    `reset_s`.

    `sent_s` and `received_s` are seconds of a monotonic clock. `retry_after_s` is None if the response has no
    such field, or none in seconds.
    """

    exchange: Exchange
    sent_s: float
    received_s: float
    name: str
    remaining: int
    reset_s: int
    quota: int
    window_s: int
    retry_after_s: int | None = None

    @property
    def is_refusal(self) -> bool:
        """Whether the request was refused with 429."""
        return self.exchange.status == TOO_MANY_REQUESTS


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaMismatch:
    """A mismatch between readings, in words for a title and a message, and the reading that shows it."""

    title: str
    message: str
    reading: QuotaReading


def parse_quota(exchange: Exchange, *, sent_s: float, received_s: float) -> QuotaReading | None:
    """Return the fields of a response, None if any is missing."""
    response = exchange.answer
    if response is None:
        return None
    limits, policies = (
        parse_field(response.header("ratelimit")),
        parse_field(response.header("ratelimit-policy")),
    )
    name = next((limit for limit in limits if limit in policies), None)
    if name is None:
        return None
    limit, policy, retry_after = limits[name], policies[name], (response.header("retry-after") or "").strip()
    if not ({"r", "t"} <= limit.keys() and {"q", "w"} <= policy.keys()):
        return None
    return QuotaReading(
        exchange=exchange,
        sent_s=sent_s,
        received_s=received_s,
        name=name,
        remaining=limit["r"],
        reset_s=limit["t"],
        quota=policy["q"],
        window_s=policy["w"],
        retry_after_s=int(retry_after) if retry_after.isascii() and retry_after.isdigit() else None,
    )


def quota_count_mismatches(readings: Sequence[QuotaReading]) -> Iterator[QuotaMismatch]:
    """Yield a mismatch if consecutive responses do not count requests down."""
    pairs = [pair for pair in pairwise(readings) if pair[0].name == pair[1].name]
    for before, after in pairs:
        if _policy_text(before) != _policy_text(after):
            text = f"{_policy_text(before)}, and in the next response {_policy_text(after)}"
            yield QuotaMismatch(title="the quota changes between responses", message=text, reading=after)
            return
    steps = [
        (before, before.remaining - after.remaining)
        for before, after in pairs
        if before.remaining and _is_same_window(before, after)
    ]
    if uncounted := next((before for before, step in steps if step < 1), None):
        text = f"{uncounted.remaining} remain, and no fewer after the next request"
        yield QuotaMismatch(title="a request is not counted", message=text, reading=uncounted)
    elif len(steps) > 1 and steps[0][1] > 1 and len({step for _, step in steps}) == 1:
        # Steps that differ are those of others who ask at the same time, such as scenarios of webhooks.
        text = f"what remains is {', '.join(str(reading.remaining) for reading in readings)}"
        yield QuotaMismatch(title="a request is counted more than once", message=text, reading=readings[-1])


def quota_decision_mismatches(readings: Sequence[QuotaReading]) -> Iterator[QuotaMismatch]:
    """Yield a mismatch if a request beyond the quota was accepted, or one within it refused."""
    for before, after in pairwise(readings):
        if not _is_same_window(before, after):
            continue
        if after.is_refusal and not before.is_refusal and before.remaining > OTHER_CLIENTS_MARGIN:
            text = f"{before.remaining} requests were left, and the next one gets {TOO_MANY_REQUESTS}"
            yield QuotaMismatch(title="a request within the quota is rejected", message=text, reading=after)
            return
        if not after.is_refusal and not before.remaining:
            status = after.exchange.status
            text = f"no request was left for {before.reset_s} s, and the next one gets {status}"
            yield QuotaMismatch(title="a request beyond the quota is accepted", message=text, reading=after)
            return


def _is_same_window(before: QuotaReading, after: QuotaReading) -> bool:
    """Return whether a response arrived before the window of an earlier one could end. The end is given in
    whole seconds."""
    return after.received_s - before.sent_s < before.reset_s - 1


def _policy_text(reading: QuotaReading) -> str:
    return f'"{reading.name}";q={reading.quota};w={reading.window_s}'
