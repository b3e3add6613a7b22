"""What is said of a value that breaks its schema: what it should be, and not only which rule it breaks."""

import json
import re
from collections.abc import Sequence
from typing import Any

from devportal.contract.quoting import cut

MOST_VALUES = 20
"""So many allowed values are named; of more, how many there are."""
VALUE = "\0"
"""Stands for the value in what a validator says; no JSON has it, so it is nothing else."""
_LONGEST_VALUE = 100
_SENTENCE_END = re.compile(r"(?<=[.!?])\s|\n\s*\n")


def with_value(told: str, value: Any) -> str:
    """Return what a validator says of a value, with the value as far as it fits a message."""
    return told.replace(VALUE, _json(value), 1)


def not_one_of(value: Any, options: Sequence[Any]) -> str:
    """Return what is said of a value outside a closed set, which has at least one value."""
    named = [*map(_json, options[:MOST_VALUES])]
    more = len(options) - MOST_VALUES
    *first, last = [*named, f"{more:,} more"] if more > 0 else named
    choice = f"{', '.join(first)} or {last}" if first else last
    return f"{_json(value)} is not one of {choice}"


def not_matching(value: Any, pattern: str, schema: Any) -> str:
    """Return what is said of a text that breaks a pattern: what its schema says of itself comes along, since
    few people read regular expressions.
    """
    told = f'{_json(value)} does not match "{pattern}"'
    words = schema if isinstance(schema, dict) else {}
    meant = _first_sentence(words.get("description", "")) or words.get("title", "")
    return f"{told}: {meant}" if meant else told


def _first_sentence(text: str) -> str:
    first = _SENTENCE_END.split(text.strip(), maxsplit=1)[0]
    return " ".join(first.split()).rstrip(".")


def _json(value: Any) -> str:
    return cut(json.dumps(value, ensure_ascii=False), _LONGEST_VALUE)
