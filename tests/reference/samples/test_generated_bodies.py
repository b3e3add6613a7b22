"""Bodies that are made from schemas: what a sample shows, what it marks, and how parts of it are sent."""

from typing import Any

import pytest

from devportal.reference.samples import LANGUAGES
from devportal.reference.samples.request import FileBody, JsonBody, MultipartBody, MultipartPart, TextBody
from devportal.reference.samples.sample_requests import NamedRequest, sample_requests
from tests.reference.reading import api_from

CURL = next(language for language in LANGUAGES if language.name == "curl")


def samples_of(operation: dict[str, Any], method: str = "post") -> tuple[NamedRequest, ...]:
    """Return the requests of a contract with this operation alone."""
    document = {
        "openapi": "3.2.0",
        "paths": {"/a": {method: {"operationId": "a", "responses": {}, **operation}}},
    }
    api = api_from(document)
    return sample_requests(api, api.operations[0])


def body_of(schema: dict[str, Any], **media: Any) -> dict[str, Any]:
    kind = media.pop("kind", "application/json")
    return {"requestBody": {"required": True, "content": {kind: {"schema": schema, **media}}}}


def test_a_sample_sends_what_it_must_and_what_has_an_example() -> None:
    """All fields are a choice beside it."""
    properties = {
        "amount": {"type": "integer"},
        "note": {"type": "string"},
        "colour": {"type": "string", "examples": ["red"]},
    }

    typical, every = samples_of(body_of({"type": "object", "required": ["amount"], "properties": properties}))

    assert typical.request.body == JsonBody(
        media_type="application/json", value={"amount": 1000, "colour": "red"}
    )
    assert every.request.body == JsonBody(
        media_type="application/json", value={"amount": 1000, "note": "An example.", "colour": "red"}
    )
    assert (typical.summary, every.summary) == ("Typical", "All fields")


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_a_placeholder_is_named_in_a_comment(language: Any) -> None:
    """The rest of the body and its media type stay, in each language."""
    schema = {
        "type": "object",
        "required": ["name", "n"],
        "properties": {"name": {"example": "Ann"}, "n": {"type": "integer", "minimum": 5, "maximum": 3}},
    }

    (named,) = samples_of(body_of(schema))
    program = language.write(named.request)

    assert named.request.body == JsonBody(media_type="application/json", value={"name": "Ann", "n": "<n>"})
    assert f"{language.comment} Replace <n> at /n: no value was found that the schema allows.\n" in program


def test_a_value_that_does_not_validate_says_so() -> None:
    """Open branches that both fit have no plain value for `oneOf`."""
    branches = [{"type": "object", "properties": {name: {"type": "string"}}} for name in ("card", "iban")]

    (named,) = samples_of(body_of({"oneOf": branches}))

    assert "".join(named.request.notes).startswith("Does not validate: ")


def test_parts_are_sent_as_the_contract_says() -> None:
    """With the type of their content, their transfer encoding, and the headers of their encoding."""
    properties = {
        "icon": {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"},
        "file": {"contentMediaType": "application/pdf"},
        "json": {"type": "string", "contentMediaType": "application/json", "contentSchema": {"const": [1]}},
    }
    encoding = {
        "file": {"headers": {"X-Part-Id": {"required": True, "schema": {"type": "string"}, "example": "p1"}}}
    }
    schema = {"type": "object", "required": [*properties], "properties": properties}

    (named,) = samples_of(body_of(schema, kind="multipart/form-data", encoding=encoding))

    assert named.request.body == MultipartBody(
        parts=(
            MultipartPart(
                name="icon",
                value="aGVsbG8=",
                media_type="image/png",
                headers=(("Content-Transfer-Encoding", "base64"),),
            ),
            MultipartPart(
                name="file",
                value="file.bin",
                is_file=True,
                media_type="application/pdf",
                headers=(("X-Part-Id", "p1"),),
            ),
            MultipartPart(name="json", value="[1]", media_type="application/json"),
        )
    )
    assert """;headers="X-Part-Id: p1"'""" in CURL.write(named.request)


@pytest.mark.parametrize(
    ("media_type", "value", "query"),
    [
        ("application/json", {"n": [1, 2], "f": None}, "%7B%22n%22%3A%5B1%2C2%5D%2C%22f%22%3Anull%7D"),
        ("application/jsonpath", "$.a.b[1:1]", "%24.a.b%5B1%3A1%5D"),
        ("text/plain", "p[0]=1&q=a+b", "p%5B0%5D=1&q=a%2Bb"),
        ("application/x-www-form-urlencoded", {"a": "1 2", "b": "&"}, "a=1%202&b=%26"),
    ],
)
def test_a_whole_query_is_written_in_its_media_type(media_type: str, value: Any, query: str) -> None:
    """Percent-encoded, as the examples of OAS 3.2.0 §4.12.8 are."""
    parameter = {
        "name": "q",
        "in": "querystring",
        "required": True,
        "content": {media_type: {"example": value}},
    }

    (named,) = samples_of({"parameters": [parameter]}, "get")

    assert named.request.url.partition("?")[2] == query


@pytest.mark.parametrize(
    ("rules", "value", "cookie"),
    [
        (
            {"style": "cookie"},
            {"greeting": "Hello%2C world!", "code": 42},
            "greeting=Hello%2C world!; code=42",
        ),
        ({"style": "cookie", "explode": False}, ["blue", "black"], "color=blue,black"),
        ({"style": "cookie"}, ["blue", "black"], "color=blue; color=black"),
        ({"explode": False}, ["blue", "b,c"], "color=blue,b%2Cc"),
    ],
)
def test_cookies_are_written_in_their_style(rules: dict[str, Any], value: Any, cookie: str) -> None:
    """Nothing is encoded in style `cookie`, and the commas of a list in none (OAS 3.2.0 §4.12.2.2)."""
    parameter = {"name": "color", "in": "cookie", "required": True, "schema": {}, "example": value, **rules}

    (named,) = samples_of({"parameters": [parameter]}, "get")

    assert dict(named.request.headers)["Cookie"] == (cookie,)


def test_all_fields_are_all_fields() -> None:
    """However many there are, on each level."""
    inner = {"type": "object", "properties": {f"i{n}": {"type": "boolean"} for n in range(15)}}
    properties = {f"f{n}": {"type": "boolean"} for n in range(80)} | {"inner": inner}

    _, every = samples_of(body_of({"type": "object", "properties": properties}))

    assert isinstance(every.request.body, JsonBody)
    assert len(every.request.body.value) == 81
    assert len(every.request.body.value["inner"]) == 15
    assert (every.summary, every.request.notes) == ("All fields", ())


def test_a_sample_counts_the_fields_that_it_leaves_out() -> None:
    """Fields of inner objects for which there is no room, and those that are deprecated."""
    inner = {"type": "object", "properties": {f"i{n}": {"const": f"{n}" * 1_000} for n in range(6)}}
    properties = {"a": {"const": 1}, "old": {"const": 2, "deprecated": True}, "inner": inner}

    _, every = samples_of(body_of({"type": "object", "properties": properties}))

    assert every.request.body == JsonBody(media_type="application/json", value={"a": 1, "inner": {}})
    assert every.summary == "More fields"
    assert every.request.notes == (
        "6 more fields are left out to keep this short (such as inner.i0 and inner.i1). See the list of fields.",
        "1 more field is deprecated and left out (old). See the list of fields.",
    )


@pytest.mark.parametrize(
    ("kind", "schema", "encodings", "sent", "parts"),
    [
        (
            "multipart/related",
            {
                "properties": {
                    "meta": {"const": {"a": 1}},
                    "file": {"contentMediaType": "image/png"},
                    "t": {"const": ""},
                }
            },
            {},
            "multipart/related; boundary=boundary",
            "--boundary: meta (application/json), file (image/png), t (text/plain).",
        ),
        (
            'multipart/mixed; boundary="x"; charset=utf-8',
            {"type": "array", "prefixItems": [{"const": {"a": 1}}, {}, {"const": "c"}], "minItems": 3},
            {
                "prefixEncoding": [{}, {"contentType": "image/*, image/png"}],
                "itemEncoding": {"contentType": "text/csv"},
            },
            'multipart/mixed; boundary="x"; charset=utf-8',
            "--x: part 1 (application/json), part 2 (image/png), part 3 (text/csv).",
        ),
    ],
)
def test_parts_that_are_no_form_are_read_from_a_file(
    kind: str, schema: dict[str, Any], encodings: dict[str, Any], sent: str, parts: str
) -> None:
    """Only a body with the boundary that its type names can be read; a comment names its parts."""
    (named,) = samples_of(body_of({"required": ["meta", "file", "t"], **schema}, kind=kind, **encodings))

    content = f"body.txt holds the parts, each after a line {parts}"
    assert named.request.body == FileBody(media_type=sent, name="body.txt", content=content)
    assert named.request.notes == (content,)


@pytest.mark.parametrize(
    ("schema", "encoding", "part"),
    [
        ({}, {}, {"value": "file.bin", "is_file": True}),
        ({"type": "array", "items": {"description": "A file"}}, {}, {"value": "file.bin", "is_file": True}),
        ({"examples": ["x"]}, {}, {"value": "x"}),
        ({}, {"contentType": "text/plain"}, {"value": "{}", "media_type": "text/plain"}),
        (
            {"type": "object", "xml": {"name": "a"}, "properties": {"b": {"const": 1}}},
            {"contentType": "application/xml"},
            {
                "value": '<?xml version="1.0" encoding="UTF-8"?>\n<a>\n  <b>1</b>\n</a>',
                "media_type": "application/xml",
            },
        ),
    ],
)
def test_a_part_is_written_in_its_type(
    schema: dict[str, Any], encoding: dict[str, Any], part: dict[str, Any]
) -> None:
    """One of which the contract says nothing is bytes (OAS 3.1.1 §4.8.15.1.1)."""
    form = {"type": "object", "required": ["f"], "properties": {"f": schema}}
    (named, *_) = samples_of(body_of(form, kind="multipart/form-data", encoding={"f": encoding}))

    assert named.request.body == MultipartBody(parts=(MultipartPart(name="f", **part),))


FILE_FORM = {"type": "object", "required": ["f"], "properties": {"f": {"type": "string", "format": "binary"}}}
PARTS = '--x\r\nContent-Disposition: form-data; name="f"\r\n\r\na\r\n--x--\r\n'


@pytest.mark.parametrize("kind", ["multipart/form-data", "multipart/mixed"])
def test_an_example_that_is_written_as_parts_is_sent_with_its_boundary(kind: str) -> None:
    """Nobody can read it without."""
    (named,) = samples_of(body_of(FILE_FORM, kind=kind, example=PARTS))

    assert named.request.body == TextBody(media_type=f"{kind}; boundary=x", text=PARTS)


def test_a_form_whose_example_is_a_text_is_sent_as_a_form() -> None:
    """The example is that of its file, and is shown below the fields."""
    (named,) = samples_of(body_of(FILE_FORM, kind="multipart/form-data", example="<a/>"))

    assert named.request.body == MultipartBody(
        parts=(MultipartPart(name="f", value="file.bin", is_file=True),)
    )
    assert named.shown is None


def test_a_sample_of_all_fields_has_those_that_they_require() -> None:
    """A smaller object that nothing else is required in is no substitute for it."""
    schema = {
        "type": "object",
        "properties": {name: {"const": name} for name in ("card", "billing", "iban")},
        "dependentRequired": {"card": ["billing"]},
        "dependentSchemas": {"iban": {"required": ["bic"], "properties": {"bic": {"const": "bic"}}}},
    }

    _, every = samples_of(body_of(schema))

    assert isinstance(every.request.body, JsonBody)
    assert every.request.body.value == {name: name for name in ("card", "billing", "iban", "bic")}
    assert (every.summary, every.request.notes) == ("All fields", ())


def test_a_field_that_a_condition_does_not_allow_is_left_out() -> None:
    """It does not exclude other fields: their values do not allow it."""
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {name: {"const": name} for name in "abc"},
        "if": {"properties": {"a": {"const": "a"}}},
        "then": {"properties": {"c": False}},
    }

    _, every = samples_of(body_of(schema))

    assert every.request.body == JsonBody(media_type="application/json", value={"a": "a", "b": "b"})
    reason = "left out to keep this short, or because the values of other fields do not allow them"
    assert every.request.notes == (f"1 more field is {reason} (c). See the list of fields.",)


def test_fields_of_the_chosen_branch_are_looked_for() -> None:
    """Those of other branches are not missing; those of items are."""
    branches = [
        {"type": "object", "required": ["k"], "properties": {"k": {"const": name}, name: {"const": 1}}}
        for name in ("card", "iban")
    ]
    lines = {"type": "array", "items": {"$ref": "#/components/schemas/Line"}}
    line = {
        "type": "object",
        "required": ["n"],
        "properties": {"n": {"const": 1}, "lines": lines},
    }
    schema = {"type": "object", "properties": {"by": {"oneOf": branches}, "lines": lines}}
    document = {
        "openapi": "3.1.0",
        "paths": {"/a": {"post": {"operationId": "a", "responses": {}, **body_of(schema)}}},
        "components": {"schemas": {"Line": line}},
    }
    api = api_from(document)

    _, every = sample_requests(api, api.operations[0])

    assert every.request.body == JsonBody(
        media_type="application/json",
        value={"by": {"k": "card", "card": 1}, "lines": [{"n": 1, "lines": []}]},
    )
    assert (every.summary, every.request.notes) == ("All fields", ())


def test_a_long_problem_is_one_short_line() -> None:
    """It names two of many members, and counts the other problems."""
    names = [f"member_{number}" for number in range(12)]
    strict = {"type": "object", "additionalProperties": False, "properties": {"z": {"const": 1}}}
    other = {
        "type": "object",
        "additionalProperties": False,
        "required": ["z", *names],
        "properties": {"z": {}, **{name: {"const": 1} for name in names}},
    }

    (named,) = samples_of(body_of({"allOf": [strict, other]}))

    assert named.request.notes == (
        'Does not validate: "member_0", "member_1" and 10 more are not allowed in this object',
    )


def test_a_text_that_holds_json_fits_its_schema() -> None:
    """In its encoding too, and if only one of its members is allowed."""
    one_of_two = {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
    }
    text = {"type": "string", "contentMediaType": "application/json"}
    properties = {
        "any": text,
        "data": {**text, "contentSchema": one_of_two},
        "encoded": {**text, "contentSchema": {"const": [1]}, "contentEncoding": "base64"},
    }

    (named,) = samples_of(body_of({"type": "object", "required": [*properties], "properties": properties}))

    assert named.request.body == JsonBody(
        media_type="application/json", value={"any": "{}", "data": '{"a": 1}', "encoded": "WzFd"}
    )
