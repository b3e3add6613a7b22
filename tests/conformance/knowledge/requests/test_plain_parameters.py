"""Optional parameters as FastAPI writes them: unions with null, in which null is no value of a request."""

import pytest

from devportal.conformance.knowledge.requests.plain_parameters import with_plain_parameters
from devportal.contract import Schema
from tests.contracts import contract_at

CONTRACT = """
openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /products:
    get:
      parameters:
        - {name: category, in: query, schema: {anyOf: [{$ref: '#/components/schemas/Category'}, {type: 'null'}]}}
        - {name: below, in: query, schema: {anyOf: [{type: integer, minimum: 3}, {type: 'null'}]}}
        - {name: tags, in: query, schema: {anyOf: [{type: array, items: {type: string}}, {type: 'null'}], default: []}}
        - {name: kind, in: query, schema: {allOf: [{$ref: '#/components/schemas/Category'}], default: food}}
        - {name: either, in: query, schema: {anyOf: [{type: integer}, {type: string}]}}
        - {name: search, in: query, schema: {type: string}}
      responses: {'200': {description: Fine.}}
components:
  schemas:
    Category: {type: string, enum: [tools, food]}
"""


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Schema | None]:
    """Return the schema of each parameter by its name."""
    file = tmp_path_factory.mktemp("contract") / "openapi.yaml"
    file.write_text(CONTRACT)
    (operation,) = with_plain_parameters(contract_at(file)).api.operations
    return {parameter.name: parameter.schema for parameter in operation.parameters}


def test_a_union_with_null_is_the_other_schema(schemas: dict[str, Schema | None]) -> None:
    """Types, enumerated values, bounds and items are found where they are in other contracts."""
    category, below, tags = schemas["category"], schemas["below"], schemas["tags"]

    assert category is not None
    assert (category.types, category.enum, category.nullable) == (("string",), ("tools", "food"), False)
    assert below is not None
    assert below.types == ("integer",)
    assert [(each.keyword, each.value) for each in below.constraints] == [("minimum", 3)]
    assert tags is not None
    assert (tags.types, tags.default) == (("array",), [])


def test_a_default_beside_a_reference_stays(schemas: dict[str, Schema | None]) -> None:
    """OAS 3.0 contracts write `allOf` to give a reference a default."""
    kind = schemas["kind"]

    assert kind is not None
    assert (kind.enum, kind.default) == (("tools", "food"), "food")


def test_other_schemas_stay(schemas: dict[str, Schema | None]) -> None:
    """A union of two types is one, and most parameters have a schema of their own."""
    either, search = schemas["either"], schemas["search"]

    assert either is not None
    assert len(either.any_of) == 2
    assert search is not None
    assert search.types == ("string",)
