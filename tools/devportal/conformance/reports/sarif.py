"""A result as SARIF 2.1.0 (OASIS): each failure at the line of the contract that makes the promise."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from devportal.conformance.reports.curl import curl
from devportal.conformance.reports.pages import check_page
from devportal.conformance.reports.places import place_of
from devportal.conformance.reports.standings import uncounted_text
from devportal.conformance.reports.text import shown, status_text
from devportal.conformance.result import QUIET, Failure, Result, Standing, Warned
from devportal.forges import literal, location, sarif_log

_FINGERPRINT = "devportalConformance/v1"
Checkout = Callable[[str], str]
"""Returns what a forge calls a file."""


def to_sarif(result: Result, checkout: Checkout = str) -> str:
    """Return the result as a log with one run."""
    rules = [*_rules(result)]
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    results = [
        *(_failure(one, result, index, checkout) for one in result.failures),
        *(_warning(one, result, index, checkout) for one in result.warnings),
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
            "fullDescription": {"text": f"The deployment breaks a promise of its contract: {shown(title)}."},
            "help": {"text": f"What is promised, how it is tested and what to do: {page}"},
            "defaultConfiguration": {"level": "error"},
        }
        yield {**rule, "helpUri": page} if result.site else rule
    for kind in sorted({one.kind for one in result.warnings}):
        yield {"id": _warning_rule(kind), "shortDescription": {"text": kind.replace("_", " ")}}


def _warning_rule(kind: str) -> str:
    return f"warning/{kind}"


def _failure(failure: Failure, result: Result, index: dict[str, int], checkout: Checkout) -> dict[str, Any]:
    found: dict[str, Any] = {
        "ruleId": failure.check,
        "ruleIndex": index[failure.check],
        "level": _level(failure),
        "message": {"text": literal(_message(failure))},
        "locations": [location(place_of(failure, result, checkout), shown(failure.operation))],
        "partialFingerprints": {_FINGERPRINT: failure.fingerprint},
        "properties": {
            "operation": shown(failure.operation),
            "standing": failure.standing.value,
            "count": failure.count,
            "seed": result.seed,
            "reproduce": [shown(curl(one.request), 20_000) for one in failure.evidence],
        },
    }
    if failure.standing is Standing.KNOWN:
        why = literal(shown(uncounted_text(failure)))
        found["suppressions"] = [{"kind": "external", "status": "accepted", "justification": why}]
    return found


def _level(failure: Failure) -> str:
    if failure.fails or failure.standing is Standing.KNOWN:
        return "error"
    return "note" if failure.standing in QUIET else "warning"


def _message(failure: Failure) -> str:
    lines = [f"{failure.operation or 'The whole run'}: {failure.title}: {shown(failure.message, 800)}"]
    if failure.exchange is not None:
        lines.append(f"Came back: {status_text(failure.exchange.status)}.")
    if not failure.fails:
        lines.append(f"Not counted: {uncounted_text(failure)}.")
    return shown("\n".join(lines), 2000)


def _warning(one: Warned, result: Result, index: dict[str, int], checkout: Checkout) -> dict[str, Any]:
    return {
        "ruleId": _warning_rule(one.kind),
        "ruleIndex": index[_warning_rule(one.kind)],
        "level": "error" if one.gates else "warning",
        "message": {"text": literal(shown(f"{one.message} ({', '.join(one.subjects)})", 2000))},
        "locations": [location(place_of(None, result, checkout))],
    }
