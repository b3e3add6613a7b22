"""What people read, in code too, is plain developer English: the words of `words.yaml` stay out of it."""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import yaml

from .repository import ROOT

FENCE = re.compile(r"^( *)(`{3,}|~{3,}).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"`[^`\n]*`")
COMMENT = re.compile(r"(?:^|(?<=\s))# (.*)$", re.MULTILINE)
MARKUP = re.compile(r"\{[%#{].*?[%#}]\}|<[^>]*>", re.DOTALL)
PROSE_KEYS = frozenset(["description", "summary", "resolution"])
WORD_COUNT_OF_A_MESSAGE = 3
FROZEN = ("docs/about/service.md",)
"""Texts that are somebody else's words."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text that people read, and the file it is in."""

    file: str
    text: str


@dataclass(frozen=True, slots=True)
class Word:
    """A pattern that texts do not match, and what to write instead."""

    pattern: re.Pattern[str]
    write: str
    where: frozenset[str]


def read_words() -> list[Word]:
    """Return the rows of `words.yaml`."""
    rows = yaml.safe_load(Path(__file__).with_name("words.yaml").read_text("utf-8"))
    return [
        Word(re.compile(row["pattern"], re.IGNORECASE), row["write"], frozenset(row.get("where", {})))
        for row in rows
    ]


def wrong_words(texts: list[Text], words: list[Word]) -> list[str]:
    """Return each place with a word to avoid, with the words around it."""
    return [
        f"{text.file}: “{text.text[max(found.start() - 40, 0) : found.end() + 30]}”: write {word.write}"
        for text in texts
        for word in words
        if text.file not in word.where
        for found in word.pattern.finditer(text.text)
    ]


def documents() -> Iterator[Text]:
    """Yield the prose of documents and changelog entries, without code."""
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("changelog/*.md")]):
        name = str(path.relative_to(ROOT))
        if name not in FROZEN:
            yield Text(name, INLINE_CODE.sub("`", FENCE.sub("", path.read_text("utf-8"))))


def contract_texts() -> Iterator[Text]:
    """Yield descriptions, summaries and resolutions of the contract."""
    for path in sorted(ROOT.glob("openapi/*.yaml")):
        name = str(path.relative_to(ROOT))
        for text in _prose(yaml.compose(path.read_text("utf-8"), Loader=yaml.CSafeLoader)):
            yield Text(name, INLINE_CODE.sub("`", text))


def _prose(node: yaml.Node | None) -> Iterator[str]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(value, yaml.ScalarNode) and key.value in PROSE_KEYS:
                yield value.value
            elif key.value not in {"example", "value"}:
                yield from _prose(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _prose(item)


def templates() -> Iterator[Text]:
    """Yield the words of templates, without tags and expressions."""
    for path in sorted(ROOT.glob("tools/**/templates/**/*.jinja")):
        yield Text(str(path.relative_to(ROOT)), MARKUP.sub(" ", path.read_text("utf-8")))


def code() -> Iterator[Text]:
    """Yield the texts of each module of Python code: messages, help, labels, docstrings and comments."""
    for path in sorted(ROOT.glob("tools/**/*.py")):
        yield Text(str(path.relative_to(ROOT)), text_of_code(path.read_text("utf-8")))


def text_of_code(source: str) -> str:
    """Return all texts of a module. A comment is what follows a `#` with spaces around it, in a string too."""
    texts = [
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    found = [
        text for text in (*texts, *COMMENT.findall(source)) if len(text.split()) >= WORD_COUNT_OF_A_MESSAGE
    ]
    return INLINE_CODE.sub("`", "\n\n".join(found))


SOURCES = (documents, contract_texts, templates, code)


@cache
def texts_of(source: Callable[[], Iterator[Text]]) -> list[Text]:
    """Return the texts of a source, which are read once."""
    return list(source())


@pytest.mark.parametrize("source", SOURCES)
def test_texts_are_plain(source: Callable[[], Iterator[Text]]) -> None:
    """No text has a word of the list outside the files that the list allows."""
    texts = texts_of(source)

    assert texts
    assert wrong_words(texts, read_words()) == []


def test_each_word_of_the_list_is_found() -> None:
    """A text with such a word is reported, with the file and what to write."""
    found = wrong_words([Text("a.md", "The answer is 404; mend it.")], read_words())

    assert [text.partition(":")[0] for text in found] == ["a.md", "a.md"]
    assert "write fix" in found[1] or "write fix" in found[0]


def test_words_of_docstrings_and_comments_are_found() -> None:
    """Of modules, constants, classes and functions; each is as much a text as a message is."""
    source = (
        '"""A module that tells all."""\n'
        "LIMIT = 3  # a comment that tells all\n"
        '"""A constant that tells all."""\n'
        "# a line that tells `tells` all\n"
        "class Door:\n"
        '    """A class that tells all."""\n'
    )

    assert len(wrong_words([Text("a.py", text_of_code(source))], read_words())) == 5


def test_allowed_files_exist() -> None:
    """A file that the list allows has the word, or the list is too long."""
    by_file: dict[str, list[str]] = defaultdict(list)
    for source in SOURCES:
        for text in texts_of(source):
            by_file[text.file].append(text.text)

    for word in read_words():
        for name in word.where:
            assert any(map(word.pattern.search, by_file[name])), name
