"""The request that a sample sends: chosen from the contract once, written out per language."""

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from devportal.contract import Api, Example, In, MediaType, Operation, Parameter, SecurityScheme
from devportal.contract.json_schema import Direction
from devportal.contract.synthesis import synthesise

PLACEHOLDER = "API_KEY"
"""The environment variable that samples read the credential from: a sample never holds a secret."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """A credential in a header or the query: `prefix` stands before the value of the environment variable."""

    name: str
    prefix: str = ""
    carrier: In = In.HEADER
    is_basic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleRequest:
    """A request with example values. Exactly one of `json`, `form`, `parts` and `raw` is there, or none."""

    method: str
    url: str
    query: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    credential: Credential | None = None
    media_type: str = ""
    json: Any = None
    has_json: bool = False
    form: tuple[tuple[str, str], ...] = ()
    parts: tuple[tuple[str, str, bool], ...] = ()
    """Multipart: name, value, and whether the value is the name of a file to send."""
    raw: str = ""

    @property
    def full_url(self) -> str:
        """The address with its query, percent-encoded."""
        if not self.query:
            return self.url
        pairs = "&".join(f"{quote(name, safe='[]')}={quote(value, safe=',:')}" for name, value in self.query)
        return f"{self.url}?{pairs}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRequest:
    """A request for one of the named examples of a body."""

    name: str
    summary: str
    request: SampleRequest = field(repr=False)


def sample_requests(api: Api, operation: Operation) -> tuple[NamedRequest, ...]:
    """Return one request per named example of the first media type; one where there are no examples."""
    content = operation.request_body.content if operation.request_body else ()
    media_type = next((one for one in content if "json" in one.name), content[0] if content else None)
    base = _without_body(api, operation)
    if media_type is None:
        return (NamedRequest(name="", summary="", request=base),)
    shown = [one for one in media_type.examples if not one.external][:6]
    if not shown:
        value = example_value(api, media_type, Direction.REQUEST)
        return (NamedRequest(name="", summary="", request=_with_body(base, media_type, value)),)
    return tuple(
        NamedRequest(
            name=one.name, summary=one.summary or one.name, request=_with_body(base, media_type, one.value)
        )
        for one in shown
    )


def example_value(api: Api, media_type: MediaType, direction: Direction) -> Any:
    """Return the first example of a body, or one made from its schema."""
    given = next((one for one in media_type.examples if not one.external), None)
    if given is not None:
        return given.value
    schema = media_type.schema or media_type.item_schema
    return synthesise(api, schema, direction) if schema is not None else None


def _without_body(api: Api, operation: Operation) -> SampleRequest:
    server = operation.servers[0].address if operation.servers else "https://api.example.com"
    path = operation.path
    query: list[tuple[str, str]] = []
    headers: list[tuple[str, str]] = []
    for parameter in operation.parameters:
        if parameter.location_in is In.PATH:
            value = quote(_text(_parameter_value(api, parameter)), safe=":,@")
            path = path.replace(f"{{{parameter.name}}}", value)
        elif parameter.required and parameter.location_in is In.QUERY:
            query.extend(flatten(parameter.name, _parameter_value(api, parameter), explode=parameter.explode))
        elif parameter.required and parameter.location_in is In.HEADER:
            headers.append((parameter.name, _text(_parameter_value(api, parameter))))
    return SampleRequest(
        method=operation.method,
        url=_absolute(server) + path,
        query=tuple(query),
        headers=tuple(headers),
        credential=_credential(api, operation),
    )


def _absolute(server: str) -> str:
    """Return a server's address; a relative one counts from the contract's own (OAS 3.0.3 §4.7.5)."""
    return server if "://" in server else f"https://api.example.com{server}"


def _parameter_value(api: Api, parameter: Parameter) -> Any:
    given: Example | None = next((one for one in parameter.examples if not one.external), None)
    if given is not None:
        return given.value
    schema = parameter.schema or (parameter.content.schema if parameter.content else None)
    return synthesise(api, schema, Direction.REQUEST) if schema is not None else parameter.name


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ",".join(_text(item) for item in value)
    return json.dumps(value, ensure_ascii=False)


def flatten(name: str, value: Any, *, explode: bool) -> list[tuple[str, str]]:
    """Return the pairs of a query or form: `a=1&a=2` or `a=1,2` for lists, `a[b]=1` for objects."""
    if isinstance(value, dict):
        return [
            pair for key, item in value.items() for pair in flatten(f"{name}[{key}]", item, explode=explode)
        ]
    if isinstance(value, list):
        if any(isinstance(item, (dict, list)) for item in value):
            return [
                pair
                for position, item in enumerate(value)
                for pair in flatten(f"{name}[{position}]", item, explode=explode)
            ]
        return [(name, _text(item)) for item in value] if explode else [(name, _text(value))]
    return [(name, _text(value))]


def _with_body(base: SampleRequest, media_type: MediaType, value: Any) -> SampleRequest:
    kind = media_type.name.partition(";")[0].strip().lower()
    changes: dict[str, Any] = {"media_type": media_type.name}
    if kind.endswith(("/json", "+json")):
        changes |= {"json": value, "has_json": True}
    elif kind == "application/x-www-form-urlencoded" and isinstance(value, dict):
        explode = {one.property_name: one.explode is not False for one in media_type.encodings}
        changes["form"] = tuple(
            pair for key, item in value.items() for pair in flatten(key, item, explode=explode.get(key, True))
        )
    elif kind == "multipart/form-data" and isinstance(value, dict):
        changes["parts"] = tuple((key, _part(item), item == "…") for key, item in value.items())
    else:
        changes["raw"] = value if isinstance(value, str) else _text(value)
    return _changed(base, changes)


def _part(value: Any) -> str:
    return "file.bin" if value == "…" else _text(value)


def _changed(base: SampleRequest, changes: dict[str, Any]) -> SampleRequest:
    return SampleRequest(
        method=base.method,
        url=base.url,
        query=base.query,
        headers=base.headers,
        credential=base.credential,
        **changes,
    )


def _credential(api: Api, operation: Operation) -> Credential | None:
    """Return the credential of the first alternative that a sample can show."""
    schemes = {scheme.name: scheme for scheme in api.security_schemes}
    for requirement in operation.security:
        for use in requirement:
            scheme = schemes.get(use.scheme)
            if scheme is not None:
                return _from_scheme(scheme)
    return None


def _from_scheme(scheme: SecurityScheme) -> Credential:
    if scheme.kind == "apiKey":
        carrier = In.QUERY if scheme.carrier == "query" else In.HEADER
        if scheme.carrier == "cookie":
            return Credential(name="Cookie", prefix=f"{scheme.parameter}=")
        return Credential(name=scheme.parameter, carrier=carrier)
    if scheme.kind == "http" and scheme.scheme.lower() == "basic":
        return Credential(name="Authorization", is_basic=True)
    word = scheme.scheme.capitalize() if scheme.kind == "http" else "Bearer"
    return Credential(name="Authorization", prefix=f"{word} ")
