"""The sentence of a finding: that of its rule, with the values that differ."""

import json
from typing import Any

from devportal.contract import ABSENT
from devportal.contract.quoting import cut
from devportal.differ.rule import Hit, Rule

_LONGEST = 120
"""How much of a value a sentence quotes, in code points."""


def sentence(rule: Rule[Any], hit: Hit) -> str:
    """Return what has changed, in one sentence without its full stop."""
    told = rule.says.format_map({"old": shown(hit.old), "new": shown(hit.new), **hit.names})
    return f"{told}: {hit.reason}" if hit.reason else told


def shown(value: Any) -> str:
    """Return a value as a sentence quotes it: JSON, cut where it is long; nothing where there is none."""
    if value is ABSENT:
        return "none"
    return cut(json.dumps(value, ensure_ascii=False, default=str), _LONGEST)
