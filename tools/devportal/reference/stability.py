"""How stable the parts of a contract say they are: those whose marks tell something new.

A mark is told where it stands, not for everything that inherits it; a part that many operations share is told
once.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
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
from devportal.reference.addresses import Addresses, events
from devportal.reference.anchors import anchor_text
from devportal.reference.wording import json_text

MOST_NAMES = 8
"""So many keywords or values of a schema are named."""


class Area(StrEnum):
    """The kinds of parts, as the headings of their tables."""

    OPERATIONS = "Operations"
    EVENTS = "Events"
    PARAMETERS = "Parameters and headers"
    BODIES = "Bodies and responses"
    SCHEMAS = "Schemas and fields"
    ERRORS = "Errors"
    AUTHENTICATION = "Authentication"
    OTHERS = "Groups and servers"


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedPart:
    """A part of a contract that says how stable it is.

    `title` and `about` are plain words, `code` is what it is called in the contract. `values` are the
    keywords or values of a schema where it is only these. `uri` is where it is shown; where a page is
    divided, the one that it begins on.
    """

    area: Area
    title: str = ""
    code: str = ""
    about: str = ""
    values: tuple[str, ...] = ()
    uri: str = ""
    level: Stability | None = None
    grounds: Grounds | None = None


class _Mark(NamedTuple):
    """A stability with what it rests on."""

    level: Stability | None = None
    grounds: Grounds | None = None

    def tells_more(self, above: "_Mark") -> bool:
        """Say whether this says what the part around it does not say."""
        return self.level not in (None, above.level) or self.grounds not in (None, above.grounds)

    def within(self, above: "_Mark") -> "_Mark":
        """Return what holds in a part with this mark: a level of its own does not rest on what is above."""
        return _Mark(self.level or above.level, self.grounds or (None if self.level else above.grounds))


_UNMARKED = _Mark()
_Inner = Header | Link | MediaType | Parameter | RequestBody | Response | Schema
_Outer = ProblemType | SecurityScheme | Server | Tag


def marked_parts(api: Api, addresses: Addresses) -> tuple[MarkedPart, ...]:
    """Return the parts that say how stable they are, by area, each area in the order of the contract, but
    schemas by name.
    """
    if not api.is_marked:
        return ()
    order = {area: number for number, area in enumerate(Area)}
    walk = _Walk(api, addresses)
    return tuple(sorted((*walk.parts(), *_listed_parts(api, addresses)), key=lambda one: order[one.area]))


class _Walk:
    """Walks operations, events and schemas once."""

    def __init__(self, api: Api, addresses: Addresses) -> None:
        self._api = api
        self._addresses = addresses
        self._found: dict[tuple[Location, str], MarkedPart] = {}
        self._pages: dict[tuple[Location, str], set[str]] = {}

    def parts(self) -> Iterator[MarkedPart]:
        """Yield each part once; one on several pages is not said to be of one of them."""
        for operation in self._api.operations:
            uri = self._addresses.operation(operation)
            name = f"{operation.method} {operation.path}"
            self._operation(operation, MarkedPart(area=Area.OPERATIONS, code=name, uri=uri))
        for webhook, operation in events(self._api):
            uri = self._addresses.event(operation)
            self._operation(operation, MarkedPart(area=Area.EVENTS, code=webhook.name, uri=uri))
        for schema in sorted(self._api.schemas.values(), key=lambda one: one.name.lower()):
            uri = self._addresses.schemas.get(schema.location, "")
            self._schema(schema, MarkedPart(area=Area.SCHEMAS, code=schema.name, uri=uri), "", _UNMARKED)
        for key, part in self._found.items():
            count = len(self._pages[key])
            yield replace(part, about=f"in {count:,} places") if count > 1 and part.about else part

    def _tell(self, location: Location, part: MarkedPart, mark: _Mark, above: _Mark = _UNMARKED) -> None:
        """Note a part where its mark is news; of a shared one, on which pages it is besides."""
        key = location, " ".join(part.values)
        if key not in self._found and mark.tells_more(above):
            self._found[key] = replace(part, level=mark.level or above.level, grounds=mark.grounds)
        if key in self._found:
            self._pages.setdefault(key, set()).add(part.uri.partition("#")[0])

    def _inner(self, one: _Inner, part: MarkedPart, above: _Mark) -> _Mark:
        mark = _Mark(one.stability, one.grounds)
        self._tell(one.location, part, mark, above)
        return mark.within(above)

    def _operation(self, operation: Operation, part: MarkedPart, prefix: str = "") -> None:
        """Note an operation and its parts; `prefix` stands before the anchors of those of a callback."""
        title = operation.title
        mark = _Mark(operation.stability if operation.stability_is_declared else None, operation.grounds)
        self._tell(operation.key, replace(part, title=title), mark)
        below = replace(part, area=Area.BODIES, code="", about=f"of {title}")
        for parameter in operation.parameters:
            self._value(parameter, below, f"{prefix}{parameter.location_in}", mark)
        if operation.request_body is not None:
            self._body(operation.request_body, below, f"{prefix}body", mark)
        for response in operation.responses:
            self._response(response, below, f"{prefix}response.{response.status}", mark)
        for callback in operation.callbacks:
            anchor = f"callback.{callback.name}"
            sent = MarkedPart(area=Area.EVENTS, code=callback.name, uri=_at(part.uri, anchor))
            for one in callback.operations:
                self._operation(one, sent, f"{anchor}.")

    def _value(
        self, one: Parameter | Header, part: MarkedPart, place: str, above: _Mark, shown_at: str = ""
    ) -> None:
        anchor = f"{place}.{one.name}"
        part = replace(part, area=Area.PARAMETERS, code=one.name, uri=_at(part.uri, shown_at or anchor))
        mark = self._inner(one, part, above)
        if one.schema is not None:
            self._schema(one.schema, part, anchor, mark)
        if one.content is not None:
            self._media(one.content, part, anchor, mark)

    def _body(self, body: RequestBody, part: MarkedPart, anchor: str, above: _Mark) -> None:
        part = replace(part, title="Request body", uri=_at(part.uri, anchor))
        self._content(body.content, part, anchor, self._inner(body, part, above))

    def _response(self, response: Response, part: MarkedPart, anchor: str, above: _Mark) -> None:
        answer = replace(part, title=f"Response {response.status}", uri=_at(part.uri, anchor))
        mark = self._inner(response, answer, above)
        shown_at = "" if response.is_success else anchor  # an error may be on a page of its own
        for header in response.headers:
            self._value(header, part, anchor, mark, shown_at)
        self._content(response.content, answer, anchor, mark)
        for link in response.links:
            self._inner(link, replace(answer, title="Link", code=link.name), mark)

    def _content(self, content: tuple[MediaType, ...], part: MarkedPart, anchor: str, above: _Mark) -> None:
        for number, media in enumerate(content):
            self._media(media, part, f"{anchor}.{media.name}" if number else anchor, above)

    def _media(self, media: MediaType, part: MarkedPart, anchor: str, above: _Mark) -> None:
        mark = self._inner(media, replace(part, code=media.name), above)
        for schema in filter(None, (media.schema, media.item_schema)):
            self._schema(schema, part, anchor, mark)

    def _schema(self, schema: Schema, part: MarkedPart, anchor: str, above: _Mark) -> None:
        """Note a schema and all within it; what a reference leads to is noted by itself."""
        part = replace(part, area=Area.SCHEMAS)
        mark = self._limits(schema, part, above)
        for one in (*schema.properties, *schema.pattern_properties):
            below = f"{anchor}.{one.name}" if anchor else one.name
            code = f"{part.code}.{one.name}" if part.code else one.name
            self._schema(one.schema, replace(part, code=code, uri=_at(part.uri, below)), below, mark)
        for within in (
            *filter(None, (schema.additional_properties, schema.items, schema.negated)),
            *(*schema.prefix_items, *schema.all_of, *schema.one_of, *schema.any_of),
            *(other for _, other in schema.others),
        ):
            self._schema(within, part, anchor, mark)

    def _limits(self, schema: Schema, part: MarkedPart, above: _Mark) -> _Mark:
        """Note a schema, and apart from it those of its keywords and values that are beta: where there are
        some, it is these that decisions propose.
        """
        values = tuple(text for text in map(json_text, schema.beta_values) if text)
        limited = ((schema.beta_keywords, "keywords"), (values, "values"))
        if not any(names for names, _ in limited) or schema.stability is Stability.BETA:
            return self._inner(schema, part, above)
        own = schema.grounds or Grounds()
        documented = Grounds(sources=own.sources) if own.sources else None
        proposed = Grounds(decisions=own.decisions) if own.decisions else None
        mark = self._inner(replace(schema, grounds=documented), part, above)
        for names, word in limited:
            if names:
                about = word if len(names) <= MOST_NAMES else f"{len(names):,} {word}, such as"
                named = replace(part, about=about, values=names[:MOST_NAMES])
                self._tell(schema.location, named, _Mark(Stability.BETA, proposed))
        return mark


def _listed_parts(api: Api, addresses: Addresses) -> Iterator[MarkedPart]:
    """Yield what stands on pages of the whole contract: problem types, security schemes, tags, servers."""
    for problem in api.problem_types:
        part = MarkedPart(area=Area.ERRORS, title=problem.title, code=str(problem.status))
        yield from _outer(problem, replace(part, uri=addresses.problems[problem.uri]))
    for scheme in api.security_schemes:
        part = MarkedPart(area=Area.AUTHENTICATION, title=scheme.name, uri=addresses.scheme(scheme.name))
        yield from _outer(scheme, part)
    groups = {group.name: addresses.group_of(group) for group in api.groups if group.is_tag}
    for tag in api.tags:
        uri = groups.get(tag.name, addresses.overview)
        yield from _outer(tag, MarkedPart(area=Area.OTHERS, title=tag.title, uri=uri))
    for server in api.servers:
        uri = f"{addresses.overview}#servers"
        yield from _outer(server, MarkedPart(area=Area.OTHERS, code=server.url, uri=uri))


def _outer(one: _Outer, part: MarkedPart) -> Iterator[MarkedPart]:
    if one.stability or one.grounds:
        yield replace(part, level=one.stability, grounds=one.grounds)


def _at(uri: str, anchor: str) -> str:
    """Return where an anchor is on the page of a uri; nowhere where that is nowhere."""
    page = uri.partition("#")[0]
    return f"{page}#{anchor_text(anchor)}" if page else ""
