"""Messages of scripts: what the build puts in their place, in English and in other languages."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from devportal.site.rendering.environments import THEME
from devportal.site.rendering.page_assets import packed_script
from devportal.translation import Interface, interface_of
from devportal.translation.catalogues import find_catalogue, load_interface
from devportal.translation.scripts import _end_of_text, script_messages, translated_script
from tests.javascript import check_modules, node
from tests.waiting import PATIENCE_S

from .escaped_words import LANGUAGE, words_outside_brackets, write_pseudo_catalogue

SCRIPTS = sorted((THEME / "assets" / "devportal").rglob("*.js"))
_HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Language: pl\\n"\n'
_POLISH = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"


def in_language(script: str, folder: Path, messages: str, *, plurals: str = "") -> str:
    """Return a script in a language with a few messages."""
    path = folder / "pl.po"
    header = _HEADER + (f'"Plural-Forms: {plurals}\\n"\n' if plurals else "")
    path.write_text(f"{header}\n{messages}", encoding="utf-8")
    with interface_of(load_interface(find_catalogue("pl", [path]))):
        return translated_script(script)


def evaluate_texts(script: str) -> list[str]:
    """Return the texts in the list that an expression makes."""
    code = f"console.log(JSON.stringify({script}))"
    done = subprocess.run(
        [node(), "-e", code], capture_output=True, encoding="utf-8", timeout=PATIENCE_S, check=True
    )
    made: list[str] = json.loads(done.stdout)
    return made


def test_a_text_in_english_costs_nothing() -> None:
    """It is what one would write without translations."""
    script = 'say(gettext("Copied"), gettext("Show %(left)s more", { left: all - 1 }), interfaceLanguage());'

    assert translated_script(script) == 'say("Copied", `Show ${all - 1} more`, "en");'


def test_two_forms_share_what_is_the_same_in_both() -> None:
    """In English most plurals are one letter longer."""
    script = 'ngettext("%(number)s result", "%(number)s results", count)'

    assert translated_script(script) == '`${count} result${n != 1?"s":""}`'.replace("n !", "count !")


def test_a_translation_takes_the_place_of_the_text(tmp_path: Path) -> None:
    """In the order of the language, and with signs that mean something in a script."""
    script = '[gettext("Part of %(page)s", { page: "`a`" }), gettext("100%")]'
    messages = (
        'msgid "Part of %(page)s"\nmsgstr "%(page)s: `część` ${x} \\\\"\n\nmsgid "100%"\nmsgstr "„100 %“"\n'
    )

    assert evaluate_texts(in_language(script, tmp_path, messages)) == ["`a`: `część` ${x} \\", "„100 %“"]


def test_a_plural_follows_the_rule_of_the_language(tmp_path: Path) -> None:
    """Of three forms too; the number is written as the language writes it."""
    script = '[1, 3, 5, 12, 22, 12345].map((one) => ngettext("%(number)s file", "%(number)s files", one + 0))'
    messages = (
        'msgid "%(number)s file"\nmsgid_plural "%(number)s files"\n'
        'msgstr[0] "%(number)s plik"\nmsgstr[1] "%(number)s pliki"\nmsgstr[2] "%(number)s plików"\n'
    )

    made = evaluate_texts(in_language(script, tmp_path, messages, plurals=_POLISH))

    assert [re.sub(r"\s", " ", text) for text in made] == [
        "1 plik", "3 pliki", "5 plików", "12 plików", "22 pliki", "12 345 plików",
    ]  # fmt: skip


def test_nodes_stand_where_the_language_has_them(tmp_path: Path) -> None:
    """A message around an element is a list, with messages inside the values too."""
    script = '[...gettextNodes("Header %(name)s %(what)s", { name: 1, what: gettext("is required") })]'
    messages = 'msgid "Header %(name)s %(what)s"\nmsgstr "%(what)s: %(name)s"\n'

    assert evaluate_texts(translated_script(script)) == ["Header ", 1, " ", "is required"]
    assert evaluate_texts(in_language(script, tmp_path, messages)) == ["is required", ": ", 1]


@pytest.mark.parametrize("script", ["gettext(`a`)", "gettext(name)", 'gettext("a", values)', 'gettext("a"'])
def test_what_cannot_be_read_is_refused(script: str) -> None:
    """A message that no catalogue could have is a mistake of ours, not one of a site."""
    with pytest.raises(ValueError, match=r"no text|no object|not closed"):
        translated_script(script)


@pytest.fixture(scope="module")
def bracket_language(tmp_path_factory: pytest.TempPathFactory) -> Interface:
    """A language whose messages are the English ones in brackets."""
    path = write_pseudo_catalogue(tmp_path_factory.mktemp("language"))
    return load_interface(find_catalogue(LANGUAGE, [path]))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.relative_to(THEME).as_posix())
def test_no_english_word_is_left_in_a_script(script: Path, bracket_language: Interface) -> None:
    """A text of several words, or with a capital letter as a label has, is a message or a name."""
    source = script.read_text(encoding="utf-8")
    with interface_of(bracket_language):
        translated, packed = translated_script(source), packed_script(source)

    assert [
        text for text in prose_in(translated) if text not in _NO_WORDS and not text.startswith(_SMALL_WORDS)
    ] == []
    assert "gettext" not in packed


def test_translated_scripts_are_scripts(bracket_language: Interface, tmp_path: Path) -> None:
    """Each parses, packed."""
    with interface_of(bracket_language):
        packed = {
            script.relative_to(THEME).as_posix(): packed_script(script.read_text(encoding="utf-8"))
            for script in SCRIPTS
        }

    check_modules(packed, tmp_path)


_TOKEN = re.compile(
    r"(?P<comment>(?:^|(?<=\s))//.*)"
    r"|(?P<selector>(?:querySelector(?:All)?|closest|matches)(?:\?\.)?\((?:\s*\"[^\"]*\"|`[^`]*`))"
    r'|"(?P<text>(?:[^"\\\n]|\\.)*)"'
    r"|(?P<pattern>(?<=[(,=:\[!&|?{};\s])/(?![/*\s])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/)"
    r"|(?P<template>`)",
    re.MULTILINE,
)
_SENTENCE = re.compile(
    r"[A-Za-z]{2,}[,.:;]? [A-Za-z]{2,}|^[A-Z][a-z]+[.:…]?$|^ ?[A-Z][a-z]+ | [a-z]{3,}[.:]?$"
)
_SMALL_WORDS = "a about all an and"
"""What search leaves out of a question in English."""
_NO_WORDS = frozenset(
    (
        # of standards and of browsers
        *("Accept", "Authorization", "Basic ", "Cookie", "Content-Type", "Escape", "Enter", "None"),
        "(prefers-color-scheme: dark)",
        "width=520,height=680",
        *("dp-badge dp-badge--…", 'form-data; name="…"…', "Basic …", ".dpc-verdict > strong"),
        # words that people search with, in English
        *(
            "get list read retrieve fetch search filter",
            "create add update",
            "replace update",
            "change update",
        ),
        "remove cancel",
        "webhook callback event",
        # reason phrases of HTTP, which are part of the protocol (RFC 9110 §15)
        *("OK", "Created", "Accepted", "Found", "Conflict", "Gone", "No Content", "Moved Permanently"),
        *("Not Modified", "Bad Request", "Unauthorized", "Payment Required", "Forbidden", "Not Found"),
        *("Method Not Allowed", "Not Acceptable", "Content Too Large", "Unsupported Media Type"),
        *("Unprocessable Content", "Too Many Requests", "Internal Server Error", "Bad Gateway"),
        *("Service Unavailable", "Gateway Timeout"),
    )
)


def prose_in(script: str) -> list[str]:
    """Return the texts of a script that read as English and are in no brackets."""
    return [text for text in _texts_in(script) if _SENTENCE.search(text) and words_outside_brackets(text)[0]]


def _texts_in(script: str) -> Iterator[str]:
    """Yield the texts in quotes and the templates, outside comments and patterns."""
    at = 0
    while match := _TOKEN.search(script, at):
        at = match.end()
        if match["text"] is not None:
            yield match["text"]
        elif match["template"]:
            end = _end_of_text(script, match.start())
            yield re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", "…", script[at : end - 1])
            at = end


def test_words_past_the_catalogue_are_found() -> None:
    """The test above goes red for a sentence or a label, and not for a message or a name."""
    script = 'a("Could not copy"),b("Copied"),c(`${a} more`) // No message'

    assert prose_in(script) == ["Could not copy", "Copied", "… more"]
    assert prose_in('a("⟦Could not copy⟧"),b("div.note"),closest("a b"),c("aria-label"),d(/["]a b/)') == []


def test_messages_are_found_as_they_are_replaced() -> None:
    """Extraction reads the same calls as the build, in values of others too."""
    script = 'a;\ngettext("A %(b)s", { b: ngettext("one" + " x", "two", f(")", `${"}"}`)) });'

    assert [*script_messages(script)] == [
        (2, "gettext", ("A %(b)s",)),
        (2, "ngettext", ("one x", "two")),
    ]


@pytest.mark.parametrize(
    "sheet", sorted((THEME / "assets" / "devportal").glob("*.css")), ids=lambda path: path.name
)
def test_styles_select_nothing_by_its_words(sheet: Path) -> None:
    """They differ in each language, and titles of columns in each rate book."""
    assert not re.findall(r"\[(?:data-label|aria-label|title)\W?=[^]]*\]", sheet.read_text(encoding="utf-8"))
