"""Checks of a contract beyond reading it: the OAS is kept, and every example keeps its schema."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jsonschema_path import SchemaPath
from openapi_spec_validator import (
    OpenAPIV30SpecValidator,
    OpenAPIV31SpecValidator,
    OpenAPIV32SpecValidator,
)

from devportal.contract.json_schema import Direction
from devportal.contract.load import Contract
from devportal.contract.model import Example, Header, MediaType, Operation, Parameter
from devportal.contract.schemas import Location, Schema
from devportal.contract.validation import Validator
from devportal.documents import Document
from devportal.errors import Place
from devportal.findings import Finding, Level, in_order

_VALIDATORS = {
    "3.0": OpenAPIV30SpecValidator,
    "3.1": OpenAPIV31SpecValidator,
    "3.2": OpenAPIV32SpecValidator,
}
_MOST = 200
"""Violations of the OAS that are reported at most: one wrong key can break every operation."""


def check_contract(contract: Contract, *, cache: Path | None = None) -> tuple[Finding, ...]:
    """Return everything that is wrong with a contract: on reading, against the OAS, and in its examples.

    The verdict of the OAS validator takes seconds on large contracts, so it is kept in the folder `cache`
    under the contract's digest.
    """
    findings = [*contract.findings, *_validity(contract, cache), *check_examples(contract)]
    return in_order(findings)


def _validity(contract: Contract, cache: Path | None) -> Sequence[Finding]:
    if any(finding.rule.startswith("contract-ref") for finding in contract.findings):
        return ()  # the validator would only fail on the same references, without saying where
    key = f"{contract.digest}-{version('openapi-spec-validator')}.json"
    file = cache / key if cache is not None else None
    root = contract.source.documents()[""].name
    if file is not None and file.is_file():
        return tuple(_restored(row, root) for row in json.loads(file.read_text(encoding="utf-8")))
    findings = tuple(_violations(contract))
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps([_stored(finding, root) for finding in findings]), encoding="utf-8")
    return findings


def _stored(finding: Finding, root: str) -> dict[str, Any]:
    """Return a finding without the file's name, which is not part of what its content decides."""
    row = asdict(finding)
    row["place"]["file"] = row["place"]["file"].removeprefix(root)
    return row


def _restored(row: dict[str, Any], root: str) -> Finding:
    place = row["place"]
    return Finding(
        rule=row["rule"],
        level=Level(row["level"]),
        place=Place(file=place["file"] or root, line=place["line"], column=place["column"]),
        message=row["message"],
        help=row["help"],
    )


def _violations(contract: Contract) -> Iterator[Finding]:
    documents = contract.source.documents()
    root = documents[""]
    known = {finding.place for finding in contract.findings}
    validator = _VALIDATORS[contract.api.openapi[:3]](_schema_path(root, documents))
    try:
        for number, error in enumerate(validator.iter_errors()):
            place = root.place(tuple(str(step) for step in error.absolute_path))
            if place not in known and number < _MOST:
                yield _finding(place, error.message)
    except Exception as error:  # noqa: BLE001 - whatever it trips over, the other checks go on
        yield _finding(
            root.place(), f"the OAS validator could not read this: {type(error).__name__}: {error}"
        )


def _finding(place: Place, message: str) -> Finding:
    short = message if len(message) <= 300 else message[:297] + "…"
    return Finding(
        rule="contract-invalid",
        level=Level.ERROR,
        place=place,
        message=short,
        help="compare with the OpenAPI Specification",
    )


def _schema_path(root: Document, documents: Any) -> SchemaPath:
    """Return the document for the validator; other files come from what was read, never from the network."""
    base = "contract:///root/openapi"

    def read(uri: str) -> Any:
        return documents[uri.removeprefix("contract:///root/")].data

    return SchemaPath.from_dict(root.data, base_uri=base, handlers={"contract": read})


def check_examples(contract: Contract) -> Iterator[Finding]:
    """Yield each example that does not keep its schema, with the place in the example."""
    validator = Validator(contract.api)
    seen: set[Location] = set()
    requests = [one for event in contract.api.webhooks for one in event.operations]
    for operation in (*contract.api.operations, *requests):
        for example, schema, direction in _examples_of(operation):
            if example.location not in seen:
                seen.add(example.location)
                yield from _check(contract, validator, example, schema, direction)
    for schema in contract.api.schemas.values():
        for number, value in enumerate(schema.examples):
            directions = [one for one in Direction if validator.is_valid(schema, value, one)]
            if not directions:
                lone = "example" if number == 0 else "examples"
                example = Example(name="", value=value, location=schema.location.child(lone))
                yield from _check(contract, validator, example, schema, Direction.RESPONSE)


def _examples_of(operation: Operation) -> Iterator[tuple[Example, Schema, Direction]]:
    for parameter in operation.parameters:
        yield from _of_named(parameter, Direction.REQUEST)
    for media in operation.request_body.content if operation.request_body else ():
        yield from _of_media(media, Direction.REQUEST)
    for response in operation.responses:
        for header in response.headers:
            yield from _of_named(header, Direction.RESPONSE)
        for media in response.content:
            yield from _of_media(media, Direction.RESPONSE)
    for callback in operation.callbacks:
        for request in callback.operations:
            yield from _examples_of(request)


def _of_named(named: Parameter | Header, direction: Direction) -> Iterator[tuple[Example, Schema, Direction]]:
    if named.schema is not None:
        for example in named.examples:
            yield example, named.schema, direction


def _of_media(media: MediaType, direction: Direction) -> Iterator[tuple[Example, Schema, Direction]]:
    """Yield the examples of a body; text in a media type that is not JSON is no value to validate."""
    for example in media.examples:
        is_text = isinstance(example.value, str) and "json" not in media.name
        if media.schema is not None and not example.external and not is_text:
            yield example, media.schema, direction


def _check(
    contract: Contract, validator: Validator, example: Example, schema: Schema, direction: Direction
) -> Iterator[Finding]:
    label = f"the example {example.name!r}" if example.name else "this example"
    for violation in validator.violations(schema, example.value, direction):
        inside = example.location.child("value") if example.name else example.location
        yield Finding(
            rule="contract-example",
            level=Level.ERROR,
            place=contract.place(inside.child(*violation.pointer)),
            message=f"{label} breaks its schema: {violation.message[:240]}",
            help="mend the example, or the schema if the example is right",
        )
