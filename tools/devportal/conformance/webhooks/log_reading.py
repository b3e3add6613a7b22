"""The deployment's own account of its deliveries: its event log, as rows."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from devportal.conformance.exchange import Exchange
from devportal.conformance.family import Send, sent_or_none
from devportal.conformance.parties import Party, Role
from devportal.conformance.stocking import body_of
from devportal.conformance.webhooks.asking import request_of
from devportal.conformance.webhooks.plan import EventLog
from devportal.conformance.webhooks.pointers import filled, value_at
from devportal.conformance.webhooks.story import Row, Story
from devportal.contract import Operation


def read_log(story: Story, send: Send) -> tuple[Row, ...] | None:
    """Return what the log says of the events about the thing of a story; None where it cannot be read."""
    log = story.plan.log
    listed = _listed(story, send, None) if log is not None else None
    if log is None or listed is None or not _is_answered(listed):
        return None
    items = value_at(body_of(listed), log.items)
    rows: list[Row] = []
    for item in items if isinstance(items, list) else ():
        entry, exchange = item, listed
        if log.read is not None:
            exchange = _sent(story, send, log.read, thing=str(value_at(item, log.id))) or listed
            entry = body_of(exchange) if _is_answered(exchange) else item
        rows += _rows(log, entry, exchange)
    return tuple(rows)


def foreign_answers(story: Story, send: Send) -> tuple[Exchange, ...]:
    """Return what another account is told of the events of a story: the list, and each event by its name."""
    log, stranger = story.plan.log, story.subject.other(Role.OTHER_TENANT)
    if log is None or stranger is None:
        return ()
    found = [_listed(story, send, stranger)]
    if log.read is not None:
        ids = dict.fromkeys(one.event_id for one in story.deliveries if one.event_id)
        found += [_sent(story, send, log.read, thing=one, party=stranger) for one in list(ids)[:1]]
    return tuple(one for one in found if one is not None and _is_answered(one))


def read_thing(story: Story, send: Send) -> Exchange | None:
    """Return the answer that shows the thing of a story, None where the contract has no way to ask."""
    for resource in story.subject.resources:
        if resource.create is story.scenario.trigger.operation and resource.read is not None:
            return _sent(story, send, resource.read, thing=story.thing_id)
    return None


def _rows(log: EventLog, entry: Any, exchange: Exchange) -> Iterator[Row]:
    event_id = str(value_at(entry, log.id))
    deliveries = value_at(entry, log.deliveries) if log.deliveries else [entry]
    for one in deliveries if isinstance(deliveries, list) else ():
        tried = value_at(one, log.attempts) if log.attempts else None
        is_told = isinstance(tried, list) and log.status is not None
        statuses = [value_at(each, log.status or "") for each in tried or ()] if is_told else None
        endpoint = value_at(one, log.endpoint) if log.endpoint else None
        state = value_at(one, log.state) if log.state else None
        yield Row(
            event_id=event_id,
            endpoint_id=str(endpoint) if endpoint is not None else None,
            state=str(state) if state is not None else None,
            attempts=len(tried) if isinstance(tried, list) else tried if isinstance(tried, int) else None,
            statuses=tuple(statuses) if statuses is not None else None,
            payload=value_at(entry, log.payload) if log.payload else None,
            exchange=exchange,
        )


def _listed(story: Story, send: Send, party: Party | None) -> Exchange | None:
    log = story.plan.log
    if log is None:
        return None
    query = filled(dict(log.query), {"subject": story.thing_id, "endpoint": story.endpoint.id})
    return _sent(story, send, log.operation, query=query, party=party)


def _sent(
    story: Story,
    send: Send,
    operation: Operation,
    *,
    thing: str = "",
    query: dict[str, str] | None = None,
    party: Party | None = None,
) -> Exchange | None:
    request = request_of(story.subject, operation, thing=thing, party=party)
    if request is not None and query:
        mark = "&" if "?" in request.url else "?"
        request = replace(request, url=f"{request.url}{mark}{urlencode(query)}")
    return sent_or_none(send, operation, request)


def _is_answered(exchange: Exchange) -> bool:
    return exchange.answer is not None and exchange.answer.is_success
