"""Roles: which scopes a token gets."""

import pytest

from devportal.contract import Api
from devportal.errors import InvalidSettings
from telecom.sandbox.sources import scopes_of
from telecom.sandbox.tokens.roles import STAFF, Role, chosen_scopes, role_scopes

KNOWN = frozenset({"messages:read", "messages:write", "rates:read", "rates:write", "audit:read"})


def test_role_has_scopes_of_the_contract(api: Api) -> None:
    """Each role has some, and every scope belongs to a role."""
    scopes = {role: role_scopes(role, scopes_of(api)) for role in Role}

    assert all(scopes.values())
    assert frozenset().union(*scopes.values()) == scopes_of(api)


def test_no_customer_has_a_scope_of_staff(api: Api) -> None:
    """The scopes of rate management are nobody else's."""
    known = scopes_of(api)
    staff = frozenset().union(*(role_scopes(role, known) for role in STAFF))
    customers = frozenset().union(*(role_scopes(role, known) for role in set(Role) - STAFF))

    assert not staff & customers


def test_token_has_the_scopes_of_its_role_or_fewer() -> None:
    """A role alone gives all of its scopes, one with scopes gives those."""
    assert chosen_scopes(Role.EDITOR, [], KNOWN) == {"rates:read", "rates:write"}
    assert chosen_scopes(Role.EDITOR, ["rates:read"], KNOWN) == {"rates:read"}
    assert chosen_scopes(None, ["rates:read", "audit:read"], KNOWN) == {"rates:read", "audit:read"}


@pytest.mark.parametrize(
    ("role", "scopes", "message"),
    [
        (None, [], "a token needs scopes"),
        (None, ["messages:fly"], "the contract has no scope 'messages:fly'"),
        (Role.EDITOR, ["messages:fly"], "the contract has no scope 'messages:fly'"),
        (Role.EDITOR, ["messages:read"], "the role 'editor' does not have the scope 'messages:read'"),
        (None, ["messages:read", "rates:read"], "no token has both"),
    ],
)
def test_what_cannot_be_chosen_is_told(role: Role | None, scopes: list[str], message: str) -> None:
    """Nothing, what does not exist, what is beyond the role, and staff's beside a customer's."""
    with pytest.raises(InvalidSettings, match=message):
        chosen_scopes(role, scopes, KNOWN)
