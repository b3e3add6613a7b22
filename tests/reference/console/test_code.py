"""The code of a console is that of the page's samples, character by character, until something is typed."""

import json
import random
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from devportal.contract import Api
from devportal.contract.wire_format.serialisation import token_text
from devportal.reference.console import console_files
from devportal.reference.samples import LANGUAGES
from devportal.reference.samples.sample_requests import sample_requests
from tests.contracts import contract_at
from tests.corpus import corpus_contract, each_contract
from tests.reference.reading import api_from
from tests.reference.unsendable import UNSENDABLE, unsendable

from .node import ROOT, ask

RANDOM = 200
OWN = (
    "openapi/openapi.yaml",
    "tests/apps/parcels.yaml",
    "tests/reference/samples/matrix.yaml",
    "tests/reference/contracts/rich-3.1.yaml",
)


def samples_by_operation(api: Api) -> dict[str, list[dict[str, Any]]]:
    """Return the samples of each operation, in the order of the console's media types and examples."""
    return {
        f"{item.method} {item.path}": [
            {
                "type": named.media_type,
                "code": {language.name: language.write(named.request) for language in LANGUAGES},
            }
            for named in sample_requests(api, item)
        ]
        for item in api.operations
    }


def differences(folder: Path, api: Api) -> list[str]:
    """Return what differs between the code of the consoles and the samples."""
    data = [
        json.loads(console_file.content)
        for console_file in console_files(api)
        if console_file.uri.endswith("/console.json")
    ]
    assert len(data) == len(api.operations)
    found = []
    for shown, operation, answers, (name, samples) in zip(
        api.operations, data, ask(folder, "codes", data), samples_by_operation(api).items(), strict=True
    ):
        by_type = {kind: [*group] for kind, group in groupby(answers, lambda answer: str(answer["type"]))}
        for kind, group in groupby(samples, lambda sample: str(sample["type"])):
            found += [
                f"{name} {kind} {language}\n--- sample\n{code}\n--- console\n{made['code'][language]}"
                for sample, made in zip(group, by_type[kind], strict=True)
                for language, code in sample["code"].items()
                if made["code"][language] != code
            ]
        assert operation["method"] == token_text(shown.method)
    return found


@pytest.mark.parametrize("name", OWN)
def test_code_is_that_of_the_samples(name: str, folder: Path) -> None:
    """In every language, for every example of every media type."""
    api = contract_at(ROOT / name, name).api

    assert differences(folder, api) == []


@pytest.mark.corpus
@each_contract
def test_code_is_that_of_the_samples_for_contracts_of_others(name: str, folder: Path) -> None:
    """Of forms with hundreds of fields too."""
    assert differences(folder, corpus_contract(name).api) == []


def test_code_reads_a_stream_as_it_arrives(folder: Path) -> None:
    """If a success can only be a stream; a program that waits for its end may wait for ever."""
    stream: dict[str, Any] = {"text/event-stream": {}}
    contents = {"/live": stream, "/either": {**stream, "application/json": {}}}
    paths = {
        path: {"get": {"responses": {"200": {"description": "Events.", "content": content}}}}
        for path, content in contents.items()
    }
    api = api_from({"servers": [{"url": "https://a.example"}], "paths": paths})
    made = [json.loads(file.content) for file in console_files(api) if file.uri.endswith("/console.json")]

    assert [data.get("isStream") for data in made] == [True, None]
    assert differences(folder, api) == []


AMBIGUOUS = {"oneOf": [{"type": "object", "properties": {name: {}}} for name in ("a", "b")]}
"""Both branches fit all values that have no other fields."""


@pytest.mark.parametrize(
    "schema",
    [
        {"oneOf": [{"properties": {name: {"type": "string"}}} for name in ("card", "iban")]},
        {"type": "integer", "minimum": 5, "maximum": 3},
    ],
)
def test_code_has_the_comments_of_the_samples(schema: dict[str, Any], folder: Path) -> None:
    """On values that the portal made, of a body and of parameters, and that the contract does not allow."""
    parameter = {"name": "n", "in": "query", "required": True, "schema": schema}
    body = {"content": {"application/json": {"schema": AMBIGUOUS}}}
    api = api_from({"paths": {"/a": {"post": {"parameters": [parameter], "requestBody": body}}}})

    (sample,) = sample_requests(api, api.operations[0])
    assert len(sample.request.notes) == 2
    assert differences(folder, api) == []


def test_code_of_parts_that_are_no_form_reads_a_file(folder: Path) -> None:
    """The comment on what the file has to hold is there too, before those on values."""
    schema = {"required": ["a"], "properties": {"a": AMBIGUOUS}}
    body = {"content": {"multipart/related": {"schema": schema}}}
    api = api_from({"openapi": "3.1.0", "paths": {"/a": {"post": {"requestBody": body}}}})

    (sample,) = sample_requests(api, api.operations[0])
    assert [note.split()[0] for note in sample.request.notes] == ["body.txt", "Does"]
    assert differences(folder, api) == []


@pytest.mark.parametrize("example", ["--x\r\n\r\na\r\n--x--\r\n", "<a/>"])
def test_code_of_a_form_with_a_text_as_example_is_that_of_the_samples(example: str, folder: Path) -> None:
    """Whether the text is the whole body, or that of a file."""
    schema = {"required": ["f"], "properties": {"f": {"format": "binary"}}}
    body = {"content": {"multipart/form-data": {"schema": schema, "example": example}}}

    assert differences(folder, api_from({"paths": {"/a": {"post": {"requestBody": body}}}})) == []


@pytest.mark.parametrize(("value", "notes"), [("a", ["Is no b."]), ("b", []), (["a"], [])])
def test_comments_go_with_the_value_that_they_are_about(value: Any, notes: list[str], folder: Path) -> None:
    """What somebody changes is checked as it is."""
    asked: list[Any] = [
        "notesOf",
        {"parameters": []},
        None,
        {"start": {"value": '"a"', "notes": ["Is no b."]}, "value": value},
    ]

    (answer,) = ask(folder, "calls", {"module": "request", "asked": [asked]})

    assert answer["value"] == notes


@pytest.mark.parametrize("name", ["*/*", "application/*", "application/json; charset=utf-8"])
def test_body_of_a_range_is_written_as_its_sample(name: str, folder: Path) -> None:
    """Of the type that is sent for it, from the fields of its schema."""
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "example": "x"}}}
    operation_ = {"requestBody": {"content": {name: {"schema": schema}}}, "responses": {}}

    assert differences(folder, api_from({"paths": {"/a": {"post": operation_}}})) == []


def test_body_of_a_range_that_starts_empty_has_a_type(folder: Path) -> None:
    """No server can read what is sent as `*/*`."""
    asked = ["bodyOf", {"type": "*/*", "room": 9}, "json", 1]

    (answer,) = ask(folder, "calls", {"module": "request", "asked": [asked]})

    assert answer["value"]["type"] == "application/json"


def test_a_part_is_sent_with_all_its_headers(folder: Path) -> None:
    """What the contract requires beside name and media type is sent too."""
    part = {"name": 'a"b', "value": "f.txt", "type": "", "isFile": True, "headers": [["X-Rate", "5"]]}

    (answer,) = ask(folder, "calls", {"module": "request", "asked": [["head", part]]})

    assert answer["value"].split("\r\n") == [
        'Content-Disposition: form-data; name="a%22b"; filename="f.txt"',
        "Content-Type: application/octet-stream",
        "X-Rate: 5",
    ]


@pytest.mark.parametrize("text", UNSENDABLE)
def test_what_http_does_not_allow_is_written_alike(text: str, folder: Path) -> None:
    """Percent-encoded, in names and values of headers, media types, methods and schemes."""
    assert differences(folder, api_from(unsendable(text))) == []


PIECES = (
    *("a", "é", "日本", "😀", '"', "'", "`", "$HOME", "${x}", "\\", "\n", "\t", " ", "&", "=", "%", "+", "#"),
    *("/", "?", "<", "TEXT", "\u2028", "\u202e", "\x00", "\x7f", "\ufeff", "[0]", "{}", ":", ";", ",", "@"),
    *("0", "-1.5e3", "%2F", "%2520"),
)
"""What means something in some language."""
MEDIA_TYPES = (
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/${HOME}",
    "text/plain",
)


def text(rng: random.Random) -> str:
    return "".join(rng.choices(PIECES, k=rng.randrange(6)))


def value(rng: random.Random, depth: int = 3) -> Any:
    """Return a random value of JSON."""
    roll = rng.randrange(8 if depth else 5)
    if roll in (5, 6):
        return {text(rng): value(rng, depth - 1) for _ in range(rng.randrange(4))}
    if roll == 7:
        return [value(rng, depth - 1) for _ in range(rng.randrange(4))]
    return [
        text(rng),
        rng.randrange(-(10**20), 10**20),
        rng.random() * 10 ** rng.randrange(-9, 22),
        True,
        None,
    ][roll]


def operation(rng: random.Random, number: int) -> dict[str, Any]:
    """Return a random operation: its body in one of the media types, and parameters of all kinds."""
    places = {"query": ["form", "deepObject", "pipeDelimited"], "header": ["simple"], "cookie": ["form"]}
    parameters: list[dict[str, Any]] = [
        {"name": "id", "in": "path", "required": True, "style": rng.choice(["simple", "label", "matrix"])}
    ]
    for index in range(rng.randrange(5)):
        place = rng.choice([*places])
        name = f"p{index}{text(rng)}"
        parameters.append({"name": name, "in": place, "required": True, "style": rng.choice(places[place])})
    for parameter in parameters:
        given = {"example": value(rng, 2)}
        if rng.random() < 0.2:
            parameter |= {"content": {"application/json": given}}
            continue
        parameter |= {"schema": {}, "explode": rng.random() < 0.5, **given}
        if parameter["in"] == "query" and rng.random() < 0.3:
            parameter["allowReserved"] = True
    kind = rng.choice(MEDIA_TYPES)
    body = value(rng) if kind.endswith("json") else text(rng)
    if "form" in kind:
        body = {text(rng) or "k": value(rng, 2) for _ in range(rng.randrange(1, 5))}
    security: Any = rng.choice([[], [{"bearer": []}], [{"basic": []}], [{"key": [], "bearer": []}]])
    return {
        "operationId": f"op{number}",
        "parameters": parameters,
        "requestBody": {"content": {kind: {"example": body}}},
        "security": security,
        "responses": {},
    }


def test_random_requests_are_written_alike(folder: Path) -> None:
    """Whatever letters, numbers and shapes they have."""
    rng = random.Random(9110)  # noqa: S311 - the same in each run
    schemes = {
        "bearer": {"type": "http", "scheme": "bearer"},
        "basic": {"type": "http", "scheme": "basic"},
        "key": {"type": "apiKey", "in": "query", "name": "k"},
    }
    paths = {
        f"/{number}/{{id}}": {"additionalOperations": {"A'ID": item}} if number % 9 == 0 else {"post": item}
        for number, item in enumerate(operation(rng, number) for number in range(RANDOM))
    }

    document = {"openapi": "3.2.0", "paths": paths, "components": {"securitySchemes": schemes}}
    assert differences(folder, api_from(document)) == []
