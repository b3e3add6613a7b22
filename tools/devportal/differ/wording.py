"""The sentence of a finding: that of its rule, with the values that differ."""

import json
import re
from typing import Any

from devportal.contract import ABSENT
from devportal.contract.quoting import cut
from devportal.differ.rule import Hit, Rule

_LONGEST = 120
"""How much of a value a sentence quotes, in code points."""


def sentence(rule: Rule[Any], hit: Hit) -> str:
    """Return what has changed, in one sentence without its full stop."""
    told = _says(rule.says, hit).format_map({"old": shown(hit.old), "new": shown(hit.new), **hit.names})
    return f"{told}: {hit.reason}" if hit.reason else told


def _says(says: str, hit: Hit) -> str:
    """Return the sentence of a rule for a value that has only come, or is gone, where it speaks of both."""
    if hit.old is ABSENT:
        return _STEP.sub(r" is {new}\1 now, where there was none", says)
    if hit.new is ABSENT:
        return _STEP.sub(r" was {old}\1 and is gone", says)
    return says


_STEP = re.compile(r" is \w+ from \{old\} to \{new\}( characters)?")


def shown(value: Any) -> str:
    """Return a value as a sentence quotes it: JSON, cut where it is long; nothing where there is none."""
    if value is ABSENT:
        return "none"
    return cut(json.dumps(value, ensure_ascii=False, default=str), _LONGEST)
