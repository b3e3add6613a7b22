"""Valid requests are written as the samples of the reference are."""

import json
from typing import Any

import pytest

from devportal.conformance.knowledge.requests.valid_request import example_request_values, valid_request
from tests.reference.reading import api_from


def query_and_headers(parameter: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """Return the query and the headers of a request with one parameter."""
    operation = {"parameters": [{"required": True, **parameter}], "responses": {}}
    api = api_from({"openapi": "3.2.0", "paths": {"/a": {"get": operation}}})
    request = valid_request(api, api.operations[0], "https://api.example.com")
    assert request is not None
    return request.url.partition("?")[2], dict(request.headers)


@pytest.mark.parametrize(
    ("media_type", "value", "query"),
    [
        ("application/json", {"n": [1, "é"]}, "%7B%22n%22%3A%5B1%2C%22%C3%A9%22%5D%7D"),
        ("application/x-www-form-urlencoded", {"a": "1 2", "b": "&"}, "a=1%202&b=%26"),
        ("text/plain", "p[0]=1&q=a+b", "p%5B0%5D=1&q=a%2Bb"),
    ],
)
def test_a_whole_query_is_written_in_its_media_type(media_type: str, value: Any, query: str) -> None:
    """`in: querystring` has one media type (OAS 3.2.0 §4.12.1)."""
    found, _ = query_and_headers(
        {"name": "q", "in": "querystring", "content": {media_type: {"example": value}}}
    )

    assert found == query


@pytest.mark.parametrize(
    ("rules", "value", "cookie"),
    [
        ({"style": "cookie"}, "Hello, world!", "color=Hello, world!"),
        ({}, "a; b=c", "color=a%3B%20b=c"),
        ({"explode": False}, ["blue", "b,c"], "color=blue,b%2Cc"),
        ({"content": {"application/json": {"example": {"a": 1}}}}, None, "color={%22a%22:%201}"),
    ],
)
def test_cookies_are_written_in_their_style(rules: dict[str, Any], value: Any, cookie: str) -> None:
    """What would end a cookie is percent-encoded, unless its style is `cookie`."""
    schema = {} if "content" in rules else {"schema": {}, "example": value}

    _, headers = query_and_headers({"name": "color", "in": "cookie", **schema, **rules})

    assert headers["Cookie"] == cookie


def test_bodies_name_existing_resources() -> None:
    """A member with the name of a path's parameter gets the identifier of an existing resource, however deep;
    a creation does not get that of another one.
    """
    known = {"/v1/crates/{crate_id}": "crt_1", "/v1/lids/{lid_id}": "7", "/v1/a/{id}": "1", "/v1/b/{id}": "2"}
    body = {"crate_id": "crt_9", "id": "x", "parts": [{"lidId": 3}], "label": "crt_9"}

    def request_body(path: str) -> Any:
        media_type = {"application/json": {"schema": {}, "example": body}}
        operation = {"requestBody": {"content": media_type}, "responses": {}}
        api = api_from({"openapi": "3.1.0", "paths": {path: {"post": operation}}})
        request = valid_request(api, api.operations[0], "https://api.example.com", known)
        assert request is not None
        return json.loads(request.body or b"")

    assert request_body("/v1/loads") == {
        "crate_id": "crt_1",
        "id": "x",
        "parts": [{"lidId": 7}],
        "label": "crt_9",
    }
    assert request_body("/v1/crates")["crate_id"] == "crt_9"


def test_bodies_name_existing_resources_in_lists_and_by_their_collections() -> None:
    """`tag_ids` has the identifier of a tag, and `author_id` and `ghostAuthorId` that of `/authors/{id}`, if the
    contract allows it, unless a role has a value of its own.
    """
    known = {
        "/tags/{tagId}": "t1",
        "/authors/{id}": "a1",
        "/categories/{id}": "c1",
        "editor_author_id": "a2",
        "label": "x",
    }
    schema = {"properties": {"author_id": {"type": "string"}, "category_id": {"pattern": "^x"}}}

    def request_body(body: dict[str, Any]) -> Any:
        media_type = {"application/json": {"schema": schema, "example": body}}
        operation = {"requestBody": {"content": media_type}, "responses": {}}
        api = api_from({"openapi": "3.1.0", "paths": {"/books": {"post": operation}}})
        request = valid_request(api, api.operations[0], "https://api.example.com", known)
        assert request is not None
        return json.loads(request.body or b"")

    roles = {
        "author_id": "a9",
        "ghostAuthorId": "a8",
        "editor_author_id": "a7",
        "authority_id": "x",
        "paid": "x",
    }
    assert request_body(roles) == {
        **roles,
        "author_id": "a1",
        "ghostAuthorId": "a1",
        "editor_author_id": "a2",
    }
    lists = {"tag_ids": ["t8", "t9"], "tags": ["t8"], "tagIds": []}
    assert request_body(lists) == {"tag_ids": ["t1"], "tags": ["t8"], "tagIds": []}
    assert request_body({"author_id": "a9", "id": "x"}) == {"author_id": "a1", "id": "x"}
    assert request_body({"category_id": "x9"}) == {"category_id": "x9"}


def test_relationships_name_existing_resources() -> None:
    """A resource identifier object of JSON:API has a type and an identifier; a resource has attributes too."""
    course, lesson = {"type": "courses", "id": "9"}, {"type": "lessons", "id": "9"}
    body = {"data": {**course, "attributes": {}, "relationships": {"course": {"data": [course, lesson]}}}}
    media_type = {"application/vnd.api+json": {"schema": {}, "example": body}}
    operation = {"requestBody": {"content": media_type}, "responses": {}}
    api = api_from({"openapi": "3.1.0", "paths": {"/enrolments": {"post": operation}}})

    request = valid_request(api, api.operations[0], "https://a.example", {"/courses/{courseId}": "7"})

    assert request is not None
    data = json.loads(request.body or b"")["data"]
    assert data["id"] == "9"
    assert data["relationships"]["course"]["data"] == [{"type": "courses", "id": "7"}, lesson]


def test_the_identifier_of_an_existing_resource_has_the_type_of_its_parameter() -> None:
    """Identifiers are read as texts. The request with one is valid if its schema takes numbers only."""

    def id_value(schema: dict[str, Any], text: str) -> Any:
        parameter = {"name": "id", "in": "path", "required": True, "schema": schema}
        api = api_from({"paths": {"/a/{id}": {"get": {"parameters": [parameter], "responses": {}}}}})
        values = next(example_request_values(api, api.operations[0], {"/a/{id}": text}))
        return values.parameters[0][1]

    assert id_value({"type": "integer"}, "71") == 71
    assert id_value({"allOf": [{"type": "integer"}, {"minimum": 1}]}, "71") == 71
    assert id_value({"type": "string"}, "71") == "71"
    assert id_value({"type": ["integer", "string"]}, "71") == "71"
    assert id_value({"type": "integer"}, "007") == "007"


def test_the_address_of_a_request_is_percent_encoded() -> None:
    """What the command that reproduces a failure sends is what the run has sent."""
    api = api_from({"paths": {"/bücher/ä b%20c#part": {"get": {"responses": {}}}}})

    request = valid_request(api, api.operations[0], "https://api.example.com")

    assert request is not None
    assert request.url == "https://api.example.com/b%C3%BCcher/%C3%A4%20b%20c"


@pytest.mark.parametrize(
    ("rules", "value"),
    [
        ({}, "*"),
        ({"example": '"33a64df5"'}, "*"),
        ({"example": 'W/"3"'}, "*"),
        ({"example": "3"}, "3"),
        ({"schema": {"type": "string", "pattern": '^"a+"$'}, "example": '"aa"'}, '"aa"'),
    ],
)
def test_a_change_needs_no_version(rules: dict[str, Any], value: str) -> None:
    """`If-Match: *` is true of whatever exists (RFC 9110 §13.1.1), and the tag of an example of no resource of a run:
    behind its 412, a wrong body would not be seen.
    """
    _, headers = query_and_headers(
        {"name": "if-match", "in": "header", "schema": {"type": "string"}, **rules}
    )

    assert headers["if-match"] == value


BOOKING = {
    "type": "object",
    "properties": {
        "starts_at": {"type": "string", "format": "date-time"},
        "ends_at": {"type": "string", "format": "date-time", "description": "Must be after `starts_at`."},
        "least": {"type": "integer", "minimum": 0, "maximum": 9},
        "most": {"type": "integer", "maximum": 9, "description": "Must be greater than `least`."},
        "guests": {"type": "array", "minItems": 2, "items": {"type": "string"}},
        "guest_count": {"type": "integer", "description": "The number of `guests`."},
    },
    "required": ["starts_at", "ends_at", "least", "most", "guests", "guest_count"],
}


def test_members_of_bodies_agree_as_their_descriptions_say() -> None:
    """A deployment may reject what is out of order, or does not add up, however valid it is by the schema."""
    media_type = {"application/json": {"schema": BOOKING}}
    operation = {"requestBody": {"content": media_type}, "responses": {}}
    api = api_from({"openapi": "3.1.0", "paths": {"/bookings": {"post": operation}}})
    request = valid_request(api, api.operations[0], "https://api.example.com")
    assert request is not None
    body = json.loads(request.body or b"")

    assert body["ends_at"] > body["starts_at"]
    assert 9 >= body["most"] > body["least"] >= 0
    assert body["guest_count"] == len(body["guests"])


@pytest.mark.parametrize("is_in_envelope", [False, True])
def test_bodies_keep_the_orders_that_only_an_operation_describes(*, is_in_envelope: bool) -> None:
    """“`until` must be after `start`”: the description of the operation is about the members of its body, or about
    those of the object in its envelope.
    """
    time = {"type": "string", "format": "date-time"}
    stay = {"type": "object", "required": ["start", "until"], "properties": {"start": time, "until": time}}
    envelope = {"type": "object", "required": ["stay"], "properties": {"stay": stay}}
    media_type = {"application/json": {"schema": envelope if is_in_envelope else stay}}
    operation = {
        "description": "Books a stay.\n\n`until` must be after `start`.",
        "requestBody": {"content": media_type},
        "responses": {},
    }
    api = api_from({"openapi": "3.1.0", "paths": {"/stays": {"post": operation}}})
    request = valid_request(api, api.operations[0], "https://api.example.com")
    assert request is not None
    body = json.loads(request.body or b"")

    sent = body["stay"] if is_in_envelope else body
    assert sent["until"] > sent["start"]
