"""Nodes → the parts that operations are made of: parameters, bodies, responses, headers, links, security."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from devportal.contract.internal.redaction import deserialise_example, published_value
from devportal.contract.model import (
    IGNORED_HEADER_PARAMETERS,
    Encoding,
    Example,
    Header,
    Link,
    MediaType,
    OAuthFlow,
    Parameter,
    ParameterLocation,
    RequestBody,
    RequiredScheme,
    Requirement,
    Response,
    SecurityScheme,
    Server,
    ServerVariable,
)
from devportal.contract.operation_names import operation_at
from devportal.contract.read.lifecycle_extensions import (
    is_internal,
    leads_to_internal,
    read_grounds,
    read_renamed_from,
    read_stability,
    read_successor,
    read_unknown_stability,
    resolve_published,
)
from devportal.contract.read.read_schema import SchemaReader
from devportal.contract.read.references import broken_note, broken_reference, name_from_reference
from devportal.contract.read.source import Node
from devportal.contract.schemas import ABSENT
from devportal.contract.wording import quote_value
from devportal.findings import Level

_DEFAULT_STYLE = {
    ParameterLocation.PATH: "simple",
    ParameterLocation.HEADER: "simple",
    ParameterLocation.QUERY: "form",
    ParameterLocation.COOKIE: "form",
    ParameterLocation.QUERYSTRING: "form",
}
_EXPLODED_STYLES = frozenset({"form", "cookie"})
"""The styles that explode by default (OAS 3.2.0 §4.12.2.2)."""


def read_parameters(holder: Node, schemas: SchemaReader) -> tuple[Parameter, ...]:
    """Return the parameters in a node's list, without internal and malformed ones."""
    parameters: dict[tuple[ParameterLocation, str], Parameter] = {}
    for item in holder.items("parameters"):
        node = resolve_published(item)
        parameter = _broken_parameter(item) if node is None else schemas.once(_parameter, node)
        if parameter is None:
            continue
        if (parameter.location_in, parameter.name) in parameters:
            item.report(
                "contract-parameter",
                f"this list has the {parameter.location_in} parameter {quote_value(parameter.name)} already",
                help="remove one of the two (OAS 3.0.3 §4.7.10)",
            )
        parameters[parameter.location_in, parameter.name] = parameter
    return tuple(parameters.values())


def _location_advice(node: Node) -> str:
    """Return what to write under `in`: in OpenAPI 3, a body is not a parameter."""
    if node.text("in") in ("body", "formData"):
        return "describe it under 'requestBody' of the operation: it is not a parameter in OpenAPI 3"
    has_querystring = str(node.source.root().value.get("openapi")) >= "3.2"
    places = [
        place for place in ParameterLocation if has_querystring or place is not ParameterLocation.QUERYSTRING
    ]
    return f"'in' is one of {', '.join(places)}"


def _parameter(node: Node, schemas: SchemaReader) -> Parameter | None:
    name = node.text("name")
    try:
        location = ParameterLocation(node.text("in"))
    except ValueError:
        node.report(
            "contract-shape",
            f"the parameter {quote_value(name)} travels in {quote_value(node.text('in'))}",
            help=_location_advice(node),
            key="in",
        )
        return None
    if not name:
        node.report("contract-shape", "this parameter has no name", help="give it a 'name'")
        return None
    if location is ParameterLocation.HEADER and name.lower() in IGNORED_HEADER_PARAMETERS:
        return None
    style = node.text("style") or _DEFAULT_STYLE[location]
    return Parameter(
        name=name,
        location_in=location,
        required=node.flag("required") or location is ParameterLocation.PATH,
        deprecated=node.flag("deprecated"),
        sunset=node.text("x-sunset"),
        renamed_from=read_renamed_from(node),
        successor=read_successor(node),
        description=node.text("description"),
        schema=schemas.member(node, "schema"),
        content=_parameter_media_type(node, schemas),
        style=style,
        explode=node.flag("explode") if node.has("explode") else style in _EXPLODED_STYLES,
        allow_reserved=node.flag("allowReserved"),
        allow_empty=node.flag("allowEmptyValue"),
        examples=read_examples(node),
        stability=read_stability(node),
        unknown_stability=read_unknown_stability(node),
        grounds=read_grounds(node),
        location=node.location,
    )


def _broken_parameter(item: Node) -> Parameter | None:
    """Return a placeholder for a parameter with a broken reference, named after the reference."""
    reference = broken_reference(item)
    if not reference:
        return None
    return Parameter(
        name=name_from_reference(reference),
        location_in=ParameterLocation.QUERY,
        description=f"{broken_note(reference)} It may as well travel in a header or a cookie.",
        style=_DEFAULT_STYLE[ParameterLocation.QUERY],
        explode=True,
        location=item.location,
        broken=reference,
    )


def read_examples(node: Node) -> tuple[Example, ...]:
    """Return the named examples of a node, then a lone `example` under the empty name."""
    schema = node.get("schema")
    read = (_example(name, item, schema) for name, item in node.members("examples"))
    named_examples = tuple(example for example in read if example is not None)
    lone = node.get("example")
    if lone is None or any(example.has_value or example.external for example in named_examples):
        return named_examples
    value = published_value(lone.value, schema)
    lone_examples = () if value is ABSENT else (Example(name="", value=value, location=lone.location),)
    return (*named_examples, *lone_examples)


def _example(name: str, item: Node, schema: Node | None) -> Example | None:
    node = resolve_published(item)
    if node is None:
        return None
    key = next((key for key in ("value", "dataValue", "serializedValue") if node.has(key)), "")
    has_value = bool(key or node.text("externalValue"))
    if not has_value:
        has_text = bool(node.text("summary") or node.text("description"))
        shown = "only its text is shown" if has_text else "it is not shown"
        message = f"the example {quote_value(name)} has no value, so {shown}"
        node.report("contract-example-empty", message, help="give it a 'value'", level=Level.NOTE)
        if not has_text:
            return None
    serialised = node.text("serializedValue") if node.has("serializedValue") else None
    declared = (
        deserialise_example(serialised) if key == "serializedValue" and serialised else node.value.get(key)
    )
    value = published_value(declared, schema) if has_value else ABSENT
    if has_value and value is ABSENT:
        return None
    return Example(
        name=name,
        value=value,
        serialised=_published_serialised_value(serialised, schema),
        summary=node.text("summary"),
        description=node.text("description"),
        external=node.text("externalValue"),
        location=node.location,
    )


def _published_serialised_value(text: str | None, schema: Node | None) -> str | None:
    """Return the serialised value of an example, None if it has internal members."""
    value = deserialise_example(text) if text is not None else None
    return text if published_value(value, schema) == value else None


def read_content(node: Node, schemas: SchemaReader) -> tuple[MediaType, ...]:
    """Return the bodies of a node by media type, in the order written."""
    media_types = []
    for name, item in node.members("content"):
        media = resolve_published(item)
        if media is not None:
            media_types.append(_media_type(name, media, schemas, **_encodings(media, schemas)))
        elif not leads_to_internal(item):
            media_types.append(
                MediaType(name=name, schema=schemas.broken_schema(item), location=item.location)
            )
    return tuple(media_types)


def _parameter_media_type(node: Node, schemas: SchemaReader) -> MediaType | None:
    """Return the media type that a parameter is written in; a query string may be a form with encodings."""
    for name, media in _published_content(node):
        return _media_type(name, media, schemas, **_encodings(media, schemas))
    return None


def _header_media_type(node: Node, schemas: SchemaReader) -> MediaType | None:
    """Return the media type that a header is written in. It has no encodings: it is never a form, and their
    headers could lead back to it.
    """
    for name, media in _published_content(node):
        return _media_type(name, media, schemas)
    return None


def _published_content(node: Node) -> Iterator[tuple[str, Node]]:
    """Yield the media types of a part that are published and can be resolved."""
    for name, item in node.members("content"):
        media = resolve_published(item)
        if media is not None:
            yield name, media


def _media_type(name: str, node: Node, schemas: SchemaReader, **encodings: Any) -> MediaType:
    return MediaType(
        name=name,
        schema=schemas.member(node, "schema"),
        item_schema=schemas.member(node, "itemSchema"),
        examples=read_examples(node),
        stability=read_stability(node),
        grounds=read_grounds(node),
        location=node.location,
        **encodings,
    )


def _encodings(node: Node, schemas: SchemaReader) -> dict[str, Any]:
    """Return the encodings of a media type, or within one, by the fields of the model."""
    hidden = schemas.hidden_properties(node) if node.has("encoding") else frozenset[str]()
    published_encodings = [
        (name, item)
        for name, item in node.members("encoding")
        if not is_internal(item) and name not in hidden
    ]
    item = node.mapping("itemEncoding")
    return {
        "encodings": tuple(_encoding(name, member, schemas) for name, member in published_encodings),
        "prefix_encodings": tuple(_encoding("", member, schemas) for member in node.items("prefixEncoding")),
        "item_encoding": None if item is None or is_internal(item) else _encoding("", item, schemas),
    }


def _encoding(name: str, node: Node, schemas: SchemaReader) -> Encoding:
    return Encoding(
        property_name=name,
        content_type=node.text("contentType"),
        style=node.text("style"),
        explode=node.flag("explode") if node.has("explode") else None,
        allow_reserved=node.flag("allowReserved"),
        headers=read_headers(node, schemas),
        **_encodings(node, schemas),
    )


def read_headers(node: Node, schemas: SchemaReader) -> tuple[Header, ...]:
    """Return the headers of a node, in the order written."""
    headers: list[Header] = []
    for name, item in node.members("headers"):
        header = resolve_published(item)
        if header is None:
            headers += _unknown_header(name, item)
            continue
        headers.append(replace(schemas.once(_header, header), name=name))
    return tuple(headers)


def _header(node: Node, schemas: SchemaReader) -> Header:
    """Return a header without its name, which is that of the member that leads to it."""
    return Header(
        name="",
        required=node.flag("required"),
        deprecated=node.flag("deprecated"),
        sunset=node.text("x-sunset"),
        renamed_from=read_renamed_from(node),
        description=node.text("description"),
        schema=schemas.member(node, "schema"),
        content=_header_media_type(node, schemas),
        explode=node.flag("explode"),
        examples=read_examples(node),
        stability=read_stability(node),
        unknown_stability=read_unknown_stability(node),
        grounds=read_grounds(node),
        location=node.location,
    )


def _unknown_header(name: str, item: Node) -> Iterator[Header]:
    """Yield a placeholder for a header that is malformed or has a broken reference."""
    if not leads_to_internal(item):
        broken = broken_reference(item)
        yield Header(name=name, description=broken_note(broken), location=item.location, broken=broken)


def read_request_body(node: Node, schemas: SchemaReader) -> RequestBody | None:
    """Return the request body of an operation's node, if it has one."""
    declared = node.mapping("requestBody")
    body = resolve_published(declared) if declared is not None else None
    broken = broken_reference(declared) if declared is not None else ""
    if declared is not None and broken:
        return RequestBody(description=broken_note(broken), location=declared.location, broken=broken)
    if body is None:
        return None
    return RequestBody(
        required=body.flag("required"),
        description=body.text("description"),
        content=read_content(body, schemas),
        stability=read_stability(body),
        grounds=read_grounds(body),
        location=body.location,
    )


def read_responses(node: Node, schemas: SchemaReader) -> Iterator[Response]:
    """Yield the responses of an operation's node: by status, then ranges, then the default."""
    members = sorted(node.members("responses"), key=lambda member: _status_order(member[0]))
    for status, item in members:
        if status.startswith("x-"):
            continue
        response = resolve_published(item)
        if response is None:
            yield from _unknown_response(status, item)
            continue
        yield replace(schemas.once(_response, response), status=status)


def _response(node: Node, schemas: SchemaReader) -> Response:
    """Return a response without its status, which is that of the member that leads to it."""
    return Response(
        status="",
        summary=node.text("summary"),
        description=node.text("description"),
        headers=read_headers(node, schemas),
        content=read_content(node, schemas),
        links=tuple(_links(node)),
        stability=read_stability(node),
        grounds=read_grounds(node),
        location=node.location,
    )


def _unknown_response(status: str, item: Node) -> Iterator[Response]:
    """Yield a placeholder for a response that is malformed or has a broken reference."""
    if not leads_to_internal(item):
        broken = broken_reference(item)
        yield Response(status=status, description=broken_note(broken), location=item.location, broken=broken)


def _status_order(status: str) -> tuple[int, str]:
    return (2 if status == "default" else 1 if "X" in status.upper() else 0, status)


def _links(node: Node) -> Iterator[Link]:
    for name, item in node.members("links"):
        link = resolve_published(item)
        if link is None:
            continue
        server = link.mapping("server")
        yield Link(
            name=name,
            operation_id=link.text("operationId"),
            operation_ref=link.text("operationRef"),
            parameters=tuple((key, member.value) for key, member in link.members("parameters")),
            request_body=link.value.get("requestBody"),
            description=link.text("description"),
            server=_server(server) if server is not None else None,
            target=operation_at(link.text("operationRef"), link.location, link.source),
            stability=read_stability(link),
            grounds=read_grounds(link),
            location=link.location,
        )


def read_requirements(node: Node) -> tuple[Requirement, ...] | None:
    """Return the security alternatives of a node; None if it declares no security.

    A malformed declaration never makes an operation public: it is reported and counts as not written.
    """
    if not node.has("security"):
        return None
    items = tuple(node.items("security"))
    requirements = tuple(_requirement(item) for item in items if _is_requirement(item))
    is_malformed = not isinstance(node.value["security"], list) or (items and not requirements)
    return None if is_malformed else requirements


def _is_requirement(item: Node) -> bool:
    if not isinstance(item.value, dict):
        item.report(
            "contract-shape",
            f"expected a security requirement, found {quote_value(item.value)}",
            help="write the scheme's name with a list of scopes: 'name: []'",
        )
    return isinstance(item.value, dict)


def _requirement(item: Node) -> Requirement:
    return tuple(
        RequiredScheme(scheme=_scheme_name(name, item), scopes=item.texts(name)) for name, _ in item.entries()
    )


def _scheme_name(name: str, item: Node) -> str:
    """Return the name of a scheme in a requirement, which can also be its URI (OAS 3.2.0 §4.30)."""
    location = item.source.find_location(name, item.location) if "/" in name else None
    if location is None or location.pointer[:-1] != ("components", "securitySchemes"):
        return name
    return location.pointer[-1]


def read_servers(node: Node) -> tuple[Server, ...]:
    """Return the servers of a node, in the order written."""
    return tuple(
        _server(item) for item in node.items("servers") if item.text("url") and not is_internal(item)
    )


def _server(node: Node) -> Server:
    return Server(
        url=node.text("url"),
        name=node.text("name"),
        description=node.text("description"),
        variables=tuple(_server_variables(node)),
        is_sandbox=node.flag("x-sandbox") if node.has("x-sandbox") else None,
        stability=read_stability(node),
        grounds=read_grounds(node),
    )


def _server_variables(node: Node) -> Iterator[ServerVariable]:
    for name, member in node.members("variables"):
        values = member.texts("enum")
        default = member.text("default") if member.has("default") else next(iter(values), None)
        yield ServerVariable(name=name, default=default, enum=values, description=member.text("description"))


def read_security_schemes(components: Node | None) -> tuple[SecurityScheme, ...]:
    """Return the security schemes of the `components` node that are published."""
    if components is None:
        return ()
    return tuple(
        _security_scheme(name, node) if node is not None else _unknown_scheme(name, item)
        for name, item in components.members("securitySchemes")
        if (node := resolve_published(item)) is not None or not leads_to_internal(item)
    )


def _unknown_scheme(name: str, item: Node) -> SecurityScheme:
    """Return a placeholder for a scheme that is malformed or has a broken reference."""
    return SecurityScheme(
        name=name, kind="", description=broken_note(broken_reference(item)), location=item.location
    )


def internal_schemes(components: Node | None) -> frozenset[str]:
    """Return the names of the security schemes that are internal."""
    members = components.members("securitySchemes") if components is not None else ()
    return frozenset(name for name, item in members if leads_to_internal(item))


def _security_scheme(name: str, node: Node) -> SecurityScheme:
    return SecurityScheme(
        name=name,
        kind=node.text("type"),
        description=node.text("description"),
        carrier=node.text("in"),
        parameter=node.text("name"),
        scheme=node.text("scheme"),
        bearer_format=node.text("bearerFormat"),
        flows=tuple(
            _oauth_flow(kind, member)
            for kind, member in node.members("flows")
            if not kind.startswith("x-") and not is_internal(member)
        ),
        openid_url=node.text("openIdConnectUrl"),
        oauth_metadata_url=node.text("oauth2MetadataUrl"),
        deprecated=node.flag("deprecated"),
        sunset=node.text("x-sunset"),
        scopes=_named_texts(node, "x-scopes"),
        stability=read_stability(node),
        grounds=read_grounds(node),
        location=node.location,
    )


def _oauth_flow(kind: str, node: Node) -> OAuthFlow:
    return OAuthFlow(
        kind=kind,
        authorization_url=node.text("authorizationUrl"),
        device_authorization_url=node.text("deviceAuthorizationUrl"),
        token_url=node.text("tokenUrl"),
        refresh_url=node.text("refreshUrl"),
        scopes=_named_texts(node, "scopes"),
    )


def _named_texts(node: Node, key: str) -> tuple[tuple[str, str], ...]:
    member = node.mapping(key)
    return tuple((name, member.text(name)) for name, _ in member.entries()) if member is not None else ()
