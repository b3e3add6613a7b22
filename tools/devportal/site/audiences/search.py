"""Searches every file of an audience's site for texts that only other audiences may see."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.reporting.printable import count_noun
from devportal.site.audiences.private_texts import WORD, Form, PrivateText, normal_words
from devportal.site.leaks.file_bytes import INLINE_TAG, View
from devportal.site.leaks.unpacking import Budget, UnreadableFile, views_of

_INLINE_TAG = re.compile(INLINE_TAG.decode(), re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]{0,4000}>")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060]")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([ntr])|([!-/:-@\[-`{-~]))")
"""An escape of JSON and JavaScript, or of Markdown (CommonMark 2.4)."""
_HTML_CODE = re.compile(r"<(code|pre)\b[^>]*>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
_MARKDOWN_CODE = re.compile(
    r"^ *(```+|~~~+)[^\n]*\n(.*?)^ *\1|(`+)(?!`)(.+?)(?<!`)\3(?!`)", re.MULTILINE | re.DOTALL
)
_QUOTED = re.compile(r"[\"'`]([^\"'`\\\n]{1,200})[\"'`]")
_NUMBER_VALUE = re.compile(r"(?<![\w.\"-])-?\d+(?:\.\d+)?(?![\w.])")
_YAML_KEY = re.compile(r"^[ -]*[\"']?([^\s\"':#][^\"':\n]{0,200})[\"']?[ ]*:(?=\s|$)", re.MULTILINE)
_YAML_VALUE = re.compile(r"(?:^[ ]*-|:)[ ]+[\"']?([^\s\"'#][^\"'\n]{0,200}?)[\"']?[ ]*$", re.MULTILINE)
_SEPARATOR = re.compile(r"[\s\"'`,;()\[\]<>=|]+")
_URL = re.compile(r"https?://[^\s\"'`<>\\]+")
_MAX_FINDINGS = 100
_EXCERPT = 30


@dataclass(slots=True)
class _Place:
    """Where a private text stands: the first file, its surroundings there, and how many other files have it."""

    file: str
    excerpt: str
    others: int = 0


def find_private_texts(site: Path, texts: Sequence[PrivateText], audience: str) -> tuple[Finding, ...]:
    """Return a finding for each private text in the folder of an audience's site, and each file it cannot read."""
    if not texts:
        return ()
    search = _Search(texts)
    unread: list[Finding] = []
    budget = Budget()
    for path in sorted(path for path in site.rglob("*") if path.is_file()):
        name = path.relative_to(site).as_posix()
        data = path.read_bytes()
        if not _is_of_theme(name, data):
            for view in views_of(name, data, budget):
                if isinstance(view, UnreadableFile):
                    unread.append(_unread_finding(view))
                else:
                    search.search(name, view)
    return (*unread, *_findings(search.places, audience))


class _Search:
    """The private texts by a word of theirs, and where each was found."""

    def __init__(self, texts: Iterable[PrivateText]) -> None:
        self.places: dict[PrivateText, _Place] = {}
        self._by_word: dict[str, list[PrivateText]] = defaultdict(list)
        for text in texts:
            words = WORD.findall(text.text.casefold())
            if words:
                self._by_word[max(words, key=len)].append(text)

    def search(self, file: str, view: View) -> None:
        """Note which private texts a part of a file has."""
        readings = _Readings(view)
        for word in readings.words & self._by_word.keys():
            for private_text in self._by_word[word]:
                excerpt = readings.excerpt(private_text)
                if excerpt is not None:
                    self._note(private_text, file, excerpt)

    def _note(self, text: PrivateText, file: str, excerpt: str) -> None:
        place = self.places.setdefault(text, _Place(file, excerpt))
        if place.file != file:
            place.others += 1


@dataclass
class _Readings:
    """The text of a part of a file: as it is, and as people and programs read it."""

    view: View
    raw: str = field(init=False)
    plain: str = field(init=False)

    def __post_init__(self) -> None:
        self.raw = self.view.data.decode("utf-8", "replace")
        unescaped = _INVISIBLE.sub("", _without_escapes(self.raw) if "\\" in self.raw else self.raw)
        if "&" in unescaped or "<" in unescaped:
            unescaped = unescape(_TAG.sub(" ", _INLINE_TAG.sub("", unescaped)))
        self.plain = unquote(unescaped, errors="replace") if "%" in unescaped else unescaped

    @cached_property
    def words(self) -> set[str]:
        """All words in lower case."""
        return {*WORD.findall(self.raw.casefold()), *WORD.findall(self.plain.casefold())}

    @cached_property
    def normal(self) -> str:
        """All words in lower case, one blank between them: as people read them, and with what is within tags."""
        return normal_words(self.plain) + normal_words(unescape(self.raw))

    @cached_property
    def names_and_values(self) -> frozenset[str]:
        """What stands as a name or value: in code of a page, and in data."""
        return frozenset(_names_in(self.view.name, self.raw))

    def excerpt(self, private_text: PrivateText) -> str | None:
        """Return the surroundings of a private text, None if it is not there."""
        match private_text.form:
            case Form.PHRASE:
                return private_text.text if f" {private_text.text} " in self.normal else None
            case Form.WORD:
                return private_text.text if private_text.text in self.names_and_values else None
            case Form.NAME:
                pattern = re.compile(rf"(?<![\w-]){re.escape(private_text.text)}(?![\w-])")
                for text in (self.raw, self.plain):
                    found = pattern.search(text) if private_text.text in text else None
                    if found is not None:
                        return _around(text, found.start(), found.end())
                return None


def _without_escapes(text: str) -> str:
    def replacement(match: re.Match[str]) -> str:
        if match[1]:
            return chr(int(match[1], 16))
        return {"n": "\n", "t": "\t", "r": "\r"}[match[2]] if match[2] else match[3]

    return _ESCAPE.sub(replacement, text)


def _names_in(file: str, text: str) -> Iterator[str]:
    """Yield what stands as a name or a value in a file of some format."""
    suffix = file.rpartition(".")[2].lower()
    if file.endswith("!fields.txt"):
        yield from _SEPARATOR.split(text)
    elif suffix in {"json", "jsonl"}:
        yield from _names_in_code(_without_escapes(text))
        yield from _QUOTED.findall(text)
    elif suffix in {"yaml", "yml"}:
        yield from _YAML_KEY.findall(text)
        yield from _YAML_VALUE.findall(text)
        yield from _names_in_code(text)
    elif suffix in {"html", "htm", "xml"}:
        for match in _HTML_CODE.finditer(text):
            yield from _names_in_code(_INVISIBLE.sub("", unescape(_TAG.sub("", match[2]))))
    elif suffix in {"md", "txt"}:
        for match in _MARKDOWN_CODE.finditer(text):
            yield from _names_in_code(match[2] or match[4] or "")


def _names_in_code(code: str) -> Iterator[str]:
    """Yield the names and values in code: all of its tokens if it is a line, otherwise what is quoted, keys of
    YAML, numbers, and paths of addresses.
    """
    if "\n" not in code.strip() and len(code) <= 200:
        yield from _SEPARATOR.split(code.strip())
        yield code.strip()
    else:
        yield from _YAML_KEY.findall(code)
    yield from _QUOTED.findall(code)
    yield from _NUMBER_VALUE.findall(code)
    for url in _URL.findall(code):
        try:
            yield urlsplit(url).path
        except ValueError:
            continue


def _around(text: str, start: int, end: int) -> str:
    around = text[max(0, start - _EXCERPT) : end + _EXCERPT]
    return " ".join("".join(character if character.isprintable() else " " for character in around).split())


def _is_of_theme(name: str, data: bytes) -> bool:
    """Return whether a file is one of the theme as it is, in which nothing of a project can stand."""
    if not name.startswith("assets/"):
        return False
    spec = find_spec("material")
    if spec is None or spec.origin is None:
        return False
    path = Path(spec.origin).parent / "templates" / name
    return path.is_file() and path.read_bytes() == data


def _findings(places: dict[PrivateText, _Place], audience: str) -> Iterator[Finding]:
    ordered = sorted(places.items(), key=lambda item: (item[1].file, item[0].label, item[0].text))
    for text, place in ordered[:_MAX_FINDINGS]:
        whose = f"only {text.audience!r} may see it" if text.audience else "no audience may see it"
        more = f", and in {count_noun(place.others, 'more file')}" if place.others else ""
        around = f": {place.excerpt!r}" if place.excerpt != text.text else ""
        yield _finding(
            "leak-audience",
            place.file,
            f"the {text.label} {text.text!r} is on the site of {audience!r}{more}, and {whose}{around}",
            "take it out of the source of this file, mark what names it with x-audience, or, if it is not secret, "
            f"list it under 'allow' of the audience {audience!r}",
        )
    if len(ordered) > _MAX_FINDINGS:
        yield _finding(
            "leak-audience",
            ordered[_MAX_FINDINGS][1].file,
            f"{len(ordered) - _MAX_FINDINGS:,} more texts of other audiences are on the site of {audience!r}",
            "fix those above first",
        )


def _unread_finding(unread: UnreadableFile) -> Finding:
    level = Level.WARNING if unread.is_partial else Level.ERROR
    return Finding(
        rule="leak-unread",
        level=level,
        place=Place(file=unread.name),
        message=f"this file is not searched for what other audiences may see: {unread.why}",
        help="leave it out, or pack it as gzip, bzip2, xz or zip",
    )


def _finding(rule: str, file: str, message: str, help: str) -> Finding:  # noqa: A002 - Finding's word
    return Finding(rule=rule, level=Level.ERROR, place=Place(file=file), message=message, help=help)
