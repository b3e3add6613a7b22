"""Filters of OData: `$filter=Age gt 30 and contains(Name,'An')` (OData 4.01 URL Conventions §5.1.1)."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from devportal.mock.lists.filter_parser import (
    COMPARISONS,
    DEEPEST,
    FilterParser,
    Members,
    RecordTest,
    UnreadableFilter,
    is_equal,
    member_value,
)

ODATA_FILTER = "$filter"
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
_LONGEST_NUMBER = 40


def read_filter(text: str) -> RecordTest | None:
    """Return the test of a filter. None if it is not one, or has parts that are not known here, such as `any`."""
    try:
        return _Parser(text, _TOKEN).parse()
    except UnreadableFilter:
        return None


class _Parser(FilterParser):
    """Reads one filter, by precedence: `not`, comparisons, `and`, `or`."""

    def read_test(self, depth: int) -> RecordTest:
        """See `FilterParser`: one comparison, or a function, or what parentheses hold."""
        if depth > DEEPEST:
            raise UnreadableFilter
        if self.takes("not"):
            negated = self.read_test(depth + 1)
            return lambda members: not negated(members)
        if self.takes("("):
            inner = self.join_tests(depth + 1)
            self.require(")")
            return inner
        name = self.next_word()
        if name in _TESTS:
            return self._text_test(_TESTS[self.take()[1]])
        value = self._value(depth)
        operator = self.next_word()
        if operator == "in":
            self.take()
            return self._one_of(value)
        if operator not in COMPARISONS:
            return lambda members: value(members) is True
        self.take()
        compare, other = COMPARISONS[operator], self._value(depth)
        return lambda members: compare(value(members), other(members))

    def _text_test(self, test: Callable[[str, str], bool]) -> RecordTest:
        first, second = self._arguments(2)

        def is_fitting(members: Members) -> bool:
            texts = first(members), second(members)
            return isinstance(texts[0], str) and isinstance(texts[1], str) and test(texts[0], texts[1])

        if self.takes("eq") and not self.takes("true"):
            self.require("false")
            return lambda members: not is_fitting(members)
        return is_fitting

    def _arguments(self, count: int, depth: int = 0) -> list[_Value]:
        self.require("(")
        values = [self._value(depth)]
        while len(values) < count:
            self.require(",")
            values.append(self._value(depth))
        self.require(")")
        return values

    def _one_of(self, value: _Value) -> RecordTest:
        self.require("(")
        allowed = [self._value()]
        while self.takes(","):
            allowed.append(self._value())
        self.require(")")
        return lambda members: any(is_equal(value(members), other(members)) for other in allowed)

    def _value(self, depth: int = 0) -> _Value:
        if depth > DEEPEST:
            raise UnreadableFilter
        kind, text = self.take()
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
        elif kind == "word" and _MEMBER.fullmatch(text) and self.next_word() != "(":
            path = tuple(text.split("/"))
            return lambda members: _member(members, path)
        else:
            raise UnreadableFilter
        return lambda _: constant


def _member(members: Members, path: Sequence[str]) -> Any:
    value: Any = members
    for name in path:
        if not isinstance(value, Mapping):
            return None
        value = member_value(value, name)
    return value


def _change_text(change: Callable[[str], Any], value: _Value) -> _Value:
    def apply(members: Members) -> Any:
        text = value(members)
        return change(text) if isinstance(text, str) else None

    return apply
