"""Every rule that some part of the differ asks for is in the list of all rules, once."""

import pkgutil
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from devportal.differ import rules
from devportal.differ.rule import Rule
from devportal.differ.rules.all_rules import EVERY_RULE


def _defined_rules() -> Iterator[Rule[Any]]:
    """Yield the rules of every tuple of rules that a module of the package has."""
    for module in pkgutil.iter_modules(rules.__path__):
        for value in vars(import_module(f"{rules.__name__}.{module.name}")).values():
            if isinstance(value, tuple):
                yield from (item for item in value if isinstance(item, Rule))


def test_every_rule_that_is_written_is_listed() -> None:
    """A rule that is missing could not be named by a policy, and the documentation would not tell of it."""
    missing = {defined_rule.id for defined_rule in _defined_rules()} - {item.id for item in EVERY_RULE}

    assert missing == set()


def test_each_rule_is_listed_once() -> None:
    """An id names one rule."""
    assert [name for name, times in Counter(rule.id for rule in EVERY_RULE).items() if times > 1] == []


def test_each_mirror_is_a_rule() -> None:
    """A mirror that is named is there."""
    ids = {rule.id for rule in EVERY_RULE}

    assert {rule.mirror for rule in EVERY_RULE if rule.mirror} <= ids
