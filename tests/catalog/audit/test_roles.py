"""Who may write what, and what the log holds against it."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from devportal.catalog import Catalog, Records, check_catalog, content_sha256, load_catalog, published
from devportal.catalog.audit.journal import Journal, Write
from devportal.catalog.audit.lifecycle import Action, Role
from devportal.catalog.audit.log import parse_audit
from devportal.catalog.audit.roles import Grant, Roles, parse_roles
from devportal.documents import Scalars, parse_document
from devportal.errors import RefusedWrite
from tests.catalog.build import RATE, ROLES, START, TODAY, log_of, rate
from tests.catalog.own_book import BOOK, replace

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
_FILE = """\
roles:
  - actor: ida
    roles: [editor]
    from: 2026-01-01
    until: 2026-03-01
  - actor: ida
    roles: [approver, publisher]
    from: 2026-03-01
  - {actor: omar, roles: [approver]}
"""


def roles_of(text: str) -> tuple[Roles, list[str]]:
    """Return the roles of a file, and its findings as text."""
    found, findings = parse_roles(parse_document(text, name="data/roles.yaml", scalars=Scalars.TEXT))
    return found, [str(finding) for finding in findings]


@pytest.mark.parametrize(
    ("actor", "role", "at", "holds"),
    [
        ("ida", Role.EDITOR, NOON - timedelta(days=1), True),
        ("ida", Role.EDITOR, NOON, False),
        ("ida", Role.APPROVER, NOON, True),
        ("ida", Role.APPROVER, NOON - timedelta(days=1), False),
        ("ida", Role.EDITOR, datetime(2025, 12, 31, 23, tzinfo=UTC), False),
        ("omar", Role.APPROVER, NOON, True),
        ("omar", Role.EDITOR, NOON, False),
        ("mallory", Role.APPROVER, NOON, False),
    ],
)
def test_a_role_is_held_from_its_first_day_until_its_last(
    actor: str, role: Role, at: datetime, *, holds: bool
) -> None:
    """A period includes the day it begins on and not the day it ends on."""
    roles, findings = roles_of(_FILE)

    assert findings == []
    assert roles.holds(actor, role, at) is holds
    assert (actor in roles.actors(role, at)) is holds


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("roles: []\n", "1:1", "write who holds which roles"),
        ("roles:\n  - {actor: Ida, roles: [editor]}\n", "2:6", "small letters"),
        ("roles:\n  - {actor: ida, roles: [boss]}\n", "2:", "use editor, approver or publisher"),
        (
            "roles:\n  - {actor: ida, roles: [editor], since: 2026-01-01}\n",
            "2:",
            "the fields here are `actor`, `roles`",
        ),
        ("roles:\n  - {actor: ida, roles: [editor], from: 2026-02-30}\n", "2:", "not a day of the calendar"),
        (
            "roles:\n  - {actor: ida, roles: [editor], from: 2026-02-02, until: 2026-02-02}\n",
            "2:53",
            "until is '2026-02-02', but the roles are held from '2026-02-02' on",
        ),
    ],
)
def test_what_is_wrong_in_the_file_is_said_with_its_place(text: str, place: str, message: str) -> None:
    """A file with a fault grants nothing to anybody."""
    roles, findings = roles_of(text)

    assert roles.grants == {}
    assert any(f"data/roles.yaml:{place}" in finding and message in finding for finding in findings), findings


def test_an_approval_by_somebody_without_the_role_publishes_nothing() -> None:
    """The gate and the check ask who held which role on the day of the entry."""
    ends = START.date()
    roles = Roles(grants={**ROLES.grants, "omar": (Grant(roles=frozenset({Role.APPROVER}), until=ends),)})
    log = replace(log_of(RATE), roles=roles)
    records = Records(book=BOOK, rates=(rate(),))

    (finding,) = check_catalog(Catalog(records=records, audit=log), today=TODAY)

    assert published(records, log, TODAY).rates == ()
    assert finding.rule == "catalog-permission"
    assert finding.place.line == 3
    assert "'omar' did approve as approver, but did not hold that role on 2026-01-05" in finding.message
    assert published(records, replace(log, roles=ROLES), TODAY).rates != ()


def test_a_log_without_roles_is_found() -> None:
    """Where nobody has said who holds which role, the check says so."""
    log = log_of(RATE)

    (finding,) = check_catalog(Catalog(records=Records(book=BOOK, rates=(rate(),)), audit=log), today=TODAY)

    assert (finding.rule, str(finding.level)) == ("catalog-roles", "error")


def test_roles_that_cannot_be_read_publish_nothing(tmp_path: Path) -> None:
    """A file of roles with a fault leaves it open who may approve: the log is not trusted."""
    (tmp_path / "roles.yaml").write_text("roles: [ida]\n")
    (tmp_path / "audit.jsonl").write_text(log_of(RATE).text())

    catalog, findings = load_catalog(tmp_path, name="data")

    assert findings
    assert not catalog.audit.complete


def test_a_denied_write_is_on_the_log_and_changes_nothing() -> None:
    """What somebody tried and may not do stays readable; state, content and publication are as before."""
    log = replace(log_of(RATE), roles=ROLES)
    journal = Journal(log, name="data/audit.jsonl")
    write = Write(
        at=START + timedelta(hours=1),
        actor="eve",
        action=Action.WITHDRAW,
        record=RATE.ref,
        content_sha256=content_sha256(RATE),
        reason="'eve' does not hold the role publisher",
    )
    before = journal.history(RATE.ref)

    denied = journal.deny(write)

    parsed, findings = parse_audit(journal.log.text(), name="data/audit.jsonl")
    assert findings == ()
    assert parsed.entries == (*log.entries, denied)
    assert '"to": "withdrawn"' in denied.line()
    assert denied.line().endswith(', "outcome": "denied"}')
    assert journal.history(RATE.ref) == before
    catalog = Catalog(records=Records(book=BOOK, rates=(rate(),)), audit=replace(parsed, roles=ROLES))
    assert list(check_catalog(catalog, today=TODAY)) == []
    assert published(catalog.records, catalog.audit, TODAY).rates != ()


def test_what_is_written_after_a_denied_write_goes_on_from_the_state_before() -> None:
    """The chain runs through denied entries, the lifecycle past them."""
    journal = Journal(replace(log_of(RATE), roles=ROLES))
    write = Write(
        at=START + timedelta(hours=1),
        actor="eve",
        action=Action.WITHDRAW,
        record=RATE.ref,
        content_sha256=content_sha256(RATE),
    )

    with pytest.raises(RefusedWrite, match="'eve' did withdraw as publisher, but did not hold that role"):
        journal.record(write)
    denied = journal.deny(write)
    done = journal.record(replace(write, actor="lin"))

    assert done.previous_sha256 == denied.line_sha256
    assert [entry.place.line for entry in journal.added_entries] == [5, 6]
    assert parse_audit(journal.log.text(), name="audit.jsonl")[1] == ()


def test_a_denied_write_to_a_version_that_no_file_holds_is_no_loss() -> None:
    """Somebody may have tried to write a version that never came to be."""
    journal = Journal(replace(log_of(), roles=ROLES))
    journal.deny(
        Write(
            at=START,
            actor="eve",
            action=Action.CREATE,
            record=RATE.ref,
            content_sha256=content_sha256(RATE),
            reason="no role",
        )
    )

    catalog = Catalog(audit=journal.log)

    assert list(check_catalog(catalog, today=date(2026, 3, 1))) == []


@pytest.mark.parametrize(
    ("actor", "action", "is_found"),
    [
        ("lin", Action.WITHDRAW, True),
        ("eve", Action.WITHDRAW, False),
        ("ida", Action.APPROVE, False),
        ("omar", Action.APPROVE, True),
    ],
)
def test_a_denial_of_what_somebody_might_do_is_found(actor: str, action: Action, *, is_found: bool) -> None:
    """A write that was turned into a denied one contradicts the roles, and the four eyes."""
    journal = Journal(replace(log_of(RATE), roles=ROLES))
    journal.deny(
        Write(
            at=START + timedelta(hours=1),
            actor=actor,
            action=action,
            record=RATE.ref,
            content_sha256=content_sha256(RATE),
        )
    )

    found = check_catalog(
        Catalog(records=Records(book=BOOK, rates=(rate(),)), audit=journal.log), today=TODAY
    )

    assert {finding.rule for finding in found} == ({"catalog-denied"} if is_found else set())


def test_roles_that_a_link_leads_to_nowhere_are_unreadable(tmp_path: Path) -> None:
    """A link without target is no missing file."""
    (tmp_path / "roles.yaml").symlink_to("nowhere.yaml")
    (tmp_path / "audit.jsonl").write_text(log_of(RATE).text())

    catalog, findings = load_catalog(tmp_path, name="data")

    assert [finding.rule for finding in findings] == ["catalog-unread"]
    assert not catalog.audit.complete


@pytest.mark.parametrize("approver", ["ida", "max"])
def test_neither_author_nor_submitter_approves(approver: str) -> None:
    """Everybody who had a part in a version is one of the first two eyes, however long ago that was."""
    everybody = Roles(grants={name: (Grant(roles=frozenset(Role)),) for name in ("ida", "max", "omar")})
    journal = Journal(replace(log_of(), roles=everybody))
    steps = [("ida", Action.CREATE), ("max", Action.EDIT), ("max", Action.SUBMIT)]
    for minute, (actor, action) in enumerate(steps):
        journal.record(_step(actor, action, minute))

    with pytest.raises(RefusedWrite, match=f"'{approver}' approved rates/no-sms@1, which the same person"):
        journal.record(_step(approver, Action.APPROVE, 3))

    assert journal.record(_step("omar", Action.APPROVE, 3)).actor == "omar"


def _step(actor: str, action: Action, minute: int) -> Write:
    at = START + timedelta(minutes=minute)
    return Write(at=at, actor=actor, action=action, record=RATE.ref, content_sha256=content_sha256(RATE))


def test_a_lost_version_is_told_at_its_first_write() -> None:
    """Somebody may have been denied a write to a version before it came to be: that is not where it began."""
    journal = Journal(replace(log_of(), roles=ROLES))
    journal.deny(_step("eve", Action.CREATE, 0))
    journal.record(_step("ida", Action.CREATE, 1))

    (finding,) = check_catalog(Catalog(audit=journal.log), today=TODAY)

    assert (finding.rule, finding.place.line) == ("catalog-lost", 2)
