"""What a stability rests on is read wherever a stability may stand, in every version, through references."""

from pathlib import Path

import pytest

from devportal.contract import Api, Grounds
from tests.contract.inline import HEAD, api, reading_findings, schema, write

EVERYWHERE = """\
tags: [{name: t, x-source: tag}]
servers: [{url: https://a.example, x-source: server}]
x-problem-types: [{type: a, title: A, status: 400, x-source: problem}]
paths:
  /things:
    x-source: path item
    get:
      operationId: list
      parameters: [{name: q, in: query, schema: {type: string}, x-source: parameter}]
      requestBody: {content: {text/plain: {x-source: media type}}, x-source: request body}
      responses:
        '200':
          description: Things
          headers: {X-A: {schema: {type: string}, x-source: header}}
          links: {next: {operationId: list, x-source: link}}
          x-source: response
    post:
      operationId: add
      x-source: operation
      responses: {'200': {description: Things}}
x-webhooks:
  done: {post: {x-source: event, responses: {'200': {description: Seen}}}}
components:
  schemas: {S: {type: object, properties: {p: {type: string, x-source: property}}, x-source: schema}}
  securitySchemes: {key: {type: http, scheme: bearer, x-source: scheme}}
"""
USING = """\
paths:
  /a:
    get:
      parameters: [{$ref: 'common.yaml#/components/parameters/P'}]
      responses: {'400': {$ref: 'common.yaml#/components/responses/R'}}
"""


def sources(read: Api) -> list[str]:
    """Return the sources of all parts of a contract that has one of each kind."""
    get, post = read.operations
    (shared,) = read.schemas.values()
    assert get.request_body is not None
    (event,) = read.webhooks[0].operations
    parts = (
        *(get, post, event, get.parameters[0], get.request_body, get.request_body.content[0]),
        *(get.responses[0], get.responses[0].headers[0], get.responses[0].links[0]),
        *(shared, shared.properties[0].schema),
        *(read.tags[0], read.servers[0], read.problem_types[0], read.security_schemes[0]),
    )
    return [source for part in parts if part.grounds for source in part.grounds.sources]


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_grounds_are_read_wherever_a_stability_may_stand(version: str, tmp_path: Path) -> None:
    """An operation without any of its own has those of its path."""
    read = write(tmp_path, {"api.yaml": HEAD.format(version=version) + EVERYWHERE}).api

    assert sources(read) == [
        "path item", "operation", "event", "parameter", "request body", "media type",
        "response", "header", "link", "schema", "property", "tag", "server", "problem", "scheme",
    ]  # fmt: skip


def test_grounds_are_those_of_what_a_reference_leads_to(tmp_path: Path) -> None:
    """Parts of other files bring theirs along."""
    read = write(
        tmp_path,
        {
            "api.yaml": HEAD.format(version="3.0.3") + USING,
            "common.yaml": """\
            components:
              parameters: {P: {name: p, in: query, schema: {type: string}, x-decision: '0007'}}
              responses: {R: {description: Bad, x-source: Errors 1}}
            """,
        },
    ).api

    (one,) = read.operations
    assert one.parameters[0].grounds == Grounds(decisions=("0007",))
    assert one.responses[0].grounds == Grounds(sources=("Errors 1",))


@pytest.mark.parametrize(
    ("written", "decisions"),
    [("'0007'", ("0007",)), ("['0007', ' 8 ']", ("0007", "8")), ("12", ("12",)), ("[]", ()), ("''", ())],
)
def test_grounds_are_one_or_more(written: str, decisions: tuple[str, ...]) -> None:
    """Those that say nothing are none."""
    found = schema(f"type: string\nx-decision: {written}").grounds

    assert found == (Grounds(decisions=decisions) if decisions else None)


@pytest.mark.parametrize(("written", "where"), [("{a: 1}", "9:28"), ("[1]", "9:41")])
def test_malformed_grounds_are_found_at_their_place(written: str, where: str) -> None:
    """They are read as if they were absent."""
    found = reading_findings(f"components: {{schemas: {{S: {{x-decision: {written}}}}}}}")

    assert [(rule, place) for rule, place, _ in found] == [("contract-shape", where)]


def test_what_stands_beside_a_reference_has_grounds_too() -> None:
    """From OAS 3.1 on it is one more schema."""
    read = api(
        """\
        components:
          schemas:
            A: {$ref: '#/components/schemas/B', x-source: beside}
            B: {type: string, x-source: behind}
        """
    )

    beside, behind = (read.resolve(subschema).grounds for subschema in read.schemas.values())
    assert (beside, behind) == (Grounds(sources=("beside",)), Grounds(sources=("behind",)))
