"""Which operations have a console, and its data: where a request goes and what it starts with."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

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
from devportal.contract.media_types import is_json
from devportal.contract.path_templates import sent_path
from devportal.contract.schemas import ABSENT
from devportal.contract.validate.header_values import is_token
from devportal.contract.wire_format.serialisation import (
    address_text,
    encode_address,
    field_style,
    replace_non_finite,
    scalar_text,
    token_text,
)
from devportal.markup import plain_text
from devportal.reference.console.schemas import SharedSchemas, compact_json, plain_description
from devportal.reference.reference import Reference
from devportal.reference.samples.language import comment_text
from devportal.reference.samples.parameter_values import is_sent, parameter_notes, parameter_value
from devportal.reference.samples.request import (
    MAX_LENGTH,
    FileBody,
    FormBody,
    JsonBody,
    MultipartBody,
    SampledMediaType,
    Secret,
    TextBody,
    TextOrSecrets,
    embedded_examples,
    sampled_media_types,
)
from devportal.reference.samples.sample_requests import generated_bodies, has_only_streams
from devportal.reference.samples.servers import (
    Credentials,
    base_address,
    credentials_of,
    full_address,
    token_variable,
)
from devportal.reference.samples.written_bodies import (
    is_styled,
    part_content,
    part_headers,
    sample_body,
    sent_value,
)
from devportal.reference.schema.examples import example_label
from devportal.reference.schema.fields import composed_schemas
from devportal.translation import gettext, gettext_noop

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_EXAMPLE_LENGTH = 200
_LABEL_LENGTH = 90
_DESCRIPTION_LENGTH = 240
NO_CONSOLE = gettext_noop("Requests cannot be sent from these pages, because the API has no sandbox server.")


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationData:
    """Writes the data of the operations of one contract."""

    reference: Reference
    token: Mapping[str, str]
    """Where readers get a credential: a `page`, by its address from the root of the site or elsewhere, and a
    sentence about the `sandbox`."""
    sent: SharedSchemas = field(repr=False)
    received: SharedSchemas = field(repr=False)

    def of(self, operation: Operation) -> dict[str, Any]:
        """Return the data of an operation; `needs` are the files of shared schemas, by direction."""
        bodies = list(self._bodies(operation))
        return {
            **({"token": dict(self.token)} if self.token and operation.security else {}),
            **({"problems": True} if self.reference.addresses.problems else {}),
            **({"isStream": True} if has_only_streams(operation) else {}),
            "title": operation.title,
            "method": token_text(operation.method),
            "path": _path_parts(operation),
            "servers": [_server_data(server, operation.servers) for server in operation.servers]
            or [{"url": base_address(()), "label": gettext("The contract names no server")}],
            "security": list(_security_alternatives(self.reference.api, operation)),
            "parameters": [self._parameter(parameter) for parameter in operation.parameters],
            "bodies": bodies,
            "needsBody": bool(operation.request_body and operation.request_body.required),
            "responses": {
                response.status: self._response_schemas(response.content) for response in operation.responses
            },
            "headers": {
                response.status: [*self._headers(response)]
                for response in operation.responses
                if _checked_headers(response)
            },
            "needs": {
                "sent": self.sent.needed_files(request_schemas(operation)),
                "received": self.received.needed_files(response_schemas(operation)),
            },
        }

    def _parameter(self, parameter: Parameter) -> dict[str, Any]:
        schema = _schema_of(parameter)
        data = {
            "name": parameter.name,
            "in": parameter.location_in,
            "required": parameter.required,
            "style": parameter.style,
            "explode": parameter.explode,
            "reserved": parameter.allow_reserved,
            "content": parameter.content is not None,
            "type": parameter.content.name
            if parameter.content is not None and parameter.location_in == "querystring"
            else "",
            "deprecated": parameter.deprecated,
            "hint": plain_description(parameter.description),
            "schema": self.sent.root(schema) if schema is not None else True,
        }
        if is_sent(self.reference.api, parameter):
            data["value"] = compact_json(parameter_value(self.reference.api, parameter))
            data |= _comments(parameter_notes(self.reference.api, parameter))
        elif given := _example_text(parameter):
            data["example"] = given
        return {name: value for name, value in data.items() if value not in (False, "", [])}

    def _bodies(self, operation: Operation) -> Iterator[dict[str, Any]]:
        """Yield the media types, first those that have samples."""
        if operation.request_body is None:
            return
        sampled = sampled_media_types(operation)
        for sampled_media_type in sampled:
            yield self._body(sampled_media_type)
        sampled_names = {sampled_media_type.media_type.name for sampled_media_type in sampled}
        for media in operation.request_body.content if sampled else ():
            if media.name not in sampled_names:
                yield self._body(SampledMediaType(media_type=media, examples=(), room=MAX_LENGTH))

    def _body(self, sampled: SampledMediaType) -> dict[str, Any]:
        media = sampled.media_type
        schema = media.schema or media.item_schema
        is_generated = not sampled.examples and not embedded_examples(media)
        examples = [
            {"name": example.name, "label": example_label(example)}
            | _initial_body(self.reference.api, media, sent_value(self.reference.api, media, example))
            for example in sampled.examples
        ]
        if not examples:
            examples += self._generated_examples(sampled)
        encodings = {
            encoding.property_name: _encoding_data(self.reference.api, media, encoding)
            for encoding in media.encodings
            if encoding.property_name
        }
        if media.name.lower().startswith("multipart/") and schema is not None:
            for name in dict.fromkeys(_property_names(self.reference.api, schema)):
                if headers := part_headers(self.reference.api, media, name):
                    encodings[name] = {
                        **encodings.get(name, {}),
                        "headers": [list(header) for header in headers],
                    }
                content_type = part_content(self.reference.api, schema, name).get("contentMediaType")
                if content_type and not encodings.get(name, {}).get("type"):
                    encodings[name] = {**encodings.get(name, {}), "type": content_type}
        data = {
            "type": media.name,
            "room": sampled.room,
            "examples": examples,
            "encodings": encodings,
            "schema": self.sent.root(schema) if schema is not None else True,
        }
        if is_generated:
            data["generated"] = (
                True  # the console checks the values, and says which the reader has to fill in
            )
        files = _file_part_names(self.reference.api, media, schema)
        optional = [file for file in files if file not in _required_names(self.reference.api, schema)]
        file_names = {"files": files, "optionalFiles": optional}
        return data | {name: names for name, names in file_names.items() if names}

    def _generated_examples(self, sampled: SampledMediaType) -> Iterator[dict[str, Any]]:
        """Yield what a body without examples may start with. What a reader has to fill in is left out."""
        api, media = self.reference.api, sampled.media_type
        for example in embedded_examples(media)[:1]:
            yield {"name": "", "label": ""} | _initial_body(api, media, sent_value(api, media, example))
        for generated_body in generated_bodies(api, sampled):
            known = generated_body.sample.without_gaps()
            if known is not ABSENT:
                notes = (
                    () if generated_body.sample.gaps else generated_body.sample.notes
                )  # what is left out cannot be replaced
                start = _initial_body(api, media, known)
                texts = [*start.pop("notes", ()), *map(comment_text, notes)]
                labels = {"name": generated_body.name, "label": generated_body.label}
                yield labels | start | ({"notes": texts} if texts else {})

    def _response_schemas(self, content: tuple[MediaType, ...]) -> dict[str, Any]:
        return {
            media_type.name: self.received.root(media_type.schema) if media_type.schema is not None else True
            for media_type in content
        }

    def _headers(self, response: Response) -> Iterator[dict[str, Any]]:
        for checked_header in _checked_headers(response):
            schema = _schema_of(checked_header)
            is_read = schema is not None and (
                checked_header.content is None or is_json(checked_header.content.name)
            )
            data = {
                "name": checked_header.name,
                "required": checked_header.required,
                "explode": checked_header.explode,
                "isJson": is_read and checked_header.content is not None,
                "schema": self.received.root(schema) if schema is not None and is_read else True,
            }
            yield {name: value for name, value in data.items() if value is not False}


def _comments(notes: Iterable[str]) -> dict[str, list[str]]:
    """Return what the comments of the samples say of a value, which the code has until it is another value."""
    texts = [*map(comment_text, notes)]
    return {"notes": texts} if texts else {}


def request_schemas(operation: Operation) -> list[Schema]:
    """Return the schemas of parameters and bodies, in order."""
    content = operation.request_content
    found = [_schema_of(parameter) for parameter in operation.parameters]
    found += [media_type.schema or media_type.item_schema for media_type in content]
    return [schema for schema in found if schema is not None]


def response_schemas(operation: Operation) -> list[Schema]:
    """Return the schemas of responses and their headers, in order."""
    found = [media.schema for response in operation.responses for media in response.content]
    found += [_schema_of(header) for response in operation.responses for header in _checked_headers(response)]
    return [schema for schema in found if schema is not None]


def _schema_of(written: Parameter | Header) -> Schema | None:
    return written.schema or (written.content.schema if written.content else None)


def _checked_headers(response: Response) -> list[Header]:
    """Return the headers that a console checks: `Content-Type` is none of them (OAS 3.0.3 §4.7.17), and a
    browser refuses to look for what is not a name (RFC 9110 §5.6.2).
    """
    named = [header for header in response.headers if is_token(header.name)]
    return [header for header in named if header.name.lower() != "content-type"]


def _example_text(parameter: Parameter) -> str:
    """Return an example of an optional parameter as text, if the contract has a short one."""
    holders = (parameter, parameter.content) if parameter.content else (parameter,)
    for holder in holders:
        for example in holder.examples:
            text = scalar_text(replace_non_finite(example.value)) if example.has_value else ""
            if text and len(text) <= _EXAMPLE_LENGTH:
                return text
    return ""


def _path_parts(operation: Operation) -> list[str]:
    """Return the path in parts: literal text and parameter names in turn."""
    parts = _PLACEHOLDER.split(sent_path(operation.path))
    return [part if number % 2 else encode_address(part) for number, part in enumerate(parts)]


def _server_data(server: Server, servers: tuple[Server, ...]) -> dict[str, Any]:
    data: dict[str, Any] = {
        "url": full_address(server, servers),
        "label": server.name or plain_text(server.description, limit=_LABEL_LENGTH),
    }
    if server.is_sandbox is not None:  # what a description says is never enough to send without asking
        data["sandbox"] = server.is_sandbox
    if server.variables:
        data["variables"] = [
            {
                "name": variable.name,
                **({} if variable.default is None else {"default": address_text(variable.default)}),
                "enum": [*map(address_text, variable.enum)],
            }
            for variable in server.variables
        ]
    return data


def _security_alternatives(api: Api, operation: Operation) -> Iterator[dict[str, Any]]:
    """Yield the alternatives, first the one of the samples; each with where its secrets go."""
    alternatives = []
    for requirement in operation.security:
        schemes = tuple(use.scheme for use in requirement)
        made = credentials_of(api, replace(operation, security=(requirement,)))
        alternatives.append((schemes, made))
    chosen = credentials_of(api, operation)
    alternatives.sort(key=lambda alternative: alternative[1] != chosen)
    for schemes, made in alternatives:
        yield (
            {"label": gettext(" and ").join(schemes) or gettext("No credential")}
            | _scheme_description(api, schemes)
            | _credentials_data(made)
            | _oauth_data(api, operation, schemes)
        )


_OAUTH_FLOWS = ("authorizationCode", "clientCredentials")
"""The flows that a console runs, the first one preferred."""


def _oauth_data(api: Api, operation: Operation, schemes: tuple[str, ...]) -> dict[str, Any]:
    """Return the flows that a console can run for the schemes of an alternative, by the variable of the token."""
    requirement = next(item for item in operation.security if tuple(use.scheme for use in item) == schemes)
    known = {scheme.name: scheme for scheme in api.security_schemes}
    found = []
    for use in requirement:
        flows = known[use.scheme].flows if use.scheme in known else ()
        runnable = [
            {
                "kind": flow.kind,
                "tokenUrl": flow.token_url,
                "authorizationUrl": flow.authorization_url,
                "scopes": list(use.scopes) or [name for name, _ in flow.scopes],
            }
            for kind in _OAUTH_FLOWS
            for flow in flows
            if flow.kind == kind
            and flow.token_url
            and (flow.authorization_url or kind != "authorizationCode")
        ]
        if runnable:
            alone = replace(operation, security=(requirement,))
            found.append({"secret": token_variable(api, alone, use.scheme), "flows": runnable})
    return {"oauth": found} if found else {}


def _scheme_description(api: Api, names: tuple[str, ...]) -> dict[str, str]:
    """Return the description of the first of these schemes that has one."""
    described = (
        security_scheme.description
        for security_scheme in api.security_schemes
        if security_scheme.name in names and security_scheme.description
    )
    text = plain_text(next(described, ""), limit=_DESCRIPTION_LENGTH)
    return {"about": text} if text else {}


def _credentials_data(made: Credentials) -> dict[str, Any]:
    data = {
        "headers": [[name, _text_or_secrets(value)] for name, value in made.headers],
        "query": [[name, _text_or_secrets(value)] for name, value in made.query],
        "cookies": [[name, _text_or_secrets(value)] for name, value in made.cookies],
        "basic": [made.basic.username.variable, made.basic.password.variable] if made.basic else [],
        "certificate": made.has_certificate,
        "missing": made.missing,
    }
    return {name: value for name, value in data.items() if value}


def _text_or_secrets(words: TextOrSecrets) -> list[Any]:
    return [{"secret": word.variable} if isinstance(word, Secret) else word for word in words]


def _encoding_data(api: Api, media: MediaType, encoding: Encoding) -> dict[str, Any]:
    data: dict[str, Any] = {"type": encoding.content_type} if encoding.content_type else {}
    given = field_style(encoding) if is_styled(api, media, encoding) else None
    if given is not None and not is_file_part(api, media, encoding.property_name):
        data["style"], data["explode"] = given
    return data


def _initial_body(api: Api, media: MediaType, value: Any) -> dict[str, Any]:
    """Return what a body starts with: a value as JSON, a text, or nothing but the kind where it is a file.

    With it goes the type that is sent for a range of media types.
    """
    body = sample_body(api, media, value)
    match body:
        case JsonBody() if body.media_type != media.name:
            return {"value": compact_json(value), "type": body.media_type}
        case None | JsonBody() | FormBody() | MultipartBody():
            return {"value": compact_json(value)}
        case TextBody():
            return {"text": body.text, "type": body.media_type}
        case FileBody():
            notes = (body.content,) if body.content else ()
            return {"file": body.name, "type": body.media_type, **_comments(notes)}


def _file_part_names(api: Api, media: MediaType, schema: Schema | None) -> list[str]:
    """Return the names of the parts of a multipart body that are files."""
    if not media.name.lower().startswith("multipart/") or schema is None:
        return []
    return [name for name in dict.fromkeys(_property_names(api, schema)) if is_file_part(api, media, name)]


def _property_names(api: Api, schema: Schema) -> Iterator[str]:
    for part in composed_schemas(api, schema):
        yield from (property_.name for property_ in part.properties)


def _required_names(api: Api, schema: Schema | None) -> set[str]:
    """Return the names that are required, in a variant too."""
    parts = () if schema is None else composed_schemas(api, schema)
    return {name for part in parts for name in part.required}


def is_file_part(api: Api, media: MediaType, name: str) -> bool:
    """Say whether a part of a multipart body is sent as a file."""
    body = sample_body(api, media, {name: ""})
    return isinstance(body, MultipartBody) and body.parts[0].is_file


_WORD = re.compile(r"(?<![a-z0-9])(?:sandbox|test|mock)(?![a-z0-9])", re.IGNORECASE)


def has_console(api: Api, setting: str) -> bool:
    """Say whether the operations of a contract have a console: `always`, `never`, or with `auto` where it
    names a sandbox server.
    """
    if setting == "auto":
        return any(is_sandbox(server) for server in _servers(api))
    return setting == "always"


def console_note(api: Api, setting: str) -> str:
    """Return why operations have no console, if nobody decided that they have none."""
    is_missing = setting == "auto" and bool(api.operations) and not has_console(api, setting)
    return gettext(NO_CONSOLE) if is_missing else ""


def _servers(api: Api) -> Iterable[Server]:
    yield from api.servers
    for operation in api.operations:
        yield from operation.servers


def is_sandbox(server: Server) -> bool:
    """Say whether a server speaks of a sandbox: itself (`x-sandbox`), or by its address or description.

    A loopback address is one, and so is a host or a description with the word sandbox, test or mock. Of a
    variable, every value that the contract names counts.
    """
    if server.is_sandbox is not None:
        return server.is_sandbox
    is_called = _WORD.search(f"{server.name} {server.description}") is not None
    return is_called or any(_is_sandbox_host(_host(address)) for address in _addresses(server))


def _is_sandbox_host(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return _WORD.search(host) is not None


def _addresses(server: Server) -> Iterable[str]:
    """Yield the address at its defaults, and with each value of each variable."""
    yield server.address
    for variable in server.variables:
        for value in variable.enum:
            yield server.url.replace(f"{{{variable.name}}}", value)


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:  # an address in brackets that is none
        return ""
