"""What the commands show of the audit log."""

from typing import Any

import pytest

from .desk import Desk, day, draft


@pytest.fixture
def busy_desk(desk: Desk) -> Desk:
    """Return a desk where two people have worked on two records, and one was denied."""
    desk.write(draft(name="no-sms-usd").replace("EUR", "USD"), draft(2))
    desk.run("submit", "no-sms@1", "no-sms-usd@1", "--reason", "Launch", actor="ida", exit_code=0)
    desk.run("draft", "no-sms@2", actor="max", exit_code=0)
    desk.run("activate", "no-sms@1", actor="omar", exit_code=1)
    return desk


def log_lines(desk: Desk, *arguments: str) -> list[str]:
    """Return actor, action and record of each entry that the command prints."""
    entries: list[dict[str, Any]] = desk.json("log", *arguments)
    return [f"{entry['actor']} {entry['action']} {entry['record'].partition('/')[2]}" for entry in entries]


def test_all_entries(busy_desk: Desk) -> None:
    """As JSON they are the lines of the log."""
    assert busy_desk.json("log") == busy_desk.log()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("no-sms-usd",), ["ida create no-sms-usd@1", "ida submit no-sms-usd@1"]),
        (("no-sms@2",), ["max create no-sms@2"]),
        (("no-sms", "--actor", "omar", "--actor", "max"), ["max create no-sms@2", "omar activate no-sms@1"]),
        (("--since", day(1)), []),
        (("--until", day(-1)), []),
        (("no-sms@2", "--since", day(-1), "--until", day(1)), ["max create no-sms@2"]),
    ],
)
def test_entries_are_chosen(busy_desk: Desk, arguments: tuple[str, ...], expected: list[str]) -> None:
    """By id, by version, by actor, and by days, which count themselves."""
    assert log_lines(busy_desk, *arguments) == expected


def test_the_table_says_what_was_denied(busy_desk: Desk) -> None:
    """A denied step led nowhere, and is not shown as if it had; `show` tells it alike."""
    lines = [" ".join(line.split()) for line in busy_desk.run("log", exit_code=0).stdout.splitlines()]
    shown = " ".join(busy_desk.run("show", "no-sms@1", exit_code=0).stdout.split())

    assert any("rates/no-sms@1 omar activate (denied) stays submitted" in line for line in lines)
    assert any("rates/no-sms-usd@1 ida submit draft → submitted Launch" in line for line in lines)
    assert "omar activate (denied) stays submitted" in shown


def test_nothing_of_the_other_kind(busy_desk: Desk) -> None:
    """`coverage log` tells of coverage only."""
    result = busy_desk.run("log", kind="coverage", exit_code=0)

    assert result.stdout == ""
    assert "No entries fit." in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("no-such",), "names nothing on the log or in the records"),
        (("--since", "tomorrow"), "is not a day: write it as YYYY-MM-DD"),
        (("--until", "2026-02-30"), "is not a day"),
        (("--until", "20260228"), "is not a day"),
    ],
)
def test_what_names_nothing_is_told(busy_desk: Desk, arguments: tuple[str, ...], said: str) -> None:
    """Exit code 2."""
    assert said in " ".join(busy_desk.run("log", *arguments, exit_code=2).stderr.split())
