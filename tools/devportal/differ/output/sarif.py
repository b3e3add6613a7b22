"""A comparison as SARIF 2.1.0 (OASIS): what code scanning of GitHub, GitLab and editors read."""

from typing import Any

from devportal.differ import Change, Verdict
from devportal.differ.output.json_text import json_document
from devportal.differ.output.report import ComparedContracts, Report
from devportal.differ.output.wording import (
    VERDICT_MEANINGS,
    affected_uses,
    direction_text,
    escape_for_terminal,
    rule_sentence,
)
from devportal.differ.rule import Rule
from devportal.differ.rules.all_rules import EVERY_RULE
from devportal.reporting import escape_message, sarif_location, sarif_log

_LEVELS = {Verdict.BREAKING: "error", Verdict.RISKY: "warning"}
_FINGERPRINT = "devportalDiff/v1"
_MOST_USERS = 50
"""How many operations are named: GitHub takes 10 MB, compressed (its documentation, "SARIF limits")."""


def to_sarif(report: Report) -> str:
    """Return the comparison as a log with one run."""
    ids = sorted({change.rule for change in report.listed})
    index = {rule: number for number, rule in enumerate(ids)}
    rules = [_rule_descriptor(one, report) for one in ids]
    results = [_result(change, report.sides, index) for change in report.listed]
    return json_document(sarif_log("devportal diff", rules, results))


_RULES_BY_ID: dict[str, Rule[Any]] = {rule.id: rule for rule in EVERY_RULE}


def _rule_descriptor(rule: str, report: Report) -> dict[str, Any]:
    """Return the descriptor of a rule; its level is that of its gravest result (SARIF 2.1.0 §3.49, §3.50)."""
    changes = [change for change in report.listed if change.rule == rule]
    verdict, sentence = changes[0].verdict, rule_sentence(_RULES_BY_ID[rule])
    hints = dict.fromkeys(escape_for_terminal(change.hint) for change in changes if change.hint)
    help_text = "\n".join((f"{sentence}.", f"{verdict}: {VERDICT_MEANINGS[verdict]}", *hints))
    return {
        "id": rule,
        "shortDescription": {"text": sentence},
        "fullDescription": {"text": f"{sentence}. {VERDICT_MEANINGS[verdict]}"},
        "help": {"text": help_text},
        "defaultConfiguration": {"level": _LEVELS.get(verdict, "note")},
        "properties": {"tags": [str(changes[0].area), str(changes[0].action)]},
    }


def _result(change: Change, sides: ComparedContracts, index: dict[str, int]) -> dict[str, Any]:
    old = sides.old_place(change)
    reached = affected_uses(change, _MOST_USERS)
    result: dict[str, Any] = {
        "ruleId": change.rule,
        "ruleIndex": index[change.rule],
        "level": _LEVELS.get(change.verdict, "note"),
        "message": {"text": _message(change)},
        "locations": [
            sarif_location(
                sides.forge_place(change), escape_for_terminal(f"{change.subject} {change.field}".strip())
            )
        ],
        "partialFingerprints": {_FINGERPRINT: change.fingerprint},
        "properties": {
            "verdict": change.verdict,
            "direction": change.direction,
            "usedBy": list(reached.named),
            "usedByMore": reached.more,
        },
    }
    if old is not None:
        was = escape_message(f"as it was in the old contract, {escape_for_terminal(str(old))}")
        before = {"id": 1, **sarif_location(sides.in_checkout(old)), "message": {"text": was}}
        result["relatedLocations"] = [before]
    if change.acknowledged is not None:
        accepted = f"{change.acknowledged.date}: {escape_for_terminal(change.acknowledged.reason)}"
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": accepted}]
    return result


def _message(change: Change) -> str:
    where = ", ".join(filter(None, (str(change.subject), change.field, direction_text(change))))
    hint = f" {escape_for_terminal(change.hint)}." if change.hint else ""
    return escape_message(f"{escape_for_terminal(where)}: {escape_for_terminal(change.message)}.{hint}")
