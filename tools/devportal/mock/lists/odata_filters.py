"""Filters of OData: `$filter=Age gt 30 and contains(Name,'An')` (OData 4.01 URL Conventions §5.1.1)."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from devportal.contract.conventions import matches_any_name
from devportal.mock.lists.value_comparison import is_within, matches_value

ODATA_FILTER = "$filter"
Members = Mapping[str, Any]
RecordTest = Callable[[Members], bool]
"""Says whether a resource fits a filter, by its members."""
_Value = Callable[[Members], Any]

_TOKEN = re.compile(
    r"\s*(?:(?P<quoted>(?:[A-Za-z_][\w.]*)?'(?:[^']|'')*')|(?P<mark>[(),])"
    r"|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w:-]))|(?P<word>[^\s(),']+))"
)
_LITERALS = {"null": None, "true": True, "false": False}
_TESTS: Mapping[str, Callable[[str, str], bool]] = {
    "contains": lambda text, part: part in text,
    "startswith": str.startswith,
    "endswith": str.endswith,
    "substringof": lambda part, text: part in text,
}
_CHANGES: Mapping[str, Callable[[str], Any]] = {
    "tolower": str.lower,
    "toupper": str.upper,
    "trim": str.strip,
    "length": len,
}
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_GUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_MEMBER = re.compile(r"@?[A-Za-z_][\w.@]*(?:/[A-Za-z_][\w.@]*)*")
_DEEPEST = 20
_LONGEST_NUMBER = 40


class _Unreadable(ValueError):
    """Raised for a text that is not a filter, or has parts that are not known here."""


def read_filter(text: str) -> RecordTest | None:
    """Return the test of a filter. None if it is not one, or has parts that are not known here, such as `any`."""
    try:
        return _Parser(text).parse()
    except _Unreadable:
        return None


class _Parser:
    """Reads one filter, by precedence: `not`, comparisons, `and`, `or`."""

    def __init__(self, text: str) -> None:
        self._tokens = [*_split(text)]
        self._place = 0

    def parse(self) -> RecordTest:
        test = self._either(0)
        if self._place < len(self._tokens):
            raise _Unreadable
        return test

    def _next_word(self) -> str:
        kind, text = self._tokens[self._place] if self._place < len(self._tokens) else ("", "")
        return text if kind in ("word", "mark") else ""

    def _take(self) -> tuple[str, str]:
        if self._place >= len(self._tokens):
            raise _Unreadable
        self._place += 1
        return self._tokens[self._place - 1]

    def _takes(self, word: str) -> bool:
        found = self._next_word() == word
        self._place += found
        return found

    def _require(self, word: str) -> None:
        if not self._takes(word):
            raise _Unreadable

    def _either(self, depth: int) -> RecordTest:
        if depth > _DEEPEST:
            raise _Unreadable
        tests = [self._all(depth)]
        while self._takes("or"):
            tests.append(self._all(depth))
        return tests[0] if len(tests) == 1 else lambda members: any(test(members) for test in tests)

    def _all(self, depth: int) -> RecordTest:
        tests = [self._test(depth)]
        while self._takes("and"):
            tests.append(self._test(depth))
        return tests[0] if len(tests) == 1 else lambda members: all(test(members) for test in tests)

    def _test(self, depth: int) -> RecordTest:
        if depth > _DEEPEST:
            raise _Unreadable
        if self._takes("not"):
            negated = self._test(depth + 1)
            return lambda members: not negated(members)
        if self._takes("("):
            inner = self._either(depth + 1)
            self._require(")")
            return inner
        name = self._next_word()
        if name in _TESTS:
            return self._text_test(_TESTS[self._take()[1]])
        value = self._value(depth)
        operator = self._next_word()
        if operator == "in":
            self._take()
            return self._one_of(value)
        if operator not in _COMPARISONS:
            return lambda members: value(members) is True
        self._take()
        compare, other = _COMPARISONS[operator], self._value(depth)
        return lambda members: compare(value(members), other(members))

    def _text_test(self, test: Callable[[str, str], bool]) -> RecordTest:
        first, second = self._arguments(2)

        def is_fitting(members: Members) -> bool:
            texts = first(members), second(members)
            return isinstance(texts[0], str) and isinstance(texts[1], str) and test(texts[0], texts[1])

        if self._takes("eq") and not self._takes("true"):
            self._require("false")
            return lambda members: not is_fitting(members)
        return is_fitting

    def _arguments(self, count: int, depth: int = 0) -> list[_Value]:
        self._require("(")
        values = [self._value(depth)]
        while len(values) < count:
            self._require(",")
            values.append(self._value(depth))
        self._require(")")
        return values

    def _one_of(self, value: _Value) -> RecordTest:
        self._require("(")
        allowed = [self._value()]
        while self._takes(","):
            allowed.append(self._value())
        self._require(")")
        return lambda members: any(_is_equal(value(members), other(members)) for other in allowed)

    def _value(self, depth: int = 0) -> _Value:
        if depth > _DEEPEST:
            raise _Unreadable
        kind, text = self._take()
        if kind == "quoted":
            prefix, _, quoted = text[:-1].partition("'")
            constant: Any = quoted.replace("''", "'") + ("Z" if prefix == "datetime" else "")
        elif kind == "number" and len(text) <= _LONGEST_NUMBER:
            constant = float(text) if set(text) & set(".eE") else int(text)
        elif text in _LITERALS:
            constant = _LITERALS[text]
        elif _DATE.match(text) or _GUID.fullmatch(text):
            constant = text
        elif text in _CHANGES:
            return _change_text(_CHANGES[text], *self._arguments(1, depth + 1))
        elif kind == "word" and _MEMBER.fullmatch(text) and self._next_word() != "(":
            path = tuple(text.split("/"))
            return lambda members: _member(members, path)
        else:
            raise _Unreadable
        return lambda _: constant


def _split(text: str) -> Sequence[tuple[str, str]]:
    """Return the words, marks and literals of a filter, each with its kind. Raises _Unreadable for another text."""
    tokens, place = [], 0
    text = text.rstrip()
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise _Unreadable
        tokens.append((str(found.lastgroup), found[found.lastgroup or 0]))
        place = found.end()
    return tokens


def _member(members: Members, path: Sequence[str]) -> Any:
    value: Any = members
    for name in path:
        if not isinstance(value, Mapping):
            return None
        value = next((value[key] for key in value if key == name or matches_any_name(key, (name,))), None)
    return value


def _change_text(change: Callable[[str], Any], value: _Value) -> _Value:
    def apply(members: Members) -> Any:
        text = value(members)
        return change(text) if isinstance(text, str) else None

    return apply


def _is_equal(shown: Any, wanted: Any) -> bool:
    if shown is None or wanted is None:
        return shown is wanted
    return matches_value(shown, wanted)


def _comparison(*, is_lower: bool, is_strict: bool) -> Callable[[Any, Any], bool]:
    def compare(shown: Any, limit: Any) -> bool:
        has_both = shown is not None and limit is not None
        return has_both and is_within(shown, limit, is_lower=is_lower, is_strict=is_strict)

    return compare


_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": _is_equal,
    "ne": lambda shown, wanted: not _is_equal(shown, wanted),
    "gt": _comparison(is_lower=True, is_strict=True),
    "ge": _comparison(is_lower=True, is_strict=False),
    "lt": _comparison(is_lower=False, is_strict=True),
    "le": _comparison(is_lower=False, is_strict=False),
}
