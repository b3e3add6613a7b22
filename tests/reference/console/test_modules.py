"""Parts of the console by themselves: JSON with its digits, what a status means, what is laid out."""

import gzip
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from devportal.reference.console import language_files
from devportal.site.rendering.page_assets import packed_script

from .node import MODULES, ask

LOADER_BYTES = 1_000
OPENED_BYTES = 25_000
MODULES_BYTES = 42_800
LANGUAGE_BYTES = 1_900


def calls(folder: Path, module: str, *asked: list[Any]) -> list[dict[str, Any]]:
    """Return what functions of a module answer."""
    answers: list[dict[str, Any]] = ask(folder, "calls", {"module": module, "asked": asked})
    return answers


@pytest.mark.parametrize(
    "text",
    [
        '{"b": 1, "a": [true, false, null], "1": {}, "0": []}',
        "12345678901234567890",
        "1.50",
        "-0.0",
        "1E+400",
        '"\\u0000\\n\\"é"',
        '{"__proto__": {"a": 1}}',
        "[[[]]]",
    ],
)
def test_json_keeps_digits_and_order(text: str, folder: Path) -> None:
    """What is read and written again is what it was."""
    (answer,) = ask(folder, "rewritten", [text])

    assert answer == {"value": text}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "line 1, column 1: expected a value, found the end"),
        ("{", "line 1, column 2: expected a name in double quotes, found the end"),
        ('{"a" 1}', "line 1, column 6: expected a colon, found 1}"),
        ('{\n  "a": 1\n  "b": 2}', 'line 3, column 3: expected a comma or a closing brace, found "b": 2}'),
        ("[1,]", "line 1, column 4: expected a value, found ]"),
        ("[1 2]", "line 1, column 4: expected a comma or a closing bracket, found 2]"),
        ("01", "line 1, column 1: expected a value, found 01"),
        ("1 1", "line 1, column 3: expected the end, found 1"),
        ("nul", "line 1, column 1: expected a value, found nul"),
        ('"\\x"', "line 1, column 1: invalid escape after the backslash"),
        ('["a]', 'line 1, column 2: expected a value, found "a]'),
        ('["a\\"]', 'line 1, column 2: expected a value, found "a\\"]'),
        ('"a\tb"', 'line 1, column 1: expected a value, found "a\tb"'),
        ("[" * 600, "line 1, column 502: too many levels"),
    ],
)
def test_what_is_no_json_is_told_with_its_place(text: str, fault: str, folder: Path) -> None:
    """Line, column, and what was expected."""
    assert ask(folder, "rewritten", [text]) == [{"error": f"SyntaxError: {fault}"}]


def test_random_json_is_written_as_in_python(folder: Path) -> None:
    """On one line, as samples have it in a query or a form."""
    rng = random.Random(8259)  # noqa: S311 - the same in each run
    values = [_value(rng, 4) for _ in range(300)]
    texts = [json.dumps(value, ensure_ascii=False) for value in values]

    assert [item["value"] for item in ask(folder, "rewritten", texts)] == texts


def _value(rng: random.Random, depth: int) -> Any:
    roll = rng.randrange(7 if depth else 5)
    if roll == 5:
        return [_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    if roll == 6:
        return {rng.choice("ab1é\n"): _value(rng, depth - 1) for _ in range(rng.randrange(4))}
    return [
        rng.randrange(-(10**20), 10**20),
        rng.random() * 1e9,
        rng.choice(["", 'é\t"\\', "\x00😀"]),
        True,
        None,
    ][roll]


def test_laid_out_text_keeps_what_was_sent(folder: Path) -> None:
    """Digits and order too; a long one is cut."""
    given = '{"b":12345678901234567890,"1":[],"a":[1,{"x":null}],"t":"a,b:{}"}'
    laid = (
        '{\n  "b": 12345678901234567890,\n  "1": [],\n  "a": [\n    1,\n    {\n      "x": null\n    }\n  ],\n'
        '  "t": "a,b:{}"\n}'
    )

    answers = calls(folder, "worker", ["laidOut", given, 1000], ["laidOut", given, 10])

    assert answers[0]["value"] == {"text": laid, "isCut": False}
    assert answers[1]["value"] == {"text": laid[:10], "isCut": True}


def test_a_text_without_an_end_is_coloured_at_once(folder: Path) -> None:
    """A body that is cut may end within a text full of escaped quotes; read anew from each of them, it would
    take longer than Node has.
    """
    escapes = '\\"\\"\\\'' * 100_000
    texts = [start + escapes + end for start in ('{"a": "', "'") for end in ("", "\\")]

    answers = ask(folder, "colours", texts)

    assert ["".join(item if isinstance(item, str) else item[1] for item in all_) for all_ in answers] == texts


def test_code_is_coloured_by_kind(folder: Path) -> None:
    """Names, texts with escapes, numbers and comments."""
    (answer,) = ask(folder, "colours", ['{"a\\"b": "c\\"d", \'e\': 1} # f'])

    assert [item for item in answer if not isinstance(item, str)] == [
        ["f", '"a\\"b"'],
        ["s", '"c\\"d"'],
        ["s", "'e'"],
        ["n", "1"],
        ["c", "# f"],
    ]


def test_texts_of_millions_of_characters_are_read(folder: Path) -> None:
    """With escapes and without: a file in base64, a log in one text."""
    answers = ask(folder, "lengths", ["a", 'a\n"\\'])

    assert answers == [{"shown": 1000, "isCut": True, "read": 20_000_000}] * 2


@pytest.mark.parametrize("text", ['"\\\\"', '"\\\\\\""', '["\\"", "\\\\"]', '""', '{"": "\\\\"}'])
def test_a_quote_ends_a_text_unless_it_is_escaped(text: str, folder: Path) -> None:
    """Backslashes may be escaped themselves."""
    (laid,) = calls(folder, "worker", ["laidOut", text, 1000])

    assert ask(folder, "rewritten", [text]) == [{"value": text}]
    assert json.loads(laid["value"]["text"]) == json.loads(text)


def test_shared_schemas_are_asked_for_until_they_come(folder: Path) -> None:
    """A fault of the network or of the server is no answer for ever; what came is kept."""
    answer = ask(folder, "fetches", ["a", "a", "a", "a"])

    assert answer == {"answers": ["away", "a answers 503", {"a": True}, {"a": True}], "asked": ["a"] * 3}


DATA: dict[str, Any] = {
    "method": "GET",
    "responses": {
        "200": {"application/json": {"a": 1}, "text/*": True},
        "204": {},
        "4XX": {"application/problem+json": {"b": 1}},
    },
}


@pytest.mark.parametrize(
    ("status", "kind", "is_empty", "schema", "fault"),
    [
        (200, "application/json; charset=utf-8", False, {"a": 1}, ""),
        (200, "APPLICATION/JSON", False, {"a": 1}, ""),
        (200, "text/plain", False, True, ""),
        (200, "image/png", False, None, "The content type image/png is not described for 200"),
        (200, "", False, None, "A body without a content type is not described for 200"),
        (200, "", True, None, "The body is empty"),
        (204, "", True, None, ""),
        (204, "text/plain", False, None, "The contract does not describe a body for 204."),
        (404, "application/problem+json", False, {"b": 1}, ""),
        (
            500,
            "text/plain",
            False,
            None,
            "The contract does not describe status 500. It describes 200, 204, 4XX.",
        ),
    ],
)
def test_status_and_content_type_are_looked_up(
    status: int, kind: str, is_empty: Any, schema: Any, fault: str, folder: Path
) -> None:
    """A status by itself, its range, or the default; a content type, then ranges."""
    (answer,) = calls(folder, "verdict", ["formalities", DATA, status, kind, is_empty])

    assert answer["value"].get("schema") == schema
    assert "".join(answer["value"]["faults"]).startswith(fault) if fault else not answer["value"]["faults"]


DANGEROUS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|sessionStorage"
    r"|document\.cookie|\.style\b|setTimeout\(['\"]"
)


def test_scripts_do_nothing_that_could_run_texts_or_keep_secrets() -> None:
    """What comes from a contract or a server is put in as text; only language and server are remembered."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in MODULES.rglob("*.js")}

    assert [name for name, text in texts.items() if DANGEROUS.search(text)] == []
    assert DANGEROUS.search("place.innerHTML = text")
    stored = {name: set(re.findall(r"localStorage\.setItem\((\w+)", text)) for name, text in texts.items()}
    assert {name: keys for name, keys in stored.items() if keys} == {
        "open.js": {"LANGUAGE"},
        "servers.js": {"SERVER"},
    }


def loaded_bytes(script: Path) -> int:
    """Return how many bytes of a script come over the network."""
    return len(gzip.compress(packed_script(script.read_text(encoding="utf-8")).encode(), 9))


def test_scripts_are_small() -> None:
    """What a page loads for its button, what is loaded when it is pressed, all there is, and each language."""
    sizes = {path.relative_to(MODULES).as_posix(): loaded_bytes(path) for path in MODULES.rglob("*.js")}
    languages = {
        Path(language_file.uri).stem: len(gzip.compress(language_file.content, 9))
        for language_file in language_files()
    }
    later = {
        "address.js",
        "tokens.js",
        "validate.js",
        "worker.js",
        "send.js",
        "sending.js",
        "stream.js",
        "oauth.js",
        "problems.js",
        "answer.js",
        "verdict.js",
        "headers.js",
        "formats.js",
        "programs.js",
    }
    at_once = sum(size for name, size in sizes.items() if name not in later)

    assert loaded_bytes(MODULES.with_suffix(".js")) < LOADER_BYTES
    assert at_once + languages["labels"] + languages["curl"] < OPENED_BYTES
    assert sum(sizes.values()) < MODULES_BYTES
    assert max(languages.values()) < LANGUAGE_BYTES
    assert len(gzip.compress(MODULES.with_suffix(".css").read_bytes(), 9)) < 3_000
