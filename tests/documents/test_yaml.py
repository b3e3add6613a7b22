"""YAML text: scalars, keys, merges, and everything that is refused with its place."""

import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.documents import Document, Scalars, parse_document
from devportal.documents.pointer import MAX_DEPTH
from devportal.errors import Place, UnreadableInput


def _value(text: str, scalars: Scalars = Scalars.CORE) -> Any:
    return parse_document(f"a: {text}", name="x.yaml", scalars=scalars).data["a"]


def _refusal(text: str, scalars: Scalars = Scalars.CORE) -> str:
    with pytest.raises(UnreadableInput) as raised:
        parse_document(text, name="x.yaml", scalars=scalars)
    return f"{raised.value.place}: {raised.value.message}"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("NO", "NO"),
        ("no", "no"),
        ("on", "on"),
        ("off", "off"),
        ("y", "y"),
        ("true", True),
        ("False", False),
        ("TRUE", True),
        ("010", 10),
        ("-0", 0),
        ("+12", 12),
        ("0o17", 15),
        ("0x1F", 31),
        ("0b11", "0b11"),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("2026-11-21", "2026-11-21"),
        ("2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"),
        ("1e3", 1000.0),
        ("1.", 1.0),
        (".5", 0.5),
        ("1.5e+3", 1500.0),
        (".inf", math.inf),
        ("-.INF", -math.inf),
        ("~", None),
        ("null", None),
        ("NULL", None),
        ("nULL", "nULL"),
        ("", None),
        ("''", ""),
        ("'010'", "010"),
        ("<<", "<<"),
        ("=", "="),
        ("!!str 1", "1"),
        ("-" + "9" * 300, 1 - 10**300),
        ("!!int 010", 10),
        ("!!float 1", 1.0),
        ("!!null ''", None),
        ("!!map {b: 1}", {"b": 1}),
        ("x\u2028y", "x\u2028y"),
        ("x\u2029y\x85z", "x\u2029y\x85z"),
    ],
)
def test_scalars_follow_the_core_schema(written: str, value: object) -> None:
    """Plain scalars mean what YAML 1.2.2 §10.3.2 says, and nothing of YAML 1.1."""
    found = _value(written)

    assert found == value
    assert type(found) is type(value)


def test_not_a_number_is_read() -> None:
    """`.nan` is a float of the core schema."""
    found = _value(".NaN")

    assert math.isnan(found)


@pytest.mark.parametrize(
    "written", ["NO", "010", "0.10", "1e3", "~", "null", "true", "2026-11-21", "+44", "<<"]
)
def test_text_scalars_stay_to_the_letter(written: str) -> None:
    """Records keep prices and codes as they are written."""
    found = _value(written, Scalars.TEXT)

    assert found == written


def test_an_empty_text_scalar_is_null() -> None:
    """Nothing written is nothing, and an empty text is an empty text."""
    found = parse_document("a:\nb: ''", name="x.yaml", scalars=Scalars.TEXT).data

    assert found == {"a": None, "b": ""}


def test_text_scalars_refuse_the_tags_of_numbers() -> None:
    """No tag turns a record's text into a number."""
    refusal = _refusal("a: !!int 5", Scalars.TEXT)

    assert refusal == "x.yaml:1:4: the tag '!!int' is not supported"


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("a: !!bool yes", "x.yaml:1:4: 'yes' is not a valid bool"),
        ("a: !!null x", "x.yaml:1:4: 'x' is not a valid null"),
        ("a: !!int 0x_1", "x.yaml:1:4: '0x_1' is not a valid int"),
        ("a: !!float abc", "x.yaml:1:4: 'abc' is not a valid float"),
        ("a: !!binary aGk=", "x.yaml:1:4: the tag '!!binary' is not supported"),
        ("a: !!timestamp 2020-01-01", "x.yaml:1:4: the tag '!!timestamp' is not supported"),
        (
            "a: !!python/object:os.x x",
            "x.yaml:1:4: the tag '!!python/object:os.x' is not supported",
        ),
        ("a: !!set {b}", "x.yaml:1:4: the tag '!!set' is not supported"),
        ("x:\n  - !mine {b: 1}", "x.yaml:2:5: the tag '!mine' is not supported"),
        ("a: 1\nb: 2\na: 3", "x.yaml:3:1: the key 'a' occurs twice in this mapping"),
        ("x:\n  a: 1\n  'a': 2", "x.yaml:3:3: the key 'a' occurs twice in this mapping"),
        ("1: a\n'1': b", "x.yaml:2:1: the key '1' occurs twice in this mapping"),
        ("x: {a: 1, a: 2}", "x.yaml:1:11: the key 'a' occurs twice in this mapping"),
        ("? [a]\n: 1", "x.yaml:1:3: a key must be plain text, not a list or a mapping"),
        ("? {a: 1}\n: 1", "x.yaml:1:3: a key must be plain text, not a list or a mapping"),
        ("<<: 5", "x.yaml:1:5: a merge key '<<' takes a mapping or a list of mappings"),
        ("<<: [5]", "x.yaml:1:6: a merge key '<<' takes a mapping or a list of mappings"),
        ("a: *nope", "x.yaml:1:4: this is not YAML: this alias has no anchor before it"),
        ("a: &a 1\nb: &a 2", "x.yaml:2:4: this is not YAML: this anchor is defined twice"),
        ("a: &a [*a]", "x.yaml:1:4: this anchor contains an alias to itself"),
        ("a: &a {b: {c: *a}}", "x.yaml:1:4: this anchor contains an alias to itself"),
        ("<<: &x\n  <<: *x", "x.yaml:1:5: this anchor contains an alias to itself"),
        ("a:\n\tb: 1", "x.yaml:2:1: this is not YAML: a tab cannot indent"),
        ("a:\n  - b: 1\n    c: 2\n\td: 3", "x.yaml:4:1: this is not YAML: a tab cannot indent"),
        ("a: `x`", "x.yaml:1:4: this is not YAML: no plain text starts with '`'"),
        ("a: 1\n---\nb: 2", "x.yaml:2:1: this is not YAML: a second document starts here"),
        ("a: \x00", "x.yaml:1:4: the character U+0000 is not allowed in YAML"),
        ("a: 1\nb: \ud800", "x.yaml:2:4: this text has an unpaired surrogate"),
        ('a: "\\ud83d\\ude00"', "x.yaml:1:7: this is not YAML: found invalid Unicode character escape code"),
        ("a: b: c", "x.yaml:1:5: this is not YAML: mapping values are not allowed in this context"),
        ("a: " + "9" * 5000, "x.yaml:1:4: this number has more than 300 digits"),
        ("a: -" + "9" * 301, "x.yaml:1:4: this number has more than 300 digits"),
        ("a: 0x" + "f" * 290, "x.yaml:1:4: this number has more than 300 digits"),
        ("a: 0x" + "f" * 5000, "x.yaml:1:4: this number has more than 300 digits"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(text: str, refusal: str) -> None:
    """Each refusal says where and what; none is an exception of the parser."""
    found = _refusal(text)

    assert found == refusal


@pytest.mark.parametrize(
    ("text", "refusal", "advice"),
    [
        (
            'a: 1\nb: "x\nc: 2\nd: 3\n',
            "x.yaml:2:4: this is not YAML: the quote that opens here is not closed",
            "close it, or remove it",
        ),
        (
            "a: {b: 1\nc: 2\n",
            "x.yaml:2:2: this is not YAML: did not find expected ',' or '}' after the '{' of line 1, column 4",
            "close that bracket, or write the comma that is missing here or just before",
        ),
        (
            "a: Note: b",
            "x.yaml:1:8: this is not YAML: mapping values are not allowed in this context",
            "put text with ': ' in it between quotes",
        ),
        (
            "a:\n  b: 1\n   c: 2\n",
            "x.yaml:3:5: this is not YAML: mapping values are not allowed in this context",
            "indent this key as its neighbours",
        ),
        (
            'a: "^\\d+$"',
            "x.yaml:1:6: this is not YAML: between double quotes, this is not an escape of YAML",
            "write two backslashes for one, or put the text between single quotes",
        ),
        (
            "a: - b",
            "x.yaml:1:4: this is not YAML: a list starts in the line of its key",
            "begin each item of the list on a separate line, or put text that starts with '- ' between quotes",
        ),
    ],
)
def test_common_mistakes_have_advice(text: str, refusal: str, advice: str) -> None:
    """It says what to write, and names where a quote or bracket opens: the parser stops far behind it."""
    with pytest.raises(UnreadableInput) as raised:
        parse_document(text, name="x.yaml")

    assert (f"{raised.value.place}: {raised.value.message}", raised.value.help) == (refusal, advice)


@pytest.mark.parametrize("text", ["", " \n", "# only a comment\n", "---\n", "---\n...\n"])
def test_an_empty_document_is_none(text: str) -> None:
    """A file without a node is no error of syntax."""
    document = parse_document(text, name="x.yaml")

    assert document.data is None
    assert document.place(("a",)) == document.place()


def test_keys_are_text() -> None:
    """Statuses, booleans and nulls as keys are what is written."""
    found = parse_document("200: a\ntrue: b\n~: c\nNO: d\n1.0: e\n'': f", name="x.yaml").data

    assert found == {"200": "a", "true": "b", "~": "c", "NO": "d", "1.0": "e", "": "f"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("b: &b {a: 1}\nc:\n  <<: *b\n  d: 2", {"b": {"a": 1}, "c": {"a": 1, "d": 2}}),
        ("b: &b {a: 1}\n<<: *b\na: 2", {"b": {"a": 1}, "a": 2}),
        ("<<: [{a: 1}, {a: 2, b: 3}]", {"a": 1, "b": 3}),
        ("<<: {a: 1}\n<<: {a: 2, b: 3}", {"a": 1, "b": 3}),
        ("<<: {}", {}),
        ("'<<': 1", {"<<": 1}),
        ("- &x {a: 1}\n- *x", [{"a": 1}, {"a": 1}]),
    ],
)
def test_merge_keys_and_aliases(text: str, value: object) -> None:
    """A mapping's own keys win over merged ones, and the first merged mapping over later ones."""
    found = parse_document(text, name="x.yaml").data

    assert found == value


def _billion_laughs(levels: int, *, leaf: str = "x") -> str:
    lines = [f"l0: &l0 [{', '.join([leaf] * 10)}]"]
    lines += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "text",
    [
        _billion_laughs(9),
        "a: &a " + "x" * 100_000 + "\nb: [" + ", ".join(["*a"] * 10_000) + "]",
        "a: &a [" + "x, " * 2_000 + "]\nb: [" + ", ".join(["*a"] * 2_000) + "]",
        "a: &a {" + ", ".join(f"k{n}: 1" for n in range(1_000)) + "}\n"
        + "\n".join(f"b{n}: {{<<: *a}}" for n in range(1_000)),
    ],
    ids=["billion laughs", "long text often", "quadratic", "merged often"],
)  # fmt: skip
def test_alias_bombs_are_refused(text: str) -> None:
    """What aliases would make of a small file is bounded, whichever way it grows."""
    refusal = _refusal(text)

    assert refusal == "x.yaml:1:1: aliases expand this file to more than 500,000 nodes"


def test_ordinary_aliases_are_no_bomb() -> None:
    """A contract that repeats a part a thousand times is read."""
    text = "a: &a {type: string, maxLength: 10}\nb:\n" + "".join(f"  k{n}: *a\n" for n in range(1_000))

    found = parse_document(text, name="x.yaml").data

    assert found["b"]["k999"] == {"type": "string", "maxLength": 10}


def test_a_large_file_may_repeat_itself_a_little() -> None:
    """What counts is growth, not size: a file of many nodes may use each of them three times."""
    text = "a: &a " + "x" * (64 * 200_000) + "\nb: *a\nc: *a"

    found = parse_document(text, name="x.yaml").data

    assert found["c"] == found["a"]


_DEEP: dict[str, Callable[[int], str]] = {
    "flow lists": lambda n: "[" * n + "]" * n,
    "flow mappings": lambda n: "{a: " * n + "1" + "}" * n,
    "dashes": lambda n: "- " * n + "a",
    "wide dashes": lambda n: "-   " * n + "a",
    "question marks": lambda n: "? " * n + "a",
    "both": lambda n: "- ? " * n + "a",
    "indented keys": lambda n: "\n".join(" " * level + "a:" for level in range(min(n, 2_000))),
    "indented dashes": lambda n: "\n".join(" " * level + "-" for level in range(min(n, 2_000))),
    "lists under keys": lambda n: "\n".join(
        " " * level + "a:\n" + " " * level + "- b:" for level in range(0, min(n, 1_000), 2)
    ),
}


@pytest.mark.parametrize("depth", [MAX_DEPTH + 200, 100_000])
@pytest.mark.parametrize("shape", _DEEP)
def test_bottomless_nesting_is_refused(shape: str, depth: int) -> None:
    """No depth and no syntax reaches the end of the stack."""
    refusal = _refusal(_DEEP[shape](depth))

    assert f"this nests deeper than {MAX_DEPTH} levels" in refusal


def test_nesting_by_aliases_is_refused() -> None:
    """Depth counts with aliases written out: each anchor alone is shallow here."""
    text = "a0: &a0 []\n" + "\n".join(f"a{n}: &a{n} [[[*a{n - 1}]]]" for n in range(1, 100))

    refusal = _refusal(text)

    assert refusal == f"x.yaml:51:6: this nests deeper than {MAX_DEPTH} levels"


def test_the_greatest_depth_is_read_and_located() -> None:
    """Data as deep as is allowed is read, and the place of its deepest node is found."""
    depth = MAX_DEPTH
    document = parse_document("[" * depth + "]" * depth, name="x.yaml", scalars=Scalars.TEXT)

    place = document.place(("0",) * (depth - 1))

    assert (place.line, place.column) == (1, depth)


@pytest.mark.parametrize(
    "text",
    [
        "a: '" + "[" * 5_000 + "'",
        "# " + "[" * 5_000 + "\na: 1",
        "a: |\n  " + "- " * 5_000,
        "a: |\n" + " " * 900 + "x",
    ],
    ids=["brackets in text", "brackets in a comment", "a ruler of dashes", "far to the right"],
)
def test_what_only_looks_deep_is_read(text: str) -> None:
    """Prose with brackets, dashes or wide indents is no nesting."""
    document = parse_document(text, name="x.yaml")

    assert list(document.data) == ["a"]


def _places(document: Document, *pointers: tuple[str, ...]) -> list[str]:
    return [str(document.place(pointer)).removeprefix(f"{document.name}:") for pointer in pointers]


def test_places_of_keys_and_items() -> None:
    """A member's place is that of its key, an item's that of its value; quoted keys are keys too."""
    text = "# top\na:\n  - x\n  - b: 1\n    'c/d': {e: 2, '': 3}\nf~g: 4\n"
    document = parse_document(text, name="x.yaml")

    found = _places(
        document, (), ("a",), ("a", "0"), ("a", "1"), ("a", "1", "b"), ("a", "1", "c/d"),
        ("a", "1", "c/d", "e"), ("a", "1", "c/d", ""), ("f~g",), ("a", "9", "z"), ("nope",),
    )  # fmt: skip

    assert found == ["2:1", "2:1", "3:5", "4:5", "4:5", "5:5", "5:13", "5:19", "6:1", "2:1", "2:1"]


def test_places_count_code_points_and_only_real_line_breaks() -> None:
    """Astral characters are one column, and U+2028 is no new line, as editors show it."""
    document = parse_document("# x\r\n{a: '😀é', b: 1}\r\n", name="x.yaml")
    separated = parse_document("a: x\u2028y\nb: 1", name="x.yaml")

    assert _places(document, ("b",)) == ["2:11"]
    assert _places(separated, ("b",)) == ["2:1"]


@given(text=st.text(alphabet="[]{}-?:,&*!|>'\"#%@` \n\tab01.<~", max_size=60))
def test_no_text_raises_anything_but_a_refusal(text: str) -> None:
    """Whatever is written, it is read or refused, under both kinds of scalars."""
    for scalars in Scalars:
        try:
            document = parse_document(text, name="x.yaml", scalars=scalars)
            place = document.place(("a",))
        except UnreadableInput as error:
            place = error.place or Place(file="nowhere")

        assert place.line >= 1


@given(text=st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=30))
def test_quoted_text_survives(text: str) -> None:
    """A text between double quotes, JSON's escapes and all, is read back as it was."""
    written = json.dumps(text, ensure_ascii=False)

    found = _value(written, Scalars.TEXT)

    assert found == text
