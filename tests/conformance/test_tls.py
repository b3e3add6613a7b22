"""Deployments whose certificate nobody knows."""

import http.server
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from devportal.conformance.deployment import Deployment, Manners
from devportal.conformance.line import Connection
from devportal.conformance.masking import Mask
from devportal.conformance.preflight import check_answers
from devportal.errors import DeploymentError
from telecom.sandbox.certificates import self_signed_server
from tests.apps.serving import closed_port
from tests.conformance.running import subject_of


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """Write a certificate that signs itself, and its key behind it."""
    now = datetime.now(UTC)
    made = self_signed_server("test", now, timedelta(days=1), hosts=["127.0.0.1"])
    path = tmp_path / "server.pem"
    path.write_bytes(made.certificate_pem + made.key_pem)
    return path


@pytest.fixture
def secure(certificate: Path) -> Iterator[str]:
    """Serve with that certificate, and yield the address."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"https://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join(timeout=60)


def ask(url: str, connection: Connection) -> None:
    """Ask whether a deployment answers."""
    with Deployment(Manners(timeout_s=30), mask=Mask(), connection=connection) as deployment:
        check_answers(subject_of(url=url), deployment)


def test_an_authority_that_nobody_knows_is_to_be_given(secure: str) -> None:
    """The message says what is wrong with the certificate, and with which option it is right."""
    with pytest.raises(DeploymentError, match="certificate verify failed") as caught:
        ask(secure, Connection())

    assert "--ca FILE" in str(caught.value.help)


def test_with_its_authority_it_answers(secure: str, certificate: Path) -> None:
    """Any status is an answer."""
    ask(secure, Connection(authority=certificate))


def test_where_nobody_listens_no_certificate_is_asked_for() -> None:
    """The message says why there was no answer."""
    with pytest.raises(DeploymentError, match="does not answer: ") as caught:
        ask(f"https://127.0.0.1:{closed_port()}", Connection())

    assert "--ca" not in str(caught.value.help)
