"""Secrets that a sandbox has shown are in no file and no row of its database, given a key."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from psycopg import sql
from tests.telecom.sandbox.conftest import TOKENS, Sandbox, start_sandbox
from tests.telecom.sandbox.database.test_encryption import KEY, OTHER
from tests.telecom.sandbox.pages.visitor import visitor
from tests.telecom.sandbox.recorder import Recorder
from tests.telecom.sandbox.webhook_steps import PATH, RECEIPTS, create, write_receipt

from devportal.cli import cli
from devportal.contract import Api
from devportal.errors import InvalidSettings
from telecom.sandbox.app import SandboxSettings
from telecom.sandbox.database import KEY_VARIABLE
from telecom.sandbox.database.encryption import Cipher
from telecom.sandbox.delivery import endpoint_store
from telecom.sandbox.delivery.endpoint_store import ENDPOINTS
from telecom.sandbox.delivery.webhook_setup import Subscription
from telecom.signature import Secret, verify

GIVEN = (Secret(b"the secret of now, 32 bytes long"), Secret(b"the secret before, 32 bytes long"))
Start = Callable[[str | None], AbstractContextManager[Sandbox]]


@pytest.fixture
def start(api: Api, settings: SandboxSettings, address: str | Path) -> Start:
    """Return a function that starts a sandbox on one database with a key or without."""
    subscription = Subscription(account="ada", url="http://127.0.0.1:9000/", secrets=GIVEN)
    wanted = replace(settings, subscription=subscription)

    def started_with(keys: str | None) -> AbstractContextManager[Sandbox]:
        cipher = Cipher.parse(keys) if keys is not None else None
        return start_sandbox(api, wanted, address, cipher=cipher)

    return started_with


def use(sandbox: Sandbox) -> set[str]:
    """Do what shows secrets; return every secret that was shown or given."""
    key = {"Idempotency-Key": "make-once"}
    made = sandbox.post(PATH, RECEIPTS, headers=key).json()
    deleted = create(sandbox)
    sandbox.delete(f"{PATH}/{deleted['id']}")
    rotated = [
        sandbox.post(f"{PATH}/{made['id']}/rotate-secret", headers={"Idempotency-Key": item}).json()
        for item in ("one", "two")
    ]
    write_receipt(sandbox)
    sandbox.step(Recorder())
    signed_in = visitor(sandbox.app, TOKENS[0].text)
    return {
        *(item["secret"] for item in (made, deleted, *rotated)),
        *(secret.reveal() for secret in GIVEN),
        *(token.text for token in TOKENS),
        *signed_in.cookies.values(),
    }


def stored_bytes(address: str | Path) -> bytes:
    """Return everything that is stored: all bytes of a file and of what is beside it, or all rows."""
    if isinstance(address, Path):
        return b"".join(path.read_bytes() for path in sorted(address.parent.iterdir()))
    with psycopg.connect(address) as connection:
        names = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        rows = [
            row
            for (name,) in names
            for row in connection.execute(sql.SQL("SELECT t::text FROM {} t").format(sql.Identifier(name)))
        ]
    return "\n".join(text for (text,) in rows).encode()


def secrets_in(secrets: set[str], content: bytes) -> set[str]:
    """Return the secrets that a content holds, as text with or without their prefix, or as bytes."""

    def forms(secret: str) -> Iterator[bytes]:
        yield secret.encode()
        yield secret.removeprefix("whsec_").rstrip("=").encode()
        if secret.startswith("whsec_"):
            yield Secret.parse(secret).key

    return {secret for secret in secrets if any(form in content for form in forms(secret))}


def test_no_secret_that_was_shown_is_stored(start: Start, address: str | Path) -> None:
    """Those of endpoints, of the command line, tokens and sessions: while it runs, and after its end."""
    with start(KEY) as sandbox:
        secrets = use(sandbox)
        while_it_runs = secrets_in(secrets, stored_bytes(address))

    assert len(secrets) > 8
    assert while_it_runs == set()
    assert secrets_in(secrets, stored_bytes(address)) == set()


def test_without_a_key_webhook_secrets_are_stored_as_they_are(start: Start, address: str | Path) -> None:
    """So the test above can fail. Tokens and sessions are stored as hashes in any case."""
    with start(None) as sandbox:
        secrets = use(sandbox)

    in_store = secrets_in(secrets, stored_bytes(address))
    assert in_store
    assert all(text.startswith("whsec_") for text in in_store)


def test_secrets_of_before_are_encrypted_at_the_start_with_a_key(start: Start, address: str | Path) -> None:
    """And leave nothing behind in the file; endpoints and idempotency keys work as before."""
    key = {"Idempotency-Key": "rotate-again"}
    with start(None) as sandbox:
        secrets = use(sandbox)
        made = create(sandbox)
        rotated = sandbox.post(f"{PATH}/{made['id']}/rotate-secret", headers=key).json()
    secrets |= {made["secret"], rotated["secret"]}
    with start(KEY) as sandbox:
        again = sandbox.post(f"{PATH}/{made['id']}/rotate-secret", headers=key).json()

    assert again == rotated
    assert secrets_in(secrets, stored_bytes(address)) == set()


def test_webhooks_are_signed_with_secrets_that_are_encrypted(start: Start) -> None:
    """The receiver verifies them with the secret that was shown."""
    with start(KEY) as sandbox:
        receiver, made = Recorder(), create(sandbox, url="http://127.0.0.1:9001/")
        write_receipt(sandbox)
        sandbox.step(receiver)

        (got,) = (request for request in receiver.requests if request.host.endswith(":9001"))
        verify(got.body, got.headers, secrets=(Secret.parse(made["secret"]),), now=sandbox.clock())


def test_key_is_replaced_by_a_start_with_both(start: Start, address: str | Path) -> None:
    """After it the old one is of no use."""
    with start(KEY) as sandbox:
        made = create(sandbox)
    with start(f"{OTHER} {KEY}"):
        pass
    with start(OTHER) as sandbox, sandbox.database.read() as connection:
        endpoint = endpoint_store.find_endpoint(connection, "ada", made["id"])

    assert endpoint is not None
    assert endpoint.secret.reveal() == made["secret"]
    assert Cipher.parse(KEY).name.encode() not in stored_bytes(address)


@pytest.mark.parametrize("keys", [None, OTHER])
def test_start_without_the_key_is_refused(start: Start, keys: str | None) -> None:
    """Before anything is written; the key is named, and how to give it."""
    with start(KEY):
        pass

    named = f"encrypted with the key {Cipher.parse(KEY).name}"
    with pytest.raises(InvalidSettings, match=named) as raised, start(keys):
        pytest.fail("it started")
    assert "--encryption-key-file" in raised.value.help


def test_issued_token_for_a_new_account_needs_the_key(
    start: Start, address: str | Path, contract_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The account begins with samples, an endpoint with a secret among them."""
    with start(KEY):
        pass
    command = [
        *("sandbox", "token", "issue", "--account", "carol", "--scope", "messages:write"),
        *("--contract", str(contract_path), "--records", str(contract_path.parent / "none")),
        *("--database", str(address)),
    ]
    refused = CliRunner().invoke(cli, command)
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    issued = CliRunner().invoke(cli, command)

    assert (refused.exit_code, issued.exit_code) == (2, 0), issued.output
    assert "no key was given" in refused.stderr
    with start(KEY) as sandbox, sandbox.database.read() as connection:
        rows = connection.execute(sa.select(ENDPOINTS.c.secret).where(ENDPOINTS.c.account == "carol"))
        assert {scalar.partition(":")[0] for scalar in rows.scalars()} == {"fernet"}
