"""Bodies of one of several subtypes, whose parent has the discriminator."""

import pytest

from tests.contract.inline import api
from tests.mock.contracts import Client

CONTRACT = """\
paths:
  /pets:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]}
      responses:
        '200': {description: A pet}
        '422': {description: Not a pet}
components:
  schemas:
    Pet:
      type: object
      required: [kind]
      properties: {kind: {type: string}, name: {type: string}}
      discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog'}}
    Cat:
      allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {lives: {type: integer}}}]
    Dog:
      allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {breed: {type: string}}}]
"""


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"kind": "cat", "lives": 9}, 200),
        ({"kind": "dog", "name": "Rex"}, 200),
        ({"kind": "cat", "lives": "nine"}, 422),
        ({"kind": "bird"}, 422),
        ({"lives": 9}, 422),
    ],
)
def test_discriminator_of_the_parent_selects_the_subtype(body: dict[str, object], status: int) -> None:
    """An object may fit the others too, as with springdoc, whose subtypes need no member of theirs."""
    assert Client(api(CONTRACT)).call("POST", "/pets", body).status == status


def test_without_values_in_the_discriminator_any_subtype_fits() -> None:
    """Their names may be spelled otherwise."""
    text = CONTRACT[: CONTRACT.index(", mapping:")] + "}\n" + CONTRACT[CONTRACT.index("    Cat:") :]

    assert Client(api(text)).call("POST", "/pets", {"kind": "CAT", "lives": 9}).status == 200
