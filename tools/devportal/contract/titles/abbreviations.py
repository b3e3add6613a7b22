"""Abbreviations that a contract spells in capitals: titles made of its names follow it, as `ML model` for `mlModel`."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from devportal.contract.model import Group, Operation, Tag
from devportal.contract.wording import split_camel_case

_WORD = re.compile(r"[^\W\d_]+")
_LONGEST = 5
"""How many letters an abbreviation has at most: longer words in capitals are emphasised."""
_EMPHASISED = frozenset(
    {"ALL", "AND", "ANY", "BY", "FOR", "FROM", "GET", "HEAD", "IN", "IS", "IT", "LIST", "MUST", "NEW", "NO", "NOT",
     "OF", "ON", "ONE", "ONLY", "OR", "PATCH", "POST", "PUT", "READ", "SET", "THE", "TO", "WITH"}
)  # fmt: skip
"""Words that are not abbreviations in capitals either."""


def abbreviations_of(operations: Iterable[Operation], tags: Iterable[Tag]) -> frozenset[str]:
    """Return the words that names and summaries of a contract spell in capitals, and no summary otherwise."""
    operations = tuple(operations)
    summaries = [operation.summary for operation in operations]
    ids = [operation.id for operation in operations if operation.id_is_declared]
    names = [name for tag in tags for name in (tag.name, tag.title)]
    texts = [*summaries, *dict.fromkeys((*names, *(name for each in operations for name in each.tags)))]
    written = set(_words(text for text in texts if " " in text))
    found = written.union(_words(split_camel_case(name, " ") for name in (*texts, *ids)))
    capitals = {word for word in found if word.isupper() and 1 < len(word) <= _LONGEST} - _EMPHASISED
    others = {word.upper() for word in written if not word.isupper()}
    return frozenset(capitals - others)


def _words(texts: Iterable[str]) -> Iterator[str]:
    """Yield the words of texts, but of those in capitals only if they are one word."""
    for text in texts:
        words = _WORD.findall(text)
        if len(words) == 1 or not text.isupper():
            yield from words


TitledT = TypeVar("TitledT", Group, Operation, Tag)


def spell_titles(parts: Iterable[TitledT], abbreviations: frozenset[str]) -> tuple[TitledT, ...]:
    """Return operations, tags or groups with the abbreviations in their titles in capitals."""
    return tuple(
        part
        if (title := spell_title(part.title, abbreviations)) == part.title
        else replace(part, title=title)
        for part in parts
    )


def spell_title(title: str, abbreviations: frozenset[str]) -> str:
    """Return a title with abbreviations in capitals, those of several with a small `s` at the end."""

    def spell(match: re.Match[str]) -> str:
        word = match[0]
        if not word[1:].islower():
            return word
        if word.upper() in abbreviations:
            return word.upper()
        if word.endswith("s") and word[:-1].upper() in abbreviations:
            return f"{word[:-1].upper()}s"
        return word

    return _WORD.sub(spell, title)
