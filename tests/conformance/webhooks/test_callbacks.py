"""Callbacks: the address stands in the trigger, and the scheme of signatures is the API's own."""

import hashlib
import hmac
import itertools
import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from devportal.conformance.deployment.credentials import CredentialSet
from tests.apps.serving import serving
from tests.conformance.webhooks.playing import log_lines, play_scenarios
from tests.conformance.webhooks.sender import post_delivery

CONTRACT = Path(__file__).parent / "jobs.yaml"
SECRET = "a plain secret"
SETTINGS: dict[str, Any] = {
    "secret": {"env": "JOBS_SECRET"},
    "triggers": [
        {
            "operation": "POST /jobs",
            "body": {"notify": "{url}"},
            "subject": "/job",
            "events": {"done": {"subject": "/job"}},
        }
    ],
    "type": "X-Event",
    "signature": {
        "signature": {"header": "X-Signature", "pattern": "v1=([0-9a-f]+)"},
        "timestamp": {"header": "X-Signature", "pattern": r"t=(\d+)"},
        "signed": "{timestamp}.{body}",
    },
    "promises": {"retried": [500], "retry_after": True},
}


class Jobs:
    """Does jobs. Sends again after half a second, whatever went wrong, as often as it takes."""

    def __init__(self, *, secret: str = SECRET, result: int | str = 7, most: int = 20) -> None:
        """Take what it signs with, what its jobs come to, and how often it sends at most."""
        self._secret, self._result, self._most = secret, result, most
        self._numbers = itertools.count(1)

    def app(self) -> Starlette:
        """Return the ASGI application."""
        return Starlette(routes=[Route("/jobs", self.begin, methods=["POST"])])

    async def begin(self, request: Request) -> JSONResponse:
        """Begin a job, which is done at once."""
        number, url = next(self._numbers), (await request.json())["notify"]
        threading.Thread(target=self._tell, args=(url, number), daemon=True).start()
        return JSONResponse({"job": number}, 201)

    def _tell(self, url: str, number: int) -> None:
        body = json.dumps({"job": number, "result": self._result}).encode()
        for _ in range(self._most):
            at = int(time.time())
            made = hmac.new(self._secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
            headers = {
                "Content-Type": "application/json; charset=utf-8",
                "X-Event": "done",
                "X-Signature": f"t={at},v1={made}",
            }
            wait_s = 0.5
            try:
                status, answered = post_delivery(url, "POST", body, headers)
                if status == 200:
                    return
                wait_s = max(wait_s, float(answered.get("retry-after", 0)))
            except OSError:
                pass
            time.sleep(wait_s)


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the secret of the receiver."""
    monkeypatch.setenv("JOBS_SECRET", SECRET)


NOT_DECLARED = {
    *("webhook-tenants", "webhook-identifiers", "webhook-states", "webhook-readings"),
    *("webhook-refusals", "webhook-log"),
}
"""The checks for which the settings have nothing."""


def titles(jobs: Jobs, *, patience_s: float = 120) -> set[str]:
    """Return the titles of what a play finds. Patience is only needed for what does not come."""
    with serving(jobs.app()) as url:
        settings = {**SETTINGS, "patience_s": patience_s}
        log = play_scenarios(url, settings, contract=CONTRACT, parties=CredentialSet())
    assert {untested_check.check for untested_check in log.untested_checks} == NOT_DECLARED, log_lines(log)
    return {failure.title for failure in log.failures}


def test_a_right_sender_of_callbacks_is_clean() -> None:
    """Pauses of one length are no fault where nothing else is promised."""
    assert titles(Jobs()) == set()


def test_another_secret_is_caught() -> None:
    """The signature is made again from the declared words."""
    assert titles(Jobs(secret="another secret")) == {"the signature is wrong"}


def test_a_payload_that_breaks_the_schema_of_the_callback_is_caught() -> None:
    """The schema stands below the operation that begins the job."""
    assert titles(Jobs(result="seven")) == {"the payload breaks its schema"}


def test_a_callback_that_is_sent_once_only_is_caught() -> None:
    """A failure of the receiver must not lose the event."""
    found = titles(Jobs(most=1), patience_s=3)

    assert "an event is not sent again after a response that is not a success" in found
