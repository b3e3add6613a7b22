"""Code as HTML with classes for colours; the theme has the colours. No inline style."""

import html
import re
from functools import lru_cache

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, String, _TokenType
from pygments.util import ClassNotFound

_CLASSES: tuple[tuple[_TokenType, str], ...] = (
    (Comment, "c"),
    (Keyword, "k"),
    (String, "s"),
    (Number, "n"),
    (Name.Builtin, "b"),
    (Name.Function, "f"),
    (Name.Attribute, "b"),
    (Name.Variable, "v"),
)

_JSON = re.compile(
    r'"(?:[^"\\\n]|\\.)*+"(?=\s*:)|(?P<s>"(?:[^"\\\n]|\\.)*+")|"(?:[^"\\\n]|\\.)*+'
    r"|(?P<n>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<k>true|false|null)"
)
"""Keys, and values. A string that is never closed ends with its line, and nothing in it is read twice."""
_LONGEST = 10_000
"""How many characters of other languages have colours: some lexers take square time for text that is none."""


def highlight_json(text: str, *, most: int = 500) -> str:
    """Return JSON as HTML. Written for this one case: it is ten times as fast as a general lexer.

    Keys stay plain, which tells them from values as well as a colour does, with half the spans. A text that
    would take more than `most` spans has none.
    """
    marked = _JSON.sub(
        lambda match: (
            f'<span class="{match.lastgroup}">{match.group()}</span>' if match.lastgroup else match.group()
        ),
        html.escape(text, quote=False),
    )
    return _within(most, marked, text)


def without_spans(marked: str) -> str:
    """Return highlighted code without its colours."""
    return _SPAN.sub("", marked)


_SPAN = re.compile(r"</?span[^>]*>")


_STRING = r'"(?:[^"\\]|\\.)*"'
_SINGLE = r"'(?:[^'\\]|\\.)*'"
_NUMBER = r"(?P<n>(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]))"


def _words(*words: str) -> str:
    return rf"(?P<k>\b(?:{'|'.join(words)})\b)"


_SIMPLE = {
    name: re.compile("|".join(patterns), re.DOTALL)
    for name, patterns in {
        "bash": (rf"(?P<s>'[^']*'|{_STRING})", r"(?P<b>(?<=\s)--[\w-]+)", r"(?P<v>\$\w+|\$\{\w+\})"),
        "python": (rf"(?P<s>{_STRING}|{_SINGLE})", _NUMBER, _words("import", "None", "True", "False")),
        "javascript": (
            rf"(?P<s>{_STRING}|`(?:[^`\\]|\\.)*`)",
            _NUMBER,
            _words("const", "if", "throw", "import", "from", "null", "true", "false"),
        ),
        "php": (
            rf"(?P<s><<<'TEXT'.*?\n *TEXT\b|{_STRING}|{_SINGLE})",
            _NUMBER,
            r"(?P<c>// [^\n]*)",
            _words("foreach", "as", "if", "echo", "null", "true", "false"),
        ),
        "go": (
            rf"(?P<s>{_STRING}(?:\s+{_STRING})*|`[^`]*`)",
            _NUMBER,
            _words("package", "import", "func", "var", "if", "return"),
        ),
    }.items()
}
"""What our own samples are made of, by Pygments' names: a general lexer takes ten times as long, but does
where there is no row."""

_AFTER_KEY = re.compile(r":| =>")


def highlight_sample(code: str, language: str, *, most: int = 500) -> str:
    """Return one of our own samples as HTML, by strings, numbers and a few words.

    As in JSON, keys stay plain. A sample that would take more than `most` spans has none.
    """
    if language not in _SIMPLE:
        return highlight(code, language, most=most)
    return _within(most, _marked(code, language), code)


def _within(most: int, marked: str, code: str) -> str:
    return marked if marked.count("<span ") <= most else html.escape(code, quote=False)


def _marked(code: str, language: str) -> str:
    pieces, end = [], 0
    for match in _SIMPLE[language].finditer(code):
        name = match.lastgroup or ""
        if name == "s" and _AFTER_KEY.match(code, match.end()):
            continue
        pieces += [html.escape(code[end : match.start()], quote=False), _span(name, match.group())]
        end = match.end()
    return "".join((*pieces, html.escape(code[end:], quote=False)))


def highlight(code: str, language: str, *, most: int = 2000) -> str:
    """Return code as HTML; in an unknown language, if long, or beyond `most` spans, it is only escaped."""
    if language == "json":
        return highlight_json(code, most=most)
    is_long = len(code) > _LONGEST
    lexer = None if is_long else _lexer(language.lower(), starts_inline="<?php" not in code)
    if lexer is None:
        return html.escape(code, quote=False)
    marked = "".join(_span(kind, text) for kind, text in _merged(lexer, code)).rstrip("\n")
    return _within(most, marked, code)


@lru_cache(maxsize=32)
def _lexer(language: str, *, starts_inline: bool) -> Lexer | None:
    """Return the lexer; only PHP's asks whether a text starts as PHP, without an opening tag."""
    try:
        return get_lexer_by_name(language, stripnl=False, startinline=starts_inline)
    except ClassNotFound:
        return None


def _merged(lexer: Lexer, code: str) -> list[tuple[str, str]]:
    """Return class and text of each run of tokens that look the same."""
    runs: list[tuple[str, str]] = []
    for kind, text in lexer.get_tokens(code):
        name = _class_of(kind)
        if runs and (runs[-1][0] == name or not text.strip()):
            runs[-1] = (runs[-1][0], runs[-1][1] + text)
        else:
            runs.append((name, text))
    return runs


@lru_cache(maxsize=256)
def _class_of(kind: _TokenType) -> str:
    return next((name for token, name in _CLASSES if kind is token or kind[: len(token)] == token), "")


def _span(name: str, text: str) -> str:
    escaped = html.escape(text, quote=False)
    return f'<span class="{name}">{escaped}</span>' if name else escaped
