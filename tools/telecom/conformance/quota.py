"""What answers say of a quota, and whether they agree: pure comparison of readings in their order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from devportal.conformance.deployment.exchange import Exchange
from telecom.conformance.rate_limit_fields import TOO_MANY_REQUESTS, parse_field

LEFT_FOR_OTHERS = 2
"""So few requests that were left may have been somebody else's meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaReading:
    """What one answer says: `left` of `quota` requests, in a window of `window_s` that ends in `ends_in_s`.

    `sent_s` and `came_s` are seconds of a clock that only goes on. `retry_after_s` is None where the answer
    has no such field, or none in seconds.
    """

    exchange: Exchange
    sent_s: float
    came_s: float
    name: str
    left: int
    ends_in_s: int
    quota: int
    window_s: int
    retry_after_s: int | None = None

    @property
    def is_refusal(self) -> bool:
        """Say whether the request was one too many."""
        return self.exchange.status == TOO_MANY_REQUESTS


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaMismatch:
    """What readings show to be untrue, in words for a title and a message, and the reading that shows it."""

    title: str
    message: str
    reading: QuotaReading


def parse_quota(exchange: Exchange, *, sent_s: float, came_s: float) -> QuotaReading | None:
    """Return what an answer says, None where it does not say all of it."""
    answer = exchange.answer
    if answer is None:
        return None
    limits, policies = parse_field(answer.header("ratelimit")), parse_field(answer.header("ratelimit-policy"))
    name = next((one for one in limits if one in policies), None)
    if name is None:
        return None
    limit, policy, after = limits[name], policies[name], (answer.header("retry-after") or "").strip()
    if not ({"r", "t"} <= limit.keys() and {"q", "w"} <= policy.keys()):
        return None
    return QuotaReading(
        exchange=exchange,
        sent_s=sent_s,
        came_s=came_s,
        name=name,
        left=limit["r"],
        ends_in_s=limit["t"],
        quota=policy["q"],
        window_s=policy["w"],
        retry_after_s=int(after) if after.isascii() and after.isdigit() else None,
    )


def quota_miscounts(readings: Sequence[QuotaReading]) -> Iterator[QuotaMismatch]:
    """Yield where answers to requests one after the other do not count them down."""
    pairs = [one for one in pairwise(readings) if one[0].name == one[1].name]
    for before, after in pairs:
        if _policy_text(before) != _policy_text(after):
            text = f"{_policy_text(before)}, and in the next answer {_policy_text(after)}"
            yield QuotaMismatch(title="the quota changes from answer to answer", message=text, reading=after)
            return
    steps = [
        (before, before.left - after.left)
        for before, after in pairs
        if before.left and _is_same_window(before, after)
    ]
    if uncounted := next((before for before, step in steps if step < 1), None):
        text = f"{uncounted.left} remain, and no fewer after the next request"
        yield QuotaMismatch(title="a request is not counted", message=text, reading=uncounted)
    elif len(steps) > 1 and steps[0][1] > 1 and len({step for _, step in steps}) == 1:
        # Steps that differ are those of others who ask at the same time, such as scenarios of webhooks.
        text = f"what remains is {', '.join(str(one.left) for one in readings)}"
        yield QuotaMismatch(title="a request is counted more than once", message=text, reading=readings[-1])


def wrong_quota_decisions(readings: Sequence[QuotaReading]) -> Iterator[QuotaMismatch]:
    """Yield where a request was accepted that was one too many, or refused that was not."""
    for before, after in pairwise(readings):
        if not _is_same_window(before, after):
            continue
        if after.is_refusal and not before.is_refusal and before.left > LEFT_FOR_OTHERS:
            text = f"{before.left} requests were left, and the next one gets {TOO_MANY_REQUESTS}"
            yield QuotaMismatch(title="a request within the quota is refused", message=text, reading=after)
            return
        if not after.is_refusal and not before.left:
            status = after.exchange.status
            text = f"no request was left for {before.ends_in_s} s, and the next one gets {status}"
            yield QuotaMismatch(title="a request beyond the quota is accepted", message=text, reading=after)
            return


def _is_same_window(before: QuotaReading, after: QuotaReading) -> bool:
    """Say whether a request was sent before the window of another could end, whose end is told in whole
    seconds.
    """
    return after.came_s - before.sent_s < before.ends_in_s - 1


def _policy_text(one: QuotaReading) -> str:
    return f'"{one.name}";q={one.quota};w={one.window_s}'
