"""A destination whose request is answered later than clients wait, while its message goes its way."""

import asyncio
import json
import logging
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp
from tests.telecom.sandbox.tokens.test_command import running
from tests.waiting import PATIENCE_S, wait_until

from telecom.magic_numbers import LATE_S
from telecom.sandbox.app import sandbox_app
from telecom.sandbox.database.tables import MESSAGES

LATE = {"to": "+12025550189", "channel": "sms", "body": "Hello"}
PROMPT = {**LATE, "to": "+12025550123"}
KEY = {"Idempotency-Key": "order-4711"}
CONFIGURED = {"Authorization": "Bearer configured-token"}
WAITS_FOR_EVER = f"""
import asyncio
sleep = asyncio.sleep
asyncio.sleep = lambda seconds: sleep(seconds if seconds < {LATE_S} else 1e9)
from devportal.cli import main
main()
"""
"""The command, in which a late answer comes in thirty years."""


@dataclass(slots=True)
class Standstill:
    """A wait that ends when it is told to. It has begun when so many wait."""

    so_many: int = 1
    waited_s: list[float] = field(default_factory=list)
    began: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    given_up: threading.Event = field(default_factory=threading.Event)

    async def __call__(self, seconds: float) -> None:
        """Wait."""
        self.waited_s.append(seconds)
        if len(self.waited_s) == self.so_many:
            self.began.set()
        try:
            await self.over.wait()
        except asyncio.CancelledError:
            self.given_up.set()
            raise


def late_app(sandbox: Any, standstill: Standstill) -> ASGIApp:
    """Return the application of a sandbox in which waiting is what a test makes it."""
    rim = replace(sandbox.rim, sleep=standstill)
    return sandbox_app(sandbox.api, sandbox.database, sandbox.settings, rim)


def client_of(app: ASGIApp) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app),
        base_url="http://sandbox",
        headers={"Authorization": "Bearer token-of-ada"},
    )


def test_message_is_accepted_and_its_answer_comes_late(sandbox: Any) -> None:
    """The message is on its way while the client waits, for longer than clients do."""

    async def ask() -> tuple[int, bool, httpx.Response]:
        standstill = Standstill()
        async with client_of(late_app(sandbox, standstill)) as client:
            asked = asyncio.create_task(client.post("/v1/messages", json=LATE))
            await asyncio.wait_for(standstill.began.wait(), PATIENCE_S)
            stored, answered = sandbox.count(MESSAGES), asked.done()
            standstill.over.set()
            assert standstill.waited_s == [LATE_S]
            return stored, answered, await asked

    stored, answered, response = asyncio.run(ask())

    assert (stored, answered) == (1, False)
    assert (response.status_code, response.json()["status"]) == (202, "queued")


def test_repeated_request_gets_the_answer_that_did_not_come(sandbox: Any) -> None:
    """With the same key it is answered at once, with the same message; another body is told off."""

    async def ask() -> tuple[httpx.Response, ...]:
        standstill = Standstill()
        async with client_of(late_app(sandbox, standstill)) as client:
            first = asyncio.create_task(client.post("/v1/messages", json=LATE, headers=KEY))
            await asyncio.wait_for(standstill.began.wait(), PATIENCE_S)
            again = await client.post("/v1/messages", json=LATE, headers=KEY)
            other = await client.post("/v1/messages", json=PROMPT, headers=KEY)
            standstill.over.set()
            return await first, again, other

    first, again, other = asyncio.run(ask())

    assert (again.status_code, other.status_code) == (202, 422)
    assert again.json() == first.json()
    assert sandbox.count(MESSAGES) == 1


def test_who_waits_holds_up_nobody(sandbox: Any) -> None:
    """Many that wait have no thread, no connection and no turn to write."""

    async def ask() -> list[int]:
        standstill = Standstill(so_many=60)
        async with client_of(late_app(sandbox, standstill)) as client:
            waiting = [asyncio.create_task(client.post("/v1/messages", json=LATE)) for _ in range(60)]
            await standstill.began.wait()
            served = [(await client.post("/v1/messages", json=PROMPT)).status_code for _ in range(3)]
            standstill.over.set()
            await asyncio.gather(*waiting)
            return served

    assert asyncio.run(ask()) == [202, 202, 202]


def test_client_that_hangs_up_ends_the_wait(
    sandbox: Any, serve: Callable[[ASGIApp], AbstractContextManager[str]], caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody is waited for who is gone, and the log tells of the request all the same."""
    standstill = Standstill()
    caplog.set_level(logging.INFO, "telecom.sandbox")

    with serve(late_app(sandbox, standstill)) as address:
        client = HTTPConnection(address.removeprefix("http://"))
        headers = {"Authorization": "Bearer token-of-ada", "Content-Type": "application/json"}
        client.request("POST", "/v1/messages", json.dumps(LATE), headers)
        wait_until(standstill.began.is_set, lambda: "for the wait to begin")
        client.close()
        gave_up = standstill.given_up.wait(PATIENCE_S)

    assert gave_up
    assert "POST /v1/messages 202" in caplog.text


def destinations(address: str) -> list[str]:
    """Return where the messages go that a sandbox has, its samples among them."""
    url = f"{address}/v1/messages?limit=100"
    return [
        item["to"]
        for item in httpx.get(url, headers=CONFIGURED, trust_env=False, timeout=PATIENCE_S).json()["data"]
    ]


@pytest.mark.deep
def test_end_of_the_sandbox_ends_the_wait(contract_path: Path, tmp_path: Path) -> None:
    """Whoever waits then is answered: the sandbox of this test waits for ever, if nothing ends that."""
    answers: list[httpx.Response] = []
    options = ("--contract", contract_path, "--database", tmp_path / "s.sqlite3")
    with running(*options, program=WAITS_FOR_EVER) as server:

        def ask() -> None:
            url = f"{server.address}/v1/messages"
            answers.append(
                httpx.post(url, json=LATE, headers=CONFIGURED, timeout=PATIENCE_S, trust_env=False)
            )

        asking = threading.Thread(target=ask)
        asking.start()
        wait_until(lambda: LATE["to"] in destinations(server.address))
        server.process.terminate()
        server.process.wait(timeout=PATIENCE_S)
        asking.join(timeout=PATIENCE_S)

    assert [answer.status_code for answer in answers] == [202]
    assert "Traceback" not in "".join(server.said)
    assert json.loads(answers[0].content)["status"] == "queued"
