"""A request that keeps the contract, made from its examples, or from its schemas where it has none."""

import json
from typing import Any
from urllib.parse import quote, urlencode

from devportal.conformance.exchange import Headers, Request
from devportal.contract import Api, In, MediaType, Operation, Parameter
from devportal.contract.json_schema import Direction
from devportal.contract.schemas import ABSENT
from devportal.contract.synthesis import synthesise


def valid_request(api: Api, operation: Operation, base_url: str) -> Request | None:
    """Return a valid request without credentials; None where its body is in a media type we cannot write."""
    headers: Headers = ()
    body: bytes | None = None
    if operation.request_body is not None and operation.request_body.content:
        written = _body(api, operation.request_body.content)
        if written is None:
            return None
        body, media_type = written
        headers = (("Content-Type", media_type),)
    values = {(one.location_in, one.name): _value(api, one) for one in operation.parameters if _needed(one)}
    query = {name: _text(value) for (place, name), value in values.items() if place is In.QUERY}
    cookies = [f"{name}={_text(value)}" for (place, name), value in values.items() if place is In.COOKIE]
    headers += tuple((name, _text(value)) for (place, name), value in values.items() if place is In.HEADER)
    if cookies:
        headers += (("Cookie", "; ".join(cookies)),)
    path = operation.path
    for (place, name), value in values.items():
        if place is In.PATH:
            path = path.replace("{" + name + "}", quote(_text(value), safe=""))
    url = base_url + path + (f"?{urlencode(query)}" if query else "")
    return Request(method=operation.method.upper(), url=url, headers=headers, body=body)


def json_media_type(content: tuple[MediaType, ...]) -> MediaType | None:
    """Return the first media type that is JSON, None where there is none."""
    return next((one for one in content if is_json(one.name)), None)


def is_json(media_type: str) -> bool:
    """Say whether a media type is JSON, with or without parameters (RFC 6839 §3.1)."""
    name = media_type.partition(";")[0].strip().lower()
    return name == "application/json" or name.endswith("+json")


def _needed(parameter: Parameter) -> bool:
    return parameter.required or parameter.location_in is In.PATH


def _value(api: Api, parameter: Parameter) -> Any:
    for example in parameter.examples:
        if not example.external:
            return example.value
    if parameter.content is not None:
        return json.dumps(_example(api, parameter.content))
    value = synthesise(api, parameter.schema, Direction.REQUEST) if parameter.schema is not None else ABSENT
    return "string" if value is ABSENT else value


def _example(api: Api, media_type: MediaType) -> Any:
    for example in media_type.examples:
        if not example.external:
            return example.value
    value = synthesise(api, media_type.schema, Direction.REQUEST) if media_type.schema is not None else ABSENT
    return {} if value is ABSENT else value


def _body(api: Api, content: tuple[MediaType, ...]) -> tuple[bytes, str] | None:
    media_type = json_media_type(content)
    if media_type is not None:
        return json.dumps(_example(api, media_type)).encode(), media_type.name
    for one in content:
        if one.name.startswith("application/x-www-form-urlencoded"):
            value = _example(api, one)
            pairs = value.items() if isinstance(value, dict) else ()
            return urlencode({name: _text(item) for name, item in pairs}).encode(), one.name
    return None


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ",".join(_text(item) for item in value)
    return json.dumps(value)
