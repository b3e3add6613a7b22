"""JSON text: what RFC 8259 has, what Python lets through and we do not, and the place of each node."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.documents import Pointer, child, parse_document
from devportal.documents.pointer import MAX_DEPTH
from devportal.errors import Place, UnreadableInput


def _refusal(text: str, name: str = "x.json") -> str:
    with pytest.raises(UnreadableInput) as raised:
        parse_document(text, name=name)
    return f"{raised.value.place}: {raised.value.message}"


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("", "x.json:1:1: this file is empty"),
        (" \n ", "x.json:1:1: this file is empty"),
        ("{", "x.json:1:2: this is not JSON: the file ends too early"),
        ('{"a": ["b"', "x.json:1:11: this is not JSON: the file ends too early"),
        ('{a: 1}', "x.json:1:2: this is not JSON: Expecting property name enclosed in double quotes"),
        ('{"a": 1, // one\n}', "x.json:1:10: this is not JSON: JSON has no comments"),
        ("{'a': 1}", "x.json:1:2: this is not JSON: text is between double quotes in JSON"),
        ("# Things\nopenapi: 3.1.0", "x.json:1:1: this is not JSON: it starts with 'openapi:'"),
        ('{\n "a" 1}', "x.json:2:6: this is not JSON: Expecting ':' delimiter"),
        ("[1,]", "x.json:1:4: this is not JSON: a comma precedes this ']'"),
        ('{"a": 1} x', "x.json:1:10: this is not JSON: Extra data"),
        ("01", "x.json:1:2: this is not JSON: Extra data"),
        ('"\t"', "x.json:1:2: this is not JSON: Invalid control character at"),
        ('{"a":1,\n"a":2}', "x.json:2:1: the key 'a' occurs twice in this object"),
        ('{"a":1,"\\u0061":2}', "x.json:1:8: the key 'a' occurs twice in this object"),
        ('{"":1,"":2}', "x.json:1:7: the key '' occurs twice in this object"),
        ('[{"x":{"b":[],"c":{},"b":0}}]', "x.json:1:22: the key 'b' occurs twice in this object"),
        ('["NaN",\n NaN]', "x.json:2:2: NaN is not a JSON value"),
        ("-Infinity", "x.json:1:1: -Infinity is not a JSON value"),
        ('["e400", 1e400]', "x.json:1:10: the number 1e400 is larger than any that other programs can hold"),
        ("-1E+999", "x.json:1:1: the number -1E+999 is larger than any that other programs can hold"),
        (f'["{"1" * 9_000}", {"1" * 9_000}]', "x.json:1:9006: this number has more than 300 digits"),
        ("[-" + "9" * 301 + "]", "x.json:1:2: this number has more than 300 digits"),
        ('["\\ud800"]', "x.json:1:2: this text has an unpaired surrogate"),
        ('{"\\ude00x": 1}', "x.json:1:2: this text has an unpaired surrogate"),
        ('["\\ud83dx\\ude00"]', "x.json:1:2: this text has an unpaired surrogate"),
        ('["\\\\ud83d\\ude00"]', "x.json:1:2: this text has an unpaired surrogate"),
        ('["\\ud83d\\ude00\\ude00"]', "x.json:1:2: this text has an unpaired surrogate"),
        ('["\ud800"]', "x.json:1:3: this text has an unpaired surrogate"),
        ("\x00", "x.json:1:1: this is not JSON: Expecting value"),
    ],
)  # fmt: skip
def test_what_is_no_json_is_refused_with_its_place(text: str, refusal: str) -> None:
    """Each refusal says where and what, also for what Python's own reader takes."""
    found = _refusal(text)

    assert found == refusal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"\\ud83d\\ude00"', "😀"),
        ('"\\ud83d\\uDE00\\uD83D\\ude00"', "😀😀"),
        ('"\\\\ud83d\\\\ude00"', "\\ud83d\\ude00"),
        ('"\\\\ud800"', "\\ud800"),
        ("1e308", 1e308),
        ("0." + "3" * 400, 1 / 3),
        ("-" + "9" * 300, 1 - 10**300),
        ("1e-999", 0.0),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ('{"a": {"a": {"a": 1}}}', {"a": {"a": {"a": 1}}}),
        ('[{"a": 1}, {"a": 2}]', [{"a": 1}, {"a": 2}]),
        (' \r\n"x" \t', "x"),
        ('"e999"', "e999"),
    ],
)
def test_json_values(text: str, value: object) -> None:
    """Pairs of surrogates, large numbers and equal keys of different objects are in order."""
    found = parse_document(text, name="x.json").data

    assert found == value


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 2_000, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_bottomless_nesting_is_refused(opening: str, closing: str, depth: int) -> None:
    """No depth reaches the end of the stack, and the place is that of the level too many."""
    text = opening * depth + "1" + closing * depth

    refusal = _refusal(text)

    column = MAX_DEPTH * len(opening) + 1
    assert refusal == f"x.json:1:{column}: this nests deeper than {MAX_DEPTH} levels"


def test_the_greatest_depth_is_read() -> None:
    """Nesting up to the limit is in order."""
    document = parse_document("[" * MAX_DEPTH + "]" * MAX_DEPTH, name="x.json")

    assert document.place(("0",) * (MAX_DEPTH - 1)).column == MAX_DEPTH


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, b: 2}', {"a": 1, "b": 2}),
        ('{"a": 1,}', {"a": 1}),
        ('{"a": 1} # comment', {"a": 1}),
        ('["a", NO]', ["a", "NO"]),
        ('{"a": 0x10}', {"a": 16}),
    ],
)
def test_flow_style_that_only_starts_as_json_is_yaml(text: str, value: object) -> None:
    """A YAML file may look like JSON at first."""
    found = parse_document(text, name="x.yaml").data

    assert found == value


def test_the_place_of_what_is_not_there_is_that_of_its_nearest_ancestor() -> None:
    """Members that do not exist, items beyond the end, and what would lie inside a scalar have no place."""
    document = parse_document('\n{"a": [1,\n {"b": "c"}]}', name="x.json")

    places = [str(document.place(item)) for item in (("x",), ("a", "2"), ("a", "01"), ("a", "1", "b", "c"))]

    assert places == ["x.json:2:1", "x.json:2:2", "x.json:2:2", "x.json:3:3"]


def test_json_in_a_file_of_another_name_is_located_as_json() -> None:
    """The syntax decides, not the name; where neither fits, the message is about JSON."""
    document = parse_document('{\n\t"a": [\n\t\t1,\n\t\t2]}', name="openapi")

    assert str(document.place(("a", "1"))) == "openapi:4:3"
    assert (
        _refusal('{"a": "1" "b"}', "x.yaml")
        == "x.yaml:1:11: this is not JSON: a comma or a bracket is missing before this"
    )


_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=15,
)


def _pointers(value: Any, base: Pointer = ()) -> list[tuple[Pointer, Any]]:
    found = [(base, value)]
    if isinstance(value, dict):
        for key, item in value.items():
            found += _pointers(item, child(base, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            found += _pointers(item, child(base, number))
    return found


@given(value=_VALUES, indent=st.none() | st.integers(0, 3))
def test_every_place_leads_to_its_node(value: Any, indent: int | None) -> None:
    """At the place of a pointer stands its key, or its value where it is an item."""
    text = json.dumps(value, indent=indent)
    document = parse_document(text, name="x.json")
    decoder = json.JSONDecoder()
    lines = text.split("\n")

    assert document.data == value
    for pointer, item in _pointers(value):
        place = document.place(pointer)
        offset = sum(len(line) + 1 for line in lines[: place.line - 1]) + place.column - 1
        at_place, _ = decoder.raw_decode(text, offset)
        assert at_place == item or at_place == pointer[-1]


@given(text=st.text(alphabet='[]{}:,"\\u dD8e0-9.Na\n', max_size=60))
def test_no_text_raises_anything_but_a_refusal(text: str) -> None:
    """Whatever is written, it is read or refused with a line."""
    try:
        document = parse_document(text, name="x.json")
        place = document.place(("a",))
    except UnreadableInput as error:
        place = error.place or Place(file="nowhere")

    assert place.line >= 1
