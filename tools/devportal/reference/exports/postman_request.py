"""One operation as a request of a Postman collection, with variables in place of secrets."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, assert_never
from urllib.parse import parse_qsl, quote, urlencode

from devportal.contract import Api, Operation, Parameter, ParameterLocation, SecurityScheme
from devportal.contract.authorization_scheme import described_authorization_scheme
from devportal.contract.path_templates import sent_path
from devportal.contract.wire_format.serialisation import (
    cookie_pairs,
    encoded_query,
    field_value,
    query_pairs,
    serialise_header,
    serialise_path_parameter,
    token_text,
    whole_query,
)
from devportal.reference.samples.parameter_values import is_sent, parameter_value
from devportal.reference.samples.request import (
    Body,
    FileBody,
    FormBody,
    JsonBody,
    MultipartBody,
    MultipartPart,
    TextBody,
)
from devportal.reference.samples.servers import authorization_scheme, distinct_schemes, is_computed
from devportal.translation import gettext

Json = dict[str, Any]
NO_AUTH: Json = {"type": "noauth"}
_GRANTS = {
    "authorizationCode": "authorization_code",
    "implicit": "implicit",
    "password": "password_credentials",
    "clientCredentials": "client_credentials",
}
"""Postman's names for the flows of OAuth 2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a request carries to be let in: a helper of Postman, and what it has no helper for."""

    auth: Json = field(default_factory=lambda: NO_AUTH)
    headers: tuple[tuple[str, str], ...] = ()
    cookies: tuple[str, ...] = ()
    query: tuple[tuple[str, str], ...] = ()


def access_of(api: Api, operation: Operation) -> Access:
    """Return the access by the first security alternative that a request can carry.

    Postman helps with one scheme; the others of the alternative become headers and parameters.
    """
    schemes = _accepted_schemes(api, operation)
    helped = next((scheme for scheme in schemes if not _is_cookie(scheme)), None)
    headers: list[tuple[str, str]] = []
    query: list[tuple[str, str]] = []
    cookies = []
    for scheme in schemes:
        if scheme is helped:
            continue
        if _is_cookie(scheme):
            cookies.append(f"{token_text(scheme.parameter)}={_variable_reference(scheme)}")
        elif scheme.kind == "apiKey" and scheme.carrier == "query":
            query.append((scheme.parameter, _variable_reference(scheme)))
        elif scheme.kind == "apiKey":
            headers.append((token_text(scheme.parameter), _header_value(scheme)))
        else:
            headers.append(("Authorization", f"{authorization_scheme(scheme)} {_variable_reference(scheme)}"))
    auth = _auth_helper(helped) if helped is not None else NO_AUTH
    return Access(auth=auth, headers=tuple(headers), cookies=tuple(cookies), query=tuple(query))


def credential_variables(api: Api) -> Iterator[Json]:
    """Yield the variables that requests name in place of secrets; all of them are empty."""
    used = {
        accepted_scheme.name: accepted_scheme
        for operation in api.operations
        for accepted_scheme in _accepted_schemes(api, operation)
    }
    for scheme in api.security_schemes:
        if scheme.name in used:
            yield from (
                {
                    "key": name,
                    "value": "",
                    "type": "string",
                    "description": gettext("For %(scheme)s.", scheme=scheme.name),
                }
                for name in _variables(scheme)
            )


def _accepted_schemes(api: Api, operation: Operation) -> list[SecurityScheme]:
    known = {
        security_scheme.name: security_scheme
        for security_scheme in api.security_schemes
        if _is_helped(security_scheme)
    }
    alternatives = ([known[use.scheme] for use in item if use.scheme in known] for item in operation.security)
    return distinct_schemes(next(filter(None, alternatives), []))


def _is_helped(scheme: SecurityScheme) -> bool:
    """Say whether Postman can send the credential: of the computed ones, it knows Digest."""
    return scheme.kind != "mutualTLS" and (not is_computed(scheme) or scheme.scheme.lower() == "digest")


def _is_cookie(scheme: SecurityScheme) -> bool:
    return scheme.kind == "apiKey" and scheme.carrier == "cookie"


def _variable(scheme: SecurityScheme, suffix: str = "") -> str:
    return re.sub(r"[^\w-]+", "_", scheme.name).strip("_") + suffix


def _variable_reference(scheme: SecurityScheme, suffix: str = "") -> str:
    return "{{" + _variable(scheme, suffix) + "}}"


def _variables(scheme: SecurityScheme) -> tuple[str, ...]:
    match scheme.kind, scheme.scheme.lower():
        case "http", "basic" | "digest":
            return _variable(scheme, "Username"), _variable(scheme, "Password")
        case "oauth2", _:
            return _variable(scheme), _variable(scheme, "ClientId"), _variable(scheme, "ClientSecret")
    return (_variable(scheme),)


def _auth_helper(scheme: SecurityScheme) -> Json:
    match scheme.kind, scheme.scheme.lower():
        case "http", "basic" | "digest" as word:
            pairs = {
                "username": _variable_reference(scheme, "Username"),
                "password": _variable_reference(scheme, "Password"),
            }
            return _auth_object(word, pairs.items())
        case "http", word if word not in ("bearer", ""):
            return _auth_object(
                "apikey",
                _api_key_pairs(
                    "Authorization", f"{authorization_scheme(scheme)} {_variable_reference(scheme)}", "header"
                ),
            )
        case "apiKey", _ if scheme.carrier == "query":
            return _auth_object(
                "apikey", _api_key_pairs(scheme.parameter, _variable_reference(scheme), "query")
            )
        case "apiKey", _:
            return _auth_object(
                "apikey", _api_key_pairs(token_text(scheme.parameter), _header_value(scheme), "header")
            )
        case "oauth2", _:
            return _auth_object("oauth2", _oauth_pairs(scheme))
    return _auth_object("bearer", [("token", _variable_reference(scheme))])


def _header_value(scheme: SecurityScheme) -> str:
    """Return the key of a header, with the word that its description asks for before it."""
    words = (token_text(described_authorization_scheme(scheme)), _variable_reference(scheme))
    return " ".join(filter(None, words))


def _api_key_pairs(name: str, value: str, place: str) -> list[tuple[str, str]]:
    return [("key", name), ("value", value), ("in", place)]


def _oauth_pairs(scheme: SecurityScheme) -> Iterator[tuple[str, str]]:
    """Yield what Postman needs to ask for a token by the first flow; a token that is at hand goes first."""
    yield "accessToken", _variable_reference(scheme)
    yield "addTokenTo", "header"
    flow = next((flow for flow in scheme.flows if flow.kind in _GRANTS), None)
    if flow is not None:
        yield "grant_type", _GRANTS[flow.kind]
        yield "clientId", _variable_reference(scheme, "ClientId")
        yield "clientSecret", _variable_reference(scheme, "ClientSecret")
        addresses = (("authUrl", flow.authorization_url), ("accessTokenUrl", flow.token_url))
        yield from ((name, address) for name, address in addresses if address)
        if flow.scopes:
            yield "scope", " ".join(name for name, _ in flow.scopes)


def _auth_object(kind: str, pairs: Iterable[tuple[str, str]]) -> Json:
    return {"type": kind, kind: [{"key": key, "value": value, "type": "string"} for key, value in pairs]}


_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def request_of(api: Api, operation: Operation, *, base: str, access: Access, body: Body | None) -> Json:
    """Return the request; `base` is the variable that holds the server's address. The helper for credentials
    is left to the caller.
    """
    request: Json = {
        "method": token_text(operation.method),
        "header": [header for header in _headers(api, operation, access, body) if header["key"]],
        "url": _url(api, operation, base, access),
        "description": _description(operation),
    }
    if body is not None:
        request["body"] = _body(body)
    return request


def _description(operation: Operation) -> str:
    notes = [f"**{gettext('Deprecated.')}**"] if operation.deprecated else []
    return "\n\n".join((*notes, operation.description)).strip()


def _describe_entry(entry: Json, parameter: Parameter, *, is_disabled: bool) -> Json:
    """Return an entry with the description of the contract."""
    if parameter.description:
        entry["description"] = parameter.description
    if is_disabled:
        entry["disabled"] = True
    return entry


def _url(api: Api, operation: Operation, base: str, access: Access) -> Json:
    path, _, fixed = sent_path(operation.path).partition("?")
    segments = [_path_segment(operation, part) for part in path.removeprefix("/").split("/")]
    query = [_query_entry(key, value) for key, value in parse_qsl(fixed, keep_blank_values=True)]
    query += [{"key": quote(key, safe=""), "value": value} for key, value in access.query]
    query += _query(api, operation)
    sent = "&".join(_query_text(item) for item in query if not item.get("disabled"))
    url: Json = {
        "raw": f"{{{{{base}}}}}/{'/'.join(segments)}{'?' if sent else ''}{sent}",
        "host": [f"{{{{{base}}}}}"],
        "path": segments,
    }
    if query:
        url["query"] = query
    variables = list(_path_variables(api, operation, segments))
    return {**url, "variable": variables} if variables else url


def _query_entry(key: str, value: str) -> Json:
    """Return a part of the query, percent-encoded: Postman leaves `+`, `%` and `{{…}}` to the author."""
    return {"key": quote(key, safe="[]"), "value": quote(value, safe=",:@/")}


def _encoded_query_entry(written: str) -> Json:
    """Return a part of a query that is percent-encoded already; without an equals sign it is only a name."""
    key, equals, value = written.partition("=")
    return {"key": key, "value": value if equals else None}


def _query_text(entry: Json) -> str:
    key, value = entry["key"], entry["value"]
    return key if value is None else f"{key}={value}"


def _path_segment(operation: Operation, written: str) -> str:
    """Return a segment of a path: Postman has variables for whole segments (`:id`), and `{{…}}` within."""
    whole = _PLACEHOLDER.fullmatch(written)
    if whole:
        return f":{whole.group(1)}"
    return _PLACEHOLDER.sub(lambda found: f"{{{{{_partial_variable(operation, found.group(1))}}}}}", written)


def _partial_variable(operation: Operation, name: str) -> str:
    """Return the collection's variable for a placeholder: each operation has its own."""
    return re.sub(r"[^\w-]+", "_", f"{operation.id}_{name}")


def partial_variables(api: Api, operation: Operation) -> Iterator[Json]:
    """Yield the variables of the collection for placeholders that are only a part of a segment."""
    parameters = _path_parameters(operation)
    for segment in sent_path(operation.path).split("/"):
        if not _PLACEHOLDER.fullmatch(segment):
            for name in _PLACEHOLDER.findall(segment):
                variable = _partial_variable(operation, name)
                yield {"key": variable, "value": _path_value(api, parameters, name), "type": "string"}


def _path_variables(api: Api, operation: Operation, segments: Iterable[str]) -> Iterator[Json]:
    parameters = _path_parameters(operation)
    for name in dict.fromkeys(segment[1:] for segment in segments if segment.startswith(":")):
        entry: Json = {"key": name, "value": _path_value(api, parameters, name)}
        parameter = parameters.get(name)
        yield _describe_entry(entry, parameter, is_disabled=False) if parameter is not None else entry


def _path_parameters(operation: Operation) -> Mapping[str, Parameter]:
    return {
        parameter.name: parameter
        for parameter in operation.parameters
        if parameter.location_in is ParameterLocation.PATH
    }


def _path_value(api: Api, parameters: Mapping[str, Parameter], name: str) -> str:
    parameter = parameters.get(name)
    return (
        serialise_path_parameter(parameter, parameter_value(api, parameter))
        if parameter is not None
        else name
    )


def _query(api: Api, operation: Operation) -> Iterator[Json]:
    for parameter in operation.parameters:
        if parameter.location_in not in (ParameterLocation.QUERY, ParameterLocation.QUERYSTRING):
            continue
        value = parameter_value(api, parameter)
        is_whole = parameter.location_in is ParameterLocation.QUERYSTRING
        written = whole_query(parameter, value) if is_whole else encoded_query(parameter, value)
        entries = (
            [_encoded_query_entry(part) for part in written.split("&")]
            if written
            else [_query_entry(name, text) for name, text in query_pairs(parameter, value)]
        )
        for entry in entries:
            yield _describe_entry(entry, parameter, is_disabled=not is_sent(api, parameter))


def _headers(api: Api, operation: Operation, access: Access, body: Body | None) -> Iterator[Json]:
    yield from ({"key": key, "value": value} for key, value in access.headers)
    accepted = next((media.name for success in operation.successes for media in success.content), "")
    if accepted:
        yield {"key": "Accept", "value": field_value(accepted)}
    if isinstance(body, JsonBody | TextBody | FileBody):
        yield {"key": "Content-Type", "value": body.media_type}
    elif isinstance(body, FormBody) and _names_variable(body):
        yield {"key": "Content-Type", "value": "application/x-www-form-urlencoded"}
    for parameter in operation.parameters:
        if parameter.location_in is ParameterLocation.HEADER:
            value = serialise_header(parameter, parameter_value(api, parameter))
            entry = {"key": token_text(parameter.name), "value": value}
            yield _describe_entry(entry, parameter, is_disabled=not is_sent(api, parameter))
    yield from _cookie_headers(api, operation, access)


def _cookie_headers(api: Api, operation: Operation, access: Access) -> Iterator[Json]:
    """Yield the one header of all cookies that are sent (RFC 6265 §5.4), and a disabled one with optional ones too."""
    parameters = [
        parameter for parameter in operation.parameters if parameter.location_in is ParameterLocation.COOKIE
    ]
    sent = [
        *access.cookies,
        *(_cookie(api, parameter) for parameter in parameters if is_sent(api, parameter)),
    ]
    every = [*access.cookies, *(_cookie(api, parameter) for parameter in parameters)]
    about = "\n\n".join(
        f"`{parameter.name}`: {parameter.description}" for parameter in parameters if parameter.description
    )
    described: Json = {"description": about} if about else {}
    if sent:
        yield {"key": "Cookie", "value": "; ".join(sent), **described}
    if len(every) > len(sent):
        yield {"key": "Cookie", "value": "; ".join(every), **described, "disabled": True}


def _cookie(api: Api, parameter: Parameter) -> str:
    pairs = cookie_pairs(parameter, parameter_value(api, parameter))
    return "; ".join(f"{token_text(name)}={field_value(text)}" for name, text in pairs)


def _body(body: Body) -> Json:
    match body:
        case JsonBody():
            text = body.text.replace("{{", r"{\u007b")  # in a string, where Postman would see a variable
            return {"mode": "raw", "raw": text, "options": {"raw": {"language": "json"}}}
        case TextBody():
            language = "xml" if "xml" in body.media_type else "text"
            return {"mode": "raw", "raw": body.text, "options": {"raw": {"language": language}}}
        case FormBody() if _names_variable(body):
            return {"mode": "raw", "raw": urlencode(body.pairs), "options": {"raw": {"language": "text"}}}
        case FormBody():
            fields = [{"key": key, "value": value} for key, value in body.pairs]
            return {"mode": "urlencoded", "urlencoded": fields}
        case MultipartBody():
            return {"mode": "formdata", "formdata": [_form_part(part) for part in body.parts]}
        case FileBody():
            return {"mode": "file", "file": {"src": None}}
    assert_never(body)


def _names_variable(body: FormBody) -> bool:
    """Say whether Postman would see a variable in a form: then the form is text that is encoded already."""
    return any("{{" in text for pair in body.pairs for text in pair)


def _form_part(part: MultipartPart) -> Json:
    """Return a part; which file is sent is chosen in Postman, which has no place for further headers."""
    entry: Json = {"key": part.name, "type": "file" if part.is_file else "text"}
    if part.media_type:
        entry["contentType"] = part.media_type
    if part.headers:
        lines = ", ".join(f"`{name}: {value}`" for name, value in part.headers)
        entry["description"] = gettext(
            "Postman cannot send the headers of this part: %(headers)s.", headers=lines
        )
    return {**entry, "src": None} if part.is_file else {**entry, "value": part.value}
