"""Replaces the insert marks of pages, and finds the definitions on rendered pages."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from mkdocs.structure.files import Files

from devportal.documents import read_text
from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.markup import SearchEntry, SearchKind
from devportal.markup.page import InsertProblem
from devportal.project.inputs import Inputs
from devportal.site.hand_written.inserts import InsertResult, Inserts, insert_marks_in

_PLACEHOLDER = "devportal-insert-{}"
_BRACE = "\ue07b"
"""Stands for a brace while the page is rendered: attribute lists have no escape that also holds in code."""
_PLACEHOLDER_LINE = re.compile(r"^([ \t]*)(devportal-insert-\d+)$", re.MULTILINE)
_RENDERED_PLACEHOLDER = re.compile(r"<p>(devportal-insert-\d+)</p>|(?<![\w-])(devportal-insert-\d+)(?![\w-])")


def insert_problems(inserts: Inserts, text: str, *, name: str, source: str) -> Iterator[Finding]:
    """Yield what is wrong with the inserts of a page; `text` includes front matter, messages call its file `name`."""
    for number, mark in enumerate(insert_marks_in(text), start=1):
        anchor = _PLACEHOLDER.format(number)  # as the page has it, so that the insert is made once
        result = inserts.make_insert(mark.words, source=source, anchor=anchor) if not mark.problem else None
        if result is None or isinstance(result, InsertProblem):
            yield Finding(
                rule="page-insert",
                level=Level.ERROR,
                place=Place(file=name, line=mark.number + 1, column=len(mark.indent) + 1),
                message=result.message if result else mark.problem,
                help=result.help if result else "write '<!-- devportal: NAME ARGUMENT… -->'",
            )


def insert_problems_of_site(files: Files, inserts: Inserts, inputs: Inputs) -> Iterator[Finding]:
    """Yield what is wrong with the inserts of all hand-written pages. Raises UnreadableInput."""
    for file in files.documentation_pages():
        if file.abs_src_path is not None:
            path = Path(file.abs_src_path)
            name = inputs.name(path)
            text = read_text(path, name=name, max_bytes=None)
            yield from insert_problems(inserts, text, name=name, source=file.src_uri)


class InsertReplacer:
    """Replaces insert marks in the Markdown of one build's pages, and their placeholders in the HTML."""

    def __init__(self, inserts: Inserts) -> None:
        """Take what makes the inserts."""
        self._inserts = inserts
        self._inserted: dict[str, dict[str, InsertResult]] = {}

    def replace_marks(self, markdown: str, source: str) -> str:
        """Return the Markdown of the page `source` with its inserts. Invalid inserts are left out."""
        lines = markdown.split("\n")
        for number, mark in enumerate(insert_marks_in(markdown), start=1):
            word = _PLACEHOLDER.format(number)
            result = (
                None if mark.problem else self._inserts.make_insert(mark.words, source=source, anchor=word)
            )
            text = ""
            if isinstance(result, InsertResult):
                self._inserted.setdefault(source, {})[word] = result
                text = word if result.html else _escape_braces(result)
            lines[mark.number] = f"\n{_indent_lines(text, mark.indent)}\n"
        return "\n".join(lines)

    def replace_placeholders(self, html: str, source: str) -> str:
        """Return the HTML of a page with the inserts that have their own HTML."""
        inserted = self._inserted.get(source)
        if inserted is None:
            return html

        def insert(match: re.Match[str]) -> str:
            result = inserted.get(match[1] or match[2])
            return result.html if result is not None and result.html else match[0]

        return _RENDERED_PLACEHOLDER.sub(insert, html.replace(_BRACE, "{"))

    def twin(self, markdown: str, source: str) -> str:
        """Return the Markdown of a page with placeholders replaced by the Markdown of their inserts."""
        inserted = self._inserted.get(source)
        if inserted is None:
            return markdown

        def insert(match: re.Match[str]) -> str:
            result = inserted.get(match[2])
            return (
                _indent_lines(result.markdown, match[1]) if result is not None and result.html else match[0]
            )

        return _PLACEHOLDER_LINE.sub(insert, markdown.replace(_BRACE, "{"))


def _escape_braces(result: InsertResult) -> str:
    return result.markdown.replace("{", _BRACE) if result.is_inert else result.markdown


def _indent_lines(text: str, indent: str) -> str:
    return "\n".join(f"{indent}{line}".rstrip() for line in text.split("\n"))


_LIST = re.compile(r"<dl>(?=\s*<dt><a class=\"dp-term\")")
_HEADING_OR_TERM = re.compile(
    r"<h[2-6][^>]*>(?P<heading>.*?)</h[2-6]>"
    r"|<dt><a class=\"dp-term\"[^>]*\bid=\"(?P<id>[^\"]+)\"[^>]*>(?P<term>.*?)</a></dt>"
    r"\s*<dd>(?P<text>.*?)</dd>",
    re.DOTALL,
)
_PERMALINK = re.compile(r"<a class=\"headerlink\".*?</a>", re.DOTALL)


def definitions_in(html: str) -> Iterator[SearchEntry]:
    """Yield an entry for each definition whose name is a link to itself; its text begins with its section."""
    heading = ""
    for match in _HEADING_OR_TERM.finditer(html):
        if match["id"] is None:
            heading = _html_text(_PERMALINK.sub("", match["heading"]))
        else:
            term = _html_text(match["term"])
            yield SearchEntry(
                kind=SearchKind.TERM,
                title=term,
                tags=(re.split(r",? ", term)[0],),
                text=f"{heading}: {_html_text(match['text'])}" if heading else _html_text(match["text"]),
                anchor=unescape(match["id"]),
            )


def without_definitions(html: str) -> str:
    """Return the HTML of a page with its definitions excluded from the theme's search index."""
    return _LIST.sub("<dl data-search-exclude>", html)


def _html_text(html: str) -> str:
    """Return the text of HTML on one line."""
    words = re.sub(r"<[^>]+>", "", re.sub(r"</(?:p|li|dd)>", " ", html))
    return " ".join(unescape(words).split())
