"""Pages of responses and callbacks that are too large for the page of their operation."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, pairwise

from devportal.contract import Operation
from devportal.markup import Page, SearchEntry, SearchKind
from devportal.reference.context import name_repeated_headers
from devportal.reference.links import DescriptionLinks
from devportal.reference.pages.field_weights import count_top_nodes
from devportal.reference.pages.part_pages import ColourLimit, NodeCounts, divided_pages, node_counts
from devportal.reference.pages.search_entries import callback_entries
from devportal.reference.pages.shared_problems_html import split_shared_problems
from devportal.reference.pages.views import CallbackView, OperationView, RequestView, ResponseView
from devportal.reference.rendering import Crumbs, Renderer, UnfinishedPage
from devportal.reference.samples.panels import MAX_RESPONSE_SPANS, PlainSample
from devportal.reference.schema.bodies import inline_examples
from devportal.translation import gettext

MAX_LISTED_RESPONSES = 40
"""How many responses one page lists."""
MAX_RESPONSE_PAGE_NODES = 900
"""So many elements they take there, whatever moves away; the rest is for the frame and the colours of
samples."""
MAX_SHARED_PAGE_NODES = 800
"""So many elements request and responses take together on the page of the operation."""
MAX_MOVED_ROWS = 20
"""So many responses that are on other pages have a row each."""
MAX_UNWEIGHED_ROWS = 25
"""So many headers, links and samples are not too many for any page, and are not weighed."""
_RESPONSE, _TABLE_ROW, _BODY, _LINK, _SAMPLE, _PARAMETER = 12, 12, 6, 8, 6, 8
"""Elements of a response around its rows, of one in a table, of a body around its fields, of a link, a sample, a
parameter.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseList:
    """The responses of one page."""

    uri: str
    responses: tuple[ResponseView, ...]
    part: slice
    """Where they are among all responses."""

    @property
    def title(self) -> str:
        """What the page is called."""
        first, last = self.responses[0].status, self.responses[-1].status
        if first == last:
            return gettext("Response %(status)s", status=first)
        return gettext("Responses %(first)s to %(last)s", first=first, last=last)


def response_lists(
    uri: str, operation: Operation, view: OperationView, links: DescriptionLinks
) -> tuple[ResponseList, ...]:
    """Return the responses by page; the first is the operation's own, at `uri`, and may be empty."""
    stem = uri.removesuffix(".md")
    weights = node_counts(links)
    request_nodes = _PARAMETER * len(operation.parameters) + count_top_nodes(view.body, weights)
    ends = tuple(
        _page_ends(
            [*_node_counts(operation, name_repeated_headers(view.responses), weights)],
            max(0, MAX_SHARED_PAGE_NODES - request_nodes),
        )
    )
    return tuple(
        ResponseList(
            uri=f"{stem}/responses/{number}.md" if first else uri,
            responses=name_repeated_headers(view.responses[first:last]),
            part=slice(first, last),
        )
        for number, (first, last) in enumerate(pairwise((0, *ends)), start=1)
    )


def links_to_response_pages(lists: Sequence[ResponseList]) -> dict[str, object]:
    """Return the links from the page of an operation to responses on other pages.

    Each response has a row with its anchor; if there are too many, each page has one.
    """
    rows = [(response, shown.uri) for shown in lists for response in shown.responses]
    if len(rows) <= MAX_MOVED_ROWS:
        return {"moved_responses": rows, "more_responses": []}
    return {"moved_responses": [], "more_responses": [(page.title, page.uri) for page in lists]}


def _node_counts(
    operation: Operation, responses: tuple[ResponseView, ...], weights: NodeCounts
) -> Iterator[int]:
    """Yield how many elements each response takes, whatever moves away from it; none where there are few in all."""
    samples = [
        sum(len([*inline_examples((media,))]) or 1 for media in response.content)
        for response in operation.responses
    ]
    if (
        sum(samples) + sum(len(response.headers) + len(response.links) for response in responses)
        <= MAX_UNWEIGHED_ROWS
    ):
        yield from (0 for _ in responses)
        return
    _, shared = split_shared_problems(responses)
    in_table = {response_view.anchor for response_view in shared}
    for response, count in zip(responses, samples, strict=True):
        frame = _RESPONSE + _BODY * len(response.content) + _LINK * len(response.links)
        own = _TABLE_ROW if response.anchor in in_table else frame + count_top_nodes(response, weights)
        yield own + _SAMPLE * count


def _page_ends(weighed: list[int], room: int) -> Iterator[int]:
    """Yield where each page of responses ends; each has at least one, if there is any.

    `room` is that of the first, which has the request on it too.
    """
    first, left = 0, room
    for number, other_number in enumerate(weighed):
        if number > first and (other_number > left or number - first == MAX_LISTED_RESPONSES):
            yield number
            first, left = number, MAX_RESPONSE_PAGE_NODES
        left -= other_number
    yield len(weighed)


def response_pages(
    renderer: Renderer,
    operation: Operation,
    shown: ResponseList,
    response_samples: Callable[[int], str],
    plain_samples: tuple[PlainSample, ...],
    *,
    crumbs: Crumbs,
) -> Iterator[Page]:
    """Yield the page of some responses, and those of what does not fit on it.

    `response_samples` returns their samples with at most this many coloured words. `plain_samples` are the same
    samples as text. `crumbs` lead up to the page.
    """
    title = gettext("%(part)s of %(whole)s", part=shown.title, whole=operation.title)

    @cache
    def samples(spans: int) -> dict[str, str]:
        return {"response_samples": response_samples(spans)}

    def page(responses: tuple[ResponseView, ...]) -> UnfinishedPage:
        return renderer.page(
            "responses",
            shown.uri,
            title=title,
            description=gettext("%(part)s, a part of %(whole)s.", part=shown.title, whole=operation.title),
            crumbs=crumbs,
            search=SearchEntry(kind=SearchKind.OPERATION, title=title),
            layout="wide",
            values={
                "operation": operation,
                "responses": responses,
                **samples(MAX_RESPONSE_SPANS),
                "plain_responses": plain_samples,
            },
            part_of=crumbs[-1][1],
        )

    colours = ColourLimit(samples, MAX_RESPONSE_SPANS)
    yield from divided_pages(renderer, shown.responses, page, crumbs=crumbs, colours=colours)


MAX_CALLBACK_FRAME_NODES = 300
"""So many elements around the fields of callbacks stand on the page of their operation; fields may move."""
MAX_CALLBACK_PAGE_NODES = 900
"""So many elements of callbacks stand on a separate page, whatever moves away from it."""
_CALLBACK, _REQUEST, _CALLBACK, _CALLBACK_BODY, _CALLBACK_LINK = 8, 12, 12, 6, 8
"""Elements of each without its content."""

_CallbackChunk = tuple[CallbackView, RequestView, int]
"""A callback, one of its requests with some of its responses, and how many elements those take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackList:
    """The callbacks of one page."""

    uri: str
    title: str
    callbacks: tuple[CallbackView, ...]


def callback_lists(
    uri: str, callbacks: Sequence[CallbackView], links: DescriptionLinks
) -> tuple[CallbackList, ...]:
    """Return the callbacks of the operation at `uri` by page; empty if the operation's own page has them."""
    if sum(map(_callback_frame_nodes, callbacks)) <= MAX_CALLBACK_FRAME_NODES:
        return ()
    weights = node_counts(links)
    pieces = [
        piece
        for callback in callbacks
        for request in callback.requests
        for piece in _callback_chunks(callback, request, weights)
    ]
    pages = [tuple(_merge_callbacks(pack)) for pack in _group_by_page(pieces)]
    titles = [*_page_titles(pages)]
    stem = uri.removesuffix(".md")
    return tuple(
        CallbackList(uri=f"{stem}/callbacks/{number}.md", title=title, callbacks=shown)
        for number, (title, shown) in enumerate(zip(titles, pages, strict=True), start=1)
    )


def _callback_chunks(
    callback: CallbackView, request: RequestView, weights: NodeCounts
) -> Iterator[_CallbackChunk]:
    """Yield a request with as many of its responses as a page has room for, then the others."""
    first = replace(request, responses=())
    heads = [first, replace(first, description="", docs=None, requirements=(), parameters=(), body=None)]
    heavy = _CALLBACK + _REQUEST + count_top_nodes(heads[0], weights)
    shown: list[ResponseView] = []
    for response in request.responses:
        own = _response_nodes(response, weights)
        if shown and heavy + own > MAX_CALLBACK_PAGE_NODES:
            yield callback, replace(heads[0], responses=tuple(shown)), heavy
            heads, heavy, shown = heads[-1:], _CALLBACK + _REQUEST, []
        heavy += own
        shown.append(response)
    yield callback, replace(heads[0], responses=tuple(shown)), heavy


def _response_nodes(response_view: ResponseView, weights: NodeCounts) -> int:
    return _response_frame_nodes(response_view) + count_top_nodes(response_view, weights)


def _response_frame_nodes(response_view: ResponseView) -> int:
    return _CALLBACK + _CALLBACK_BODY * len(response_view.content) + _CALLBACK_LINK * len(response_view.links)


def _callback_frame_nodes(callback: CallbackView) -> int:
    """Return how many elements a callback takes without its fields."""
    responses = (response for request in callback.requests for response in request.responses)
    return _CALLBACK + _REQUEST * len(callback.requests) + sum(map(_response_frame_nodes, responses))


def _group_by_page(chunks: Iterable[_CallbackChunk]) -> Iterator[list[_CallbackChunk]]:
    """Yield the chunks of each page."""
    page_chunks: list[_CallbackChunk] = []
    left = MAX_CALLBACK_PAGE_NODES
    for chunk in chunks:
        if page_chunks and chunk[2] > left:
            yield page_chunks
            page_chunks, left = [], MAX_CALLBACK_PAGE_NODES
        page_chunks.append(chunk)
        left -= chunk[2]
    yield page_chunks


def _merge_callbacks(page_chunks: Iterable[_CallbackChunk]) -> Iterator[CallbackView]:
    """Yield the callbacks of a page, each with those of its requests that are there."""
    for _, same_callback in groupby(page_chunks, key=lambda chunk: chunk[0].anchor):
        found = [*same_callback]
        yield replace(found[0][0], requests=tuple(request for _, request, _ in found))


def _page_titles(pages: Sequence[tuple[CallbackView, ...]]) -> Iterator[str]:
    """Yield the titles of the pages; pages that continue a callback are numbered."""
    seen: dict[str, int] = {}
    for shown in pages:
        first, last = shown[0].name, shown[-1].name
        title = (
            gettext("Callback %(name)s", name=first)
            if first == last
            else gettext("Callbacks %(first)s to %(last)s", first=first, last=last)
        )
        seen[title] = seen.get(title, 0) + 1
        yield (
            title if seen[title] == 1 else gettext("%(title)s, part %(part)s", title=title, part=seen[title])
        )


def callback_pages(
    renderer: Renderer, operation: Operation, shown: CallbackList, *, crumbs: Crumbs
) -> Iterator[Page]:
    """Yield the page of some callbacks, and those of what does not fit on it; `crumbs` lead up to it."""
    title = gettext("%(part)s of %(whole)s", part=shown.title, whole=operation.title)

    def page(view: OperationView) -> UnfinishedPage:
        return renderer.page(
            "callbacks",
            shown.uri,
            title=title,
            description=gettext("%(part)s, a part of %(whole)s.", part=shown.title, whole=operation.title),
            crumbs=crumbs,
            search=SearchEntry(kind=SearchKind.EVENT, title=title),
            sections=callback_entries(view),
            values={"operation": operation, "view": view},
            part_of=crumbs[-1][1],
        )

    view = OperationView(parameters=(), body=None, responses=(), callbacks=shown.callbacks)
    yield from divided_pages(renderer, view, page, crumbs=crumbs)
