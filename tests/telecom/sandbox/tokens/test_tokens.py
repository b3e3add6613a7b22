"""Tokens as they are given on the command line."""

import pytest

from devportal.errors import InvalidSettings
from telecom.sandbox.tokens.tokens import Grant, new_token, parse_token

SCOPES = frozenset({"messages:read", "messages:write"})


def test_token_grants_all_scopes_or_those_given() -> None:
    """TOKEN, TOKEN=SCOPE,SCOPE and TOKEN= are different things."""
    grants = [
        parse_token(text, account="a", known_scopes=SCOPES).grant.scopes
        for text in ("sk_12345", "sk_12345=messages:write", "sk_12345=")
    ]

    assert grants == [SCOPES, {"messages:write"}, frozenset()]


@pytest.mark.parametrize("text", ["", "short", "with space 123", "sk_12345=messages:fly", "sécret-token"])
def test_unusable_token_is_refused_and_not_shown(text: str) -> None:
    """The message says what is wrong, and does not repeat the token."""
    with pytest.raises(InvalidSettings) as caught:
        parse_token(text, account="a", known_scopes=SCOPES)
    assert not text or text.partition("=")[0] not in str(caught.value)


def test_token_has_no_readable_repr() -> None:
    """A token in a traceback or a log stays a secret."""
    token = new_token(Grant(account="a", scopes=SCOPES), lambda size: b"x" * size)

    assert token.text.startswith("sk_sandbox_")
    assert token.text not in repr(token)
