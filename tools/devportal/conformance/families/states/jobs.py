"""A job that a request starts is found at its `Location`, goes forward, and ends with what was promised."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from urllib.parse import urlsplit

from devportal.conformance.deployment.exchange import Exchange, resolve_address
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import forbids_before
from devportal.conformance.knowledge.descriptions.described_states import FINAL_STATE
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.requests.request_variants import object_body
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    CreatedResource,
    create_resource,
    is_success,
    read_resource,
    response_json,
    shown_members,
)
from devportal.conformance.knowledge.resources.representation_match import (
    is_certainly_different,
    is_json_number,
    schema_of_reading,
)
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation, Property
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import parent_path
from devportal.contract.resources import Resource, object_properties
from devportal.contract.values.instants import parse_instant
from devportal.contract.wording import name_words, quote_value, sentences_of

PAUSES_S = (0.05, 0.05, 0.1, 0.1, 0.1, 0.1, 0.1, 0.2, 0.2, 0.3, 0.5, 0.5, 1.0, 1.0, 1.0, 2.0, 2.0)
"""The pauses between readings of a job: about nine seconds in all."""
READS_AT_END = 4
"""How often a job is read after its end: it has to stay as it is."""
END_PAUSE_S = 0.25
_PROGRESS = ("progress", "percent", "percentage", "percent_complete", "percent_done", "progress_percent")
_RESULT = re.compile(r"result|output|download|file|report|export", re.IGNORECASE)
_ENDED = re.compile(
    r"\b(?:is|has|was)\s+(?:been\s+)?(?:finished|ended|over(?=\W*(?:$|[.,;)])))(?!\s+\w+ing)\b", re.IGNORECASE
)
_PRESENT = re.compile(
    r"\b(?:set|filled|present|available|populated|known|given|returned|there|shown|included)\b", re.IGNORECASE
)
_MAYBE = re.compile(r"\b(?:may|might|can|optional|not|unless)\b", re.IGNORECASE)
_ABSENT = re.compile(
    r"\b(?:null|nothing|empty|missing|absent|omitted|unset|left\s+out)\b|"
    rf"\b(?:not|never|optional\w*|may|might)\b[^.;]{{0,60}}{_PRESENT.pattern}",
    re.IGNORECASE,
)
_BEFORE_END = re.compile(r"\b(?:until|till|before|while|during|otherwise|else|yet)\b", re.IGNORECASE)
"""Sentences about a member that has no value at some ends, such as "Null if the job failed", and about what it is
before each end, such as "Null until then".
"""
_WHEN = re.compile(r"\b(when|once|after|if|as soon as)\b(?P<rest>.*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """A type of job: the resource, the request that starts one, and the member that shows its state."""

    resource: Resource
    start: Operation
    state: str
    states: tuple[str, ...]
    members: tuple[Property, ...]


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each type of job."""
    for job in _jobs(subject):
        yield Probe(operation=operation_label(job.start), run=partial(_check_job, subject, job))


def _jobs(subject: Subject) -> Iterator[_Job]:
    """Yield the resources that a request of another path starts (`Resource.is_started`), or whose creation is only
    accepted, with a state that has an end.
    """
    for resource in subject.resources:
        if resource.create is None or resource.read is None:
            continue
        is_accepted = all(success.status == str(ACCEPTED) for success in resource.create.successes)
        schema = schema_of_reading(subject, resource)
        members = tuple(object_properties(subject.api, schema)) if schema is not None else ()
        for member in members:
            states = tuple(
                value for value in subject.api.resolve(member.schema).enum if isinstance(value, str)
            )
            is_state = matches_any_name(member.name, subject.conventions.state)
            has_machine = subject.api.resolve(member.schema).state_machine is not None
            is_job = is_accepted and not has_machine and any(map(_is_success_state, states))
            if is_state and any(map(FINAL_STATE.match, states)) and (resource.is_started or is_job):
                yield _Job(
                    resource=resource,
                    start=resource.create,
                    state=member.name,
                    states=states,
                    members=members,
                )


def _check_job(subject: Subject, job: _Job, send: Send) -> Iterator[CheckFailure]:
    """Start a job, read it until it ends, and some more times."""
    created = create_resource(subject, job.resource, send)
    readings = [read_resource(subject, job.resource, created.id, send)]
    early = _early_result(subject, job, created, readings[0], send)
    for pause_s in PAUSES_S:
        if not is_success(readings[-1]) or _is_final(job, readings[-1]):
            break
        send.wait(pause_s)
        readings.append(read_resource(subject, job.resource, created.id, send))
    for _ in range(READS_AT_END if _is_final(job, readings[-1]) else 0):
        send.wait(END_PAUSE_S)
        readings.append(read_resource(subject, job.resource, created.id, send))
    if early is not None and is_success(early) and len(readings) > 1 and _is_unfinished(job, readings[1]):
        state = shown_members(job.resource, readings[1])[job.state]
        message = f"{job.state!r} is still {quote_value(state)} after the result has got {early.status}"
        title = "the result of a job is there before its end"
        yield _failure(job, title, message, created.exchange, readings[0], early, readings[1])
        return
    failure = next(_job_failures(subject, job, created, readings, send), None)
    if failure is not None:
        yield failure
    elif not any(_is_final(job, reading) for reading in readings):
        raise Unsendable("a job that ends within ten seconds")


def _is_final(job: _Job, exchange: Exchange) -> bool:
    state = shown_members(job.resource, exchange).get(job.state)
    return isinstance(state, str) and FINAL_STATE.match(state) is not None


def _job_failures(
    subject: Subject, job: _Job, created: CreatedResource, readings: list[Exchange], send: Send
) -> Iterator[CheckFailure]:
    start = created.exchange
    if is_success(readings[0]):
        for before, after in pairwise(readings):
            if after.status in (404, 410):
                message = f"{created.id!r} was read before, and reading it again gets {after.status}"
                yield _failure(job, "a job is gone while it is followed", message, start, before, after)
    yield from _backward_failures(job, start, [start, *readings])
    final = [reading for reading in readings if _is_final(job, reading)]
    if final:
        yield from _end_failures(subject, job, start, final, send)


def _backward_failures(job: _Job, start: Exchange, readings: list[Exchange]) -> Iterator[CheckFailure]:
    """Yield the failures of a job that leaves its end, returns to its first state, or shows less progress."""
    members = partial(shown_members, job.resource)
    shown = [reading for reading in readings if members(reading)]
    states = [members(exchange)[job.state] for exchange in shown if job.state in members(exchange)]
    for (before, first), (after, second) in pairwise(zip(shown, states, strict=False)):
        is_left = FINAL_STATE.match(str(first)) is not None and second != first
        is_restarted = second == states[0] and first != second
        if is_left or is_restarted:
            message = f"{job.state!r} is {quote_value(first)}, then {quote_value(second)}"
            yield _failure(job, "a job goes back", message, start, before, after)
        for name in members(before).keys() & members(after).keys():
            values = (members(before)[name], members(after)[name])
            is_number = all(map(is_json_number, values))
            if matches_any_name(name, _PROGRESS) and is_number and values[1] < values[0] and first == second:
                message = (
                    f"{name!r} is {values[0]}, then {values[1]}, while {job.state!r} is {quote_value(second)}"
                )
                yield _failure(job, "the progress of a job goes back", message, start, before, after)


def _end_failures(
    subject: Subject, job: _Job, start: Exchange, final: list[Exchange], send: Send
) -> Iterator[CheckFailure]:
    """Yield the failures of an ended job: a member that its description promises, its result, and times."""
    first, last = shown_members(job.resource, final[0]), shown_members(job.resource, final[-1])
    state = str(last[job.state])
    for member in job.members:
        meaning = subject.api.resolve(member.schema)
        value = last.get(member.name)
        is_time = meaning.format == "date-time" or name_words(member.name)[-1:] in (
            ("at",),
            ("time",),
            ("on",),
        )
        if value is None and _is_promised(meaning.description, state, job.states, is_time=is_time):
            message = (
                f"{job.state!r} is {state!r}, and {member.name!r} is {value!r}: {meaning.description.strip()}"
            )
            yield _failure(job, f"an ended job has no {member.name!r}", message, start, final[-1])
        times = (first.get(member.name), value)
        if (
            meaning.format == "date-time"
            and None not in map(parse_instant, times)
            and times[0] != times[1]
            and not matches_any_name(member.name, subject.conventions.updated)
        ):
            message = (
                f"{job.state!r} is {state!r}, and {member.name!r} is {quote_value(times[0])}, then "
                f"{quote_value(times[1])}"
            )
            yield _failure(job, f"{member.name!r} of an ended job moves", message, start, final[0], final[-1])
        if matches_any_name(member.name, _PROGRESS) and _is_success_state(state):
            maximum = next((each.value for each in meaning.constraints if each.keyword == "maximum"), None)
            if maximum in (1, 100) and isinstance(value, int | float) and value < maximum:
                message = (
                    f"{job.state!r} is {state!r}, and {member.name!r} is {quote_value(value)} of "
                    f"{quote_value(maximum)}"
                )
                yield _failure(job, "an ended job is not at its whole progress", message, start, final[-1])
        is_result = (
            meaning.format in ("uri", "uri-reference", "url") and _RESULT.search(member.name) is not None
        )
        if is_result and isinstance(value, str) and value:
            yield from _result_failures(subject, job, member.name, value, start, final[-1], send)


def _is_success_state(state: str) -> bool:
    return re.match(r"^(done|finished|complet|succe|ready)", state, re.IGNORECASE) is not None


def _is_promised(description: str, state: str, states: tuple[str, ...], *, is_time: bool) -> bool:
    """Return whether the description of a member says that it has a value in a state: "set when the job is done".

    After "set when the job is finished", which is an end of any kind, a time is there in every last state, and another
    member in those of success: a job that failed has no result.
    """
    sentences = sentences_of(description)
    place = next(
        (at for at, each in enumerate(sentences) if not _MAYBE.search(each) and _WHEN.search(each)), None
    )
    others = (each for at, each in enumerate(sentences) if at != place)
    if place is None or any(_ABSENT.search(each) and not _BEFORE_END.search(each) for each in others):
        return False
    found = _WHEN.search(sentences[place])
    rest = found["rest"] if found is not None else ""
    named = [text for text in states if re.search(rf"\b{re.escape(text)}\b", rest, re.IGNORECASE)]
    if named or not _ENDED.search(rest):
        return state in named
    return is_time or (_is_success_state(state) and _PRESENT.search(sentences[place]) is not None)


def _result_failures(
    subject: Subject, job: _Job, name: str, value: str, start: Exchange, last: Exchange, send: Send
) -> Iterator[CheckFailure]:
    """Follow an address that an ended job shows, if it leads to this deployment."""
    address = resolve_address(last.request, value)
    if address is None or job.resource.read is None or address.netloc != urlsplit(subject.base_url).netloc:
        return
    exchange = send(None, subject.reading(job.resource.read, address.geturl()))
    if exchange.answer is not None and exchange.status in (404, 409, 410):
        state = shown_members(job.resource, last)[job.state]
        message = f"{job.state!r} is {quote_value(state)}, and {name!r}, {value!r}, gets {exchange.status}"
        yield _failure(job, "the result of a job cannot be read", message, start, last, exchange)
    shown, sent = response_json(exchange), _chosen_members(subject, job, start)
    for member, chosen in sent.items() if is_success(exchange) and isinstance(shown, dict) else ():
        if isinstance(shown.get(member), str) and is_certainly_different(shown[member], chosen):
            message = (
                f"{member!r} was {chosen!r} in the request that started the job, and is "
                f"{quote_value(shown[member])}"
            )
            yield _failure(
                job, "the result of a job is that of another request", message, start, last, exchange
            )


def _chosen_members(subject: Subject, job: _Job, start: Exchange) -> Mapping[str, str]:
    """Return the enumerated texts of the request that started a job."""
    body = object_body(subject, job.start, start.request)
    members = object_properties(subject.api, body.schema) if body is not None else ()
    return {
        member.name: body.members[member.name]
        for member in members
        if body is not None
        and subject.api.resolve(member.schema).enum
        and isinstance(body.members.get(member.name), str)
    }


def _early_result(
    subject: Subject, job: _Job, created: CreatedResource, reading: Exchange, send: Send
) -> Exchange | None:
    """Read the result of a job before its end, which its description forbids; None if it forbids nothing."""
    for operation in subject.operations:
        is_below = operation.method == "GET" and parent_path(operation.path) == job.resource.path
        if is_below and any(
            forbids_before(operation, state) for state in job.states if FINAL_STATE.match(state)
        ):
            request = with_resource_id(subject, job.resource, created.id).valid(operation)
            if request is not None and _is_unfinished(job, reading):
                return send(operation, request)
    return None


def _is_unfinished(job: _Job, exchange: Exchange) -> bool:
    return job.state in shown_members(job.resource, exchange) and not _is_final(job, exchange)


def _failure(job: _Job, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    return response_failure(job.start, evidence[0], title, message, *evidence)


FAMILY = Family(
    name="jobs",
    summary="jobs go forward and end with a result",
    words=CheckDescription(
        promise="A job goes forward: it does not return to its first state, leave its last one, show less progress "
        "or disappear. An ended job has the members that their descriptions promise for its state or its end, and the "
        "addresses in it can be read. Its result is that of its request, and is there at its end.",
        test="A job is started and read for up to nine seconds, and four times after its end. A job is a resource "
        "that a `POST` of another path starts: the contract documents `Location` with 201 or 202, and the response "
        "has the schema of the reading. So is one whose creation documents no success but 202, if one of its states "
        "is a good end, such as `done`. The words of the last state are usual ones, such as `done`, `completed` or "
        "`failed`. A result is read early if its description says that it is rejected before the end, with 409; "
        "one that repeats an enumerated member of the request must have its value. A job that takes longer is not "
        "tested.",
        remedy="Write the state, the progress and the result of a job in one transaction.",
        sources=("RFC 9110 §15.3.3",),
    ),
    needs="a `POST` that starts a job, with 202 or a documented `Location`, whose reading has the same schema and a "
    "state that has an end",
    probes=probes,
    about_state=True,
)
