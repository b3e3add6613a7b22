"""Events about a message, as the event log of a deployment tells them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from devportal.conformance.exchange import Exchange
from devportal.conformance.family import Send
from devportal.conformance.line import Unsendable
from devportal.conformance.parties import Party
from devportal.conformance.stocking import body_of
from devportal.conformance.subject import Subject
from telecom.conformance.sending import needed, read_one

LIST, READ_EVENT = "listEvents", "retrieveEvent"
_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, kw_only=True)
class Event:
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


def listed(subject: Subject, send: Send, thing: str, party: Party | None = None) -> Exchange:
    """Return the page of events about a thing, as a party sees it."""
    operation = needed(subject, LIST)
    request = subject.valid(operation, party)
    if request is None:
        raise Unsendable("there is no valid request for the list of events")
    mark = "&" if "?" in request.url else "?"
    return send(operation, replace(request, url=request.url + mark + urlencode({"subject": thing})))


def items_of(page: Exchange) -> tuple[Mapping[str, Any], ...]:
    """Return the items of a page, none where it is not one."""
    shown = body_of(page)
    items = shown.get("data") if page.status == 200 and isinstance(shown, dict) else None
    return tuple(one for one in items if isinstance(one, dict)) if isinstance(items, list) else ()


def events_about(subject: Subject, send: Send, thing: str) -> tuple[Event, ...]:
    """Return the events about a thing, each read in full."""
    found = []
    for item in items_of(listed(subject, send, thing)):
        exchange = read_one(subject, send, READ_EVENT, str(item.get("id")))
        shown = body_of(exchange)
        if exchange.status == 200 and isinstance(shown, dict):
            found.append(Event(shown=shown, exchange=exchange))
    return tuple(found)
