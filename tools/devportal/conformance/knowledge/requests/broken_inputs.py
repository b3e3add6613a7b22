"""Finds where a contract forbids a request that Schemathesis generated: its parameters and body members."""

from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from devportal.conformance.deployment.exchange import Request, parse_json
from devportal.conformance.knowledge.requests.inputs import child_value, conjunction_for_value
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import ABSENT, Location, MediaType, Operation, ParameterLocation, Schema
from devportal.contract.media_types import is_json, media_type_essence
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import ValidationIssue

BODY = "body"


def broken_input_locations(
    subject: Subject, operation: Operation, request: Request, invalid_inputs: Sequence[tuple[str, str]]
) -> tuple[Location, ...]:
    """Return where the contract describes the inputs that a request gets wrong, each once.

    `invalid_inputs` are the changed parameters by location and name. Of a body, the violations are found.
    """
    parameters = {
        (str(parameter.location_in), parameter.name.lower()): parameter.location
        for parameter in operation.parameters
    }
    found = [parameters.get((where, name.lower())) for where, name in invalid_inputs]
    is_body_wrong = any(where == BODY for where, _ in invalid_inputs)
    in_body = _broken_members(subject, operation, request) if is_body_wrong else ()
    return tuple(dict.fromkeys((*(item for item in found if item is not None), *in_body)))


def missing_parameters(operation: Operation, request: Request) -> tuple[tuple[str, str], ...]:
    """Return the required headers that a request does not have, and the required parameters of the query if it has no
    query at all, each as its location and name: objects may be in a query under any name.
    """
    headers = {name.lower() for name, _ in request.headers}
    query = urlsplit(request.url).query
    return tuple(
        (parameter.location_in.value, parameter.name)
        for parameter in operation.parameters
        if parameter.required
        and (
            (parameter.location_in is ParameterLocation.HEADER and parameter.name.lower() not in headers)
            or (parameter.location_in is ParameterLocation.QUERY and not query)
        )
    )


def _broken_members(subject: Subject, operation: Operation, request: Request) -> Iterator[Location]:
    media_type = _sent_media_type(operation, request)
    if media_type is None or media_type.schema is None or not request.complete:
        return
    try:
        value = parse_json(request.body or b"")
    except ValueError:
        return
    for issue in subject.validator.violations(media_type.schema, value, Direction.REQUEST):
        yield _member_location(subject, media_type.schema, value, issue)


def _sent_media_type(operation: Operation, request: Request) -> MediaType | None:
    names = [value for name, value in request.headers if name.lower() == "content-type"]
    sent = media_type_essence(names[0]) if names else ""
    content = operation.request_content
    return next(
        (
            media_type
            for media_type in content
            if media_type.name.lower() == sent and is_json(media_type.name)
        ),
        None,
    )


def _member_location(subject: Subject, schema: Schema, value: object, issue: ValidationIssue) -> Location:
    """Return where the contract describes the member that an issue is about: the missing one if only that
    is wrong.
    """
    for step in issue.pointer:
        child = _child_schema(subject, schema, value, step)
        if child is None:
            return schema.location
        value = child_value(value, int(step) if isinstance(value, list) else step)
        schema = child
    if issue.keyword == "required" and isinstance(value, dict):
        combined = conjunction_for_value(subject, schema, value).schema
        missing = [
            property_
            for property_ in combined.properties
            if property_.required and property_.name not in value
        ]
        if missing:
            return missing[0].schema.location
    return schema.location


def _child_schema(subject: Subject, schema: Schema, value: object, step: str) -> Schema | None:
    combined = conjunction_for_value(subject, schema, value).schema
    if isinstance(value, list):
        return combined.items
    if child_value(value, step) is ABSENT:
        return None
    return next((property_.schema for property_ in combined.properties if property_.name == step), None)
