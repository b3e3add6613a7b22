"""A service that takes orders and tells of them by webhook: right, or with failures switched on.

The contract is `orders.yaml`. Each fault breaks one promise; `FAULTS` says which check must name it.
"""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urljoin, urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

TOKENS = {"orders-main-token": "one", "orders-other-token": "two"}
PAUSES_S = (0.05, 0.15, 0.35, 0.6)
TIMEOUT_S = 2.0

FAULTS = {
    "never_sent": "webhook-arrival",
    "one_kind_missing": "webhook-arrival",
    "sent_to_deleted": "webhook-arrival",
    "sent_unwanted": "webhook-arrival",
    "undocumented_event": "webhook-payloads",
    "extra_member": "webhook-payloads",
    "number_as_text": "webhook-payloads",
    "text_plain": "webhook-payloads",
    "put": "webhook-payloads",
    "secret_in_body": "webhook-payloads",
    "token_in_header": "webhook-payloads",
    "broken_json": "webhook-payloads",
    "unsigned": "webhook-signatures",
    "retry_unsigned": "webhook-signatures",
    "signed_other_bytes": "webhook-signatures",
    "signed_without_time": "webhook-signatures",
    "wrong_secret": "webhook-signatures",
    "secret_of_another_kind": "webhook-signatures",
    "old_secret_only": "webhook-signatures",
    "new_secret_only": "webhook-signatures",
    "time_of_yesterday": "webhook-timestamps",
    "time_in_ms_text": "webhook-timestamps",
    "new_id_each_attempt": "webhook-identifiers",
    "id_of_the_order": "webhook-identifiers",
    "backwards": "webhook-states",
    "no_end": "webhook-states",
    "same_step": "webhook-states",
    "sent_twice": "webhook-repetitions",
    "again_after_204": "webhook-repetitions",
    "again_after_slow": "webhook-repetitions",
    "no_retry": "webhook-retries",
    "no_retry_after_404": "webhook-retries",
    "no_retry_after_close": "webhook-retries",
    "no_retry_after_timeout": "webhook-retries",
    "constant_pauses": "webhook-retries",
    "no_pauses": "webhook-retries",
    "retry_after_ignored": "webhook-retries",
    "one_attempt_more": "webhook-retries",
    "two_attempts_less": "webhook-retries",
    "again_after_410": "webhook-refusals",
    "gone_stays_on": "webhook-refusals",
    "follows_redirects": "webhook-refusals",
    "not_logged": "webhook-log",
    "retries_not_logged": "webhook-log",
    "phantom": "webhook-log",
    "logged_as_failed": "webhook-log",
    "given_up_stays_pending": "webhook-log",
    "logged_as_delivered": "webhook-log",
    "logged_status": "webhook-log",
    "sent_to_everybody": "webhook-tenants",
    "log_of_everybody": "webhook-tenants",
}


@dataclass(slots=True)
class Hook:
    """An endpoint of an account."""

    id: str
    account: str
    url: str
    wants: list[str]
    keys: list[str]
    is_on: bool = True
    is_deleted: bool = False


@dataclass(slots=True)
class Sender:
    """The service. Restarts know nothing of what was."""

    faults: frozenset[str] = frozenset()
    orders: dict[str, dict[str, str]] = field(default_factory=dict)
    hooks: dict[str, Hook] = field(default_factory=dict)
    log: list[dict[str, Any]] = field(default_factory=list)
    threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(max_workers=100))
    lock: threading.Lock = field(default_factory=threading.Lock)

    def app(self) -> Starlette:
        """Return the ASGI application."""
        routes = [
            Route("/orders", self._require_token(self.place), methods=["POST"]),
            Route("/orders/{order_id}", self._require_token(self.show), methods=["GET"]),
            Route("/hooks", self._require_token(self.add), methods=["POST"]),
            Route("/hooks/{hook_id}", self._require_token(self.remove), methods=["DELETE"]),
            Route("/hooks/{hook_id}/renew", self._require_token(self.renew), methods=["POST"]),
            Route("/deliveries", self._require_token(self.deliveries), methods=["GET"]),
        ]
        return Starlette(routes=routes)

    def _require_token(self, answer: Callable[[Request, str, Any], Response]) -> Callable[[Request], Any]:
        async def with_token(request: Request) -> Response:
            token = request.headers.get("authorization", "").removeprefix("Bearer ")
            if token not in TOKENS:
                return Response(status_code=401, headers={"WWW-Authenticate": "Bearer"})
            body = await request.body()
            return answer(request, TOKENS[token], json.loads(body) if body else None)

        return with_token

    def place(self, _: Request, account: str, __: Any) -> Response:
        """Take an order, which is packed and shipped at once."""
        order = uuid.uuid4().hex
        self.orders[order] = {"account": account, "status": "placed"}
        self.threads.submit(self._goes_on, account, order)
        return JSONResponse({"order_id": order, "status": "placed"}, 202)

    def show(self, request: Request, account: str, _: Any) -> Response:
        """Show an order."""
        order = self.orders.get(request.path_params["order_id"])
        if order is None or order["account"] != account:
            return Response(status_code=404)
        return JSONResponse({"order_id": request.path_params["order_id"], "status": order["status"]})

    def add(self, _: Request, account: str, body: Any) -> Response:
        """Make a hook."""
        key = "whsec_" + base64.b64encode(secrets.token_bytes(24)).decode()
        hook = Hook(id=uuid.uuid4().hex, account=account, url=body["url"], wants=body["wants"], keys=[key])
        self.hooks[hook.id] = hook
        if "secret_of_another_kind" in self.faults:
            key = "no base64!"
        return JSONResponse({"hook_id": hook.id, "key": key}, 201)

    def remove(self, request: Request, account: str, _: Any) -> Response:
        """Delete a hook."""
        hook = self.hooks.get(request.path_params["hook_id"])
        if hook is None or hook.account != account:
            return Response(status_code=404)
        hook.is_deleted = True
        return Response(status_code=204)

    def renew(self, request: Request, account: str, _: Any) -> Response:
        """Give a hook another key; the one before signs too."""
        hook = self.hooks.get(request.path_params["hook_id"])
        if hook is None or hook.account != account:
            return Response(status_code=404)
        hook.keys.append("whsec_" + base64.b64encode(secrets.token_bytes(24)).decode())
        return JSONResponse({"key": hook.keys[-1]})

    def deliveries(self, request: Request, account: str, _: Any) -> Response:
        """List the deliveries about an order."""
        with self.lock:
            items = [
                dict(item["shown"])
                for item in self.log
                if item["about"] == request.query_params.get("about")
                and (item["account"] == account or "log_of_everybody" in self.faults)
            ]
        return JSONResponse({"items": items})

    def _goes_on(self, account: str, order: str) -> None:
        statuses = ["packed", "shipped"]
        if "backwards" in self.faults:
            statuses = ["shipped", "packed"]
        self.orders[order]["status"] = "shipped"
        for step, status in enumerate(statuses, 1):
            if status == "shipped" and "no_end" in self.faults:
                continue
            data: dict[str, Any] = {"order_id": order, "step": step, "status": status}
            if "same_step" in self.faults:
                data["step"] = 1
            if "number_as_text" in self.faults:
                data["step"] = str(step)
            if "extra_member" in self.faults:
                data["note"] = "internal"
            self._tell(account, order, "order.changed", data)
        if "one_kind_missing" not in self.faults:
            self._tell(account, order, "order.billed", {"order_id": order, "cents": 100})

    def _tell(self, account: str, order: str, kind: str, data: dict[str, Any]) -> None:
        event = order if "id_of_the_order" in self.faults else uuid.uuid4().hex
        name = "order.touched" if "undocumented_event" in self.faults and kind == "order.billed" else kind
        for hook in list(self.hooks.values()):
            if "never_sent" in self.faults or (hook.is_deleted and "sent_to_deleted" not in self.faults):
                continue
            if hook.account != account and "sent_to_everybody" not in self.faults:
                continue
            if kind not in hook.wants and "sent_unwanted" not in self.faults:
                continue
            if not hook.is_on:
                continue
            shown = {"event": event, "hook": hook.id, "state": "pending", "answers": []}
            if "not_logged" not in self.faults:
                with self.lock:
                    self.log.append({"account": account, "about": order, "shown": shown})
            content = {"type": name, "data": data}
            if "secret_in_body" in self.faults:
                content["data"] = {**data, "cents": 100, "key": hook.keys[0]}
            self.threads.submit(self._deliver, hook, event, json.dumps(content).encode(), shown)
            if "phantom" in self.faults:
                made_up = {"event": uuid.uuid4().hex, "hook": hook.id, "state": "delivered", "answers": [200]}
                with self.lock:
                    self.log.append({"account": account, "about": order, "shown": made_up})

    def _deliver(self, hook: Hook, event: str, body: bytes, shown: dict[str, Any]) -> None:
        if "broken_json" in self.faults:
            body = body.replace(b'"cents": 100', b'"cents": 01')
        most = 5 + ("one_attempt_more" in self.faults) - 2 * ("two_attempts_less" in self.faults)
        for attempt in range(most):
            status, wait_s = self._attempt(hook, event, body, attempt, shown)
            is_taken = status is not None and 200 <= status < 300
            if is_taken and not self._repeats(status, attempt, shown):
                shown["state"] = "failed" if "logged_as_failed" in self.faults else "delivered"
                return
            if status == 410 and "again_after_410" not in self.faults:
                hook.is_on = "gone_stays_on" in self.faults
                shown["state"] = "failed"
                return
            if not is_taken and self._gives_up(status):
                break
            if attempt + 1 < most:
                time.sleep(max(self._pause_s(attempt), wait_s))
        shown["state"] = "pending" if "given_up_stays_pending" in self.faults else "failed"
        if "logged_as_delivered" in self.faults:
            shown["state"] = "delivered"

    def _repeats(self, status: int | None, attempt: int, shown: dict[str, Any]) -> bool:
        if attempt > 0:
            return False
        is_slow = shown.get("slow_s", 0.0) > 0.2
        return (
            "sent_twice" in self.faults
            or ("again_after_204" in self.faults and status == 204)
            or ("again_after_slow" in self.faults and is_slow)
        )

    def _gives_up(self, status: int | None) -> bool:
        return (
            "no_retry" in self.faults
            or ("no_retry_after_404" in self.faults and status == 404)
            or ("no_retry_after_close" in self.faults and status == 0)
            or ("no_retry_after_timeout" in self.faults and status is None)
        )

    def _pause_s(self, attempt: int) -> float:
        if "no_pauses" in self.faults:
            return 0.0
        if "constant_pauses" in self.faults:
            return 0.2
        return PAUSES_S[min(attempt, 3)]

    def _attempt(
        self, hook: Hook, event: str, body: bytes, attempt: int, shown: dict[str, Any]
    ) -> tuple[int | None, float]:
        """Send once; return the status (0: the connection broke, None: no response in time) and what it "
        "asks."""
        headers = self._signature_headers(hook, event, body, attempt)
        headers["Content-Type"] = "text/plain" if "text_plain" in self.faults else "application/json"
        if "token_in_header" in self.faults:
            headers["X-Debug"] = next(iter(TOKENS))
        started, wait_s, status = time.monotonic(), 0.0, None
        method = "PUT" if "put" in self.faults else "POST"
        try:
            status, answered = post_delivery(hook.url, method, body, headers)
            if "follows_redirects" in self.faults and "location" in answered:
                status, answered = post_delivery(
                    urljoin(hook.url, answered["location"]), method, body, headers
                )
            if "retry_after_ignored" not in self.faults:
                wait_s = float(answered.get("retry-after", 0))
        except TimeoutError:
            status = None
        except (OSError, HTTPException):
            status = 0
        shown["slow_s"] = time.monotonic() - started
        if "retries_not_logged" not in self.faults or attempt == 0:
            told = 200 if "logged_status" in self.faults else status
            shown["answers"] = [*shown["answers"], told or None]
        return status, wait_s

    def _signature_headers(self, hook: Hook, event: str, body: bytes, attempt: int) -> dict[str, str]:
        name = uuid.uuid4().hex if "new_id_each_attempt" in self.faults else event
        at = str(int(time.time()) - (86_400 if "time_of_yesterday" in self.faults else 0))
        if "time_in_ms_text" in self.faults:
            at = time.strftime("%Y-%m-%dT%H:%M:%SZ")
        content = f"{name}.{at}.".encode() + body
        if "signed_without_time" in self.faults:
            content = f"{name}.".encode() + body
        if "signed_other_bytes" in self.faults:
            content = f"{name}.{at}.".encode() + json.dumps(json.loads(body), separators=(",", ":")).encode()
        keys = hook.keys[-2:]
        if "old_secret_only" in self.faults:
            keys = keys[:1]
        if "new_secret_only" in self.faults:
            keys = keys[-1:]
        if "wrong_secret" in self.faults:
            keys = ["whsec_" + base64.b64encode(b"x" * 24).decode()]
        made = [
            hmac.new(base64.b64decode(key.removeprefix("whsec_")), content, hashlib.sha256) for key in keys
        ]
        signature = " ".join("v1," + base64.b64encode(item.digest()).decode() for item in made)
        headers = {"webhook-id": name, "webhook-timestamp": at, "webhook-signature": signature}
        if "unsigned" in self.faults or ("retry_unsigned" in self.faults and attempt > 0):
            del headers["webhook-signature"]
        return headers


def post_delivery(url: str, method: str, body: bytes, headers: dict[str, str]) -> tuple[int, dict[str, str]]:
    """Send a delivery; return the status and the headers of the response, their names in lower case."""
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=TIMEOUT_S)
    try:
        connection.request(method, parts.path, body, headers)
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}
    finally:
        connection.close()
