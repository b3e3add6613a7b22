"""What the templates of an operation show, made from the model: small values, no markup."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from http import HTTPStatus

from devportal.contract import (
    Api,
    Header,
    In,
    MediaType,
    Operation,
    Parameter,
    ProblemType,
    Response,
    Schema,
    SecurityScheme,
    Stability,
    Webhook,
)
from devportal.pages import plain_text
from devportal.reference.addresses import Addresses
from devportal.reference.fields import Field, FieldReader


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationItem:
    """An operation in a list."""

    uri: str
    method: str
    title: str
    path: str
    stability: Stability
    deprecated: bool

    @property
    def short(self) -> str:
        """The method in at most four letters, for narrow places."""
        return {"DELETE": "DEL", "OPTIONS": "OPT", "PATCH": "PTCH"}.get(self.method, self.method[:5])


def item_of(operation: Operation, addresses: Addresses) -> OperationItem:
    """Return an operation as it stands in a list."""
    return OperationItem(
        uri=addresses.operation(operation),
        method=operation.method,
        title=operation.title,
        path=operation.path,
        stability=operation.stability,
        deprecated=operation.deprecated,
    )


def event_item(webhook: Webhook, addresses: Addresses) -> OperationItem:
    """Return an event as it stands in a list."""
    operation = webhook.operations[0]
    return OperationItem(
        uri=addresses.events[webhook.name],
        method="EVENT",
        title=operation.title,
        path=webhook.name,
        stability=operation.stability,
        deprecated=operation.deprecated,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """A body in one media type, as rows."""

    name: str
    field: Field | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterPlace:
    """The parameters of one place: path, query, header or cookie."""

    anchor: str
    title: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyView:
    """A request body."""

    title: str
    required: bool
    description: str
    content: tuple[Media, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemItem:
    """A problem type in a list."""

    uri: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkView:
    """A link of a response to another operation."""

    title: str
    uri: str
    description: str
    parameters: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseView:
    """A response with its headers and bodies as rows; `kind` is its class: 2, 3, 4, 5 or x."""

    status: str
    kind: str
    anchor: str
    summary: str
    description: str
    is_open: bool
    stability: Stability | None
    headers: tuple[Field, ...]
    content: tuple[Media, ...]
    problems: tuple[ProblemItem, ...]
    links: tuple[LinkView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UseView:
    """A security scheme that an operation uses."""

    name: str
    kind: str
    uri: str
    scopes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackRequestView:
    """One request of a callback."""

    method: str
    title: str
    description: str
    content: tuple[Media, ...]
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackView:
    """A callback of an operation."""

    name: str
    anchor: str
    expression: str
    requests: tuple[CallbackRequestView, ...]


class OperationViews:
    """Makes the views of the operations of one contract."""

    def __init__(self, api: Api, addresses: Addresses, *, sent: FieldReader, received: FieldReader) -> None:
        """Take the contract, where its parts are shown, and the readers for requests and for answers."""
        self._api = api
        self._addresses = addresses
        self._sent = sent
        self._received = received

    def parameters(self, operation: Operation) -> tuple[ParameterPlace, ...]:
        """Return the parameters by place, in the order path, query, header, cookie."""
        places = []
        for place, title in _PLACES.items():
            fields = tuple(self._parameter(one) for one in operation.parameters if one.location_in is place)
            if fields:
                places.append(ParameterPlace(anchor=f"{place}-parameters", title=title, fields=fields))
        return tuple(places)

    def _parameter(self, one: Parameter) -> Field:
        schema = one.schema or (one.content.schema if one.content else None)
        return self._sent.parameter(one, schema, anchor=f"{one.location_in}.{one.name}")

    def request(self, operation: Operation) -> BodyView | None:
        """Return the request body."""
        body = operation.request_body
        if body is None:
            return None
        return BodyView(
            title="Request body",
            required=body.required,
            description=body.description,
            content=tuple(self._media(one, self._sent, "body") for one in body.content),
        )

    def _media(self, media: MediaType, reader: FieldReader, anchor: str) -> Media:
        schema = media.schema or media.item_schema
        return Media(name=media.name, field=reader.body(schema, anchor) if schema is not None else None)

    def _answer(self, media: MediaType, response: Response, anchor: str) -> Media:
        """Return the body of a response; those of errors mostly share one schema, so it is linked."""
        if response.is_success or media.schema is None:
            return self._media(media, self._received, anchor)
        return Media(name=media.name, field=self._received.brief(media.schema, anchor))

    def responses(self, operation: Operation) -> tuple[ResponseView, ...]:
        """Return the responses; the first success is open."""
        opened = next((one.status for one in operation.responses if one.is_success), None)
        return tuple(self._response(one, is_open=one.status == opened) for one in operation.responses)

    def _response(self, response: Response, *, is_open: bool) -> ResponseView:
        anchor = f"response.{response.status}"
        return ResponseView(
            status=response.status,
            kind=response.status[0] if response.status[0] in "12345" else "x",
            anchor=anchor,
            summary=_first_sentence(response.description) or _reason(response.status),
            description=response.description,
            is_open=is_open,
            stability=response.stability,
            headers=tuple(self._header(one, anchor) for one in response.headers),
            content=tuple(self._answer(one, response, anchor) for one in response.content),
            problems=tuple(self._problems(response)),
            links=tuple(self._links(response)),
        )

    def _header(self, header: Header, anchor: str) -> Field:
        schema = header.schema or (header.content.schema if header.content else None)
        return self._received.header(header, schema, anchor=f"{anchor}.{header.name}")

    def _problems(self, response: Response) -> Iterator[ProblemItem]:
        for problem in problem_types_of(self._api, response):
            yield ProblemItem(uri=self._addresses.problems[problem.uri], title=problem.title)

    def _links(self, response: Response) -> Iterator[LinkView]:
        by_id = {operation.id: operation for operation in self._api.operations}
        for link in response.links:
            target = by_id.get(link.operation_id)
            yield LinkView(
                title=target.title if target else link.operation_id or link.operation_ref or link.name,
                uri=self._addresses.operation(target) if target else "",
                description=link.description,
                parameters=tuple((name, str(value)) for name, value in link.parameters),
            )

    def callbacks(self, operation: Operation) -> Iterator[CallbackView]:
        """Yield the callbacks."""
        for callback in operation.callbacks:
            yield CallbackView(
                name=callback.name,
                anchor=f"callback.{callback.name}",
                expression=callback.expression,
                requests=tuple(self._callback_request(one, callback.name) for one in callback.operations),
            )

    def _callback_request(self, operation: Operation, name: str) -> CallbackRequestView:
        body = operation.request_body
        return CallbackRequestView(
            method=operation.method,
            title=operation.title,
            description=operation.description,
            content=tuple(
                self._media(one, self._received, f"callback.{name}") for one in (body.content if body else ())
            ),
            answers=tuple((one.status, plain_text(one.description, limit=80)) for one in operation.responses),
        )


_PLACES = {
    In.PATH: "Path parameters",
    In.QUERY: "Query parameters",
    In.QUERYSTRING: "Query string",
    In.HEADER: "Headers",
    In.COOKIE: "Cookies",
}


def requirements_of(api: Api, operation: Operation, addresses: Addresses) -> tuple[tuple[UseView, ...], ...]:
    """Return the security alternatives of an operation, each with the scopes that it needs."""
    schemes = {scheme.name: scheme for scheme in api.security_schemes}
    return tuple(
        tuple(
            UseView(
                name=use.scheme,
                kind=scheme_words(schemes[use.scheme]) if use.scheme in schemes else "",
                uri=f"{addresses.overview}#{scheme_anchor(use.scheme)}",
                scopes=use.scopes or operation.scopes,
            )
            for use in requirement
        )
        for requirement in operation.security
    )


def scheme_anchor(name: str) -> str:
    """Return the anchor of a security scheme on the overview page."""
    return f"security.{name}"


def scheme_words(scheme: SecurityScheme) -> str:
    """Return the kind of a security scheme as people say it."""
    match scheme.kind:
        case "http":
            return f"HTTP {scheme.scheme.lower()}"
        case "apiKey":
            return f"API key in {scheme.carrier} {scheme.parameter}"
        case "oauth2":
            return "OAuth 2"
        case "openIdConnect":
            return "OpenID Connect"
        case "mutualTLS":
            return "mutual TLS"
        case other:
            return other


def problem_types_of(api: Api, response: Response) -> tuple[ProblemType, ...]:
    """Return the problem types that a response names: in the enum of its `type` member, or in examples."""
    known = {problem.uri: problem for problem in api.problem_types}
    if not known:
        return ()
    named: dict[str, None] = {}
    for media in response.content:
        if media.schema is not None:
            named |= dict.fromkeys(_type_values(api, media.schema))
        for example in media.examples:
            if isinstance(example.value, dict) and isinstance(example.value.get("type"), str):
                named[example.value["type"]] = None
    return tuple(known[uri] for uri in named if uri in known)


def _type_values(api: Api, schema: Schema) -> Iterable[str]:
    target = api.resolve(schema)
    for one in target.properties:
        if one.name == "type":
            values = api.resolve(one.schema).enum
            yield from (value for value in values if isinstance(value, str))
    for part in target.all_of:
        yield from _type_values(api, part)


def _first_sentence(text: str) -> str:
    plain = plain_text(text)
    if len(plain) <= 90:
        return plain
    head, dot, _ = plain.partition(". ")
    return head + "." if dot and len(head) <= 140 else plain_text(text, limit=110)


def _reason(status: str) -> str:
    if status == "default":
        return "Any other answer"
    try:
        return HTTPStatus(int(status)).phrase
    except ValueError:
        return ""
