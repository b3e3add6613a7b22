"""The requests that samples send, chosen from contracts."""

import sys
from typing import Any

import pytest

from devportal.reference.samples.parameter_values import MAX_VALUE_LENGTH, parameter_value
from devportal.reference.samples.request import (
    MAX_LENGTH,
    Basic,
    FileBody,
    FormBody,
    JsonBody,
    MultipartBody,
    MultipartPart,
    SampleRequest,
    Secret,
    TextBody,
)
from devportal.reference.samples.sample_requests import sample_requests
from tests.growth import counted_steps
from tests.reference.reading import api_from, api_of, operation


def first_request(name: str, operation_id: str) -> SampleRequest:
    """Return the first request of an operation of a rich contract."""
    api = api_of(name)
    return sample_requests(api, operation(api, operation_id))[0].request


def only_request(document: dict[str, Any], **operation_: Any) -> SampleRequest:
    """Return the request of the only operation of a contract: `POST /a` unless told otherwise."""
    paths = {"/a": {"post": {"responses": {"200": {"description": ""}}, **operation_}}}
    api = api_from({"paths": paths, **document})
    return sample_requests(api, api.operations[0])[0].request


def test_every_place_and_style_of_parameters() -> None:
    """Path, query in all styles, header and cookie parameters; no header that security owns."""
    sent = first_request("rich-3.0.yaml", "get-小包-番号")

    assert sent.url == "https://api.example.com/api/%E5%B0%8F%E5%8C%85/%E5%A3%B1%2F%E5%BC%90?list=a%20b,c"
    assert sent.query == (
        ("ids", ("1",)),
        ("ids", ("2",)),
        ("deep[a][b][]", ("1",)),
        ("deep[a][b][]", ("2",)),
        ("deep[c]", ("x",)),
        ("R", ("100",)),
        ("G", ("200",)),
        ("json", ('{"q": "é"}',)),
    )
    assert sent.headers == (("X-Ids", ("3,4",)), ("Cookie", ("sid=", Secret(), "; lang=ja")))


def test_form_body_with_basic_authentication() -> None:
    """A form of nested, repeated and joined fields."""
    sent = first_request("rich-3.0.yaml", "forms/nested")

    assert sent.basic == Basic()
    assert sent.body == FormBody(
        pairs=(
            ("name", "Ada & Co"),
            ("address[street]", "A 1"),
            ("address[lines][]", "x"),
            ("address[lines][]", "y"),
            ("address[rows][0][n]", "1"),
            ("tags", "a"),
            ("tags", "b"),
            ("csv", "a,b"),
            ("meta", '{"k": 1}'),
        )
    )


def test_multipart_body_knows_files_by_their_schema() -> None:
    """Binary properties are files, one part each; objects are JSON; an encoding names the media type."""
    body = first_request("rich-3.0.yaml", "forms_upload").body

    assert isinstance(body, MultipartBody)
    assert body.parts == (
        MultipartPart(name="title", value="Holiday"),
        MultipartPart(name="file", value="file.bin", is_file=True, media_type="image/png"),
        MultipartPart(name="photos", value="file.bin", is_file=True),
        MultipartPart(name="photos", value="file.bin", is_file=True),
        MultipartPart(name="meta", value='{"place": "Rome"}', media_type="application/json"),
    )


def test_part_has_the_first_type_that_can_be_sent() -> None:
    """A range is none: it says what a reader may choose from."""
    schema = {"type": "object", "properties": {"f": {"type": "string", "format": "binary"}}}
    media = {"schema": schema, "encoding": {"f": {"contentType": "image/*, application/pdf"}}}

    body = only_request({}, requestBody={"content": {"multipart/form-data": media}}).body

    assert isinstance(body, MultipartBody)
    assert [part.media_type for part in body.parts] == ["application/pdf"]


def test_binary_body_is_a_file() -> None:
    """Bytes do not stand in a sample."""
    body = first_request("rich-3.1.yaml", "putPhoto").body

    assert body == FileBody(media_type="image/png", name="file.bin")


LONG: dict[str, dict[str, Any]] = {
    "one text": {"k": "v" * (MAX_LENGTH + 1)},
    "many names": {f"k{number}": number for number in range(MAX_LENGTH // 4)},
}


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize(
    ("media_type", "file"),
    [
        ("application/json", "body.json"),
        ("application/xml", "body.txt"),
        ("application/x-www-form-urlencoded", "body.txt"),
    ],
)
@pytest.mark.parametrize("where", ["schema", "media type"])
def test_long_body_is_sent_from_a_file(name: str, media_type: str, file: str, where: str) -> None:
    """Wherever its example stands, and whatever makes it long."""
    example = {"example": LONG[name]}
    media = {"schema": example} if where == "schema" else {"schema": {"type": "object"}, **example}

    sent = only_request({}, requestBody={"content": {media_type: media}})

    assert sent.body == FileBody(media_type=media_type, name=file)


@pytest.mark.parametrize("name", LONG)
def test_long_multipart_body_is_short_in_a_sample(name: str) -> None:
    """No file holds such a body, so its long parts are files, and there are no more than fit."""
    schema = {"type": "object", "example": {"first": "x", **LONG[name]}}

    body = only_request({}, requestBody={"content": {"multipart/form-data": {"schema": schema}}}).body

    assert isinstance(body, MultipartBody)
    assert body.parts[0] == MultipartPart(name="first", value="x")
    assert body.parts[1].is_file is (name == "one text")
    assert sum(len(part.name) + len(part.value) for part in body.parts) <= MAX_LENGTH


def test_one_request_per_named_example() -> None:
    """Each example that stands in the contract has its own sample, with its key and summary."""
    media = {
        "examples": {"a": {"summary": "First", "value": 1}, "b": {"value": 2}, "c": {"externalValue": "x"}}
    }
    api = api_from(
        {
            "paths": {
                "/a": {"post": {"requestBody": {"content": {"application/json": media}}, "responses": {}}}
            }
        }
    )

    found = sample_requests(api, api.operations[0])

    assert [
        (named_request.name, named_request.summary, named_request.request.body) for named_request in found
    ] == [
        ("a", "First", JsonBody(media_type="application/json", value=1)),
        ("b", "", JsonBody(media_type="application/json", value=2)),
    ]


def test_example_that_is_too_long_is_sent_from_a_file() -> None:
    """Where no example fits on a page, the sample names a file; where some do, these are the samples."""
    long = {"value": "x" * (MAX_LENGTH + 1)}
    media = {"a": long, "b": {"value": "x" * 9}, "c": {"value": "x" * (MAX_LENGTH - 8)}}

    assert body_of({"application/json": {"examples": {"a": long}}}) == FileBody(
        media_type="application/json", name="body.json"
    )
    assert body_of({"text/csv": {"examples": {"a": long}}}) == FileBody(
        media_type="text/csv", name="body.txt"
    )
    assert body_of({"application/json": {"examples": media}}).value == "x" * 9


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("application/x-ndjson", [{"a": "é"}, 2], '{"a": "é"}\n2\n'),
        ("application/jsonl", {"a": 1}, '{"a": 1}\n'),
        ("application/x-ndjson", "{}\n", "{}\n"),
    ],
)
def test_lines_of_json_are_lines(kind: str, value: Any, text: str) -> None:
    """One value per line, not one list of all."""
    assert body_of({kind: {"example": value}}) == TextBody(media_type=kind, text=text)


ACCESS_TOKEN = Secret(variable="ACCESS_TOKEN")
SCHEMES = {
    "one": {"type": "apiKey", "in": "header", "name": "X-One"},
    "twoKeys": {"type": "apiKey", "in": "query", "name": "two"},
    "pass": {"type": "http", "scheme": "basic"},
    "cert": {"type": "mutualTLS"},
    "open": {"type": "openIdConnect", "openIdConnectUrl": "https://id.example"},
    "digest": {"type": "http", "scheme": "digest"},
    "implicit": {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "/auth", "scopes": {}}}},
    "code": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "/token", "scopes": {}}}},
    "jwt": {"type": "http", "scheme": "bearer", "bearerFormat": "jwt"},
    "opaque": {"type": "http", "scheme": "bearer"},
    "oneAgain": {"type": "apiKey", "in": "header", "name": "x-one"},
}


@pytest.mark.parametrize(
    ("security", "headers", "query", "basic"),
    [
        ([{}, {"one": []}], (("X-One", (Secret(),)),), (), None),
        ([{"cert": []}, {"pass": []}], (), (), Basic()),
        (
            [{"one": [], "pass": []}],
            (("X-One", (Secret(variable="ONE"),)),),
            (),
            Basic(username=Secret(variable="PASS_USERNAME"), password=Secret(variable="PASS_PASSWORD")),
        ),
        ([{"cert": [], "one": []}], (("X-One", (Secret(),)),), (), None),
        (
            [{"one": [], "twoKeys": []}],
            (("X-One", (Secret(variable="ONE"),)),),
            (("two", (Secret(variable="TWO_KEYS"),)),),
            None,
        ),
        ([{"open": ["a"]}], (("Authorization", ("Bearer ", ACCESS_TOKEN)),), (), None),
        ([{"implicit": [], "code": []}], (("Authorization", ("Bearer ", ACCESS_TOKEN)),), (), None),
        ([{"jwt": []}], (("Authorization", ("Bearer ", ACCESS_TOKEN)),), (), None),
        ([{"opaque": []}], (("Authorization", ("Bearer ", Secret())),), (), None),
        ([{"pass": [], "code": []}], (), (), Basic()),
        (
            [{"one": [], "implicit": [], "oneAgain": [], "code": []}],
            (
                ("X-One", (Secret(variable="ONE"),)),
                ("Authorization", ("Bearer ", Secret(variable="IMPLICIT"))),
            ),
            (),
            None,
        ),
        ([{"digest": []}], (), (), None),
        ([{"unknown": []}], (), (), None),
        ([{"cert": []}], (), (), None),
        ([], (), (), None),
    ],
)
def test_first_alternative_that_a_request_can_carry(
    security: list[Any], headers: Any, query: Any, basic: Basic | None
) -> None:
    """Schemes that apply together are all there, each with its own variable, but one for each header; a certificate is
    no header.
    """
    sent = only_request({"components": {"securitySchemes": SCHEMES}}, security=security)

    assert (sent.headers, sent.query, sent.basic) == (headers, query, basic)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://a.example/v1/", "https://a.example/v1/a"),
        ("/v2", "https://api.example.com/v2/a"),
        ("v2", "https://api.example.com/v2/a"),
        ("/", "https://api.example.com/a"),
        ("https://a.example/50%/%7E", "https://a.example/50%25/%7E/a"),
        ("https://{unknown}.example", "https://unknown.example/a"),
        ("https://a.example/日本 x", "https://a.example/%E6%97%A5%E6%9C%AC%20x/a"),
        ("https://日本.example:8443/日本", "https://xn--wgv71a.example:8443/%E6%97%A5%E6%9C%AC/a"),
        ("http://Bücher.example", "http://xn--bcher-kva.example/a"),
    ],
)
def test_address_of_any_server(url: str, address: str) -> None:
    """Relative addresses, variables that nobody declared and characters beyond ASCII give a valid one."""
    assert only_request({"servers": [{"url": url}]}).url == address


def test_address_without_server() -> None:
    """A contract may name no server."""
    assert only_request({}).url == "https://api.example.com/a"


def test_placeholder_without_parameter_becomes_its_name() -> None:
    """A brace in an address would be a pattern for curl."""
    api = api_from({"paths": {"/a/{b c}/{d}": {"get": {"parameters": [PATH_D], "responses": {}}}}})

    assert (
        sample_requests(api, api.operations[0])[0].request.url
        == "https://api.example.com/a/b%20c/%7Bb%20c%7D"
    )


PATH_D = {"name": "d", "in": "path", "required": True, "schema": {"type": "string"}, "example": "{b c}"}


def body_of(media: dict[str, Any], **operation_: Any) -> Any:
    """Return the body of a sample for a request body's content."""
    return only_request({}, requestBody={"content": media}, **operation_).body


@pytest.mark.parametrize(
    ("content", "body"),
    [
        (
            {"text/xml": {"example": "<a/>"}, "application/json": {"example": 1}},
            JsonBody(media_type="application/json", value=1),
        ),
        ({"text/plain": {"example": "a"}}, TextBody(media_type="text/plain", text="a")),
        ({"*/*": {"example": {"a": 1}}}, JsonBody(media_type="application/json", value={"a": 1})),
        ({"image/*": {}}, FileBody(media_type="application/octet-stream", name="file.bin")),
        ({"text/*": {"example": "a"}}, TextBody(media_type="text/plain", text="a")),
        ({"text/csv": {"example": "a,b"}}, TextBody(media_type="text/csv", text="a,b")),
        ({"text/csv": {"example": [{"a": 1}]}}, TextBody(media_type="text/csv", text="a\n1\n")),
        ({"text/plain": {"example": {"a": 1}}}, TextBody(media_type="text/plain", text='{"a": 1}')),
        ({"application/x-www-form-urlencoded": {"schema": {"type": "object"}}}, None),
        ({"multipart/form-data": {"schema": {"type": "object"}}}, None),
        (
            {"application/x-www-form-urlencoded": {"example": "a=1"}},
            TextBody(media_type="application/x-www-form-urlencoded", text="a=1"),
        ),
        ({"application/json": {}}, JsonBody(media_type="application/json", value="")),
        (
            {"application/jsonl": {"example": "1"}, "Application/JSON; a=b": {"example": 1}},
            JsonBody(media_type="Application/JSON; a=b", value=1),
        ),
        (
            {"application/x-ndjson": {"example": '{"a": 1}\n'}},
            TextBody(media_type="application/x-ndjson", text='{"a": 1}\n'),
        ),
    ],
)
def test_body_by_media_type(content: dict[str, Any], body: Any) -> None:
    """JSON where there is some, a media type that can be sent where only a range is given, no empty forms."""
    assert body_of(content) == body


def test_get_has_no_body() -> None:
    """Clients refuse to send one, and servers to read it (RFC 9110 §9.3.1)."""
    paths = {
        "/a": {"get": {"requestBody": {"content": {"application/json": {"example": 1}}}, "responses": {}}}
    }
    api = api_from({"paths": paths})

    assert sample_requests(api, api.operations[0])[0].request.body is None


@pytest.mark.parametrize(
    ("rules", "query"),
    [
        ({"schema": {"type": "string"}}, ()),
        ({"schema": {"type": "string", "default": "a", "enum": ["a", "b"]}}, ()),
        ({"schema": {"type": "string"}, "example": "a"}, (("q", ("a",)),)),
        ({"schema": {"type": "string", "example": "a"}}, (("q", ("a",)),)),
        ({"schema": {"type": "array", "items": {"type": "string", "example": "a"}}}, (("q", ("a",)),)),
        ({"content": {"application/json": {"example": [1]}}}, (("q", ("[1]",)),)),
        ({"schema": {"type": "string"}, "example": "a", "deprecated": True}, ()),
        ({"schema": {"type": "string"}, "examples": {"x": {"externalValue": "https://a.example"}}}, ()),
    ],
)
def test_an_optional_parameter_is_sent_if_it_has_an_example(rules: dict[str, Any], query: Any) -> None:
    """A sample has what must be sent, and what the contract gives an example for."""
    parameters = [{"name": "q", "in": "query", **rules}]

    assert only_request({}, parameters=parameters).query == query


@pytest.mark.parametrize("name", ["cursor", "page_token", "starting_after"])
def test_an_optional_value_of_an_earlier_response_is_not_sent(name: str) -> None:
    """The example of a cursor points to nothing: a sample with it gets an error. A required one is sent."""
    parameter = {"name": name, "in": "query", "schema": {"type": "string"}, "example": "a"}

    assert only_request({}, parameters=[parameter]).query == ()
    assert only_request({}, parameters=[{**parameter, "required": True}]).query == ((name, ("a",)),)


def test_an_optional_idempotency_key_is_not_sent() -> None:
    """It must be new for each request: a second sample with the same key would be rejected."""
    key = {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string", "example": "a"}}

    assert only_request({}, parameters=[key]).headers == ()


def test_samples_of_every_operation_are_made() -> None:
    """The rich contracts have a request for each operation."""
    made = [
        item
        for name in ("rich-3.0.yaml", "rich-3.1.yaml")
        for item in api_of(name).operations
        if sample_requests(api_of(name), item)
    ]

    assert len(made) == 8


def requests_of(content: dict[str, Any], **components: Any) -> list[tuple[str, str, Any]]:
    """Return media type, name and body of each sample of `POST /a`."""
    paths = {"/a": {"post": {"requestBody": {"content": content}, "responses": {}}}}
    api = api_from({"paths": paths, "components": {"schemas": components}})
    made = sample_requests(api, api.operations[0])
    return [
        (named_request.media_type, named_request.name, named_request.request.body) for named_request in made
    ]


def test_each_of_several_media_types_has_samples() -> None:
    """JSON first, then the form, each with its own examples, or one body made from the schema."""
    schema = {"type": "object", "properties": {"a": {"type": "string", "example": "x"}}}
    content = {
        "application/x-www-form-urlencoded": {"schema": schema},
        "application/json": {"schema": schema, "examples": {"one": {"value": {"a": 1}}}},
    }

    assert requests_of(content) == [
        ("application/json", "one", JsonBody(media_type="application/json", value={"a": 1})),
        ("application/x-www-form-urlencoded", "", FormBody(pairs=(("a", "x"),))),
    ]


def test_a_media_type_in_which_nothing_is_sent_has_no_samples() -> None:
    """Not beside another one: what is not described, and what is behind a broken reference."""
    content = {
        "application/json": {"example": 1},
        "text/plain": {},
        "application/xml": {"schema": {"$ref": "#/components/schemas/Lost"}},
    }

    assert [name for name, *_ in requests_of(content)] == ["application/json"]


def test_an_example_of_bytes_is_not_shown_whole() -> None:
    """A sample sends a file in their place, so the example stands with the fields as well."""
    binary = {"type": "string", "format": "binary"}
    form = {"schema": {"type": "object", "properties": {"file": binary}}}
    content = {
        "multipart/form-data": {
            **form,
            "examples": {"a": {"value": {"file": "x"}}, "b": {"value": {"c": "x"}}},
        },
        "image/png": {"schema": binary, "example": "x"},
    }
    paths = {"/a": {"post": {"requestBody": {"content": content}, "responses": {}}}}
    api = api_from({"openapi": "3.0.3", "paths": paths})

    found = [
        (sample_request.media_type, sample_request.shown and sample_request.shown.name)
        for sample_request in sample_requests(api, api.operations[0])
    ]

    assert found == [("multipart/form-data", None), ("multipart/form-data", "b"), ("image/png", None)]


def requests_with(parameter: dict[str, Any]) -> SampleRequest:
    """Return the request of `GET /{p}` with a parameter."""
    paths = {"/{p}": {"get": {"parameters": [{**parameter, "schema": {}}], "responses": {}}}}
    api = api_from({"paths": paths})
    return sample_requests(api, api.operations[0])[0].request


@pytest.mark.parametrize("place", ["query", "path", "header"])
def test_a_long_value_of_a_parameter_is_named(place: str) -> None:
    """A sample holds no value that no server would take in an address; one that fits stays whole."""
    fits, long = "x" * MAX_VALUE_LENGTH, "x" * (MAX_VALUE_LENGTH + 1)
    made = [
        requests_with({"name": "p", "in": place, "required": True, "example": value})
        for value in (fits, long)
    ]

    assert [fits in repr(sample_request) for sample_request in made] == [True, False]
    assert made[1].url.endswith("/p")
    assert place == "path" or ("p", ("p",)) in (*made[1].query, *made[1].headers)


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"type": "string"}, "/a/REPO_NAME"),
        ({}, "/a/REPO_NAME"),
        ({"type": "string", "minLength": 10}, "/a/stringstri"),
        ({"type": "string", "maxLength": 6}, "/a/string"),
        ({"type": "string", "pattern": "^[a-z]+$"}, "/a/string"),
        ({"type": "string", "example": "string"}, "/a/string"),
        ({"type": "string", "enum": ["x"]}, "/a/x"),
        ({"type": "integer"}, "/a/1"),
    ],
)
def test_a_path_of_any_texts_has_the_names_of_its_parameters(schema: dict[str, Any], path: str) -> None:
    """What may be any text is called by its name, so that it is seen what stands where."""
    parameter = {"name": "repo-name", "in": "path", "required": True, "schema": schema}
    api = api_from({"paths": {"/a/{repo-name}": {"get": {"parameters": [parameter], "responses": {}}}}})
    (sent,) = sample_requests(api, api.operations[0])

    assert sent.request.url == f"https://api.example.com{path}"


@pytest.mark.parametrize(
    ("name", "shown"),
    [("ConsentId", "CONSENT_ID"), ("anAPIKey", "AN_API_KEY"), ("v2Name", "V2_NAME"), ("übung", "%C3%9CBUNG")],
)
def test_words_of_a_name_in_a_path_are_apart(name: str, shown: str) -> None:
    """`CONSENTID` is hard to read."""
    parameter = {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
    api = api_from({"paths": {f"/{{{name}}}": {"get": {"parameters": [parameter], "responses": {}}}}})
    (sent,) = sample_requests(api, api.operations[0])

    assert sent.request.url == f"https://api.example.com/{shown}"


@pytest.mark.parametrize("schema", [{}, {"nullable": True}, {"description": "Any."}])
def test_a_required_parameter_of_any_value_is_sent(schema: dict[str, Any]) -> None:
    """Anything may stand there, but it has to stand there."""
    parameter = {"name": "x", "in": "query", "required": True, "schema": schema}

    assert only_request({}, parameters=[parameter]).query == (("x", ("string",)),)


def test_a_path_without_a_slash_gets_one() -> None:
    """It would run into the host otherwise."""
    api = api_from({"paths": {"pets": {"get": {"responses": {}}}}})

    assert sample_requests(api, api.operations[0])[0].request.url == "https://api.example.com/pets"


def test_a_path_is_sent_without_its_fragment() -> None:
    """The query would be a part of it, and no request sends a fragment."""
    version = {"name": "Version", "in": "query", "required": True, "schema": {"enum": ["1"]}}
    api = api_from({"paths": {"/{a}#Action={b}": {"get": {"parameters": [version], "responses": {}}}}})
    (sample,) = sample_requests(api, api.operations[0])

    assert "".join(map(str, sample.request.full_url)) == "https://api.example.com/a?Version=1"


@pytest.mark.parametrize(
    ("style", "value", "query"),
    [
        ("form", ["a", "b,c"], "x=a,b%2Cc"),
        ("form", {"a": 1, "b": "c d"}, "x=a,1,b,c%20d"),
        ("spaceDelimited", ["a", "b"], "x=a%20b"),
        ("pipeDelimited", ["a", "b"], "x=a%7Cb"),
    ],
)
def test_delimiters_are_not_encoded_like_values(style: str, value: Any, query: str) -> None:
    """A client that encodes values would encode them, too, so they are part of the address."""
    parameter = {"name": "x", "in": "query", "required": True, "style": style, "explode": False, "schema": {}}
    sent = only_request({}, parameters=[{**parameter, "example": value}])

    assert (sent.url, sent.query) == (f"https://api.example.com/a?{query}", ())


def test_numbers_that_json_cannot_hold_are_changed() -> None:
    """`Infinity` and `NaN` are no JSON, and no language reads them from there."""
    example = {"a": float("inf"), "b": [float("-inf"), float("nan"), 1.5]}
    sent = only_request({}, requestBody={"content": {"application/json": {"example": example}}})

    assert sent.body == JsonBody(
        media_type="application/json",
        value={"a": sys.float_info.max, "b": [-sys.float_info.max, None, 1.5]},
    )


def test_what_cannot_be_made_is_a_placeholder() -> None:
    """The rest of the body stays, and a comment names what a reader has to replace."""
    never = {
        "type": "object",
        "required": ["me"],
        "properties": {"me": {"$ref": "#/components/schemas/Never"}},
    }
    schema = {"$ref": "#/components/schemas/Never"}
    parameter = {"name": "x", "in": "query", "required": True, "schema": schema}
    content = {"application/json": {"schema": schema}}
    document = {"components": {"schemas": {"Never": never}}}
    sent = only_request(document, parameters=[parameter], requestBody={"content": content})

    assert sent.body == JsonBody(media_type="application/json", value={"me": "<me>"})
    assert sent.notes[-1] == "Replace <me> at /me: the schema requires itself without end."


def test_a_sequence_of_json_has_separators() -> None:
    """Each text of a sequence begins with a record separator (RFC 7464 §2.2)."""
    sent = only_request({}, requestBody={"content": {"application/json-seq": {"example": [{"a": 1}, 2]}}})

    assert sent.body == TextBody(media_type="application/json-seq", text='\x1e{"a": 1}\n\x1e2\n')


@pytest.mark.parametrize(
    ("security", "has_certificate"),
    [
        ([{"m": []}], True),
        ([{"m": [], "key": []}], True),
        ([{"m": []}, {"key": []}], False),
        ([{"m": []}, {}], False),
        ([{"key": []}], False),
        ([], False),
    ],
)
def test_a_certificate_is_shown_where_there_is_no_way_without(
    security: Any, *, has_certificate: bool
) -> None:
    """Together with a key, or alone where it is the only credential."""
    schemes = {"m": {"type": "mutualTLS"}, "key": {"type": "apiKey", "in": "header", "name": "K"}}
    sent = only_request({"openapi": "3.1.0", "components": {"securitySchemes": schemes}}, security=security)

    assert sent.has_certificate is has_certificate


@pytest.mark.parametrize(
    ("security", "headers", "missing"),
    [
        ([{"digest": []}, {"key": []}], (("K", (Secret(),)),), ""),
        ([{"digest": []}, {}], (), ""),
        ([{"digest": [], "key": []}, {"key": []}], (("K", (Secret(),)),), ""),
        ([{"digest": []}], (), "Digest"),
        ([{"digest": [], "key": []}], (("K", (Secret(variable="KEY"),)),), "Digest"),
        ([{"digest": [], "hoba": []}], (), "Digest and Hoba"),
    ],
)
def test_a_computed_credential_is_avoided_or_named(security: Any, headers: Any, missing: str) -> None:
    """A later alternative that a request can carry wins; without one the sample says what it lacks."""
    schemes = {
        "digest": {"type": "http", "scheme": "digest"},
        "hoba": {"type": "http", "scheme": "hoba"},
        "key": {"type": "apiKey", "in": "header", "name": "K"},
    }
    sent = only_request({"components": {"securitySchemes": schemes}}, security=security)

    assert sent.headers == headers
    assert sent.missing_credential.startswith(f"This request has no {missing} credential" if missing else "")
    assert bool(sent.missing_credential) is bool(missing)


def test_a_text_with_nul_is_sent_from_a_file() -> None:
    """No shell can write it."""
    example = {"text": "a\0b", "json": {"a": "a\0b"}}

    text = only_request({}, requestBody={"content": {"text/plain": {"example": example["text"]}}}).body
    parts = only_request({}, requestBody={"content": {"multipart/form-data": {"example": example}}}).body

    assert text == FileBody(media_type="text/plain", name="file.bin")
    assert isinstance(parts, MultipartBody)
    assert parts.parts == (
        MultipartPart(name="text", value="file.bin", is_file=True),
        MultipartPart(name="json", value='{"a": "a\\u0000b"}', media_type="application/json"),
    )


def test_value_of_a_parameter_is_made_once() -> None:
    """The address, the query, the console and the collection of an operation ask for it, each for itself."""
    schema = {"type": "array", "items": {"type": "string", "pattern": "^[a-z]{3}-[0-9]{4}$"}, "minItems": 3}
    parameter = {"name": "codes", "in": "query", "required": True, "schema": schema}
    api = api_from(
        {"paths": {"/a": {"get": {"parameters": [parameter], "responses": {"200": {"description": ""}}}}}}
    )

    with counted_steps() as first:
        value = parameter_value(api, api.operations[0].parameters[0])
    with counted_steps() as second:
        same = parameter_value(api, api.operations[0].parameters[0])

    assert same is value
    assert second.count < first.count / 10
