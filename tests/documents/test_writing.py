"""Data written as JSON and YAML is the same data when it is read again, by any reader."""

import json
import math
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from devportal.documents import parse_document, to_json, to_yaml
from devportal.documents.writing import rewrite_yaml_members, to_indented_json, to_json_line

ODD = [
    "NO", "no", "y", "N", "on", "Off", "true", "TRUE", "null", "Null", "~", "", "010", "0o10",
    "0x1f", "1e3", "1_000", "12:30:45", "2026-11-21", "2026-11-21T00:00:00Z", ".5", ".inf", ".nan",
    "<<", "=", "-", "--- a", "...", "a: b", "a:", ":a", "a #b", "#a", "a#b", "*a", "&a", "!a", "%a",
    "@a", "`a", "|", ">", "? a", "- a", "[a", "{a}", "'a'", '"a"', "a'b", " a", "a ", "a\tb", "\ta",
    "a\nb", "a\n", "a\n\n", "\na", " a\nb", "\n", "a\n ", "a \nb", "a\r\nb", "a\\nb", "/v1/{id}",
    "$ref", "#/components/schemas/A", "é", "小包", "🙂", "a\u0085b", "a\u2028b\nc", "\ufeffa",
    "a\x00b", "a\x7fb", "\ufffe", "ключ: 1", "+44", "1.0", "０１",
]  # fmt: skip

texts = st.one_of(st.sampled_from(ODD), st.text(max_size=20), st.text(alphabet=" \n\t:#-a'\"{[", max_size=12))
numbers = st.one_of(st.integers(-(10**20), 10**20), st.floats(allow_nan=False, allow_infinity=False))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda below: st.one_of(
        st.lists(below, max_size=4), st.dictionaries(st.one_of(texts, st.text(max_size=4)), below, max_size=4)
    ),
    max_leaves=20,
)


def typed_form(value: Any) -> Any:
    """Return data in a form in which 1, 1.0 and true differ, and the order of keys counts."""
    if isinstance(value, dict):
        return [(key, typed_form(member)) for key, member in value.items()]
    if isinstance(value, list):
        return [typed_form(item) for item in value]
    return type(value), value


@given(values)
def test_yaml_is_read_as_the_same_data(data: Any) -> None:
    """By our reader of YAML 1.2, types and order of keys included."""
    assert typed_form(parse_document(to_yaml(data), name="a.yaml").data) == typed_form(data)


@given(values)
def test_yaml_is_read_as_the_same_data_by_a_reader_of_yaml_1_1(data: Any) -> None:
    """Norway, octal numbers, dates and exponents are no trap for PyYAML, which most tools use."""
    assert typed_form(yaml.load(to_yaml(data), Loader=yaml.CSafeLoader)) == typed_form(data)


named_values = st.dictionaries(
    st.one_of(texts, st.just("a"), st.just("paths")), values, min_size=1, max_size=4
)


@given(named_values, values, values, st.sets(st.integers(0, 3)), st.integers(0, 2))
def test_members_that_are_written_again_are_those_of_the_whole(
    members: dict[str, Any], beside: Any, other: Any, edited: set[int], depth: int
) -> None:
    """To the byte, wherever their mapping is, and whatever stands beside it or in them."""
    names = {name for number, name in enumerate(members) if number in edited}
    path = ("paths", "schemas")[:depth]
    before: dict[str, Any] = members
    after: dict[str, Any] = {name: other if name in names else members[name] for name in members}
    for key in reversed(path):
        before, after = ({"x": beside, key: data, "z": beside} for data in (before, after))

    text = rewrite_yaml_members(to_yaml(before), after, path, names)

    assert text == to_yaml(after)


def test_key_of_two_lines_has_all_written_again() -> None:
    """Its member has no line of its own to begin with."""
    data = {"paths": {"a" * 1100: 1, "b": 2}}

    assert rewrite_yaml_members(to_yaml(data), data, ("paths",), {"b"}) is None


def test_other_keys_are_no_edit() -> None:
    """All is to be written then."""
    text = to_yaml({"paths": {"/a": {"get": 1}}})

    assert rewrite_yaml_members(text, {"paths": {"/a": 1, "/b": 2}}, ("paths",), {"/a"}) is None
    assert rewrite_yaml_members(text, {"other": {"/a": 1}}, ("other",), {"/a"}) is None


@given(values)
def test_json_for_people_is_that_of_the_standard_library(data: Any) -> None:
    """To the byte."""
    assert to_indented_json(data) == json.dumps(data, ensure_ascii=False, indent=2)
    assert to_json_line(data) == json.dumps(data, ensure_ascii=False)


@pytest.mark.parametrize(
    "data", [{1: [math.inf, ()], None: {True: "é"}}, ({"a": ("b",)},), {"\ud800": math.nan}]
)
def test_json_for_people_of_what_json_has_not_is_that_of_the_standard_library(data: Any) -> None:
    """Keys that are no texts, infinity, and tuples."""
    assert to_indented_json(data) == json.dumps(data, ensure_ascii=False, indent=2)
    assert to_json_line(data) == json.dumps(data, ensure_ascii=False)


@given(values)
def test_json_is_read_as_the_same_data(data: Any) -> None:
    """On one line, whatever the texts hold."""
    written = to_json(data)

    assert typed_form(json.loads(written)) == typed_form(data)
    assert "\n" not in written


@pytest.mark.parametrize("text", ODD)
def test_each_odd_text_stays_a_text(text: str) -> None:
    """As a value, as a key, as an item, and behind a dash with a key."""
    data = {text: text, "list": [text, [text], {text: text, "b": [text]}]}

    assert parse_document(to_yaml(data), name="a.yaml").data == data


def test_yaml_reads_well() -> None:
    """Block style; quotes only where they are needed; texts of several lines as they are."""
    data = {
        "openapi": "3.1.0",
        "info": {"title": "Parcels: all of them", "description": "One.\n\n  two\n", "version": "2"},
        "paths": {"/parcels/{id}": {"get": {"tags": ["a"], "responses": {"200": {}}, "security": []}}},
        "x": [[1, 2.5], {"a": None, "b": True}, 1e20],
    }

    assert to_yaml(data) == (
        'openapi: "3.1.0"\n'
        "info:\n"
        '  title: "Parcels: all of them"\n'
        "  description: |\n"
        "    One.\n"
        "\n"
        "      two\n"
        '  version: "2"\n'
        "paths:\n"
        "  /parcels/{id}:\n"
        "    get:\n"
        "      tags:\n"
        "        - a\n"
        "      responses:\n"
        '        "200": {}\n'
        "      security: []\n"
        "x:\n"
        "  - - 1\n"
        "    - 2.5\n"
        "  - a: null\n"
        "    b: true\n"
        "  - 1.0e+20\n"
    )


def test_a_very_long_key_is_still_a_key() -> None:
    """YAML limits keys of one line; such a key is written the long way."""
    data = {"a": {"k" * 5000: {"b": 1}, "k" * 1100: "x\ny"}}

    assert parse_document(to_yaml(data), name="a.yaml").data == data


def test_numbers_that_json_has_not() -> None:
    """YAML has infinity and NaN; JSON gets null."""
    data = {"a": [math.inf, -math.inf, math.nan, 1.5]}

    assert to_json(data) == '{"a":[null,null,null,1.5]}'
    assert to_yaml(data) == "a:\n  - .inf\n  - -.inf\n  - .nan\n  - 1.5\n"
