"""A result as SARIF 2.1.0 (OASIS): each failure at the line of the contract that makes the promise."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from devportal.conformance.results.curl import curl_command
from devportal.conformance.results.result import QUIET_STANDINGS, Failure, Result, RunWarning, Standing
from devportal.conformance.results.wording import (
    check_page,
    failure_place,
    printable_text,
    status_text,
    uncounted_text,
)
from devportal.reporting import escape_message, sarif_location, sarif_log

_FINGERPRINT = "devportalConformance/v1"
Checkout = Callable[[str], str]
"""Returns what a forge calls a file."""


def to_sarif(result: Result, checkout: Checkout = str) -> str:
    """Return the result as a log with one run."""
    rules = [*_rules(result)]
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    results = [
        *(_failure_result(one, result, index, checkout) for one in result.failures),
        *(_warning_result(one, result, index, checkout) for one in result.warnings),
    ]
    return json.dumps(sarif_log("devportal conformance", rules, results), indent=2) + "\n"


def _rules(result: Result) -> Iterator[dict[str, Any]]:
    titles: dict[str, str] = {}
    for one in result.failures:
        titles.setdefault(one.check, one.title)
    for check, title in sorted(titles.items()):
        page = check_page(result.site, check)
        rule = {
            "id": check,
            "shortDescription": {"text": check.replace("_", " ").replace("-", " ")},
            "fullDescription": {
                "text": f"The deployment breaks a promise of its contract: {printable_text(title)}."
            },
            "help": {"text": f"What is promised, how it is tested and what to do: {page}"},
            "defaultConfiguration": {"level": "error"},
        }
        yield {**rule, "helpUri": page} if result.site else rule
    for kind in sorted({one.kind for one in result.warnings}):
        yield {"id": _warning_rule(kind), "shortDescription": {"text": kind.replace("_", " ")}}


def _warning_rule(kind: str) -> str:
    return f"warning/{kind}"


def _failure_result(
    failure: Failure, result: Result, index: dict[str, int], checkout: Checkout
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "ruleId": failure.check,
        "ruleIndex": index[failure.check],
        "level": _sarif_level(failure),
        "message": {"text": escape_message(_failure_message(failure))},
        "locations": [
            sarif_location(failure_place(failure, result, checkout), printable_text(failure.operation))
        ],
        "partialFingerprints": {_FINGERPRINT: failure.fingerprint},
        "properties": {
            "operation": printable_text(failure.operation),
            "standing": failure.standing.value,
            "count": failure.count,
            "seed": result.seed,
            "reproduce": [printable_text(curl_command(one.request), 20_000) for one in failure.evidence],
        },
    }
    if failure.standing is Standing.KNOWN:
        why = escape_message(printable_text(uncounted_text(failure)))
        found["suppressions"] = [{"kind": "external", "status": "accepted", "justification": why}]
    return found


def _sarif_level(failure: Failure) -> str:
    if failure.fails or failure.standing is Standing.KNOWN:
        return "error"
    return "note" if failure.standing in QUIET_STANDINGS else "warning"


def _failure_message(failure: Failure) -> str:
    lines = [
        f"{failure.operation or 'The whole run'}: {failure.title}: {printable_text(failure.message, 800)}"
    ]
    if failure.exchange is not None:
        lines.append(f"Came back: {status_text(failure.exchange.status)}.")
    if not failure.fails:
        lines.append(f"Not counted: {uncounted_text(failure)}.")
    return printable_text("\n".join(lines), 2000)


def _warning_result(
    one: RunWarning, result: Result, index: dict[str, int], checkout: Checkout
) -> dict[str, Any]:
    return {
        "ruleId": _warning_rule(one.kind),
        "ruleIndex": index[_warning_rule(one.kind)],
        "level": "error" if one.gates else "warning",
        "message": {
            "text": escape_message(printable_text(f"{one.message} ({', '.join(one.subjects)})", 2000))
        },
        "locations": [sarif_location(failure_place(None, result, checkout))],
    }
