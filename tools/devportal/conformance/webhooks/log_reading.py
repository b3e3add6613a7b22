"""The deployment's own account of its deliveries: its event log, as rows."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from devportal.conformance.deployment.credentials import Credential, Role
from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.family import Send, send_or_none
from devportal.conformance.knowledge.path_values import response_json
from devportal.conformance.webhooks.asking import request_for_resource
from devportal.conformance.webhooks.plan import EventLog
from devportal.conformance.webhooks.pointers import fill_placeholders, value_at
from devportal.conformance.webhooks.story import LogRow, ScenarioResult
from devportal.contract import Operation


def read_log(story: ScenarioResult, send: Send) -> tuple[LogRow, ...] | None:
    """Return what the log says of the events about the thing of a story; None where it cannot be read."""
    log = story.plan.log
    listed = _list_events(story, send, None) if log is not None else None
    if log is None or listed is None or not _is_success(listed):
        return None
    items = value_at(response_json(listed), log.items)
    rows: list[LogRow] = []
    for item in items if isinstance(items, list) else ():
        entry, exchange = item, listed
        if log.read is not None:
            exchange = _send_request(story, send, log.read, thing=str(value_at(item, log.id))) or listed
            entry = response_json(exchange) if _is_success(exchange) else item
        rows += _log_rows(log, entry, exchange)
    return tuple(rows)


def other_account_responses(story: ScenarioResult, send: Send) -> tuple[Exchange, ...]:
    """Return what another account is told of the events of a story: the list, and each event by its name."""
    log, stranger = story.plan.log, story.subject.other(Role.OTHER_TENANT)
    if log is None or stranger is None:
        return ()
    found = [_list_events(story, send, stranger)]
    if log.read is not None:
        ids = dict.fromkeys(one.event_id for one in story.deliveries if one.event_id)
        found += [_send_request(story, send, log.read, thing=one, party=stranger) for one in list(ids)[:1]]
    return tuple(one for one in found if one is not None and _is_success(one))


def read_triggered_resource(story: ScenarioResult, send: Send) -> Exchange | None:
    """Return the answer that shows the thing of a story, None where the contract has no way to ask."""
    for resource in story.subject.resources:
        if resource.create is story.scenario.trigger.operation and resource.read is not None:
            return _send_request(story, send, resource.read, thing=story.thing_id)
    return None


def _log_rows(log: EventLog, entry: Any, exchange: Exchange) -> Iterator[LogRow]:
    event_id = str(value_at(entry, log.id))
    deliveries = value_at(entry, log.deliveries) if log.deliveries else [entry]
    for one in deliveries if isinstance(deliveries, list) else ():
        tried = value_at(one, log.attempts) if log.attempts else None
        is_told = isinstance(tried, list) and log.status is not None
        statuses = [value_at(each, log.status or "") for each in tried or ()] if is_told else None
        endpoint = value_at(one, log.endpoint) if log.endpoint else None
        state = value_at(one, log.state) if log.state else None
        yield LogRow(
            event_id=event_id,
            endpoint_id=str(endpoint) if endpoint is not None else None,
            state=str(state) if state is not None else None,
            attempts=len(tried) if isinstance(tried, list) else tried if isinstance(tried, int) else None,
            statuses=tuple(statuses) if statuses is not None else None,
            payload=value_at(entry, log.payload) if log.payload else None,
            exchange=exchange,
        )


def _list_events(story: ScenarioResult, send: Send, party: Credential | None) -> Exchange | None:
    log = story.plan.log
    if log is None:
        return None
    query = fill_placeholders(dict(log.query), {"subject": story.thing_id, "endpoint": story.endpoint.id})
    return _send_request(story, send, log.operation, query=query, party=party)


def _send_request(
    story: ScenarioResult,
    send: Send,
    operation: Operation,
    *,
    thing: str = "",
    query: dict[str, str] | None = None,
    party: Credential | None = None,
) -> Exchange | None:
    request = request_for_resource(story.subject, operation, thing=thing, party=party)
    if request is not None and query:
        mark = "&" if "?" in request.url else "?"
        request = replace(request, url=f"{request.url}{mark}{urlencode(query)}")
    return send_or_none(send, operation, request)


def _is_success(exchange: Exchange) -> bool:
    return exchange.answer is not None and exchange.answer.is_success
