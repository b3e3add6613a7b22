"""The mock as an ASGI application: requests are read, the core is asked, and what changes is stored."""

import asyncio
import heapq
import logging
from collections.abc import Callable, Iterable, MutableMapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Message, Receive, Scope, Send

from devportal.contract.wire_format.strict_json import read_json
from devportal.mock.clock import MockClock
from devportal.mock.events.delivery_log import Attempt, DeliveryLog
from devportal.mock.http.exchange import CORS_HEADERS, MockRequest, MockResponse, Moment, Refused
from devportal.mock.http.responses import all_headers
from devportal.mock.mock import Mock
from devportal.mock.operations.outcome import Happening, Outcome
from devportal.mock.resources.store import Record, State
from devportal.mock.seeds import add_seeds
from devportal.serving.http_protocol import invalid_host_reason

MAX_BODY_BYTES = 10_000_000
"""The limit of a request body."""
CONTROL_PATHS = ("/_mock/clock", "/_mock/state")
"""Where the mock itself is controlled: its clock and its state."""
_TICK_S = 0.1
"""How often due steps are looked for."""
_MOST_STEPS = 10_000
"""Steps that are taken at once at most, after the clock was moved."""
_log = logging.getLogger(__name__)


class _ClientGone(Exception):
    """A client that ends the connection before its request is complete."""


class Reporter(Protocol):
    """Sends callbacks and webhooks."""

    def report(self, happening: Happening, now: datetime, serial: int) -> None:
        """Send what the contract promises for something that happened."""


class MockApplication:
    """Serves a mock. All requests are handled one after the other, so that none sees half of a change."""

    def __init__(
        self,
        mock: Mock,
        state: State,
        clock: MockClock,
        *,
        reporter: Reporter | None = None,
        max_body_bytes: int = MAX_BODY_BYTES,
        log: Callable[[str], None] | None = None,
        step_s: float = 0.0,
    ) -> None:
        """Take the mock, what it remembers, its clock, what reports events, what prints requests, and after how many
        seconds a state goes on by itself, 0 if none does.
        """
        self._mock = mock
        self.state = state
        self._clock = clock
        self._reporter = reporter
        self._max_body_bytes = max_body_bytes
        self._log = log
        self._step = timedelta(seconds=step_s)
        self._due: list[tuple[datetime, int, tuple[str, tuple[str, ...], str]]] = []
        self._is_ticking = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._delivery_log = DeliveryLog(mock)
        self._serial = state.last_serial
        if not self._serial:
            self.reset()
        self._schedule(state.all_records())

    def reset(self) -> None:
        """Forget everything, and begin with the examples of the contract."""
        self.state.clear()
        self._due.clear()
        self._serial = add_seeds(
            self._mock, self.state, Moment(now=self._clock(), serial=self._serial)
        ).serial

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            return
        self._loop = asyncio.get_running_loop()
        path = _raw_path(scope)
        if path in CONTROL_PATHS:
            await (await self._control(path, Request(scope, receive)))(scope, receive, send)
            return
        try:
            body = await _read_body(receive, scope, self._max_body_bytes)
        except _ClientGone:
            return
        request = _mock_request(scope, path, body if body is not None else b"")
        reason = invalid_host_reason(
            [value for name, value in request.headers if name == "host"], scope["http_version"]
        )
        if reason is not None:
            response = self._mock.writer.refuse(None, Refused(400, detail=reason), request)
        else:
            response = self.respond(request) if body is not None else self._refuse_size(request)
        if self._log is not None:
            self._log(f"{request.method} {request.path} {response.status}")
        self._start_ticking()
        await _send_response(send, request, response)

    def respond(self, request: MockRequest) -> MockResponse:
        """Return the response to a request, and carry out what it changes."""
        if request.method == "OPTIONS" and request.header("access-control-request-method"):
            return _preflight(request)
        moment = self._next_moment()
        self._take_due_steps(moment.now)
        try:
            outcome = self._mock.respond(request, self.state, moment)
        except Exception:  # noqa: BLE001 - an error of ours ends one request, not the mock
            _log.exception("%s %s", request.method, request.path[:500])
            return MockResponse(status=500)
        self._carry_out(outcome, moment)
        return outcome.response

    def _next_moment(self) -> Moment:
        self._serial += 1
        return Moment(now=self._clock(), serial=self._serial)

    def _carry_out(self, outcome: Outcome, moment: Moment) -> None:
        """Store what a request or a step changes, report it, and schedule what follows."""
        self.state.apply(outcome.changes)
        self._schedule(change for change in outcome.changes if isinstance(change, Record))
        self._serial = max(self._serial, self.state.last_serial)
        self._report(outcome, moment)

    def _report(self, outcome: Outcome, moment: Moment) -> None:
        if self._reporter is not None:
            for number, happening in enumerate(outcome.happenings):
                self._reporter.report(happening, moment.now, moment.serial + number)

    def log_attempt(self, attempt: Attempt) -> None:
        """Show an attempt of a delivery in the lists that are for it. Other threads may call this."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the server has ended
                self._loop.call_soon_threadsafe(self._write_rows, attempt)

    def _write_rows(self, attempt: Attempt) -> None:
        moment = self._next_moment()
        self.state.apply(tuple(self._delivery_log.rows(attempt, self.state, moment)))

    # States that go on by themselves

    def _schedule(self, records: Iterable[Record]) -> None:
        """Schedule the next step of records whose state goes on by itself."""
        for record in records if self._step else ():
            if self._mock.steps.next_state(record):
                due = self._clock() + self._step
                heapq.heappush(self._due, (due, record.version, (record.type, record.scope, record.id)))

    def _take_due_steps(self, now: datetime) -> None:
        """Take the steps that are due by now, and those that follow them."""
        for _ in range(_MOST_STEPS):
            if not self._due or self._due[0][0] > now:
                return
            due, version, address = heapq.heappop(self._due)
            record = self.state.find(*address)
            if record is None or record.version != version:
                continue
            self._serial += 1
            moment = Moment(now=due, serial=self._serial)
            outcome = self._mock.steps.take(record, moment)
            if outcome is not None:
                self.state.apply(outcome.changes)
                for changed in outcome.changes:
                    if isinstance(changed, Record) and self._mock.steps.next_state(changed):
                        heapq.heappush(self._due, (due + self._step, changed.version, address))
                self._report(outcome, moment)

    def _tick(self) -> None:
        """Take the steps that are due, now and again while there are any."""
        self._is_ticking = False
        self._take_due_steps(self._clock())
        self._start_ticking()

    def _start_ticking(self) -> None:
        if self._due and not self._is_ticking:
            self._is_ticking = True
            asyncio.get_running_loop().call_later(_TICK_S, self._tick)

    def _refuse_size(self, request: MockRequest) -> MockResponse:
        refused = Refused(413, detail=f"The body has more than {self._max_body_bytes:,} bytes.")
        return self._mock.writer.refuse(None, refused, request)

    # Control

    async def _control(self, path: str, request: Request) -> Response:
        """Serve the addresses that control the mock."""
        match (request.method, path):
            case ("GET", "/_mock/clock"):
                return JSONResponse({"now": self._clock().isoformat()})
            case ("POST" | "PUT", "/_mock/clock"):
                return await self._move_clock(request)
            case ("GET", "/_mock/state"):
                return JSONResponse({"resources": self.state.counts()})
            case ("DELETE", "/_mock/state"):
                self.reset()
                return JSONResponse({"resources": self.state.counts()})
        return JSONResponse(
            {"detail": "There are GET and POST /_mock/clock, GET and DELETE /_mock/state."}, status_code=405
        )

    async def _move_clock(self, request: Request) -> Response:
        """Move the clock to `now` (RFC 3339), or forward by `advance_s` seconds."""
        try:
            body = await request.body()
            asked = read_json(body[:10_000])
            if not isinstance(asked, dict):
                raise ValueError("the body must be an object with 'now' or 'advance_s'")
            if "now" in asked:
                moment = datetime.fromisoformat(str(asked["now"]))
                if moment.tzinfo is None:
                    raise ValueError("'now' needs an offset, such as 2026-01-01T00:00:00Z")
                self._clock.move_to(moment)
            else:
                self._clock.advance(timedelta(seconds=float(asked.get("advance_s", 0))))
        except (ValueError, TypeError, OverflowError) as error:
            return JSONResponse({"detail": str(error)}, status_code=400)
        self.state.set_clock(self._clock.state)
        self._take_due_steps(self._clock())
        self._start_ticking()
        return JSONResponse({"now": self._clock().isoformat()})


def _raw_path(scope: Scope) -> str:
    """Return the path of a request as it was sent, percent-encoded."""
    raw = scope.get("raw_path") or str(scope["path"]).encode("utf-8", "replace")
    path = raw.decode("ascii", "replace").partition("?")[0]
    return path if path.startswith("/") else f"/{path}"


def _mock_request(scope: Scope, path: str, body: bytes) -> MockRequest:
    headers = tuple(
        (name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]
    )
    host = next((value for name, value in headers if name == "host"), "")
    server = scope.get("server") or ("127.0.0.1", 80)
    authority = host if host.isascii() and host.isprintable() and host else f"{server[0]}:{server[1]}"
    return MockRequest(
        method=str(scope["method"]),
        path=path,
        query=bytes(scope["query_string"]).decode("ascii", "replace"),
        headers=headers,
        body=body,
        base_url=f"{scope.get('scheme', 'http')}://{authority}",
    )


async def _read_body(receive: Receive, scope: MutableMapping[str, Any], most: int) -> bytes | None:
    """Return the body of a request, None if it is too large. Raises _ClientGone if it ends early."""
    announced = next((value for name, value in scope["headers"] if name.lower() == b"content-length"), b"0")
    if announced.isdigit() and len(announced) < 20 and int(announced) > most:
        return None
    chunks: list[bytes] = []
    size = 0
    while True:
        message: Message = await receive()
        if message["type"] != "http.request":
            raise _ClientGone
        chunk = message.get("body", b"")
        size += len(chunk)
        if size > most:
            return None
        chunks.append(chunk)
        if not message.get("more_body", False):
            return b"".join(chunks)


def _preflight(request: MockRequest) -> MockResponse:
    """Return the response to the preflight of a browser (Fetch §3.2)."""
    return MockResponse(
        status=204,
        headers=(
            ("Access-Control-Allow-Methods", request.header("access-control-request-method") or "GET"),
            ("Access-Control-Allow-Headers", request.header("access-control-request-headers") or "*"),
            ("Access-Control-Max-Age", "600"),
        ),
    )


async def _send_response(send: Send, request: MockRequest, response: MockResponse) -> None:
    headers = [*all_headers(response.headers), *(CORS_HEADERS if request.header("origin") else ())]
    names = {name.lower() for name, _ in headers}
    if "content-length" not in names and response.status not in (204, 304):
        headers.append(("Content-Length", str(len(response.body))))
    encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    await send({"type": "http.response.start", "status": response.status, "headers": encoded})
    await send({"type": "http.response.body", "body": response.body})
