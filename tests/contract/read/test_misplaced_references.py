"""References where the specification allows none are followed, with one problem."""

import json
from pathlib import Path
from typing import Any

import pytest

from devportal.contract import Contract, load_contract
from devportal.contract.published.bundle import bundle

FILES = {
    "api.yaml": """
openapi: 3.0.3
info: {$ref: info.yaml}
paths:
  /items: {$ref: paths/items.yaml}
  /orders:
    get: {$ref: '#/x-operations/listOrders'}
    post: {$ref: paths/operations.yaml#/create, summary: Place an order}
components:
  schemas:
    $ref: parts/schemas.yaml
x-operations:
  listOrders:
    summary: List orders
    responses: {'200': {description: Orders}}
""",
    "info.yaml": "{title: Shop, version: '2'}\n",
    "paths/items.yaml": "get: {$ref: 'operations.yaml#/list'}\n",
    "paths/operations.yaml": """
list:
  summary: List items
  parameters: {$ref: ../parts/parameters.yaml}
  responses: {$ref: ../parts/responses.yaml}
create:
  summary: Create
  requestBody: {content: {application/json: {schema: {$ref: '../api.yaml#/components/schemas/Item'}}}}
  responses: {'201': {description: Made}}
""",
    "parts/parameters.yaml": "- {name: limit, in: query, schema: {type: integer}}\n",
    "parts/responses.yaml": """
'200':
  description: Items
  content: {$ref: content.yaml}
""",
    "parts/content.yaml": "application/json: {schema: {type: array, items: {$ref: 'schemas.yaml#/Item'}}}\n",
    "parts/schemas.yaml": """
Item:
  type: object
  properties: {$ref: properties.yaml}
""",
    "parts/properties.yaml": "name: {type: string}\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the files."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def load_from(folder: Path) -> Contract:
    """Return the contract of the folder."""
    return load_contract(folder / "api.yaml", name="api.yaml")


def test_references_are_followed_wherever_a_mapping_stands(folder: Path) -> None:
    """Operations, lists of parameters, responses, contents, sections and properties, through several files."""
    api = load_from(folder).api

    assert (api.title, api.version) == ("Shop", "2")
    assert [(str(operation.key), operation.title) for operation in api.operations] == [
        ("#/paths/~1items/get", "List items"),
        ("#/paths/~1orders/get", "List orders"),
        ("#/paths/~1orders/post", "Place an order"),
    ]
    listed, _, create = api.operations
    assert [parameter.name for parameter in listed.parameters] == ["limit"]
    (media,) = listed.responses[0].content
    assert media.schema is not None
    assert media.schema.items is not None
    assert [property_.name for property_ in api.resolve(media.schema.items).properties] == ["name"]
    assert create.request_body is not None
    body = create.request_body.content[0].schema
    assert body is not None
    assert api.resolve(body).name == "Item"


def test_each_kind_of_part_is_one_problem(folder: Path) -> None:
    """The problem names the first place, what stands there, and how many others there are."""
    found = [finding for finding in load_from(folder).findings if finding.rule == "contract-ref-misplaced"]

    (operations,) = [finding for finding in found if "this operation" in finding.message]
    assert "also at" in operations.message
    assert sorted(finding.message.split("; ")[0].rpartition("this ")[2] for finding in found) == [
        "'content'",
        "'parameters'",
        "'properties'",
        "'schemas'",
        "info",
        "operation",
        "responses",
    ]


def test_every_file_counts_as_read(folder: Path) -> None:
    """A change of any of them is a change of the contract."""
    contract = load_from(folder)

    assert sorted(contract.source.documents()) == sorted("" if name == "api.yaml" else name for name in FILES)


def test_the_bundle_has_what_the_references_lead_to(folder: Path) -> None:
    """The published contract is whole, in one file, and conforms to the specification."""
    bundled = json.dumps(bundle(load_from(folder)))

    assert "List items" in bundled
    assert ".yaml" not in bundled


def test_internal_parts_stay_internal_behind_such_a_reference(folder: Path) -> None:
    """What is marked as internal in the file that is followed is not published."""
    (folder / "parts" / "properties.yaml").write_text(
        "name: {type: string}\nmargin: {type: integer, x-internal: true}\n"
    )

    contract = load_from(folder)

    named = [
        schema for schema in contract.api.schemas.values() if schema.name == "Item" and schema.ref is None
    ]
    assert [[member.name for member in schema.properties] for schema in named] == [["name"]]
    assert "margin" not in json.dumps(bundle(contract))


@pytest.mark.parametrize("target", ["missing.yaml", "#/x-missing", "api.yaml#/paths/~1orders/get"])
def test_a_reference_that_leads_nowhere_is_one_clear_problem(folder: Path, target: str) -> None:
    """The operation stays, empty, and the problem names the reference."""
    text = FILES["api.yaml"].replace("'#/x-operations/listOrders'", f"'{target}'")
    (folder / "api.yaml").write_text(text)

    contract = load_from(folder)

    broken = [finding for finding in contract.findings if finding.rule == "contract-ref-broken"]
    assert [str(finding.place) for finding in broken] == ["api.yaml:7:5"]
    assert target in broken[0].message
    assert contract.api.operations[1].title == "List orders"


@pytest.mark.parametrize(
    ("operation", "levels"),
    [
        ({}, []),
        ({"operationId": "listItems", "responses": {}}, []),
        ({"operation": {"summary": "List items"}}, ["error"]),
        ({"$ref": 5}, ["error"]),
        ({"summary": "List items"}, []),
        ({"responses": {"204": {"description": "None"}}}, []),
    ],
)
def test_operation_that_lost_its_content_is_an_error(
    tmp_path: Path, operation: dict[str, Any], levels: list[str]
) -> None:
    """A build fails if what is written in place of an operation reaches no page."""
    contract = {
        "openapi": "3.1.0",
        "info": {"title": "A", "version": "1"},
        "paths": {"/a": {"get": operation}},
    }
    path = tmp_path / "api.json"
    path.write_text(json.dumps(contract))

    findings = load_contract(path).findings

    assert [finding.level for finding in findings if finding.rule == "contract-operation-empty"] == levels
