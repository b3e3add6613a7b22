"""The settings of a Schemathesis run, generated from the options and the contract.

Measurements led to the fixed ones: no example database and a fixed seed (a seed alone does not reproduce),
warnings fail the run, the run continues after a failure, reports are sanitised, a 429 with Retry-After slows
the run down instead of failing it. The hooks (`recorder`) enforce the rate limit and a read-only run.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from devportal.conformance.deployment.credentials import Carrier, credential_slots
from devportal.conformance.deployment.http_connection import ConnectionSettings
from devportal.conformance.knowledge.requests.path_values import known_path_value
from devportal.conformance.knowledge.requests.valid_request import ANY_VERSION, takes_any_version
from devportal.conformance.knowledge.response_check import documented_response, documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.run.options import PHASES, Options
from devportal.contract import Api, Operation, Parameter, ParameterLocation
from devportal.contract.conventions import Conventions, matches_any_name
from devportal.contract.validate.json_schema import Direction

TOKEN_VARIABLE = "DEVPORTAL_CONFORMANCE_TOKEN"
BEARER_VARIABLE = "DEVPORTAL_CONFORMANCE_BEARER_TOKEN"
USER_VARIABLE = "DEVPORTAL_CONFORMANCE_USER"
PASSWORD_VARIABLE = "DEVPORTAL_CONFORMANCE_PASSWORD"
HOOKS_MODULE = "devportal_conformance_hooks"
REPORT_FILE = "report.json"
TRUST_FILE = "trust.pem"
"""The file of trusted authorities, beside the settings."""

ALWAYS_ACCEPTABLE: tuple[int | str, ...] = ("2XX", "3XX", 401, 403, 404, 409, 429, "5XX")
"""Responses to valid data that other checks cover, or that depend on state: Schemathesis' own default."""
REJECTED = ("4XX", "5XX")
"""Any 4xx rejects invalid data. Other checks cover undocumented statuses and 5xx."""
NON_REFUSAL_STATUSES = frozenset({"405", "406", "411", "414", "415", "431"})
"""Statuses that no business rule on valid data can have."""
CLIENT_ERRORS = range(400, 500)
"""The statuses of client errors (RFC 9110 §15.5)."""


UNEXPECTED_METHODS = ("OPTIONS", "QUERY", "TRACE")
"""The methods that Schemathesis sends to paths without them. Our family `methods` sends the others, and to a
new resource.
"""
KNOWN_VALUE_PROBABILITY = 0.5
"""The share of generated cases that request an existing resource; the others look for failures."""


def schemathesis_settings(subject: Subject, options: Options) -> dict[str, Any]:
    """Return the content of schemathesis.toml. Secrets are named by variables, never written.

    `max-time` is not set: with it Schemathesis generates data until the time is over.
    """
    operations = subject.operations
    return {
        **_connection_settings(options.connection),
        "base-url": options.url,
        "hooks": HOOKS_MODULE,
        "seed": options.seed,
        "workers": 1,
        "continue-on-failure": True,
        "request-timeout": options.policy.timeout_s,
        "max-redirects": 0,
        "rate-limit": "auto",
        "color": False,
        # A path whose only parameter is any text has hardly an invalid value: that is not a problem of the deployment.
        "suppress-health-check": ["filter_too_much"],
        "generation": {"database": "none", "max-examples": options.profile.max_examples},
        "phases": _phase_settings(subject, options),
        "dictionaries": {
            _dictionary_name(operation, parameter): {"values": [_typed_value(subject, parameter, value)]}
            for operation in operations
            for parameter, value in _known_values(subject, operation)
        },
        "warnings": {"fail-on": True},
        "output": {"sanitization": {"enabled": True}},
        "cache": {"enabled": False},
        "reports": {"json": {"path": REPORT_FILE}},
        **_credential_settings(subject.api, operations, has_token=bool(subject.secret)),
        "checks": {
            "negative_data_rejection": {"expected-statuses": list(REJECTED)},
            "missing_required_header": {"expected-statuses": list(REJECTED)},
        },
        "operations": [_operation_settings(subject, operation) for operation in operations],
    }


def acceptable_statuses(operation: Operation, conventions: Conventions) -> tuple[int | str, ...]:
    """Return the statuses that valid data may get: success, and the documented rejections.

    If both 400 and 422 are documented, 400 is for unreadable requests, and valid data is readable, except for a
    cursor, which only the deployment can write. What is not declared itself is covered by `default`, whatever its
    meaning (OAS 3.1.1 §4.8.16).
    """
    documented = {response.status.upper() for response in operation.responses}
    refusals = {text for text in documented if text.startswith("4")} - NON_REFUSAL_STATUSES
    takes_cursor = any(
        matches_any_name(parameter.name, conventions.cursor) for parameter in operation.parameters
    )
    if "422" in documented and not takes_cursor:
        refusals.discard("400")
    if "DEFAULT" in documented:
        undeclared = {str(status) for status in CLIENT_ERRORS} - documented
        refusals |= undeclared if any(text in documented for text in map(str, CLIENT_ERRORS)) else {"4XX"}
    extra = [int(refusal) if refusal.isdigit() else refusal for refusal in sorted(refusals)]
    return (*ALWAYS_ACCEPTABLE, *(number for number in extra if number not in ALWAYS_ACCEPTABLE))


def refuses_valid_data(operation: Operation, conventions: Conventions) -> bool:
    """Return whether the contract lets the operation refuse valid data."""
    return len(acceptable_statuses(operation, conventions)) > len(ALWAYS_ACCEPTABLE)


def always_succeeds(operation: Operation) -> bool:
    """Return whether a deletion always succeeds: nothing is documented for a missing resource, and no
    identifier is invalid (RFC 9110 §9.2.2).
    """
    refusals = (documented_response(operation, status) for status in (400, 404, 410, 422))
    return operation.method == "DELETE" and not any(refusals)


def to_toml(values: Mapping[str, Any]) -> str:
    """Return a mapping of scalars, lists, mappings and lists of mappings as TOML 1.0."""
    return "\n".join(_toml_lines(values, ())) + "\n"


def _connection_settings(connection: ConnectionSettings) -> dict[str, Any]:
    files = {"request-cert": connection.certificate, "request-cert-key": connection.key}
    named = {name: str(path.resolve()) for name, path in files.items() if path is not None}
    trust = {"tls-verify": TRUST_FILE} if connection.authority is not None else {}
    return {**named, **trust, **({"proxy": connection.proxy} if connection.proxy else {})}


def _phase_settings(subject: Subject, options: Options) -> dict[str, Any]:
    phases: dict[str, Any] = {phase: {"enabled": phase in options.profile.phases} for phase in PHASES}
    if options.policy.is_read_only:
        phases["coverage"]["unexpected-methods"] = []
    elif all(subject.valid(operation) is not None for operation in subject.operations):
        phases["coverage"]["unexpected-methods"] = [*UNEXPECTED_METHODS]
    return phases


def _known_values(subject: Subject, operation: Operation) -> Iterator[tuple[Parameter, str]]:
    """Yield each parameter that a value is known for, with it."""
    for parameter in operation.parameters:
        if takes_any_version(subject.api, parameter):
            yield parameter, ANY_VERSION
        value = subject.values.get(parameter.name)
        if value is None and parameter.location_in is ParameterLocation.PATH:
            value = known_path_value(operation, parameter, subject.values)
        if value is not None and parameter.location_in in (ParameterLocation.PATH, ParameterLocation.QUERY):
            yield parameter, value


def _typed_value(subject: Subject, parameter: Parameter, text: str) -> str | int:
    """Return a value as its schema has it: Schemathesis takes the text of a number for an invalid value."""
    is_number = text.isascii() and text.isdigit() and str(int(text)) == text
    if not is_number or parameter.schema is None:
        return text
    is_text = subject.validator.is_valid(parameter.schema, text, Direction.REQUEST)
    return text if is_text else int(text)


def _dictionary_name(operation: Operation, parameter: Parameter) -> str:
    """Return the name of the dictionary that holds the value of a parameter."""
    return f"{operation_label(operation)} {parameter.location_in} {parameter.name}"


def _operation_settings(subject: Subject, operation: Operation) -> dict[str, Any]:
    wrong_method = any(
        documents_exact_status(neighbour, 405)
        for neighbour in subject.operations
        if neighbour.path == operation.path
    )
    return {
        "include-name": operation_label(operation),
        "parameters": {
            f"{parameter.location_in}.{parameter.name}": {
                "dictionary": _dictionary_name(operation, parameter),
                "probability": KNOWN_VALUE_PROBABILITY,
            }
            for parameter, _ in _known_values(subject, operation)
        },
        "checks": {
            "positive_data_acceptance": {
                "expected-statuses": list(acceptable_statuses(operation, subject.conventions))
            },
            # 404 or 401 for an undeclared method breaks a promise only if 405 is promised.
            "unsupported_method": {"enabled": wrong_method},
            "allow_header_conformance": {"enabled": wrong_method},
            **({"negative_data_rejection": {"enabled": False}} if always_succeeds(operation) else {}),
        },
    }


def _credential_settings(api: Api, operations: Sequence[Operation], *, has_token: bool) -> dict[str, Any]:
    scheme_kinds = {scheme.name: scheme.kind for scheme in api.security_schemes}
    used = {slot for operation in operations for slot in credential_slots(api, operation) or ()}
    schemes: dict[str, Any] = {}
    headers: dict[str, str] = {}
    for slot in sorted(used, key=lambda item: item.scheme) if has_token else ():
        token, bearer = f"${{{TOKEN_VARIABLE}}}", f"${{{BEARER_VARIABLE}}}"
        if slot.carrier is Carrier.BASIC:
            schemes[slot.scheme] = {
                "username": f"${{{USER_VARIABLE}}}",
                "password": f"${{{PASSWORD_VARIABLE}}}",
            }
        elif scheme_kinds[slot.scheme] == "apiKey":
            schemes[slot.scheme] = {"api_key": token}
        elif scheme_kinds[slot.scheme] == "http":
            schemes[slot.scheme] = {"bearer": bearer}
        else:
            headers["Authorization"] = f"Bearer {bearer}"
    parts: dict[str, Any] = {"auth": {"openapi": schemes}} if schemes else {}
    return {**parts, "headers": headers} if headers else parts


def _toml_lines(values: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    plain = {key: value for key, value in values.items() if not _is_table(value)}
    lines = [f"{_toml_scalar(key)} = {_toml_scalar(value)}" for key, value in plain.items()]
    for key, value in values.items():
        name = ".".join(_toml_scalar(step) for step in (*path, key))
        if isinstance(value, Mapping):
            lines += [f"[{name}]", *_toml_lines(value, (*path, key))]
        elif _is_table(value):
            for item in value:
                lines += [f"[[{name}]]", *_toml_lines(item, (*path, key))]
    return lines


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)
    )


def _toml_scalar(value: Any) -> str:
    """Return a scalar or a list of scalars: JSON text is TOML too, except for U+007F."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
