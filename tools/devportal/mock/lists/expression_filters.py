"""Filters that are expressions, as SCIM and Google write them in `filter`: `userName eq "ann" and active eq true`
(RFC 7644 §3.4.2.2), `author = "Ann" AND pages > 5` (AIP-160).
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from devportal.contract.conventions import matches_any_name
from devportal.mock.lists.value_comparison import is_within, matches_value

FILTER = ("filter",)
"""The parameter with an expression."""
RecordTest = Callable[[Mapping[str, Any]], bool]
"""Says whether a resource fits a filter, by its members."""

_TOKEN = re.compile(
    r"""\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<mark>[()\[\]])|(?P<sign>[!<>]=|[=<>])"""
    r"""|(?P<word>[^\s()\[\]"'=!<>]+))"""
)
_NUMBER = re.compile(r"-?\d{1,40}(?:\.\d{1,40})?")
_LITERALS = {"null": None, "true": True, "false": False}
_SIGNS = {"=": "eq", "!=": "ne", ">": "gt", ">=": "ge", "<": "lt", "<=": "le"}
_TEXT_TESTS: Mapping[str, Callable[[str, str], bool]] = {
    "co": lambda text, part: part in text,
    "sw": str.startswith,
    "ew": str.endswith,
}
_MEMBER = re.compile(r"[$@A-Za-z_][\w.:$@-]*")
_DEEPEST = 20


class _Unreadable(ValueError):
    """Raised for a text that is not an expression, or has parts that are not known here."""


def read_expression(text: str) -> RecordTest | None:
    """Return the test of an expression. None if it is not one, or has parts that are not known here."""
    try:
        return _Parser(text).parse()
    except _Unreadable:
        return None


class _Parser:
    """Reads one expression, by precedence: `not`, comparisons, `and`, `or`; of AIP-160, which compares by signs, `OR`
    before `AND`.
    """

    def __init__(self, text: str) -> None:
        self._tokens = [*_split(text)]
        self._place = 0
        has_signs = any(kind == "sign" for kind, _ in self._tokens)
        self._words = ("and", "or") if has_signs else ("or", "and")

    def parse(self) -> RecordTest:
        test = self._join_tests(self._words, 0)
        if self._place < len(self._tokens):
            raise _Unreadable
        return test

    def _take(self) -> tuple[str, str]:
        if self._place >= len(self._tokens):
            raise _Unreadable
        self._place += 1
        return self._tokens[self._place - 1]

    def _takes(self, word: str) -> bool:
        kind, text = self._tokens[self._place] if self._place < len(self._tokens) else ("", "")
        found = kind in ("word", "mark") and text.lower() == word
        self._place += found
        return found

    def _join_tests(self, words: Sequence[str], depth: int) -> RecordTest:
        """Return tests that words join, the weakest of them first."""
        if depth > _DEEPEST:
            raise _Unreadable
        if not words:
            return self._test(depth)
        word, rest = words[0], words[1:]
        tests = [self._join_tests(rest, depth)]
        while self._takes(word):
            tests.append(self._join_tests(rest, depth))
        combine = any if word == "or" else all
        return lambda members: combine(test(members) for test in tests)

    def _test(self, depth: int) -> RecordTest:
        if depth > _DEEPEST:
            raise _Unreadable
        if self._takes("not"):
            negated = self._test(depth + 1)
            return lambda members: not negated(members)
        if self._takes("("):
            return self._inner(depth, ")")
        kind, text = self._take()
        if kind != "word" or not _MEMBER.fullmatch(text):
            raise _Unreadable
        path = text.rpartition(":")[2].split(".")  # SCIM may write the URN of the schema before it
        if self._takes("["):
            fits = self._inner(depth, "]")
            return lambda members: any(
                isinstance(item, Mapping) and fits(item) for item in _values(members, path)
            )
        if self._takes("pr"):
            return lambda members: any(value not in (None, "", [], {}) for value in _values(members, path))
        return self._comparison(path)

    def _inner(self, depth: int, end: str) -> RecordTest:
        test = self._join_tests(self._words, depth + 1)
        if not self._takes(end):
            raise _Unreadable
        return test

    def _comparison(self, path: Sequence[str]) -> RecordTest:
        kind, text = self._take()
        operator = _SIGNS.get(text) if kind == "sign" else text.lower()
        wanted = _constant(*self._take())
        if operator == "ne":
            return lambda members: not any(_is_equal(value, wanted) for value in _values(members, path))
        compare = _comparison(operator or "")
        return lambda members: any(compare(value, wanted) for value in _values(members, path))


def _comparison(operator: str) -> Callable[[Any, Any], bool]:
    match operator:
        case "eq":
            return _is_equal
        case "gt" | "ge" | "lt" | "le":
            is_lower, is_strict = operator.startswith("g"), operator.endswith("t")
            return lambda shown, limit: (
                shown is not None
                and limit is not None
                and is_within(shown, limit, is_lower=is_lower, is_strict=is_strict)
            )
        case "co" | "sw" | "ew":
            test = _TEXT_TESTS[operator]
            return lambda shown, part: (
                isinstance(shown, str) and isinstance(part, str) and test(shown.casefold(), part.casefold())
            )
    raise _Unreadable


def _is_equal(shown: Any, wanted: Any) -> bool:
    if shown is None or wanted is None:
        return shown is wanted
    return matches_value(shown, wanted)


def _split(text: str) -> Iterator[tuple[str, str]]:
    """Yield the words, marks and literals of an expression, each with its kind. Raises _Unreadable for others."""
    place, text = 0, text.rstrip()
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise _Unreadable
        yield str(found.lastgroup), found[found.lastgroup or 0]
        place = found.end()


def _constant(kind: str, text: str) -> Any:
    """Return the value that a member is compared with. Names without quotes are texts, as in AIP-160."""
    if kind == "quoted":
        try:
            return json.loads(text) if text.startswith('"') else re.sub(r"\\(.)", r"\1", text[1:-1])
        except ValueError as error:
            raise _Unreadable from error
    if kind != "word":
        raise _Unreadable
    if _NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return _LITERALS.get(text.lower(), text)


def _values(members: Any, path: Sequence[str]) -> list[Any]:
    """Return the values of a member, those of all items of lists. What SCIM's lists of objects hold is `value`."""
    values: list[Any] = [members]
    for name in path:
        found = chain.from_iterable(value if isinstance(value, list) else [value] for value in values)
        values = [_member_value(value, name) for value in found if isinstance(value, Mapping)]
    values = [*chain.from_iterable(value if isinstance(value, list) else [value] for value in values)]
    return values + [value["value"] for value in values if isinstance(value, Mapping) and "value" in value]


def _member_value(members: Mapping[str, Any], name: str) -> Any:
    return next((members[key] for key in members if key == name or matches_any_name(key, (name,))), None)
