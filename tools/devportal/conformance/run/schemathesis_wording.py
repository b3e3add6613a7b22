"""What a failed check of Schemathesis is about: the promise in the contract, and the sentence that reports show."""

from collections.abc import Iterator, Sequence

from devportal.conformance.deployment.credentials import Carrier, credential_slots
from devportal.conformance.deployment.exchange import HttpResponse
from devportal.conformance.families.security.authentication import unauthenticated_location
from devportal.conformance.knowledge.requests.broken_inputs import BODY, broken_input_locations
from devportal.conformance.knowledge.resources.created_resources import is_success
from devportal.conformance.knowledge.response_check import (
    ResponseAspect,
    ResponseMismatch,
    documented_response,
    documents_exact_status,
    documents_status,
    response_mismatches,
)
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.schemathesis.events import Case, FailedCheck
from devportal.contract import Location, Operation

ASPECTS_BY_CODE = {
    "ST103": ResponseAspect.STATUS,
    "ST104": ResponseAspect.MEDIA_TYPE,
    "ST105": ResponseAspect.MEDIA_TYPE,
    "ST106": ResponseAspect.MEDIA_TYPE,
    "ST107": ResponseAspect.HEADER,
    "ST108": ResponseAspect.BODY,
    "ST109": ResponseAspect.BODY,
    "ST110": ResponseAspect.BODY,
    "ST111": ResponseAspect.BODY,
}
"""The failure codes of Schemathesis for the shape of a response, with the part that each is about."""
HEADERS_CHECK = "response_headers_conformance"
SERVER_ERROR_CODES = frozenset({"ST101", "ST102"})
MISSING_REFUSAL_CODES = frozenset({"ST401", "ST402"})
INPUT_CODES = frozenset({*SERVER_ERROR_CODES, "ST201", "ST203"})
"""The codes of failures that a changed input of the request causes."""
MISSING_INPUT_CODES = frozenset({"ST201", "ST203"})
"""The codes of failures that an accepted request with a wrong or missing input causes."""
_CREDENTIAL_LOCATIONS = {Carrier.QUERY: "query", Carrier.COOKIE: "cookie"}
METHOD_CODES = frozenset({"ST204", "ST205"})
UNAUTHENTICATED, METHOD_NOT_ALLOWED = 401, 405
MOST_MISMATCHES = 3
"""How many mismatches of one response a message names."""
_SENTENCES = {
    "ST202": "a request that the contract allows gets {outcome}",
    "ST204": "{method}, which the path does not declare, gets {outcome}",
    "ST205": "the Allow header of the response does not list the declared methods",
    "ST301": "the resource still gets {outcome} after it was deleted",
    "ST302": "a resource that was just created gets {outcome}",
    "ST401": "a request without a valid credential gets {outcome}",
    "ST402": "a request with the credential of another account gets {outcome}",
}


def failed_aspect(failed_check: FailedCheck) -> ResponseAspect | None:
    """Return the part of a response that a failed check is about: one code covers bodies and headers."""
    if failed_check.check == HEADERS_CHECK:
        return ResponseAspect.HEADER
    return ASPECTS_BY_CODE.get(failed_check.code)


def failure_message(subject: Subject, case: Case, failed_check: FailedCheck) -> str:
    """Return a sentence about a failed check, from its code and the exchange."""
    exchange = failed_check.exchange
    operation, aspect = subject.operation(exchange.operation), failed_aspect(failed_check)
    if aspect is not None and operation is not None:
        found = _mismatches(subject, operation, aspect, exchange.answer)
        keyword = failed_check.schema_path.rpartition("/")[-1]
        messages = list(
            dict.fromkeys(
                response_mismatch.message for response_mismatch in _of_keyword(keyword, list(found))
            )
        )
        messages = messages[:MOST_MISMATCHES]
        return "; ".join(messages) or _unmatched_message(aspect, failed_check)
    if failed_check.code in INPUT_CODES:
        return f"{_request_text(case)} gets {exchange.outcome}"
    if failed_check.code == "ST204" and exchange.status == METHOD_NOT_ALLOWED:
        return f"the 405 to {exchange.request.method} has no Allow header (RFC 9110 §15.5.6)"
    if failed_check.code == "ST202" and operation is not None and _lacks_optional_body(operation, case):
        return (
            f"a request without a body, which the contract allows, gets {exchange.outcome}: write "
            "`required: true` in its `requestBody` if one is needed"
        )
    sentence = _SENTENCES.get(failed_check.code, "the response is {outcome}")
    return sentence.format(method=exchange.request.method, outcome=exchange.outcome)


def _lacks_optional_body(operation: Operation, case: Case) -> bool:
    body = operation.request_body
    return body is not None and not body.required and not case.exchange.request.body


def promise_locations(
    subject: Subject, operation: Operation, case: Case, failed_check: FailedCheck
) -> tuple[Location, ...]:
    """Return the locations of the promise that a failed check breaks: several if the case changes several
    inputs, of which one may be the cause.
    """
    exchange, aspect = failed_check.exchange, failed_aspect(failed_check)
    if failed_check.code == "ST401" or _is_about_credential(subject, operation, case, failed_check):
        return (unauthenticated_location(operation),)
    response = documented_response(operation, exchange.status)
    promised = _promised_status(operation, failed_check.code)
    refusal = documented_response(operation, promised) if promised else None
    if refusal is not None:
        return (refusal.location,)
    if aspect is not None:
        found = next(_mismatches(subject, operation, aspect, exchange.answer), None)
        if found is not None:
            return (found.promise,)
        return (response.location if response is not None else operation.location.child("responses"),)
    broken = (
        broken_input_locations(subject, operation, exchange.request, case.invalid_inputs)
        if failed_check.code in INPUT_CODES
        else ()
    )
    is_about_body = failed_check.code in {*INPUT_CODES, "ST202"} and operation.request_body is not None
    return broken or (
        operation.request_body.location
        if is_about_body and operation.request_body is not None
        else operation.location,
    )


def _is_about_credential(
    subject: Subject, operation: Operation, case: Case, failed_check: FailedCheck
) -> bool:
    """Return whether a request was accepted with wrong values only where a credential belongs: some contracts
    declare the header of a credential as a parameter too.
    """
    if failed_check.code not in MISSING_INPUT_CODES or not is_success(failed_check.exchange):
        return False
    places = {
        (_CREDENTIAL_LOCATIONS.get(slot.carrier, "header"), slot.name.lower())
        for slot in credential_slots(subject.api, operation) or ()
    }
    changed = {(where, name.lower()) for where, name in case.invalid_inputs}
    return bool(changed) and changed <= places


def _promised_status(operation: Operation, code: str) -> int:
    """Return the status that a response should have by the code of its failure; 0 if none is documented."""
    if code in MISSING_REFUSAL_CODES and documents_status(operation, UNAUTHENTICATED):
        return UNAUTHENTICATED
    if code in METHOD_CODES and documents_exact_status(operation, METHOD_NOT_ALLOWED):
        return METHOD_NOT_ALLOWED
    return 0


def one_location_each(candidates: Sequence[tuple[Location, ...]]) -> Iterator[Location]:
    """Yield one of the possible locations of each failure: one that is the only one of another, if any."""
    proven = {candidate[0] for candidate in candidates if len(candidate) == 1}
    for candidate in candidates:
        yield next((location for location in candidate if location in proven), candidate[0])


def _mismatches(
    subject: Subject, operation: Operation, aspect: ResponseAspect, response: HttpResponse | None
) -> Iterator[ResponseMismatch]:
    if response is not None:
        found = response_mismatches(subject.validator, operation, response)
        yield from (response_mismatch for response_mismatch in found if response_mismatch.aspect is aspect)


def _of_keyword(keyword: str, mismatches: Sequence[ResponseMismatch]) -> Sequence[ResponseMismatch]:
    """Return the mismatches of a keyword of a schema, or all if there is none."""
    return [
        mismatch for mismatch in mismatches if mismatch.keyword and mismatch.keyword == keyword
    ] or mismatches


def _unmatched_message(aspect: ResponseAspect, failed_check: FailedCheck) -> str:
    where = f" (at {failed_check.schema_path} of its schema)" if failed_check.schema_path else ""
    return f"the {aspect.value.replace('-', ' ')} of the response is not as documented{where}"


def _request_text(case: Case) -> str:
    """Return what is wrong with the request of a case: the changed inputs, and the rules that they break."""
    names = [
        "body" if where == BODY else f"{where} {name!r}" for where, name in dict.fromkeys(case.invalid_inputs)
    ]
    rules = f" ({', '.join(case.broken_rules)})" if case.broken_rules else ""
    if names:
        return f"a request with an invalid {' and '.join(names)}{rules}"
    return "a request that the contract allows" if case.exchange.is_valid else f"an invalid request{rules}"
