"""The contract as one document: all of it, nothing internal, and what is read from it is the same."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from devportal.contract import Contract, read_contract
from devportal.contract.published.bundle import bundle
from devportal.contract.validate.oas_schemas import check_against_oas
from devportal.documents import parse_document, to_json, to_yaml
from tests.contract.inline import contract, write
from tests.contract.same import components, model_contents
from tests.corpus import corpus_contract, each_contract

CONTRACTS = sorted((Path(__file__).parents[2] / "reference" / "contracts").glob("*.yaml"))


def read_bundle(document: dict[str, Any]) -> Contract:
    """Read a bundle as somebody does who has downloaded it."""
    return read_contract(parse_document(to_yaml(document), name="openapi.yaml"))


def checked_bundle(made: Contract) -> dict[str, Any]:
    """Return the bundle of a contract, which must say the same, be whole, and valid where that is."""
    document = bundle(made)
    read = read_bundle(document)
    assert [finding for finding in read.findings if finding.rule.startswith("contract-ref")] == []
    names = components(made.api)
    assert model_contents(read.api, names) == model_contents(made.api, names)
    if not list(check_against_oas(made)):
        assert list(check_against_oas(read)) == []
    return document


def references(value: Any) -> Iterator[str]:
    """Yield every text under `$ref`."""
    for key, member in value.items() if isinstance(value, dict) else enumerate(value):
        if key == "$ref" and isinstance(member, str):
            yield member
        elif isinstance(member, (dict, list)):
            yield from references(member)


@pytest.mark.parametrize("path", CONTRACTS, ids=lambda path: path.name)
def test_one_file_without_internal_parts_stays_as_it_is(path: Path) -> None:
    """Each key and value, in the order written."""
    made = read_contract(parse_document(path.read_text(encoding="utf-8"), name=path.name))

    document = checked_bundle(made)

    assert json.dumps(document) == json.dumps(made.source.root().value)


def test_order_of_keys_is_kept() -> None:
    """As the author wrote them, also unknown ones; JSON and YAML hold the same."""
    made = contract("x-b: 1\nx-a: {z: 1, b: NO, 010: 2026-11-21}\ntags: [{name: t, x-z: 1, description: d}]")

    document = bundle(made)

    assert list(document) == ["openapi", "info", "paths", "x-b", "x-a", "tags"]
    assert list(document["x-a"].items()) == [("z", 1), ("b", "NO"), ("010", "2026-11-21")]
    assert json.loads(to_json(document)) == yaml.safe_load(to_yaml(document)) == document


SEVERAL = {
    "api.yaml": """
        openapi: 3.1.0
        info: {title: T, version: '1'}
        paths:
          /pets: {$ref: 'paths/pets.yaml'}
          /pets/{id}:
            summary: Of its own
            parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
            $ref: 'paths/one.yaml#/one'
        webhooks:
          petLost: {$ref: 'paths/lost.yaml'}
        components:
          schemas:
            Animal: {$ref: 'schemas/animal.yaml'}
            Error: {type: string}
            Unused: {type: object, properties: {animal: {$ref: '#/components/schemas/Animal'}}}
          parameters:
            Limit: {$ref: 'shared.yaml#/parameters/Limit'}
    """,
    "paths/pets.yaml": """
        get:
          operationId: listPets
          parameters: [{$ref: '../shared.yaml#/parameters/Limit'}, {$ref: '../shared.yaml#/parameters/Sort'}]
          responses:
            '200': {$ref: '../shared.yaml#/responses/Pets'}
            default: {$ref: '../shared.yaml#/responses/Failed', description: Whatever else}
    """,
    "paths/one.yaml": """
        one:
          parameters:
            - {name: id, in: path, required: true, schema: {type: string}}
            - {name: trace, in: header, schema: {$ref: '../schemas/index.yaml#/Text'}}
          put:
            operationId: putPet
            requestBody: {$ref: '../shared.yaml#/bodies/Pet'}
            responses: {'204': {description: Done}}
            callbacks:
              changed: {$ref: '../shared.yaml#/callbacks/changed'}
    """,
    "paths/lost.yaml": """
        post:
          requestBody:
            content: {application/json: {schema: {$ref: '../api.yaml#/components/schemas/Animal'}}}
          responses: {'200': {description: Thanks}}
    """,
    "schemas/animal.yaml": """
        type: object
        required: [kind]
        properties:
          kind: {type: string}
          mother: {$ref: '#', description: Recursion through the whole file}
          toys: {type: array, items: {$ref: 'index.yaml#/Toy'}}
        discriminator:
          propertyName: kind
          mapping: {cat: cat.yaml, dog: 'index.yaml#/Dog', text: '../api.yaml#/components/schemas/Error'}
    """,
    "schemas/cat.yaml": """
        allOf: [{$ref: animal.yaml}, {type: object, properties: {lives: {$ref: '#/$defs/Lives'}}}]
        $defs: {Lives: {type: integer, maximum: 9, example: {$ref: 'no reference'}}}
    """,
    "schemas/index.yaml": """
        Text: {$ref: '../shared.yaml#/schemas/Text'}
        Toy: {type: object, properties: {owner: {$ref: animal.yaml}, error: {$ref: '#/Error'}}}
        Dog: {allOf: [{$ref: animal.yaml}]}
        Error: {type: object, properties: {code: {type: integer}}}
    """,
    "shared.yaml": """
        schemas: {Text: {type: string, maxLength: 9}}
        parameters:
          Limit: {name: limit, in: query, schema: {type: integer}}
          Sort: {name: sort, in: query, schema: {$ref: '#/schemas/Text'}}
        bodies:
          Pet: {content: {application/json: {schema: {$ref: 'schemas/animal.yaml'}}}}
        responses:
          Pets:
            description: Pets
            headers: {Total: {$ref: '#/headers/Total'}}
            links: {next: {$ref: '#/links/next'}}
            content:
              application/json:
                schema: {type: array, items: {$ref: 'schemas/animal.yaml'}}
                examples: {two: {$ref: '#/examples/two'}}
          Failed: {description: Failed, content: {text/plain: {schema: {$ref: 'schemas/index.yaml#/Error'}}}}
        headers: {Total: {schema: {type: integer}}}
        links: {next: {operationId: listPets}}
        examples: {two: {value: [{kind: cat}, {$ref: is data}]}}
        callbacks:
          changed:
            '{$request.body#/url}': {$ref: 'paths/lost.yaml'}
    """,
}


def test_several_files_become_one(tmp_path: Path) -> None:
    """Each kind of object gets its section; names are those that the files use, and none is there twice."""
    document = checked_bundle(write(tmp_path, SEVERAL))

    assert {section: list(members) for section, members in document["components"].items()} == {
        "schemas": ["Animal", "Error", "Unused", "Text", "Toy", "cat", "Dog", "schemas_index_Error", "Lives"],
        "parameters": ["Limit", "Sort"],
        "responses": ["Pets", "Failed"],
        "requestBodies": ["Pet"],
        "callbacks": ["changed"],
        "headers": ["Total"],
        "examples": ["two"],
        "links": ["next"],
    }
    assert {reference for reference in references(document) if not reference.startswith("#/components/")} == {
        "no reference",
        "is data",
    }


def test_discriminators_lead_to_the_components(tmp_path: Path) -> None:
    """The targets of a mapping move as references do."""
    animal = checked_bundle(write(tmp_path, SEVERAL))["components"]["schemas"]["Animal"]

    assert animal["discriminator"]["mapping"] == {
        "cat": "#/components/schemas/cat",
        "dog": "#/components/schemas/Dog",
        "text": "#/components/schemas/Error",
    }


OTHERS_LINKS = {
    "api.yaml": """
        openapi: 3.1.0
        info: {title: T, version: '1'}
        paths:
          /a: {get: {responses: {'200': {$ref: 'parts/shared.yaml'}}}}
          /b/{id}: {$ref: 'parts/b.yaml'}
    """,
    "parts/b.yaml": "get: {responses: {'200': {description: OK}}}",
    "parts/shared.yaml": """
        description: OK
        links:
          root: {operationRef: '../api.yaml#/paths/~1a/get'}
          through: {operationRef: '../api.yaml#/paths/~1b~1{id}/get'}
          part: {operationRef: 'b.yaml#/get'}
          other: {operationRef: 'https://other.example/api.yaml#/paths/~1a/get'}
          nowhere: {operationRef: 'none.yaml#/get'}
    """,
}


def test_links_lead_to_the_operations_of_the_bundle(tmp_path: Path) -> None:
    """Whatever file names them, and through whichever; what is not of this contract stays."""
    document = bundle(write(tmp_path, OTHERS_LINKS))

    links = document["components"]["responses"]["shared"]["links"]
    assert {name: link["operationRef"] for name, link in links.items()} == {
        "root": "#/paths/~1a/get",
        "through": "#/paths/~1b~1%7Bid%7D/get",
        "part": "#/paths/~1b~1%7Bid%7D/get",
        "other": "https://other.example/api.yaml#/paths/~1a/get",
        "nowhere": "none.yaml#/get",
    }


def test_what_stands_beside_a_reference_is_kept(tmp_path: Path) -> None:
    """Of schemas, of responses and of path items, whose parameters go together."""
    document = checked_bundle(write(tmp_path, SEVERAL))

    one = document["paths"]["/pets/{id}"]
    mother = document["components"]["schemas"]["Animal"]["properties"]["mother"]
    assert list(mother) == ["$ref", "description"]
    assert document["paths"]["/pets"]["get"]["responses"]["default"]["description"] == "Whatever else"
    assert one["summary"] == "Of its own"
    assert [(each["name"], each["schema"]) for each in one["parameters"]] == [
        ("id", {"type": "integer"}),
        ("trace", {"$ref": "#/components/schemas/Text"}),
    ]


def test_bundling_twice_changes_nothing(tmp_path: Path) -> None:
    """The bundle of a bundle is the same, and so is a second bundle."""
    made = write(tmp_path, SEVERAL)

    document = bundle(made)

    assert json.dumps(document) == json.dumps(bundle(made)) == json.dumps(bundle(read_bundle(document)))


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0", "3.2.0"])
def test_path_items_that_lead_to_themselves_end(version: str, tmp_path: Path) -> None:
    """A callback may send what its own path describes; in every version of the OAS."""
    files = {
        "api.yaml": f"""
            openapi: {version}
            info: {{title: T, version: '1'}}
            paths:
              /a: {{$ref: 'item.yaml'}}
              /b: {{$ref: 'item.yaml'}}
        """,
        "item.yaml": """
            post:
              responses: {'200': {description: OK}}
              callbacks: {again: {'https://x': {$ref: 'item.yaml'}}}
        """,
    }

    document = bundle(write(tmp_path, files))

    assert document["paths"]["/a"]["post"]["callbacks"]["again"]["https://x"] == {"$ref": "#/paths/~1a"}
    assert document["paths"]["/b"] == {"$ref": "#/paths/~1a"}
    assert read_bundle(document).findings == ()


def test_references_that_are_broken_or_refused_stay_as_they_are(tmp_path: Path) -> None:
    """The findings on the contract tell of them; the rest is bundled."""
    files = {
        "api.yaml": """
            openapi: 3.0.3
            info: {title: T, version: '1'}
            paths: {/a: {get: {responses: {'200': {$ref: 'nowhere.yaml'}}}}}
            components:
              schemas:
                A: {$ref: '../outside.yaml'}
                B: {$ref: 'https://example.com/b.yaml'}
                C: {$ref: '#/components/schemas/D'}
                E: {$ref: 'loop.yaml'}
        """,
        "loop.yaml": "{$ref: loop.yaml}",
    }

    document = bundle(write(tmp_path, files))

    assert sorted(references(document))[:4] == [
        "#/components/schemas/D",
        "../outside.yaml",
        "https://example.com/b.yaml",
        "loop.yaml",
    ]


def test_names_that_cannot_be_names_of_components(tmp_path: Path) -> None:
    """They are made of letters, digits, dots, dashes and underscores; a second one gets its file's name."""
    names = ["a b", "a+b", "小包", "A"]
    one_of = "[" + ", ".join(f"{{$ref: 'x.yaml#/{name}'}}" for name in names) + ", {$ref: x.yaml}]"
    files = {
        "api.yaml": f"""
            openapi: 3.0.3
            info: {{title: T, version: '1'}}
            paths: {{/a: {{get: {{responses: {{'200': {{description: OK}}}}}}}}}}
            components: {{schemas: {{A: {{type: string}}, S: {{oneOf: {one_of}}}}}}}
        """,
        "x.yaml": "\n".join(f"{name}: {{type: integer}}" for name in names),
    }

    document = bundle(write(tmp_path, files))

    assert list(document["components"]["schemas"]) == ["A", "S", "a_b", "x_a_b", "part", "x_A", "x"]
    assert read_bundle(document).findings == ()


INTERNAL = """\
    paths:
      /open:
        get:
          tags: [open, SECRET]
          parameters:
            - {name: SECRET, in: query, x-internal: true, schema: {type: string}}
            - {$ref: '#/components/parameters/P'}
            - {name: open, in: query, schema: {$ref: '#/components/schemas/SECRET'}}
          responses:
            '200':
              description: OK
              headers: {SECRET: {x-internal: true, schema: {type: string}}}
              content:
                application/json:
                  schema: {$ref: '#/components/schemas/Open'}
                  examples: {SECRET: {x-internal: true, value: SECRET}, open: {value: {x-internal: true}}}
                application/SECRET: {x-internal: true}
            '500': {x-internal: true, description: SECRET}
          callbacks:
            SECRET: {x-internal: true, 'https://a': {post: {responses: {'200': {description: OK}}}}}
            open: {'https://SECRET': {post: {x-internal: true, responses: {'200': {description: OK}}}}}
        post: {x-internal: true, operationId: SECRET, tags: [SECRET2], responses: {'200': {$ref: '#/components/responses/OnlySECRET'}}}
      /SECRET:
        x-internal: true
        get: {responses: {'200': {description: OK, content: {a/b: {schema: {type: string, title: Kept}}}}}}
      /all/SECRET: {get: {x-internal: true, responses: {'200': {description: OK}}}}
      /open2: {get: {responses: {'200': {description: OK, content: {a/b: {schema: {$ref: '#/paths/~1SECRET/get/responses/200/content/a~1b/schema'}}}}}}}
    webhooks:
      SECRET: {x-internal: true, post: {responses: {'200': {description: OK}}}}
    tags: [{name: open}, {name: SECRET, x-internal: true}, {name: SECRET2, description: SECRET}, {name: unused}]
    x-tagGroups: [{name: All, tags: [open, SECRET, SECRET2]}, {name: SECRET, tags: [open], x-internal: true}]
    servers: [{url: https://open.example}, {url: https://secret.example/SECRET, x-internal: true}]
    x-SECRET: {x-internal: true}
    components:
      parameters: {P: {name: SECRET, in: query, x-internal: true, schema: {type: string}}}
      responses: {OnlySECRET: {description: SECRET, content: {a/b: {schema: {$ref: '#/components/schemas/OnlySECRET'}}}}}
      schemas:
        SECRET: {x-internal: true, type: string, enum: [SECRET]}
        SECRET2: {$ref: '#/components/schemas/SECRET'}
        OnlySECRET: {type: object, properties: {a: {$ref: '#/components/schemas/OnlySECRET'}, b: {$ref: '#/components/schemas/Both'}}}
        Both: {type: string}
        Unused: {type: object, properties: {a: {$ref: '#/components/schemas/UnusedToo'}}}
        UnusedToo: {type: string}
        Open:
          type: object
          required: [SECRET, SECRET2, open]
          properties:
            SECRET: {x-internal: true}
            SECRET2: {$ref: '#/components/schemas/SECRET2'}
            open: {type: array, items: {$ref: '#/components/schemas/SECRET'}}
            both: {$ref: '#/components/schemas/Both'}
            second: {$ref: '#/components/schemas/Parts/allOf/1'}
          discriminator: {propertyName: open, mapping: {a: SECRET, b: '#/components/schemas/SECRET', c: Both}}
          anyOf: [{$ref: '#/components/schemas/SECRET'}]
        OnlyInternal: {type: object, required: [SECRET], properties: {SECRET: {x-internal: true}}}
        Parts: {allOf: [{x-internal: true, title: SECRET}, {type: object, properties: {open: {type: string}}}]}
"""  # noqa: E501 - as the table of hiding places that it is


def test_nothing_internal_is_left() -> None:
    """Marked parts, what leads to them, what names them, and what only they refer to."""
    made = contract(INTERNAL)

    document = bundle(made)

    schemas = document["components"]["schemas"]
    assert "SECRET" not in to_json(document)
    assert list(document["paths"]) == ["/open", "/open2"]
    assert [tag["name"] for tag in document["tags"]] == ["open", "unused"]
    assert list(schemas) == [
        "Both",
        "Unused",
        "UnusedToo",
        "Open",
        "OnlyInternal",
        "Parts",
        "a_b_schema",
        "Parts_allOf_1",
    ]
    assert schemas["Open"]["required"] == ["open"]
    assert schemas["Open"]["properties"]["open"] == {"type": "array", "items": {}}
    assert schemas["Open"]["discriminator"]["mapping"] == {"c": "Both"}
    assert "anyOf" not in schemas["Open"]
    assert schemas["OnlyInternal"] == {"type": "object", "properties": {}}
    assert list(check_against_oas(read_bundle(document))) == []
    assert schemas["Open"]["properties"]["second"] == {"$ref": "#/components/schemas/Parts_allOf_1"}


def test_data_that_looks_like_a_mark_is_data() -> None:
    """`x-internal` within an example is part of the example."""
    document = bundle(contract(INTERNAL))

    content = document["paths"]["/open"]["get"]["responses"]["200"]["content"]
    assert content["application/json"]["examples"] == {"open": {"value": {"x-internal": True}}}


OBJECTS = {
    "schema", "items", "not", "additionalProperties", "requestBody", "get", "put", "post", "delete", "patch",
}  # fmt: skip
LISTS = {"parameters", "allOf", "oneOf", "anyOf", "tags", "servers"}
MAPS = {
    "paths", "webhooks", "responses", "headers", "content", "examples", "callbacks", "links", "properties",
    "schemas", "requestBodies", "securitySchemes", "pathItems", "mediaTypes", "parameters",
}  # fmt: skip


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects of a contract that can be marked, found by the names of the fields they stand in."""
    for key, member in value.items() if isinstance(value, dict) else ():
        found = (
            [member]
            if key in OBJECTS
            else list(member.values())
            if key in MAPS and isinstance(member, dict)
            else member
            if key in LISTS and isinstance(member, list)
            else []
        )
        yield from (item for item in found if isinstance(item, dict))
        for item in found or [member]:
            yield from objects(item)


@pytest.mark.parametrize("path", CONTRACTS, ids=lambda path: path.name)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_whatever_is_marked_the_bundle_is_whole(path: Path, data: st.DataObject) -> None:
    """No reference leads nowhere, what is read is what the contract publishes, and twice is as once."""
    document = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    candidates = list(objects(document))
    for number in data.draw(st.sets(st.integers(0, len(candidates) - 1), max_size=4)):
        candidates[number]["x-internal"] = True
    made = read_contract(parse_document(to_json(document), name="a.json"))

    result = bundle(made)

    read = read_bundle(result)
    names = components(made.api)
    assert [finding for finding in read.findings if finding.rule == "contract-ref-broken"] == []
    assert model_contents(read.api, names) == model_contents(made.api, names)
    assert json.dumps(bundle(read)) == json.dumps(result)


def test_tags_that_are_no_text_stay_as_they_are() -> None:
    """A bundle is made of half-broken contracts too, also where it looks for tags to leave out."""
    read = contract(
        """\
        tags: [{name: {a: 1}}, {name: gone, x-internal: true}]
        x-tagGroups: [{name: G, tags: [[1], gone, b]}]
        paths: {/a: {get: {tags: [{b: 2}, gone], responses: {'200': {description: OK}}}}}
        """,
        paths="",
    )
    document = bundle(read)

    assert document["tags"] == [{"name": {"a": 1}}]
    assert document["x-tagGroups"] == [{"name": "G", "tags": [[1], "b"]}]
    assert document["paths"]["/a"]["get"]["tags"] == [{"b": 2}]


def test_names_of_properties_that_are_no_text_stay_as_they_are() -> None:
    """They are another fault, and no reason to publish the names of internal properties beside them."""
    read = contract(
        """\
        components:
          schemas:
            S:
              required: [{a: 1}, gone, [b]]
              dependentRequired: {c: [{d: 1}, gone]}
              discriminator: {propertyName: [e]}
              properties: {gone: {x-internal: true}}
        """
    )
    made = bundle(read)["components"]["schemas"]["S"]

    assert made["required"] == [{"a": 1}, ["b"]]
    assert made["dependentRequired"] == {"c": [{"d": 1}]}
    assert made["discriminator"] == {"propertyName": ["e"]}


@pytest.mark.corpus
@each_contract
def test_contracts_of_others_stay_as_they_are(name: str) -> None:
    """Each is one file with nothing internal in it: key by key the same, in JSON and in YAML."""
    made = corpus_contract(name)

    document = bundle(made)

    whole = made.source.root().value
    assert json.dumps(document) == json.dumps(whole)
    assert json.loads(to_json(document)) == whole
    assert parse_document(to_yaml(document), name="openapi.yaml").data == whole


def test_what_only_a_path_without_published_operations_refers_to_is_not_published() -> None:
    """Its parameters are for nobody else: neither the model nor the bundle has their schemas."""
    made = contract(
        """\
        paths:
          /trees/{id}:
            parameters: [{name: id, in: path, required: true, schema: {$ref: '#/components/schemas/TreeId'}}]
            delete: {x-internal: true, responses: {'204': {description: Felled.}}}
            put: {security: [{gate: []}], responses: {'204': {description: Pruned.}}}
          /rows: {get: {responses: {'200': {description: All rows.}}}}
        components:
          schemas: {TreeId: {type: string}}
          securitySchemes: {gate: {type: http, scheme: bearer, x-internal: true}}
        """,
        paths="",
    )

    assert [operation.path for operation in made.api.operations] == ["/rows"]
    assert components(made.api) == []
    assert checked_bundle(made)["components"] == {"schemas": {}, "securitySchemes": {}}
