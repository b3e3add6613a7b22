"""Events about a message, as the event log of a deployment tells them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from devportal.conformance.deployment.credentials import Credential
from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import Send
from devportal.conformance.knowledge.created_resources import response_json
from devportal.conformance.knowledge.test_target import Subject
from telecom.conformance.sending import read_by_id, require_operation

LIST_EVENTS, READ_EVENT = "listEvents", "retrieveEvent"
MOST_PAGES = 20
"""A message takes two steps, and each page has an event at least."""
_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, kw_only=True)
class LoggedEvent:
    """An event: what the log shows of it, and the exchange that showed it."""

    shown: Mapping[str, Any]
    exchange: Exchange

    @property
    def type(self) -> str:
        """Its name in the contract, such as `message.delivery_receipt`."""
        return str(self.shown.get("type"))

    @cached_property
    def payload(self) -> Mapping[str, Any]:
        """What is sent to receivers, empty where that is no object."""
        found = self.shown.get("payload")
        return found if isinstance(found, dict) else _NOTHING

    @cached_property
    def data(self) -> Mapping[str, Any]:
        """The part of the payload that is about the message, empty where that is no object."""
        found = self.payload.get("data")
        return found if isinstance(found, dict) else _NOTHING

    @property
    def sequence(self) -> int:
        """Which step of the message it tells of, 0 where it does not say."""
        found = self.data.get("sequence")
        return found if isinstance(found, int) else 0


def list_events(
    subject: Subject, send: Send, thing: str, *, party: Credential | None = None, cursor: str = ""
) -> Exchange:
    """Return a page of the events about a thing, as a party sees it: the first, or the one of a cursor."""
    operation = require_operation(subject, LIST_EVENTS)
    request = subject.valid(operation, party)
    if request is None:
        raise Unsendable("there is no valid request for the list of events")
    query = urlencode({"subject": thing} | ({"cursor": cursor} if cursor else {}))
    mark = "&" if "?" in request.url else "?"
    return send(operation, replace(request, url=request.url + mark + query))


def page_items(page: Exchange) -> tuple[Mapping[str, Any], ...]:
    """Return the items of a page, none where it is not one."""
    shown = response_json(page)
    items = shown.get("data") if page.status == 200 and isinstance(shown, dict) else None
    return tuple(one for one in items if isinstance(one, dict)) if isinstance(items, list) else ()


def events_about(subject: Subject, send: Send, thing: str) -> tuple[LoggedEvent, ...]:
    """Return the events about a thing, each read in full, in the order of the log: the newest first."""
    found = []
    for item in _all_items(subject, send, thing):
        exchange = read_by_id(subject, send, READ_EVENT, str(item.get("id")))
        shown = response_json(exchange)
        if exchange.status == 200 and isinstance(shown, dict):
            found.append(LoggedEvent(shown=shown, exchange=exchange))
    return tuple(found)


def _all_items(subject: Subject, send: Send, thing: str) -> Iterator[Mapping[str, Any]]:
    """Yield the items of all pages, or of as many as one message can fill."""
    cursor = ""
    for _ in range(MOST_PAGES):
        page = list_events(subject, send, thing, cursor=cursor)
        yield from page_items(page)
        shown = response_json(page)
        cursor = str(shown.get("next_cursor") or "") if isinstance(shown, dict) else ""
        if not cursor:
            return
