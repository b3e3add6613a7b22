"""Texts of parameters and forms stand for values by their schemas."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.contract import Api, Schema, load_contract
from devportal.contract.validate.validator import Validator
from devportal.contract.wire_format.deserialisation import FormPart, TextReader, parse_multipart
from devportal.contract.wire_format.serialisation import form_pairs

DOCUMENT = """
openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /a:
    post:
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Form'}}}}
      responses: {'200': {description: A}}
components:
  schemas:
    Form:
      type: object
      properties:
        text: {type: string}
        whole: {type: integer}
        number: {type: number}
        flag: {type: boolean}
        nothing: {type: [string, 'null'], maxLength: 3}
        either: {oneOf: [{type: integer}, {type: string, pattern: '^x'}]}
        texts: {type: array, items: {type: string}}
        numbers: {type: array, items: {type: integer}}
        inner: {type: object, properties: {size: {type: integer}, tags: {type: array, items: {type: string}}}}
        choice: {type: integer, enum: [1, 2]}
        counts: {type: object, additionalProperties: {type: integer}}
        free: {type: object, additionalProperties: true}
        rows: {type: array, items: {type: object, properties: {size: {type: integer}}}}
        loose: {type: [string, object]}
        'model[name]': {type: string}
        'sizes[]': {type: array, items: {type: integer}}
"""


@pytest.fixture(name="api", scope="module")
def _api(tmp_path_factory: pytest.TempPathFactory) -> Api:
    file = tmp_path_factory.mktemp("contract") / "openapi.yaml"
    file.write_text(DOCUMENT, encoding="utf-8")
    return load_contract(file).api


def reader_of(api: Api) -> tuple[TextReader, Schema]:
    """Return what reads texts of the contract, and the schema of its form."""
    return TextReader(api, Validator(api)), next(
        schema for at, schema in api.schemas.items() if at.pointer[-1] == "Form"
    )


@pytest.mark.parametrize(
    ("member", "text", "value"),
    [
        ("text", "5", "5"), ("text", "true", "true"), ("text", "", ""),
        ("whole", "5", 5), ("whole", "-0", 0), ("whole", "05", "05"), ("whole", "5.0", "5.0"), ("whole", "1_0", "1_0"),
        ("whole", " 5", " 5"), ("whole", "٥", "٥"), ("whole", "", ""), ("whole", "9" * 400, "9" * 400),
        ("number", "1.5", 1.5), ("number", "1e3", 1000.0), ("number", "NaN", "NaN"), ("number", "5", 5),
        ("flag", "true", True), ("flag", "True", "True"), ("flag", "1", "1"),
        ("nothing", "abc", "abc"), ("either", "7", 7), ("either", "x7", "x7"), ("choice", "2", 2), ("choice", "3", 3),
    ],
)  # fmt: skip
def test_a_text_is_read_by_its_schema(api: Api, member: str, text: str, value: Any) -> None:
    """A number is one if it is written as JSON writes it, and a text stays one if only texts are allowed."""
    reader, form = reader_of(api)
    found = reader.read(reader.members(form)[member], text)

    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("pairs", "value"),
    [
        ((("texts", "a"), ("texts", "b")), {"texts": ["a", "b"]}),
        ((("texts[]", "a"),), {"texts": ["a"]}),
        ((("numbers", "1"),), {"numbers": [1]}),
        ((("numbers[0]", "1"), ("numbers[1]", "2")), {"numbers": [1, 2]}),
        ((("inner[size]", "3"), ("inner[tags][]", "x")), {"inner": {"size": 3, "tags": ["x"]}}),
        ((("whole", "1"), ("whole", "2")), {"whole": ["1", "2"]}),
        ((("nothing", "null"),), {"nothing": None}),
        ((("unknown", "1"),), {"unknown": "1"}),
        ((("counts[a]", "1"), ("free[a]", "1")), {"counts": {"a": 1}, "free": {"a": "1"}}),
        ((("a[", "1"), ("[b]", "2")), {"a[": "1", "[b]": "2"}),
        ((("inner", "x"), ("inner[size]", "3")), {"inner": {"size": 3}}),
    ],
)
def test_a_form_is_read_as_an_object(api: Api, pairs: tuple[tuple[str, str], ...], value: Any) -> None:
    """Lists repeat their name or have brackets, objects have names in brackets."""
    reader, form = reader_of(api)

    assert reader.read_form(form, pairs) == value


@pytest.mark.parametrize(
    ("parts", "value"),
    [
        ([("inner", '{"size": 3}', "")], {"inner": {"size": 3}}),
        ([("inner", '{"size": "3"}', "application/json")], {"inner": {"size": "3"}}),
        ([("inner[size]", "3", "")], {"inner": {"size": 3}}),
        ([("inner", "{", "application/json")], {"inner": "{"}),
        ([("rows", '{"size": 1}', ""), ("rows", '{"size": 2}', "")], {"rows": [{"size": 1}, {"size": 2}]}),
        ([("rows", '{"size": 1}', "")], {"rows": [{"size": 1}]}),
        ([("rows", '[{"size": 1}]', "application/json")], {"rows": [{"size": 1}]}),
        ([("numbers", "[1, 2]", "application/json; charset=utf-8")], {"numbers": [1, 2]}),
        ([("numbers", "1", ""), ("numbers", "2", "")], {"numbers": [1, 2]}),
        (
            [("text", '{"a": 1}', "application/json"), ("whole", "1", "text/plain")],
            {"text": '{"a": 1}', "whole": 1},
        ),
        ([("loose", '{"a": 1}', ""), ("unknown", "{}", "")], {"loose": '{"a": 1}', "unknown": "{}"}),
        ([("loose", '{"a": 1}', "application/json")], {"loose": {"a": 1}}),
    ],
)
def test_objects_in_a_multipart_body_are_json(
    api: Api, parts: list[tuple[str, str, str]], value: dict[str, Any]
) -> None:
    """That is how OpenAPI writes them, also if the part has no Content-Type; a text stays a text."""
    reader, form = reader_of(api)
    given_parts = [FormPart(name=name, text=text, media_type=kind) for name, text, kind in parts]

    assert reader.read_multipart(form, given_parts) == value


def test_a_part_has_its_media_type_and_file() -> None:
    """And none if it names none; a file that nobody chose has an empty name (WHATWG HTML §4.10.22.4)."""
    octets = bytes(range(256)) + b"\r\n\r\n\r"
    body = (
        b'--x\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: application/json\r\n\r\n{}\r\n'
        b'--x\r\nContent-Disposition: form-data; name="b"\r\n\r\n1\r\n'
        b'--x\r\nContent-Disposition: form-data; name="c"; filename="c.bin"\r\n\r\n' + octets + b"\r\n"
        b'--x\r\nContent-Disposition: form-data; name="d"; filename=""\r\n\r\n\r\n--x--\r\n'
    )

    assert [*parse_multipart("multipart/form-data; boundary=x", body)] == [
        FormPart(name="a", text="{}", media_type="application/json"),
        FormPart(name="b", text="1"),
        FormPart(name="c", text=octets.decode("utf-8", "replace"), file=octets, file_name="c.bin"),
        FormPart(name="d", text=""),
    ]


@pytest.mark.parametrize("body", [b"--x--", b"--x--\r\n"])
def test_a_multipart_body_can_be_without_parts(body: bytes) -> None:
    """Clients write one for a form whose fields are all left out."""
    assert [*parse_multipart("multipart/form-data; boundary=x", body)] == []


@pytest.mark.parametrize("body", [b"", b"--y--", b"a=1"])
def test_what_has_not_the_boundary_is_no_multipart_body(body: bytes) -> None:
    """It cannot be read."""
    with pytest.raises(ValueError, match="boundary"):
        [*parse_multipart("multipart/form-data; boundary=x", body)]


def test_names_with_brackets_that_a_schema_has_are_fields(api: Api) -> None:
    """Contracts that were made of forms list them so."""
    reader, form = reader_of(api)
    fields = [("model[name]", "A"), ("sizes[]", "1"), ("sizes[]", "2"), ("inner[size]", "3")]

    assert reader.read_form(form, fields) == {"model[name]": "A", "sizes[]": [1, 2], "inner": {"size": 3}}


def test_values_are_read_as_their_texts_are(api: Api) -> None:
    """At any depth; a number is its text if only texts are allowed."""
    reader, form = reader_of(api)
    given_value = {"text": 5, "whole": "5", "numbers": ["1", 2], "inner": {"size": "3"}, "nothing": None}

    assert reader.read_value(form, given_value) == {
        "text": "5", "whole": 5, "numbers": [1, 2], "inner": {"size": 3}, "nothing": None,
    }  # fmt: skip


@given(
    value=st.fixed_dictionaries(
        {"text": st.text(), "whole": st.integers(-(10**15), 10**15), "flag": st.booleans()},
        optional={
            "texts": st.lists(st.text(), min_size=1),
            "numbers": st.lists(st.integers(0, 99), min_size=1),
        },
    )
)
def test_what_a_form_writes_is_read_back(api: Api, value: dict[str, Any]) -> None:
    """Reading is the inverse of writing."""
    reader, form = reader_of(api)

    assert reader.read_form(form, form_pairs(value, ())) == value


@pytest.mark.parametrize(
    ("text", "value"), [('{"size": 1}', {"size": 1}), ("{size", "{size"), ("[1]", "[1]"), ("plain", "plain")]
)
def test_a_field_of_a_form_may_have_an_object_as_json(api: Api, text: str, value: Any) -> None:
    """The usual form of an object in a form is JSON (OAS 3.1.1 §4.8.15.1)."""
    reader, form = reader_of(api)

    assert reader.read_form(form, (("inner", text),)) == {"inner": value}


@pytest.mark.parametrize(
    ("texts", "value"),
    [
        (('{"size": 1}',), [{"size": 1}]),
        (('{"size": 1}', '{"size": 2}'), [{"size": 1}, {"size": 2}]),
        (('[{"size": 1}]',), [{"size": 1}]),
        (("{size",), ["{size"]),
    ],
)
def test_fields_of_a_form_may_have_a_list_of_objects_as_json(
    api: Api, texts: tuple[str, ...], value: list[Any]
) -> None:
    """One of them is read as several are, and as in a multipart body."""
    reader, form = reader_of(api)

    assert reader.read_form(form, [("rows", text) for text in texts]) == {"rows": value}
