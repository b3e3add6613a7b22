"""Reports in a folder become a page and marks, which say no more than the reports do."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from devportal.conformance.results.result import UNFINISHED, Failure, Result, Source, Standing
from devportal.conformance.verification import STATUS, operation_marks, read_runs, status_pages
from devportal.contract import Contract, load_contract
from devportal.errors import UnreadableInput
from devportal.markup import Page
from devportal.reporting import Format
from tests.conformance.running import CONTRACT
from tests.conformance.values import FAILURE, HOSTILE, LABEL, result, write_result

URIS = {LABEL: "reference/parcels/register-parcel.md"}
STOPPED = Failure(
    check="whole-run",
    source=Source.GATE,
    title=UNFINISHED,
    message="time was over",
    standing=Standing.CERTAIN,
    gates=True,
)


@pytest.fixture(scope="module")
def contract() -> Contract:
    """Return the contract that the runs are about."""
    return load_contract(CONTRACT)


def now(run: Result, contract: Contract, **changes: object) -> Result:
    """Return a run against the contract as it is."""
    current = replace(run, contract_version=contract.api.version, contract_digest=contract.digest)
    return replace(current, **changes)  # type: ignore[arg-type]  # dataclasses.replace takes what fits


def written(folder: Path, results: Sequence[Result]) -> Path:
    """Write reports into a folder."""
    for number, one in enumerate(results):
        path = folder / f"{number}.json"
        path.write_text(write_result(one, Format.JSON), encoding="utf-8")
    return folder


def marks(folder: Path, contract: Contract, *results: Result) -> list[str]:
    """Return the words at the operation."""
    runs = read_runs(written(folder, results), name="runs")
    return [one.words for one in operation_marks(runs, contract).get((LABEL, ""), ())]


def page(folder: Path, contract: Contract, *results: Result, checks: str = "") -> Page:
    """Return the page of the deployments."""
    runs = read_runs(written(folder, results), name="runs")
    (made,) = status_pages(runs, contract, operations=URIS, checks=checks)
    return made


def test_a_run_that_found_nothing_verifies_its_operations(tmp_path: Path, contract: Contract) -> None:
    """The mark has the day, and leads to the operation's row."""
    run = now(result(), contract)
    assert marks(tmp_path, contract, run) == ["verified 2026-11-21"]

    runs = read_runs(tmp_path, name="runs")
    (mark,) = operation_marks(runs, contract)[(LABEL, "")]
    uri, _, anchor = mark.uri.partition("#")
    assert uri == STATUS
    assert f'<tr id="{anchor}">' in page(tmp_path, contract, run).body


def test_the_newest_run_of_a_deployment_counts(tmp_path: Path, contract: Contract) -> None:
    """What it found before is history, in whatever order the files are."""
    later = datetime(2026, 11, 22, 1, 0, tzinfo=UTC)
    broken = now(result(FAILURE), contract, started_at=later)

    assert marks(tmp_path, contract, broken, now(result(), contract)) == ["1 failed 2026-11-22"]


def test_the_day_is_that_of_utc(tmp_path: Path, contract: Contract) -> None:
    """Where in the world a run was made changes nothing."""
    there = datetime.fromisoformat("2026-11-22T01:00:00+05:00")

    assert marks(tmp_path, contract, now(result(), contract, started_at=there)) == ["verified 2026-11-21"]


def test_other_deployments_are_told_beside_it(tmp_path: Path, contract: Contract) -> None:
    """Each deployment has a mark of its own."""
    other = now(result(FAILURE), contract, url="https://api.example.com/")

    told = marks(tmp_path, contract, now(result(), contract), other)
    assert sorted(told) == ["1 failed 2026-11-21", "verified 2026-11-21"]


def test_another_contract_is_told(tmp_path: Path, contract: Contract) -> None:
    """A run against an older contract does not claim to be about this one."""
    older = now(result(), contract, contract_version="0.9", contract_digest="1" * 64)
    edited = now(result(), contract, contract_digest="1" * 64, url="http://127.0.0.1:2")

    assert sorted(marks(tmp_path, contract, older, edited)) == [
        "verified 2026-11-21 against 0.9",
        "verified 2026-11-21 before later changes",
    ]
    assert "before later changes of it" in page(tmp_path, contract, older, edited).body


def test_nothing_is_claimed_of_what_was_not_tested(tmp_path: Path, contract: Contract) -> None:
    """No request, no end, no such operation: no mark."""
    run = now(result(), contract)
    (operation,) = run.operations
    unasked = replace(run, operations=(replace(operation, cases=0, statuses=()),))
    gone = replace(run, operations=(replace(operation, label="GET /v0/gone"),))

    assert marks(tmp_path, contract, unasked) == []
    assert "not tested" in page(tmp_path, contract, unasked).body
    assert marks(tmp_path, contract, gone) == []
    assert marks(tmp_path, contract, now(result(STOPPED), contract)) == []
    assert "did not finish" in page(tmp_path, contract, now(result(STOPPED), contract)).body


def test_no_report_no_page(tmp_path: Path, contract: Contract) -> None:
    """Without a report nothing is claimed."""
    assert list(status_pages(read_runs(tmp_path, name="runs"), contract, operations=URIS)) == []


def test_the_page_tells_faults_coverage_and_what_was_not_tested(tmp_path: Path, contract: Contract) -> None:
    """In HTML and for machines, with links to operation and check."""
    made = page(tmp_path, contract, now(result(FAILURE), contract), checks="conformance/checks.md")

    for text in (made.body, made.markdown):
        assert "It breaks its contract: 1 fault" in text
        assert "a token of another tenant" in text
        assert "1 of 2" in text
    assert 'href="../../reference/parcels/register-parcel/"' in made.body
    assert 'href="../checks/#unique-ids"' in made.body
    assert [one.title for one in made.headings] == ["127.0.0.1:1"]


def test_earlier_runs_are_listed_the_newest_first(tmp_path: Path, contract: Contract) -> None:
    """History is told run by run, and its length is bounded."""
    day = timedelta(days=1)
    runs = [
        now(result(), contract, started_at=datetime(2026, 1, 1, tzinfo=UTC) + day * number)
        for number in range(110)
    ]
    made = page(tmp_path, contract, *runs)

    assert made.body.count("<time ") == 100
    assert "And 9 more." in made.body
    assert made.body.index("2026-04-19") < made.body.index("2026-04-18")


def test_what_a_deployment_says_is_shown_as_text(tmp_path: Path, contract: Contract) -> None:
    """Neither markup nor control characters get into a page."""
    hostile = replace(HOSTILE, title="<script>alert(1)</script>", message="\x1b[31m<b>|`*_\n# x")
    made = page(tmp_path, contract, now(result(hostile), contract))

    assert "<script>" not in made.body
    assert "\x1b" not in made.body + made.markdown
    assert "\n# x" not in made.markdown
    assert "<b>" not in made.markdown


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"{", "not JSON"), (b"[]", "no result of format"), (b"\xff", "not UTF-8 text: byte 0xff at offset 0")],
)
def test_what_is_no_report_is_an_error_with_its_place(tmp_path: Path, content: bytes, message: str) -> None:
    """A folder of reports holds reports."""
    (tmp_path / "x.json").write_bytes(content)

    with pytest.raises(UnreadableInput, match=message) as caught:
        read_runs(tmp_path, name="conformance")
    assert str(caught.value.place) == "conformance/x.json"


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """A wrong setting does not pass for a portal without runs."""
    with pytest.raises(UnreadableInput, match="no such folder"):
        read_runs(tmp_path / "none", name="none")
