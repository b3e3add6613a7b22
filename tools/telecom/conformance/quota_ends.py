"""Are requests beyond the quota refused? Runs only if the settings allow a quota to be used up."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from devportal.conformance.deployment.exchange import Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from telecom.conformance.quota import QuotaReading, quota_decision_mismatches
from telecom.conformance.quotas import read_quota, reading_operations
from telecom.conformance.sending import response_failure
from telecom.conformance.settings import PLUGIN, settings_of

MAX_QUOTA = 2000
MAX_WINDOW_S = 120
EARLY_REQUESTS = 2
"""How many requests are sent too early: they are refused, and do not lengthen the wait."""
STEP_S = 0.5


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield one probe: a quota is used up."""
    operation = _least_shared_operation(subject)
    yield Probe(operation=operation_label(operation), run=partial(_check_used_up, subject, operation))


def _least_shared_operation(subject: Subject) -> Operation:
    """Return an operation that reads, if possible of an API that only reads: the rest of a run does not call
    it."""
    changing = {
        tag for operation in subject.operations if operation.method != "GET" for tag in operation.tags
    }
    return min(
        reading_operations(subject),
        key=lambda reading_operation: any(tag in changing for tag in reading_operation.tags),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _QuotaRequests:
    """Repeats the same request to one operation."""

    operation: Operation
    request: Request
    send: Send

    def __call__(self) -> QuotaReading:
        reading = read_quota(self.operation, self.request, self.send)
        if reading is None:
            raise Unsendable("rate limit headers in every response")
        return reading

    def failure(self, title: str, message: str, *readings: QuotaReading) -> CheckFailure:
        """Return the failure that readings show."""
        return response_failure(self.operation, title, message, *(reading.exchange for reading in readings))


def _check_used_up(subject: Subject, operation: Operation, send: Send) -> Iterator[CheckFailure]:
    requests = _quota_requests(subject, operation, send)
    first = requests()
    if first.is_refusal:
        _wait_until(first.received_s + min(first.reset_s, MAX_WINDOW_S), send)
        first = requests()
    if first.is_refusal:
        raise Unsendable("a rate limit whose window begins during the run")
    if first.quota > MAX_QUOTA or first.window_s > MAX_WINDOW_S:
        yield _too_large_note(requests, first)
        return
    other_requests = _requests_of_other_quota(subject, requests, first.name)
    readings = [first]
    while not readings[-1].is_refusal and len(readings) < 2 * first.quota + 2:
        readings.append(requests())
    failures = [
        requests.failure(
            mismatch.title,
            mismatch.message,
            first,
            mismatch.reading,
        )
        for mismatch in quota_decision_mismatches(readings)
    ]
    if failures:
        yield from failures
    elif readings[-1].is_refusal:
        yield from _check_other_quota(other_requests, readings[-1]) if other_requests is not None else ()
        yield from _check_retry_after(requests, readings[-1])
    elif readings[-1].received_s - first.sent_s < first.window_s:
        text = f"{len(readings)} requests in less than {first.window_s} s, but the quota is {first.quota}"
        yield requests.failure("a quota has no end", text, first, readings[-1])


def _check_retry_after(requests: _QuotaRequests, refusal: QuotaReading) -> Iterator[CheckFailure]:
    """Check the Retry-After of a refusal, and whether requests are accepted after it."""
    if refusal.retry_after_s is None:
        yield requests.failure("a refusal without Retry-After", "it does not say when to go on", refusal)
        return
    if refusal.retry_after_s > refusal.window_s:
        text = f"Retry-After: {refusal.retry_after_s}, and a window has {refusal.window_s} s"
        yield requests.failure("Retry-After is longer than a window", text, refusal)
        return
    early_readings = [requests() for _ in range(EARLY_REQUESTS)]
    yield from (
        requests.failure(mismatch.title, mismatch.message, mismatch.reading)
        for mismatch in quota_decision_mismatches([refusal, *early_readings])
    )
    _wait_until(refusal.received_s + refusal.retry_after_s, requests.send)
    reading = requests()
    if reading.is_refusal:
        waited = reading.sent_s - refusal.received_s
        text = f"Retry-After: {refusal.retry_after_s}, and after {waited:.1f} s it is rejected again"
        yield requests.failure("it does not go on after Retry-After", text, refusal, reading)


def _requests_of_other_quota(subject: Subject, requests: _QuotaRequests, name: str) -> _QuotaRequests | None:
    """Return the requests to another API that has its own quota, None if there is none."""
    for operation in reading_operations(subject):
        other = _quota_requests(subject, operation, requests.send)
        if operation != requests.operation and other().name != name:
            return other
    return None


def _check_other_quota(requests: _QuotaRequests, refusal: QuotaReading) -> Iterator[CheckFailure]:
    """Yield a failure if the used-up quota of one API blocks another."""
    reading = requests()
    if reading.is_refusal and reading.name == refusal.name:
        text = f"the quota {refusal.name!r} is used up, and {operation_label(requests.operation)} is "
        "rejected because of it"
        yield requests.failure("the quota of one API stops another", text, refusal, reading)


def _quota_requests(subject: Subject, operation: Operation, send: Send) -> _QuotaRequests:
    request = subject.valid(operation)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    return _QuotaRequests(operation=operation, request=request, send=send)


def _too_large_note(requests: _QuotaRequests, first: QuotaReading) -> CheckFailure:
    text = (
        f"{first.quota} requests in {first.window_s} s; a run sends at most {MAX_QUOTA}, and waits for "
        f"at most {MAX_WINDOW_S} s"
    )
    return replace(requests.failure("the quota is too large to be used up", text, first), is_note=True)


def _wait_until(due_s: float, send: Send) -> None:
    """Wait until a time of the monotonic clock: quotas are counted in real time, whatever the sandbox's own
    clock shows."""
    while (left_s := due_s - time.monotonic()) > 0:
        send.wait(min(left_s, STEP_S))


def _missing_requirement(subject: Subject) -> str:
    if not settings_of(subject).may_use_up_quota:
        return (
            f"a quota that may be used up: set `plugins: {{{PLUGIN}: {{quota_probe: true}}}}` in the settings"
        )
    return "" if reading_operations(subject) else "an operation that reads and documents RateLimit"


FAMILY = Family(
    name="quota-exhaustion",
    summary="quotas end and restart as announced",
    words=CheckDescription(
        promise="Requests are accepted until the quota is used up, then rejected with 429. They are accepted "
        "again after the seconds in Retry-After, however many early attempts were made. The quota of "
        "one API does not affect the others.",
        test="Only if the settings allow it (`quota_probe`), and the quota is at most "
        f"{MAX_QUOTA} requests in at most {MAX_WINDOW_S} seconds: one reading operation is called "
        f"until it is rejected, twice more, and again after Retry-After. Another API is called "
        f"meanwhile. The account can use that operation again only after the window.",
        remedy="Use one counter for the decision and the headers, and do not count rejected requests.",
        sources=(
            "service.md, Limits 4",
            "RFC 6585 §4",
            "RFC 9110 §10.2.3",
            "draft-ietf-httpapi-ratelimit-headers-10 §3, §4",
        ),
    ),
    probes=probes,
    lacks=_missing_requirement,
    about_state=True,
)
