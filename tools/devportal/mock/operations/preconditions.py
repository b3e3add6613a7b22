"""Conditions of requests on the version of a resource (RFC 9110 §13.1)."""

from devportal.conformance.knowledge.requests.conditions import PRECONDITION_REQUIRED, needs_condition
from devportal.conformance.knowledge.response_check import documented_response, documents_exact_status
from devportal.contract import Operation, ParameterLocation, Response
from devportal.mock.http.exchange import Refused
from devportal.mock.operations.call import Call


def refuse_precondition(call: Call, etag: str | None) -> None:
    """Raise Refused (412) if `If-Match` or `If-None-Match` of a change does not hold, and (428) if the contract
    requires `If-Match`. There is no `etag` of what does not exist.
    """
    if_match, if_none_match = call.request.header("if-match"), call.request.header("if-none-match")
    is_required = documents_exact_status(call.operation, PRECONDITION_REQUIRED) and needs_condition(
        call.operation
    )
    if if_match is None and is_required and takes_header(call.operation, "if-match"):
        raise Refused(
            PRECONDITION_REQUIRED, detail="The change needs If-Match with the ETag of the resource."
        )
    documents = documented_response(call.operation, 412) is not None or takes_header(
        call.operation, "if-match"
    )
    if if_match is not None and documents and not _matches_tag(if_match, etag, is_weak=False):
        raise Refused(412, 409, 400, detail="The resource has changed: If-Match names another version.")
    if (
        if_none_match is not None
        and takes_header(call.operation, "if-none-match")
        and _matches_tag(if_none_match, etag, is_weak=True)
    ):
        raise Refused(412, 409, 400, detail="The resource exists already: If-None-Match names it.")


def not_modified(call: Call, etag: str) -> Response | None:
    """Return the response with status 304 if the client has this version, and the contract documents it
    (RFC 9110 §15.4.5).
    """
    given = call.request.header("if-none-match")
    response = next((response for response in call.operation.responses if response.status == "304"), None)
    return response if given is not None and _matches_tag(given, etag, is_weak=True) else None


def takes_header(operation: Operation, header: str) -> bool:
    """Say whether an operation has a header in lower case as a parameter."""
    return any(
        parameter.location_in is ParameterLocation.HEADER and parameter.name.lower() == header
        for parameter in operation.parameters
    )


def _matches_tag(header: str, etag: str | None, *, is_weak: bool) -> bool:
    """Say whether a list of tags names a version (RFC 9110 §8.8.3.2)."""
    if header.strip() == "*":
        return etag is not None
    tags = [part.strip() for part in header.split(",")]
    plain = [tag.removeprefix("W/") if is_weak else tag for tag in tags]
    return etag is not None and etag in plain
