"""A comparison as JSON. Its shape is published: `schemas/diff.schema.json`, which the tests hold it to."""

import json
from importlib import resources
from typing import Any

from devportal.contract import ABSENT, Contract
from devportal.differ import Change, Direction
from devportal.differ.output.result import ComparedContracts, DiffResult, file_of
from devportal.differ.output.shared_changes import shared_line_ids
from devportal.differ.witness import Witness
from devportal.errors import Place
from devportal.findings import Finding

FORMAT = 1
"""The number of the shape: a higher one is another shape, more keys are the same one."""


def diff_data(result: DiffResult) -> dict[str, Any]:
    """Return the comparison as JSON data."""
    lines = shared_line_ids(result.listed)
    return {
        "format": FORMAT,
        "old": _contract(result.sides.old),
        "new": _contract(result.sides.new),
        "summary": _summary(result),
        "warnings": [_warning(finding) for finding in result.warnings],
        "changes": [
            {**_change(change, result.sides), "group": lines.get(change.fingerprint)}
            for change in result.listed
        ],
    }


def diff_schema() -> dict[str, Any]:
    """Return the JSON Schema of the report."""
    file = resources.files("devportal.differ.output") / "schemas" / "diff.schema.json"
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema


def _contract(contract: Contract) -> dict[str, Any]:
    api = contract.api
    return {
        "file": file_of(contract),
        "title": api.title,
        "version": api.version,
        "openapi": api.openapi,
        "sha256": contract.digest,
    }


def _summary(result: DiffResult) -> dict[str, Any]:
    return {
        "worst": result.comparison.worst,
        "fail_on": result.fail_on,
        "fails": result.fails,
        "changes": len(result.comparison.changes),
        **{str(verdict): count for verdict, count in result.counts()},
        "acknowledged": result.accepted,
    }


def _warning(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "place": _place(finding.place),
        "message": finding.message,
        "help": finding.help,
    }


def _change(change: Change, sides: ComparedContracts) -> dict[str, Any]:
    """Return a change as JSON data. `old` and `new` are left out where there is no value."""
    both = {"old": change.old, "new": change.new}
    accepted = change.acknowledged
    return {
        "fingerprint": change.fingerprint,
        "rule": change.rule,
        "area": change.area,
        "action": change.action,
        "verdict": change.verdict,
        "softened_from": change.softened_from,
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
        else {
            "reason": accepted.reason,
            "date": accepted.date.isoformat(),
            "until": accepted.until.isoformat() if accepted.until is not None else None,
        },
        "witness": witness_data(change),
    }


def witness_data(change: Change) -> dict[str, Any] | None:
    """Return the witness of a change, or how many messages were tried if none was found; None if it needs none."""
    search = change.witness_search
    if search is None:
        return None
    return {"tries": search.tries, "message": search.witness and _message(search.witness)}


def _message(witness: Witness) -> dict[str, Any]:
    is_sent = witness.direction is Direction.TO_PROVIDER
    return {
        "allowed_by": "old" if is_sent else "new",
        "refused_by": "new" if is_sent else "old",
        "start_line": witness.start_line,
        "headers": [{"name": name, "value": value} for name, value in witness.headers],
        "media_type": witness.media_type,
        **({} if witness.body is ABSENT else {"body": witness.body}),
        "pointer": witness.pointer,
        "refusal": witness.refusal,
    }


def _place(place: Place | None) -> dict[str, Any] | None:
    return None if place is None else {"file": place.file, "line": place.line, "column": place.column}
