"""A comparison as JSON. Its shape is published: `schemas/diff.schema.json`, which the tests hold it to."""

import json
import re
from importlib import resources
from typing import Any

from devportal.contract import ABSENT, Contract
from devportal.differ import Change
from devportal.differ.output.report import ComparedContracts, Report, file_of
from devportal.documents import to_json
from devportal.errors import Place
from devportal.findings import Finding

FORMAT = 1
"""The number of the shape: a higher one is another shape, more keys are the same one."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def to_json_text(report: Report) -> str:
    """Return the comparison as JSON text with a final newline."""
    return json_document(
        {
            "format": FORMAT,
            "old": _contract(report.sides.old),
            "new": _contract(report.sides.new),
            "summary": _summary(report),
            "warnings": [_warning(finding) for finding in report.warnings],
            "changes": [change_data(change, report.sides) for change in report.listed],
        }
    )


def diff_schema() -> dict[str, Any]:
    """Return the JSON Schema of the report."""
    file = resources.files("devportal.differ.output") / "schemas" / "diff.schema.json"
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema


def json_document(data: Any) -> str:
    """Return data as JSON of several lines.

    What JSON has not becomes null, half a surrogate pair an escape (RFC 8259 §6, §8.2).
    """
    try:
        text = json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)
    except ValueError:
        text = json.dumps(json.loads(to_json(data)), ensure_ascii=False, indent=2)
    return _SURROGATE.sub(lambda half: f"\\u{ord(half.group()):04x}", text) + "\n"


def _contract(contract: Contract) -> dict[str, Any]:
    api = contract.api
    return {
        "file": file_of(contract),
        "title": api.title,
        "version": api.version,
        "openapi": api.openapi,
        "sha256": contract.digest,
    }


def _summary(report: Report) -> dict[str, Any]:
    return {
        "worst": report.comparison.worst,
        "fail_on": report.fail_on,
        "fails": report.fails,
        "changes": len(report.comparison.changes),
        **{str(verdict): count for verdict, count in report.counts()},
        "acknowledged": report.accepted,
    }


def _warning(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "place": _place(finding.place),
        "message": finding.message,
        "help": finding.help,
    }


def change_data(change: Change, sides: ComparedContracts) -> dict[str, Any]:
    """Return a change as JSON data. `old` and `new` are left out where there is no value."""
    both = {"old": change.old, "new": change.new}
    accepted = change.acknowledged
    return {
        "fingerprint": change.fingerprint,
        "rule": change.rule,
        "area": change.area,
        "action": change.action,
        "verdict": change.verdict,
        "direction": change.direction,
        "subject": {
            "kind": change.subject.kind,
            "name": change.subject.name,
            "section": change.subject.section,
        },
        "field": change.field,
        **{side: value for side, value in both.items() if value is not ABSENT},
        "message": change.message,
        "hint": change.hint,
        "places": {"old": _place(sides.old_place(change)), "new": _place(sides.new_place(change))},
        "used_by": [
            {
                "kind": use.subject.kind,
                "name": use.subject.name,
                "section": use.subject.section,
                "field": use.field,
                "tags": list(use.tags),
            }
            for use in change.used_by
        ],
        "acknowledged": None
        if accepted is None
        else {"reason": accepted.reason, "date": accepted.date.isoformat()},
    }


def _place(place: Place | None) -> dict[str, Any] | None:
    return None if place is None else {"file": place.file, "line": place.line, "column": place.column}
