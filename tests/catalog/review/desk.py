"""A folder of records, and the commands run on it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from devportal.catalog import check_catalog, load_catalog
from devportal.cli import cli
from tests.catalog.own_book import lay_book

ROLES = """\
roles:
  - {actor: ida, roles: [editor]}
  - {actor: omar, roles: [approver]}
  - {actor: lin, roles: [publisher]}
  - {actor: max, roles: [editor, approver, publisher]}
  - {actor: old, roles: [editor], until: 2026-01-01}
"""
FIELDS = """\
    product: sms
    direction: outbound
    country: NO
    unit: segment
    price: {price}
    currency: EUR
    effective_from: {day}
"""


_STARTED = datetime.now(UTC)
_LAST_SECOND = _STARTED.replace(hour=23, minute=59, second=59, microsecond=0)


def current_time() -> datetime:
    """Return the time to the second, on the day on which the tests started: midnight is no verdict on them."""
    return min(datetime.now(UTC).replace(microsecond=0), _LAST_SECOND)


def day(days: int) -> str:
    """Return the day so many days from the one on which the tests started (UTC)."""
    return (_STARTED + timedelta(days=days)).date().isoformat()


def draft(version: int = 1, *, name: str = "no-sms", price: str = "0.10", begins: int = 0) -> str:
    """Return a draft as it stands in a file of rates."""
    head = f"  - id: {name}\n    version: {version}\n    status: draft\n"
    return head + FIELDS.format(price=price, day=day(begins))


@dataclass(frozen=True, kw_only=True)
class Desk:
    """Where somebody works on records."""

    folder: Path

    def write(self, *drafts: str, file: str = "rates/no.yaml") -> None:
        """Write a file of rates, or put drafts at its end."""
        path = self.folder / file
        path.parent.mkdir(exist_ok=True)
        lay_book(self.folder)
        before = path.read_text(encoding="utf-8") if path.exists() else "rates:\n"
        path.write_text(before + "".join(drafts), encoding="utf-8")

    def run(
        self, *arguments: str, actor: str | None = None, kind: str = "rates", exit_code: int | None = None
    ) -> Result:
        """Run a command of the review; what is no exit of its own is raised."""
        acting = ("--actor", actor) if actor is not None else ()
        given = (kind, *arguments, "--records", str(self.folder), *acting)
        result = CliRunner().invoke(cli, given, prog_name="devportal", env={"DEVPORTAL_ACTOR": None})
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert exit_code in {None, result.exit_code}, result.output
        return result

    def json(self, *arguments: str) -> Any:
        """Return what a command prints as JSON."""
        return json.loads(self.run(*arguments, "--json", exit_code=0).stdout)

    def content(self, name: str) -> str:
        """Return the content hash of a version, as its reader copies it."""
        sha256: str = self.json("show", name)[0]["content_sha256"]
        return sha256

    def approve(self, name: str, actor: str = "omar") -> Result:
        """Approve what was read."""
        return self.run("approve", name, "--content", self.content(name), actor=actor)

    def bring(self, name: str, state: str) -> None:
        """Bring a draft to a state by the commands that lead there."""
        steps = ("submitted", "approved", "active").index(state)
        self.run("submit", name, actor="ida", exit_code=0)
        if steps > 0:
            assert self.approve(name).exit_code == 0
        if steps > 1:
            self.run("activate", name, actor="lin", exit_code=0)

    def states(self) -> dict[str, str]:
        """Return the state of each version, by its name."""
        return {item["record"].partition("/")[2]: item["state"] for item in self.json("list")}

    def log(self) -> list[dict[str, Any]]:
        """Return the lines of the log."""
        path = self.folder / "audit.jsonl"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        return [json.loads(line) for line in text.splitlines()]

    def actions(self) -> list[str]:
        """Return who did what on the log, with a sign for what was denied."""
        return [
            f"{'!' if entry.get('outcome') else ''}{entry['actor']} {entry['action']}" for entry in self.log()
        ]

    def findings(self) -> list[str]:
        """Return what `devportal check` would find in the records."""
        catalog, found = load_catalog(self.folder, name="data")
        return [str(finding) for finding in (*found, *check_catalog(catalog, today=datetime.now(UTC).date()))]

    def files(self) -> Mapping[str, bytes]:
        """Return all files of the folder."""
        return {
            path.relative_to(self.folder).as_posix(): path.read_bytes()
            for path in self.folder.rglob("*")
            if path.is_file()
        }
