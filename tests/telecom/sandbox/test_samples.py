"""The code samples of our contract are run, in every language, and the sandbox does what they ask for."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from tests.reference.samples.runners import EXECUTED, run

from devportal.contract import Api, Operation
from devportal.reference.samples import Language, SampleRequest
from devportal.reference.samples.sample_requests import sample_requests


class Answered:
    """An application that notes what was asked and which status was answered."""

    def __init__(self, app: ASGIApp) -> None:
        """Take the application that answers."""
        self._app = app
        self.exchanges: list[tuple[str, str, int]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, and note it."""

        async def note_status(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.exchanges.append((scope["method"], scope["path"], message["status"]))
            await send(message)

        await self._app(scope, receive, note_status)


def requests(api: Api, address: str) -> list[tuple[Operation, SampleRequest]]:
    """Return every sample of every operation, sent to an address instead of the contract's server."""
    return [
        (
            operation,
            replace(
                named.request, url=address + named.request.url.removeprefix(operation.servers[0].address)
            ),
        )
        for operation in api.operations
        for named in sample_requests(api, operation)
    ]


@pytest.mark.parametrize("language", EXECUTED)
def test_every_sample_of_every_operation_runs(
    language: Language, sandbox: Any, serve: Callable[..., Any], api: Api, tmp_path: Path
) -> None:
    """Each is answered with success; only a thing that is named by an example may be missing."""
    app = Answered(sandbox.app)
    with serve(app) as address:
        sent = requests(api, address)
        ended = run(
            language,
            [language.write(sample_request) for _, sample_request in sent],
            tmp_path,
            {"API_KEY": "token-of-ada"},
        )

    assert len(app.exchanges) == len(sent) >= len(api.operations), ended.stderr
    for (operation, request), (method, path, status) in zip(sent, app.exchanges, strict=True):
        assert (method, address + path) == (request.method, request.url)
        assert status in _expected_statuses(operation), (operation.id, status, ended.stderr)


def _expected_statuses(operation: Operation) -> set[int]:
    """Return the statuses of success, and 404 where the path names a thing that only examples have."""
    success = {int(response.status) for response in operation.responses if response.status.startswith("2")}
    return success | ({404} if "{" in operation.path else set())
