"""Mutual TLS with real handshakes: who comes in, whose token is good where, and who is told nothing."""

import re
import shutil
import ssl
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.telecom.sandbox.tokens.test_command import Running, run, running
from tests.telecom.sandbox.tokens.test_token_cache import response_parts
from tests.waiting import PATIENCE_S

from telecom.sandbox.connections.certificates import (
    Identity,
    Purpose,
    issue_certificate,
    new_authority,
    self_signed_server,
)
from telecom.sandbox.database.database import Database
from telecom.sandbox.tokens.token_store import Conditions, store_issued_token
from telecom.sandbox.tokens.tokens import Grant, Token

NOW = datetime.now(UTC)
YEAR = timedelta(days=365)
SANDBOX, ADA, BOB, UNKNOWN = ("configured-token", "token-of-ada", "token-of-bob", "token-of-nobody")
CAROL, DAVE = "token-of-carol", "token-of-dave"
SAME_NAME = "Authority"
SERVING = ("--mtls-port", "0", "--mtls-authority", "sandbox=ca.pem")


@dataclass(frozen=True, slots=True, kw_only=True)
class Secure:
    """A running sandbox where two accounts have an authority each, of the same name, and a third has none."""

    running: Running
    address: str
    trusted: ssl.SSLContext
    folder: Path

    def get(self, token: str, certificate: str | None) -> httpx.Response:
        """Ask for messages at the listener for mutual TLS."""
        context = ssl.create_default_context(cafile=str(self.folder / "server.pem"))
        if certificate is not None:
            context.load_cert_chain(
                self.folder / f"{certificate}.pem", self.folder / f"{certificate}-key.pem"
            )
        return list_messages(self.address, token, context)

    def get_plainly(self, token: str) -> httpx.Response:
        """Ask for them at the usual listener."""
        return list_messages(self.running.address, token, self.trusted)


def list_messages(address: str, token: str, context: ssl.SSLContext) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.get(
        f"{address}/v1/messages", headers=headers, verify=context, trust_env=False, timeout=PATIENCE_S
    )


def write_identity(folder: Path, name: str, made: Identity) -> Path:
    """Write a certificate and its key as the command does."""
    (folder / f"{name}-key.pem").write_bytes(made.key_pem)
    path = folder / f"{name}.pem"
    path.write_bytes(made.certificate_pem)
    return path


def authority_below(above: Identity | None, name: str) -> Identity:
    """Return an authority that may have others below it; without one above it is its own."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(above.certificate.subject if above is not None else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - timedelta(hours=1))
        .not_valid_after(NOW + YEAR)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    )
    signed = builder.sign(above.key if above is not None else key, hashes.SHA256())
    return Identity(certificate=signed, key=key)


@pytest.fixture(scope="module")
def tls_sandbox(contract_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secure]:
    """Start the sandbox, with a server's certificate that was made by itself."""
    folder = tmp_path_factory.mktemp("mtls")
    of_sandbox, of_ada, foreign = (new_authority(SAME_NAME, NOW, YEAR) for _ in range(3))
    of_carol = authority_below(None, "Root")
    of_dave, of_nobody = authority_below(of_carol, "Branch"), authority_below(of_carol, "Other branch")
    clients = {
        "sandbox": issue_certificate(of_sandbox, "machine-1", Purpose.CLIENT, NOW, YEAR),
        "ada": issue_certificate(of_ada, "machine-1", Purpose.CLIENT, NOW, YEAR),
        "foreign": issue_certificate(foreign, "machine-1", Purpose.CLIENT, NOW, YEAR),
        "expired": issue_certificate(
            of_sandbox, "machine-1", Purpose.CLIENT, NOW - YEAR, YEAR - timedelta(hours=1)
        ),
        "future": issue_certificate(of_sandbox, "machine-1", Purpose.CLIENT, NOW + timedelta(days=1), YEAR),
        "server-only": issue_certificate(of_sandbox, "machine-1", Purpose.SERVER, NOW, YEAR),
        "self-signed": self_signed_server(SAME_NAME, NOW, YEAR, hosts=["machine-1"]),
        "authority": of_sandbox,
        "branch": issue_certificate(of_dave, "machine-1", Purpose.CLIENT, NOW, YEAR),
        "other-branch": issue_certificate(of_nobody, "machine-1", Purpose.CLIENT, NOW, YEAR),
    }
    for name, made in clients.items():
        write_identity(folder, name, made)
    with (folder / "other-branch.pem").open("ab") as chain:
        chain.write(of_nobody.certificate_pem)
    database = folder / "s.sqlite3"
    with closing(Database.open(database)) as opened, opened.write() as connection:
        for account, text in (("ada", ADA), ("bob", BOB), ("carol", CAROL), ("dave", DAVE)):
            grant = Grant(account=account, scopes=frozenset({"messages:read"}))
            store_issued_token(connection, Token(text=text, grant=grant), Conditions(), NOW)
    options: tuple[str | Path, ...] = (
        *("--contract", contract_path, "--database", database, "--mtls-port", "0"),
        *("--mtls-authority", f"sandbox={write_identity(folder, 'first', of_sandbox)}"),
        *("--mtls-authority", f"ada={write_identity(folder, 'second', of_ada)}"),
        *("--mtls-authority", f"carol={write_identity(folder, 'third', of_carol)}"),
        *("--mtls-authority", f"dave={write_identity(folder, 'fourth', of_dave)}"),
    )
    with running(*options) as server:
        line = next(line for line in server.said if line.startswith("mTLS:"))
        _, address, shown = line.split(maxsplit=2)
        certificate = Path(shown.removeprefix("(certificate: ").rstrip(")\n"))
        assert [path.name for path in certificate.parent.iterdir()] == ["server.pem"]
        shutil.copyfile(certificate, folder / "server.pem")
        trusted = ssl.create_default_context(cafile=str(certificate))
        yield Secure(running=server, address=address, trusted=trusted, folder=folder)
    assert not certificate.exists()


REFUSED = ("foreign", "expired", "future", "server-only", "self-signed")


@pytest.mark.parametrize("certificate", [None, *REFUSED])
def test_handshake_fails_without_a_right_certificate(tls_sandbox: Secure, certificate: str | None) -> None:
    """Before any HTTP: there is no answer, and no line in the log."""
    before = len(tls_sandbox.running.said)

    with pytest.raises((httpx.TransportError, ssl.SSLError)):
        tls_sandbox.get(SANDBOX, certificate)
    assert not any("GET" in line for line in tls_sandbox.running.said[before:])


def test_refused_handshakes_fill_no_log(tls_sandbox: Secure) -> None:
    """No line and no traceback; whoever has a right certificate still comes in.

    Lines about requests may be late ones of the tests before.
    """
    before = len(tls_sandbox.running.said)
    for certificate in (None, *REFUSED):
        with pytest.raises((httpx.TransportError, ssl.SSLError)):
            tls_sandbox.get(SANDBOX, certificate)

    assert tls_sandbox.get(SANDBOX, "sandbox").status_code == 200
    assert [
        line for line in tls_sandbox.running.said[before:] if not re.search(r"\b(GET|POST) /", line)
    ] == []


@pytest.mark.parametrize(("token", "certificate"), [(SANDBOX, "sandbox"), (ADA, "ada"), (DAVE, "branch")])
def test_token_is_good_with_a_certificate_of_its_account(
    tls_sandbox: Secure, token: str, certificate: str
) -> None:
    """The certificate says which machine calls, the token what it may do."""
    assert tls_sandbox.get(token, certificate).status_code == 200


@pytest.mark.parametrize(
    ("token", "certificate"), [(ADA, "sandbox"), (SANDBOX, "ada"), (BOB, "sandbox"), (BOB, "ada")]
)
def test_token_of_another_account_is_refused_like_an_unknown_one(
    tls_sandbox: Secure, token: str, certificate: str
) -> None:
    """Of one that has another authority, though of the same name, and of one that has none."""
    answer, unknown = tls_sandbox.get(token, certificate), tls_sandbox.get(UNKNOWN, certificate)

    assert answer.status_code == 401
    assert response_parts(answer) == response_parts(unknown)


@pytest.mark.parametrize("token", [CAROL, DAVE, BOB, UNKNOWN])
def test_certificate_of_an_authority_below_is_told_as_such(tls_sandbox: Secure, token: str) -> None:
    """It passes the handshake, and is good for no account: the answer says so, whatever the token."""
    answer = tls_sandbox.get(token, "other-branch")

    assert answer.status_code == 401
    assert "good for no account" in answer.json()["detail"]
    assert response_parts(answer) == response_parts(tls_sandbox.get(UNKNOWN, "other-branch"))


@pytest.mark.parametrize("token", [SANDBOX, ADA])
def test_token_is_refused_at_the_usual_listener(tls_sandbox: Secure, token: str) -> None:
    """A stolen token is of no use without the certificate."""
    answer = tls_sandbox.get_plainly(token)

    assert answer.status_code == 401
    assert response_parts(answer) == response_parts(tls_sandbox.get_plainly(UNKNOWN))


def test_account_without_authority_goes_on_as_usual(tls_sandbox: Secure) -> None:
    """Mutual TLS is an account's choice."""
    assert tls_sandbox.get_plainly(BOB).status_code == 200


def test_plain_request_at_the_secure_port_has_no_answer(tls_sandbox: Secure) -> None:
    """There is no HTTP without TLS, and no crash."""
    with pytest.raises(httpx.TransportError):
        httpx.get(tls_sandbox.address.replace("https", "http"), trust_env=False, timeout=PATIENCE_S)
    assert tls_sandbox.get(SANDBOX, "sandbox").status_code == 200


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--mtls-authority", "sandbox=ca.pem"], "give its port with --mtls-port"),
        (["--mtls-certificate", "server.pem"], "give its port with --mtls-port"),
        (["--mtls-port", "0"], "no account has an authority"),
        (["--mtls-port", "0", "--mtls-authority", "ca.pem"], "'ca.pem' registers no authority"),
        (["--mtls-port", "0", "--mtls-authority", "a b=ca.pem"], "'a b' is not a name of an account"),
        (["--mtls-port", "0", "--mtls-authority", "sandbox=absent.pem"], "absent.pem: this is not a file"),
        (["--mtls-port", "0", "--mtls-authority", "sandbox=text.pem"], "text.pem: this is not a file"),
        (["--mtls-port", "0", "--mtls-authority", "sandbox=leaf.pem"], "is not an authority's"),
        (["--mtls-port", "0", "--mtls-authority", "sandbox=old.pem"], "expired at 20"),
        (["--mtls-port", "0", "--mtls-authority", "sandbox=ca.pem", "--mtls-key", "k"], "no certificate"),
        (
            ["--mtls-port", "0", "--mtls-authority", "sandbox=ca.pem", "--mtls-certificate", "absent.pem"],
            "absent.pem: the server's certificate or its key cannot be used",
        ),
        (
            [
                *("--mtls-port", "0", "--mtls-authority", "sandbox=ca.pem"),
                *("--mtls-certificate", "leaf.pem", "--mtls-key", "ca-key.pem"),
            ],
            "leaf.pem: the server's certificate or its key cannot be used: they are none, or not of each",
        ),
        (
            [*SERVING, "--mtls-certificate", "expired.pem", "--mtls-key", "expired-key.pem"],
            "expired.pem: the certificate of 'CN=Authority' expired at 20",
        ),
        (
            [*SERVING, "--mtls-certificate", "future.pem", "--mtls-key", "future-key.pem"],
            "future.pem: the certificate of 'CN=Authority' is not valid before 20",
        ),
        (
            [*SERVING, "--mtls-certificate", "leaf.pem", "--mtls-key", "leaf-key.pem"],
            "leaf.pem: the certificate of 'CN=machine-1' is not for servers",
        ),
    ],
)
def test_wrong_option_is_told(
    contract_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    expected: str,
) -> None:
    """Exit code 2, the file, what is wrong with it, and no traceback."""
    authority = new_authority(SAME_NAME, NOW, YEAR)
    write_identity(tmp_path, "ca", authority)
    write_identity(tmp_path, "leaf", issue_certificate(authority, "machine-1", Purpose.CLIENT, NOW, YEAR))
    write_identity(tmp_path, "old", new_authority(SAME_NAME, NOW - 2 * YEAR, YEAR))
    for name, since in (("expired", NOW - 2 * YEAR), ("future", NOW + YEAR)):
        write_identity(tmp_path, name, self_signed_server(SAME_NAME, since, YEAR, hosts=["localhost"]))
    (tmp_path / "text.pem").write_text("no certificate")
    monkeypatch.chdir(tmp_path)

    result = run("--contract", contract_path, "--database", "s.sqlite3", "--port", "0", *arguments)

    assert result.exit_code == 2
    assert expected in result.stderr
    assert "Traceback" not in result.stderr
