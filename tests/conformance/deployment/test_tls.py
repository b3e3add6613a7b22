"""Certificates: those of deployments that nobody can trust, and those of clients that nobody accepts."""

import http.server
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat

from devportal.conformance.command import conformance
from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.http_connection import ConnectionSettings, tls_advice, tls_failure
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.run.preflight import check_responds
from devportal.errors import DeploymentError
from telecom.sandbox.connections.certificates import (
    Identity,
    Purpose,
    issue_certificate,
    new_authority,
    self_signed_server,
)
from tests.apps.serving import closed_port
from tests.conformance.running import CONTRACT, subject_of
from tests.waiting import PATIENCE_S

NOW = datetime.now(UTC)
YEAR = timedelta(days=365)
HOST = "127.0.0.1"


class _Server(http.server.ThreadingHTTPServer):
    """Reads to its end what comes after a handshake that failed: a reset could overtake the alert."""

    def handle_error(self, *_: object) -> None:
        """Keep quiet: handshakes fail here on purpose."""

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        assert isinstance(request, socket.socket)
        request.settimeout(60)
        try:
            socket.socket.shutdown(request, socket.SHUT_WR)
            while socket.socket.recv(request, 65536):
                pass
        except OSError:  # the client was first to close
            pass
        request.close()


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - so it is called above
        """Keep quiet."""


@contextmanager
def serve_tls(context: ssl.SSLContext) -> Iterator[str]:
    """Serve with TLS, and yield the address."""
    with _Server((HOST, 0), _Handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"https://{HOST}:{server.server_port}"
        finally:
            server.shutdown()
            thread.join(timeout=PATIENCE_S)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write certificates, each with its key behind it."""
    folder = tmp_path_factory.mktemp("certificates")
    authority, foreign = new_authority("Authority", NOW, YEAR), new_authority("Authority", NOW, YEAR)

    def server(since: datetime = NOW, host: str = HOST, purpose: Purpose = Purpose.SERVER) -> Identity:
        return issue_certificate(authority, "server", purpose, since, YEAR, hosts=[host])

    def client(issuer: Identity = authority, since: datetime = NOW) -> Identity:
        return issue_certificate(issuer, "client", Purpose.CLIENT, since, YEAR)

    made = {
        "authority": authority,
        "foreign-authority": foreign,
        "self-signed": self_signed_server("server", NOW, YEAR, hosts=[HOST]),
        "server": server(),
        "server-expired": server(NOW - 2 * YEAR),
        "server-future": server(NOW + timedelta(days=1)),
        "server-elsewhere": server(host="api.example.com"),
        "server-for-clients": server(purpose=Purpose.CLIENT),
        "client": client(),
        "client-foreign": client(foreign),
        "client-expired": client(since=NOW - 2 * YEAR),
        "client-future": client(since=NOW + timedelta(days=1)),
        "client-for-servers": issue_certificate(authority, "client", Purpose.SERVER, NOW, YEAR),
    }
    for name, identity in made.items():
        (folder / f"{name}.pem").write_bytes(identity.certificate_pem + identity.key_pem)
    (folder / "client-alone.pem").write_bytes(made["client"].certificate_pem)
    (folder / "other-key.pem").write_bytes(made["server"].key_pem)
    locked = made["client"].key.private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")
    )
    (folder / "locked-key.pem").write_bytes(locked)
    (folder / "text.pem").write_text("no certificate")
    return folder


Serve = Callable[[str], AbstractContextManager[str]]


@pytest.fixture(scope="module")
def serve(files: Path) -> Serve:
    """Return what serves with a certificate."""

    def start(name: str) -> AbstractContextManager[str]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(files / f"{name}.pem")
        return serve_tls(context)

    return start


@pytest.fixture(scope="module", params=[ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["1.2", "1.3"])
def mutual_tls_url(request: pytest.FixtureRequest, files: Path) -> Iterator[str]:
    """Serve to clients with a certificate of the authority only, by each version of TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = context.maximum_version = request.param
    context.load_cert_chain(files / "server.pem")
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(files / "authority.pem")
    with serve_tls(context) as url:
        yield url


def ask(url: str, connection: ConnectionSettings) -> None:
    """Ask whether a deployment answers."""
    with Deployment(RequestPolicy(timeout_s=PATIENCE_S), mask=Mask(), connection=connection) as deployment:
        check_responds(subject_of(url=url), deployment)


def connection_error(url: str, connection: ConnectionSettings) -> str:
    """Return why a deployment does not respond, and what to do."""
    with pytest.raises(DeploymentError) as caught:
        ask(url, connection)
    return str(caught.value).partition(" does not respond: ")[2].replace("\n  help: ", ": ")


def test_with_its_authority_it_answers(serve: Serve, files: Path) -> None:
    """Any status is an answer; a certificate that signs itself is its own authority."""
    with serve("server") as issued, serve("self-signed") as own:
        ask(issued, ConnectionSettings(authority=files / "authority.pem"))
        ask(own, ConnectionSettings(authority=files / "self-signed.pem"))


@pytest.mark.parametrize(
    ("server", "authority", "expected"),
    [
        ("self-signed", None, "self-signed certificate: give the authority .* with --ca FILE"),
        ("server", None, "unable to get local issuer certificate: give the authority .* with --ca FILE"),
        ("server", "foreign-authority", "certificate signature failure|unable to get .*--ca FILE"),
        (
            "server-expired",
            "authority",
            "certificate has expired: the deployment, or its authority, needs a new",
        ),
        ("server-future", "authority", "certificate is not yet valid: set the clock"),
        (
            "server-elsewhere",
            "authority",
            "not valid for '127.0.0.1'.*: use a host in URL that its certificate",
        ),
        ("server-for-clients", "authority", "unsuitable certificate purpose: the deployment needs"),
    ],
)
def test_certificate_of_a_deployment_that_nobody_can_trust(
    serve: Serve, files: Path, server: str, authority: str | None, expected: str
) -> None:
    """The message says what is wrong with it, and the advice is one that helps."""
    trusted = files / f"{authority}.pem" if authority is not None else None

    with serve(server) as url:
        message = connection_error(url, ConnectionSettings(authority=trusted))

    assert message.startswith("certificate verify failed: ")
    assert re.search(expected, message), message


def test_client_with_a_certificate_of_the_authority_comes_in(mutual_tls_url: str, files: Path) -> None:
    """With each version of TLS."""
    ask(
        mutual_tls_url,
        ConnectionSettings(authority=files / "authority.pem", certificate=files / "client.pem"),
    )


@pytest.mark.parametrize(
    ("client", "expected"),
    [
        ("client-foreign", "'unknown ca': give a client certificate with --cert whose authority"),
        ("client-expired", "'certificate expired': give a client certificate with --cert that is valid"),
        (
            "client-for-servers",
            "'unsupported certificate': give a certificate with --cert that is for clients",
        ),
        (None, "'certificate required': the deployment asks|'handshake failure': does the deployment ask"),
    ],
)
def test_client_certificate_that_the_deployment_refuses(
    mutual_tls_url: str, files: Path, client: str | None, expected: str
) -> None:
    """Its alert is told, also where the handshake is over before it comes (TLS 1.3)."""
    certificate = files / f"{client}.pem" if client is not None else None

    message = connection_error(
        mutual_tls_url, ConnectionSettings(authority=files / "authority.pem", certificate=certificate)
    )

    assert message.startswith("it ended the TLS handshake with the alert ")
    assert re.search(expected, message), message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[SSL: TLSV1_ALERT_UNKNOWN_CA] tlsv1 alert unknown ca (_ssl.c:1006)", "unknown ca"),
        ("[SSL: SSL/TLS_ALERT_BAD_CERTIFICATE] ssl/tls alert bad certificate (_ssl.c:1)", "bad certificate"),
    ],
)
def test_alerts_are_read_from_what_openssl_reports(text: str, expected: str) -> None:
    """Of any version: their names changed with 3.2."""
    assert tls_failure(OSError(text)) == f"it ended the TLS handshake with the alert '{expected}'"


@pytest.mark.parametrize("text", ["illegal status line: b'red alert certificate'", "Connection refused", ""])
def test_other_errors_are_no_failures_of_tls(text: str) -> None:
    """What a server sends can look like an alert."""
    assert tls_failure(OSError(text)) == ""
    assert tls_advice(text) == ""


def run_command(url: str, *arguments: str | Path) -> Result:
    """Run the command."""
    return CliRunner().invoke(
        conformance,
        [url, "--contract", str(CONTRACT), *map(str, arguments)],
        env={"DEVPORTAL_TOKEN": "token"},
    )


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--ca", "absent.pem"), "absent.pem cannot be read as an authority's certificate"),
        (("--ca", "text.pem"), "text.pem cannot be read as an authority's certificate"),
        (("--ca", "other-key.pem"), "other-key.pem cannot be read as an authority's certificate"),
        (("--cert", "text.pem"), "text.pem cannot be read as a client certificate with its key"),
        (
            ("--cert", "client-alone.pem"),
            "client-alone.pem cannot be read as a client certificate with its key",
        ),
        (("--cert", "client.pem", "--cert-key", "other-key.pem"), "the key belongs to another certificate"),
        (("--cert", "client-alone.pem", "--cert-key", "locked-key.pem"), "client-alone.pem cannot be read"),
        (("--cert", "client-expired.pem"), "client-expired.pem expired at 20"),
        (("--cert", "client-future.pem"), "client-future.pem is not valid before 20"),
        (("--cert-key", "other-key.pem"), "--cert-key is the key of a certificate, and there is none"),
    ],
)
def test_wrong_file_ends_the_command(
    files: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], expected: str
) -> None:
    """Before anything is sent: exit code 2, which file it is and what is wrong with it, no traceback."""
    monkeypatch.chdir(files)

    result = run_command(f"https://{HOST}:{closed_port()}", *options)

    assert result.exit_code == 2, result.output
    assert expected in result.stderr
    assert "Traceback" not in result.output
    assert "PRIVATE KEY" not in result.output


def test_refused_certificates_end_the_command(serve: Serve, mutual_tls_url: str, files: Path) -> None:
    """Exit code 2: nothing was found out about the deployment."""
    trust = ("--ca", files / "authority.pem")
    with serve("server-expired") as expired:
        results = [
            run_command(expired, *trust),
            run_command(expired),
            run_command(mutual_tls_url, *trust),
            run_command(mutual_tls_url, *trust, "--cert", files / "client-foreign.pem"),
        ]

    for result in results:
        assert result.exit_code == 2, result.output
        assert "does not respond: " in result.stderr
        assert "help: " in result.stderr
        assert "Traceback" not in result.output


def test_connections_share_what_the_machine_trusts(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes long to read; another authority is trusted by its connection alone, a named one by all from then on."""
    usual = ConnectionSettings().context()

    assert ConnectionSettings().context() is usual
    trusting = ConnectionSettings(authority=files / "authority.pem").context()
    assert len(trusting.get_ca_certs()) == len(usual.get_ca_certs()) + 1
    monkeypatch.setenv("SSL_CERT_FILE", str(files / "authority.pem"))
    monkeypatch.setenv("SSL_CERT_DIR", str(files))
    assert [ca_cert["subject"] for ca_cert in ConnectionSettings().context().get_ca_certs()] == [
        ((("commonName", "Authority"),),)
    ]


def test_where_nobody_listens_no_authority_is_asked_for() -> None:
    """The message says why there was no answer."""
    message = connection_error(f"https://{HOST}:{closed_port()}", ConnectionSettings())

    assert message.startswith("connection refused: is it running")
    assert "--ca" not in message
