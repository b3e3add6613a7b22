"""The parameter of an operation whose value makes a request repeatable: a header such as `Idempotency-Key`, or a query
parameter such as `requestId` (AIP-155), if its description is about repeated requests.
"""

import re

from devportal.contract.conventions import Conventions, matches_any_name
from devportal.contract.model import Operation, Parameter, ParameterLocation

_QUERY_NAMES = ("request_id", "client_request_id", "idempotency_key", "idempotency_token", "client_token")
_OF_REPETITION = re.compile(
    r"idempoten|\b(?:repeat\w*|retr(?:y|ies|ied|ying)|duplicat\w*|twice|more than once)\b", re.IGNORECASE
)
"""Words that distinguish such a parameter from one that only names a request in logs."""


def idempotency_parameter(conventions: Conventions, operation: Operation) -> Parameter | None:
    """Return the parameter that takes the idempotency key of an operation, None if it has none."""
    for parameter in operation.parameters:
        is_header = parameter.location_in is ParameterLocation.HEADER
        if is_header and matches_any_name(parameter.name, conventions.idempotency_key):
            return parameter
    return next((parameter for parameter in operation.parameters if _is_in_query(parameter)), None)


def _is_in_query(parameter: Parameter) -> bool:
    schema = parameter.schema
    words = f"{parameter.description} {schema.description if schema is not None else ''}"
    return (
        parameter.location_in is ParameterLocation.QUERY
        and matches_any_name(parameter.name, _QUERY_NAMES)
        and _OF_REPETITION.search(words) is not None
    )
