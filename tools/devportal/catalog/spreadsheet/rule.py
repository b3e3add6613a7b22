"""A rule of advice: what a spoilt value looks like in which columns, and what to do about it."""

import re
from collections.abc import Callable
from typing import NamedTuple

AS_TEXT = "format the column as text before typing"

MONTH = (
    r"(?i:jan|ene|gen|feb|f[ée]v|mar|mär|mrz|apr|abr|avr|ma[ijy]|mag|jun|jui|jul|giu|lug|aug|ago|aoû|sep|set"
    r"|o[ck]t|ott|out|nov|de[cz]|déc|dic)[^\W\d_]*\.?"
)
"""A name of a month, whole or shortened, as spreadsheets of several languages write it."""


class Rule(NamedTuple):
    """Columns, what the whole value looks like, and what to say then: nothing where the rule says nothing."""

    columns: frozenset[str]
    pattern: str
    say: Callable[[re.Match[str]], str]


def always(words: str) -> Callable[[re.Match[str]], str]:
    """Return what says the same of every value."""
    return lambda _found: words
