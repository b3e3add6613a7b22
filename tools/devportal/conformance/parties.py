"""Who a run can be: the credential that is tested with, and those of others that tell tenants apart."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum


class Role(StrEnum):
    """What a credential is for."""

    MAIN = "main"
    """Everything is tested with it."""
    OTHER_TENANT = "other-tenant"
    """As good as the main one, of another account: it must see nothing of the first."""
    LIMITED = "limited"
    """Valid, and without some permission: `scopes` says which it has."""
    EXPIRED = "expired"
    """Was valid once: expired or revoked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """One credential. `name` is that of the variable that stands for it in everything that is shown;
    `scopes` are those it has, where that is known.
    """

    role: Role
    secret: str = field(repr=False)
    name: str
    scopes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parties:
    """All credentials of a run. Of a role other than `MAIN` there may be several."""

    everyone: tuple[Party, ...] = ()

    @property
    def main(self) -> Party | None:
        """The credential that everything is tested with, None where the run has none."""
        return self.of(Role.MAIN)

    def of(self, role: Role) -> Party | None:
        """Return the first credential of a role, None where there is none."""
        return next(self.each(role), None)

    def each(self, role: Role) -> Iterator[Party]:
        """Yield the credentials of a role, in the order given."""
        return (one for one in self.everyone if one.role is role)


TOKEN_NAME = "DEVPORTAL_TOKEN"
"""What the main secret is called in everything that is shown."""
VARIABLES = {
    Role.MAIN: TOKEN_NAME,
    Role.OTHER_TENANT: "DEVPORTAL_OTHER_TENANT_TOKEN",
    Role.LIMITED: "DEVPORTAL_LIMITED_TOKEN",
    Role.EXPIRED: "DEVPORTAL_EXPIRED_TOKEN",
}
"""The environment variable that each role's secret is taken from, and that stands for it in what is shown."""
NAME_PATTERN = r"DEVPORTAL_(?:[A-Z0-9]+_)*TOKEN"
"""Every name of a party. No other text is taken for a variable."""


def only(secret: str) -> Parties:
    """Return the parties of a run with one credential; empty for an empty secret."""
    party = Party(role=Role.MAIN, secret=secret, name=TOKEN_NAME)
    return Parties(everyone=(party,) if secret else ())
