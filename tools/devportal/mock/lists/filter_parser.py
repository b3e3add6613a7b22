"""What parsers of filters share: words and marks in order, tests joined by `and` and `or`, comparisons of values."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from devportal.contract.conventions import matches_any_name
from devportal.mock.lists.value_comparison import is_within, matches_value

Members = Mapping[str, Any]
RecordTest = Callable[[Members], bool]
"""Says whether a resource fits a filter, by its members."""
DEEPEST = 20
"""How deep parts of a filter may be nested."""


class UnreadableFilter(ValueError):
    """Raised for a text that is not a filter, or has parts that are not known here."""


class FilterParser(ABC):
    """Reads one filter: tests, joined by words, of which the first binds the least."""

    def __init__(
        self, text: str, token: re.Pattern[str], *, joined_by: tuple[str, str] = ("or", "and")
    ) -> None:
        """Take the pattern of one token, whose groups name kinds: `word`, `mark` and others for literals."""
        self.tokens = _split(text, token)
        self.joined_by = joined_by
        self._place = 0

    def parse(self) -> RecordTest:
        """Return the test of the whole filter. Raises UnreadableFilter for a text that is not one."""
        test = self.join_tests(0)
        if self._place < len(self.tokens):
            raise UnreadableFilter
        return test

    @abstractmethod
    def read_test(self, depth: int) -> RecordTest:
        """Return the next test, without those that words join to it."""

    def next_word(self) -> str:
        """Return the next word or mark without taking it; empty for a literal and at the end."""
        kind, text = self.tokens[self._place] if self._place < len(self.tokens) else ("", "")
        return text if kind in ("word", "mark") else ""

    def take(self) -> tuple[str, str]:
        """Return the kind and the text of the next token."""
        if self._place >= len(self.tokens):
            raise UnreadableFilter
        self._place += 1
        return self.tokens[self._place - 1]

    def takes(self, word: str) -> bool:
        """Take a word or mark if it is the next one; return whether it was."""
        found = self.next_word() == word
        self._place += found
        return found

    def require(self, word: str) -> None:
        """Take a word or mark that has to be the next one."""
        if not self.takes(word):
            raise UnreadableFilter

    def join_tests(self, depth: int) -> RecordTest:
        """Return the tests that follow, joined."""
        if depth > DEEPEST:
            raise UnreadableFilter
        weak, strong = self.joined_by
        return self._join(weak, lambda: self._join(strong, lambda: self.read_test(depth)))

    def _join(self, word: str, read: Callable[[], RecordTest]) -> RecordTest:
        tests = [read()]
        while self.takes(word):
            tests.append(read())
        if len(tests) == 1:
            return tests[0]
        combine = any if word == "or" else all
        return lambda members: combine(test(members) for test in tests)


def _split(text: str, token: re.Pattern[str]) -> Sequence[tuple[str, str]]:
    """Return the tokens of a filter, each with its kind."""
    tokens, place = [], 0
    text = text.rstrip()
    while place < len(text):
        found = token.match(text, place)
        if found is None:
            raise UnreadableFilter
        tokens.append((str(found.lastgroup), found[found.lastgroup or 0]))
        place = found.end()
    return tokens


def member_value(members: Members, name: str) -> Any:
    """Return the value of a member, however its name is spelled; None without one."""
    return next((members[key] for key in members if key == name or matches_any_name(key, (name,))), None)


def is_equal(shown: Any, wanted: Any) -> bool:
    """Say whether a value is the one of a filter; null is equal to nothing else."""
    if shown is None or wanted is None:
        return shown is wanted
    return matches_value(shown, wanted)


def _limit(*, is_lower: bool, is_strict: bool) -> Callable[[Any, Any], bool]:
    def compare(shown: Any, limit: Any) -> bool:
        has_both = shown is not None and limit is not None
        return has_both and is_within(shown, limit, is_lower=is_lower, is_strict=is_strict)

    return compare


COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": is_equal,
    "ne": lambda shown, wanted: not is_equal(shown, wanted),
    "gt": _limit(is_lower=True, is_strict=True),
    "ge": _limit(is_lower=True, is_strict=False),
    "lt": _limit(is_lower=False, is_strict=True),
    "le": _limit(is_lower=False, is_strict=False),
}
"""Say whether a value that a resource has compares so with that of a filter, by operator."""
