"""Small elements of HTML and Markdown, and highlighted code. Text is escaped here."""

import html
import re
from collections.abc import Iterable
from functools import lru_cache
from html import escape

from markupsafe import Markup
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, String, _TokenType
from pygments.util import ClassNotFound

from devportal.contract import ExternalDocs
from devportal.language import CODE, ISOLATED, TEXT
from devportal.markup import code_block, code_span, escape_markdown, plain_text
from devportal.markup.urls import quote
from devportal.translation import gettext, gettext_html, gettext_noop, join_list, with_label

EVENT = "EVENT"
"""What stands in place of the method of an event."""


def escape_text(plain: str) -> str:
    """Return plain text as it stands between tags."""
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def escape_attribute(plain: str) -> str:
    """Return plain text as it stands in an attribute's quotes."""
    return escape(plain)


_NAME_BOUNDARY = re.compile(r"(?<=.[/._])(?=[\w{])|(?<=[a-z0-9])(?=[A-Z])")
"""Where a name may break: behind a slash, a dot or an underscore, and before a word in camel case."""


def breakable_name(plain: str) -> Markup:
    """Return a name as HTML that breaks between its words, where one without blanks would break within them."""
    if " " in plain or len(plain) < _LEAST_BREAKABLE:
        return Markup(escape_text(plain))  # noqa: S704 - it is escaped
    words = map(escape_text, _NAME_BOUNDARY.split(plain))
    return Markup("<wbr>".join(words))  # noqa: S704 - each word is escaped


def break_long_path(path: str) -> str:
    """Return a path as HTML that breaks between its segments if it is longer than a line on a phone."""
    html = escape_text(path)
    return _SEGMENT_START.sub("<wbr>", html) if len(path) > _PHONE_LINE else html


_SEGMENT_START = re.compile(r"(?<=.{8}/)(?=.{8})")
"""Behind a slash, but not where a line would begin or end with a few letters."""
_PHONE_LINE = 32
"""How many letters of a path fit a line of a list on a phone."""
_LEAST_BREAKABLE = 16
"""How long a name is that may not fit into a line of the column, or into one of a heading on a phone."""


def isolate_text(plain: str) -> str:
    """Return text of a contract between words of ours: neither its language nor its direction is theirs."""
    return f"{ISOLATED}{escape_text(plain)}</bdi>"


def inline_code(plain: str) -> str:
    """Return text as code in a line."""
    return f"<code>{escape_text(plain)}</code>"


def visible_code(plain: str) -> str:
    """Return a name or a value for code: one that is empty or blank can be seen."""
    return plain if plain.strip() else f'"{plain}"'


def muted_html(plain: str) -> str:
    """Return text that is not what one reads first."""
    return f'<span class="dp-muted">{escape_text(plain)}</span>'


def badge(kind: str, words: str = "", *, about: str = "") -> str:
    """Return a mark in the colours of a method or of a stability; `about` is read when one points at it."""
    title = f' title="{escape_attribute(about)}"' if about else ""
    words = escape_text(words or _kind_words(kind))
    return f'<span class="dp-badge dp-badge--{escape_attribute(kind)}"{title}>{words}</span>'


_KIND_WORDS = frozenset(
    (
        gettext_noop("stable"),
        gettext_noop("beta"),
        gettext_noop("alpha"),
        gettext_noop("draft"),
        gettext_noop("deprecated"),
        gettext_noop("unresolved"),
    )
)


def _kind_words(kind: str) -> str:
    """Return what a badge of a kind says: the names of methods are not words."""
    return gettext(kind) if kind in _KIND_WORDS else kind


def method_words(method: str) -> str:
    """Return what a badge says of a request: its method, or that it is an event."""
    return gettext("EVENT") if method == EVENT else method


def method_kind(method: str) -> str:
    """Return the kind of a method's badge: `method` for those that only some APIs have (OAS 3.2.0 §4.9.1)."""
    return method.lower() if method in _COLOURED_METHODS else "method"


_COLOURED_METHODS = frozenset(
    {"GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "POST", "PUT", "PATCH", "DELETE", EVENT}
)


def level_words(level: str | None) -> str:
    """Return a level of stability in words; empty without one."""
    return _kind_words(level) if level else ""


def end_badge(*, deprecated: bool, sunset: str) -> str:
    """Return the badge of a deprecated or retiring part; empty for others."""
    marks = (
        gettext("deprecated") if deprecated else "",
        gettext("sunset %(day)s", day=sunset) if sunset else "",
    )
    words = join_list(filter(None, marks))
    return badge("deprecated", words) if words else ""


MAX_REST_LENGTH = 40_000
"""How many characters a reader can open below the beginning of a long example; beyond, only the twin has them."""


def code_block_html(code_html: str, label: str, *, rest: str = "", rest_label: str = "") -> str:
    """Return a block of code that can be scrolled with the keyboard too.

    `rest` is text that a reader opens below the block; one button copies both. If it is too long for a page, a note
    says where it is.
    """
    block = _code_html(code_html, label)
    if not rest:
        return block
    if len(rest) > MAX_REST_LENGTH:
        note = gettext_html("%(rest)s: the Markdown version of this page has the rest.", rest=rest_label)
        return f'{block}<p class="dp-panel__note">{note}</p>\n'
    return (
        f'<div class="dp-long">{block}<details class="dp-rest"><summary>{rest_label}</summary>\n'
        f"{_code_html(escape_text(rest), gettext('%(label)s, continued', label=label))}</details></div>\n"
    )


def _code_html(code_html: str, label: str) -> str:
    focus = f'tabindex="0" role="group" aria-label="{escape_attribute(label)}"'
    return f'<pre class="dp-code" {focus}{CODE}<code>{code_html}</code></pre>\n'


def heading(level: int, anchor: str, title: str) -> str:
    """Return a heading with its permalink."""
    return f"{heading_html(level, anchor, title, escape_text(title))}\n"


def text_heading(level: int, anchor: str, title: str) -> str:
    """Return a heading with its permalink, its title a text of the contract."""
    return f"{heading_html(level, anchor, title, breakable_name(title), end=TEXT)}\n"


def heading_html(level: int, anchor: str, title: str, title_html: str, *, end: str = ">") -> str:
    """Return a heading with its permalink, its title given as HTML too; `end` is how its tag ends."""
    label = escape_attribute(gettext("Permalink to %(title)s", title=title))
    permalink = (
        f'<a class="dp-anchor" data-markdown-ignore href="#{quote(anchor)}" aria-label="{label}">#</a>'
    )
    return f'<h{level} id="{escape_attribute(anchor)}"{end}{title_html} {permalink}</h{level}>'


def external_link(url: str, words: str = "") -> str:
    """Return an address as a link, if it is one that a browser may be sent to."""
    if url.startswith(("http://", "https://")):
        return f'<a href="{escape_attribute(url)}" rel="noopener noreferrer">{escape_text(words or url)}</a>'
    return f"{escape_text(words)} {inline_code(url)}"


def external_docs_link(external: ExternalDocs | None) -> str:
    """Return the link to documentation elsewhere; its words have no markup, as a link has none in it."""
    return external_link(external.url, plain_text(external.description)) if external else ""


def external_docs_text(external: ExternalDocs) -> str:
    """Return the link to documentation elsewhere as a sentence in CommonMark."""
    link = autolink(external.url)
    if external.description:
        link = with_label(commonmark_to_line(external.description), link)
    return gettext("See %(link)s.", link=link)


__all__ = [
    "autolink",
    "code_block",
    "code_span",
    "commonmark_to_line",
    "escape_markdown",
    "markdown_table",
    "text_to_line",
]

_ESCAPED_BAR = r"\|"


def commonmark_to_line(text: str) -> str:
    """Return CommonMark as text on one line, in which nothing is markup any more."""
    return escape_markdown(plain_text(text))


def text_to_line(text: str) -> str:
    """Return plain text, such as a title, on one line, in which nothing is markup: none of it is lost."""
    return escape_markdown(" ".join(text.split()))


def autolink(url: str) -> str:
    """Return an address as a link to itself; as code if it is not a web address."""
    is_web = re.fullmatch(r"https?://[^\s<>]+", url, re.IGNORECASE)
    return f"<{url}>" if is_web else code_span(url)


def markdown_table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return Markdown as cells of a table. A `|` is escaped, in code too (GitHub's Markdown, §4.10)."""
    named = tuple(heads)
    return "\n".join(_table_row(cells) for cells in (named, ["---"] * len(named), *rows))


def _table_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', _ESCAPED_BAR) for cell in cells)} |"


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

_JSON_TOKEN = re.compile(
    r'"(?>[^"\\\n]*(?:\\.[^"\\\n]*)*)(?:"(?:(?=\s*:)|(?P<s>)))?'
    r"|(?P<n>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<k>true|false|null)"
)
"""Keys, and values; an empty group behind a text says that it is not a key.

A string that is never closed ends with its line, and nothing in it is read twice.
"""
_MAX_LENGTH = 10_000
"""How many characters of other languages have colours: some lexers take square time for other text."""


def highlight_json(text: str, *, most: int = 500) -> str:
    """Return JSON as HTML. Written for this one case: it is ten times as fast as a general lexer.

    Keys stay plain, which distinguishes them from values as well as a colour does, with half the spans. A text that
    would take more than `most` spans has none.
    """
    return _mark_json(html.escape(text, quote=False), most)


@lru_cache(maxsize=16)
def _mark_json(escaped: str, most: int) -> str:
    """Return escaped JSON with its colours, without any if it has more than `most`; nothing behind that many is read.

    A page that is made again asks for it again, and large texts are few.
    """
    parts: list[str] = []
    end, left = 0, most
    for match in _JSON_TOKEN.finditer(escaped):
        if name := match.lastgroup:
            if left <= 0:
                return escaped
            left -= 1
            parts += (escaped[end : match.start()], f'<span class="{name}">{match[0]}</span>')
            end = match.end()
    return "".join((*parts, escaped[end:]))


def without_spans(marked: str) -> str:
    """Return highlighted code without its colours."""
    return _SPAN.sub("", marked)


_SPAN = re.compile(r"</?span[^>]*>")


_AFTER_KEY = re.compile(r":| =>")


def highlight_sample(code: str, tokens: re.Pattern[str], *, most: int = 500) -> str:
    """Return a generated sample as HTML, highlighted by a pattern whose groups are named after CSS classes.

    A general lexer takes ten times as long. As in JSON, keys stay plain. A sample that would need more than
    `most` spans is not highlighted.
    """
    return _escape_if_over(most, _mark_tokens(code, tokens), code)


@lru_cache(maxsize=128)
def _mark_tokens(code: str, tokens: re.Pattern[str]) -> str:
    """Return a sample with all its colours; a page asks for it with several limits."""
    parts, end = [], 0
    for match in tokens.finditer(code):
        name = match.lastgroup
        if name is None or (name == "s" and _AFTER_KEY.match(code, match.end())):
            continue
        parts += [escape_text(code[end : match.start()]), _span(name, match.group())]
        end = match.end()
    return "".join((*parts, escape_text(code[end:])))


def _escape_if_over(most: int, marked: str, code: str) -> str:
    return marked if marked.count("<span ") <= most else html.escape(code, quote=False)


def highlight(code: str, language: str, *, most: int = 2000) -> str:
    """Return highlighted code as HTML. Long code, unknown languages, and code beyond `most` spans are escaped only."""
    if language == "json":
        return highlight_json(code, most=most)
    is_long = len(code) > _MAX_LENGTH
    lexer = None if is_long else _lexer(language.lower(), starts_inline="<?php" not in code)
    if lexer is None:
        return html.escape(code, quote=False)
    marked = "".join(_span(kind, text) for kind, text in _token_runs(lexer, code)).rstrip("\n")
    return _escape_if_over(most, marked, code)


@lru_cache(maxsize=32)
def _lexer(language: str, *, starts_inline: bool) -> Lexer | None:
    """Return the lexer. Only PHP's uses `starts_inline`: the code starts without an opening tag."""
    try:
        return get_lexer_by_name(language, stripnl=False, startinline=starts_inline)
    except ClassNotFound:
        return None


def _token_runs(lexer: Lexer, code: str) -> list[tuple[str, str]]:
    """Return class and text of each run of tokens with the same class."""
    runs: list[tuple[str, str]] = []
    for kind, text in lexer.get_tokens(code):
        name = _token_class(kind)
        if runs and (runs[-1][0] == name or not text.strip()):
            runs[-1] = (runs[-1][0], runs[-1][1] + text)
        else:
            runs.append((name, text))
    return runs


@lru_cache(maxsize=256)
def _token_class(kind: _TokenType) -> str:
    return next((name for token, name in _CLASSES if kind is token or kind[: len(token)] == token), "")


def _span(name: str, text: str) -> str:
    escaped = escape_text(text)
    return f'<span class="{name}">{escaped}</span>' if name else escaped


def name_sentence(request: str, api: str) -> str:
    """Return the description of an operation without one; `request` is such as `GET /v1/orders`."""
    method, _, path = request.partition(" ")
    return gettext("%(method)s %(path)s, an operation of %(api)s.", method=method, path=path, api=api)


def is_name_sentence(text: str, request: str) -> bool:
    """Say whether a text is the description of an operation without one, whatever its API is called."""
    before, _, after = name_sentence(request, "\0").partition("\0")
    return text.startswith(before) and text.endswith(after)
