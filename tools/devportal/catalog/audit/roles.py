"""Who may write what: the roles of each actor, with the days on which they hold them.

The commands ask before a write, and the check asks again for each entry of the log: a role that somebody held
when they wrote stays in the file, with the day on which it ended.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from devportal.catalog.audit.lifecycle import Role
from devportal.catalog.records.json_schemas import shape_of
from devportal.documents import Document
from devportal.findings import Finding, Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """The roles of an actor from the day `since` on, and no longer on the day `until` (UTC)."""

    roles: frozenset[Role]
    since: date = date.min
    until: date = date.max


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """What is granted to each actor, by name."""

    grants: Mapping[str, tuple[Grant, ...]] = field(default_factory=dict)

    def holds(self, actor: str, role: Role, at: datetime) -> bool:
        """Say whether an actor holds a role at a time (aware, UTC)."""
        day = at.date()
        grants = self.grants.get(actor, ())
        return any(role in grant.roles and grant.since <= day < grant.until for grant in grants)

    def actors(self, role: Role, at: datetime) -> tuple[str, ...]:
        """Return who holds a role at a time, in the order of their names."""
        return tuple(sorted(actor for actor in self.grants if self.holds(actor, role, at)))


def parse_roles(document: Document) -> tuple[Roles, tuple[Finding, ...]]:
    """Return the roles of a file, and what is wrong in it; where anything is, nobody holds a role."""
    wrong = tuple(misfit.finding for misfit in shape_of("roles").misfits(document))
    if wrong:
        return Roles(), wrong
    findings: list[Finding] = []
    granted: dict[str, list[Grant]] = {}
    for position, item in enumerate(document.data["roles"]):
        since = _day(document, position, "from", findings) or date.min
        until = _day(document, position, "until", findings) or date.max
        if until <= since and not findings:
            message = f"until is '{until}', but the roles are held from '{since}' on"
            findings.append(
                _finding(document, position, "until", message, "let a period end after its start")
            )
        roles = frozenset(Role(name) for name in item["roles"])
        granted.setdefault(item["actor"], []).append(Grant(roles=roles, since=since, until=until))
    if findings:
        return Roles(), tuple(findings)
    return Roles(grants={actor: tuple(grants) for actor, grants in granted.items()}), ()


def _day(document: Document, position: int, name: str, findings: list[Finding]) -> date | None:
    written = document.data["roles"][position].get(name)
    try:
        return date.fromisoformat(written) if written is not None else None
    except ValueError:
        message = f"{name} is '{written}', which is no day of the calendar"
        findings.append(_finding(document, position, name, message, "write a date as YYYY-MM-DD"))
        return None


def _finding(document: Document, position: int, name: str, message: str, help: str) -> Finding:  # noqa: A002
    place = document.place(("roles", str(position), name))
    return Finding(rule="catalog-roles", level=Level.ERROR, place=place, message=message, help=help)


def named(actors: Iterable[str]) -> str:
    """Return names for a sentence: `ida.berg or omar.haddad`, or `nobody`."""
    return " or ".join(actors) or "nobody"
