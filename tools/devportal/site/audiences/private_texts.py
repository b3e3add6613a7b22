"""The private texts of an audience's site: what the contract of another audience has and its own contract does not.

There are three forms of text, as each may stand elsewhere by chance in another way:

- a *name* looks like one of code (`pageSize`, `created_at`, `/orders/items`), or is a tag or a value of two
  words and more: it is private wherever it stands;
- a *word* is one of a language (`amount`), or a number (`12.50`): it is private where it stands as a name or a
  value, which is in code and in data;
- a *phrase* is a sentence of four words and more, or eight words of a longer one: it is private wherever it stands.

Names and words that the toolkit itself has in its files are in wide use and no secret.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import islice
from typing import Any

from devportal.contract.validate.oas_objects import DATA_FIELDS

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
WORD = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")
"""A word, or a character of a script that puts no blanks between words."""
MIN_NAME = 6
"""How many characters a name has at least."""
MIN_WORD = 5
"""How many characters a word or number has at least."""
MIN_TITLE = 8
"""How many characters the name of a tag, or a value, of two or three words has at least."""
MIN_PHRASE_WORDS = 4
MIN_PHRASE_LETTERS = 24
_WINDOW, _STEP = 8, 4
"""How many words of a long sentence are looked for together, and how far the next ones begin."""

_LOOKS_LIKE_NAME = re.compile(
    r"[a-z][A-Z]|[^\W_]_[^\W_]|_\w|[A-Za-z]-?\d|\d-?[A-Za-z]|\w-[A-Z]|@|://|\w/\w|[A-Z]{2}[a-z]"
)
_NAME_IN_PROSE = re.compile(r"/?\w+(?:[/._{}-]+\w+)*\}?", re.ASCII)
_NUMBER_IN_PROSE = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")
_PLAIN_WORD = re.compile(r"/?[^\W\d_]+(?:-[^\W\d_]+)*")
_NUMBER = re.compile(r"-?\d+\.\d+|-?\d{5,}")
_IN_WIDE_USE = re.compile(
    r"\d{4}-\d\d(?:-\d\d)?(?:[T ][\d:.]+(?:Z|[+-][\d:]+)?)?"  # a day or a time
    r"|v?\d+(?:\.\d+)*(?:-\w+)?"  # a version
    r"|(?:text|image|audio|video|font|multipart|message|application)/(?!vnd\.)[\w.+*-]+(?:; ?.*)?"
    r"|https?://(?:www\.)?(?:example\.(?:com|org|net)|localhost(?::\d+)?|127\.0\.0\.1(?::\d+)?)/?"
)
_SENTENCE_END = re.compile(r"(?<=[.!?:;。！？])\s+|\n\s*\n|\n\s*[-*|#]|\|")
_PROSE_KEYS = frozenset({"description", "summary", "title"})
_SILENT_KEYS = frozenset(
    {"$ref", "$schema", "$id", "pattern", "type", "format", "in", "style", "openapi", "operationRef"}
)
"""Keys whose values name no part, or name one that is met elsewhere."""
_LABELS: Mapping[str, str] = {
    "paths": "path",
    "schemas": "schema",
    "properties": "property",
    "parameters": "parameter",
    "headers": "header",
    "responses": "response",
    "webhooks": "event",
    "callbacks": "callback",
    "scopes": "scope",
    "tags": "tag",
    "operationId": "operation",
    "enum": "enum value",
    "const": "enum value",
    "default": "default value",
    "example": "example",
    "examples": "example",
    "value": "example",
    "url": "address",
}
"""What messages call a text, by the key that it stands below."""


_VALUE_LABELS = frozenset({"example", "default value"})
"""What has no name: the audience's own texts may have the same value."""


class Form(Enum):
    """Where a text is private: see above."""

    NAME = auto()
    WORD = auto()
    PHRASE = auto()


@dataclass(frozen=True, slots=True)
class PrivateText:
    """A text that a site must not have; a phrase is in lower case with one blank between words.

    `label` is what messages call it, `audience` who may see it, empty for nobody.
    """

    text: str
    form: Form
    label: str
    audience: str


def private_texts(
    others: Mapping[str, Iterable[Any]], own: Iterable[Any], *, allowed: Iterable[str] = ()
) -> tuple[PrivateText, ...]:
    """Return what the published contracts of other audiences have, by their names, and its own do not.

    `allowed` are texts that may be there all the same.
    """
    public = _PublicTexts(own, allowed)
    private: dict[tuple[str, Form], PrivateText] = {}
    for audience, documents in others.items():
        for document in documents:
            for label, text, is_prose in _texts_of(document):
                for part in _searchable_parts(text, label, is_prose=is_prose):
                    key = part.text, part.form
                    if key not in private and not public.include(part):
                        private[key] = PrivateText(part.text, part.form, label, audience)
    return tuple(private.values())


class _PublicTexts:
    """What the published contract of an audience has, and the toolkit."""

    def __init__(self, documents: Iterable[Any], allowed: Iterable[str]) -> None:
        texts = [(text, is_prose) for document in documents for _, text, is_prose in _texts_of(document)]
        texts += [(text, False) for text in allowed]
        self._whole = {text for text, _ in texts}
        self._code = "\n".join(text for text, is_prose in texts if not is_prose)
        everything = "\n".join(text for text, _ in texts)
        self._everything = everything
        self._words = {item.casefold() for item in WORD.findall(everything)}
        self._phrases = normal_words(everything)

    def include(self, part: "_Part") -> bool:
        """Return whether a text is not a secret.

        A name that others only mention may be mentioned here too; one that they declare may not.
        """
        known, text = toolkit_vocabulary(), part.text
        if text in self._whole:
            return True
        match part.form:
            case Form.PHRASE:
                return f" {text} " in self._phrases or f" {text} " in known.phrases
            case Form.NAME:
                public = self._everything if part.is_mentioned else self._code
                return text in known.names or (text in public and stands_in(text, public))
            case Form.WORD:
                words = WORD.findall(text.casefold())
                return all(word in self._words for word in words) or all(
                    word in known.words for word in words
                )


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the files of the toolkit have: names; words in lower case; and those in order, one blank between them."""

    names: frozenset[str]
    words: frozenset[str]
    phrases: str


_SUFFIXES = (".js", ".jinja", ".html", ".css", ".yaml", ".json", ".xml")
_WRITERS = ("reference/exports", "reference/console", "reference/samples", "site/output", "site/search")
"""The folders of the modules that write their own data into a site."""


@lru_cache(maxsize=1)
def toolkit_vocabulary() -> Vocabulary:
    """Return the words of the toolkit's own files: they may stand on any site.

    Names are those of all files. Words are of the files that become part of a site, and of what writes those.
    """
    package = files("devportal")
    shown = "\n".join(
        (
            *_texts_below(package, _SUFFIXES),
            *(text for writer in _WRITERS for text in _texts_below(package.joinpath(writer), (".py",))),
        )
    )
    everything = "\n".join((shown, *_texts_below(package, (".py",))))
    names = frozenset(re.findall(r"[\w$][\w$./-]*[\w$]", everything))
    words = [item.casefold() for item in WORD.findall(shown)]
    return Vocabulary(
        names=names | frozenset(re.findall(r"[\w$-]+", everything)),
        words=frozenset(words),
        phrases=f" {' '.join(words)} ",
    )


def _texts_below(folder: Traversable, suffixes: tuple[str, ...]) -> Iterator[str]:
    for path in folder.iterdir():
        if path.is_dir():
            yield from _texts_below(path, suffixes)
        elif path.name.endswith(suffixes):
            yield path.read_text("utf-8")


def normal_words(text: str) -> str:
    """Return the words of a text in lower case, with one blank before, between and after them."""
    return f" {' '.join(item.casefold() for item in WORD.findall(text))} "


def stands_in(text: str, whole: str) -> bool:
    """Return whether a name stands in a text by itself: no part of a longer one."""
    return re.search(rf"(?<![\w-]){re.escape(text)}(?![\w-])", whole) is not None


def _texts_of(value: Any, label: str = "name", *, is_data: bool = False) -> Iterator[tuple[str, str, bool]]:
    """Yield each key, text and number of a contract with what to call it, and whether it is prose."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield label, key, False
            if key in _SILENT_KEYS and not is_data and not isinstance(member, (dict, list)):
                continue
            is_named = key == "examples" or (key == "default" and "description" in value)
            holds_data = is_data or (key in DATA_FIELDS and not (is_named and isinstance(member, dict)))
            below = (
                label
                if is_data
                else _LABELS.get(key, label if isinstance(member, list) or key == "name" else "name")
            )
            if not is_data and key in _PROSE_KEYS and isinstance(member, str):
                yield "text", member, True
            else:
                yield from _texts_of(member, below, is_data=holds_data)
    elif isinstance(value, list):
        for item in value:
            yield from _texts_of(item, label, is_data=is_data)
    elif isinstance(value, str):
        yield label, value, any(text.isspace() for text in value.strip())
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield label, json.dumps(value), False


@dataclass(frozen=True, slots=True)
class _Part:
    """What of a text is looked for, if it is private, and whether it is only mentioned in prose."""

    text: str
    form: Form
    is_mentioned: bool = False


def _searchable_parts(text: str, label: str, *, is_prose: bool) -> Iterator[_Part]:
    """Yield what of a text is looked for, and where it is private."""
    text = text.strip()
    if not is_prose:
        form = _form_of(text)
        if form is not None:
            yield _Part(text, form, is_mentioned=label in _VALUE_LABELS)
        return
    yield from (_Part(phrase, Form.PHRASE) for phrase in _phrases_in(text))
    yield from (_Part(item, Form.WORD) for item in _NUMBER_IN_PROSE.findall(text) if len(item) >= MIN_WORD)
    for item in _NAME_IN_PROSE.findall(text):
        if _form_of(item) is Form.NAME and re.search(r"[a-z][A-Z]|_|^/\w.*/", item):
            yield _Part(item, Form.NAME, is_mentioned=True)
    count = len(WORD.findall(text))
    if label not in {"text", "description"} and 2 <= count < MIN_PHRASE_WORDS and len(text) >= MIN_TITLE:
        yield _Part(text, Form.NAME)


def _form_of(text: str) -> Form | None:
    """Return the form of a text without blanks; None for what may stand anywhere by chance."""
    if _IN_WIDE_USE.fullmatch(text):
        return Form.WORD if _NUMBER.fullmatch(text) and len(text) >= MIN_WORD else None
    if len(text) >= MIN_NAME and _LOOKS_LIKE_NAME.search(text):
        return Form.NAME
    if len(text) >= MIN_WORD and (_PLAIN_WORD.fullmatch(text) or _NUMBER.fullmatch(text)):
        return Form.WORD
    return None


def _phrases_in(text: str) -> Iterator[str]:
    for sentence in _SENTENCE_END.split(text):
        words = [item.casefold() for item in WORD.findall(sentence)]
        letters = sum(1.5 if re.match(f"[{_CJK}]", word) else len(word) for word in words)
        if len(words) < MIN_PHRASE_WORDS or letters < MIN_PHRASE_LETTERS:
            continue
        if len(words) <= _WINDOW + _STEP:
            yield " ".join(words)
        else:
            for start in range(0, len(words) - _WINDOW + 1, _STEP):
                yield " ".join(islice(words, start, start + _WINDOW))
