"""The token that everybody knows: what it cannot do, and how little it can do of the rest."""

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.telecom.sandbox.conftest import HELLO, keeps_contract

from devportal.contract import Api, Operation
from telecom.sandbox.sources import scopes_of
from telecom.sandbox.tokens.token_cache import DEMO_ACCOUNT, DEMO_LIMITS, demo_token
from telecom.sandbox.tokens.tokens import DEMO_TOKEN

READS = {"GET", "HEAD"}


@pytest.fixture
def demo_sandbox(sandbox: Any, api: Api) -> Any:
    """Return a sandbox that was started with the token."""
    tokens = (*sandbox.settings.tokens, demo_token(scopes_of(api)))
    sandbox.restart(tokens=tokens, account_limits={DEMO_ACCOUNT: DEMO_LIMITS})
    return sandbox


def protected_operations(api: Api) -> Iterator[Operation]:
    return (operation for operation in api.operations if operation.security)


def fill_path(path: str) -> str:
    """Return a path with something in place of its parameters."""
    return path.replace("{", "").replace("}", "")


def ask(demo: Any, method: str, path: str, *, address: str, **arguments: Any) -> httpx.Response:
    """Send a request with the token from an address."""

    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(demo.app, client=(address, 12345))
        async with httpx.AsyncClient(transport=transport, base_url="http://sandbox") as client:
            headers = {"Authorization": f"Bearer {DEMO_TOKEN}"}
            return await client.request(method, path, headers=headers, **arguments)

    response = asyncio.run(send())
    keeps_contract(demo.api, response)
    return response


def test_it_is_unknown_unless_asked_for(sandbox: Any) -> None:
    """A sandbox is for its owner only."""
    assert sandbox.get("/v1/messages", token=DEMO_TOKEN).status_code == 401


def test_it_writes_nothing_but_messages(demo_sandbox: Any, api: Api) -> None:
    """Nothing that would make the server send to an address of a stranger's choice, and nothing of staff."""
    writing = [
        protected_operation
        for protected_operation in protected_operations(api)
        if protected_operation.method not in READS
    ]
    statuses = {
        operation.id: ask(
            demo_sandbox, operation.method, fill_path(operation.path), address=f"192.0.2.{number}"
        ).status_code
        for number, operation in enumerate(writing)
    }

    assert statuses.pop("sendMessage") == 415, "the request has no body, and the scope suffices"
    assert len(statuses) > 10
    assert set(statuses.values()) == {403}


def test_it_reads_what_customers_have(demo_sandbox: Any) -> None:
    """Its account has samples of its own."""
    for path in ("messages", "calls", "events", "webhook-endpoints", "numbers"):
        assert demo_sandbox.get(f"/v1/{path}", token=DEMO_TOKEN).json()["data"], path
    for path in ("rate-versions", "audit-log"):
        assert demo_sandbox.get(f"/v1/{path}", token=DEMO_TOKEN).status_code == 403


def test_its_account_is_apart(demo_sandbox: Any) -> None:
    """What strangers write is not seen by others."""
    sent = demo_sandbox.send(token=DEMO_TOKEN)

    assert sent.status_code == 202
    assert demo_sandbox.get(f"/v1/messages/{sent.json()['id']}").status_code == 404


def test_each_address_has_a_quota(demo_sandbox: Any) -> None:
    """30 requests a minute, and no stranger uses up another's; whoever has a token of their own has more."""
    statuses = [demo_sandbox.get("/v1/messages", token=DEMO_TOKEN).status_code for _ in range(31)]
    other = ask(demo_sandbox, "GET", "/v1/messages", address="192.0.2.1")

    assert statuses == [200] * 30 + [429]
    assert other.status_code == 200
    assert other.headers["RateLimit-Policy"] == '"messages";q=30;w=60'
    assert demo_sandbox.get("/v1/messages").status_code == 200


def test_its_messages_leave_one_a_second(demo_sandbox: Any) -> None:
    """The queue has room for a minute, whoever fills it."""
    statuses = [
        ask(demo_sandbox, "POST", "/v1/messages", address=f"192.0.2.{number % 9}", json=HELLO).status_code
        for number in range(63)
    ]

    assert statuses.count(202) == 60
    assert statuses[-1] == 429
    assert demo_sandbox.send().status_code == 202
