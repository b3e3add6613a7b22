"""Times are correct: those of new resources, of responses, and of waits."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import partial

from devportal.conformance.deployment.exchange import Exchange, HttpResponse
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.failures import response_location
from devportal.conformance.knowledge.resources.created_resources import CreatedResource, create_resource
from devportal.conformance.knowledge.resources.representation_match import leaf_members
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Resource
from devportal.contract.values.instants import parse_instant

TOLERANCE = timedelta(minutes=5)
"""The clocks of two machines may differ by less than this."""
PRECISION = timedelta(seconds=2)
LONGEST_WAIT = timedelta(days=1)
CREATED_STATUSES = (201, 202)
TIME_HEADERS = ("date", "retry-after", "last-modified")


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each resource type that can be made."""
    for resource in subject.resources:
        if resource.create is not None:
            run = partial(_check_creation_times, subject, resource, resource.create)
            yield Probe(operation=operation_label(resource.create), run=run)


def _check_creation_times(
    subject: Subject, resource: Resource, create: Operation, send: Send
) -> Iterator[CheckFailure]:
    created = create_resource(subject, resource, send)
    times = [*_server_times(created, subject.conventions.created)]
    if created.exchange.status not in CREATED_STATUSES or created.exchange.answer is None or not times:
        raise Unsendable(
            "a member with the time of creation, which the server sets (`conventions.created` in the settings)"
        )
    now = datetime.fromtimestamp(created.exchange.sent_at, UTC)
    server_time = _parse_http_date(created.exchange.answer.header("date")) or now
    for name, value in times:
        if min(abs(value - now), abs(value - server_time)) > TOLERANCE:
            yield CheckFailure(
                title=f"{name!r} of something new is not now",
                member=name,
                message=f"it is {value.isoformat()}, and was made at {now.isoformat(timespec='seconds')}",
                operation=operation_label(create),
                promise=response_location(create, created.exchange),
                evidence=(created.exchange,),
            )
    yield from _check_time_order(subject, created, create)


def _check_time_order(
    subject: Subject, created: CreatedResource, create: Operation
) -> Iterator[CheckFailure]:
    created_times = dict(_server_times(created, subject.conventions.created))
    for name, value in _server_times(created, subject.conventions.updated):
        earlier = [text for text, time in created_times.items() if time - value > PRECISION]
        if earlier:
            yield CheckFailure(
                title=f"{name!r} is before {earlier[0]!r}",
                member=name,
                message=f"{value.isoformat()} is before {created_times[earlier[0]].isoformat()}",
                operation=operation_label(create),
                promise=response_location(create, created.exchange),
                evidence=(created.exchange,),
            )


def _server_times(created: CreatedResource, names: tuple[str, ...]) -> Iterator[tuple[str, datetime]]:
    """Yield the times that a server gave a new resource itself, under some names."""
    sent = leaf_members(created.sent_json)
    for path, value in leaf_members(created.representation).items():
        time = (
            parse_instant(value)
            if len(path) == 1 and matches_any_name(path[0], names) and path not in sent
            else None
        )
        if time is not None:
            yield path[0], time


def find_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield a failure for the first response with a wrong date, and for each invalid wait."""
    wrong_dated = next((exchange for exchange in exchanges if _has_wrong_date(exchange)), None)
    if wrong_dated is not None and wrong_dated.answer is not None:
        ours = datetime.fromtimestamp(wrong_dated.sent_at, UTC)
        yield CheckFailure(
            title="the Date header is not the time",
            message=f"Date is {wrong_dated.answer.header('date')!r}, and it is {ours.isoformat(timespec='seconds')}",
            operation="",
            promise=None,
            evidence=(wrong_dated,),
        )
    for exchange in exchanges:
        operation = subject.operation(exchange.operation)
        if operation is None or exchange.answer is None:
            continue
        for title, message in (
            *_retry_after_failures(exchange.answer),
            *_last_modified_failures(exchange.answer),
        ):
            yield CheckFailure(
                title=title,
                message=message,
                operation=exchange.operation,
                promise=response_location(operation, exchange),
                evidence=(exchange,),
            )


def has_time(_: Subject, exchange: Exchange) -> bool:
    """Return whether a response has a header that shows a time."""
    return exchange.answer is not None and any(map(exchange.answer.header, TIME_HEADERS))


def _has_wrong_date(exchange: Exchange) -> bool:
    """Return whether the Date of a response is wrong. A response from a cache has an age and is ignored."""
    if exchange.answer is None or not exchange.sent_at or exchange.answer.header("age") is not None:
        return False
    date = _parse_http_date(exchange.answer.header("date"))
    return date is not None and abs(date.timestamp() - exchange.sent_at) > TOLERANCE.total_seconds()


def _retry_after_failures(response: HttpResponse) -> Iterator[tuple[str, str]]:
    """Yield the failures of `Retry-After`: it must be seconds or a date (RFC 9110 §10.2.3), within a day."""
    text = response.header("retry-after")
    if text is None or response.status not in (429, 503):
        return
    wait = _retry_after(response, text.strip())
    if wait is None:
        yield "Retry-After is not a time", f"{response.status} with Retry-After: {text!r}"
    elif wait > LONGEST_WAIT:
        yield "Retry-After is longer than a day", f"{response.status} with Retry-After: {text!r}"


def _retry_after(response: HttpResponse, text: str) -> timedelta | None:
    if text.isascii() and text.isdigit():
        return timedelta(seconds=min(int(text), 10**9))
    until, now = _parse_http_date(text), _parse_http_date(response.header("date"))
    return None if until is None else until - (now or until)


def _last_modified_failures(response: HttpResponse) -> Iterator[tuple[str, str]]:
    """Yield the failures of `Last-Modified`: it must not be after the response (RFC 9110 §8.8.2.1)."""
    modified, date = (
        _parse_http_date(response.header("last-modified")),
        _parse_http_date(response.header("date")),
    )
    if modified is not None and date is not None and modified - date > TOLERANCE:
        yield "Last-Modified lies in the future", f"it is {modified.isoformat()}, and Date {date.isoformat()}"


def _parse_http_date(text: str | None) -> datetime | None:
    """Return an HTTP date (RFC 9110 §5.6.7), None if it is none."""
    try:
        parsed = parsedate_to_datetime(text or "")
    except ValueError:
        return None
    return parsed if parsed.tzinfo is not None else parsed.replace(tzinfo=UTC)


FAMILY = Family(
    name="clock",
    summary="times are correct",
    words=CheckDescription(
        promise="A new resource has the current time as its creation time and no earlier change. `Date` is "
        "the current time, `Last-Modified` is not after it, and `Retry-After` is a usable time.",
        test="Resources are created and their times compared with `Date`; all responses of the run are "
        "compared with the clock of the testing machine. Five minutes are tolerated.",
        remedy="Synchronize the clocks of all machines with NTP, and write times in UTC.",
        sources=("RFC 9110 §6.6.1", "RFC 9110 §8.8.2.1", "RFC 9110 §10.2.3", "RFC 3339 §5.6"),
    ),
    needs="a response with `Date`, or a created resource that shows when it was created",
    probes=probes,
    sees=find_failures,
    compares=has_time,
    about_state=True,
)
