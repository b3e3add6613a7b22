"""Tokens in the database: those of a start beside those that were issued."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from devportal.errors import InvalidSettings
from telecom.sandbox.database.database import Database
from telecom.sandbox.tokens.token_store import (
    Conditions,
    has_account,
    replace_tokens,
    revoke_stored_token,
    store_issued_token,
    stored_tokens,
)
from telecom.sandbox.tokens.tokens import Grant, Token

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def token(text: str, account: str = "ada") -> Token:
    return Token(text=text, grant=Grant(account=account, scopes=frozenset({"messages:read"})))


def test_start_replaces_its_own_tokens_only(address: str | Path) -> None:
    """What was issued stays; what is given twice at a start counts once."""
    with closing(Database.open(address)) as database, database.write() as connection:
        replace_tokens(connection, [token("first-start"), token("first-start")], NOW)
        store_issued_token(connection, token("issued-one"), Conditions(), NOW + timedelta(seconds=1))
        replace_tokens(connection, [token("second-start")], NOW + timedelta(seconds=2))

        known = [(stored_token.id, stored_token.is_issued) for stored_token in stored_tokens(connection)]

    assert known == [(token("issued-one").id, True), (token("second-start").id, False)]


def test_issued_token_cannot_be_one_of_the_start(address: str | Path) -> None:
    """It would get other scopes, and a revoked one would be good again."""
    with closing(Database.open(address)) as database, database.write() as connection:
        store_issued_token(connection, token("issued-one"), Conditions(), NOW)
        revoke_stored_token(connection, token("issued-one").id, NOW)

        with pytest.raises(InvalidSettings) as caught:
            replace_tokens(connection, [token("issued-one")], NOW)

    assert f"the token {token('issued-one').id} was issued" in str(caught.value)
    assert "issued-one" not in str(caught.value)


def test_revoking_twice_keeps_the_first_time(address: str | Path) -> None:
    """The list tells when a token ended, not when somebody made sure of it; others go on."""
    with closing(Database.open(address)) as database, database.write() as connection:
        for text in ("issued-one", "issued-two"):
            store_issued_token(connection, token(text), Conditions(), NOW)
        for hours in (1, 2):
            revoke_stored_token(connection, token("issued-one").id, NOW + timedelta(hours=hours))

        ended = {stored_token.id: stored_token.revoked_at for stored_token in stored_tokens(connection)}

    assert ended == {token("issued-one").id: NOW + timedelta(hours=1), token("issued-two").id: None}


def test_account_is_known_by_its_tokens(address: str | Path) -> None:
    """Those that are revoked too: what the account had is still there."""
    with closing(Database.open(address)) as database, database.write() as connection:
        before = has_account(connection, "ada")
        store_issued_token(connection, token("issued-one"), Conditions(), NOW)
        revoke_stored_token(connection, token("issued-one").id, NOW)

        assert (before, has_account(connection, "ada"), has_account(connection, "bob")) == (
            False,
            True,
            False,
        )
