"""What a report says first."""

from dataclasses import replace

import pytest

from devportal.conformance.results.json_report import parse_json_report
from devportal.conformance.results.result import (
    UNFINISHED,
    CoveredConstraint,
    Result,
    Standing,
    UntestedCheck,
    constraint_tally,
)
from devportal.conformance.results.summary import first_step, verdict_text
from devportal.conformance.run.execute import exit_code
from devportal.reporting import Format
from tests.conformance.values import FAILURE, exchange, result, write_result

SERIOUS = replace(FAILURE, check="answers", title="no response", exchange=exchange(500))
HALF = (
    CoveredConstraint(where="body /size", keyword="maximum", value="9", obeyed=1, broken=0),
    CoveredConstraint(where="body /size", keyword="nullable", value="", obeyed=0, broken=None),
    CoveredConstraint(where="body", keyword="additionalProperties", value="", obeyed=None, broken=2),
    CoveredConstraint(
        where="200 body /kind", in_response=True, keyword="enum", value='"a"', obeyed=0, broken=None
    ),
)


def with_constraints(min_coverage: float | None) -> Result:
    """Return a clean result that exercised two of four."""
    clean = result()
    operations = tuple(replace(operation, constraints=HALF) for operation in clean.operations)
    return replace(clean, operations=operations, min_coverage=min_coverage)


def test_the_verdict_counts_failures_and_serious_ones() -> None:
    """A reader learns whether it is fine, and how bad it is."""
    assert verdict_text(result()) == "The deployment conforms to the contract"
    assert verdict_text(result(FAILURE)).endswith("not conform to the contract: 1 failure in 1 operation")
    assert verdict_text(result(FAILURE, SERIOUS)).endswith(": 2 failures in 1 operation, 1 serious")


def test_the_first_step_is_the_first_failure() -> None:
    """Reports order failures by gravity, so the first is the gravest."""
    assert first_step(result(FAILURE)) == ("Fix first: POST /v1/parcels: two resources have the same 'id'")


def test_a_common_cause_comes_before_the_failures_that_it_has() -> None:
    """Such as a wrong base URL."""
    found = replace(result(FAILURE), hints=("Is that the base URL?",))

    assert first_step(found) == "Look first: Is that the base URL?"


def test_a_clean_run_names_what_it_did_not_test() -> None:
    """Nothing to do means that everything was tested."""
    assert first_step(result()).startswith("Next: 1 check not tested (")
    assert not first_step(replace(result(), gaps=()))


def test_what_the_contract_does_not_promise_is_no_next_step() -> None:
    """Nobody can do anything about a check of links without links; of many checks a few are named."""
    needed = [UntestedCheck(check=f"check-{number}", reason="a token") for number in range(6)]
    unpromised = UntestedCheck(check="links", reason="a link", applies=False)

    assert not first_step(replace(result(), gaps=(unpromised,)))
    assert first_step(replace(result(), gaps=(unpromised, *needed))) == (
        "Next: 6 checks not tested (check-0, check-1, check-2, check-3 and 2 more)"
    )


def test_an_unfinished_run_has_no_step() -> None:
    """It is no verdict."""
    unfinished = replace(FAILURE, title=UNFINISHED, standing=Standing.CERTAIN, operation="")

    assert not first_step(result(unfinished))


@pytest.mark.parametrize(("demanded", "code"), [(None, 0), (50, 0), (50.1, 1), (100, 1)])
def test_too_little_coverage_fails_the_run(demanded: float | None, code: int) -> None:
    """Two of four ways to exercise the constraints are 50 percent."""
    found = with_constraints(demanded)

    assert constraint_tally(found.operations).percent == 50
    assert exit_code(found) == code
    assert ("50 % of the constraints exercised, below --min-coverage" in verdict_text(found)) == bool(code)


def test_no_constraints_are_all_of_them() -> None:
    """A contract without constraints lacks no coverage."""
    assert not replace(result(), min_coverage=100).lacks_coverage


def test_constraints_are_in_the_reports() -> None:
    """JSON keeps them, and HTML lists what is missing for each operation."""
    found = with_constraints(80)

    assert parse_json_report(write_result(found, Format.JSON), name="r.json") == found
    page = write_result(found, Format.HTML)
    assert "2 of 4 (50 %), with --min-coverage 80; in responses 0 of 1 were seen" in page
    assert "<code>200 body /kind</code> enum &#34;a&#34;: never seen" in page
    assert "<code>body /size</code> maximum 9: not broken" in page
    assert "<code>body /size</code> nullable: not obeyed" in page
    assert "additionalProperties" not in page.split("constraints", 1)[1].split("The run", 1)[0]
    assert 'name="coverage constraints" value="2/4"' in write_result(found, Format.JUNIT)
