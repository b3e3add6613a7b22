"""The roles of each actor, with the days on which the actor holds them.

Commands check roles before a write, and the check verifies them again for each entry of the log. So a role
that has ended stays in the file with its last day.
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
    """The grants of each actor, by name."""

    grants: Mapping[str, tuple[Grant, ...]] = field(default_factory=dict)

    def holds(self, actor: str, role: Role, at: datetime) -> bool:
        """Say whether an actor holds a role at a time (aware, UTC)."""
        day = at.date()
        grants = self.grants.get(actor, ())
        return any(role in grant.roles and grant.since <= day < grant.until for grant in grants)

    def actors(self, role: Role, at: datetime) -> tuple[str, ...]:
        """Return who holds a role at a time, ordered by name."""
        return tuple(sorted(actor for actor in self.grants if self.holds(actor, role, at)))


def parse_roles(document: Document) -> tuple[Roles, tuple[Finding, ...]]:
    """Return the roles of a file, and its findings. If there are any, nobody holds a role."""
    shape_findings = tuple(misfit.finding for misfit in shape_of("roles").misfits(document))
    if shape_findings:
        return Roles(), shape_findings
    findings: list[Finding] = []
    grants_by_actor: dict[str, list[Grant]] = {}
    for position, item in enumerate(document.data["roles"]):
        since = _parse_day(document, position, "from", findings) or date.min
        until = _parse_day(document, position, "until", findings) or date.max
        if until <= since and not findings:
            message = f"until is '{until}', but the roles are held from '{since}' on"
            findings.append(
                _finding(document, position, "until", message, "let a period end after its start")
            )
        roles = frozenset(Role(name) for name in item["roles"])
        grants_by_actor.setdefault(item["actor"], []).append(Grant(roles=roles, since=since, until=until))
    if findings:
        return Roles(), tuple(findings)
    return Roles(grants={actor: tuple(grants) for actor, grants in grants_by_actor.items()}), ()


def _parse_day(document: Document, position: int, name: str, findings: list[Finding]) -> date | None:
    text = document.data["roles"][position].get(name)
    try:
        return date.fromisoformat(text) if text is not None else None
    except ValueError:
        message = f"{name} is '{text}', which is not a day of the calendar"
        findings.append(_finding(document, position, name, message, "write a date as YYYY-MM-DD"))
        return None


def _finding(document: Document, position: int, name: str, message: str, help: str) -> Finding:  # noqa: A002
    place = document.place(("roles", str(position), name))
    return Finding(rule="catalog-roles", level=Level.ERROR, place=place, message=message, help=help)


def join_actors(actors: Iterable[str]) -> str:
    """Return names as part of a sentence: `ida.berg or omar.haddad`, or `nobody`."""
    return " or ".join(actors) or "nobody"
