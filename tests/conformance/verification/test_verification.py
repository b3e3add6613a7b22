"""Reports in a folder become a page and marks, which say no more than the reports do."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from devportal.conformance.results.result import (
    UNFINISHED,
    CoveredConstraint,
    Failure,
    OperationResult,
    Result,
    Source,
    Standing,
)
from devportal.conformance.verification import (
    INDEX,
    STATUS,
    Guide,
    conformance_pages,
    operation_marks,
    read_runs,
)
from devportal.conformance.verification.run_history import LEAST_FAILED, run_chart
from devportal.contract import Contract, load_contract
from devportal.errors import UnreadableInput
from devportal.markup import Page
from devportal.reporting import Format
from tests.conformance.running import CONTRACT
from tests.conformance.values import FAILURE, HOSTILE, LABEL, result, write_result

THREE_OF_FOUR = (
    CoveredConstraint(where="body /size", keyword="maximum", value="9", obeyed=1, broken=2),
    CoveredConstraint(where="query q", keyword="minLength", value="1", obeyed=3, broken=0),
)
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


def with_current_contract(run: Result, contract: Contract, **changes: object) -> Result:
    """Return a run against the current contract."""
    current = replace(run, contract_version=contract.api.version, contract_digest=contract.digest)
    return replace(current, **changes)  # type: ignore[arg-type]  # dataclasses.replace takes what fits


def write_results(folder: Path, results: Sequence[Result]) -> Path:
    """Write reports into a folder."""
    for number, item in enumerate(results):
        path = folder / f"{number}.json"
        path.write_text(write_result(item, Format.JSON), encoding="utf-8")
    return folder


def marks(folder: Path, contract: Contract, *results: Result) -> list[str]:
    """Return the words at the operation."""
    runs = read_runs(write_results(folder, results), name="runs")
    return [history_mark.words for history_mark in operation_marks(runs, contract).get((LABEL, ""), ())]


def page(folder: Path, contract: Contract, *results: Result, checks: str = "") -> Page:
    """Return the page of the deployments."""
    runs = read_runs(write_results(folder, results), name="runs")
    _, made = conformance_pages(runs, contract, operations=URIS, checks=checks)
    assert made.uri == STATUS
    return made


def test_a_mark_has_the_share_of_exercised_constraints(tmp_path: Path, contract: Contract) -> None:
    """Verified says more if most of what the contract demands was tried."""
    run = with_current_contract(result(), contract)
    operations = tuple(
        replace(operation_result, constraints=THREE_OF_FOUR) for operation_result in run.operations
    )

    assert marks(tmp_path, contract, replace(run, operations=operations)) == [
        "verified 2026-11-21 (75 % of constraints)"
    ]
    status = page(tmp_path, contract, replace(run, operations=operations))
    assert "Constraints: 3 of 4" in status.markdown


def test_a_run_that_found_nothing_verifies_its_operations(tmp_path: Path, contract: Contract) -> None:
    """The mark has the day, and leads to the operation's row."""
    run = with_current_contract(result(), contract)
    assert marks(tmp_path, contract, run) == ["verified 2026-11-21"]

    runs = read_runs(tmp_path, name="runs")
    (mark,) = operation_marks(runs, contract)[(LABEL, "")]
    uri, _, anchor = mark.uri.partition("#")
    assert uri == STATUS
    assert f'<tr id="{anchor}">' in page(tmp_path, contract, run).body


def test_the_newest_run_of_a_deployment_counts(tmp_path: Path, contract: Contract) -> None:
    """What it found before is history, in whatever order the files are."""
    later = datetime(2026, 11, 22, 1, 0, tzinfo=UTC)
    broken = with_current_contract(result(FAILURE), contract, started_at=later)

    assert marks(tmp_path, contract, broken, with_current_contract(result(), contract)) == [
        "1 failed 2026-11-22"
    ]


def test_the_day_is_that_of_utc(tmp_path: Path, contract: Contract) -> None:
    """Where in the world a run was made changes nothing."""
    there = datetime.fromisoformat("2026-11-22T01:00:00+05:00")

    assert marks(tmp_path, contract, with_current_contract(result(), contract, started_at=there)) == [
        "verified 2026-11-21"
    ]


def test_other_deployments_are_told_beside_it(tmp_path: Path, contract: Contract) -> None:
    """Each deployment has a mark of its own."""
    other = with_current_contract(result(FAILURE), contract, url="https://api.example.com/")

    told = marks(tmp_path, contract, with_current_contract(result(), contract), other)
    assert sorted(told) == ["1 failed 2026-11-21", "verified 2026-11-21"]


def test_another_contract_is_told(tmp_path: Path, contract: Contract) -> None:
    """A run against an older contract does not claim to be about this one."""
    older = with_current_contract(result(), contract, contract_version="0.9", contract_digest="1" * 64)
    edited = with_current_contract(result(), contract, contract_digest="1" * 64, url="http://127.0.0.1:2")

    assert sorted(marks(tmp_path, contract, older, edited)) == [
        "verified 2026-11-21 against 0.9",
        "verified 2026-11-21 before later changes",
    ]
    assert "before later changes to it" in page(tmp_path, contract, older, edited).body


def test_nothing_is_claimed_of_what_was_not_tested(tmp_path: Path, contract: Contract) -> None:
    """No request, no end, no such operation: no mark."""
    run = with_current_contract(result(), contract)
    (operation,) = run.operations
    unasked = replace(run, operations=(replace(operation, cases=0, statuses=()),))
    gone = replace(run, operations=(replace(operation, label="GET /v0/gone"),))

    assert marks(tmp_path, contract, unasked) == []
    assert "not tested" in page(tmp_path, contract, unasked).body
    assert marks(tmp_path, contract, gone) == []
    assert marks(tmp_path, contract, with_current_contract(result(STOPPED), contract)) == []
    assert "did not finish" in page(tmp_path, contract, with_current_contract(result(STOPPED), contract)).body


def test_pages_without_a_report_claim_nothing(tmp_path: Path, contract: Contract) -> None:
    """They are there for the navigation, and say that there are no results."""
    pages = list(conformance_pages(read_runs(tmp_path, name="runs"), contract, operations=URIS))

    assert [item.uri for item in pages] == ["conformance/index.md", "conformance/status.md"]
    assert all("No results are published yet." in item.body and "Conforms" not in item.body for item in pages)


def test_the_page_shows_failures_coverage_and_what_was_not_tested(tmp_path: Path, contract: Contract) -> None:
    """In HTML and for machines, with links to operation and check."""
    made = page(
        tmp_path, contract, with_current_contract(result(FAILURE), contract), checks="conformance/checks.md"
    )

    for text in (made.body, made.markdown):
        assert "1 of 1 operation fails (run of 21 November 2026)." in text
        assert "a token of another tenant" in text
        assert "1 of 2" in text
    assert 'href="../../reference/parcels/register-parcel/"' in made.body
    assert 'href="../checks/#unique-ids"' in made.body
    assert [heading.title for heading in made.headings] == ["127.0.0.1:1"]


def test_the_first_line_says_whether_it_is_fine(tmp_path: Path, contract: Contract) -> None:
    """Directly below the heading, and for each deployment by its name where there are several."""
    other = with_current_contract(result(FAILURE), contract, url="https://api.example.com/")

    one = page(tmp_path, contract, with_current_contract(result(), contract)).markdown.split("\n\n")
    both = page(tmp_path, contract, with_current_contract(result(), contract), other).markdown.split("\n\n")

    assert one[1] == "Conforms to the contract (run of 21 November 2026)."
    assert "api.example.com: 1 of 1 operation fails (run of 21 November 2026)." in both[1:3]


def test_a_failure_of_no_operation_is_in_the_first_line(tmp_path: Path, contract: Contract) -> None:
    """What concerns the whole run fails it although no operation does."""
    whole = replace(FAILURE, operation="")

    text = page(tmp_path, contract, with_current_contract(result(whole), contract)).markdown

    assert "Does not conform to the contract: 1 failure (run of 21 November 2026)." in text


def operation(label: str, run: Result) -> OperationResult:
    """Return the operation of a run under another label."""
    return replace(run.operations[0], label=label)


def test_operations_are_grouped_with_failures_first(tmp_path: Path, contract: Contract) -> None:
    """Groups where all operations passed are closed; a failing operation is the first of its open group."""
    run = with_current_contract(result(replace(FAILURE, operation="GET /v1/parcels/{parcelId}")), contract)
    labels = ["GET /v0/gone", "GET /v0/gone-too", LABEL, "GET /v1/parcels/{parcelId}"]
    made = page(tmp_path, contract, replace(run, operations=tuple(operation(label, run) for label in labels)))

    group = r'<details class="dp-group"( open)?><summary data-markdown-ignore>(?:<bdi[^>]*>)?([^<]+)'
    groups = re.findall(group, made.body)
    assert [(bool(is_open), title.strip()) for is_open, title in groups][:2] == [
        (True, "Parcels"),
        (False, "Not in the current contract"),
    ]
    assert re.findall(r"^\| \[?`([^`]+)`[^|]*\| (\w+[^|]*) \|", made.markdown, re.MULTILINE)[:3] == [
        ("GET /v1/parcels/{parcelId}", "1 failed"),
        (LABEL, "Passed"),
        ("GET /v0/gone", "Passed"),
    ]
    assert "#### Not in the current contract: 2 operations passed" in made.markdown


def test_runs_are_listed_the_newest_first(tmp_path: Path, contract: Contract) -> None:
    """Each with its result and its first failure; the number is bounded."""
    day = timedelta(days=1)
    runs = [
        with_current_contract(result(), contract, started_at=datetime(2026, 1, 1, tzinfo=UTC) + day * number)
        for number in range(110)
    ]
    runs[100] = with_current_contract(result(FAILURE, HOSTILE), contract, started_at=runs[100].started_at)
    made = page(tmp_path, contract, *runs)

    assert made.body.count("<time ") == 100
    assert "And 10 more." in made.body
    assert made.body.index("2026-04-19") < made.body.index("2026-04-18")
    assert (
        "| 2026-04-11T00:00:00+00:00 | 1 of 1 operations failed | [`POST /v1/parcels`]"
        "(../reference/parcels/register-parcel.md) two resources have the same 'id' | 1.0 | 7 |"
    ) in made.markdown.replace(contract.api.version, "1.0")


def test_the_drawing_has_a_bar_for_each_run_and_says_so(tmp_path: Path, contract: Contract) -> None:
    """From the oldest to the newest; failures take a part of the bar that is seen."""
    day = timedelta(days=1)
    start = datetime(2026, 1, 1, tzinfo=UTC)
    runs = [
        with_current_contract(result(), contract, started_at=start),
        with_current_contract(result(FAILURE), contract, started_at=start + day),
        with_current_contract(result(STOPPED), contract, started_at=start + 2 * day),
    ]
    made = page(tmp_path, contract, *runs)

    drawing = made.body.partition('<svg data-markdown-ignore class="dp-runs"')[2].partition("</svg>")[0]
    assert 'aria-label="The last 3 runs: 1 passed, 1 failed, 1 unfinished"' in drawing
    assert re.findall(r"<title>([^<]*)</title>", drawing) == [
        "1 January 2026: passed",
        "2 January 2026: 1 of 1 operations failed",
        "3 January 2026: unfinished",
    ]
    assert drawing.count("dp-runs__failed") == 1
    assert run_chart(read_runs(tmp_path, name="runs")).bars[1].failed_height >= LEAST_FAILED


def test_the_index_leads_to_each_deployment_and_to_the_guides(tmp_path: Path, contract: Contract) -> None:
    """Unless somebody wrote that page by hand."""
    other = with_current_contract(result(FAILURE), contract, url="https://api.example.com/")
    runs = read_runs(write_results(tmp_path, [with_current_contract(result(), contract), other]), name="runs")
    guides = (Guide("conformance/running.md", "Run the tests", "On a laptop."),)

    index, _ = conformance_pages(runs, contract, operations=URIS, guides=guides)
    alone = conformance_pages(runs, contract, operations=URIS, has_index=False)

    assert index.uri == INDEX
    assert 'href="status/#api-example-com"' in index.body
    assert "1 of 1 operation fails" in index.body
    assert '<a href="running/">Run the tests</a>' in index.body
    assert [item.uri for item in alone] == [STATUS]


def test_what_a_deployment_says_is_shown_as_text(tmp_path: Path, contract: Contract) -> None:
    """Neither markup nor control characters get into a page."""
    hostile = replace(HOSTILE, title="<script>alert(1)</script>", message="\x1b[31m<b>|`*_\n# x")
    made = page(tmp_path, contract, with_current_contract(result(hostile), contract))

    assert "<script>" not in made.body
    assert "\x1b" not in made.body + made.markdown
    assert "\n# x" not in made.markdown
    assert "<b>" not in made.markdown


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        (b"{", "conformance/x.json", "not JSON"),
        (b"[]", "conformance/x.json", "not a result of format"),
        (b"\xff", "conformance/x.json:1:1", "not UTF-8 text: it has the byte 0xff here"),
    ],
)
def test_what_is_no_report_is_an_error_with_its_place(
    tmp_path: Path, content: bytes, place: str, message: str
) -> None:
    """A folder of reports holds reports."""
    (tmp_path / "x.json").write_bytes(content)

    with pytest.raises(UnreadableInput, match=message) as caught:
        read_runs(tmp_path, name="conformance")
    assert str(caught.value.place) == place


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """A wrong setting does not pass for a portal without runs."""
    with pytest.raises(UnreadableInput, match="no such folder"):
        read_runs(tmp_path / "none", name="none")
