"""View models for the templates of an operation: plain values without markup."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from devportal.contract import (
    Callback,
    Example,
    ExternalDocs,
    Grounds,
    Link,
    LinkTargets,
    Operation,
    Parameter,
    ParameterLocation,
    Response,
    Server,
    Stability,
    Webhook,
    unit_of,
)
from devportal.contract.validate.json_schema import Direction
from devportal.contract.value_sources import SourcedInput
from devportal.markup import escape_markdown, plain_text
from devportal.markup.footnotes import without_footnotes
from devportal.reference.addresses import Addresses, Anchors
from devportal.reference.history_marks import NO_HISTORY_MARKS, HistoryMark, HistoryMarks
from devportal.reference.markup import EVENT
from devportal.reference.pages.problem_types import ProblemTypes
from devportal.reference.pages.security import SchemeUseView, requirements_of
from devportal.reference.reference import Reference
from devportal.reference.schema.bodies import (
    Media,
    RequestContext,
    body_views,
    header_row,
    inline_examples,
    mark_unresolved,
    without_implied_members,
)
from devportal.reference.schema.examples import value_text
from devportal.reference.schema.fields import Field, FieldReader
from devportal.reference.wording import says_the_same, status_reason
from devportal.translation import gettext, gettext_noop


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterGroup:
    """The parameters in one location: path, query, header or cookie."""

    anchor: str
    title: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyView:
    """A request body."""

    anchor: str
    title: str
    required: bool
    broken: str
    description: str
    stability: Stability | None
    grounds: Grounds | None
    content: tuple[Media, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemItem:
    """A problem type in a list."""

    uri: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkView:
    """A link of a response to another operation."""

    name: str
    title: str
    uri: str
    description: str
    stability: Stability | None
    grounds: Grounds | None
    server: str
    server_name: str
    server_description: str
    parameters: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueSourceView:
    """A member or a header in the response of another operation."""

    member: str
    header: str
    title: str
    uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcedInputView:
    """A required input of an operation that others return a value for."""

    name: str
    sources: tuple[ValueSourceView, ...]


def sourced_input_views(inputs: Iterable[SourcedInput], addresses: Addresses) -> tuple[SourcedInputView, ...]:
    """Return the inputs of an operation with links to the operations that return values for them."""
    return tuple(
        SourcedInputView(
            name=input_.name,
            sources=tuple(
                ValueSourceView(
                    member=source.member,
                    header=source.header,
                    title=source.operation.title,
                    uri=addresses.operation(source.operation),
                )
                for source in input_.sources
            ),
        )
        for input_ in inputs
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedHeader:
    """A header that repeats one of an earlier response: its anchor here, and the anchor of that response."""

    name: str
    anchor: str
    above: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseView:
    """A response with its headers and bodies as rows; `kind` is its class: 2, 3, 4, 5 or x.

    `broken` is the reference in its place that cannot be resolved.
    """

    status: str
    kind: str
    anchor: str
    summary: str
    broken: str
    description: str
    when: str
    """Summary and description together, as CommonMark."""
    is_open: bool
    stability: Stability | None
    grounds: Grounds | None
    marks: tuple[HistoryMark, ...]
    headers: tuple[Field, ...]
    content: tuple[Media, ...]
    problems: tuple[ProblemItem, ...]
    links: tuple[LinkView, ...]
    repeated: tuple[RepeatedHeader, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Say whether the response has nothing but a status."""
        contents = (self.headers, self.repeated, self.content, self.problems, self.links)
        return not (self.broken or any(contents))


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestView:
    """One request of a callback."""

    method: str
    title: str
    operation_id: str
    """The `operationId`, empty if the contract has none."""
    tags: tuple[str, ...]
    description: str
    docs: ExternalDocs | None
    servers: tuple[Server, ...]
    stability: Stability | None
    grounds: Grounds | None
    deprecated: bool
    sunset: str
    requirements: tuple[tuple[SchemeUseView, ...], ...]
    parameters: tuple[ParameterGroup, ...]
    body: BodyView | None
    responses: tuple[ResponseView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackView:
    """A callback of an operation."""

    name: str
    anchor: str
    expression: str
    requests: tuple[RequestView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationView:
    """Everything below the heading of an operation."""

    parameters: tuple[ParameterGroup, ...]
    body: BodyView | None
    responses: tuple[ResponseView, ...]
    callbacks: tuple[CallbackView, ...]


class OperationViews:
    """Builds the views of the operations of one contract."""

    def __init__(
        self,
        reference: Reference,
        problems: ProblemTypes,
        reader: FieldReader,
        marks: HistoryMarks = NO_HISTORY_MARKS,
    ) -> None:
        """Take the reference, its problem types, the reader of schemas, and the history marks of its parts."""
        self._reference = reference
        self._marks = marks
        self._problems = problems
        self._targets = LinkTargets(reference.api.operations)
        self._either = reader
        self._sent = reader.towards(Direction.REQUEST)
        self._received = reader.towards(Direction.RESPONSE)

    def operation(self, operation: Operation, anchors: Anchors, *, shown: Iterable[Example]) -> OperationView:
        """Return the view of an operation; `shown` are the examples of its body that the samples show."""
        owner = f"{operation.method} {operation.path}"
        context = RequestContext(
            sent=self._sent,
            received=self._received,
            anchors=anchors,
            owner=owner,
            marks=self._marks,
            samples_responses=True,
        ).with_samples(shown)
        return OperationView(
            parameters=self._parameters(operation, context),
            body=self._body(operation, context),
            responses=self._responses(operation, context),
            callbacks=tuple(self._callback(callback, anchors) for callback in operation.callbacks),
        )

    def units(self, operation: Operation) -> tuple[str, ...]:
        """Return the units of the contract whose texts the last view of an operation contains."""
        return tuple({unit_of(operation.location): None} | dict.fromkeys(self._either.units()))

    def event(self, operation: Operation, anchors: Anchors, *, name: str = "") -> OperationView:
        """Return the view of a request that the provider sends: an event, without write-only fields."""
        content = operation.request_content
        context = RequestContext(
            sent=self._received, received=self._either, anchors=anchors, owner=name, marks=self._marks
        )
        context = context.with_samples(inline_examples(content))
        return OperationView(
            parameters=self._parameters(operation, context),
            body=self._body(operation, context),
            responses=self._responses(operation, context),
            callbacks=tuple(self._callback(callback, anchors) for callback in operation.callbacks),
        )

    def _parameters(self, operation: Operation, context: RequestContext) -> tuple[ParameterGroup, ...]:
        """Return the parameters by location, in the order path, query, header, cookie."""
        places = []
        for place, title in _PARAMETER_TITLES.items():
            found = [parameter for parameter in operation.parameters if parameter.location_in is place]
            if found:
                anchor = context.anchors.take(f"{context.prefix}{place}-parameters")
                rows = tuple(self._parameter(parameter, context) for parameter in found)
                places.append(ParameterGroup(anchor=anchor, title=gettext(title), fields=rows))
        return tuple(places)

    def _parameter(self, parameter: Parameter, context: RequestContext) -> Field:
        place = f"{parameter.location_in}.{parameter.name}"
        row = mark_unresolved(
            context.sent.parameter(parameter, context.anchors, f"{context.prefix}{place}"), parameter.broken
        )
        marks = context.marks_of(place)
        return row._replace(marks=marks) if marks else row

    def _body(self, operation: Operation, context: RequestContext) -> BodyView | None:
        body = operation.request_body
        if body is None:
            return None
        return BodyView(
            anchor=context.anchors.take(f"{context.prefix}body"),
            title=gettext("Request body"),
            required=body.required,
            broken=body.broken,
            description=body.description,
            stability=body.stability,
            grounds=body.grounds,
            content=body_views(body.content, context, f"{context.prefix}body", context.sent),
        )

    def _responses(self, operation: Operation, context: RequestContext) -> tuple[ResponseView, ...]:
        """Return the responses; the first success is expanded.

        Error bodies mostly share one schema, so they link to it.
        """
        opened = next((response.status for response in operation.responses if response.is_success), None)
        return tuple(
            self._response(response, context, is_open=response.status == opened)
            for response in operation.responses
        )

    def _response(self, response: Response, context: RequestContext, *, is_open: bool) -> ResponseView:
        anchor = context.anchors.take(f"{context.prefix}response.{response.status}")
        sampled = (
            context.with_samples(inline_examples(response.content)) if context.samples_responses else context
        )
        summary_line, rest = ("", "") if response.broken else _split_summary(response.description)
        if response.broken or response.summary:
            summary_line, rest = response.summary, response.description
        summary = summary_line or status_reason(response.status)
        content = body_views(
            response.content, sampled, anchor, context.received, brief=not response.is_success
        )
        problems = self._problems.of(response)
        types = [problem.uri for problem in problems]
        return ResponseView(
            status=response.status,
            kind=response.status[:1] if response.status[:1] in set("12345") else "x",
            anchor=anchor,
            summary=summary,
            broken=response.broken,
            description="" if rest.strip() == summary else rest,
            when="\n\n".join(filter(None, (escape_markdown(response.summary), response.description)))
            or summary,
            is_open=is_open,
            stability=response.stability,
            grounds=response.grounds,
            marks=context.marks_of(f"response.{response.status}"),
            headers=tuple(
                header_row(header, context, anchor, context.received) for header in response.headers
            ),
            content=tuple(without_implied_members(media, response.status, types) for media in content),
            problems=tuple(
                ProblemItem(uri=self._reference.addresses.problems[problem.uri], title=problem.title)
                for problem in problems
            ),
            links=tuple(self._link(link) for link in response.links),
        )

    def _link(self, link: Link) -> LinkView:
        target = self._targets.of(link)
        parameters = [(name, _link_value_text(value)) for name, value in link.parameters]
        if link.request_body is not None:
            parameters.append((gettext("request body"), _link_value_text(link.request_body)))
        return LinkView(
            name=link.name,
            title=target.title if target else link.operation_id or link.operation_ref or link.name,
            uri=self._reference.addresses.operation(target) if target else "",
            description=link.description,
            stability=link.stability,
            grounds=link.grounds,
            server=link.server.address if link.server is not None else "",
            server_name=link.server.name if link.server is not None else "",
            server_description=link.server.description if link.server is not None else "",
            parameters=tuple(parameters),
        )

    def _callback(self, callback: Callback, anchors: Anchors) -> CallbackView:
        anchor = anchors.take(f"callback.{callback.name}")
        return CallbackView(
            name=callback.name,
            anchor=anchor,
            expression=callback.expression,
            requests=tuple(self._request(operation, anchors, anchor) for operation in callback.operations),
        )

    def _request(self, operation: Operation, anchors: Anchors, anchor: str) -> RequestView:
        context = RequestContext(
            sent=self._received, received=self._either, anchors=anchors, prefix=f"{anchor}."
        )
        return RequestView(
            method=operation.method,
            title=operation.title,
            operation_id=operation.id if operation.id_is_declared else "",
            tags=operation.tags,
            description=operation.description,
            servers=operation.servers,
            docs=operation.external_docs,
            stability=operation.stability if operation.stability_is_declared else None,
            grounds=operation.grounds,
            deprecated=operation.deprecated,
            sunset=operation.sunset,
            requirements=requirements_of(self._reference.api, operation, self._reference.addresses),
            parameters=self._parameters(operation, context),
            body=self._body(operation, context),
            responses=self._responses(
                replace(operation, responses=in_reading_order(operation.responses)), context
            ),
        )


def in_reading_order(responses: Iterable[Response]) -> tuple[Response, ...]:
    """Return the successes, then the errors that every client has to expect, then the others, each ascending."""
    return tuple(sorted(responses, key=_response_rank))


def _response_rank(response: Response) -> tuple[bool, bool, str]:
    status = response.status
    is_error = not ("1" <= status[:1] <= "3")
    return is_error, is_error and status not in _COMMON_ERRORS, status.upper()


_COMMON_ERRORS = frozenset({"422", "429"})


def _link_value_text(value: Any) -> str:
    """Return a value of a link: a runtime expression, or a constant as JSON."""
    return value if isinstance(value, str) else value_text(value)


_PARAMETER_TITLES = {
    ParameterLocation.PATH: gettext_noop("Path parameters"),
    ParameterLocation.QUERY: gettext_noop("Query parameters"),
    ParameterLocation.QUERYSTRING: gettext_noop("Query string"),
    ParameterLocation.HEADER: gettext_noop("Headers"),
    ParameterLocation.COOKIE: gettext_noop("Cookies"),
}


_BLOCK_START = re.compile(r"\s*$| {4}|\t| {0,3}(([-*+]|#{1,6}|\d+[.)])(\s|$)|[>|<]|```|~~~|={2}|-{2})")
"""The start of a line that ends a paragraph."""
_HAS_LINK = re.compile(r"\[|<|://")
"""Markup that plain text would lose."""
_HAS_MORE_THAN_WORDS = re.compile(
    r"\[|://|<(?!/?(?:b|br|div|em|i|p|span|strong)\b)|[`|]|^\s*([-*+#>]|\d+[.)])", re.MULTILINE
)
"""The same but for HTML around words, and the beginning of a block of Markdown."""
_UNDERLINE = re.compile(r" {0,3}(-+|=+)\s*$")


def _split_summary(text: str) -> tuple[str, str]:
    """Split a description into a summary on one line and the remaining CommonMark.

    If the summary is not the whole first paragraph, the rest is the full description.
    """
    lines = text.strip().splitlines()
    end = next((number for number, line in enumerate(lines) if _BLOCK_START.match(line)), len(lines))
    paragraph, below = "\n".join(lines[:end]), "\n".join(lines[end:]).strip("\n")
    is_underlined = end < len(lines) and _UNDERLINE.match(lines[end])
    if not paragraph or is_underlined or _HAS_LINK.search(paragraph):
        head = _first_sentence(without_footnotes(paragraph or text, notes_in=text))
        return head, "" if head == plain_text(text) and not _HAS_MORE_THAN_WORDS.search(text) else text
    head = _first_sentence(paragraph)
    return head, below if head == plain_text(paragraph) else text


def _first_sentence(text: str) -> str:
    plain = plain_text(text)
    if len(plain) <= 90:
        return plain
    head, dot, _ = plain.partition(". ")
    return head + "." if dot and len(head) <= 140 else plain_text(text, limit=110)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationItem:
    """An operation or event in a list; `name` is the name of an event, if its title differs."""

    uri: str
    method: str
    title: str
    path: str
    stability: Stability
    deprecated: bool
    name: str = ""


def operation_item(operation: Operation, addresses: Addresses) -> OperationItem:
    """Return an operation as an item of a list."""
    return OperationItem(
        uri=addresses.operation(operation),
        method=operation.method,
        title=operation.title,
        path=operation.path,
        stability=operation.stability,
        deprecated=operation.deprecated,
    )


def event_item(webhook: Webhook, operation: Operation, addresses: Addresses) -> OperationItem:
    """Return an event as an item of a list."""
    return OperationItem(
        uri=addresses.event(operation),
        method=EVENT,
        title=operation.title,
        path=webhook.name,
        name="" if says_the_same(operation.title, webhook.name) else webhook.name,
        stability=operation.stability,
        deprecated=operation.deprecated,
    )
