"""Two periods of one thing that must not overlap, such as two bookings of a room, and what there may be once for
others, such as the enrolment of a student in a course: the second is rejected, unless the first is in a state that does
not count by the words of the contract, such as `cancelled`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import CONFLICT, operation_sentences
from devportal.conformance.knowledge.descriptions.described_states import (
    initial_state,
    states_in,
    target_state,
)
from devportal.conformance.knowledge.descriptions.member_orders import demanded_orders
from devportal.conformance.knowledge.failures import status_failure
from devportal.conformance.knowledge.requests.request_variants import (
    object_body,
    valid_body,
    varied_texts_request,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    CreatedResource,
    at_new_address,
    create_resource,
    created_id,
    is_success,
    read_created,
    renewed_requests,
)
from devportal.conformance.knowledge.resources.new_references import named_types
from devportal.conformance.knowledge.resources.operation_resources import send_to
from devportal.conformance.knowledge.resources.state_actions import enumerated_members, resource_actions
from devportal.conformance.knowledge.response_check import documented_response, documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.resources import Resource
from devportal.contract.values.instants import parse_day, parse_instant, shift_time, time_text
from devportal.contract.wording import sentences_of

_OVERLAPS = re.compile(
    r"\boverlap|\bdouble[- ]?book|\b(?:booked|reserved|scheduled)\s+twice\b", re.IGNORECASE
)
_REPEATED = re.compile(
    r"\ba\s+second\s+(?:one|\w+)\s+(?:is|gets)\b|\balready\s+(?:enrolled|registered|subscribed|assigned|invited|a\s+member|"
    r"voted|reviewed|rated|followed)\b",
    re.IGNORECASE,
)
_REFUSED = re.compile(r"\b409\b|\b(?:refused|rejected|conflicts?|cannot|can not|must not)\b", re.IGNORECASE)
_EXCEPTIONS = re.compile(
    r"\b(?:may|can)\s+overlap|\b(?:unless|except|more than|capacity|admin\w*|if|when)\b", re.IGNORECASE
)
_EXCEPT_STATES = re.compile(
    r"\bexcept\s+(?:for\s+)?(?:those|ones|(?:[\w-]+\s+)?[\w-]+s)\s+(?:that|which)\s+(?:is|are|was|were|has\s+been|"
    r"have\s+been)\s+[^.;]*$",
    re.IGNORECASE,
)
_NOT_COUNTED = re.compile(r"\b(?:is|are|was|were)\s+not\s+`(?P<state>[^`]+)`", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _OverlapRule:
    """Periods from the member `start` to the member `end` of a type of resources may not overlap if they name the same
    thing, by a sentence; without periods, only one may name it. Those in the state `free` do not count, if it is not
    empty.
    """

    resource: Resource
    create: Operation
    start: str
    end: str
    free: str
    sentence: str


def overlap_probes(subject: Subject) -> Iterator[Probe]:
    """Yield the probes of each creation whose description rejects overlapping periods."""
    for resource in subject.resources:
        rule = _overlap_rule(subject, resource)
        if rule is not None:
            label = operation_label(rule.create)
            yield Probe(operation=label, run=partial(_check_overlap, subject, rule))
            for action in resource_actions(subject, resource) if rule.free else ():
                if target_state(action, (rule.free,)) and resource.read is not None:
                    yield Probe(operation=label, run=partial(_check_freed, subject, rule, action))


def _overlap_rule(subject: Subject, resource: Resource) -> _OverlapRule | None:
    create = resource.create
    body = valid_body(subject, create)
    if create is None or body is None or not documents_exact_status(create, CONFLICT):
        return None
    refusal = documented_response(create, CONFLICT)
    stated = [each for each in operation_sentences(create) if _REFUSED.search(each)]
    stated += sentences_of(refusal.description) if refusal is not None else ()
    sentence = next((each for each in stated if _OVERLAPS.search(each) or _REPEATED.search(each)), "")
    promise = _without_other_states(subject, resource, create, sentence)
    if not sentence or _EXCEPTIONS.search(promise) or not named_types(subject, body, create):
        return None
    counted = _NOT_COUNTED.search(sentence)
    free = counted["state"] if counted is not None else ""
    if not _OVERLAPS.search(sentence):
        return _OverlapRule(resource=resource, create=create, start="", end="", free=free, sentence=sentence)
    orders = {
        (order.name, order.other): order
        for order in demanded_orders(subject, body.schema, operation_sentences(create))
        if _parse(body.members.get(order.name)) and _parse(body.members.get(order.other))
    }
    if len(orders) != 1:
        return None
    (name, other), order = next(iter(orders.items()))
    start, end = (other, name) if order.relation.is_upwards else (name, other)
    return _OverlapRule(
        resource=resource,
        create=create,
        start=start,
        end=end,
        free=free,
        sentence=sentence,
    )


def _without_other_states(subject: Subject, resource: Resource, create: Operation, sentence: str) -> str:
    """Return a sentence without its exception for those in some states, if something new is in none of them: "must not
    overlap, except those that were rejected".
    """
    exception = _EXCEPT_STATES.search(sentence)
    if exception is None or resource.read is None:
        return sentence
    for member in enumerated_members(subject, resource):
        values = subject.api.resolve(member.schema).enum
        states = tuple(value for value in values if isinstance(value, str))
        named, first = states_in(exception[0], states), initial_state(operation_sentences(create), states)
        if named and first and first not in named:
            return sentence[: exception.start()]
    return sentence


def _parse(value: Any) -> date | datetime | None:
    return parse_day(value) or (parse_instant(value) if isinstance(value, str) else None)


def _overlapping_periods(rule: _OverlapRule, members: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield periods that overlap that of a resource: the same, one that begins in it, and one around it."""
    if not rule.start:
        yield "", ""
        return
    start, end = _parse(members.get(rule.start)), _parse(members.get(rule.end))
    if start is None or end is None or type(start) is not type(end):
        return
    yield members[rule.start], members[rule.end]
    half = (end - start) / 2
    step = timedelta(days=max(half.days, 1)) if not isinstance(start, datetime) else half
    inner, before, behind = shift_time(start, step), shift_time(start, -step), shift_time(end, step)
    if inner is not None and inner < end and behind is not None:
        yield time_text(inner), time_text(behind)
    if before is not None and behind is not None:
        yield time_text(before), time_text(behind)


def _create_elsewhere(subject: Subject, rule: _OverlapRule, send: Send) -> CreatedResource:
    """Create a resource that names new ones, where no period is taken."""
    plain = subject.valid(rule.create)
    renewed = (
        renewed_requests(subject, rule.create, plain, send, (rule.resource,)) if plain is not None else ()
    )
    return create_resource(subject, rule.resource, send, request=next(iter(renewed), None))


def _send_again(
    subject: Subject,
    rule: _OverlapRule,
    created: CreatedResource,
    period: tuple[str, str],
    send: Send,
    *,
    is_elsewhere: bool = False,
) -> Exchange | None:
    """Send the creation of a resource again with another period, and other texts: these may be unique. One that
    `is_elsewhere` names new resources. Return None if the contract does not allow it.
    """
    body = valid_body(subject, rule.create)
    if body is None:
        return None
    times = {rule.start: period[0], rule.end: period[1]} if rule.start else {}
    members = {**created.sent_members, **times}
    if not body.is_valid(subject, members):
        return None
    request = varied_texts_request(subject, rule.create, body.request(members))
    varied = object_body(subject, rule.create, request)
    kept = named_types(subject, body, rule.create)
    if varied is None or any(varied.members.get(name) != members[name] for name in kept):
        return None
    if is_elsewhere:
        renewed = renewed_requests(subject, rule.create, request, send, (rule.resource,), only_usual=False)
        request = next(renewed, request)
    addressed = at_new_address(subject, rule.resource, request)
    return send(rule.create, with_new_idempotency_key(subject, rule.create, addressed))


def _check_overlap(subject: Subject, rule: _OverlapRule, send: Send) -> Iterator[CheckFailure]:
    """Create a resource, and then others of the same thing whose periods overlap."""
    created = _create_elsewhere(subject, rule, send)
    if created.exchange.status == ACCEPTED:
        raise Unsendable("a creation that is accepted at once")
    for period in _overlapping_periods(rule, created.sent_members):
        exchange = _send_again(subject, rule, created, period, send)
        if exchange is None or not is_success(exchange) or exchange.status == ACCEPTED:
            continue
        second = created_id(rule.resource, exchange)
        if second and second != created.id:
            times = "for the same" if not rule.start else f"from {period[0]} to {period[1]}"
            others = [created.sent_members.get(name) for name in (rule.start, rule.end) if name]
            beside = f", from {others[0]} to {others[1]}" if others else ""
            message = (
                f"{second!r}, {times}, is accepted beside {created.id!r}{beside}: {exchange.status}. "
                f'The contract says: "{rule.sentence}"'
            )
            title = (
                "a period that overlaps another one is accepted" if rule.start else "a second one is accepted"
            )
            yield status_failure(rule.create, CONFLICT, title, message, created.exchange, exchange)
            return


def _check_freed(
    subject: Subject, rule: _OverlapRule, action: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Take a resource to the state that does not count, and create another one in its place. It is rejected before, so
    the state is the only reason.
    """
    created = _create_elsewhere(subject, rule, send)
    period = created.sent_members.get(rule.start), created.sent_members.get(rule.end)
    if rule.start and not all(isinstance(each, str) for each in period):
        raise Unsendable("a creation with a period")
    times = (str(period[0]), str(period[1]))
    first = _send_again(subject, rule, created, times, send)
    before = read_created(subject, created, send)
    acted = send_to(subject, created, action, before, send)
    is_rejected = first is not None and first.status == CONFLICT
    if not is_rejected or acted is None or not is_success(acted) or acted.status == ACCEPTED:
        raise Unsendable(f"a resource whose period is taken, and that becomes {rule.free!r}")
    second = _send_again(subject, rule, created, times, send)
    if second is None or second.status != CONFLICT or first is None:
        return
    elsewhere = _send_again(subject, rule, created, times, send, is_elsewhere=True)
    if elsewhere is not None and is_success(elsewhere):
        message = (
            f"{created.id!r} is {rule.free!r}, and another one in its place gets {second.status}, as before. "
            "Elsewhere it is accepted. "
            f'The contract says: "{rule.sentence}"'
        )
        title = f"what is {rule.free!r} still takes its place"
        yield status_failure(
            rule.create, CONFLICT, title, message, created.exchange, first, acted, elsewhere, second
        )
