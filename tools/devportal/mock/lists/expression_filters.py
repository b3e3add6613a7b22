"""Filters that are expressions, as SCIM and Google write them in `filter`: `userName eq "ann" and active eq true`
(RFC 7644 §3.4.2.2), `author = "Ann" AND pages > 5` (AIP-160).
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from devportal.mock.lists.filter_parser import (
    COMPARISONS,
    DEEPEST,
    FilterParser,
    RecordTest,
    UnreadableFilter,
    is_equal,
    member_value,
)

FILTER = ("filter",)
"""The parameter with an expression."""

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


def read_expression(text: str) -> RecordTest | None:
    """Return the test of an expression. None if it is not one, or has parts that are not known here."""
    try:
        return _Parser(text).parse()
    except UnreadableFilter:
        return None


class _Parser(FilterParser):
    """Reads one expression, by precedence: `not`, comparisons, `and`, `or`; of AIP-160, which compares by signs, `OR`
    before `AND`. Words are in any case.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text, _TOKEN)
        if any(kind == "sign" for kind, _ in self.tokens):
            self.joined_by = ("and", "or")

    def next_word(self) -> str:
        """See `FilterParser`; in lower case."""
        return super().next_word().lower()

    def read_test(self, depth: int) -> RecordTest:
        """See `FilterParser`: one comparison, or the presence of a member, or what parentheses hold."""
        if depth > DEEPEST:
            raise UnreadableFilter
        if self.takes("not"):
            negated = self.read_test(depth + 1)
            return lambda members: not negated(members)
        if self.takes("("):
            return self._inner(depth, ")")
        kind, text = self.take()
        if kind != "word" or not _MEMBER.fullmatch(text):
            raise UnreadableFilter
        path = text.rpartition(":")[2].split(".")  # SCIM may write the URN of the schema before it
        if self.takes("["):
            fits = self._inner(depth, "]")
            return lambda members: any(
                isinstance(item, Mapping) and fits(item) for item in _values(members, path)
            )
        if self.takes("pr"):
            return lambda members: any(value not in (None, "", [], {}) for value in _values(members, path))
        return self._comparison(path)

    def _inner(self, depth: int, end: str) -> RecordTest:
        test = self.join_tests(depth + 1)
        self.require(end)
        return test

    def _comparison(self, path: Sequence[str]) -> RecordTest:
        kind, text = self.take()
        operator = _SIGNS.get(text) if kind == "sign" else text.lower()
        wanted = _constant(*self.take())
        is_same = is_equal if kind == "sign" else _is_equal_text
        if operator == "ne":
            return lambda members: not any(is_same(value, wanted) for value in _values(members, path))
        compare = is_same if operator == "eq" else _comparison(operator or "")
        return lambda members: any(compare(value, wanted) for value in _values(members, path))


def _is_equal_text(shown: Any, wanted: Any) -> bool:
    """Say whether a value is the one of a filter of SCIM: texts are in any case, the default of RFC 7643 §2.2."""
    if isinstance(shown, str) and isinstance(wanted, str):
        shown, wanted = shown.casefold(), wanted.casefold()
    return is_equal(shown, wanted)


def _comparison(operator: str) -> Callable[[Any, Any], bool]:
    if operator in COMPARISONS:
        return COMPARISONS[operator]
    if operator not in _TEXT_TESTS:
        raise UnreadableFilter
    test = _TEXT_TESTS[operator]
    return lambda shown, part: (
        isinstance(shown, str) and isinstance(part, str) and test(shown.casefold(), part.casefold())
    )


def _constant(kind: str, text: str) -> Any:
    """Return the value that a member is compared with. Names without quotes are texts, as in AIP-160."""
    if kind == "quoted":
        try:
            return json.loads(text) if text.startswith('"') else re.sub(r"\\(.)", r"\1", text[1:-1])
        except ValueError as error:
            raise UnreadableFilter from error
    if kind != "word":
        raise UnreadableFilter
    if _NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return _LITERALS.get(text.lower(), text)


def _values(members: Any, path: Sequence[str]) -> list[Any]:
    """Return the values of a member, those of all items of lists. What SCIM's lists of objects hold is `value`."""
    values: list[Any] = [members]
    for name in path:
        found = chain.from_iterable(value if isinstance(value, list) else [value] for value in values)
        values = [member_value(value, name) for value in found if isinstance(value, Mapping)]
    values = [*chain.from_iterable(value if isinstance(value, list) else [value] for value in values)]
    return values + [value["value"] for value in values if isinstance(value, Mapping) and "value" in value]
