"""Doubtful acknowledgements."""

import datetime as dt
import json
from typing import Any

import pytest

from devportal.differ import Change, compare
from devportal.differ.commands.run import check_acknowledgements
from devportal.differ.policy_file import parse_policy
from devportal.documents import parse_document
from devportal.findings import Level

from .comparing import contract, small_diff

_GONE = "8394b7fffd7fe7dd"
_TODAY = dt.date(2026, 11, 2)


def findings_on(fingerprint: str, day: str) -> list[str]:
    """Return the findings on one acknowledgement, on the 2nd of November 2026."""
    text = f"acknowledged:\n  {fingerprint}:\n    reason: Agreed.\n    date: {day}\n"
    document = parse_document(text, name="policy.yaml")
    policy, findings = parse_policy(document)
    assert findings == ()
    found = tuple(check_acknowledgements(document, policy, small_diff().comparison, today=_TODAY))
    assert {finding.level for finding in found} <= {Level.WARNING}
    return [str(finding) for finding in found]


@pytest.mark.parametrize("day", ["2026-11-01", "2026-11-02"])
def test_acknowledgement_in_order(day: str) -> None:
    """Of a change that there is, until today: nothing is told."""
    assert findings_on(_GONE, day) == []


def test_day_that_has_not_come() -> None:
    """Stands at the date, with both days."""
    (one,) = findings_on(_GONE, "2026-11-03")

    assert one == (
        "policy.yaml:4:5: warning: the day of this acknowledgement, '2026-11-03', has not come: today is "
        "2026-11-02 [diff-acknowledged]\n  help: write the day on which the change was accepted"
    )


def test_acknowledgement_of_nothing() -> None:
    """Stands at the fingerprint, and says what to do with it."""
    (one,) = findings_on("0" * 16, "2026-11-02")

    assert one.startswith(
        "policy.yaml:2:3: warning: no change has the fingerprint '0000000000000000': there is nothing to "
        "acknowledge [diff-acknowledged]\n  help: delete it if "
    )


def test_both_at_once() -> None:
    """Each thing is told."""
    assert len(findings_on("0" * 16, "2027-01-01")) == 2


def warnings(old: dict[str, Any], new: dict[str, Any], rows: dict[str, Any]) -> list[str]:
    """Return what is warned of between two contracts under a policy with these rows."""
    document = parse_document(json.dumps({"acknowledged": rows}), name="policy.json")
    policy, findings = parse_policy(document)
    assert findings == ()
    comparison = compare(contract(old, "old.json").api, contract(new, "new.json").api, policy)
    return [
        str(acknowledgement)
        for acknowledgement in check_acknowledgements(document, policy, comparison, today=_TODAY)
    ]


def operations(*schemas: str, key: Any = None) -> dict[str, Any]:
    """Return a contract whose operations send values of shared schemas."""
    plain, short = {"type": "string"}, {"type": "string", "maxLength": 9}
    paths = {
        f"/{number}": {
            "post": {
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}},
                },
                "responses": {"204": {"description": "Done."}},
            }
        }
        for number, name in enumerate(schemas)
    }
    return {"paths": paths, "components": {"schemas": {"Plain": plain, "Short": short, "Key": key or plain}}}


def lowered_length(old: dict[str, Any], new: dict[str, Any]) -> Change:
    """Return the first change of a length between two contracts."""
    found = compare(contract(old, "old.json").api, contract(new, "new.json").api).changes
    return next(change for change in found if change.rule == "schema.max-length.lowered")


def test_former_fingerprint_of_one_change() -> None:
    """The change is accepted, and the new row is shown."""
    old, new = operations("Plain", "Plain"), operations("Short", "Plain")
    change = lowered_length(old, new)
    (one,) = warnings(old, new, {change.former_fingerprint: {"reason": "Agreed.", "date": "2026-11-02"}})

    assert "is a fingerprint of earlier versions: the change is accepted" in one
    assert f'"{change.fingerprint}":' in one
    assert '- "POST /0 request"' in one
    assert 'reason: "Agreed."' in one


def test_former_fingerprint_of_several_changes() -> None:
    """None is accepted, and a row for each is shown, without the reason."""
    old, new = operations("Plain", "Plain"), operations("Short", "Short")
    former = lowered_length(old, new).former_fingerprint
    (one,) = warnings(old, new, {former: {"reason": "Agreed.", "date": "2026-11-02"}})

    assert f"2 changes had the fingerprint {former!r} in earlier versions: none is accepted" in one
    assert one.count('reason: ""') == 2
    assert "POST /0 request" in one
    assert "POST /1 request" in one


def test_place_that_was_not_reviewed() -> None:
    """It is named, with the row that would accept it too."""
    short = {"type": "string", "maxLength": 9}
    old, new = operations("Key", "Key"), operations("Key", "Key", key=short)
    row = {"reason": "Agreed.", "date": "2026-11-02", "places": ["POST /0 request"]}
    (one,) = warnings(old, new, {lowered_length(old, new).fingerprint: row})

    assert "the change also affects POST /1 request, which `places` does not list: it is not accepted" in one
    assert '- "POST /1 request"' in one


def test_changed_component_without_places() -> None:
    """It is accepted wherever the component is used, and the row with its places is shown."""
    short = {"type": "string", "maxLength": 9}
    old, new = operations("Key"), operations("Key", key=short)
    (one,) = warnings(
        old, new, {lowered_length(old, new).fingerprint: {"reason": "Agreed.", "date": "2026-11-02"}}
    )

    assert "this row has no `places`: it accepts the change wherever the schema Key is used" in one
    assert '- "POST /0 request"' in one
