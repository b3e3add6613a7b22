# ruff: noqa: E501 - a contract
"""Which words of a contract reject periods that overlap."""

import pytest

from devportal.conformance.families.creations.overlaps import overlap_probes
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

CONTRACT = """\
paths:
  /employees:
    post:
      requestBody: {{content: {{application/json: {{schema: {{type: object, properties: {{name: {{type: string}}}}}}}}}}}}
      responses: {{'201': {{description: ok, content: {{application/json: {{schema: {{$ref: '#/components/schemas/E'}}}}}}}}}}
  /employees/{{employee_id}}:
    get:
      parameters: [{{name: employee_id, in: path, required: true, schema: {{type: integer}}}}]
      responses: {{'200': {{description: ok, content: {{application/json: {{schema: {{$ref: '#/components/schemas/E'}}}}}}}}}}
  /leaves:
    post:
      description: "{description}"
      requestBody: {{content: {{application/json: {{schema: {{$ref: '#/components/schemas/New'}}}}}}}}
      responses:
        '201': {{description: ok, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Leave'}}}}}}}}
        '409': {{description: Conflict.}}
        '422': {{description: '`ends_on` is before `starts_on`.'}}
  /leaves/{{id}}:
    get:
      parameters: [{{name: id, in: path, required: true, schema: {{type: integer}}}}]
      responses: {{'200': {{description: ok, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Leave'}}}}}}}}}}
components:
  schemas:
    E: {{type: object, properties: {{id: {{type: integer}}}}}}
    New:
      type: object
      required: [employee_id, starts_on, ends_on]
      properties:
        employee_id: {{type: integer}}
        starts_on: {{type: string, format: date}}
        ends_on: {{type: string, format: date, description: Not before `starts_on`.}}
    Leave:
      type: object
      properties:
        id: {{type: integer}}
        employee_id: {{type: integer}}
        starts_on: {{type: string, format: date}}
        ends_on: {{type: string, format: date}}
        status: {{type: string, enum: [pending, approved, rejected, withdrawn]}}
"""


@pytest.mark.parametrize(
    ("description", "is_rule"),
    [
        ("The periods of one employee must not overlap.", True),
        (
            "A new one is `pending`. Periods must not overlap, except those that were rejected or withdrawn.",
            True,
        ),
        ("A new one is `pending`. Periods must not overlap, except those that are pending.", False),
        ("Periods must not overlap, except those that were rejected.", False),
        ("A new one is `pending`. Periods must not overlap, except those that were agreed on.", False),
        ("Periods must not overlap, except in summer.", False),
    ],
)
def test_periods_that_must_not_overlap(description: str, *, is_rule: bool) -> None:
    """An exception for states that nothing new has leaves the rule as it is."""
    subject = subject_of_contract(contract(CONTRACT.format(description=description)))

    assert bool([*overlap_probes(subject)]) is is_rule
