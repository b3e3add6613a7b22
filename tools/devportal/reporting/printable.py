"""Texts made safe to show, and numbers with their nouns."""

import re


def printable_line(text: str) -> str:
    """Return text on one line that a terminal shows and does not obey: other characters as escapes."""
    return escape_unprintable(" ".join(text.split()))


def escape_unprintable(text: str) -> str:
    """Return text that a terminal shows and does not obey: other characters as escapes."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape", "backslashreplace").decode()
        for each in text
    )


def printable_text(text: str, longest: int = 400) -> str:
    """Return text, with its lines, with control characters escaped, cut at a number of code points."""
    escaped = "".join(
        char if char.isprintable() or char == "\n" else _escape_character(char) for char in text
    )
    return escaped if len(escaped) <= longest else escaped[: longest - 1] + "…"


def _escape_character(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def capitalise(text: str) -> str:
    """Return text that begins with a capital letter, unless its first word is a name such as `maxLength`."""
    first_word = text.partition(" ")[0]
    return text if _CAMEL_CASE.match(first_word) else text[:1].upper() + text[1:]


_CAMEL_CASE = re.compile(r"[a-z]+[A-Z]")


def count_noun(count: int, noun: str) -> str:
    """Return how many there are of something: `1 try`, `2 tries`, `2 entries of the log`, `2 fields that differ`."""
    return f"{count:,} {noun if count == 1 else _pluralise(noun)}"


def _pluralise(words: str) -> str:
    noun, *qualifier = _QUALIFIER.split(words, maxsplit=1)
    plural = f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in _VOWELS else f"{noun}s"
    return "".join([plural, *qualifier])


_QUALIFIER = re.compile(r"( (?:of|that|with|without|other) .*)")
"""What follows a noun and stays as it is."""
_VOWELS = frozenset("aeiou")
