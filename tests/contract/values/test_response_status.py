"""The status of a response in the sample of its body."""

from typing import Any

import pytest

from devportal.contract import Api
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.response_status import with_response_status
from devportal.contract.values.synthesis import sample_value
from tests.contract.inline import api

API = api("""\
components:
  schemas:
    Problem:
      type: object
      required: [type, title, status]
      properties:
        type: {type: string, example: 'https://example.com/invalid'}
        title: {type: string, example: Bad Request}
        status: {type: integer, example: 400}
        detail: {type: string, example: The field is invalid.}
    Free:
      type: object
      properties: {type: {type: string}, title: {type: string}, status: {type: integer}}
    OnlyTitle:
      type: object
      properties: {title: {type: string, example: Not Found}}
    Fixed:
      type: object
      properties:
        type: {const: 'https://example.com/gone'}
        title: {const: Gone}
        status: {type: integer, example: 400}
    Named:
      allOf:
      - type: object
        example: {type: 'https://example.com/credit', title: No credit, status: 403}
    Nested:
      type: object
      properties:
        error:
          type: object
          properties: {code: {type: integer, example: 404}, number: {type: integer, example: 404}}
    Envelope:
      oneOf:
      - type: object
        required: [status, upstream]
        properties:
          status: {type: integer, description: The HTTP status code of this response., example: 200}
          upstream: {type: integer, description: The HTTP status code of the carrier., example: 200}
    Listed:
      type: object
      properties:
        errors:
          type: array
          minItems: 1
          items:
            type: object
            required: [status]
            properties: {status: {type: string, description: 'HTTP status code, as text'}}
    Order:
      type: object
      properties: {status: {type: integer, example: 404}, code: {type: integer, example: 7}}
    Text: {type: string, example: no}
x-problem-types:
- {type: 'https://example.com/state', title: Wrong state, status: 409, description: x}
""")
JSON, PROBLEM = "application/json", "application/problem+json"


def sample_at(name: str, media_type: str, status: str, contract: Api = API) -> Any:
    """Return the sample of a schema in a response."""
    schema = next(schema for schema in contract.schemas.values() if schema.name == name)
    sample = sample_value(contract, schema, Direction.RESPONSE).value
    return with_response_status(contract, schema, media_type, sample, status)


INVALID = {
    "type": "https://example.com/invalid",
    "title": "Bad Request",
    "status": 400,
    "detail": "The field is invalid.",
}


@pytest.mark.parametrize(
    ("name", "media_type", "status", "value"),
    [
        ("Problem", PROBLEM, "400", INVALID),
        ("Problem", PROBLEM, "401", {"type": "about:blank", "title": "Unauthorized", "status": 401}),
        ("Problem", JSON, "404", {"type": "about:blank", "title": "Not Found", "status": 404}),
        ("Problem", PROBLEM, "420", {"type": "about:blank", "title": "Error", "status": 420}),
        (
            "Problem",
            PROBLEM,
            "409",
            {"type": "https://example.com/state", "title": "Wrong state", "status": 409},
        ),
        ("Problem", PROBLEM, "4XX", INVALID),
        ("Problem", PROBLEM, "default", INVALID),
        ("Free", JSON, "429", {"type": "about:blank", "title": "Too Many Requests", "status": 429}),
        ("OnlyTitle", PROBLEM, "401", {"title": "Unauthorized"}),
        ("OnlyTitle", JSON, "401", {"title": "Not Found"}),
        ("Fixed", PROBLEM, "410", {"type": "https://example.com/gone", "title": "Gone", "status": 410}),
        (
            "Named",
            PROBLEM,
            "403",
            {"type": "https://example.com/credit", "title": "No credit", "status": 403},
        ),
        ("Named", PROBLEM, "500", {"type": "about:blank", "title": "Internal Server Error", "status": 500}),
        ("Nested", JSON, "409", {"error": {"code": 409, "number": 404}}),
        ("Envelope", JSON, "201", {"status": 201, "upstream": 200}),
        ("Listed", JSON, "422", {"errors": [{"status": "422"}]}),
        ("Order", JSON, "200", {"status": 404, "code": 7}),
        ("Order", JSON, "409", {"status": 409, "code": 7}),
        ("Text", JSON, "409", "no"),
    ],
)
def test_a_sample_shows_the_status_of_its_response(
    name: str, media_type: str, status: str, value: Any
) -> None:
    """What the schema fixes, what is of no error and what is no status stays."""
    assert sample_at(name, media_type, status) == value
