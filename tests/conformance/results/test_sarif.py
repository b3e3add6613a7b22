"""SARIF: what code scanning needs to show a failure at its promise."""

import json
from dataclasses import replace
from datetime import date
from typing import Any

from devportal.conformance.results.result import Failure, KnownFailure, RunWarning, Standing
from devportal.conformance.results.wording import check_page
from devportal.reporting import Format
from tests.conformance.values import FAILURE, FLUKE, HOSTILE, LABEL, result, write_result

KNOWN = replace(
    FAILURE,
    standing=Standing.KNOWN,
    known=KnownFailure(reason="Soon.", expires=date(2027, 1, 1), owner="ops"),
)


def log(*failures: Failure, site: str = "") -> dict[str, Any]:
    warned = RunWarning(kind="missing_auth", subjects=(LABEL,), message="all is 401", gates=True)
    value = replace(result(*failures, warnings=(warned,)), site=site)
    text = write_result(value, Format.SARIF, lambda file: f"api/{file}")
    run: dict[str, Any] = json.loads(text)["runs"][0]
    return run


def test_a_failure_stands_at_the_line_of_its_promise() -> None:
    """By the path in the checkout; with a fingerprint that the next run gives again."""
    (found, _) = log(FAILURE)["results"]

    physical = found["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "api/parcels.yaml"
    assert physical["region"] == {"startLine": 30, "startColumn": 9}
    assert found["level"] == "error"
    assert found["partialFingerprints"] == {"devportalConformance/v1": FAILURE.fingerprint}
    assert found["properties"]["reproduce"][0].startswith("curl ")


def test_every_result_names_its_rule() -> None:
    """The index leads to the rule of the same id, also that of a warning."""
    run = log(FAILURE, FLUKE, replace(FAILURE, check="methods"))

    rules = run["tool"]["driver"]["rules"]
    assert [rules[item["ruleIndex"]]["id"] for item in run["results"]] == [
        item["ruleId"] for item in run["results"]
    ]
    assert {item["ruleId"] for item in run["results"]} == {"unique-ids", "methods", "warning/missing_auth"}


def test_what_is_known_is_suppressed_and_what_did_not_show_again_is_a_note() -> None:
    """Code scanning then counts neither."""
    (known, fluke, _) = log(KNOWN, FLUKE)["results"]

    assert known["suppressions"] == [
        {"kind": "external", "status": "accepted", "justification": "known until 2027-01-01, ops: Soon."}
    ]
    assert fluke["level"] == "note"


def test_a_rule_links_to_its_page_where_the_portal_is_known() -> None:
    """A link has to be absolute (SARIF 2.1.0 §3.49.12)."""
    assert "helpUri" not in log(FAILURE)["tool"]["driver"]["rules"][0]
    rule = log(FAILURE, site="https://portal.example")["tool"]["driver"]["rules"][0]
    assert rule["helpUri"] == check_page("https://portal.example", "unique-ids")


def test_hostile_text_is_escaped() -> None:
    """Control characters of a deployment reach nobody's terminal by way of a log."""
    message = log(HOSTILE)["results"][0]["message"]["text"]

    assert "\x1b" not in message
    assert "\\u001b" in message
