"""What the first day of a version means for its steps."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from devportal.catalog import load_catalog
from devportal.catalog.records.coverage import Support
from devportal.catalog.review.differences import summary_cells
from devportal.catalog.review.steps import due_versions
from tests.catalog.build import COVERAGE
from tests.catalog.own_book import BOOK, replace

from .desk import Desk, day, draft


def test_only_what_is_due_is_activated(desk: Desk) -> None:
    """The version of tomorrow is left out and told, and the price before it stays public."""
    desk.bring("no-sms@1", "active")
    desk.write(draft(2, price="0.09", begins=1), draft(name="no-sms-usd").replace("EUR", "USD"))
    desk.bring("no-sms@2", "approved")
    desk.bring("no-sms-usd@1", "approved")
    result = desk.run("activate", "--state", "approved", "--due", actor="lin", exit_code=0)

    assert result.stdout == "rates/no-sms-usd@1: approved → active\n"
    assert "1 of 2 versions are not due yet." in result.stderr
    assert desk.states()["no-sms@1"] == "active"


def test_nothing_due_is_no_failure(desk: Desk) -> None:
    """What runs each day by itself has most days nothing to do."""
    desk.write(draft(2, begins=1))
    desk.bring("no-sms@2", "approved")
    result = desk.run("activate", "--state", "approved", "--due", actor="lin", exit_code=0)

    assert result.stdout == ""
    assert desk.states()["no-sms@2"] == "approved"


def test_what_is_over_stops_no_daily_run(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A version that was never made public in its time is left out, and told."""
    desk.write(draft(2) + f"    effective_to: {day(3)}\n")
    rates = load_catalog(desk.folder, name="data")[0].records.rates
    found = due_versions(rates, (datetime.now(UTC) + timedelta(days=3)).date())

    assert [str(version.ref) for version in found] == ["rates/no-sms@1"]
    assert "rates/no-sms@2 is over, and was never active: withdraw it" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("begins", "said"),
    [(-1, "before today: nobody can approve it any more"), (0, "nobody can approve it from tomorrow on")],
)
def test_who_hands_in_late_is_warned(desk: Desk, tmp_path: Path, begins: int, said: str) -> None:
    """By submit and by import, with the place of the day."""
    text = desk.run("export", exit_code=0).stdout_bytes.decode()
    sheet = tmp_path / "new.csv"
    late = text.replace("no-sms,1", "no-sms,2").replace(day(0), day(begins))
    sheet.write_text(late, encoding="utf-8", newline="")
    imported = desk.run("import", str(sheet), actor="ida", exit_code=0)
    submitted = desk.run("submit", "no-sms@2", actor="ida", exit_code=0)

    assert f"warning: {sheet}:2:" in imported.stderr
    assert f"warning: {desk.folder}/rates/no.yaml:" in submitted.stderr
    assert said in imported.stderr
    assert said in submitted.stderr


def test_who_hands_in_early_is_not_warned(desk: Desk) -> None:
    """Tomorrow can be approved today and tomorrow."""
    desk.write(draft(2, begins=1))

    assert "warning" not in desk.run("submit", "no-sms@2", actor="ida", exit_code=0).stderr


def test_many_are_approved_by_a_line_each(desk: Desk) -> None:
    """Old price and day, new price and day, or that it is new; other fields that change are named."""
    desk.bring("no-sms@1", "active")
    desk.write(
        draft(2, price="0.09", begins=30).replace("    unit", "    billing_terms: [prepaid]\n    unit"),
        draft(name="no-sms-usd").replace("EUR", "USD"),
    )
    desk.run("submit", "--state", "draft", actor="ida", exit_code=0)
    shown = desk.run("approve", "--state", "submitted", "--dry-run", actor="omar", exit_code=0).stderr
    lines = [" ".join(line.split()) for line in shown.splitlines() if "@" in line]

    assert [line.rpartition(" ")[0] for line in lines] == [
        f"no-sms@2 NO 0.10 EUR/segment from {day(0)} 0.09 EUR/segment from {day(30)}; also billing_terms",
        f"no-sms-usd@1 NO new 0.10 USD/segment from {day(0)}",
    ]
    assert lines[0].endswith(desk.content("no-sms@2")[:12])


def test_coverage_in_a_line() -> None:
    """Each field that changes, before and after."""
    after = replace(COVERAGE, version=2, support=Support.LIMITED)
    name, country, before, then = summary_cells(COVERAGE, after, BOOK)

    assert (name, country) == (f"{COVERAGE.id}@2", COVERAGE.market)
    assert (before, then) == (f"support {COVERAGE.support}", "support limited")
    assert summary_cells(None, after, BOOK)[2] == "new"
