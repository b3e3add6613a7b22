"""What the HTML page of a result shows beside the failures: numbers, charts, coverage, the run."""

import re
from typing import Any

from markupsafe import Markup

from devportal.conformance.results import charts
from devportal.conformance.results.contract_coverage import coverage_tallies
from devportal.conformance.results.reproduction import reproduce_commands
from devportal.conformance.results.result import OperationResult, Result, constraint_tally
from devportal.conformance.results.summary import first_step, verdict_text
from devportal.conformance.results.wording import (
    VERDICT_PASSED,
    body_text,
    check_page,
    group_failures,
    joined_texts,
    operation_verdict,
    standing_text,
    status_text,
    uncounted_text,
)
from devportal.reporting.printable import count_noun, printable_text

_MOST_GROUPS = 200
"""How many failures are shown in full: browsers are slow with pages of many megabytes."""
_MOST_NEVER = 500


def render_code_spans(text: str) -> Markup:
    """Return a text as HTML, text in backticks as code."""
    parts = re.split(r"`([^`]+)`", text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else part for number, part in enumerate(parts)
    )


def page_values(result: Result) -> dict[str, Any]:
    """Return what the template of the page takes."""
    counted = result.counted_failures
    red = group_failures(counted)
    uncounted = group_failures(failure for failure in result.failures if not (counted and failure.fails))
    return {
        "result": result,
        "red": red[:_MOST_GROUPS],
        "more_red": max(len(red) - _MOST_GROUPS, 0),
        "uncounted": uncounted[:_MOST_GROUPS],
        "tiles": _tiles(result, len(red), len(uncounted)),
        "never_of": lambda tally: tally.never[:_MOST_NEVER],
        "tallies": coverage_tallies(result),
        "verdict_of": operation_verdict,
        "scale_ms": charts.latency_scale_ms(result.operations),
        "charts": charts,
        "page_of": lambda check: check_page(result.site, check),
        "curls": reproduce_commands,
        "joined": joined_texts,
        "body": lambda answer: body_text(answer, 2000),
        "standing": standing_text,
        "why_not": uncounted_text,
        "status": status_text,
        "shown": printable_text,
        "coded": render_code_spans,
        "verdict": verdict_text(result),
        "first_step": first_step(result),
        "constraints": constraint_tally(result.operations),
        "response_constraints": constraint_tally(result.operations, in_responses=True),
        "tally_of": lambda operation: constraint_tally([operation]),
        "unexercised": unexercised_constraints,
        "counted": count_noun,
    }


def unexercised_constraints(operation: OperationResult) -> tuple[str, ...]:
    """Return a line for each constraint of an operation that the run did not exercise in full."""
    lines = []
    for constraint in operation.constraints:
        missing = [
            *(["never seen" if constraint.in_response else "not obeyed"] if constraint.obeyed == 0 else []),
            *(["not broken"] if constraint.broken == 0 else []),
        ]
        if missing:
            lines.append(
                f"`{constraint.where}` {constraint.keyword} {constraint.value}".rstrip()
                + f": {', '.join(missing)}"
            )
    return tuple(lines[:_MOST_NEVER])


def _tiles(result: Result, red: int, uncounted: int) -> list[tuple[str, str, str, str]]:
    """Return the numbers at the top: kind, number, what it counts, the section with the details."""
    of, untested = len(result.operations), sum(gap.applies for gap in result.gaps)
    passed = sum(
        operation_verdict(result, operation).kind == VERDICT_PASSED for operation in result.operations
    )
    return [
        (
            "failed" if red else "none",
            f"{red:,}",
            "failures" if red != 1 else "failure",
            "failures" if red else "",
        ),
        ("passed" if passed else "none", f"{passed:,}/{of:,}", "operations passed", "operations"),
        (
            "doubtful" if uncounted else "none",
            f"{uncounted:,}",
            "not counted",
            "uncounted" if uncounted else "",
        ),
        (
            "doubtful" if untested else "none",
            f"{untested:,}",
            "not tested",
            "gaps" if result.gaps else "",
        ),
        ("plain", f"{result.cases:,}", "requests", "run"),
    ]
