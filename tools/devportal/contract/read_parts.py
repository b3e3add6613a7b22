"""Nodes → the parts that operations are made of: parameters, bodies, responses, headers, links, security."""

from collections.abc import Iterator
from typing import Any

from devportal.contract.model import (
    Encoding,
    Example,
    Header,
    In,
    Link,
    MediaType,
    OAuthFlow,
    Parameter,
    RequestBody,
    Requirement,
    Response,
    SchemeUse,
    SecurityScheme,
    Server,
    ServerVariable,
)
from devportal.contract.read_schema import SchemaReader, is_internal, read_stability
from devportal.contract.source import Node

_DEFAULT_STYLE = {
    In.PATH: "simple",
    In.HEADER: "simple",
    In.QUERY: "form",
    In.COOKIE: "form",
    In.QUERYSTRING: "form",
}
_IGNORED_HEADERS = frozenset({"accept", "content-type", "authorization"})


def read_parameters(node: Node, schemas: SchemaReader) -> tuple[Parameter, ...]:
    """Return the parameters in a node's list, those that are internal or broken left out."""
    read = (_parameter(item, schemas) for item in node.items("parameters"))
    return tuple(parameter for parameter in read if parameter is not None)


def _parameter(item: Node, schemas: SchemaReader) -> Parameter | None:
    node = item.resolved()
    if node is None or is_internal(node):
        return None
    name = node.text("name")
    try:
        location = In(node.text("in"))
    except ValueError:
        node.report(
            "contract-shape",
            f"the parameter {name!r} travels in {node.text('in')!r}",
            help=f"'in' is one of {', '.join(In)}",
        )
        return None
    if not name:
        node.report("contract-shape", "this parameter has no name", help="give it a 'name'")
        return None
    if location is In.HEADER and name.lower() in _IGNORED_HEADERS:
        return None  # described by media types and security (OAS 3.0.3 §4.7.12.2)
    schema = node.get("schema")
    style = node.text("style") or _DEFAULT_STYLE[location]
    return Parameter(
        name=name,
        location_in=location,
        required=node.flag("required") or location is In.PATH,
        deprecated=node.flag("deprecated"),
        description=node.text("description"),
        schema=schemas.read(schema) if schema is not None else None,
        content=next(iter(read_content(node, schemas)), None),
        style=style,
        explode=node.flag("explode") if node.has("explode") else style == "form",
        allow_reserved=node.flag("allowReserved"),
        allow_empty=node.flag("allowEmptyValue"),
        examples=read_examples(node),
        stability=read_stability(node),
        location=node.location,
    )


def read_examples(node: Node) -> tuple[Example, ...]:
    """Return the named examples of a node, then a lone `example` under the empty name."""
    found = []
    for name, item in node.members("examples"):
        example = item.resolved()
        if example is not None:
            found.append(
                Example(
                    name=name,
                    value=example.value.get("value", example.value.get("dataValue")),
                    summary=example.text("summary"),
                    description=example.text("description"),
                    external=example.text("externalValue"),
                    location=example.location,
                )
            )
    lone = node.get("example")
    if lone is not None and not found:
        found.append(Example(name="", value=lone.value, location=lone.location))
    return tuple(found)


def read_content(node: Node, schemas: SchemaReader) -> tuple[MediaType, ...]:
    """Return the bodies of a node by media type, in the order written."""
    return tuple(_media_type(name, member, schemas) for name, member in node.members("content"))


def _media_type(name: str, item: Node, schemas: SchemaReader) -> MediaType:
    node = item.resolved() or item
    schema, item_schema = node.get("schema"), node.get("itemSchema")
    return MediaType(
        name=name,
        schema=schemas.read(schema) if schema is not None else None,
        item_schema=schemas.read(item_schema) if item_schema is not None else None,
        examples=read_examples(node),
        encodings=tuple(_encoding(key, member, schemas) for key, member in node.members("encoding")),
        location=node.location,
    )


def _encoding(name: str, node: Node, schemas: SchemaReader) -> Encoding:
    return Encoding(
        property_name=name,
        content_type=node.text("contentType"),
        style=node.text("style"),
        explode=node.flag("explode") if node.has("explode") else None,
        allow_reserved=node.flag("allowReserved"),
        headers=read_headers(node, schemas),
    )


def read_headers(node: Node, schemas: SchemaReader) -> tuple[Header, ...]:
    """Return the headers of a node, in the order written."""
    found = []
    for name, item in node.members("headers"):
        header = item.resolved()
        if header is None or is_internal(header):
            continue
        schema = header.get("schema")
        found.append(
            Header(
                name=name,
                required=header.flag("required"),
                deprecated=header.flag("deprecated"),
                description=header.text("description"),
                schema=schemas.read(schema) if schema is not None else None,
                content=next(iter(read_content(header, schemas)), None),
                examples=read_examples(header),
                stability=read_stability(header),
                location=header.location,
            )
        )
    return tuple(found)


def read_request_body(node: Node, schemas: SchemaReader) -> RequestBody | None:
    """Return the request body of an operation's node, if it has one."""
    written = node.mapping("requestBody")
    body = written.resolved() if written is not None else None
    if body is None:
        return None
    return RequestBody(
        required=body.flag("required"),
        description=body.text("description"),
        content=read_content(body, schemas),
        stability=read_stability(body),
        location=body.location,
    )


def read_responses(node: Node, schemas: SchemaReader) -> Iterator[Response]:
    """Yield the responses of an operation's node: by status, then ranges, then the default."""
    members = sorted(node.members("responses"), key=lambda member: _status_order(member[0]))
    for status, item in members:
        response = item.resolved() if not status.startswith("x-") else None
        if response is None:
            continue
        yield Response(
            status=status,
            description=response.text("description"),
            headers=read_headers(response, schemas),
            content=read_content(response, schemas),
            links=tuple(_links(response)),
            stability=read_stability(response),
            location=response.location,
        )


def _status_order(status: str) -> tuple[int, str]:
    return (2 if status == "default" else 1 if "X" in status.upper() else 0, status)


def _links(node: Node) -> Iterator[Link]:
    for name, item in node.members("links"):
        link = item.resolved()
        if link is not None:
            yield Link(
                name=name,
                operation_id=link.text("operationId"),
                operation_ref=link.text("operationRef"),
                parameters=tuple((key, member.value) for key, member in link.members("parameters")),
                request_body=link.value.get("requestBody"),
                description=link.text("description"),
                location=link.location,
            )


def read_requirements(node: Node) -> tuple[Requirement, ...] | None:
    """Return the security alternatives of a node; None where it says nothing of security."""
    if not node.has("security"):
        return None
    return tuple(
        tuple(SchemeUse(scheme=name, scopes=_scopes(member.value)) for name, member in item.entries())
        for item in node.items("security")
    )


def _scopes(value: Any) -> tuple[str, ...]:
    return tuple(str(scope) for scope in value) if isinstance(value, list) else ()


def read_servers(node: Node) -> tuple[Server, ...]:
    """Return the servers of a node, in the order written."""
    return tuple(
        Server(
            url=item.text("url"),
            description=item.text("description"),
            variables=tuple(_variables(item)),
        )
        for item in node.items("servers")
        if item.text("url")
    )


def _variables(node: Node) -> Iterator[ServerVariable]:
    for name, member in node.members("variables"):
        yield ServerVariable(
            name=name,
            default=member.text("default"),
            enum=member.texts("enum"),
            description=member.text("description"),
        )


def read_security_schemes(node: Node) -> Iterator[SecurityScheme]:
    """Yield the security schemes of the `components` node."""
    for name, item in node.members("securitySchemes"):
        scheme = item.resolved()
        if scheme is None:
            continue
        yield SecurityScheme(
            name=name,
            kind=scheme.text("type"),
            description=scheme.text("description"),
            carrier=scheme.text("in"),
            parameter=scheme.text("name"),
            scheme=scheme.text("scheme"),
            bearer_format=scheme.text("bearerFormat"),
            flows=tuple(_flow(kind, member) for kind, member in scheme.members("flows")),
            openid_url=scheme.text("openIdConnectUrl"),
            scopes=_named_texts(scheme, "x-scopes"),
            stability=read_stability(scheme),
            location=scheme.location,
        )


def _flow(kind: str, node: Node) -> OAuthFlow:
    return OAuthFlow(
        kind=kind,
        authorization_url=node.text("authorizationUrl"),
        token_url=node.text("tokenUrl"),
        refresh_url=node.text("refreshUrl"),
        scopes=_named_texts(node, "scopes"),
    )


def _named_texts(node: Node, key: str) -> tuple[tuple[str, str], ...]:
    member = node.mapping(key)
    return tuple((name, member.text(name)) for name, _ in member.entries()) if member is not None else ()
