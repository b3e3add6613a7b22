"""What refusals say in the members that contracts document for errors."""

import json

from tests.contract.inline import api
from tests.mock.contracts import Client

CONTRACT = """\
paths:
  /books/{id}:
    put:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody:
        content: {application/json: {schema: {type: object, properties: {pages: {type: integer, minimum: 1}}}}}
      responses:
        '200': {description: Changed}
        default:
          description: Error
          content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
components:
  schemas:
    Problem:
      type: object
      properties:
        title: {type: string, examples: [Bad Request]}
        status: {type: integer, examples: [400]}
        type: {type: string, format: uri, default: 'about:blank', examples: ['https://example.com/errors/example']}
        instance: {type: string, format: uri}
        errors:
          type: array
          items: {type: object, properties: {location: {type: string}, message: {type: string}, value: {}}}
        violations:
          type: array
          items: {type: object, properties: {propertyPath: {type: string}, in: {type: string}}}
"""


def test_an_error_says_which_part_of_the_request_is_wrong() -> None:
    """Where it is, with its part if no other member names the place; the title is that of the status."""
    refused = Client(api(CONTRACT)).call("PUT", "/books/1", {"pages": 0})

    assert refused.status == 422
    assert json.loads(refused.body) == {
        "title": "Unprocessable Entity",
        "status": 422,
        "type": "about:blank",
        "instance": "http://127.0.0.1:8080/books/1",
        "errors": [{"location": "body.pages", "message": "0 is less than the minimum of 1", "value": {}}],
        "violations": [{"propertyPath": "pages", "in": "body"}],
    }


STRIPE = """\
paths:
  /payments:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {amount: {type: string}}}}}}
      responses:
        '201': {description: A}
        default:
          description: Error
          content: {application/json: {schema: {type: object, required: [error], properties: {error: {
            type: object, properties: {message: {type: string}, param: {type: string}, doc: {type: string}}}}}}}
"""


def test_an_error_names_its_parameter() -> None:
    """An object around it makes no difference, and what nothing is known about is left out."""
    client = Client(api(STRIPE))

    assert json.loads(client.call("POST", "/payments", {"amount": 1}).body) == {
        "error": {"message": "body.amount: 1 must be a string.", "param": "amount"}
    }
    assert json.loads(client.call("POST", "/payments", raw=b"{").body)["error"].keys() == {"message", "param"}


def test_an_error_that_requires_more_names_its_parameter_as_well() -> None:
    """Its required texts are made up: without them, the error would not be valid."""
    required = STRIPE.replace(
        "type: object, properties: {message", "type: object, required: [doc], properties: {message"
    )
    error = json.loads(Client(api(required)).call("POST", "/payments", {"amount": 1}).body)["error"]

    assert (error["message"], error["param"]) == ("body.amount: 1 must be a string.", "amount")
    assert error["doc"]


FLAGS = """\
paths:
  /books/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: A book}
        default:
          description: Error
          content:
            application/json:
              schema:
                type: object
                required: [message, is_final]
                properties:
                  message: {type: string}
                  is_final: {type: boolean}
                  retryable: {type: boolean}
                  param: {type: string, nullable: true}
                  is_error: {type: boolean, enum: [true]}
                  docs: {type: string, example: See the manual}
                  request_id: {type: string}
"""


def test_an_error_has_no_flags_and_texts_that_are_made_up() -> None:
    """A client would repeat a request because of a made-up `retryable`. What is required, or has a value, stays."""
    response = Client(api(FLAGS, version="3.0.3")).call("GET", "/books/none", prefer="code=500")
    error = json.loads(response.body)

    assert {"retryable", "param"}.isdisjoint(error)
    assert {"message", "is_final", "is_error", "docs", "request_id"} <= set(error)


def test_a_map_of_errors_has_their_places() -> None:
    """As ASP.NET Core describes validation problems: lists of texts, or one text each; other maps stay as they are."""
    maps = CONTRACT[: CONTRACT.index("        title:")]
    maps += """\
        errors: {type: object, additionalProperties: {type: array, items: {type: string}}}
        fieldErrors: {type: object, additionalProperties: {type: string}}
        labels: {type: object, additionalProperties: {type: string}, example: {a: b}}
"""

    refused = Client(api(maps)).call("PUT", "/books/1", {"pages": 0})

    assert json.loads(refused.body) == {
        "errors": {"pages": ["0 is less than the minimum of 1"]},
        "fieldErrors": {"pages": "0 is less than the minimum of 1"},
        "labels": {"a": "b"},
    }


OUTCOME = """\
paths:
  /Patient:
    post:
      requestBody:
        content: {application/json: {schema: {type: object, properties: {active: {type: boolean}}}}}
      responses:
        '201': {description: Created}
        '400':
          description: Invalid
          content: {application/json: {schema: {type: object, required: [issue], properties: {issue: {
            type: array, minItems: 1, items: {type: object, required: [severity, code], properties: {
              severity: {type: string, enum: [fatal, error, warning]}, code: {type: string, enum: [invalid, structure]},
              diagnostics: {type: string}}}}}}}}
"""


def test_an_outcome_lists_its_issues() -> None:
    """As FHIR R4 §2.36.3 has them: what is wrong is in `diagnostics`, and a rejected request is an error."""
    refused = Client(api(OUTCOME)).call("POST", "/Patient", {"active": "yes"})

    assert json.loads(refused.body)["issue"] == [
        {"severity": "error", "code": "invalid", "diagnostics": '"yes" must be true or false'}
    ]
