"""Several who write at once, and writers that are killed: no entry and no change is lost or halved."""

import os
import shutil
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner, Result

from devportal.catalog import AuditLog, Records, published
from devportal.catalog.records.loading import PENDING
from devportal.cli import cli
from devportal.project.inputs import Inputs
from devportal.site.sections.rates import RatesSection
from devportal.site.sections.section import SectionContext

from .desk import Desk, draft
from .steps import was_killed

WRITERS = 4
EACH = 5


def test_four_writers_at_once(desk: Desk) -> None:
    """Each write is there once, in a whole chain, and no record has changed without its entry."""
    desk.run("draft", "no-sms@1", actor="ida", exit_code=0)
    names = [[f"no-sms-{writer}{number}" for number in range(EACH)] for writer in range(WRITERS)]
    desk.write(*(draft(name=name, begins=1) for own in names for name in own))
    processes = [_write_in_a_process(desk, own) for own in names]
    codes = [os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for process in processes]
    written = [(entry["record"], entry["action"]) for entry in desk.log()[1:]]

    assert codes == [0] * WRITERS
    assert sorted(written) == sorted(
        (f"rates/{name}@1", action)
        for own in names
        for name in own
        for action in ("create", "submit", "reject")
    )
    assert {state for name, state in desk.states().items() if name != "no-sms@1"} == {"rejected"}
    assert desk.findings() == []


def _write_in_a_process(desk: Desk, names: list[str]) -> int:
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        for name in names:
            desk.run("submit", f"{name}@1", actor="ida", exit_code=0)
            desk.run("reject", f"{name}@1", "--reason", "x", actor="omar", exit_code=0)
        code = 0
    finally:
        os._exit(code)


def test_readers_beside_a_writer(desk: Desk) -> None:
    """Whoever reads while others write sees records and log that fit each other."""
    desk.write(*(draft(name=f"no-sms-{number}", begins=1) for number in range(8)))
    desk.run("draft", "--state", "draft", actor="ida", exit_code=0)
    seen = [desk.run("list", exit_code=0)]
    process = _write_in_a_process(desk, [f"no-sms-{number}" for number in range(8)])
    while (ended := os.waitpid(process, os.WNOHANG)) == (0, 0):
        seen.append(desk.run("list", exit_code=0))
    seen.append(desk.run("list", exit_code=0))

    assert os.waitstatus_to_exitcode(ended[1]) == 0
    assert [result.stderr for result in seen if result.stderr] == []
    assert seen[-1].stdout.count("rejected") == 8


@pytest.mark.deep
def test_a_killed_command_is_done_or_not_done(desk: Desk) -> None:
    """Killed at any step, and recovered: all of the write is there or nothing, and the check is clean."""
    desk.bring("no-sms@1", "active")
    desk.write(draft(2, price="0.09"))
    desk.bring("no-sms@2", "approved")
    desk.run("draft", "no-sms@1", actor="omar", exit_code=1)
    kept = desk.folder.with_name("kept")
    shutil.copytree(desk.folder, kept)
    outcomes = []
    for step in range(1000):
        shutil.rmtree(desk.folder)
        shutil.copytree(kept, desk.folder)
        if not was_killed(step, lambda: desk.run("activate", "no-sms@2", actor="lin")):
            break
        desk.run("recover", exit_code=0)
        states = tuple(desk.states().values())
        assert states in {("active", "approved"), ("superseded", "active")}
        assert desk.findings() == [], f"killed at step {step}"
        assert len(desk.log()) == (8 if states[0] == "active" else 10)
        outcomes.append(states[0])

    assert {"active", "superseded"} == set(outcomes)
    assert desk.states() == {"no-sms@1": "superseded", "no-sms@2": "active"}


def test_whoever_only_reads_reports_an_interrupted_write(desk: Desk) -> None:
    """A build or check right after a kill says what to run, publishes nothing, and changes no byte."""
    interrupt(desk)
    before = desk.files()
    today = datetime.now(UTC).date()
    inputs = Inputs(root=desk.folder.parent, contract=None, records=desk.folder, today=today)

    rates = RatesSection.read(SectionContext(inputs=inputs))

    (found,) = rates.findings
    assert rates.public == published(Records(), AuditLog(), today)
    assert (found.rule, found.place.file) == ("catalog-interrupted", "data/.pending.json")
    assert "run devportal rates recover --records data" in found.help
    assert run_check(desk).exit_code == 1
    assert desk.files() == before


@pytest.mark.parametrize(
    "command", [("list",), ("show", "no-sms@1"), ("log",), ("export",), ("diff", "no-sms@1")]
)
def test_queries_refuse_records_that_are_written_in_part(desk: Desk, command: tuple[str, ...]) -> None:
    """They would show neither what was before the write nor what is after it."""
    interrupt(desk)
    before = desk.files()

    result = desk.run(*command, exit_code=2)

    assert "a write to these records was interrupted" in result.stderr
    assert f"run devportal rates recover --records {desk.folder}" in result.stderr
    assert desk.files() == before


def test_a_dry_run_finishes_nothing(desk: Desk) -> None:
    """It writes nothing, not even what somebody else began to write."""
    interrupt(desk)
    before = desk.files()

    desk.run("submit", "no-sms@1", "--dry-run", actor="ida", exit_code=2)

    assert desk.files() == before


def test_recover_finishes_an_interrupted_write(desk: Desk) -> None:
    """It prints the files that the write was about; where there is none it says so, and succeeds."""
    interrupt(desk)

    finished, again = desk.run("recover", exit_code=0), desk.run("recover", kind="coverage", exit_code=0)

    assert finished.stdout.splitlines() == [f"{desk.folder}/rates/no.yaml", f"{desk.folder}/audit.jsonl"]
    assert (again.stdout, "No write was interrupted" in again.stderr) == ("", True)
    assert desk.states() == {"no-sms@1": "withdrawn"}
    assert desk.findings() == []


def test_the_next_write_finishes_an_interrupted_one(desk: Desk) -> None:
    """Whoever writes holds the folder alone anyway."""
    desk.write(draft(name="no-sms-usd").replace("EUR", "USD"))
    interrupt(desk)

    desk.run("submit", "no-sms-usd@1", actor="ida", exit_code=0)

    assert desk.states() == {"no-sms@1": "withdrawn", "no-sms-usd@1": "submitted"}
    assert desk.findings() == []


def interrupt(desk: Desk) -> None:
    """Have the withdrawal of an active version killed at its first step after it counts."""
    desk.bring("no-sms@1", "active")
    kept = desk.folder.with_name("kept")
    shutil.copytree(desk.folder, kept)
    withdraw = ("withdraw", "no-sms@1", "--reason", "x")
    for step in range(1000):
        shutil.rmtree(desk.folder)
        shutil.copytree(kept, desk.folder)
        assert was_killed(step, lambda: desk.run(*withdraw, actor="lin"))
        if (desk.folder / PENDING).exists():
            return


def run_check(desk: Desk) -> Result:
    """Check the records alone."""
    return CliRunner().invoke(cli, ["check", "--records", str(desk.folder)])
