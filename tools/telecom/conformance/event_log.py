"""Events about a message, as the event log of a deployment shows them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from devportal.conformance.deployment.credentials import Credential
from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import Send
from devportal.conformance.knowledge.resources.created_resources import response_json
from devportal.conformance.knowledge.subject import Subject
from telecom.conformance.sending import read_by_id, require_operation

LIST_EVENTS, READ_EVENT = "listEvents", "retrieveEvent"
MAX_PAGES = 20
"""A message takes two steps, and each page has at least one event."""
_NO_MEMBERS: Mapping[str, Any] = {}


@dataclass(frozen=True, kw_only=True)
class LoggedEvent:
    """An event as the log shows it, and the exchange that returned it."""

    document: Mapping[str, Any]
    exchange: Exchange

    @property
    def type(self) -> str:
        """Its name in the contract, such as `message.delivery_receipt`."""
        return str(self.document.get("type"))

    @cached_property
    def payload(self) -> Mapping[str, Any]:
        """The payload sent to receivers, empty if it is not an object."""
        found = self.document.get("payload")
        return found if isinstance(found, dict) else _NO_MEMBERS

    @cached_property
    def data(self) -> Mapping[str, Any]:
        """The part of the payload that is about the message, empty if it is not an object."""
        found = self.payload.get("data")
        return found if isinstance(found, dict) else _NO_MEMBERS

    @property
    def sequence(self) -> int:
        """The number of the message's step, 0 if the event has none."""
        found = self.data.get("sequence")
        return found if isinstance(found, int) else 0


def list_events(
    subject: Subject, send: Send, subject_id: str, *, credential: Credential | None = None, cursor: str = ""
) -> Exchange:
    """Return a page of the events about a resource, read with a credential: the first page, or the one of a
    cursor."""
    operation = require_operation(subject, LIST_EVENTS)
    request = subject.valid(operation, credential)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    query = urlencode({"subject": subject_id} | ({"cursor": cursor} if cursor else {}))
    separator = "&" if "?" in request.url else "?"
    return send(operation, replace(request, url=request.url + separator + query))


def page_items(page: Exchange) -> tuple[Mapping[str, Any], ...]:
    """Return the items of a page, none if it is not one."""
    document = response_json(page)
    items = document.get("data") if page.status == 200 and isinstance(document, dict) else None
    return tuple(item for item in items if isinstance(item, dict)) if isinstance(items, list) else ()


def events_about(subject: Subject, send: Send, subject_id: str) -> tuple[LoggedEvent, ...]:
    """Return the events about a resource, each read in full, newest first as in the log."""
    events = []
    for item in _all_items(subject, send, subject_id):
        exchange = read_by_id(subject, send, READ_EVENT, str(item.get("id")))
        document = response_json(exchange)
        if exchange.status == 200 and isinstance(document, dict):
            events.append(LoggedEvent(document=document, exchange=exchange))
    return tuple(events)


def _all_items(subject: Subject, send: Send, subject_id: str) -> Iterator[Mapping[str, Any]]:
    """Yield the items of all pages, or of as many pages as one message can fill."""
    cursor = ""
    for _ in range(MAX_PAGES):
        page = list_events(subject, send, subject_id, cursor=cursor)
        yield from page_items(page)
        document = response_json(page)
        cursor = str(document.get("next_cursor") or "") if isinstance(document, dict) else ""
        if not cursor:
            return
