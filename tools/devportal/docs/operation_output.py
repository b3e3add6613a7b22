"""Operations and events with all that one must know to call them, for people and as JSON."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import accumulate
from typing import Any

from devportal.docs.operations import (
    BodyDescription,
    CallbackDescription,
    FieldDescription,
    OperationDescription,
    RequiredCredential,
    ResponseDescription,
    ServerDescription,
    ValueOrigin,
)
from devportal.docs.output import WIDTH, printable, proof_data, proof_words, wrap_text
from devportal.docs.records import DocumentedOperation, SiteRecords
from devportal.markup import plain_text

MAX_EXAMPLE = 60
"""How many characters of an example are shown to people."""
MAX_DESCRIPTION = 2_000
"""How many characters of the description of an operation are shown to people."""
MAX_FIELD_DESCRIPTION = 400
"""How many characters of the description of a field are shown to people."""
MAX_SERVERS = 3
"""How many servers of an operation are shown to people."""


def operation_data(
    records: SiteRecords, operation: DocumentedOperation, description: OperationDescription
) -> dict[str, Any]:
    """Return an operation with all that one must know to call it."""
    return {
        "name": description.name,
        "operation_id": description.operation_id or None,
        "is_event": operation.is_event,
        "title": description.title,
        "description": description.description,
        **proof_data(records, operation, operation.page),
        "url": records.address(operation.page) if operation.page else None,
        "servers": [server.url for server in description.servers],
        "server_templates": [asdict(server) for server in description.servers],
        "auth": [
            [asdict(required_credential) for required_credential in alternative]
            for alternative in description.credentials
        ],
        "scopes": list(description.scopes),
        "parameters": [asdict(parameter) for parameter in description.parameters],
        "values_from": [
            {
                **asdict(value_origin),
                "member": value_origin.member or None,
                "header": value_origin.header or None,
            }
            for value_origin in description.value_origins
        ],
        "body": _body_data(description),
        "responses": [_response_data(response) for response in description.responses],
        "callbacks": [_callback_data(callback) for callback in description.callbacks],
        "sample": description.sample or None,
    }


def _body_data(sender: OperationDescription | CallbackDescription) -> dict[str, Any] | None:
    if not sender.bodies:
        return None
    return {"required": sender.body_is_required, "content": [asdict(body) for body in sender.bodies]}


def _response_data(response: ResponseDescription) -> dict[str, Any]:
    return {**asdict(response), "is_error": response.is_error}


def _callback_data(callback: CallbackDescription) -> dict[str, Any]:
    return {
        "name": callback.name,
        "method": callback.method,
        "expression": callback.expression,
        "title": callback.title,
        "description": callback.description,
        "parameters": [asdict(parameter) for parameter in callback.parameters],
        "body": _body_data(callback),
        "responses": [_response_data(response) for response in callback.responses],
    }


def operation_text(
    records: SiteRecords, operation: DocumentedOperation, description: OperationDescription
) -> str:
    """Return an operation for people."""
    name = f"{description.name}" + (
        f" ({description.operation_id})" if description.operation_id not in ("", description.name) else ""
    )
    proof = proof_words(operation)
    page = [records.address(operation.page)] if operation.page else []
    lines = [description.title, name, *filter(None, (proof,)), *page, ""]
    lines += [*_description_lines(description.description), *_authorization(description)]
    lines += [line for server in description.servers[:MAX_SERVERS] for line in _server_lines(server)]
    lines += _parameter_lines(records, description.parameters)
    if description.value_origins:
        lines += ["", "Where to get the values", *map(_origin_line, description.value_origins)]
    lines += _sent_body_lines(records, description, "Payload" if operation.is_event else "Body")
    lines += _response_lines(records, description.responses)
    for callback in description.callbacks:
        lines += _callback_lines(records, callback)
    lines += ["", "Sample", description.sample] if description.sample else []
    return printable("\n".join(lines))


def _server_lines(server: ServerDescription) -> Iterator[str]:
    """Yield a server, and the variables in its address with their values, the default first."""
    about = f" ({server.description})" if server.description else ""
    yield from wrap_text(f"Server: {server.url or '/'}{about}", "")
    if server.variables:
        yield from wrap_text(f"from {server.template}", "  ")
    for variable in server.variables:
        others = [value for value in variable.values if value != variable.default]
        values = ", ".join([*([f"{variable.default} (default)"] if variable.default else []), *others])
        words = f"{{{variable.name}}}: {values or 'any value'}"
        yield from wrap_text(". ".join(filter(None, (words, variable.description))), "    ")


def _parameter_lines(records: SiteRecords, parameters: Sequence[FieldDescription]) -> list[str]:
    return ["", "Parameters", *_field_lines(records, parameters)] if parameters else []


def _sent_body_lines(
    records: SiteRecords, sender: OperationDescription | CallbackDescription, word: str
) -> Iterator[str]:
    """Yield the bodies that are sent. One with the fields of an earlier one names it instead."""
    required = ", required" if sender.body_is_required else ""
    shown: dict[tuple[str, tuple[FieldDescription, ...]], str] = {}
    for body in sender.bodies:
        yield from ("", f"{word}: {_body_words(body)}{required}")
        same_as = shown.setdefault((body.type, body.fields), body.media_type) if body.fields else ""
        if same_as not in ("", body.media_type):
            yield f"  the same fields as {same_as}"
        else:
            yield from body_lines(records, body)


def _callback_lines(records: SiteRecords, callback: CallbackDescription) -> Iterator[str]:
    yield from ("", *wrap_text(f"Callback {callback.name}: {callback.title}", ""))
    yield from wrap_text(f"{callback.method} {callback.expression}, sent by the provider", "  ")
    yield from _description_lines(callback.description)
    yield from _parameter_lines(records, callback.parameters)
    yield from _sent_body_lines(records, callback, "Payload")
    yield from _response_lines(records, callback.responses)


def _response_lines(records: SiteRecords, responses: Sequence[ResponseDescription]) -> list[str]:
    """Return what succeeds, each with its body, and then the errors."""
    lines = []
    successes = [response for response in responses if not response.is_error]
    for success in successes:
        lines += ["", *wrap_text(f"Response {success.status}: {success.description}", "")]
        lines += _header_lines(records, success, "  ")
        lines += [
            line for body in success.bodies for line in (f"  {_body_words(body)}", *body_lines(records, body))
        ]
    errors = [response for response in responses if response.is_error]
    lines += ["", "Errors"] if errors else []
    lines += [
        line
        for error in errors
        for line in (
            *wrap_text(f"{error.status}  {error.description}", "  ", "       "),
            *_header_lines(records, error, "       "),
        )
    ]
    return [*lines, *_error_body_lines(records, errors)]


def _header_lines(records: SiteRecords, response: ResponseDescription, indent: str) -> Iterator[str]:
    for header in response.header_fields:
        first, *further = _field_line(records, header)
        yield f"{indent}header {first.lstrip()}"
        yield from (f"{indent}    {line.lstrip()}" for line in further)


def _error_body_lines(records: SiteRecords, errors: Sequence[ResponseDescription]) -> Iterator[str]:
    """Yield the bodies of errors, each once with the statuses that have it: most APIs have one for all."""
    statuses: dict[BodyDescription, list[str]] = {}
    for error in errors:
        for body in error.bodies:
            statuses.setdefault(replace(body, description=""), []).append(error.status)
    for body, shared_by in statuses.items():
        which = "" if len(shared_by) == len(errors) else f" of {', '.join(shared_by)}"
        yield f"  Body{which}: {_body_words(body)}"
        yield from body_lines(records, body)


def _origin_line(value_origin: ValueOrigin) -> str:
    part = f"the header {value_origin.header}" if value_origin.header else value_origin.member
    return f"  {value_origin.input}: {part} in the response of {value_origin.operation}"


def _authorization(description: OperationDescription) -> list[str]:
    return wrap_text(credentials_line(description.credentials, description.scopes), "")


def credentials_line(credentials: Sequence[Sequence[RequiredCredential]], scopes: Sequence[str]) -> str:
    """Return the credentials that an operation needs as a line, empty if it needs none."""
    if not credentials:
        return ""
    alternatives = [
        " and ".join(map(_credential_words, credential)) or "no credential" for credential in credentials
    ]
    scope_words = f" with scope {', '.join(scopes)}" if scopes else ""
    return f"Authorization: {', or '.join(alternatives)}{scope_words}"


def _credential_words(required_credential: RequiredCredential) -> str:
    scopes = f" with scope {', '.join(required_credential.scopes)}" if required_credential.scopes else ""
    source = (
        f"token from {' or '.join(required_credential.token_urls)}" if required_credential.token_urls else ""
    )
    kind = ", ".join(filter(None, (required_credential.kind, source)))
    return (
        f"{required_credential.scheme} ({kind}){scopes}" if kind else f"{required_credential.scheme}{scopes}"
    )


def _body_words(body: BodyDescription) -> str:
    return f"{body.media_type} ({body.type})" if body.type else body.media_type


def body_lines(records: SiteRecords, body: BodyDescription) -> list[str]:
    """Return the lines of the fields of a body."""
    lines = _field_lines(records, body.fields)
    return [*lines, "  … more fields are on its page"] if body.is_cut else lines


def _field_lines(records: SiteRecords, fields: Sequence[FieldDescription]) -> list[str]:
    return [line for field in fields for line in _field_line(records, field)]


def _field_line(records: SiteRecords, field_description: FieldDescription) -> list[str]:
    flags = (
        field_description.type,
        f"in {field_description.location}" if field_description.location else "",
        "required" if field_description.required else "",
        field_description.stability,
        "deprecated" if field_description.deprecated else "",
    )
    rules = (
        *field_description.rules,
        f"one of {', '.join(field_description.values)}" if field_description.values else "",
        f"default {field_description.default}" if field_description.default else "",
        f"example {_shorten_example(field_description.example)}"
        if field_description.example and not field_description.values
        else "",
    )
    rule_words = "; ".join(filter(None, rules))
    return [
        *wrap_text(f"{field_description.name}: {', '.join(filter(None, flags))}", "  "),
        *wrap_text(plain_text(field_description.description, limit=MAX_FIELD_DESCRIPTION), "      "),
        *wrap_text(rule_words if len(rule_words) <= 300 else f"{rule_words[:299]}…", "      "),
        *([f"      fields: {records.address(field_description.page)}"] if field_description.page else []),
    ]


def _shorten_example(text: str) -> str:
    return text if len(text) <= MAX_EXAMPLE else f"{text[: MAX_EXAMPLE - 1]}…"


def _description_lines(markdown: str) -> list[str]:
    """Return a description as Markdown: its first paragraphs, and an empty line. Rules of a call are often in a
    later one than the first.
    """
    paragraphs = re.split(r"\n\s*\n", markdown.strip())
    lengths = accumulate(len(paragraph) for paragraph in paragraphs)
    shown = [text for text, length in zip(paragraphs, lengths, strict=True) if length <= MAX_DESCRIPTION]
    lines = [
        part
        for line in "\n\n".join(shown or paragraphs[:1]).splitlines()
        for part in ([line] if len(line) <= WIDTH or line.startswith(("|", " ")) else wrap_text(line, ""))
    ]
    rest = ["", "… the rest of the description is on its page"] if len(shown or "1") < len(paragraphs) else []
    return [*lines, *rest, ""] if markdown.strip() else []
