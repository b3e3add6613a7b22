"""The data of one operation's console: where a request goes, what it holds, and what it starts with.

A console starts with the values of the samples, so that its code is theirs until something is typed. Only
optional files are left out: a page cannot send a file that nobody has chosen.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from devportal.contract import (
    Api,
    Encoding,
    Header,
    MediaType,
    Operation,
    Parameter,
    Response,
    Schema,
    Server,
)
from devportal.contract.http_syntax import is_token
from devportal.contract.json_schema import Direction
from devportal.contract.media_types import is_json
from devportal.contract.schemas import ABSENT
from devportal.contract.synthesis import synthesise
from devportal.pages import plain_text
from devportal.reference.composition import composed
from devportal.reference.console.schemas import SharedSchemas, compact, hint
from devportal.reference.examples import body_value
from devportal.reference.samples.credentials import Credentials, credentials_of
from devportal.reference.samples.from_contract import body_of, parameter_value
from devportal.reference.samples.request import (
    FileBody,
    FormBody,
    JsonBody,
    MultipartBody,
    Secret,
    TextBody,
    Words,
)
from devportal.reference.samples.sampled import MAX_LENGTH, Sampled, embedded, sampled_types
from devportal.reference.samples.serialisation import address_text, finite, scalar, token_text
from devportal.reference.servers import base_address, reachable, whole_address

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_EXAMPLE_LENGTH = 200
_LABEL_LENGTH = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationData:
    """Writes the data of the operations of one contract."""

    api: Api
    sent: SharedSchemas = field(repr=False)
    received: SharedSchemas = field(repr=False)

    def of(self, operation: Operation) -> dict[str, Any]:
        """Return the data of an operation; `needs` are the files of shared schemas, by direction."""
        bodies = list(self._bodies(operation))
        return {
            "title": operation.title,
            "method": token_text(operation.method),
            "path": _path(operation),
            "servers": [_server(one, operation.servers) for one in operation.servers]
            or [{"url": base_address(()), "label": "The contract names no server"}],
            "security": list(_security(self.api, operation)),
            "parameters": [self._parameter(one) for one in operation.parameters],
            "bodies": bodies,
            "needsBody": bool(operation.request_body and operation.request_body.required),
            "responses": {one.status: self._answers(one.content) for one in operation.responses},
            "headers": {one.status: [*self._headers(one)] for one in operation.responses if _checked(one)},
            "needs": {
                "sent": self.sent.needed(request_schemas(operation)),
                "received": self.received.needed(response_schemas(operation)),
            },
        }

    def _parameter(self, one: Parameter) -> dict[str, Any]:
        schema = _schema_of(one)
        said = {
            "name": one.name,
            "in": one.location_in,
            "required": one.required,
            "style": one.style,
            "explode": one.explode,
            "reserved": one.allow_reserved,
            "content": one.content is not None,
            "deprecated": one.deprecated,
            "hint": hint(one.description),
            "schema": self.sent.root(schema) if schema is not None else True,
        }
        if one.required:
            said["value"] = compact(parameter_value(self.api, one))
        elif given := _given(one):
            said["example"] = given
        return {name: value for name, value in said.items() if value not in (False, "")}

    def _bodies(self, operation: Operation) -> Iterator[dict[str, Any]]:
        """Yield the media types, first those that have samples."""
        if operation.request_body is None:
            return
        sampled = sampled_types(operation)
        for one in sampled:
            yield self._body(one)
        told = {one.media_type.name for one in sampled}
        for media in operation.request_body.content if sampled else ():
            if media.name not in told:
                yield self._body(Sampled(media_type=media, examples=(), room=MAX_LENGTH))

    def _body(self, sampled: Sampled) -> dict[str, Any]:
        media = sampled.media_type
        schema = media.schema or media.item_schema
        examples = [
            {"name": one.name, "label": one.summary or one.name}
            | _start(self.api, media, body_value(one, media.name))
            for one in sampled.examples
        ]
        if not examples and (value := self._only_value(sampled, schema)) is not ABSENT:
            examples.append({"name": "", "label": ""} | _start(self.api, media, value))
        encodings = {one.property_name: _encoding(one) for one in media.encodings if one.property_name}
        said = {
            "type": media.name,
            "room": sampled.room,
            "examples": examples,
            "encodings": encodings,
            "schema": self.sent.root(schema) if schema is not None else True,
        }
        files = _files(self.api, media, schema)
        optional = [one for one in files if one not in _required(self.api, schema)]
        told = {"files": files, "optionalFiles": optional}
        return said | {name: names for name, names in told.items() if names}

    def _only_value(self, sampled: Sampled, schema: Schema | None) -> Any:
        """Return what a body without examples starts with."""
        media = sampled.media_type
        for example in embedded(media):
            return body_value(example, media.name)
        if schema is None:
            return ""
        return ABSENT if self.api.resolve(schema).broken else synthesise(self.api, schema, Direction.REQUEST)

    def _answers(self, content: tuple[MediaType, ...]) -> dict[str, Any]:
        return {
            one.name: self.received.root(one.schema) if one.schema is not None else True for one in content
        }

    def _headers(self, response: Response) -> Iterator[dict[str, Any]]:
        for one in _checked(response):
            schema = _schema_of(one)
            is_read = schema is not None and (one.content is None or is_json(one.content.name))
            said = {
                "name": one.name,
                "required": one.required,
                "explode": one.explode,
                "isJson": is_read and one.content is not None,
                "schema": self.received.root(schema) if schema is not None and is_read else True,
            }
            yield {name: value for name, value in said.items() if value is not False}


def request_schemas(operation: Operation) -> list[Schema]:
    """Return the schemas of parameters and bodies, in order."""
    content = operation.request_body.content if operation.request_body else ()
    found = [_schema_of(one) for one in operation.parameters]
    found += [one.schema or one.item_schema for one in content]
    return [one for one in found if one is not None]


def response_schemas(operation: Operation) -> list[Schema]:
    """Return the schemas of answers and their headers, in order."""
    found = [media.schema for one in operation.responses for media in one.content]
    found += [_schema_of(header) for one in operation.responses for header in _checked(one)]
    return [one for one in found if one is not None]


def _schema_of(written: Parameter | Header) -> Schema | None:
    return written.schema or (written.content.schema if written.content else None)


def _checked(response: Response) -> list[Header]:
    """Return the headers that a console checks: `Content-Type` is none of them (OAS 3.0.3 §4.7.17), and a
    browser refuses to look for what is no name (RFC 9110 §5.6.2).
    """
    named = [one for one in response.headers if is_token(one.name)]
    return [one for one in named if one.name.lower() != "content-type"]


def _given(parameter: Parameter) -> str:
    """Return an example of an optional parameter as text, if the contract has a short one."""
    holders = (parameter, parameter.content) if parameter.content else (parameter,)
    for holder in holders:
        for example in holder.examples:
            text = "" if example.external else scalar(finite(example.value))
            if text and len(text) <= _EXAMPLE_LENGTH:
                return text
    return ""


def _path(operation: Operation) -> list[str]:
    """Return the path in pieces, in turn what is written as it is and the name of a parameter."""
    path = operation.path if operation.path.startswith("/") else f"/{operation.path}"
    pieces = _PLACEHOLDER.split(path)
    return [piece if number % 2 else reachable(piece) for number, piece in enumerate(pieces)]


def _server(server: Server, servers: tuple[Server, ...]) -> dict[str, Any]:
    said: dict[str, Any] = {
        "url": whole_address(server, servers),
        "label": server.name or plain_text(server.description, limit=_LABEL_LENGTH),
    }
    if server.is_sandbox is not None:  # what a description says is never enough to send without asking
        said["sandbox"] = server.is_sandbox
    if server.variables:
        said["variables"] = [
            {
                "name": one.name,
                "default": address_text(one.default),
                "enum": [*map(address_text, one.enum)],
            }
            for one in server.variables
        ]
    return said


def _security(api: Api, operation: Operation) -> Iterator[dict[str, Any]]:
    """Yield the alternatives, first the one of the samples; each with where its secrets go."""
    alternatives = []
    for requirement in operation.security:
        schemes = " and ".join(use.scheme for use in requirement)
        made = credentials_of(api, replace(operation, security=(requirement,)))
        alternatives.append((schemes, made))
    chosen = credentials_of(api, operation)
    alternatives.sort(key=lambda one: one[1] != chosen)
    for schemes, made in alternatives:
        yield {"label": schemes or "No credential"} | _carried(made)


def _carried(made: Credentials) -> dict[str, Any]:
    said = {
        "headers": [[name, _words(value)] for name, value in made.headers],
        "query": [[name, _words(value)] for name, value in made.query],
        "cookies": [[name, _words(value)] for name, value in made.cookies],
        "basic": [made.basic.username.variable, made.basic.password.variable] if made.basic else [],
        "certificate": made.has_certificate,
    }
    return {name: value for name, value in said.items() if value}


def _words(words: Words) -> list[Any]:
    return [{"secret": one.variable} if isinstance(one, Secret) else one for one in words]


def _encoding(one: Encoding) -> dict[str, Any]:
    said = {"type": one.content_type, "style": one.style, "explode": one.explode}
    return {name: value for name, value in said.items() if value not in ("", None)}


def _start(api: Api, media: MediaType, value: Any) -> dict[str, str]:
    """Return what a body starts with: a value as JSON, a text, or nothing but the kind where it is a file.

    With it goes the type that is sent for a range of media types.
    """
    body = body_of(api, media, value)
    match body:
        case JsonBody() if body.media_type != media.name:
            return {"value": compact(value), "type": body.media_type}
        case None | JsonBody() | FormBody() | MultipartBody():
            return {"value": compact(value)}
        case TextBody():
            return {"text": body.text, "type": body.media_type}
        case FileBody():
            return {"file": body.name, "type": body.media_type}


def _files(api: Api, media: MediaType, schema: Schema | None) -> list[str]:
    """Return the names of the parts of a multipart body that are files."""
    if not media.name.lower().startswith("multipart/") or schema is None:
        return []
    return [name for name in dict.fromkeys(_names(api, schema)) if is_file_part(api, media, name)]


def _names(api: Api, schema: Schema) -> Iterator[str]:
    for part in composed(api, schema):
        yield from (one.name for one in part.properties)


def _required(api: Api, schema: Schema | None) -> set[str]:
    """Return the names that are required, in a variant too."""
    parts = () if schema is None else composed(api, schema)
    return {name for part in parts for name in part.required}


def is_file_part(api: Api, media: MediaType, name: str) -> bool:
    """Say whether a part of a multipart body is sent as a file."""
    body = body_of(api, media, {name: ""})
    return isinstance(body, MultipartBody) and body.parts[0].is_file
