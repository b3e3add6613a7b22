"""Small contracts in the styles of several frameworks and companies, and mocks of them in this process."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from devportal.contract import Api, load_contract
from devportal.mock.application import MockApplication
from devportal.mock.clock import MockClock
from devportal.mock.http.credentials import Grant
from devportal.mock.http.exchange import MockRequest, MockResponse
from devportal.mock.resources.store import State
from devportal.mock.run import make_mock

FOLDER = Path(__file__).parent / "contracts"
TOKEN = "mock_token"
START = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)


def api_of(name: str) -> Api:
    """Return a contract of the folder beside this file."""
    return load_contract(FOLDER / f"{name}.yaml").api


class Client:
    """Calls a mock in this process, with its token, at a time that stands still unless it is moved."""

    def __init__(
        self, api: Api, state: State | None = None, grants: tuple[Grant, ...] = (), *, step_s: float = 0
    ) -> None:
        """Start a mock of a contract. States go on by themselves after `step_s` seconds, never without."""
        self.now = START
        self.api = api
        mock = make_mock(api, grants=grants or (Grant(token=TOKEN),))
        self.application = MockApplication(mock, state or State(), MockClock(self._real_time), step_s=step_s)

    def _real_time(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        content_type: str = "application/json",
        token: str | None = TOKEN,
        raw: bytes | None = None,
        **headers: str,
    ) -> MockResponse:
        """Send a request; names of headers have underscores for hyphens."""
        content = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        sent = {name.replace("_", "-").lower(): value for name, value in headers.items()}
        if content:
            sent["content-type"] = content_type
        if token is not None:
            sent["authorization"] = f"Bearer {token}"
        bare, _, query = path.partition("?")
        request = MockRequest(
            method=method,
            path=bare,
            query=query,
            headers=tuple(sent.items()),
            body=content,
            base_url="http://127.0.0.1:8080",
        )
        return self.application.respond(request)

    def json(self, method: str, path: str, body: Any = None, **headers: Any) -> Any:
        """Send a request that must succeed, and return the JSON of its response."""
        response = self.call(method, path, body, **headers)
        assert 200 <= response.status < 300, (response.status, response.body)
        return json.loads(response.body) if response.body else None


def client_of(name: str, **options: Any) -> Client:
    """Return a client of a mock of a contract of the folder beside this file."""
    return Client(api_of(name), **options)
