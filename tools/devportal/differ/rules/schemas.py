"""Every rule of schemas, in the order in which they are tried."""

from typing import Any

from devportal.differ.rule import Rule
from devportal.differ.rules.schema_numbers import NUMBER_RULES

UNION_RULES: tuple[Rule[Any], ...] = ()
"""The rules of schemas of which one is a union and the other a branch of it."""

SCHEMA_RULES: tuple[Rule[Any], ...] = (*NUMBER_RULES, *UNION_RULES)
