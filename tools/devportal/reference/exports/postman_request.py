"""One operation as a request of a Postman collection, with example values from the contract."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never
from urllib.parse import parse_qsl

from devportal.contract import Api, In, Operation, Parameter
from devportal.reference.exports.postman_auth import Access, Json
from devportal.reference.samples.from_contract import parameter_value
from devportal.reference.samples.request import (
    Body,
    FileBody,
    FormBody,
    JsonBody,
    MultipartBody,
    Part,
    TextBody,
)
from devportal.reference.samples.serialisation import (
    cookie_text,
    field_value,
    form_pairs,
    header_text,
    path_text,
    query_pairs,
    scalar,
    token_text,
)

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def request_of(api: Api, operation: Operation, *, base: str, access: Access, body: Body | None) -> Json:
    """Return the request; `base` is the variable that holds the server's address. The helper for credentials
    is left to the caller.
    """
    request: Json = {
        "method": token_text(operation.method),
        "header": [one for one in _headers(api, operation, access, body) if one["key"]],
        "url": _url(api, operation, base, access),
        "description": _description(operation),
    }
    if body is not None:
        request["body"] = _body(body)
    return request


def _description(operation: Operation) -> str:
    notes = ["**Deprecated.**"] if operation.deprecated else []
    return "\n\n".join((*notes, operation.description)).strip()


def _described(entry: Json, parameter: Parameter, *, may_be_off: bool = True) -> Json:
    """Return an entry with what the contract says of it; what need not be sent is there, but turned off."""
    if parameter.description:
        entry["description"] = parameter.description
    if may_be_off and not parameter.required:
        entry["disabled"] = True
    return entry


def _url(api: Api, operation: Operation, base: str, access: Access) -> Json:
    path, _, fixed = operation.path.partition("?")
    segments = [_segment(one) for one in path.removeprefix("/").split("/")]
    query = [{"key": key, "value": value} for key, value in parse_qsl(fixed, keep_blank_values=True)]
    query += [{"key": key, "value": value} for key, value in access.query]
    query += _query(api, operation)
    sent = "&".join(f"{one['key']}={one['value']}" for one in query if not one.get("disabled"))
    url: Json = {
        "raw": f"{{{{{base}}}}}/{'/'.join(segments)}{'?' if sent else ''}{sent}",
        "host": [f"{{{{{base}}}}}"],
        "path": segments,
    }
    if query:
        url["query"] = query
    variables = list(_path_variables(api, operation, segments))
    return {**url, "variable": variables} if variables else url


def _segment(written: str) -> str:
    """Return a segment of a path: Postman has variables for whole segments (`:id`), and `{{id}}` within."""
    whole = _PLACEHOLDER.fullmatch(written)
    return f":{whole.group(1)}" if whole else _PLACEHOLDER.sub(r"{{\1}}", written)


def partial_variables(api: Api, operation: Operation) -> Iterator[Json]:
    """Yield the variables of the collection for placeholders that are only a part of a segment."""
    parameters = _path_parameters(operation)
    for segment in operation.path.split("/"):
        if not _PLACEHOLDER.fullmatch(segment):
            for name in _PLACEHOLDER.findall(segment):
                yield {"key": name, "value": _path_value(api, parameters, name), "type": "string"}


def _path_variables(api: Api, operation: Operation, segments: Iterable[str]) -> Iterator[Json]:
    parameters = _path_parameters(operation)
    for name in dict.fromkeys(one[1:] for one in segments if one.startswith(":")):
        entry: Json = {"key": name, "value": _path_value(api, parameters, name)}
        parameter = parameters.get(name)
        yield _described(entry, parameter, may_be_off=False) if parameter is not None else entry


def _path_parameters(operation: Operation) -> Mapping[str, Parameter]:
    return {one.name: one for one in operation.parameters if one.location_in is In.PATH}


def _path_value(api: Api, parameters: Mapping[str, Parameter], name: str) -> str:
    parameter = parameters.get(name)
    return path_text(parameter, parameter_value(api, parameter)) if parameter is not None else name


def _query(api: Api, operation: Operation) -> Iterator[Json]:
    for parameter in operation.parameters:
        if parameter.location_in not in (In.QUERY, In.QUERYSTRING):
            continue
        value = parameter_value(api, parameter)
        if parameter.location_in is In.QUERY:
            pairs = query_pairs(parameter, value)
        elif isinstance(value, dict):
            pairs = form_pairs(value, ())
        else:
            pairs = tuple(parse_qsl(scalar(value), keep_blank_values=True))
        for key, text in pairs:
            yield _described({"key": key, "value": text}, parameter)


def _headers(api: Api, operation: Operation, access: Access, body: Body | None) -> Iterator[Json]:
    yield from ({"key": key, "value": value} for key, value in access.headers)
    accepted = next((media.name for one in operation.successes for media in one.content), "")
    if accepted:
        yield {"key": "Accept", "value": field_value(accepted)}
    if isinstance(body, JsonBody | TextBody | FileBody):
        yield {"key": "Content-Type", "value": body.media_type}
    for parameter in operation.parameters:
        value = parameter_value(api, parameter) if parameter.location_in in (In.HEADER, In.COOKIE) else None
        if parameter.location_in is In.HEADER:
            entry = {"key": token_text(parameter.name), "value": header_text(parameter, value)}
            yield _described(entry, parameter)
        elif parameter.location_in is In.COOKIE:
            pairs = query_pairs(parameter, value)
            text = "; ".join(f"{token_text(key)}={cookie_text(one)}" for key, one in pairs)
            yield _described({"key": "Cookie", "value": text}, parameter)


def _body(body: Body) -> Json:
    match body:
        case JsonBody():
            return {"mode": "raw", "raw": body.text, "options": {"raw": {"language": "json"}}}
        case TextBody():
            language = "xml" if "xml" in body.media_type else "text"
            return {"mode": "raw", "raw": body.text, "options": {"raw": {"language": language}}}
        case FormBody():
            fields = [{"key": key, "value": value} for key, value in body.pairs]
            return {"mode": "urlencoded", "urlencoded": fields}
        case MultipartBody():
            return {"mode": "formdata", "formdata": [_part(one) for one in body.parts]}
        case FileBody():
            return {"mode": "file", "file": {"src": None}}
    assert_never(body)


def _part(part: Part) -> Json:
    """Return a part; which file is sent is chosen in Postman."""
    entry: Json = {"key": part.name, "type": "file" if part.is_file else "text"}
    if part.media_type:
        entry["contentType"] = part.media_type
    return {**entry, "src": None} if part.is_file else {**entry, "value": part.value}
