"""The content of each page for one account: template and values.

Lists are those of the API: the same operations with their filters, cursors and scopes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import sqlalchemy as sa

from devportal.contract import Api, Operation
from telecom.calls import CallStatus
from telecom.problems import ProblemKind
from telecom.receipts import MessageStatus
from telecom.sandbox.api.exchange import OperationRequest, RequestRefused, not_found
from telecom.sandbox.api.operations import Handler, HandlerContext
from telecom.sandbox.api.request_reading import ParameterReader
from telecom.sandbox.database.tables import MESSAGES
from telecom.sandbox.delivery import event_log_store
from telecom.sandbox.delivery.deliveries import DeliveryState
from telecom.sandbox.delivery.endpoint_store import endpoints_of
from telecom.sandbox.handlers.calls import list_calls
from telecom.sandbox.handlers.event_log import list_events
from telecom.sandbox.handlers.messages import list_messages
from telecom.sandbox.pages import delivery_views, timeline
from telecom.sandbox.stores.call_store import call_document, find_call
from telecom.sandbox.stores.message_store import Message, Progress
from telecom.sandbox.tokens.tokens import Grant

_NUMBER = "Number"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """The grant of a page request, the resource in its path, and its query."""

    grant: Grant
    query: Sequence[tuple[str, str]]
    resource_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterField:
    """A field of the filter form of a list: its parameter, its label, and the values to choose from, none if
    it is typed."""

    name: str
    label: str
    values: tuple[str, ...] = ()
    chosen: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContent:
    """A page: its template, and the values for it."""

    template: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Views:
    """The pages of an account. Each raises RequestRefused if the account has no such resource or the token
    lacks the scope."""

    api: Api
    parameters: ParameterReader
    context: HandlerContext

    def messages(self, request: PageRequest) -> PageContent:
        """Return the list of messages."""
        filters = (_choice_field("status", "Status", MessageStatus), FilterField(name="to", label=_NUMBER))
        return self._list("messages.html.jinja", "listMessages", list_messages, request, filters)

    def calls(self, request: PageRequest) -> PageContent:
        """Return the list of calls."""
        filters = (
            _choice_field("status", "Status", CallStatus),
            FilterField(name="to", label="Called number"),
        )
        return self._list("calls.html.jinja", "listCalls", list_calls, request, filters)

    def events(self, request: PageRequest) -> PageContent:
        """Return the event log."""
        self._require_operation("listEvents", request)
        with self.context.database.read() as connection:
            endpoints = endpoints_of(connection, request.grant.account)
        filters = (
            FilterField(
                name="type", label="Type", values=tuple(webhook.name for webhook in self.api.webhooks)
            ),
            FilterField(
                name="webhook_endpoint_id",
                label="Endpoint",
                values=tuple(endpoint.id for endpoint in endpoints),
            ),
            _choice_field("state", "Delivery", DeliveryState),
            FilterField(name="subject", label="Message or call"),
        )
        return self._list("events.html.jinja", "listEvents", list_events, request, filters)

    def message(self, request: PageRequest) -> PageContent:
        """Return the timeline of a message."""
        self._require_operation("retrieveMessage", request)
        account, message_id = request.grant.account, request.resource_id
        query = sa.select(MESSAGES).where(MESSAGES.c.account == account, MESSAGES.c.id == message_id)
        with self.context.database.read() as connection:
            row = connection.execute(query).mappings().first()
            if row is None:
                raise not_found("message", message_id)
            events = self._event_histories(connection, request)
        message = Message.of(row)
        machines = self.context.machines
        message_timeline = timeline.message_timeline(
            message, Progress.of(message, row), events or (), machines
        )
        return _timeline_page("message.html.jinja", message_timeline, events, message.document(machines))

    def call(self, request: PageRequest) -> PageContent:
        """Return the timeline of a call."""
        self._require_operation("retrieveCall", request)
        with self.context.database.read() as connection:
            row = find_call(connection, request.grant.account, request.resource_id)
            if row is None:
                raise not_found("call", request.resource_id)
            events = self._event_histories(connection, request)
        call_timeline = timeline.call_timeline(row, events or (), self.context.machines)
        return _timeline_page("call.html.jinja", call_timeline, events, call_document(row))

    def event(self, request: PageRequest) -> PageContent:
        """Return an event with its payload and its deliveries."""
        self._require_operation("retrieveEvent", request)
        account = request.grant.account
        with self.context.database.read() as connection:
            row = event_log_store.find_event(connection, account, request.resource_id)
            if row is None:
                raise not_found("event", request.resource_id)
            (history,) = delivery_views.event_histories(connection, account, [row])
        return PageContent(
            template="event.html.jinja", values={"event": history, "is_live": history.is_pending}
        )

    def _list(
        self,
        template: str,
        operation_id: str,
        handler: Handler,
        request: PageRequest,
        filters: tuple[FilterField, ...],
    ) -> PageContent:
        operation = self._require_operation(operation_id, request)
        parameters = [(name, value.strip()) for name, value in request.query if value.strip()]
        values_by_name = dict(parameters)
        fields = tuple(
            FilterField(
                name=filter_.name,
                label=filter_.label,
                values=filter_.values,
                chosen=values_by_name.get(filter_.name, ""),
            )
            for filter_ in filters
        )
        values: dict[str, Any] = {"filters": fields, "is_filtered": any(field.chosen for field in fields)}
        try:
            query = self.parameters.query(operation, parameters)
            call = OperationRequest(operation=operation, grant=request.grant, query=query)
            body = handler(call, self.context).body
        except RequestRefused as refusal:
            return PageContent(template=template, values={**values, **_empty_list(refusal)})
        cursor = body["next_cursor"]
        filter_parameters = [(name, value) for name, value in parameters if name != "cursor"]
        return PageContent(
            template=template,
            values={
                **values,
                "rows": body["data"],
                "problem": None,
                "next": "?" + urlencode([*filter_parameters, ("cursor", cursor)]) if cursor else None,
                "first": "?" + urlencode(filter_parameters) if "cursor" in values_by_name else None,
            },
        )

    def _event_histories(
        self, connection: sa.Connection, request: PageRequest
    ) -> tuple[delivery_views.EventHistory, ...] | None:
        """Return the events of the resource, None if the token must not see them."""
        if not _has_scopes(self._operation("retrieveEvent"), request.grant):
            return None
        return delivery_views.events_about(connection, request.grant.account, request.resource_id)

    def _require_operation(self, operation_id: str, request: PageRequest) -> Operation:
        operation = self._operation(operation_id)
        if not _has_scopes(operation, request.grant):
            scopes = " and ".join(operation.scopes)
            raise RequestRefused(
                ProblemKind.INSUFFICIENT_SCOPE,
                f"This page needs the scope {scopes}, which the token that you have signed in with does not "
                "grant. Sign out, and sign in with one that does.",
            )
        return operation

    def _operation(self, operation_id: str) -> Operation:
        return next(operation for operation in self.api.operations if operation.id == operation_id)


View = Callable[[PageRequest], PageContent]


def _has_scopes(operation: Operation, grant: Grant) -> bool:
    return grant.scopes.issuperset(operation.scopes)


def _choice_field(name: str, label: str, values: type[Any]) -> FilterField:
    return FilterField(name=name, label=label, values=tuple(value.value for value in values))


def _empty_list(refusal: RequestRefused) -> dict[str, Any]:
    """Return a list without rows, and the reason."""
    return {"rows": [], "problem": refusal.detail, "next": None, "first": "?"}


def _timeline_page(
    template: str,
    steps: timeline.Timeline,
    events: tuple[delivery_views.EventHistory, ...] | None,
    document: Mapping[str, Any],
) -> PageContent:
    values = {
        "timeline": steps,
        "is_live": steps.is_live,
        "resource": document,
        "sees_events": events is not None,
    }
    return PageContent(template=template, values=values)


def first_page(grant: Grant) -> str:
    """Return the first page after signing in, by the scopes of the token; the home page if there is none."""
    for scope, path in _FIRST_PAGES:
        if scope in grant.scopes:
            return path
    return "/_sandbox/"


_FIRST_PAGES = (
    ("messages:read", "/_sandbox/messages"),
    ("calls:read", "/_sandbox/calls"),
    ("webhooks:read", "/_sandbox/events"),
)
