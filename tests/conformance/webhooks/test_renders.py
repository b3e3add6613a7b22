"""Callbacks whose type names the state: a right sender is clean, and each wrong one has the failure for it."""

import json
import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from devportal.conformance.deployment.credentials import Credential, CredentialSet, Role
from devportal.conformance.webhooks.plan import parse_plan
from devportal.conformance.webhooks.scenarios import ScenarioKind, plan_scenarios
from tests.apps.serving import serving
from tests.conformance.webhooks.playing import log_lines, play_scenarios
from tests.conformance.webhooks.sender import post_delivery
from tests.contracts import contract_at

CONTRACT = Path(__file__).parent / "renders.yaml"
TOKEN = "renders-main-token"
STATES = ("created", "running", "finished")
PAUSES_S = (0.2, 0.4, 0.8)
PARTIES = CredentialSet(everyone=(Credential(role=Role.MAIN, secret=TOKEN, name="DEVPORTAL_TOKEN"),))
EVENTS = {
    f"render.{state}": {"subject": "/renderId", "state": "/status", "order": list(STATES)} for state in STATES
}
SETTINGS: Mapping[str, Any] = {
    "triggers": [
        {
            "operation": "startRender",
            "body": {"scene": "castle", "notify": "{url}"},
            "subject": "/id",
            "events": EVENTS,
        }
    ],
    "signature": {"id": "/eventId"},
    "promises": {"retried": [500], "attempts": 3, "gone": "stop", "consistent": True},
    "patience_s": 4,
}


@dataclass(slots=True)
class Renders:
    """Renders go through their states by themselves. An attempt that fails is repeated twice."""

    fault: str = ""
    renders: dict[str, str] = field(default_factory=dict)

    def app(self) -> Starlette:
        """Return the ASGI application."""
        return Starlette(
            routes=[
                Route("/renders", self.start, methods=["POST"]),
                Route("/renders/{id}", self.show, methods=["GET"]),
            ]
        )

    async def start(self, request: Request) -> Response:
        """Start a render."""
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return Response(status_code=401)
        render, url = secrets.token_hex(6), (await request.json())["notify"]
        self.renders[render] = STATES[0]
        threading.Thread(target=self._go_on, args=(render, url), daemon=True).start()
        return JSONResponse({"id": render, "status": STATES[0]}, 202)

    async def show(self, request: Request) -> Response:
        """Show a render."""
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return Response(status_code=401)
        status = self.renders.get(request.path_params["id"])
        if status is None:
            return Response(status_code=404)
        return JSONResponse({"id": request.path_params["id"], "status": status})

    def _go_on(self, render: str, url: str) -> None:
        for state in STATES:
            time.sleep(0.05)
            if self.fault != "before_commit":
                self.renders[render] = state
            is_first, named = state == STATES[0], state
            if self.fault == "type_ahead":
                named = {"running": "finished", "finished": "running"}.get(state, state)
            self._deliver(url, render, named, state)
            if self.fault == "created_twice" and is_first:
                self._deliver(url, render, named, state)
        time.sleep(0.3)
        self.renders[render] = STATES[-1]

    def _deliver(self, url: str, render: str, named: str, state: str) -> None:
        event = {"type": f"render.{named}", "renderId": render, "status": state}
        event_id, attempt = secrets.token_hex(8), 0
        while True:
            if self.fault == "new_id_each_attempt":
                event_id = secrets.token_hex(8)
            body = json.dumps({"eventId": event_id, **event}).encode()
            at = int(time.time()) - 86_400 * (self.fault == "old_timestamp")
            headers = {"Content-Type": "application/json", "X-Sent-Timestamp": str(at)}
            status = _status_of(url, body, headers)
            attempt += 1
            is_gone = status == 410 and self.fault != "again_after_410"
            if status == 200 or is_gone or attempt > len(PAUSES_S) + 8 * (self.fault == "without_end"):
                return
            if attempt == len(PAUSES_S) and self.fault not in ("without_end", "again_after_410"):
                return
            time.sleep(PAUSES_S[min(attempt, len(PAUSES_S)) - 1])


def _status_of(url: str, body: bytes, headers: dict[str, str]) -> int:
    """Return the status of a delivery, 0 if the connection is closed without one."""
    try:
        return post_delivery(url, "POST", body, headers)[0]
    except (OSError, HTTPException):
        return 0


def failures_of(fault: str = "", settings: Mapping[str, Any] = SETTINGS) -> set[tuple[str, str, str]]:
    """Return the checks, titles and standings of what a play finds."""
    with serving(Renders(fault=fault).app()) as url:
        log = play_scenarios(url, settings, contract=CONTRACT, parties=PARTIES)
    assert log.received_events, log_lines(log)
    return {(failure.check, failure.title, failure.standing.value) for failure in log.failures}


@pytest.mark.conformance
@pytest.mark.parametrize("settings", [{}, SETTINGS], ids=["without", "with"])
def test_a_right_sender_is_clean(settings: Mapping[str, Any]) -> None:
    """With settings and without."""
    assert failures_of(settings=settings) == set()


@pytest.mark.conformance
@pytest.mark.parametrize(
    ("fault", "check", "title"),
    [
        ("before_commit", "webhook-readings", "an event comes before the API shows its state"),
        ("type_ahead", "webhook-states", "type and state of an event disagree"),
        ("created_twice", "webhook-repetitions", "a creation is reported by two events"),
        ("new_id_each_attempt", "webhook-identifiers", "the identifier changes from attempt to attempt"),
        ("old_timestamp", "webhook-timestamps", "an event is older than its cause"),
        ("again_after_410", "webhook-refusals", "an event comes again after 410"),
        ("without_end", "webhook-retries", "an event is sent more often than promised"),
    ],
)
def test_a_fault_has_the_failure_for_it(fault: str, check: str, title: str) -> None:
    """It is confirmed by a second play."""
    assert (check, title, "confirmed") in failures_of(fault)


@pytest.mark.conformance
@pytest.mark.parametrize("fault", ["created_twice", "old_timestamp"])
def test_a_contract_alone_shows_some(fault: str) -> None:
    """What happens once happens once, and a time is a time."""
    assert failures_of(fault, settings={"patience_s": 2})


def test_a_callback_can_be_gone_and_an_address_for_everything_cannot() -> None:
    """410 at an address of one trigger affects no other; at an address for all events it would."""
    api = contract_at(CONTRACT).api
    by_hand = {
        **SETTINGS,
        "receiver": {"url": "https://hooks.example.com"},
        "triggers": [{"operation": "startRender", "subject": "/id", "events": EVENTS}],
    }
    kinds = [
        {
            plan_scenario.kind
            for plan_scenario in plan_scenarios(parse_plan(api, settings), has_other_account=False)
        }
        for settings in (SETTINGS, by_hand)
    ]

    assert [ScenarioKind.GONE in kind for kind in kinds] == [True, False]
