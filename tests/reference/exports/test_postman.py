"""The Postman collection: by the format's rules, a request per operation, and no secret in it."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import jsonschema_rs
import pytest

from devportal.contract import Api, load_contract
from devportal.contract.validate.header_values import is_field_value, is_token
from devportal.reference.exports.postman import EarlierCollection, postman_collection
from tests.contracts import own_contract
from tests.corpus import corpus_contract, each_contract
from tests.reference.reading import CONTRACTS, api_from, api_of
from tests.reference.samples.echo import echo
from tests.reference.unsendable import UNSENDABLE, unsendable
from tests.waiting import PATIENCE_S

FORMAT = jsonschema_rs.validator_for(
    json.loads((Path(__file__).parent / "collection.schema.json").read_text(encoding="utf-8"))
)
OURS = Path(__file__).parents[3] / "openapi" / "openapi.yaml"
NAMES = sorted(path.name for path in CONTRACTS.glob("*.yaml"))


def items(collection: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all requests of a collection."""
    return [item for folder in collection["item"] for item in folder["item"]]


def check(api: Api) -> dict[str, Any]:
    """Return the collection of an API, which must be by the rules of the format and whole."""
    made = postman_collection(api)
    assert [error.message for error in FORMAT.iter_errors(made)] == []
    ids = [item["id"] for item in (*made["item"], *items(made))]
    assert len(set(ids)) == len(ids)
    assert len(items(made)) == len(api.operations)
    declared = {item["key"] for item in made["variable"]}
    assert set(variables_of(made)) <= declared
    return made


def variables_of(made: dict[str, Any]) -> Iterator[str]:
    """Yield the names of the variables that addresses and credentials name."""
    for item in items(made):
        request = item["request"]
        texts = [request["url"]["raw"], json.dumps(request.get("auth", {}))]
        texts += [item["value"] for item in request["header"] if item["key"] in ("Cookie", "Authorization")]
        for text in texts:
            yield from re.findall(r"\{\{([^{}]+)\}\}", text)
    yield from re.findall(r"\{\{([^{}]+)\}\}", json.dumps(made["auth"]))


def only_request(document: dict[str, Any]) -> dict[str, Any]:
    """Return the only request of a contract with one path `/a`, given its operation and the rest."""
    return items(check(api_from(document)))[0]


def operation(text: str = "get", **fields: Any) -> dict[str, Any]:
    """Return a contract with one operation of these fields."""
    rest: dict[str, Any] = {
        key: fields.pop(key) for key in ("components", "servers", "security") if key in fields
    }
    path = fields.pop("path", "/a")
    return {"paths": {path: {text: {"responses": {"200": {"description": "OK"}}, **fields}}}, **rest}


@pytest.mark.parametrize("name", NAMES)
def test_the_format_is_kept(name: str) -> None:
    """For contracts with all that a contract can have."""
    check(api_of(name))


@pytest.mark.corpus
@each_contract
def test_contracts_of_others(name: str) -> None:
    """Each operation has a request, by the format's rules."""
    check(corpus_contract(name).api)


def test_the_same_contract_gives_the_same_collection() -> None:
    """Ids are made of names: a new version of the contract updates the collection."""
    api = own_contract().api

    assert json.dumps(postman_collection(api)) == json.dumps(postman_collection(load_contract(OURS).api))


def test_our_own_operation() -> None:
    """Address, example, saved answers with their requests."""
    item = items(check(own_contract().api))[0]

    assert item["name"] == "Send a message"
    assert item["request"]["url"]["raw"] == "{{baseUrl}}/v1/messages"
    assert json.loads(item["request"]["body"]["raw"])["channel"] == "sms"
    assert {value["code"] for value in item["response"]} >= {202, 401, 422}
    assert item["response"][0]["originalRequest"]["body"] == item["request"]["body"]


def test_operations_of_a_shared_path_item_are_requests_each() -> None:
    """In the folder of their group, once."""
    shared = {"$ref": "#/components/pathItems/P"}
    item = operation()["paths"]["/a"]

    made = check(api_from({"paths": {"/a": shared, "/b": shared}, "components": {"pathItems": {"P": item}}}))

    assert [(folder["name"], len(folder["item"])) for folder in made["item"]] == [("A", 1), ("B", 1)]


def test_parameters_of_all_places() -> None:
    """Path, query, header and cookie, described; what need not be sent is there and turned off."""
    schema = {"type": "string"}
    parameters = [
        {"name": "id", "in": "path", "required": True, "schema": {**schema, "example": "a/b"}},
        {"name": "q", "in": "query", "required": True, "schema": {**schema, "example": "x"}},
        {"name": "n", "in": "query", "description": "How many", "schema": {"type": "integer", "default": 3}},
        {"name": "given", "in": "query", "schema": {**schema, "example": "g"}},
        {"name": "X-A", "in": "header", "schema": {**schema, "enum": ["h"]}},
        {"name": "c", "in": "cookie", "required": True, "schema": {**schema, "example": "k"}},
    ]

    request = only_request(operation(path="/a/{id}/b", parameters=parameters))["request"]

    assert request["url"]["raw"] == "{{baseUrl}}/a/:id/b?q=x&given=g"
    assert request["url"]["variable"] == [{"key": "id", "value": "a%2Fb"}]
    assert request["url"]["query"] == [
        {"key": "q", "value": "x"},
        {"key": "n", "value": "3", "description": "How many", "disabled": True},
        {"key": "given", "value": "g"},
    ]
    assert request["header"] == [
        {"key": "X-A", "value": "h", "disabled": True},
        {"key": "Cookie", "value": "c=k"},
    ]


def test_a_placeholder_within_a_segment_is_a_variable_of_the_collection() -> None:
    """Postman's path variables are whole segments."""
    parameters = [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer", "example": 7}}]

    made = check(api_from(operation(path="/a/{id}.json", parameters=parameters)))

    assert items(made)[0]["request"]["url"]["path"] == ["a", "{{get-a-id-json_id}}.json"]
    assert {"key": "get-a-id-json_id", "value": "7", "type": "string"} in made["variable"]


def test_a_fragment_is_no_part_of_an_address() -> None:
    """The query would be a part of it."""
    query = [{"name": "v", "in": "query", "required": True, "schema": {"enum": ["1"]}}]
    url = only_request(operation(path="/a#Action={b}", parameters=query))["request"]["url"]

    assert url == {
        "raw": "{{baseUrl}}/a?v=1", "host": ["{{baseUrl}}"], "path": ["a"], "query": [{"key": "v", "value": "1"}],
    }  # fmt: skip


BODIES = [
    (
        "application/json",
        {"a": 1},
        {"mode": "raw", "raw": '{\n  "a": 1\n}', "options": {"raw": {"language": "json"}}},
    ),
    ("text/plain", "hi", {"mode": "raw", "raw": "hi", "options": {"raw": {"language": "text"}}}),
    ("application/xml", "<a/>", {"mode": "raw", "raw": "<a/>", "options": {"raw": {"language": "xml"}}}),
    (
        "application/x-www-form-urlencoded",
        {"a": "x y", "b": [1, 2]},
        {
            "mode": "urlencoded",
            "urlencoded": [
                {"key": "a", "value": "x y"}, {"key": "b", "value": "1"}, {"key": "b", "value": "2"},
            ],
        },
    ),
    (
        "multipart/form-data",
        {"a": {"b": 1}, "file": "…"},
        {
            "mode": "formdata",
            "formdata": [
                {"key": "a", "type": "text", "contentType": "application/json", "value": '{"b": 1}'},
                {"key": "file", "type": "file", "contentType": "image/png", "src": None},
            ],
        },
    ),
    ("image/png", "…", {"mode": "file", "file": {"src": None}}),
]  # fmt: skip


@pytest.mark.parametrize(("media_type", "value", "expected"), BODIES, ids=[body[0] for body in BODIES])
def test_bodies(media_type: str, value: Any, expected: dict[str, Any]) -> None:
    """Each kind of body in the mode that Postman has for it."""
    schema = {"type": "object", "properties": {"file": {"type": "string", "contentMediaType": "image/png"}}}
    content = {media_type: {"schema": schema if "form" in media_type else {}, "example": value}}

    request = only_request(operation("post", requestBody={"content": content}))["request"]

    assert request["body"] == expected
    typed = [item["value"] for item in request["header"] if item["key"] == "Content-Type"]
    assert typed == ([] if "form" in media_type else [media_type])


SCHEMES: list[tuple[dict[str, Any], str, dict[str, str]]] = [
    ({"type": "http", "scheme": "bearer"}, "bearer", {"token": "{{s}}"}),
    (
        {"type": "http", "scheme": "Basic"},
        "basic",
        {"username": "{{sUsername}}", "password": "{{sPassword}}"},
    ),
    ({"type": "apiKey", "in": "query", "name": "k"}, "apikey", {"key": "k", "value": "{{s}}", "in": "query"}),
    (
        {"type": "apiKey", "in": "header", "name": "Authorization", "description": "As `Key {id}`"},
        "apikey",
        {"key": "Authorization", "value": "Key {{s}}", "in": "header"},
    ),
    (
        {"type": "http", "scheme": "vendor"},
        "apikey",
        {"key": "Authorization", "value": "Vendor {{s}}", "in": "header"},
    ),
    (
        {
            "type": "oauth2",
            "flows": {
                "clientCredentials": {"tokenUrl": "https://id.example/t", "scopes": {"a": "", "b": ""}}
            },
        },
        "oauth2",
        {
            "accessToken": "{{s}}",
            "addTokenTo": "header",
            "grant_type": "client_credentials",
            "clientId": "{{sClientId}}",
            "clientSecret": "{{sClientSecret}}",
            "accessTokenUrl": "https://id.example/t",
            "scope": "a b",
        },
    ),
    ({"type": "openIdConnect", "openIdConnectUrl": "https://id.example"}, "bearer", {"token": "{{s}}"}),
]


@pytest.mark.parametrize(("scheme", "kind", "pairs"), SCHEMES, ids=lambda item: str(item)[:30])
def test_credentials_are_variables(scheme: dict[str, Any], kind: str, pairs: dict[str, str]) -> None:
    """Each scheme has the helper that Postman has for it; the variables it names are empty."""
    document = operation(security=[{"s": []}], components={"securitySchemes": {"s": scheme}})

    made = check(api_from(document))

    assert made["auth"]["type"] == kind
    assert {item["key"]: item["value"] for item in made["auth"][kind]} == pairs
    assert {item["value"] for item in made["variable"] if item["key"].startswith("s")} == {""}
    assert "auth" not in items(made)[0]["request"]


def test_operations_with_other_credentials_say_so() -> None:
    """What most operations need stands at the collection; the others have their own, or none."""
    answers = {"responses": {"200": {"description": "OK"}}}
    schemes = {
        "a": {"type": "http", "scheme": "bearer"},
        "b": {"type": "apiKey", "in": "cookie", "name": "sid"},
    }
    paths = {
        "/1": {"get": answers},
        "/2": {"get": answers},
        "/3": {"get": {**answers, "security": []}},
        "/4": {"get": {**answers, "security": [{"b": [], "a": []}]}},
    }

    made = check(
        api_from({"paths": paths, "security": [{"a": []}], "components": {"securitySchemes": schemes}})
    )

    found = [item["request"] for item in items(made)]
    assert made["auth"]["type"] == "bearer"
    assert ["auth" in item for item in found] == [False, False, True, False]
    assert found[2]["auth"] == {"type": "noauth"}
    assert found[3]["header"] == [{"key": "Cookie", "value": "sid={{b}}"}]


def test_two_flows_of_one_header_are_sent_once() -> None:
    """Schemes that an alternative requires together and that use the same header have one token."""
    flows = {"clientCredentials": {"tokenUrl": "https://id.example/t", "scopes": {}}}
    document = operation(
        security=[{"a": [], "b": []}],
        components={"securitySchemes": {name: {"type": "oauth2", "flows": flows} for name in ("a", "b")}},
    )

    made = check(api_from(document))

    assert made["auth"]["type"] == "oauth2"
    assert items(made)[0]["request"]["header"] == []
    assert {item["key"] for item in made["variable"]} == {"baseUrl", "a", "aClientId", "aClientSecret"}


def test_servers_with_variables_and_of_operations() -> None:
    """Each address that requests go to is a variable; those of servers have their defaults."""
    server = {
        "url": "https://{region}.example/{v}/",
        "variables": {"region": {"default": "eu", "enum": ["eu", "us"]}, "v": {"default": "v1"}},
    }
    document = operation(servers=[server])
    document["paths"]["/b"] = {"get": {**document["paths"]["/a"]["get"], "servers": [{"url": "/other"}]}}

    made = check(api_from(document))

    values = {item["key"]: item["value"] for item in made["variable"]}
    assert values == {
        "baseUrl": "https://{{region}}.example/{{v}}",
        "baseUrl2": "/other",
        "region": "eu",
        "v": "v1",
    }
    assert [item["request"]["url"]["host"] for item in items(made)] == [["{{baseUrl}}"], ["{{baseUrl2}}"]]


@pytest.mark.parametrize(
    ("servers", "value", "is_asked"),
    [
        ([], "", True),
        ([{"url": "/v2/"}], "/v2", True),
        ([{"url": "//x.example/v2"}], "https://x.example/v2", False),
        ([{"url": "https://x.example"}], "https://x.example", False),
        (
            [{"url": "{host}/v2", "variables": {"host": {"default": "https://x.example"}}}],
            "{{host}}/v2",
            False,
        ),
    ],
)
def test_no_host_is_made_up(servers: list[Any], value: str, is_asked: bool) -> None:  # noqa: FBT001
    """Where the contract names none, the variable says that readers have to."""
    made = check(api_from(operation(servers=servers)))

    base = made["variable"][0]
    assert (base["key"], base["value"]) == ("baseUrl", value)
    assert ("names no host" in base.get("description", "")) == is_asked


@pytest.mark.parametrize("media_type", ["text/csv", "application/jsonl"])
def test_text_of_an_answer_is_as_it_is_sent(media_type: str) -> None:
    """A text in a media type that is not JSON has no quotes or escapes of JSON."""
    text = '{"a": 1}\n{"a": 2}'
    responses = {"200": {"description": "OK", "content": {media_type: {"example": text}}}}

    answers = only_request(operation(responses=responses))["response"]

    assert [answer["body"] for answer in answers] == [text]


def test_answers_of_ranges_have_the_code_that_starts_the_range() -> None:
    """`4XX` is shown as 400; the default answer has no code."""
    content = {"application/json": {"example": {"a": 1}}}
    responses = {
        "4XX": {"description": "No", "content": content},
        "default": {"description": "Else", "content": content},
    }

    answers = only_request(operation(responses=responses))["response"]

    assert [(answer["name"], answer.get("code"), answer.get("status")) for answer in answers] == [
        ("No", 400, "Bad Request"),
        ("Else", None, None),
    ]


def test_an_address_has_no_control_character() -> None:
    """The value of a server's variable is percent-encoded where no address could hold it."""
    variables = {"region": {"default": "eu\r\nX-Evil: 1"}}
    made = postman_collection(
        api_from({"servers": [{"url": "https://{region}.example.com", "variables": variables}], "paths": {}})
    )

    assert {item["key"]: item["value"] for item in made["variable"]}["region"] == "eu%0D%0AX-Evil: 1"


@pytest.mark.parametrize("text", [other_text for other_text in UNSENDABLE if other_text])
def test_requests_and_answers_have_what_http_allows(text: str) -> None:
    """Names of headers are tokens, values and media types have no control characters."""
    made = postman_collection(api_from(unsendable(text)))
    entries = [value for item in items(made) for value in (item["request"], *item["response"])]
    headers = [header for entry in entries for header in entry["header"]]
    parts = [part for item in items(made) for part in item["request"].get("body", {}).get("formdata", ())]
    keys = [
        value["value"]
        for auth in (made["auth"], *(item["request"].get("auth", {}) for item in items(made)))
        for value in auth.get("apikey", ())
        if value["key"] == "key"
    ]

    assert keys
    assert all(is_token(item["request"]["method"]) for item in items(made))
    assert all(map(is_token, [*keys, *(header["key"] for header in headers)]))
    assert all(is_field_value(header["value"]) for header in headers)
    assert all(is_field_value(part["key"] + part.get("contentType", "")) for part in parts)


def parameter(name: str, place: str, value: str, *, required: bool = True) -> dict[str, Any]:
    return {"name": name, "in": place, "required": required, "example": value, "schema": {"type": "string"}}


def test_headers_of_a_part_are_described() -> None:
    """Postman has no place for them, and nothing of the contract gets lost."""
    header = {"required": True, "example": 5, "schema": {"type": "integer"}}
    media_type = {
        "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
        "example": {"a": "x"},
        "encoding": {"a": {"headers": {"X-Rate": header}}},
    }
    body = {"content": {"multipart/form-data": media_type}}

    (part,) = only_request(operation("post", requestBody=body))["request"]["body"]["formdata"]

    assert part["description"] == "Postman cannot send the headers of this part: `X-Rate: 5`."


def test_cookies_are_one_header() -> None:
    """What is optional is in a disabled header beside it, which has them all."""
    cookies = [parameter("a", "cookie", "x y"), parameter("b", "cookie", "2"), parameter("c", "cookie", "3")]
    cookies[2] = {"name": "c", "in": "cookie", "schema": {"type": "string", "default": "3"}}

    made = only_request(operation(parameters=cookies))

    assert [(item["value"], item.get("disabled")) for item in made["request"]["header"]] == [
        ("a=x%20y; b=2", None),
        ("a=x%20y; b=2; c=3", True),
    ]


SENT = {
    "/numbers": {"to": "+31612345678", "pct": "100%25 or 5%", "tpl": "Hi {{$guid}}", "a&b=": "c#d?é+ "},
    "/items/{id}:cancel": {"id": "item_1"},
    "/orders/{id}:ship": {"id": "order_9"},
    "/reports/{id}": {"id": "a/b%+ {{id}}"},
}


@pytest.mark.deep
def test_newman_sends_what_the_contract_means(tmp_path: Path) -> None:
    """Query strings, placeholders of one name in several operations, cookies, and braces in texts and bodies."""
    if shutil.which("newman") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("newman is not installed")
    paths: dict[str, Any] = {
        path: {
            "get": {
                "parameters": [parameter(*parameter_row) for parameter_row in _parameter_rows(path, values)],
                "responses": {},
            },
        }
        for path, values in SENT.items()
    }
    cookies = [parameter("a", "cookie", "x y;z"), parameter("b", "cookie", "2")]
    cookies.append({**parameter("c", "cookie", 'x "y"'), "style": "cookie"})
    paths["/cookies"] = {"get": {"parameters": cookies, "responses": {}}}
    filters = {
        "name": "f",
        "in": "querystring",
        "content": {"application/json": {"example": {"a": ["+", "{{id}}"]}}},
    }
    piped = {"name": "p", "in": "query", "style": "pipeDelimited", "explode": False, "example": ["a|b", "c"]}
    reserved = {"name": "r", "in": "query", "allowReserved": True, "example": "a/b?c&d", "schema": {}}
    for path, item in (("/filtered", filters), ("/piped", piped), ("/reserved", reserved)):
        paths[path] = {"get": {"parameters": [{**item, "required": True}], "responses": {}}}
    value = {"text": "Hi {{id}}", "more": "{{$guid}} {{{x}}}"}
    greeting = "Hi {{$guid}} &+ {{id}}"
    for path, media_type, example in (
        ("/body", "application/json", value),
        ("/form", "application/x-www-form-urlencoded", {"baseUrl}}": greeting, "{{baseUrl}}": "é"}),
        ("/text", "text/plain", greeting),
        ("/parts", "multipart/form-data", {"text": greeting}),
    ):
        paths[path] = {
            "post": {
                "parameters": [parameter("X-Text", "header", "{{$guid}} {{id}}")],
                "requestBody": {"content": {media_type: {"example": example}}},
                "responses": {},
            }
        }
    with echo() as server:
        made = postman_collection(
            api_from({"openapi": "3.2.0", "servers": [{"url": server.address}], "paths": paths})
        )
        (tmp_path / "collection.json").write_text(json.dumps(made), encoding="utf-8")

        ended = subprocess.run(
            ["newman", "run", "collection.json"],
            cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
        )  # fmt: skip

        assert ended.returncode == 0, ended.stdout
        received = {path: (headers, body) for _, path, headers, body in server.received}
    queries = {urlsplit(text).path: urlsplit(text).query for text in received}
    assert dict(parse_qsl(queries["/numbers"])) == SENT["/numbers"]
    assert json.loads(unquote(queries["/filtered"])) == {"a": ["+", "{{id}}"]}
    assert queries["/piped"] == "p=a%7Cb%7Cc"
    assert queries["/reserved"] == "r=a/b?c%26d"
    assert {unquote(text) for text in received} >= {
        "/items/item_1:cancel",
        "/orders/order_9:ship",
        "/reports/a/b%+ {{id}}",
    }
    assert received["/cookies"][0]["cookie"] == 'a=x%20y%3Bz; b=2; c=x "y"'
    assert json.loads(received["/body"][1]) == value
    assert dict(parse_qsl(received["/form"][1].decode())) == {"baseUrl}}": greeting, "{{baseUrl}}": "é"}
    assert received["/text"][1].decode() == greeting
    assert greeting in received["/parts"][1].decode()
    assert received["/form"][0]["x-text"] == "{{$guid}} {{id}}"


def test_what_looks_like_a_variable_has_itself_as_value() -> None:
    """Postman would replace `{{$guid}}` with an id, and leave no way to say that it is text."""
    text = {"content": {"text/plain": {"example": "{{$guid}} {{baseUrl}}"}}}
    made = check(api_from({"paths": {"/a": {"post": {"requestBody": text, "responses": {}}}}}))

    values = {item["key"]: item["value"] for item in made["variable"]}

    assert values["$guid"] == "{{$guid}}"
    assert values["baseUrl"] != "{{baseUrl}}"


def test_a_form_with_braces_is_sent_encoded() -> None:
    """In fields of a form Postman would replace what looks like a variable."""
    form = {"content": {"application/x-www-form-urlencoded": {"example": {"a": "{{b}} c"}}}}
    made = only_request(operation("post", requestBody=form))["request"]

    assert made["body"]["raw"] == "a=%7B%7Bb%7D%7D+c"
    assert {"key": "Content-Type", "value": "application/x-www-form-urlencoded"} in made["header"]


def test_what_has_not_changed_is_taken_from_an_earlier_collection() -> None:
    """Of an operation that is the same, unless its request has a description that is not."""
    described = {"get": {"description": "Lists all parcels.", "responses": {}}}
    document = {
        "paths": {"/a": {"get": {"responses": {}}}, "/b": described, "/c": {"get": {"responses": {}}}}
    }
    api = api_from(document)
    before = postman_collection(api)
    for item in items(before):
        item["name"] = "earlier"

    made = postman_collection(
        api,
        EarlierCollection(
            text=json.dumps(before),
            is_same_operation=lambda operation: operation.path != "/a",
            may_change_text=lambda text: "Lists all parcels" in text,
        ),
    )

    assert [item["name"] == "earlier" for item in items(made)] == [False, False, True]


def _parameter_rows(path: str, values: dict[str, str]) -> list[tuple[str, str, str]]:
    return [(name, "path" if "{" in path else "query", value) for name, value in values.items()]
