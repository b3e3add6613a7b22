"""Values as text, by style and explode."""

from dataclasses import replace
from typing import Any

import pytest

from devportal.contract import Encoding, Location, MediaType, Parameter, ParameterLocation
from devportal.contract.wire_format.serialisation import (
    form_pairs,
    query_pairs,
    reserved_query,
    serialise_header,
    serialise_path_parameter,
)

ARRAY = ["blue", "black", "brown"]
OBJECT = {"R": 100, "G": 200, "B": 150}


def parameter(where: ParameterLocation, style: str, *, explode: bool) -> Parameter:
    """Return a parameter called `color`."""
    return Parameter(name="color", location_in=where, style=style, explode=explode, location=Location("", ()))


@pytest.mark.parametrize(
    ("style", "explode", "array", "object_"),
    [
        ("simple", "", "blue,black,brown", "R,100,G,200,B,150"),
        ("simple", "explode", "blue,black,brown", "R=100,G=200,B=150"),
        ("label", "", ".blue,black,brown", ".R,100,G,200,B,150"),
        ("label", "explode", ".blue.black.brown", ".R=100.G=200.B=150"),
        ("matrix", "", ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
        ("matrix", "explode", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
    ],
)
def test_path_parameter_follows_the_table_of_styles(
    style: str,
    explode: str,
    array: str,
    object_: str,
) -> None:
    """The examples of the OpenAPI specification (OAS 3.1.1 §4.8.12.4)."""
    color = parameter(ParameterLocation.PATH, style, explode=bool(explode))

    assert (serialise_path_parameter(color, ARRAY), serialise_path_parameter(color, OBJECT)) == (
        array,
        object_,
    )


@pytest.mark.parametrize(
    ("style", "explode", "array", "object_"),
    [
        ("form", "", ["blue,black,brown"], [("color", "R,100,G,200,B,150")]),
        ("form", "explode", ARRAY, [("R", "100"), ("G", "200"), ("B", "150")]),
        ("spaceDelimited", "", ["blue black brown"], [("color", "R 100 G 200 B 150")]),
        ("pipeDelimited", "", ["blue|black|brown"], [("color", "R|100|G|200|B|150")]),
        ("deepObject", "explode", None, [("color[R]", "100"), ("color[G]", "200"), ("color[B]", "150")]),
    ],
)
def test_query_parameter_follows_the_table_of_styles(
    style: str,
    explode: str,
    array: list[str] | None,
    object_: list[tuple[str, str]],
) -> None:
    """The examples of the OpenAPI specification (OAS 3.1.1 §4.8.12.4)."""
    color = parameter(ParameterLocation.QUERY, style, explode=bool(explode))

    assert list(query_pairs(color, OBJECT)) == object_
    if array is not None:
        assert query_pairs(color, ARRAY) == tuple(("color", text) for text in array)


@pytest.mark.parametrize(
    ("value", "text"),
    [("a/b c", "a%2Fb%20c"), ("é", "%C3%A9"), (["a,b", 1], "a%2Cb,1"), (True, "true"), ("a@b:c", "a@b:c")],
)
def test_path_value_is_percent_encoded_within_its_delimiters(value: Any, text: str) -> None:
    """A delimiter inside a value does not look like one between values."""
    assert serialise_path_parameter(parameter(ParameterLocation.PATH, "simple", explode=False), value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(ARRAY, "blue,black,brown"), ("a\r\nX-Evil: 1", "a%0D%0AX-Evil: 1"), ("é", "%C3%A9")]
)
def test_header_value_is_one_line_of_ascii(value: Any, text: str) -> None:
    """A value cannot start a second header."""
    assert serialise_header(parameter(ParameterLocation.HEADER, "simple", explode=False), value) == text


@pytest.mark.parametrize(
    ("value", "path", "header"),
    [
        ({"a": 1}, "%7B%22a%22:%201%7D", '{"a": 1}'),
        (["é", 1], "%5B%22%C3%A9%22%2C%201%5D", '["\\u00e9", 1]'),
        ("a,b", "a%2Cb", "a,b"),
    ],
)
def test_value_with_a_media_type_is_written_in_it(value: Any, path: str, header: str) -> None:
    """Style and explode say nothing of it (OAS 3.1.1 §4.8.12.3); a text is taken as written already."""
    content = MediaType(name="application/json", location=Location("", ()))
    simple = replace(parameter(ParameterLocation.PATH, "simple", explode=False), content=content)

    assert (serialise_path_parameter(simple, value), serialise_header(simple, value)) == (path, header)


def test_reserved_characters_stay_where_the_value_stays_the_same() -> None:
    """What would end or change the value is encoded all the same (OAS 3.1.1 §4.8.12.2)."""
    color = parameter(ParameterLocation.QUERY, "form", explode=True)

    assert reserved_query(color, "/a?b:c@d!e,f;g") == "color=/a?b:c@d!e,f;g"
    assert reserved_query(color, ["a&b=c+d", "#[é ]%"]) == "color=a%26b=c%2Bd&color=%23%5B%C3%A9%20%5D%25"


@pytest.mark.parametrize(
    ("value", "text"),
    [("a%20b", "a%20b"), ("%2F%2f", "%2F%2f"), ("%2520", "%2520"), ("%%20%2", "%25%20%252")],
)
def test_reserved_text_that_is_encoded_already_stays(value: str, text: str) -> None:
    """Triples pass, a percent sign by itself does not (RFC 6570 §3.2.3, OAS 3.1.1 §4.8.12.2)."""
    assert reserved_query(parameter(ParameterLocation.QUERY, "form", explode=True), value) == f"color={text}"


@pytest.mark.parametrize(
    ("value", "explode", "text"),
    [
        ("", "", ";color"),
        ("", "explode", ";color"),
        (["", "a"], "explode", ";color;color=a"),
        ({"R": "", "G": 1}, "explode", ";R;G=1"),
        (["", ""], "", ";color=,"),
    ],
)
def test_matrix_without_a_text_is_a_name(value: Any, explode: str, text: str) -> None:
    """RFC 6570 §3.2.7; as OAS 3.1.1 §4.8.12.4 shows it for an empty text."""
    assert (
        serialise_path_parameter(parameter(ParameterLocation.PATH, "matrix", explode=bool(explode)), value)
        == text
    )


def test_form_field_is_repeated_nested_or_json() -> None:
    """Lists repeat the name, objects are JSON, and a declared style wins."""
    value = {"a": ["x", "y"], "b": {"c": 1}, "d": {"e": {"f": [1, 2]}, "g": [{"h": True}]}, "i": ["x", "y"]}
    encodings = (
        Encoding(property_name="d", style="deepObject", explode=True),
        Encoding(property_name="i", explode=False),
    )

    assert form_pairs(value, encodings) == (
        ("a", "x"),
        ("a", "y"),
        ("b", '{"c": 1}'),
        ("d[e][f][]", "1"),
        ("d[e][f][]", "2"),
        ("d[g][0][h]", "true"),
        ("i", "x,y"),
    )


def test_lists_in_an_exploded_object_repeat_their_name() -> None:
    """OAS leaves them open; Spring and others read `sort=a&sort=b`."""
    pageable = parameter(ParameterLocation.QUERY, "form", explode=True)

    assert query_pairs(pageable, {"page": 1, "sort": ["a", "b"]}) == (
        ("page", "1"),
        ("sort", "a"),
        ("sort", "b"),
    )
