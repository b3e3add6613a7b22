"""Objects in a query whose members are parameters on the wire."""

import pytest

from devportal.contract.conventions import default_conventions
from devportal.contract.resources.flat_parameters import flat_parameters, has_paging_object
from tests.contract.inline import api

PAGEABLE = "{type: object, required: [size], properties: {page: {type: integer}, size: {type: integer}}}"


@pytest.mark.parametrize(
    ("parameter", "names", "decides_page"),
    [
        (f"{{name: pageable, in: query, required: true, schema: {PAGEABLE}}}", ["page", "size"], True),
        (f"{{name: filter, in: query, style: deepObject, schema: {PAGEABLE}}}", ["filter"], False),
        (f"{{name: filter, in: query, explode: false, schema: {PAGEABLE}}}", ["filter"], False),
        (f"{{name: X-Page, in: header, schema: {PAGEABLE}}}", ["X-Page"], False),
        ("{name: page, in: query, schema: {type: integer}}", ["page"], False),
        ("{name: f, in: query, schema: {type: object, properties: {size: {}}}}", ["size"], False),
    ],
)
def test_members_of_an_exploded_object_are_parameters(
    parameter: str,
    names: list[str],
    decides_page: bool,  # noqa: FBT001 - a case
) -> None:
    """Of other styles and places the object is one parameter. A page of its own is seen by everyone."""
    contract = api(
        f"paths: {{/a: {{get: {{parameters: [{parameter}], responses: {{'200': {{description: OK}}}}}}}}}}\n"
    )
    operation = contract.operations[0]

    assert [found.name for found in flat_parameters(contract, operation)] == names
    assert has_paging_object(contract, default_conventions(), operation) is decides_page
