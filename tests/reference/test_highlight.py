"""Code as HTML: nothing added, nothing lost, nothing live."""

import html
import json
import re
import tomllib
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.reference import samples
from devportal.reference.markup import highlight, highlight_json, highlight_sample, without_spans
from devportal.reference.samples import LANGUAGES

_SPAN = re.compile(r'<span class="[a-z]">|</span>')
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def text_of(marked: str) -> str:
    """Return the text that a browser shows; fails on any markup but ours."""
    bare = _SPAN.sub("", marked)
    assert "<" not in bare
    assert marked.count("<span") == marked.count("</span>")
    return html.unescape(bare)


@given(values)
def test_json_is_shown_as_it_is(value: object) -> None:
    """Whatever the value, the text is the same and every tag is ours."""
    text = json.dumps(value, ensure_ascii=False, indent=2)

    assert text_of(highlight_json(text)) == text


@given(values, st.integers(0, 5))
def test_json_of_many_values_has_no_colours(value: object, most: int) -> None:
    """All of them or none; the text is there in any case."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    coloured, bounded = highlight_json(text), highlight_json(text, most=most)

    assert text_of(bounded) == text
    assert bounded == (coloured if coloured.count("<span") <= most else without_spans(coloured))


TOKENS = {language.name: language.tokens for language in LANGUAGES}


@given(st.text(), st.sampled_from([*TOKENS]))
def test_sample_is_shown_as_it_is(code: str, language: str) -> None:
    """Any text at all in the language of a sample."""
    assert text_of(highlight_sample(code, TOKENS[language])) == code


_WORDS = (
    "import",
    "null",
    "if",
    "var",
    "1.5e3",
    "--data",
    "${a}",
    '"""',
    "<<<'TEXT'",
    "\nTEXT",
    "# ",
    "// ",
    "=>",
)
CODE = st.lists(st.sampled_from((*_WORDS, *"\"'`\\/#$@<-.,:;=+()[]{}&?_aé1 \n\t")), max_size=30).map("".join)


@given(CODE, st.sampled_from([*TOKENS]))
def test_plain_runs_hide_no_token(code: str, language: str) -> None:
    """What is taken at once between tokens is what a search for the tokens alone leaves plain."""
    file = resources.files(samples) / "languages" / f"{language}.toml"
    patterns = tomllib.loads(file.read_text(encoding="utf-8"))["tokens"].values()
    alone = re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.DOTALL)
    found = [match.span() for match in TOKENS[language].finditer(code) if match.lastgroup]

    assert found == [match.span() for match in alone.finditer(code)]


@pytest.mark.parametrize("language", ["php", "Shell", "C#", "no-such-language", "", "json"])
def test_given_sample_is_shown_as_it_is(language: str) -> None:
    """Samples of the contract in languages known and unknown."""
    code = 'x <b> = "a&b" // <script>'

    assert text_of(highlight(code, language)).strip() == code


def test_php_without_tag_is_php() -> None:
    """A sample of the contract need not start with `<?php`."""
    assert _spans(highlight("$a = 1;", "php")) == [("v", "$a "), ("n", "1")]
    assert ("v", "$a ") in _spans(highlight("<?php\n$a = 1;", "php"))


def test_words_have_classes() -> None:
    """Texts, numbers and words look different; keys are told from them by being plain."""
    marked = highlight_json('{"a": "b", "c": [1.5e3, true, null]}')

    assert _spans(marked) == [("s", '"b"'), ("n", "1.5e3"), ("k", "true"), ("k", "null")]


def test_a_string_without_end_has_no_colours() -> None:
    """It ends with its line: what is cut off may say anything."""
    marked = highlight_json('{"a": "cut off \\" 12 true\n"b": 3}')

    assert _spans(marked) == [("n", "3")]


def test_escapes_in_json_belong_to_their_text() -> None:
    """A quotation mark behind a backslash ends no text, one behind two does, and a key may stand before a line."""
    marked = highlight_json('{"k\\"": "a\\"b\\\\", "c" \n : "d" }')

    assert _spans(marked) == [("s", '"a\\"b\\\\"'), ("s", '"d"')]


def test_a_long_sample_is_plain() -> None:
    """Some lexers take square time; JSON, which we read ourselves, has its colours at any length."""
    code = "x = 1\n" + "\n" * 10_000

    assert highlight(code, "python") == code
    assert _spans(highlight(code, "json")) == [("n", "1")]


def test_sample_has_few_spans() -> None:
    """Keys are plain in PHP as in JSON; imports of Go are one span; a comment ends with its line."""
    php = highlight_sample("if ('a' => ['b' => 1]) { // 'c'\n}", TOKENS["php"])
    go = highlight_sample('import (\n\t"a"\n\t"b"\n)\nx := `"c"`', TOKENS["go"])

    assert _spans(php) == [("k", "if"), ("n", "1"), ("c", "// 'c'")]
    assert _spans(go) == [("k", "import"), ("s", '"a"\n\t"b"'), ("s", '`"c"`')]


def test_sample_beyond_its_budget_is_plain() -> None:
    """All of a sample has colours, or nothing of it."""
    code = "x = [1, 2, 3]"

    assert len(_spans(highlight_sample(code, TOKENS["python"], most=3))) == 3
    assert highlight_sample(code, TOKENS["python"], most=2) == code


def _spans(marked: str) -> list[tuple[str, str]]:
    """Return class and text of each span."""
    found = re.findall(r'<span class="(.)">(.*?)</span>', marked, re.DOTALL)
    return [(name, html.unescape(text)) for name, text in found]
