"""Tests of which rules need a witness: each that can be breaking is in one class, with a reason if in none."""

from devportal.differ.rule import Verdict
from devportal.differ.rules.all_rules import EVERY_RULE, rule_ids
from devportal.differ.witnesses.rule_classes import NEEDING_NONE, NEEDING_WITNESS
from tests.differ.change_cases import FILES, change_cases


def test_each_rule_that_can_break_is_in_one_class() -> None:
    """A rule whose row says breaking, or that a case finds to be breaking, needs a witness or has a reason
    why not, never both.
    """
    by_row = {rule.id for rule in EVERY_RULE if Verdict.BREAKING in (rule.to_provider, rule.to_consumer)}
    in_cases = {
        rule
        for file in FILES
        for case in change_cases(file)
        for rule, verdict in case.expected
        if verdict == "breaking" and rule not in case.policy.get("rules", {})
    }

    unclassified = (by_row | in_cases) - NEEDING_WITNESS - NEEDING_NONE.keys()

    assert unclassified == set()
    assert NEEDING_WITNESS & NEEDING_NONE.keys() == set()


def test_only_rules_that_exist_are_classified() -> None:
    """No class names a rule that is gone."""
    assert NEEDING_WITNESS | NEEDING_NONE.keys() <= rule_ids()
