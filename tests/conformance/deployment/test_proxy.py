"""A run through a proxy: which one, and what a run that cannot pass it says."""

import socket
import threading
from collections.abc import Iterator

import pytest

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.http_connection import ConnectionSettings
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.run.preflight import check_responds
from devportal.errors import DeploymentError
from tests.conformance.running import subject_of
from tests.waiting import PATIENCE_S

_URL = "http://deployment.example"


@pytest.fixture(autouse=True)
def _no_proxy_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def refusing_proxy() -> Iterator[str]:
    """Serve one connection of a proxy that wants a password."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def refuse() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")

        thread = threading.Thread(target=refuse)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        thread.join(PATIENCE_S)


def error_of(url: str, connection: ConnectionSettings) -> DeploymentError:
    """Return why nothing responds."""
    policy = RequestPolicy(timeout_s=PATIENCE_S)
    with (
        Deployment(policy, mask=Mask(), connection=connection) as deployment,
        pytest.raises(DeploymentError) as caught,
    ):
        check_responds(subject_of(url=url), deployment)
    return caught.value


def test_a_proxy_that_nothing_listens_at_is_named_without_its_password() -> None:
    """The deployment may be up: it was not asked."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

    error = error_of(_URL, ConnectionSettings(proxy=f"http://user:hunter2@127.0.0.1:{port}"))

    assert error.message.endswith(f"through the proxy http://…@127.0.0.1:{port}: connection refused")
    assert "is the proxy running" in error.help


def test_what_a_proxy_refuses_is_said(refusing_proxy: str) -> None:
    """A CONNECT without a password."""
    error = error_of("https://deployment.example", ConnectionSettings(proxy=refusing_proxy))

    assert "the proxy refused the request: 407 Proxy Authentication Required" in error.message


def test_the_proxy_of_the_environment_counts_without_the_option(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for the requests themselves; NO_PROXY names exceptions."""
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", "deployment.example")
    settings = ConnectionSettings()

    assert settings.proxy_of("https://api.example/v1") == "http://proxy.example:3128"
    assert settings.proxy_of("http://api.example/v1") == ""
    assert settings.proxy_of("https://deployment.example/v1") == ""
