"""Writing to the audit log."""

from datetime import datetime, timedelta

import pytest

from devportal.catalog import AuditLog, content_sha256
from devportal.catalog.audit.journal import Write
from devportal.catalog.audit.lifecycle import Action, Role
from devportal.catalog.audit.log import FIRST, line_sha256
from devportal.errors import RefusedWrite
from tests.catalog.build import RATE, START, TO_ACTIVE, log_of, record_write, with_rehashed_change


def with_approval(
    log: AuditLog, *, actor: str = "omar", role: Role = Role.APPROVER, at: datetime | None = None
) -> AuditLog:
    """Return the log with an approval of the rate."""
    return record_write(
        log,
        Write(
            at=at or START + timedelta(hours=1),
            actor=actor,
            role=role,
            action=Action.APPROVE,
            record=RATE.ref,
            content_sha256=content_sha256(RATE),
            reason="as agreed",
        ),
    )


def test_each_entry_names_the_line_before_it() -> None:
    """The chain starts with zeros and goes on with the hash of each line as written."""
    log = with_approval(log_of(RATE, steps=TO_ACTIVE[:2]))
    lines = log.text().splitlines()

    assert [entry.previous_sha256 for entry in log.entries] == [
        FIRST,
        line_sha256(lines[0]),
        line_sha256(lines[1]),
    ]


@pytest.mark.parametrize(
    ("actor", "role", "hours", "message"),
    [
        ("ida", Role.APPROVER, 1, "'ida' approved rates/no-sms@1, which the same person wrote or submitted"),
        ("omar", Role.EDITOR, 1, "'omar' did approve as editor, which only the role approver may"),
        ("omar", Role.APPROVER, -1, "is earlier than the latest entry"),
    ],
)
def test_what_breaks_a_rule_is_not_written(actor: str, role: Role, hours: int, message: str) -> None:
    """Four eyes, roles and the order of time hold before anything is written; the message says which."""
    log = log_of(RATE, steps=TO_ACTIVE[:2])

    with pytest.raises(RefusedWrite) as refused:
        with_approval(log, actor=actor, role=role, at=START + timedelta(hours=hours))

    assert message in refused.value.message
    assert refused.value.help


def test_a_step_out_of_turn_is_not_written() -> None:
    """A draft cannot be approved."""
    with pytest.raises(RefusedWrite, match="needs 'submitted'"):
        with_approval(log_of(RATE, steps=TO_ACTIVE[:1]))


def test_a_record_with_an_old_fault_can_still_be_withdrawn() -> None:
    """A fault of the past must not keep a price in force."""
    log = with_rehashed_change(log_of(RATE), 2, actor="ida")

    withdrawn = record_write(
        log,
        Write(
            at=START + timedelta(hours=1),
            actor="lin",
            role=Role.PUBLISHER,
            action=Action.WITHDRAW,
            record=RATE.ref,
            content_sha256=content_sha256(RATE),
        ),
    )

    assert len(withdrawn.entries) == 5
