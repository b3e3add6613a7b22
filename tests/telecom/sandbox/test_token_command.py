"""`devportal sandbox token`: what it prints where, what it refuses, and what is kept."""

import json
import re
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result
from tests.waiting import wait_until

from devportal.cli import cli
from devportal.serving.clock import ClockMode
from telecom.sandbox.clock import ClockOptions, configure_clock
from telecom.sandbox.database.database import Database
from telecom.sandbox.database.tables import MESSAGES, TOKENS
from telecom.sandbox.stores.rate_versions import RATE_VERSIONS
from telecom.sandbox.tokens.token_store import stored_tokens

from .conftest import rows_of
from .tokens.test_command import running


def run(*arguments: str | Path) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(cli, ["sandbox", "token", *map(str, arguments)])


@pytest.fixture
def issue_in(contract_path: Path) -> tuple[str | Path, ...]:
    """Return the beginning of a command that issues a token under the contract."""
    return ("issue", "--contract", contract_path, "--records", contract_path.parent / "none")


def list_tokens(address: str | Path) -> list[dict[str, object]]:
    result = run("list", "--format", "json", "--database", address)
    assert result.exit_code == 0, result.output
    return list(json.loads(result.stdout))


def test_token_is_printed_once_and_only_its_hash_is_kept(
    issue_in: tuple[str | Path, ...], address: str | Path
) -> None:
    """The token alone is on standard output, so that a script can take it."""
    result = run(*issue_in, "--scope", "messages:write", "--name", "CI", "--database", address)

    assert result.exit_code == 0, result.output
    assert re.fullmatch(r"sk_sandbox_[a-z2-7]{48}\n", result.stdout)
    assert "The token is shown only now." in result.stderr
    assert result.stdout.strip() not in result.stderr
    with closing(Database.open(address)) as database, database.read() as connection:
        rows = connection.execute(TOKENS.select()).all()
    assert result.stdout.strip() not in str(rows)
    assert result.stdout.strip() not in run("list", "--database", address).output


def test_token_without_networks_is_good_from_everywhere(
    issue_in: tuple[str | Path, ...], address: str | Path
) -> None:
    """Nothing behind `from:` would look like nowhere."""
    result = run(*issue_in, "--scope", "messages:write", "--database", address)

    assert "from:    every address\n" in result.stderr
    assert "from:    every address\n" in run("list", "--database", address).stdout


def test_list_tells_everything_but_the_token(issue_in: tuple[str | Path, ...], address: str | Path) -> None:
    """Identifier as on the audit log, name, account, role, scopes, times, networks."""
    run(
        *(*issue_in, "--account", "ada", "--role", "auditor", "--name", "Ada's laptop", "--expires-in"),
        *("12h", "--from", "198.51.100.0/24", "--from", "2001:db8:4::/48", "--database", address),
    )

    (token,) = list_tokens(address)
    text = run("list", "--database", address).stdout

    assert re.fullmatch("key_[0-9a-f]{12}", str(token["id"]))
    assert (token["account"], token["name"], token["role"]) == ("ada", "Ada's laptop", "auditor")
    assert token["scopes"] == ["audit:read", "rates:read"]
    assert token["from"] == ["198.51.100.0/24", "2001:db8:4::/48"]
    assert token["state"] == "valid"
    assert str(token["expires_at"]) > str(token["created_at"])
    assert all(str(part) in text for part in (token["id"], "ada", "valid", "audit:read rates:read", "Ada's"))
    assert "198.51.100.0/24 2001:db8:4::/48" in text


def test_lifetime_is_90_days_unless_told(issue_in: tuple[str | Path, ...], address: str | Path) -> None:
    """Days, hours, or no end."""
    for lifetime in ((), ("--expires-in", "never")):
        run(*issue_in, "--role", "developer", *lifetime, "--database", address)

    with closing(Database.open(address)) as database, database.read() as connection:
        first, second = stored_tokens(connection)

    assert first.conditions.expires_at is not None
    assert (first.conditions.expires_at - first.created_at).days == 90
    assert second.conditions.expires_at is None


def test_new_account_has_its_samples(issue_in: tuple[str | Path, ...], address: str | Path) -> None:
    """They come with its first token, and a second one leaves what is there."""
    for _ in range(2):
        run(*issue_in, "--account", "ada", "--role", "developer", "--database", address)

    with closing(Database.open(address)) as database:
        made = rows_of(database, MESSAGES)

    assert made > 0
    assert len(list_tokens(address)) == 2


def test_samples_are_of_the_time_of_the_sandbox(
    issue_in: tuple[str | Path, ...], address: str | Path
) -> None:
    """An account that comes to a sandbox whose time stands still has rate versions of then."""
    then = datetime(2031, 1, 1, tzinfo=UTC)
    with closing(Database.open(address)) as database, database.write() as connection:
        configure_clock(connection, ClockOptions(mode=ClockMode.MANUAL, start=then), datetime.now(UTC))
    run(*issue_in, "--account", "ada", "--role", "developer", "--database", address)

    with closing(Database.open(address)) as database, database.read() as connection:
        made = set(connection.execute(sa.select(RATE_VERSIONS.c.created_at)).scalars())

    assert {moment.date() for moment in made} == {then.date()}


def test_revoked_token_stays_in_the_list(issue_in: tuple[str | Path, ...], address: str | Path) -> None:
    """Revoking is told, also where it was done before."""
    run(*issue_in, "--role", "developer", "--database", address)
    (token,) = list_tokens(address)

    first, second = (run("revoke", str(token["id"]), "--database", address) for _ in range(2))

    assert (first.exit_code, second.exit_code) == (0, 0)
    assert f"{token['id']} of sandbox is revoked." in first.stderr
    assert "was revoked before" in second.stderr
    assert list_tokens(address)[0]["state"] == "revoked"
    assert "revoked: 20" in run("list", "--database", address).stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), "a token needs scopes"),
        (("--scope", "messages:fly"), "no scope 'messages:fly'"),
        (("--scope", "messages:read", "--scope", "rates:read"), "no token has both"),
        (("--role", "king"), "'king' is not one of"),
        (("--role", "developer", "--account", "a b"), "'a b' is not a name of an account"),
        (("--role", "developer", "--account", ""), "'' is not a name of an account"),
        (("--role", "developer", "--account", "x" * 65), "is not a name of an account"),
        (("--role", "developer", "--expires-in", "0d"), "'0d' is not a lifetime"),
        (("--role", "developer", "--expires-in", "soon"), "'soon' is not a lifetime"),
        (("--role", "developer", "--from", "home"), "'home' is not a block"),
        (("--role", "developer", "--name", "a\nb"), r"'a\nb' is not a name"),
        (("--role", "developer", "--name", " "), "' ' is not a name"),
        (("--role", "developer", "--contract", "absent.yaml"), "absent.yaml"),
    ],
)
def test_wrong_option_is_told(
    issue_in: tuple[str | Path, ...], tmp_path: Path, arguments: tuple[str, ...], expected: str
) -> None:
    """Exit code 2, what is wrong, no traceback, and no token."""
    result = run(*issue_in, "--database", tmp_path / "s.sqlite3", *arguments)

    assert result.exit_code == 2
    assert expected in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_running_sandbox_takes_and_refuses_tokens(
    issue_in: tuple[str | Path, ...], contract_path: Path, tmp_path: Path
) -> None:
    """An issued token is good at once, and refused after its end, in the process that answers."""
    database = ("--database", tmp_path / "s.sqlite3")

    with running("--contract", contract_path, *database) as server:
        text = run(*issue_in, "--scope", "messages:write", *database).stdout.strip()
        accepted = server.send(token=text)
        (token,) = [token for token in list_tokens(tmp_path / "s.sqlite3") if token["issued"]]
        run("revoke", str(token["id"]), *database)
        wait_until(lambda: server.send(token=text).status_code == 401)

    assert accepted.status_code == 202
    assert text not in "".join(server.said)


def test_unknown_token_cannot_be_revoked(tmp_path: Path) -> None:
    """The message says where identifiers are."""
    result = run("revoke", "key_0", "--database", tmp_path / "s.sqlite3")

    assert result.exit_code == 2
    assert "there is no token 'key_0'" in result.stderr
    assert "token list" in result.stderr


def test_list_without_tokens_says_so(tmp_path: Path) -> None:
    """Nothing is on standard output."""
    result = run("list", "--database", tmp_path / "s.sqlite3")

    assert (result.exit_code, result.stdout) == (0, "")
    assert "There are no tokens." in result.stderr


def test_options_of_the_start_are_refused_before_a_command() -> None:
    """They would have no effect."""
    result = CliRunner().invoke(cli, ["sandbox", "--port", "1", "token", "list"])

    assert result.exit_code == 2
    assert "--port is for the start of a sandbox, and 'token' starts none" in result.stderr


def test_unknown_command_is_told() -> None:
    """With those that there are."""
    result = CliRunner().invoke(cli, ["sandbox", "tokens"])

    assert result.exit_code == 2
    assert "No such command 'tokens'. Did you mean 'token'?" in result.stderr
