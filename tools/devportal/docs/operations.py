"""What one must know to call an operation, from the contract that a site publishes."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, islice

from devportal.contract import (
    Api,
    Callback,
    MediaType,
    Operation,
    Parameter,
    Requirement,
    SecurityScheme,
    Server,
    Webhook,
    read_contract,
)
from devportal.contract.validate.json_schema import Direction
from devportal.contract.value_sources import ValueSources
from devportal.docs.records import DocumentedOperation
from devportal.docs.site_source import SiteSource
from devportal.documents import parse_document
from devportal.errors import InvalidSettings, UnreadableInput
from devportal.markup import plain_text
from devportal.reference.addresses import OPENAPI_JSON, Anchors
from devportal.reference.pages.security import scheme_words
from devportal.reference.reference import reference_of
from devportal.reference.samples.panels import Panels
from devportal.reference.samples.sample_requests import sample_requests
from devportal.reference.schema.described_values import ValueDescription
from devportal.reference.schema.fields import Field, FieldReader
from devportal.reference.wording import encoding_facts
from devportal.suggestions import suggest_names

MAX_DEPTH = 4
"""How deep the fields of a body are listed if it is not small."""
_SMALL_BODY, _DEEPEST = 60, 8
"""How many fields a body has at most whose fields are all listed, and how deep these are."""
MAX_ROWS = 200
"""How many fields of a body are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDescription:
    """A parameter, header or field. `name` is the path in the body: `address.city`; `rules` are in words."""

    name: str
    location: str = ""
    """Of a parameter: path, query, header or cookie."""
    type: str
    required: bool
    stability: str
    deprecated: bool
    description: str
    rules: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    """The allowed values as JSON texts."""
    default: str = ""
    example: str = ""
    page: str = ""
    """The uri of the page that has the fields of a large shared schema; empty if they are listed here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyDescription:
    """A body in one media type. `is_cut` says that it has more fields than are listed."""

    media_type: str
    type: str
    description: str
    fields: tuple[FieldDescription, ...] = ()
    is_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseDescription:
    """A response; `status` is a number, a class such as `4XX`, or `default`."""

    status: str
    description: str
    headers: tuple[str, ...] = ()
    header_fields: tuple[FieldDescription, ...] = ()
    """The same headers with what the contract says about them."""
    bodies: tuple[BodyDescription, ...] = ()

    @property
    def is_error(self) -> bool:
        """Say whether it reports an error: any class but 1xx to 3xx."""
        return self.status[:1] not in ("1", "2", "3")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredCredential:
    """A security scheme that an operation needs, with its scopes."""

    scheme: str
    kind: str
    scopes: tuple[str, ...] = ()
    token_urls: tuple[str, ...] = ()
    """Where OAuth 2 issues tokens, or the discovery document of OpenID Connect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueOrigin:
    """Where the value of a required input comes from: `input` is its name, `location` that of a parameter or
    `body`; `operation` is the name of another operation, in whose response `member` or `header` has the value.
    """

    input: str
    location: str
    operation: str
    member: str = ""
    header: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableDescription:
    """A variable in the address of a server. Without `values`, any value is allowed."""

    name: str
    default: str
    values: tuple[str, ...]
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerDescription:
    """A server: `template` is its address as the contract writes it, `url` the one with the defaults."""

    url: str
    template: str
    description: str
    variables: tuple[VariableDescription, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackDescription:
    """A request that the provider sends because of an operation, to the address of a runtime expression."""

    name: str
    method: str
    expression: str
    title: str
    description: str
    parameters: tuple[FieldDescription, ...]
    body_is_required: bool
    bodies: tuple[BodyDescription, ...]
    responses: tuple[ResponseDescription, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationDescription:
    """An operation. Of an event, the request is what the provider sends."""

    name: str
    operation_id: str
    title: str
    description: str
    servers: tuple[ServerDescription, ...] = ()
    credentials: tuple[tuple[RequiredCredential, ...], ...] = ()
    """Alternatives, each with the credentials that go together; an empty one needs none."""
    scopes: tuple[str, ...] = ()
    """The scopes of a token, if the contract says them apart from its security schemes (`x-scopes`)."""
    parameters: tuple[FieldDescription, ...] = ()
    value_origins: tuple[ValueOrigin, ...] = ()
    """Where required inputs come from, the best origin of each first."""
    body_is_required: bool = False
    bodies: tuple[BodyDescription, ...] = ()
    responses: tuple[ResponseDescription, ...] = field(default=(), repr=False)
    callbacks: tuple[CallbackDescription, ...] = field(default=(), repr=False)
    sample: str = ""


def read_api(source: SiteSource, uri: str = OPENAPI_JSON) -> Api:
    """Return the contract of a site, which is at a uri. Raises UnreadableInput or InvalidContract."""
    text = source.read(uri)
    if text is None:
        raise UnreadableInput(
            f"{source.name} has no {uri}",
            help="give --site a site that devportal built from a contract",
        )
    return _parse_api(text)


@lru_cache(maxsize=8)
def _parse_api(text: str) -> Api:
    """Return the contract of a text; a server is asked about the same one many times."""
    return read_contract(parse_document(text, name=OPENAPI_JSON)).api


# ---- which operation ----


def find_name(names: Iterable[DocumentedOperation], asked: str) -> DocumentedOperation | None:
    """Return the operation or event with a name, an operationId or a path with values; None if there is none."""
    return next(chain(*_find_names(names, asked)), None)


def _find_names(
    names: Iterable[DocumentedOperation], asked: str
) -> Iterator[tuple[DocumentedOperation, ...]]:
    """Yield what a name may mean: what is called exactly so, or in other case, or with values in its path."""
    known = tuple(names)
    wanted = " ".join(asked.split())
    if wanted:
        lower = wanted.casefold()
        yield tuple(operation for operation in known if wanted in (operation.name, operation.operation_id))
        yield tuple(
            operation
            for operation in known
            if lower in (operation.name.casefold(), operation.operation_id.casefold())
        )
        yield tuple(operation for operation in known if _is_path_of(operation.name, wanted))


def _is_path_of(name: str, asked: str) -> bool:
    """Say whether a method and path has values in place of the parameters of a name."""
    method, _, path = name.partition(" ")
    asked_method, _, asked_path = asked.partition(" ")
    steps, asked_steps = path.split("/"), asked_path.partition("?")[0].rstrip("/").split("/")
    return (
        method == asked_method.upper()
        and path.startswith("/")
        and len(steps) == len(asked_steps)
        and all(
            first == other or ("{" in first and other)
            for first, other in zip(steps, asked_steps, strict=True)
        )
    )


def require_name(names: Iterable[DocumentedOperation], asked: str) -> DocumentedOperation:
    """Return the operation or event with a name.

    Raises InvalidSettings, with similar names, or with the APIs if several have one of that name.
    """
    known = tuple(names)
    alike = next(filter(None, _find_names(known, asked)), ())
    operation = alike[0] if alike else None
    if len({match.api for match in alike}) > 1:
        candidates = ", ".join(dict.fromkeys(f"{match.api} ({match.name})" for match in alike))
        raise InvalidSettings(
            f"several APIs have an operation {asked!r}: {candidates}", help="name the API too"
        )
    if operation is None:
        named = [text for match in known for text in (match.name, match.operation_id) if text]
        raise InvalidSettings(
            f"the site has no operation {asked!r}",
            help=suggest_names(asked, named, "write METHOD PATH or an operationId; a search finds them"),
        )
    return operation


def operations_of(api: Api) -> tuple[DocumentedOperation, ...]:
    """Return the operations and events of a contract, for a site that says nothing about them itself."""
    events = tuple((webhook.name, operation) for webhook in api.webhooks for operation in webhook.operations)
    return tuple(
        DocumentedOperation(
            name=name,
            operation_id=operation.id if operation.id_is_declared else "",
            title=operation.title,
            page="",
            stability=str(operation.stability),
            deprecated=operation.deprecated,
            sunset=operation.sunset,
            since="",
            is_event=is_event,
        )
        for is_event, group in (
            (False, [(f"{item.method} {item.path}", item) for item in api.operations]),
            (True, events),
        )
        for name, operation in group
    )


# ---- what it needs ----


def describe_operation(api: Api, name: str) -> OperationDescription:
    """Return the description of an operation or event of a contract. Raises UnreadableInput if it has none."""
    operation = find_operation(api, name)
    if operation is not None:
        return _describe(api, operation, name)
    for webhook in api.webhooks:
        if webhook.name == name and webhook.operations:
            return _describe_event(api, webhook)
    raise UnreadableInput(f"{OPENAPI_JSON} of the site has no operation {name!r}, which docs.json has")


def find_operation(api: Api, name: str) -> Operation | None:
    """Return the operation with a method and path of a contract."""
    return next(
        (operation for operation in api.operations if f"{operation.method} {operation.path}" == name), None
    )


def _describe_event(api: Api, webhook: Webhook) -> OperationDescription:
    return _describe(api, webhook.operations[0], webhook.name, is_event=True)


def _describe(api: Api, operation: Operation, name: str, *, is_event: bool = False) -> OperationDescription:
    reference = reference_of(api)
    reader = FieldReader(reference)
    sent, received = reader.towards(Direction.REQUEST), reader.towards(Direction.RESPONSE)
    panels = Panels(reference)
    samples = (
        panels.plain_payload(operation)
        if is_event
        else panels.plain(operation, sample_requests(api, operation))
    )
    body = operation.request_body
    return OperationDescription(
        name=name,
        operation_id=operation.id if operation.id_is_declared else "",
        title=operation.title,
        description=operation.description,
        servers=() if is_event else tuple(map(_server, operation.servers)),
        credentials=required_credentials(api, operation),
        scopes=operation.scopes,
        parameters=tuple(_parameters(operation.parameters, sent)),
        value_origins=() if is_event else tuple(_value_origins(api, operation)),
        body_is_required=body is not None and body.required,
        bodies=_bodies(body.content, received if is_event else sent) if body is not None else (),
        responses=tuple(_responses(operation, sent if is_event else received)),
        callbacks=tuple(
            _callback(callback, request, sent, received)
            for callback in operation.callbacks
            for request in callback.operations
        ),
        sample=samples[0].code if samples else "",
    )


def _server(server: Server) -> ServerDescription:
    return ServerDescription(
        url=server.address,
        template=server.url,
        description=plain_text(server.description or server.name),
        variables=tuple(
            VariableDescription(
                name=variable.name,
                default=variable.default or "",
                values=variable.enum,
                description=plain_text(variable.description),
            )
            for variable in server.variables
        ),
    )


def _parameters(parameters: Iterable[Parameter], reader: FieldReader) -> Iterator[FieldDescription]:
    """Yield each parameter, followed by the members of its value."""
    for parameter in parameters:
        row = reader.parameter(parameter, Anchors(), parameter.name)
        location = str(parameter.location_in)
        yield _field_description(row, parameter.name, location)
        for member in [*_rows(row, parameter.name, MAX_DEPTH)][:MAX_ROWS]:
            yield replace(member, location=location)


def _responses(operation: Operation, reader: FieldReader) -> Iterator[ResponseDescription]:
    for response in operation.responses:
        yield ResponseDescription(
            status=response.status,
            description=plain_text(response.description or response.summary),
            headers=tuple(header.name for header in response.headers),
            header_fields=tuple(
                _field_description(reader.header(header, Anchors(), header.name), header.name)
                for header in response.headers
            ),
            bodies=_bodies(response.content, reader),
        )


def _callback(
    callback: Callback, request: Operation, sent: FieldReader, received: FieldReader
) -> CallbackDescription:
    """Return a request of a callback: the provider sends its body, and receives the responses."""
    body = request.request_body
    return CallbackDescription(
        name=callback.name,
        method=request.method,
        expression=callback.expression,
        title=request.title,
        description=request.description,
        parameters=tuple(_parameters(request.parameters, received)),
        body_is_required=body is not None and body.required,
        bodies=_bodies(body.content, received) if body is not None else (),
        responses=tuple(_responses(request, sent)),
    )


def _value_origins(api: Api, operation: Operation) -> Iterator[ValueOrigin]:
    for sourced_input in ValueSources(api).of(operation):
        for source in sourced_input.sources:
            yield ValueOrigin(
                input=sourced_input.name,
                location=sourced_input.location,
                operation=f"{source.operation.method} {source.operation.path}",
                member=source.member,
                header=source.header,
            )


def required_credentials(api: Api, operation: Operation) -> tuple[tuple[RequiredCredential, ...], ...]:
    """Return the credentials that an operation needs: alternatives, each with those that go together."""
    return tuple(_credentials(api, item) for item in operation.security)


def _credentials(api: Api, requirement: Requirement) -> tuple[RequiredCredential, ...]:
    kinds = {security_scheme.name: scheme_words(security_scheme) for security_scheme in api.security_schemes}
    token_urls = {
        security_scheme.name: _token_urls(security_scheme) for security_scheme in api.security_schemes
    }
    return tuple(
        RequiredCredential(
            scheme=required_scheme.scheme,
            kind=kinds.get(required_scheme.scheme, ""),
            scopes=required_scheme.scopes,
            token_urls=token_urls.get(required_scheme.scheme, ()),
        )
        for required_scheme in requirement
    )


def _token_urls(security_scheme: SecurityScheme) -> tuple[str, ...]:
    urls = (*(flow.token_url for flow in security_scheme.flows), security_scheme.openid_url)
    return tuple(dict.fromkeys(filter(None, urls)))


def _bodies(content: Iterable[MediaType], reader: FieldReader) -> tuple[BodyDescription, ...]:
    return tuple(_body(media_type, reader) for media_type in content)


def _body(media: MediaType, reader: FieldReader) -> BodyDescription:
    schema = media.schema or media.item_schema
    if schema is None:
        return BodyDescription(media_type=media.name, type="", description="")
    body = describe_body(reader.body(schema, Anchors(), ""), media.name)
    encodings = {encoding.property_name: encoding_facts(encoding) for encoding in media.encodings}
    fields = tuple(
        replace(item, rules=(*item.rules, *(fact.text for fact in encodings.get(item.name, ()))))
        for item in body.fields
    )
    return replace(body, fields=fields)


def describe_body(body: Field, media_type: str) -> BodyDescription:
    """Return the description of a value with its fields."""
    rows = _body_rows(body)
    return BodyDescription(
        media_type=media_type,
        type=body.value.type.text,
        description=plain_text(body.value.description),
        fields=tuple(rows[:MAX_ROWS]),
        is_cut=len(rows) > MAX_ROWS,
    )


def _body_rows(body: Field) -> list[FieldDescription]:
    """Return the fields of a body: all of a small one, and those down to `MAX_DEPTH` of another."""
    rows = [*islice(_rows(body, "", _DEEPEST), _SMALL_BODY + 1)]
    return rows if len(rows) <= _SMALL_BODY else [*_rows(body, "", MAX_DEPTH)]


def _rows(parent: Field, path: str, depth: int) -> Iterator[FieldDescription]:
    """Yield the fields below a field, down to a depth."""
    for item in parent.fields:
        name = f"{path}.{item.code}" if item.code else f"{path} ({item.label})"
        name = name if path else item.code or item.label
        yield _field_description(item, name)
        if depth > 1:
            yield from _rows(item, name, depth - 1)
    for union in parent.unions:
        for branch in union.branches:
            name = f"{path or 'body'} {union.words} {branch.name}".rstrip()
            yield _field_description(branch, name)
            if depth > 1:
                yield from _rows(branch, name, depth - 1)


def rule_words(value: ValueDescription) -> tuple[str, ...]:
    """Return each rule of a value in words: its bounds, its pattern, its default, and the schemas that the values of
    its discriminator select.
    """
    selected = (
        f"{'any other value' if text is None else json.dumps(text, ensure_ascii=False)} selects {label.text}"
        for text, label in value.mapping
    )
    return (*(fact.text for fact in value.facts), *selected)


def _field_description(item: Field, name: str, location: str = "") -> FieldDescription:
    value = item.value
    texts = (value.description or value.title, *value.further)
    example = next((each.text for each in value.examples if each.has_value and not each.url), "")
    return FieldDescription(
        name=name,
        location=location,
        type=value.type.text,
        required=item.required,
        stability=str(value.stability or ""),
        deprecated=value.deprecated,
        description=plain_text(next(filter(None, texts), "")),
        rules=rule_words(value),
        values=tuple(each.code for each in value.enum),
        default=value.default or "",
        example=example,
        page=item.more[0].target if item.more else "",
    )
