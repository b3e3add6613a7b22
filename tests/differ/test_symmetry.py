"""The law that all rules of schemas keep: what narrows one way widens the other way."""

import pytest

from devportal.differ.rule import Rule
from devportal.differ.rules.schemas import SCHEMA_RULES
from devportal.differ.schemas.pair import SchemaPair

RULES = {rule.id: rule for rule in SCHEMA_RULES}
ID = pytest.mark.parametrize("rule", SCHEMA_RULES, ids=lambda rule: rule.id)


def mirror_of(rule: Rule[SchemaPair]) -> Rule[SchemaPair]:
    """Return the rule that applies when old and new are swapped."""
    return RULES[rule.mirror or rule.id]


def is_mirrored(rule: Rule[SchemaPair]) -> bool:
    """Say whether a rule is to callers what its mirror is to readers, and the other way round."""
    mirror = mirror_of(rule)
    return (rule.to_provider, rule.to_consumer) == (mirror.to_consumer, mirror.to_provider)


def test_each_rule_has_one_row() -> None:
    """No two rows share an id."""
    assert len(RULES) == len(SCHEMA_RULES)


@ID
def test_each_rule_has_a_mirror(rule: Rule[SchemaPair]) -> None:
    """Whatever is found from old to new is found from new to old as well, by a rule that exists."""
    assert rule.mirror in RULES or not rule.mirror


@ID
def test_the_mirror_does_the_opposite(rule: Rule[SchemaPair]) -> None:
    """What one rule adds or narrows, its mirror removes or widens."""
    assert mirror_of(rule).action is rule.action.mirror


@ID
def test_verdicts_are_mirrored_or_it_is_written_why_not(rule: Rule[SchemaPair]) -> None:
    """The verdict on what is sent is that of the mirror on what is received; a waiver stands only in need."""
    assert is_mirrored(rule) is not bool(rule.waiver)


def test_a_rule_without_its_mirror_is_seen() -> None:
    """A row that is as bad for readers as for callers, unlike its mirror, keeps the law no more."""
    rule = RULES["schema.min-items.raised"]
    odd = Rule(
        id=rule.id,
        area=rule.area,
        action=rule.action,
        to_provider=rule.to_provider,
        to_consumer=rule.to_provider,
        says=rule.says,
        find=rule.find,
        mirror=rule.mirror,
    )

    assert is_mirrored(rule)
    assert not is_mirrored(odd)
