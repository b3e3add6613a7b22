"""What is said where a write is refused."""

import json
import re
from pathlib import Path

import pytest

from devportal.catalog.audit.lifecycle import TRANSITIONS, Action, State
from devportal.catalog.records.version_ref import Kind, RecordRef
from devportal.catalog.review.selection import apply_to_each, next_step_command, reason_with_count
from devportal.errors import Place, RefusedWrite
from devportal.review_command import rates

from .desk import Desk, draft

REFUSED = [
    (state, action)
    for action in Action
    for state in (None, *State)
    if state not in TRANSITIONS[action].sources
]
"""Where a step may not start."""


@pytest.mark.parametrize(("state", "action"), REFUSED)
def test_each_refusal_leads_on(state: State | None, action: Action) -> None:
    """Wherever a step may not start, the help names commands that there are, with the record."""
    said = next_step_command(RecordRef(kind=Kind.RATE, id="no-sms", version=2), state, action)
    named = re.findall(r"devportal rates ([a-z]+) no-sms(?:@2)?", said)

    assert named
    assert set(named) <= set(rates.list_commands(None))  # type: ignore[arg-type]
    assert "{" not in said


def test_a_submitted_version_is_taken_back_by_an_approver(desk: Desk) -> None:
    """The message names version, file and line; `edit`, which is no command, does not occur."""
    desk.run("submit", "no-sms@1", actor="ida", exit_code=0)
    result = desk.run("draft", "no-sms@1", actor="ida", exit_code=1)

    assert f"{desk.folder}/rates/no.yaml:2:5: rates/no-sms@1 is 'submitted'; a change needs" in result.stderr
    assert "devportal rates reject no-sms@1" in result.stderr
    assert "edit" not in result.stderr


def test_all_versions_that_cannot_be_done_are_told(desk: Desk) -> None:
    """Each with its place and what to do, and how many they are of how many."""
    desk.write(draft(2), draft(3))
    desk.run("submit", "no-sms@1", "no-sms@3", actor="ida", exit_code=0)
    result = desk.run("submit", "no-sms@1", "no-sms@2", "no-sms@3", actor="ida", exit_code=1)

    assert "2 of 3 versions are refused" in result.stderr
    assert "rates/no.yaml:2:5: rates/no-sms@1 is 'submitted'" in result.stderr
    assert "rates/no-sms@3 is 'submitted'" in result.stderr
    assert result.stderr.count("help: ") == 2


def test_a_long_list_is_cut() -> None:
    """Fifty are told one by one, the others counted."""

    def refuse(number: int) -> bool:
        raise RefusedWrite(f"<{number}>")

    with pytest.raises(RefusedWrite, match="60 of 60") as refused:
        apply_to_each(range(60), refuse)

    assert str(refused.value).count("<") == 50
    assert str(refused.value).endswith("and 10 more")


def test_all_rows_that_cannot_be_taken_over_are_told(desk: Desk, tmp_path: Path) -> None:
    """Rows that could be are not imported either."""
    desk.write(draft(name="no-sms-usd").replace("EUR", "USD"))
    desk.run("submit", "no-sms@1", "no-sms-usd@1", actor="ida", exit_code=0)
    text = desk.run("export", exit_code=0).stdout_bytes.decode().replace("0.10", "0.11")
    sheet = tmp_path / "new.csv"
    sheet.write_text(text, encoding="utf-8", newline="")
    result = desk.run("import", str(sheet), actor="ida", exit_code=1)

    assert "2 of 2 versions are refused" in result.stderr
    assert f"{sheet}:2:" in result.stderr
    assert f"{sheet}:3:" in result.stderr


def test_refusals_stand_in_the_order_of_their_places() -> None:
    """Whoever fixes a file goes through it once."""

    def refuse(line: int) -> bool:
        raise RefusedWrite("no", place=Place(file="a.csv", line=line, column=1))

    with pytest.raises(RefusedWrite) as refused:
        apply_to_each([155, 2, 20], refuse)

    assert re.findall(r"a\.csv:(\d+)", str(refused.value)) == ["2", "20", "155"]


def test_a_denied_attempt_on_many_is_one_line(desk: Desk) -> None:
    """The first version is named, and how many others there were; the check finds nothing wrong."""
    desk.write(draft(name="no-sms-usd").replace("EUR", "USD"), draft(2))
    desk.run("submit", "--state", "draft", "--reason", "Launch", actor="max", exit_code=0)
    before = len(desk.log())
    desk.run("activate", "--state", "submitted", actor="ida", exit_code=1)
    denied = desk.run("approve", "--state", "submitted", "--reason", "Fine", actor="max", exit_code=1)
    added = desk.log()[before:]

    assert denied.stderr.count("rates/no.yaml:") == 3
    assert [entry["record"] for entry in added] == ["rates/no-sms@1", "rates/no-sms@1"]
    assert [entry["reason"] for entry in added] == [
        "and 2 other versions",
        "Fine (and 2 other versions)",
    ]
    assert desk.findings() == []


@pytest.mark.parametrize("others", [0, 1, 49_999])
def test_a_reason_stays_short_enough_for_the_log(others: int) -> None:
    """What is added to the longest reason does not make the log unreadable."""
    assert len(json.dumps(reason_with_count("x" * 2000, others))) <= 2002


def test_without_roles_nothing_is_logged(desk: Desk) -> None:
    """A log without roles explains nothing: not even the attempt is written."""
    (desk.folder / "roles.yaml").unlink()
    before = desk.files()
    desk.run("submit", "no-sms@1", actor="ida", exit_code=1)

    assert desk.files() == before
