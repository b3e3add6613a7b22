"""Triggers that act on a resource: each one gets a new resource, so that a second play is like the first."""

import json
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from devportal.conformance.results.result import Standing
from devportal.conformance.run.run_log import RunLog
from tests.apps.serving import serving
from tests.conformance.credential_sets import single_credential
from tests.conformance.webhooks.playing import log_lines, play_scenarios
from tests.conformance.webhooks.sender import post_delivery

CONTRACT = Path(__file__).parent / "bookings.yaml"
CANCEL: dict[str, Any] = {
    "operation": "cancelBooking",
    "subject": "/booking_id",
    "events": {"booking.cancelled": {"subject": "/about", "state": "/status"}},
}
RELEASE: dict[str, Any] = {
    "operation": "releaseSeat",
    "subject": "/seat_id",
    "events": {"seat.released": {"subject": "/about", "state": "/status"}},
}


@dataclass(slots=True)
class Bookings:
    """A service of bookings. One can be cancelled once; each has one seat, which can be released once."""

    faults: frozenset[str] = frozenset()
    bookings: dict[str, str] = field(default_factory=dict)
    seats: dict[tuple[str, str], str] = field(default_factory=dict)
    hooks: dict[str, str] = field(default_factory=dict)

    def app(self) -> Starlette:
        """Return the ASGI application."""
        routes: list[tuple[str, str, Callable[[Request, Any], Response]]] = [
            ("POST", "/bookings", self.book),
            ("GET", "/bookings/{booking}", self.show),
            ("POST", "/bookings/{booking}/cancel", self.cancel),
            ("POST", "/bookings/{booking}/seats", self.add_seat),
            ("GET", "/bookings/{booking}/seats/{seat}", self.show_seat),
            ("POST", "/bookings/{booking}/seats/{seat}/release", self.release),
            ("POST", "/hooks", self.subscribe),
            ("DELETE", "/hooks/{hook}", self.unsubscribe),
        ]
        return Starlette(
            routes=[Route(path, _route(handle), methods=[verb]) for verb, path, handle in routes]
        )

    def book(self, _: Request, __: Any) -> Response:
        """Create a booking."""
        booking = secrets.token_hex(6)
        self.bookings[booking] = "open"
        return JSONResponse({"booking_id": booking, "status": "open"}, 201)

    def show(self, request: Request, _: Any) -> Response:
        """Show a booking."""
        booking = request.path_params["booking"]
        if booking not in self.bookings:
            return Response(status_code=404)
        return JSONResponse({"booking_id": booking, "status": self.bookings[booking]})

    def cancel(self, request: Request, _: Any) -> Response:
        """Cancel a booking."""
        booking = request.path_params["booking"]
        if self.bookings.get(booking) != "open":
            return Response(status_code=409 if booking in self.bookings else 404)
        self.bookings[booking] = "cancelled"
        self._send_event("booking.cancelled", booking, "cancelled")
        return JSONResponse({"booking_id": booking, "status": "cancelled"})

    def add_seat(self, request: Request, _: Any) -> Response:
        """Add the one seat of a booking."""
        booking, seat = request.path_params["booking"], secrets.token_hex(6)
        if self.bookings.get(booking) != "open" or any(text == booking for text, _ in self.seats):
            return Response(status_code=409 if booking in self.bookings else 404)
        self.seats[booking, seat] = "open"
        return JSONResponse({"seat_id": seat, "status": "open"}, 201)

    def show_seat(self, request: Request, _: Any) -> Response:
        """Show a seat."""
        key = request.path_params["booking"], request.path_params["seat"]
        if key not in self.seats:
            return Response(status_code=404)
        return JSONResponse({"seat_id": key[1], "status": self.seats[key]})

    def release(self, request: Request, _: Any) -> Response:
        """Release a seat."""
        key = request.path_params["booking"], request.path_params["seat"]
        if self.seats.get(key) != "open":
            return Response(status_code=409 if key in self.seats else 404)
        self.seats[key] = "released"
        self._send_event("seat.released", key[1], "open" if "wrong_state" in self.faults else "released")
        return Response(status_code=204)

    def subscribe(self, _: Request, body: Any) -> Response:
        """Add a hook."""
        hook = secrets.token_hex(6)
        self.hooks[hook] = body["url"]
        return JSONResponse({"hook_id": hook}, 201)

    def unsubscribe(self, request: Request, _: Any) -> Response:
        """Remove a hook."""
        return Response(status_code=204 if self.hooks.pop(request.path_params["hook"], None) else 404)

    def _send_event(self, kind: str, about: str, status: str) -> None:
        if f"no {kind}" in self.faults:
            return
        body = json.dumps({"type": kind, "about": about, "status": status}).encode()
        for url in self.hooks.values():
            sent = (url, "POST", body, {"Content-Type": "application/json"})
            threading.Thread(target=post_delivery, args=sent, daemon=True).start()


def _route(handle: Callable[[Request, Any], Response]) -> Callable[[Request], Any]:
    async def respond(request: Request) -> Response:
        body = await request.body()
        return handle(request, json.loads(body) if body else None)

    return respond


def log_of(trigger: dict[str, Any], *faults: str, contract: Path = CONTRACT) -> RunLog:
    """Play a trigger against the bookings with faults."""
    settings = {
        "subscribe": {
            "operation": "addHook",
            "body": {"url": "{url}"},
            "id": "/hook_id",
            "delete": "removeHook",
        },
        "triggers": [trigger],
        "promises": {"retried": [], "retries_closed": False},
        "patience_s": 1.5,
        "quiet_s": 0.3,
    }
    with serving(Bookings(faults=frozenset(faults)).app()) as url:
        return play_scenarios(url, settings, contract=contract, parties=single_credential("a-token"))


@pytest.mark.conformance
@pytest.mark.parametrize("trigger", [CANCEL, RELEASE], ids=["one level", "two levels"])
def test_an_action_is_triggered_on_a_new_resource_each_time(trigger: dict[str, Any]) -> None:
    """A booking can be cancelled once, yet every scenario has one; the state that it reads is compared."""
    log = log_of(trigger)

    assert not log.failures, log_lines(log)
    assert set(log.received_events) == set(trigger["events"])
    assert "webhook-readings" not in {untested_check.check for untested_check in log.untested_checks}, (
        log_lines(log)
    )


@pytest.mark.conformance
@pytest.mark.parametrize("trigger", [CANCEL, RELEASE], ids=["one level", "two levels"])
def test_a_lost_event_of_an_action_is_confirmed(trigger: dict[str, Any]) -> None:
    """The second play has resources of its own; the evidence holds all that the trigger needs."""
    event = next(iter(trigger["events"]))
    log = log_of(trigger, f"no {event}")

    found = [failure for failure in log.failures if failure.check == "webhook-arrival"]
    assert [failure.standing for failure in found] == [Standing.CONFIRMED], log_lines(log)
    assert found[0].chain[0].operation == "POST /bookings"


@pytest.mark.conformance
def test_the_event_of_an_action_is_compared_with_a_reading() -> None:
    """The resource in the path of the trigger is read, though the trigger did not create it."""
    log = log_of(RELEASE, "wrong_state")

    assert {failure.check for failure in log.failures} == {"webhook-readings"}, log_lines(log)


@pytest.mark.conformance
def test_what_a_reading_lacks_is_what_is_asked_for(tmp_path: Path) -> None:
    """Without an operation that reads the resource, it is missing; the state in the settings is not."""
    text = CONTRACT.read_text(encoding="utf-8")
    contract = tmp_path / "bookings.yaml"
    contract.write_text(
        text.replace("get:\n      operationId: showSeat", "delete:\n      operationId: removeSeat"),
        encoding="utf-8",
    )
    log = log_of(RELEASE, contract=contract)

    gaps = {untested_check.check: untested_check.reason for untested_check in log.untested_checks}
    label = "POST /bookings/{booking_id}/seats/{seat_id}/release"
    assert f"an operation that reads what the trigger {label} is about" in gaps["webhook-readings"]
    assert "`order: [first, …, last]`" in gaps["webhook-states"]
