"""The stability of the parts of a contract, and its grounds."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from devportal.contract import (
    Api,
    Grounds,
    Header,
    Link,
    Location,
    MediaType,
    Operation,
    Parameter,
    ProblemType,
    RequestBody,
    Response,
    Schema,
    SecurityScheme,
    Server,
    Stability,
    Tag,
)
from devportal.contract.values.per_contract import PerContract
from devportal.contract.wording import natural_order
from devportal.last_results import LastResults
from devportal.markup import href, twin_href
from devportal.reference.addresses import Addresses, anchor_text, event_operations
from devportal.reference.markup import escape_attribute, escape_text, text_to_line
from devportal.reference.wording import format_json
from devportal.translation import (
    current_interface,
    format_number,
    gettext,
    gettext_noop,
    join_list,
    ngettext,
    ngettext_noop,
)

MOST_NAMES = 8
"""How many keywords or values of a schema are named."""


class PartArea(StrEnum):
    """The kinds of parts, as the headings of their tables."""

    OPERATIONS = gettext_noop("Operations")
    EVENTS = gettext_noop("Events")
    PARAMETERS = gettext_noop("Parameters and headers")
    BODIES = gettext_noop("Bodies and responses")
    SCHEMAS = gettext_noop("Schemas and fields")
    ERRORS = gettext_noop("Errors")
    AUTHENTICATION = gettext_noop("Authentication")
    OTHERS = gettext_noop("Groups and servers")


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedPart:
    """A part of a contract with a declared stability.

    `title` and `about` are plain words, `code` is what it is called in the contract. `values` are the
    keywords or values of a schema where it is only these. `uri` is where it is shown; where a page is
    divided, the one that it begins on.
    """

    area: PartArea
    title: str = ""
    code: str = ""
    about: str = ""
    values: tuple[str, ...] = ()
    uri: str = ""
    level: Stability | None = None
    grounds: Grounds | None = None


class _StabilityMark(NamedTuple):
    """A stability with its grounds."""

    level: Stability | None = None
    grounds: Grounds | None = None

    def adds_to(self, above: "_StabilityMark") -> bool:
        """Say whether this differs from the mark of the enclosing part."""
        return self.level not in (None, above.level) or self.grounds not in (None, above.grounds)

    def within(self, above: "_StabilityMark") -> "_StabilityMark":
        """Return the mark inherited inside this part. A part with its own level does not inherit grounds."""
        return _StabilityMark(
            self.level or above.level, self.grounds or (None if self.level else above.grounds)
        )


_NO_STABILITY = _StabilityMark()
_OperationPart = Header | Link | MediaType | Parameter | RequestBody | Response | Schema
_ContractPart = ProblemType | SecurityScheme | Server | Tag


def marked_parts(api: Api, addresses: Addresses) -> tuple[MarkedPart, ...]:
    """Return the parts with a declared stability, by area in the order of the contract, schemas by name.

    Several pages and inserts ask for those of one contract, so they are kept.
    """
    if not api.is_marked:
        return ()
    causes = addresses, current_interface().digest
    return _kept_parts(api).result("parts", causes, lambda: _find_parts(api, addresses))


_kept_parts = PerContract(lambda _: LastResults())


def _find_parts(api: Api, addresses: Addresses) -> tuple[MarkedPart, ...]:
    order = {area: number for number, area in enumerate(PartArea)}
    walk = _StabilityWalk(api, addresses)
    return tuple(sorted((*walk.parts(), *_contract_parts(api, addresses)), key=lambda part: order[part.area]))


class _StabilityWalk:
    """Walks operations, events and schemas once."""

    def __init__(self, api: Api, addresses: Addresses) -> None:
        self._api = api
        self._addresses = addresses
        self._found: dict[tuple[Location, str], MarkedPart] = {}
        self._pages: dict[tuple[Location, str], set[str]] = {}

    def parts(self) -> Iterator[MarkedPart]:
        """Yield each part once; a part on several pages names none of them."""
        for operation in self._api.operations:
            uri = self._addresses.operation(operation)
            name = f"{operation.method} {operation.path}"
            self._operation(operation, MarkedPart(area=PartArea.OPERATIONS, code=name, uri=uri))
        for webhook, operation in event_operations(self._api):
            uri = self._addresses.event(operation)
            self._operation(operation, MarkedPart(area=PartArea.EVENTS, code=webhook.name, uri=uri))
        for schema in sorted(self._api.schemas.values(), key=lambda schema: natural_order(schema.name)):
            uri = self._addresses.schemas.get(schema.location, "")
            self._schema(
                schema, MarkedPart(area=PartArea.SCHEMAS, code=schema.name, uri=uri), "", _NO_STABILITY
            )
        for key, part in self._found.items():
            count = len(self._pages[key])
            yield (
                replace(part, about=ngettext("in %(number)s place", "in %(number)s places", count))
                if count > 1 and part.about
                else part
            )

    def _add_part(
        self,
        location: Location,
        part: MarkedPart,
        mark: _StabilityMark,
        above: _StabilityMark = _NO_STABILITY,
    ) -> None:
        """Record a part if its mark adds information, and the pages that a shared part is on."""
        key = location, " ".join(part.values)
        if key not in self._found and mark.adds_to(above):
            self._found[key] = replace(part, level=mark.level or above.level, grounds=mark.grounds)
        if key in self._found:
            self._pages.setdefault(key, set()).add(part.uri.partition("#")[0])

    def _mark_within(
        self, operation_part: _OperationPart, part: MarkedPart, above: _StabilityMark
    ) -> _StabilityMark:
        mark = _StabilityMark(operation_part.stability, operation_part.grounds)
        self._add_part(operation_part.location, part, mark, above)
        return mark.within(above)

    def _operation(self, operation: Operation, part: MarkedPart, prefix: str = "") -> None:
        """Record an operation and its parts; `prefix` begins the anchors of a callback."""
        title = operation.title
        mark = _StabilityMark(
            operation.stability if operation.stability_is_declared else None, operation.grounds
        )
        self._add_part(operation.key, replace(part, title=title), mark)
        below = replace(part, area=PartArea.BODIES, code="", about=gettext("of %(whole)s", whole=title))
        for parameter in operation.parameters:
            self._value(parameter, below, f"{prefix}{parameter.location_in}", mark)
        if operation.request_body is not None:
            self._body(operation.request_body, below, f"{prefix}body", mark)
        for response in operation.responses:
            self._response(response, below, f"{prefix}response.{response.status}", mark)
        for callback in operation.callbacks:
            anchor = f"callback.{callback.name}"
            sent = MarkedPart(area=PartArea.EVENTS, code=callback.name, uri=_link_target(part.uri, anchor))
            for called in callback.operations:
                self._operation(called, sent, f"{anchor}.")

    def _value(
        self,
        parameter: Parameter | Header,
        part: MarkedPart,
        place: str,
        above: _StabilityMark,
        shown_at: str = "",
    ) -> None:
        anchor = f"{place}.{parameter.name}"
        part = replace(
            part,
            area=PartArea.PARAMETERS,
            code=parameter.name,
            uri=_link_target(part.uri, shown_at or anchor),
        )
        mark = self._mark_within(parameter, part, above)
        if parameter.schema is not None:
            self._schema(parameter.schema, part, anchor, mark)
        if parameter.content is not None:
            self._media(parameter.content, part, anchor, mark)

    def _body(self, body: RequestBody, part: MarkedPart, anchor: str, above: _StabilityMark) -> None:
        part = replace(part, title=gettext("Request body"), uri=_link_target(part.uri, anchor))
        self._content(body.content, part, anchor, self._mark_within(body, part, above))

    def _response(self, response: Response, part: MarkedPart, anchor: str, above: _StabilityMark) -> None:
        response_part = replace(
            part,
            title=gettext("Response %(status)s", status=response.status),
            uri=_link_target(part.uri, anchor),
        )
        mark = self._mark_within(response, response_part, above)
        shown_at = "" if response.is_success else anchor  # an error may be on a separate page
        for header in response.headers:
            self._value(header, part, anchor, mark, shown_at)
        self._content(response.content, response_part, anchor, mark)
        for link in response.links:
            self._mark_within(link, replace(response_part, title=gettext("Link"), code=link.name), mark)

    def _content(
        self, content: tuple[MediaType, ...], part: MarkedPart, anchor: str, above: _StabilityMark
    ) -> None:
        for number, media in enumerate(content):
            self._media(media, part, f"{anchor}.{media.name}" if number else anchor, above)

    def _media(self, media: MediaType, part: MarkedPart, anchor: str, above: _StabilityMark) -> None:
        mark = self._mark_within(media, replace(part, code=media.name), above)
        for schema in filter(None, (media.schema, media.item_schema)):
            self._schema(schema, part, anchor, mark)

    def _schema(self, schema: Schema, part: MarkedPart, anchor: str, above: _StabilityMark) -> None:
        """Record a schema and all within it; referenced schemas are recorded separately."""
        part = replace(part, area=PartArea.SCHEMAS)
        mark = self._limits(schema, part, above)
        for property_ in (*schema.properties, *schema.pattern_properties):
            below = f"{anchor}.{property_.name}" if anchor else property_.name
            code = f"{part.code}.{property_.name}" if part.code else property_.name
            self._schema(
                property_.schema, replace(part, code=code, uri=_link_target(part.uri, below)), below, mark
            )
        for within in (
            *filter(None, (schema.additional_properties, schema.items, schema.negated)),
            *(*schema.prefix_items, *schema.all_of, *schema.one_of, *schema.any_of),
            *(other for _, other in schema.others),
        ):
            self._schema(within, part, anchor, mark)

    def _limits(self, schema: Schema, part: MarkedPart, above: _StabilityMark) -> _StabilityMark:
        """Record a schema, and separately its beta keywords and values, which decisions then propose."""
        values = tuple(text for text in map(format_json, schema.beta_values) if text)
        limited = (
            (
                schema.beta_keywords,
                ngettext_noop("keyword", "keywords"),
                gettext_noop("%(number)s keywords, such as"),
            ),
            (values, ngettext_noop("value", "values"), gettext_noop("%(number)s values, such as")),
        )
        if not any(names for names, _, _ in limited) or schema.stability is Stability.BETA:
            return self._mark_within(schema, part, above)
        own = schema.grounds or Grounds()
        documented = Grounds(sources=own.sources) if own.sources else None
        proposed = Grounds(decisions=own.decisions) if own.decisions else None
        mark = self._mark_within(replace(schema, grounds=documented), part, above)
        for names, words, counted in limited:
            if names:
                count = len(names)
                about = (
                    ngettext(*words, count)
                    if count <= MOST_NAMES
                    else gettext(counted, number=format_number(count))
                )
                named = replace(part, about=about, values=names[:MOST_NAMES])
                self._add_part(schema.location, named, _StabilityMark(Stability.BETA, proposed))
        return mark


def _contract_parts(api: Api, addresses: Addresses) -> Iterator[MarkedPart]:
    """Yield the parts of the whole contract: problem types, security schemes, tags, servers."""
    for problem in api.problem_types:
        part = MarkedPart(area=PartArea.ERRORS, title=problem.title, code=str(problem.status))
        yield from _marked_part(problem, replace(part, uri=addresses.problems[problem.uri]))
    for scheme in api.security_schemes:
        part = MarkedPart(area=PartArea.AUTHENTICATION, title=scheme.name, uri=addresses.scheme(scheme.name))
        yield from _marked_part(scheme, part)
    groups = {group.name: addresses.group_of(group) for group in api.groups if group.is_tag}
    for tag in api.tags:
        uri = groups.get(tag.name, addresses.overview)
        yield from _marked_part(tag, MarkedPart(area=PartArea.OTHERS, title=tag.title, uri=uri))
    for server in api.servers:
        uri = f"{addresses.overview}#servers"
        yield from _marked_part(server, MarkedPart(area=PartArea.OTHERS, code=server.url, uri=uri))


def _marked_part(contract_part: _ContractPart, part: MarkedPart) -> Iterator[MarkedPart]:
    if contract_part.stability or contract_part.grounds:
        yield replace(part, level=contract_part.stability, grounds=contract_part.grounds)


def _link_target(uri: str, anchor: str) -> str:
    """Return a uri with an anchor; empty without a uri."""
    page = uri.partition("#")[0]
    return f"{page}#{anchor_text(anchor)}" if page else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundsPages:
    """The uris of the pages on sources and decisions, by their names in the contract."""

    sources: Mapping[str, str] = field(default_factory=dict)
    decisions: Mapping[str, str] = field(default_factory=dict)


_NAMES = "%(names)s"
"""The placeholder of the names in sentences about grounds."""


class Ground(NamedTuple):
    """One ground of a stability, and the text about all of its kind; without a uri if no page describes it."""

    words: str
    name: str
    uri: str = ""


def grounds_of(grounds: Grounds | None, pages: GroundsPages) -> Iterator[Ground]:
    """Yield the grounds of a stability, sources first."""
    if grounds is None:
        return
    for name in grounds.sources:
        yield Ground(gettext("source %(names)s", names=_NAMES), name, pages.sources.get(name, ""))
    for name in grounds.decisions:
        yield Ground(gettext("decision %(names)s", names=_NAMES), name, pages.decisions.get(name, ""))


def grounds_html(grounds: Grounds | None, pages: GroundsPages, source: str) -> str:
    """Return the grounds of a stability as HTML on the page `source`; empty if none are given."""
    return _join_grounds(grounds_of(grounds, pages), lambda ground: _ground_html(ground, source))


def _join_grounds(grounds: Iterable[Ground], written: Callable[[Ground], str]) -> str:
    """Return grounds in one text; those of one kind share its words."""
    return join_list(
        words.replace(_NAMES, join_list(map(written, alike)))
        for words, alike in groupby(grounds, lambda ground: ground.words)
    )


def _ground_html(ground: Ground, source: str) -> str:
    name = escape_text(ground.name)
    return f'<a href="{escape_attribute(href(source, ground.uri))}">{name}</a>' if ground.uri else name


def grounds_markdown(grounds: Grounds | None, pages: GroundsPages, source: str) -> str:
    """Return the grounds of a stability for the twin of the page `source`; empty if none are given."""
    return _join_grounds(grounds_of(grounds, pages), lambda ground: _ground_markdown(ground, source))


def _ground_markdown(ground: Ground, source: str) -> str:
    name = text_to_line(ground.name)
    return f"[{name}]({twin_href(source, ground.uri)})" if ground.uri else name
