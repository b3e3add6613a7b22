"""Placeholders of drafts: what they say, and whether a text is still nearly one of them.

The words of a placeholder are its marker. Removing `WRITE:`, emphasis or a few words does not make it the text of a
person, so texts are compared by their words (docs/decisions/0057).
"""

import json
import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import chain, groupby
from typing import NamedTuple

from devportal.changelog.entries.entry import TO_WRITE, Section, SectionName
from devportal.differ import Change

PROMPTS = {
    SectionName.WHAT: "what is different now, and why, in one or two sentences.",
    SectionName.WHO: "who is affected, and how they can find out whether they are.",
    SectionName.MIGRATION: "what readers have to change, step by step, with before and after.",
}
"""What a draft asks for in each section that it has."""
_EARLIER_PROMPTS = (
    "who is affected, and how they can find out.",
    "what to change, step by step, with before and after.",
)
"""What drafts of earlier versions of the toolkit asked for."""
_MARKED_LINE = re.compile(rf"[\s>*+_-]*(?:\d+[.)][\s>*+_-]*)?{TO_WRITE}")
"""Such a line, behind the marks of quotes, lists and emphasis."""
_WORD = re.compile(r"[^\W_]+")
_LIKE_PROMPT = 0.77
"""The similarity from which words within a section are those of a prompt."""
_PART_OF_PROMPT = 0.8
"""The share of the words of a paragraph from which it is only a part of a prompt."""
_LARGE_PART = 0.5
"""The share of a prompt's words above which a paragraph is a placeholder, wherever it stands."""
_FEWEST_WORDS = 3
"""How many words of a section's own prompt make a placeholder of it if it has nothing else."""
_LIKE_TITLE = 0.88
"""The similarity from which a title is the proposed one: a person may well use the same words for a change."""
_FURTHER_CHANGES = re.compile(r",? and \d+ more\W*$")


def is_marked(line: str) -> bool:
    """Return whether a line begins with the marker of a draft."""
    return _MARKED_LINE.match(line) is not None


def placeholder_lines(section: Section) -> tuple[int, ...]:
    """Return the lines of a section's source, from 0, at which a placeholder begins."""
    lines = section.source.split("\n")
    numbers = {number for number, line in enumerate(lines) if is_marked(line)}
    paragraphs = tuple(_paragraphs(lines))
    for paragraph in paragraphs:
        if _is_large_part_of_prompt(paragraph) or (
            len(paragraphs) == 1 and _is_remainder(paragraph, section)
        ):
            numbers.add(paragraph[0].line)
        elif (start := _start_like_prompt(paragraph)) is not None:
            numbers.add(start.line)
    return tuple(sorted(numbers))


def proposed_title(change: Change) -> str:
    """Return the title that a draft proposes for its first change."""
    subject = str(change.subject)
    quoted = json.dumps(subject, ensure_ascii=False)
    is_named = change.message.startswith(f"{quoted} ")
    return subject + change.message.removeprefix(quoted) if is_named else f"{subject}: {change.message}"


def is_proposed_title(title: str, changes: Iterable[Change]) -> bool:
    """Return whether a title is nearly the one that a draft of one of the changes proposes."""
    words = _words(_FURTHER_CHANGES.sub("", title))
    is_shortened = "…" in title
    for change in changes:
        proposed = _words(proposed_title(change))
        proposed = proposed[: len(words)] if is_shortened else proposed
        if (
            _highest_similarity(words, proposed) >= _LIKE_TITLE
            and _similarity(words, proposed) >= _LIKE_TITLE
        ):
            return True
    return False


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


class _PlacedWord(NamedTuple):
    """A word, and its line from 0."""

    text: str
    line: int


def _paragraphs(lines: list[str]) -> Iterator[list[_PlacedWord]]:
    """Yield the words of each paragraph that has any."""
    placed = ([_PlacedWord(word, number) for word in _words(line)] for number, line in enumerate(lines))
    for has_words, words_by_line in groupby(placed, key=bool):
        if has_words:
            yield list(chain.from_iterable(words_by_line))


def _is_large_part_of_prompt(paragraph: list[_PlacedWord]) -> bool:
    """Return whether a paragraph has nothing but a large part of a prompt."""
    words = [word.text for word in paragraph]
    return any(
        _count_shared_words(words, prompt) > max(_PART_OF_PROMPT * len(words), _LARGE_PART * len(prompt))
        for prompt in map(_words, PROMPTS.values())
    )


def _is_remainder(paragraph: list[_PlacedWord], section: Section) -> bool:
    """Return whether a paragraph has nothing but some words of the section's own prompt."""
    words = [word.text for word in paragraph]
    matched = _count_shared_words(words, _words(PROMPTS.get(section.name, "")))
    return matched >= max(_FEWEST_WORDS, _PART_OF_PROMPT * len(words))


def _start_like_prompt(paragraph: list[_PlacedWord]) -> _PlacedWord | None:
    """Return the first word of those in a paragraph that are most like a prompt; None if none are."""
    words = [word.text for word in paragraph]
    best, likeness = None, _LIKE_PROMPT
    for prompt in map(_words, (*PROMPTS.values(), *_EARLIER_PROMPTS)):
        for start in (number for number, word in enumerate(words) if word in prompt):
            similarity = _similarity_of_beginning(words[start : start + 2 * len(prompt)], prompt)
            if similarity > likeness or (best is None and similarity == likeness):
                best, likeness = paragraph[start], similarity
    return best


def _similarity_of_beginning(words: list[str], prompt: list[str]) -> float:
    """Return the similarity of a prompt with that beginning of a text that is most like it."""
    sizes = range(len(prompt) * 2 // 3, len(prompt) * 4 // 3 + 1)
    if _highest_similarity(words[: sizes[-1]], prompt) < _LIKE_PROMPT / 2:
        return 0
    return max(_similarity(words[:size], prompt) for size in sizes)


def _similarity(words: list[str], others: list[str]) -> float:
    """Return how similar two texts are, from 0 to 1: by the words that both have in the same order."""
    return 2 * _count_shared_words(words, others) / max(1, len(words) + len(others))


def _count_shared_words(words: list[str], others: list[str]) -> int:
    matcher = SequenceMatcher(None, words, others, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks())


def _highest_similarity(words: list[str], others: list[str]) -> float:
    """Return the similarity that texts have at most, whatever the order of their words: this is faster."""
    known = set(others)
    return 2 * sum(word in known for word in words) / max(1, len(words) + len(others))
