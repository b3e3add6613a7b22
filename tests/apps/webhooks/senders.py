"""Four senders of webhooks, each in a style of its own: right, or with one fault switched on."""

import hashlib
import hmac
import itertools
import json
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

TOKENS = {"one-token-of-these-tests": "one", "two-token-of-these-tests": "two"}
SIGNING_SECRET = "a secret that the account knows"
PAUSE_S = 0.15
MOST_ATTEMPTS = 6
TIMEOUT_S = 10.0
SOON_S = 0.05

FAULTS: dict[str, str] = {
    "never_sent": "webhook-arrival",
    "one_kind_missing": "webhook-arrival",
    "sent_to_deleted": "webhook-arrival",
    "wrong_type": "webhook-payloads",
    "number_as_text": "webhook-payloads",
    "missing_member": "webhook-payloads",
    "unknown_state": "webhook-payloads",
    "text_plain": "webhook-payloads",
    "put": "webhook-payloads",
    "broken_json": "webhook-payloads",
    "wrong_subject": "webhook-payloads",
    "secret_in_body": "webhook-payloads",
    "unsigned": "webhook-signatures",
    "wrong_signature": "webhook-signatures",
    "signed_other_bytes": "webhook-signatures",
    "old_timestamp": "webhook-timestamps",
    "old_event": "webhook-timestamps",
    "one_id_for_all": "webhook-identifiers",
    "new_id_each_attempt": "webhook-identifiers",
    "wrong_order": "webhook-states",
    "creation_last": "webhook-states",
    "api_behind": "webhook-states",
    "state_differs": "webhook-readings",
    "last_state_missing": "webhook-readings",
    "sent_twice": "webhook-repetitions",
    "again_after_2xx": "webhook-repetitions",
    "no_retry": "webhook-retries",
    "one_attempt_more": "webhook-retries",
    "log_missing": "webhook-log",
    "log_failed": "webhook-log",
    "log_attempts": "webhook-log",
    "to_other_account": "webhook-tenants",
}
"""The faults, and the check for each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How one API sends its events."""

    name: str
    collection: str
    """The path of what triggers create."""
    id_member: str
    states: tuple[str, ...]
    """The state at the beginning, and those that events report."""
    creation_event: str = ""
    """The type of the event about the creation, if there is one."""
    change_event: str = ""
    ready_event: str = ""
    """The type of the event about the last state, if it has one of its own."""
    hooks: str = ""
    hook_address: str = ""
    address: Callable[[Request, Any], str] | None = None
    is_signed: bool = False
    media_type: str = "application/json"
    payload: Callable[["Event"], dict[str, Any]] = field(repr=False)
    has_int_ids: bool = False
    log: str = ""

    @property
    def contract(self) -> Path:
        """The contract."""
        return Path(__file__).parent / f"{self.name}.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event about a thing."""

    id: str
    type: str
    subject: Any
    state: str
    at: datetime


def _export_payload(event: Event) -> dict[str, Any]:
    export = {"id": event.subject, "status": event.state, "rows": 3}
    return {"event_id": event.id, "event": event.type, "sent_at": event.at.isoformat(), "export": export}


def _order_payload(event: Event) -> dict[str, Any]:
    data = {"order_id": event.subject, "status": event.state}
    return {"id": event.id, "type": event.type, "occurred_at": event.at.isoformat(), "data": data}


def _payment_payload(event: Event) -> dict[str, Any]:
    return {"payment_id": event.subject, "status": event.state, "timestamp": int(event.at.timestamp())}


def _ticket_payload(event: Event) -> dict[str, Any]:
    return {
        "specversion": "1.0",
        "id": event.id,
        "source": "/tickets",
        "type": event.type,
        "time": event.at.isoformat(),
        "subject": f"/tickets/{event.subject}",
        "data": {"ticketId": event.subject, "status": event.state},
    }


STYLES = {
    style.name: style
    for style in (
        Style(
            name="exports",
            collection="/exports",
            id_member="id",
            states=("begun", "running", "ready"),
            change_event="export.running",
            ready_event="export.ready",
            address=lambda request, _: request.headers["x-webhook-url"],
            is_signed=True,
            payload=_export_payload,
        ),
        Style(
            name="orders",
            collection="/orders",
            id_member="order_id",
            states=("placed", "packed", "shipped"),
            creation_event="order.placed",
            change_event="order.updated",
            hooks="/hooks",
            hook_address="target",
            is_signed=True,
            payload=_order_payload,
            log="/hooks/{id}/deliveries",
        ),
        Style(
            name="payments",
            collection="/payments",
            id_member="id",
            states=("requested", "pending", "paid"),
            change_event="-",
            address=lambda _, body: body["options"]["notification_url"],
            payload=_payment_payload,
            has_int_ids=True,
        ),
        Style(
            name="tickets",
            collection="/tickets",
            id_member="ticketId",
            states=("open", "assigned", "closed"),
            creation_event="com.example.ticket.opened",
            change_event="com.example.ticket.status_changed",
            hooks="/subscriptions",
            hook_address="sink",
            media_type="application/cloudevents+json; charset=utf-8",
            payload=_ticket_payload,
            log="/events",
        ),
    )
}


@dataclass(slots=True)
class Hook:
    """A subscription of an account."""

    id: str
    account: str
    url: str
    secret: str
    types: tuple[str, ...] | None
    is_deleted: bool = False


@dataclass(slots=True)
class Sender:
    """An API in a style."""

    style: Style
    faults: frozenset[str] = frozenset()
    things: dict[Any, dict[str, Any]] = field(default_factory=dict)
    hooks: dict[str, Hook] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    numbers: Any = field(default_factory=lambda: itertools.count(1000))
    threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(max_workers=60))
    lock: threading.Lock = field(default_factory=threading.Lock)

    def app(self) -> Starlette:
        """Return the ASGI application."""
        style = self.style
        routes = [
            Route(style.collection, self._for_account(self.create), methods=["POST"]),
            Route(style.collection + "/{id}", self._for_account(self.show), methods=["GET"]),
        ]
        if style.hooks:
            routes += [
                Route(style.hooks, self._for_account(self.subscribe), methods=["POST"]),
                Route(style.hooks + "/{id}", self._for_account(self.unsubscribe), methods=["DELETE"]),
                Route(style.log, self._for_account(self.show_log), methods=["GET"]),
            ]
        return Starlette(routes=routes)

    def _for_account(self, handle: Callable[[Request, str, Any], Response]) -> Callable[[Request], Any]:
        async def respond(request: Request) -> Response:
            token = request.headers.get("authorization", "").removeprefix("Bearer ")
            if token not in TOKENS:
                return Response(status_code=401, headers={"WWW-Authenticate": "Bearer"})
            body = await request.body()
            try:
                return handle(request, TOKENS[token], json.loads(body) if body else None)
            except (ValueError, KeyError, TypeError, AttributeError):
                return Response(status_code=422)

        return respond

    def create(self, request: Request, account: str, body: Any) -> Response:
        """Create a thing, which goes through its states by itself."""
        style = self.style
        thing_id: Any = next(self.numbers) if style.has_int_ids else secrets.token_hex(8)
        thing = {style.id_member: thing_id, "status": style.states[0], "account": account}
        address = style.address(request, body) if style.address is not None else ""
        self.things[str(thing_id)] = thing
        self.threads.submit(self._go_on, thing, address)
        status = 202 if style.name == "exports" else 201
        return JSONResponse({style.id_member: thing_id, "status": style.states[0]}, status)

    def show(self, request: Request, account: str, _: Any) -> Response:
        """Show a thing."""
        thing = self.things.get(request.path_params["id"])
        if thing is None or thing["account"] != account:
            return Response(status_code=404)
        return JSONResponse({name: value for name, value in thing.items() if name != "account"})

    def subscribe(self, _: Request, account: str, body: Any) -> Response:
        """Add a subscription."""
        address, types = body[self.style.hook_address], body.get("events")
        hook = Hook(
            id=secrets.token_hex(6),
            account=account,
            url=address,
            secret=secrets.token_hex(16),
            types=tuple(types) if types is not None else None,
        )
        self.hooks[hook.id] = hook
        shown = {"id": hook.id, self.style.hook_address: hook.url}
        return JSONResponse({**shown, "secret": hook.secret} if self.style.is_signed else shown, 201)

    def unsubscribe(self, request: Request, account: str, _: Any) -> Response:
        """Delete a subscription."""
        hook = self.hooks.get(request.path_params["id"])
        if hook is None or hook.account != account or hook.is_deleted:
            return Response(status_code=404)
        hook.is_deleted = True
        return Response(status_code=204)

    def show_log(self, request: Request, account: str, _: Any) -> Response:
        """Show the log: of the deliveries to a hook, or of all events."""
        hook, about = request.path_params.get("id"), request.query_params.get("subject")
        if hook is not None and (hook not in self.hooks or self.hooks[hook].account != account):
            return Response(status_code=404)
        with self.lock:
            rows = [row for row in self.rows if row["account"] == account]
            if hook is not None:
                shown = [dict(row["row"]) for row in rows if row["hook"] == hook]
                most = int(request.query_params.get("limit", 50))
                return JSONResponse({"items": list(reversed(shown))[:most]})
            events = {row["row"]["event_id"]: row for row in rows if about in (None, row["about"])}
        listed = [
            {"id": name, "type": event["type"], "subject": event["about"]} for name, event in events.items()
        ]
        return JSONResponse(list(reversed(listed))[:50])

    # --- what happens ---

    def _go_on(self, thing: dict[str, Any], address: str) -> None:
        style = self.style
        if style.creation_event and "creation_last" not in self.faults:
            self._send_event(thing, style.creation_event, thing["status"], address)
        changes = list(style.states[1:])
        if "wrong_order" in self.faults:
            changes.reverse()
        for position, state in enumerate(changes):
            time.sleep(SOON_S)
            if "api_behind" not in self.faults:
                thing["status"] = state if "wrong_order" not in self.faults else style.states[-1]
            is_last = position == len(changes) - 1
            if is_last and "last_state_missing" in self.faults:
                continue
            shown = changes[0] if "state_differs" in self.faults else state
            kind = style.ready_event if is_last and style.ready_event else style.change_event
            self._send_event(thing, kind, shown, address)
        if "creation_last" in self.faults:
            time.sleep(SOON_S)
            self._send_event(thing, style.creation_event, style.states[0], address)

    def _send_event(self, thing: dict[str, Any], kind: str, state: str, address: str) -> None:
        style, subject = self.style, thing[self.style.id_member]
        is_first = kind == style.creation_event or (not style.creation_event and state == style.states[1])
        if "never_sent" in self.faults or ("one_kind_missing" in self.faults and is_first):
            return
        event = Event(
            id="same" if "one_id_for_all" in self.faults else f"evt_{secrets.token_hex(8)}",
            type=f"{kind}.x" if "wrong_type" in self.faults else kind,
            subject=_other_id(subject) if "wrong_subject" in self.faults else subject,
            state="lost" if "unknown_state" in self.faults else state,
            at=datetime.now(UTC) - timedelta(days="old_event" in self.faults),
        )
        account = thing["account"]
        if address:
            self._deliver_to(event, subject, address, SIGNING_SECRET, account, "")
        for hook in list(self.hooks.values()):
            is_own = hook.account == account or "to_other_account" in self.faults
            is_on = not hook.is_deleted or "sent_to_deleted" in self.faults
            if is_own and is_on and (hook.types is None or kind in hook.types):
                self._deliver_to(event, subject, hook.url, hook.secret, hook.account, hook.id)

    def _deliver_to(self, event: Event, about: Any, url: str, secret: str, account: str, hook: str) -> None:
        row = {"event_id": event.id, "state": "pending", "attempts": 0}
        if "log_missing" not in self.faults:
            with self.lock:
                self.rows.append(
                    {"account": account, "hook": hook, "about": about, "type": event.type, "row": row}
                )
        self.threads.submit(self._deliver, event, url, secret, row)
        if "sent_twice" in self.faults:
            self.threads.submit(self._deliver, event, url, secret, dict(row))

    def _deliver(self, event: Event, url: str, secret: str, row: dict[str, Any]) -> None:
        most = MOST_ATTEMPTS + ("one_attempt_more" in self.faults)
        for attempt in range(most):
            status = self._attempt(event, url, secret)
            row["attempts"] += 0 if "log_attempts" in self.faults else 1
            is_accepted = status is not None and 200 <= status < 300
            if is_accepted and not ("again_after_2xx" in self.faults and attempt == 0):
                row["state"] = "failed" if "log_failed" in self.faults else "delivered"
                return
            if not is_accepted and "no_retry" in self.faults:
                break
            time.sleep(PAUSE_S * (attempt + 1))
        row["state"] = "failed"

    def _attempt(self, event: Event, url: str, secret: str) -> int | None:
        payload = self.style.payload(event)
        if "new_id_each_attempt" in self.faults:
            payload[next(name for name in ("event_id", "id") if name in payload)] = secrets.token_hex(8)
        body = self._delivered_body(payload, secret)
        at = int(time.time()) - 86_400 * ("old_timestamp" in self.faults)
        content_type = "text/plain" if "text_plain" in self.faults else self.style.media_type
        headers = {"Content-Type": content_type, **self._signature(body, secret, at)}
        return _send_request(url, "PUT" if "put" in self.faults else "POST", body, headers)

    def _delivered_body(self, payload: dict[str, Any], secret: str) -> bytes:
        inner = next((value for value in payload.values() if isinstance(value, dict)), payload)
        if "missing_member" in self.faults:
            inner.pop("status")
        if "number_as_text" in self.faults:
            name = next(name for name in inner if name.endswith(("id", "Id")))
            inner[name] = int(inner[name], 16) if isinstance(inner[name], str) else str(inner[name])
        if "secret_in_body" in self.faults:
            payload["debug"] = secret
        body = json.dumps(payload).encode()
        return body[:-1] if "broken_json" in self.faults else body

    def _signature(self, body: bytes, secret: str, at: int) -> dict[str, str]:
        if not self.style.is_signed or "unsigned" in self.faults:
            return {}
        signed = body + b" " if "signed_other_bytes" in self.faults else body
        key = "another" if "wrong_signature" in self.faults else secret
        made = hmac.new(key.encode(), f"{at}.".encode() + signed, hashlib.sha256).hexdigest()
        name = "X-Signature" if self.style.name == "exports" else "Signature"
        return {name: f"t={at},v1={made}"}


def _other_id(subject: Any) -> Any:
    return subject + 500_000 if isinstance(subject, int) else secrets.token_hex(8)


def _send_request(url: str, method: str, body: bytes, headers: dict[str, str]) -> int | None:
    parts = urlsplit(url)
    if parts.hostname not in ("127.0.0.1", "localhost"):
        return None
    connection = HTTPConnection(parts.hostname, parts.port, timeout=TIMEOUT_S)
    try:
        connection.request(method, parts.path or "/", body, headers)
        return connection.getresponse().status
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()
