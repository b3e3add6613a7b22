"""The roles of the guide are those of the decision and of the sandbox, made of scopes of the contract."""

import re

from telecom.sandbox.tokens.roles import ROLE_SCOPES as SCOPES_OF_ROLES
from tests.contracts import own_contract

from .repository import ROOT

GUIDE = "docs/guides/authentication.md"
DECISION = "docs/decisions/0028-access-controls.md"


def scopes() -> set[str]:
    """Return the scopes of the contract."""
    api = own_contract().api
    return {name for scheme in api.security_schemes for name, _ in scheme.scopes}


def roles(page: str) -> dict[str, set[str]]:
    """Return the scopes of each role, from the last column of the page's table; `*` stands for all."""
    text = (ROOT / page).read_text(encoding="utf-8").partition("| role |")[2].partition("\n\n")[0]
    rows = (line.strip("| ").split(" | ") for line in text.splitlines() if ":" in line)
    return {name: set(re.findall(r"`(\w+:[\w*]+)`", cells[-1])) for name, *cells in rows}


def fits(scope: str, written: str) -> bool:
    """Say whether a scope is meant by what is written."""
    return written in (scope, f"{scope.partition(':')[0]}:*")


def test_the_guide_has_the_roles_of_the_decision() -> None:
    """Same names, same scopes."""
    assert roles(GUIDE) == roles(DECISION)


def test_the_sandbox_has_the_roles_of_the_guide() -> None:
    """What `devportal sandbox token issue --role` gives is what the guide says."""
    assert {role.value: set(scopes) for role, scopes in SCOPES_OF_ROLES.items()} == roles(GUIDE)


def test_roles_are_made_of_scopes_that_exist() -> None:
    """A role with a misspelt scope would grant nothing."""
    written = set().union(*roles(GUIDE).values())
    known = scopes()

    assert written
    assert {text for text in written if not any(fits(scope, text) for scope in known)} == set()


def test_every_scope_belongs_to_a_role() -> None:
    """A scope that no role has could be given to nobody."""
    written = set().union(*roles(GUIDE).values())

    assert {scope for scope in scopes() if not any(fits(scope, text) for text in written)} == set()
