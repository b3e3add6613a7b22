"""Content streams of PDFs: which bytes draw, and say nothing to a reader.

A page of a PDF is drawn by operators behind their operands (ISO 32000-1 §7.8.2). What it says is in strings; numbers
are coordinates, sizes and colours, so `262.98 457.80 l` is not code, and `BT` begins a text and is not Bhutan.
"""

import re

_SPACE = rb"\0\t\n\f\r "
_STRING = rb"\((?<!\\\()[^()\\]*(?:\\.[^()\\]*)*\)"
"""A string without parentheses in it: nearly every one. Its first byte comes first, for a search that is fast."""
_CODE = rb"<[0-9A-Fa-f%s]*>" % _SPACE
_NAME = rb"/[^%s()<>\[\]{}/%%]*" % _SPACE
_NUMBER = rb"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"
_TOKEN = re.compile(
    rb"(?P<space>[%(space)s]+|%%[^\r\n]*)"
    rb"|(?P<string>\()"
    rb"|(?P<code>%(code)s)"
    rb"|(?P<delimiter><<|>>|[\[\]])"
    rb"|(?P<name>%(name)s)"
    rb"|(?P<number>%(number)s)(?![^%(space)s()<>\[\]{}/%%])"
    rb"|(?P<operator>[A-Za-z'\"][A-Za-z0-9*]*)"
    % {b"space": _SPACE, b"code": _CODE, b"name": _NAME, b"number": _NUMBER}
)
_STRING_MARK = re.compile(rb"\\.|[()]", re.DOTALL)
_CONSTANTS = frozenset(b"true false null".split())
_OPERATORS = frozenset(
    b"""b B b* B* BDC BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg
    ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' \"""".split()
)
"""All operators (ISO 32000-1, Annex A) but those of images within the stream."""

_OPAQUE_TOKEN = re.compile(rb"(%s|%s|%s)" % (_STRING, _CODE, _NAME), re.DOTALL)
"""What stays as it is."""
_NUMBER_WORD = re.compile(_NUMBER)
_LETTER_WORDS = frozenset(word for word in _OPERATORS | _CONSTANTS if not re.search(rb"\d", word))
_OTHER_SYNTAX = re.compile(rb"[()<>\[\]{}%\v]")
_BLANKED = bytes.maketrans(
    b"+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", b" " * 13 + b"abcdefghijklmnopqrstuvwxyz"
)


def without_drawing(content: bytes) -> bytes:
    """Return a content stream with spaces for the numbers outside of its strings, and operators in lower case, in which
    no code of a market is written; any other bytes as they are.

    What has anything else than operators and their operands, such as text in an attachment, is no such stream.
    """
    simple = _without_simple_drawing(content)
    return simple if simple is not None else _without_tokens(content)


def _without_simple_drawing(content: bytes) -> bytes | None:
    """Return the same as `_without_tokens` for a stream of numbers, operators, names and strings without parentheses.

    None for any other bytes. A page has thousands of tokens, and nearly every page has only those.
    """
    tokens = _OPAQUE_TOKEN.split(content)
    drawing = b"\0".join(tokens[::2])
    if b"\0" in content or _OTHER_SYNTAX.search(drawing) or not _ends_with_operator(tokens[-1]):
        return None
    words = set(drawing.replace(b"\0", b" ").split())
    if not all(map(_NUMBER_WORD.fullmatch, words - _LETTER_WORDS)):
        return None
    tokens[::2] = drawing.translate(_BLANKED).split(b"\0")
    return b"".join(tokens)


def _ends_with_operator(drawing: bytes) -> bool:
    words = drawing.split()
    return bool(words) and words[-1] in _OPERATORS


def _without_tokens(content: bytes) -> bytes:
    """Return a content stream without drawing, read token by token."""
    searchable = bytearray(content)
    for start, end, replacement in _drawing_tokens(content):
        searchable[start:end] = replacement
    return bytes(searchable)


def _drawing_tokens(content: bytes) -> list[tuple[int, int, bytes]]:
    """Return where numbers and operators start and end outside of strings, and what to write there; none if this is
    no content stream.
    """
    found: list[tuple[int, int, bytes]] = []
    position, ends_with_operator = 0, False
    while position < len(content):
        token = _TOKEN.match(content, position)
        if token is None:
            return []
        position = token.end()
        kind = token.lastgroup
        if kind == "string":
            position = _end_of_string(content, position)
        elif kind == "number":
            found.append((*token.span(), b" " * len(token.group())))
        elif kind == "operator":
            if token.group() not in _OPERATORS | _CONSTANTS:
                return []
            found.append((*token.span(), token.group().lower()))
        if kind != "space":
            ends_with_operator = token.group() in _OPERATORS
    return found if ends_with_operator else []


def _end_of_string(content: bytes, start: int) -> int:
    """Return the end of a string whose parenthesis opens before `start`: balanced ones are part of it."""
    depth = 1
    for mark in _STRING_MARK.finditer(content, start):
        depth += {b"(": 1, b")": -1}.get(mark.group(), 0)
        if not depth:
            return mark.end()
    return len(content)
