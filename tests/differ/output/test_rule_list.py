"""The list of rules, and of the knobs by which they are judged."""

import json

import pytest

from devportal.differ.commands.rule_lists import policy_markdown, rules_json, rules_markdown, rules_text
from devportal.differ.rules.all_rules import rule_ids


def test_every_rule_is_listed_once() -> None:
    """In each of the three forms."""
    listed = [rule["id"] for rule in json.loads(rules_json())["rules"]]
    text, table = rules_text().split("\n"), rules_markdown().split("\n")

    assert sorted(listed) == sorted(rule_ids())
    for rule in listed:
        assert sum(line.startswith(f"  {rule}  (") for line in text) == 1
        assert sum(line.startswith(f"| `{rule}` |") for line in table) == 1


def test_verdicts_of_both_directions_are_told() -> None:
    """A value added to an enum is harmless where clients send it."""
    (rule,) = (rule for rule in json.loads(rules_json())["rules"] if rule["id"] == "schema.enum.value.added")

    assert rule["area"] == "schema"
    assert rule["action"] == "widened"
    assert rule["verdicts"] == {"sent": "compatible", "received": "risky"}
    assert "  schema.enum.value.added  (sent: compatible, received: risky)" in rules_text()


def test_values_that_only_a_change_has_are_named() -> None:
    """No sentence has a brace that a value should have filled."""
    assert "{" not in rules_text()
    assert "<old>" in rules_text()


@pytest.mark.parametrize("table", [rules_markdown(), policy_markdown()], ids=["rules", "policy"])
def test_tables_are_whole(table: str) -> None:
    """Each row has as many cells as the head, whatever its texts hold."""
    rows = [line for line in table.split("\n") if line.startswith("|")]
    widths = {line.replace("\\|", "").count("|") for line in rows}

    assert len(widths) == 1


def test_usual_value_of_each_knob_is_told() -> None:
    """As it would be written in the file."""
    table = policy_markdown()

    assert "| `risky` |" in next(line for line in table.split("\n") if "`response_enum`" in line)
    assert "| `false` |" in next(line for line in table.split("\n") if "`sunset_required`" in line)
    assert "`beta: never-breaking`" in next(
        line for line in table.split("\n") if "`stability_levels`" in line
    )
