"""A short text that matches a regular expression (ECMA 262), and the expression as browsers read it."""

import re
import re._constants as sre  # type: ignore[import-not-found]  # typeshed has no stubs for the parser
import re._parser as sre_parse  # type: ignore[import-not-found]  # the public name is deprecated
import warnings
from functools import lru_cache
from typing import Any

import jsonschema_rs

_PREFERRED = "1a0Ab-_ ."
MAX_SAMPLE_LENGTH = 5_000
"""Code points of the longest sample that is made; nested repetitions ask for any length."""


@lru_cache(maxsize=4096)
def sample_for_pattern(pattern: str, *, at_least: int = 0, at_most: int | None = None) -> str:
    """Return a text that the pattern matches, of about `at_least` code points; empty if none is found."""
    longest = MAX_SAMPLE_LENGTH if at_most is None else at_most
    try:
        tree = parse_pattern(pattern)
        for extra in (0, max(0, at_least), max(0, at_least - 1), max(0, at_least - 4)):
            text = _sequence_text(tree, extra)
            if at_least <= len(text) <= longest and matches_pattern(pattern, text):
                return text
        text = _fitted_text(tree, at_least - len(_sequence_text(tree, 0)))[0]
        if at_least <= len(text) <= longest and matches_pattern(pattern, text):
            return text
        for turn in range(1, _MAX_TURNS if _LOOK_AROUND.search(pattern) else 0):
            text = _varied_text(tree, turn, max(at_least, 1 + turn % _LONGEST_REPETITION))
            if at_least <= len(text) <= longest and matches_pattern(pattern, text):
                return text
    except (re.error, RecursionError, OverflowError):
        return ""
    return ""


def _fitted_text(elements: Any, missing: int) -> tuple[str, int]:
    """Return a text for elements in a row that is longer than the shortest by what is missing, if that is
    possible, and what is still missing then: the first repetitions go on until it is long enough.
    """
    text = ""
    for op, argument in elements:
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT) and missing > 0:
            least = _element_text(op, argument, 0)
            part = _sequence_text(argument[2], 0)
            times = -(-(len(least) + missing) // max(1, len(part)))
            added = part * min(max(times, int(argument[0])), int(argument[1]), MAX_SAMPLE_LENGTH)
        elif op is sre.SUBPATTERN:
            least = _element_text(op, argument, 0)
            added, _ = _fitted_text(argument[3], missing)
        else:
            least = added = _element_text(op, argument, 0)
        missing -= len(added) - len(least)
        text += added
    return text[:MAX_SAMPLE_LENGTH], missing


_MAX_TURNS = 96
_MAX_VARIED_LENGTH = 200
_LOOK_AROUND = re.compile(r"\(\?<?[=!]")
_LONGEST_REPETITION = 16
_VARIED = "aA1bB2cC3-_.dD4!@#$%&*eE5 :/+fF6"
"""Characters of all kinds, mixed: look-arounds ask for one of each, or for none of some."""


def _varied_text(elements: Any, turn: int, length: int) -> str:
    """Return a text for elements in a row, another one each turn: patterns with look-around ask for more than
    their elements show.
    """
    text = ""
    for op, argument in elements:
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            low, high, body = argument
            for number in range(min(max(low, length), int(high), _MAX_VARIED_LENGTH)):
                text += _varied_text(body, turn + number, 1)
                if len(text) >= _MAX_VARIED_LENGTH:
                    break
        elif op is sre.SUBPATTERN:
            text += _varied_text(argument[3], turn, length)
        elif op is sre.BRANCH:
            text += _varied_text(argument[1][turn % len(argument[1])], turn, length)
        elif op is sre.IN or op is sre.ANY:
            text += _varied_character(argument if op is sre.IN else [], turn + len(text))
        else:
            text += _element_text(op, argument, 0)
        if len(text) >= _MAX_VARIED_LENGTH:
            break
    return text[:_MAX_VARIED_LENGTH]


def _varied_character(items: Any, turn: int) -> str:
    """Return one of the characters of a class, another one each turn; of any, if the class has no items."""
    negated = not items or items[0][0] is sre.NEGATE
    allowed = [
        text for text in _VARIED if any(_class_item_matches(item, ord(text)) for item in items) is not negated
    ]
    return allowed[turn % len(allowed)] if allowed else _class_character(items)


def parse_pattern(pattern: str) -> Any:
    """Return the parse tree of a pattern: its elements, each an operator with an argument.

    Raises `re.error` if Python cannot parse it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of sets that Python may read differently one day
        return sre_parse.parse(_to_python_regex(pattern))


def matches_pattern(pattern: str, text: str) -> bool:
    """Say whether a pattern is found in the text; False for a pattern that validators cannot read either.

    The validators' engine bounds backtracking, so that no pattern of a contract can hold us up.
    """
    validator = _pattern_validator(pattern)
    return validator is not None and validator.is_valid(text)


def is_supported_pattern(pattern: str) -> bool:
    """Say whether validators can work with a pattern."""
    return _pattern_validator(pattern) is not None


def is_regex(pattern: str) -> bool:
    """Say whether a pattern is a regular expression to anybody: to validators, or to Python."""
    if is_supported_pattern(pattern):
        return True
    try:
        parse_pattern(_BEFORE_HYPHEN.sub(r"\1\\-", pattern))
    except (re.error, RecursionError, OverflowError):
        return False
    return True


_BEFORE_HYPHEN = re.compile(r"(\\[dDsSwW])-")
r"""A class of characters that no range can begin with: `[\w-.]` is fine in ECMA 262, Annex B."""


@lru_cache(maxsize=4096)
def _pattern_validator(pattern: str) -> jsonschema_rs.Draft202012Validator | None:
    try:
        return jsonschema_rs.Draft202012Validator({"pattern": pattern})
    except (ValueError, jsonschema_rs.ValidationError):
        return None


_ECMA_SYNTAX = re.compile(r"\\[pP]\{([^}]*)\}|\\k<([^>]*)>|\\.|\(\?<(?=[^=!])|[\[\]]", re.DOTALL)
_CATEGORY_RANGES = {"Lu": "A-Z", "Ll": "a-z", "N": "0-9", "Nd": "0-9", "P": "-", "Z": " ", "Zs": " "}


def _to_python_regex(pattern: str) -> str:
    """Return a pattern of ECMA 262 in Python's words: named groups, and ASCII for Unicode properties."""
    in_class = False

    def translate(match: re.Match[str]) -> str:
        nonlocal in_class
        token = match.group()
        if match.group(1) is not None:
            ranges = _CATEGORY_RANGES.get(match.group(1), "A-Za-z")
            return ranges if in_class else f"[{ranges}]"
        if match.group(2) is not None:
            return f"(?P={match.group(2)})"
        if token in "[]":
            in_class = token == "["
        return "(?P<" if token == "(?<" else token

    return _ECMA_SYNTAX.sub(translate, pattern)


def _element_text(op: Any, argument: Any, extra: int) -> str:
    """Return the text for one parsed element; `extra` is how often an unbounded repetition goes on."""
    if op is sre.LITERAL:
        return chr(argument)
    if op is sre.IN:
        return _class_character(argument)
    if op in (sre.ANY, sre.NOT_LITERAL):
        return "a" if op is sre.ANY or argument != ord("a") else "b"
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        low, high, body = argument
        times = min(max(low, extra), int(high)) if extra else low
        part = _sequence_text(body, 0)
        return part * min(times or (1 if high else 0), MAX_SAMPLE_LENGTH // max(1, len(part)))
    if op is sre.SUBPATTERN:
        return _sequence_text(argument[3], extra)
    if op is sre.BRANCH:
        return _sequence_text(argument[1][0], extra)
    return ""


def _sequence_text(elements: Any, extra: int) -> str:
    """Return the text for elements in a row, never more than a sample may have."""
    text = ""
    for op, argument in elements:
        text += _element_text(op, argument, extra)
        if len(text) >= MAX_SAMPLE_LENGTH:
            break
    return text[:MAX_SAMPLE_LENGTH]


def _class_character(items: Any) -> str:
    """Return a character of a class, a plain one if the class has one."""
    negated = bool(items) and items[0][0] is sre.NEGATE
    for character in _PREFERRED + "".join(map(chr, range(33, 127))):
        if any(_class_item_matches(item, ord(character)) for item in items) is not negated:
            return character
    first = next((argument for op, argument in items if op in (sre.LITERAL, sre.RANGE)), ord("a"))
    return chr(first[0] if isinstance(first, tuple) else first)


_CATEGORIES = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}


def _class_item_matches(item: Any, code: int) -> bool:
    op, argument = item
    if op is sre.LITERAL:
        return bool(argument == code)
    if op is sre.RANGE:
        return bool(argument[0] <= code <= argument[1])
    if op is sre.CATEGORY:
        return re.fullmatch(_CATEGORIES[argument], chr(code)) is not None
    return False


_ESCAPE_OR_HYPHEN = re.compile(
    r"""
    (?P<set> \\[dDsSwW] | \\[pP]\{[^}]*\} ) (?P<after> -? )  # a class of characters, and a hyphen after it
    | - (?P<before> (?= \\[dDsSwW] | \\[pP]\{ ) )            # a hyphen before one
    | \\ (?P<idle> [^\w^$\\.*+?()\[\]{}|/] | _ )             # what means itself without the backslash
    | \\. | [\[\]]
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)


def without_needless_escapes(pattern: str) -> str:
    """Return a pattern that means the same, with the `u` flag if it can be read so at all."""
    in_class = False

    def rewrite_escape(match: re.Match[str]) -> str:
        nonlocal in_class
        text = match.group()
        if text in "[]":
            in_class = text == "["
        if (character := match["idle"]) is not None:
            return _unescape_character(character, in_class=in_class)
        if in_class and (match["after"] or match["before"] is not None):
            return f"{match['set'] or ''}\\-"
        return text

    return _ESCAPE_OR_HYPHEN.sub(rewrite_escape, pattern)


def _unescape_character(character: str, *, in_class: bool) -> str:
    """Return an escaped character without its backslash, unless it would then mean something else."""
    if character == "-" and in_class:
        return r"\-"
    return r"\x2c" if character == "," and not in_class else character  # `a{1\,2}` is not a repetition
