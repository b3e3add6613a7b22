"""`devportal sandbox token`: issues, lists and revokes tokens that outlive a start."""

import json
import re
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click

from devportal.command_line import CommandGroup
from devportal.errors import InvalidSettings
from telecom.sandbox.api.operations import SeedContext
from telecom.sandbox.clock import read_time
from telecom.sandbox.database.database import open_database
from telecom.sandbox.database.encryption import read_cipher
from telecom.sandbox.delivery.endpoint_store import check_key
from telecom.sandbox.options import CONTRACT, DATABASE, ENCRYPTION_KEY, RECORDS
from telecom.sandbox.sources import read_api, read_catalog, scopes_of
from telecom.sandbox.tokens.roles import AllowList, Role, chosen_scopes
from telecom.sandbox.tokens.token_cache import DEMO_ACCOUNT
from telecom.sandbox.tokens.token_store import (
    Conditions,
    StoredToken,
    has_account,
    revoke_stored_token,
    store_issued_token,
    stored_tokens,
)
from telecom.sandbox.tokens.tokens import DEFAULT_ACCOUNT, Grant, check_account, new_token
from telecom.states import StateMachines
from telecom.times import format_rfc3339

_LIFETIME = re.compile(r"([1-9][0-9]{0,3})([dh])")
_LONGEST_NAME = 80


@click.group(cls=CommandGroup)
def token() -> None:
    """Issue, list and revoke tokens that stay valid across restarts, even while the sandbox runs."""


@token.command("issue")
@click.option(
    "--account",
    default=DEFAULT_ACCOUNT,
    show_default=True,
    help="The account of the token; created if it does not exist. Tokens given at start belong to 'sandbox'.",
)
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    help="A scope, such as 'messages:write'. Can be repeated. Staff and customer scopes cannot be combined.",
)
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    help="The role whose scopes it gets; with --scope, only the named ones of that role.",
)
@click.option(
    "--expires-in",
    default="90d",
    show_default=True,
    help="Validity: days ('30d'), hours ('12h') or 'never'.",
)
@click.option(
    "--from",
    "networks",
    multiple=True,
    metavar="CIDR",
    help="An address block it is valid from, such as '198.51.100.0/24' or '2001:db8:4::/48'. Can be "
    "repeated. Default: all addresses.",
)
@click.option("--name", help="A description for the list of tokens.")
@CONTRACT
@RECORDS
@DATABASE
@ENCRYPTION_KEY
def issue_token(
    *,
    account: str,
    scopes: tuple[str, ...],
    role: str | None,
    expires_in: str,
    networks: tuple[str, ...],
    name: str | None,
    contract_path: Path,
    records_path: Path,
    database: str,
    key_file: Path | None,
) -> None:
    """Create a token and print it once: only its hash is stored. A new account gets sample data."""
    now = datetime.now(UTC)
    conditions = Conditions(
        name=_require_printable(name),
        role=Role(role) if role else None,
        networks=AllowList.parse(networks),
        expires_at=_parse_expiry(expires_in, now),
    )
    _refuse_account(account)
    api = read_api(contract_path)
    grant = Grant(account=account, scopes=chosen_scopes(conditions.role, scopes, scopes_of(api)))
    issued = new_token(grant, secrets.token_bytes)
    cipher = read_cipher(key_file)
    with open_database(database, cipher=cipher) as opened_database, opened_database.write() as connection:
        check_key(connection, opened_database.place)
        is_new = not has_account(connection, account)
        store_issued_token(connection, issued, conditions, now)
        if is_new:
            from telecom.sandbox.handlers import make_samples  # noqa: PLC0415 - it loads all of the sandbox

            context = SeedContext(
                account=account,
                api=api,
                now=read_time(connection, now),
                random_bytes=secrets.token_bytes,
                machines=StateMachines.read(api),
                catalog=read_catalog(records_path),
            )
            make_samples(connection, (context,))
    click.echo(issued.text)
    click.echo(_describe_issued_token(issued.id, grant, conditions, is_new=is_new), err=True)


@token.command("list")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Format of the list.",
)
@DATABASE
def list_tokens(*, form: str, database: str) -> None:
    """List every token in the database with its account and scopes, without the token itself."""
    now = datetime.now(UTC)
    with open_database(database) as opened_database, opened_database.read() as connection:
        tokens = tuple(stored_tokens(connection))
    if form == "json":
        click.echo(
            json.dumps(
                [_token_document(stored_token, now) for stored_token in tokens], ensure_ascii=False, indent=2
            )
        )
    elif tokens:
        click.echo("\n".join(_list_lines(tokens, now)))
    else:
        click.echo("There are no tokens. Start the sandbox, or issue one.", err=True)


@token.command("revoke")
@click.argument("token_id", metavar="ID", help="The identifier of the token, as in the list.")
@DATABASE
def revoke_token(*, token_id: str, database: str) -> None:
    """Revoke a token by its identifier (key_…). A running sandbox rejects it within a second."""
    now = datetime.now(UTC)
    with open_database(database) as opened_database, opened_database.write() as connection:
        stored = revoke_stored_token(connection, token_id, now)
    if stored.revoked_at is not None:
        click.echo(f"{stored.id} was revoked before, at {format_rfc3339(stored.revoked_at)}.", err=True)
    else:
        note = "" if stored.is_issued else ", until a start with it makes it valid again"
        click.echo(f"{stored.id} of {stored.grant.account} is revoked{note}.", err=True)


def _refuse_account(account: str) -> None:
    if account == DEMO_ACCOUNT:
        raise InvalidSettings(
            f"the account {account!r} is public and has a separate token",
            help="give another account; --demo-token at the start makes its token valid",
        )
    check_account(account)


def _require_printable(name: str | None) -> str | None:
    """Return a name; raises InvalidSettings for one that would break a list."""
    if name is not None and (not name.isprintable() or not 0 < len(name.strip()) <= _LONGEST_NAME):
        raise InvalidSettings(
            f"{name[:_LONGEST_NAME]!r} is not a name", help=f"give 1 to {_LONGEST_NAME} printable characters"
        )
    return name


def _parse_expiry(text: str, now: datetime) -> datetime | None:
    """Return when a lifetime ends, None for `never`."""
    if text == "never":
        return None
    match = _LIFETIME.fullmatch(text)
    if match is None:
        raise InvalidSettings(f"{text!r} is not a lifetime", help="give days as 30d, hours as 12h, or never")
    number = int(match[1])
    return now + (timedelta(days=number) if match[2] == "d" else timedelta(hours=number))


def _describe_issued_token(token_id: str, grant: Grant, conditions: Conditions, *, is_new: bool) -> str:
    """Return the lines about an issued token: its account, scopes, expiry and allowed addresses."""
    return "\n".join(
        (
            f"{token_id} of the {'new ' if is_new else ''}account {grant.account}",
            f"scopes:  {' '.join(sorted(grant.scopes))}",
            f"expires: {_format_time(conditions.expires_at, 'never')}",
            f"from:    {str(conditions.networks) or 'every address'}",
            "The token is shown only now.",
        )
    )


def _list_lines(tokens: Sequence[StoredToken], now: datetime) -> list[str]:
    return [line for stored_token in tokens for line in _token_lines(stored_token, now)]


def _token_lines(stored: StoredToken, now: datetime) -> tuple[str, ...]:
    """Return the lines about a token: first its identifier and its state."""
    conditions = stored.conditions
    name = f", {conditions.name}" if conditions.name else ""
    role = f" (role {conditions.role.value})" if conditions.role else ""
    return (
        f"{stored.id}  {stored.grant.account}  {_state(stored, now)}{name}",
        f"  scopes:  {' '.join(sorted(stored.grant.scopes)) or 'none'}{role}",
        f"  created: {format_rfc3339(stored.created_at)}{'' if stored.is_issued else ', at the start'}",
        f"  expires: {_format_time(conditions.expires_at, 'never' if stored.is_issued else 'at the next start')}",
        f"  from:    {str(conditions.networks) or 'every address'}",
        *((f"  revoked: {format_rfc3339(stored.revoked_at)}",) if stored.revoked_at else ()),
    )


def _state(stored: StoredToken, now: datetime) -> str:
    if stored.revoked_at is not None:
        return "revoked"
    return "valid" if stored.is_valid(now) else "expired"


def _token_document(stored: StoredToken, now: datetime) -> dict[str, Any]:
    conditions = stored.conditions
    return {
        "id": stored.id,
        "name": conditions.name,
        "account": stored.grant.account,
        "state": _state(stored, now),
        "role": conditions.role.value if conditions.role else None,
        "scopes": sorted(stored.grant.scopes),
        "from": [str(network) for network in conditions.networks.networks],
        "issued": stored.is_issued,
        "created_at": format_rfc3339(stored.created_at),
        "expires_at": format_rfc3339(conditions.expires_at) if conditions.expires_at else None,
        "revoked_at": format_rfc3339(stored.revoked_at) if stored.revoked_at else None,
    }


def _format_time(time: datetime | None, default: str) -> str:
    return format_rfc3339(time) if time is not None else default
