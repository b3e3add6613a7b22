"""Callbacks of an operation: on pages below its own, where they are too much for it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from devportal.contract import Operation
from devportal.pages import Page, SearchEntry, SearchKind
from devportal.reference.division import emptied, weight
from devportal.reference.links import Links
from devportal.reference.part_pages import Weights, light_pages
from devportal.reference.place import Place
from devportal.reference.rendering import Crumbs, Renderer
from devportal.reference.search_entries import callback_entries
from devportal.reference.views import CallbackView, OperationView, RequestView, ResponseView

FEW = 300
"""So many elements around the fields of callbacks stand on the page of their operation; fields may move."""
ROOM = 900
"""So many elements of callbacks stand on a page of their own, whatever moves away from it."""
_CALLBACK, _REQUEST, _RESPONSE, _BODY, _LINK = 8, 12, 12, 6, 8
"""Elements of each around what is inside it."""

_Piece = tuple[CallbackView, RequestView, int]
"""A callback, one of its requests with some of its responses, and how many elements those take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackList:
    """Callbacks that stand on one page."""

    uri: str
    title: str
    callbacks: tuple[CallbackView, ...]


def callback_lists(uri: str, callbacks: Sequence[CallbackView], links: Links) -> tuple[CallbackList, ...]:
    """Return the callbacks of the operation at `uri` by page; nothing where they stand on the operation's."""
    if sum(map(_around, callbacks)) <= FEW:
        return ()
    weights = Weights(Place(source=uri, below=3, links=links))
    pieces = [
        piece
        for callback in callbacks
        for request in callback.requests
        for piece in _pieces(callback, request, weights)
    ]
    pages = [tuple(_joined(pack)) for pack in _packs(pieces)]
    titles = [*_titles(pages)]
    stem = uri.removesuffix(".md")
    return tuple(
        CallbackList(uri=f"{stem}/callbacks/{number}.md", title=title, callbacks=shown)
        for number, (title, shown) in enumerate(zip(titles, pages, strict=True), start=1)
    )


def _pieces(callback: CallbackView, request: RequestView, weights: Weights) -> Iterator[_Piece]:
    """Yield a request with as many of its responses as a page has room for, then the others."""
    first = replace(request, responses=())
    heads = [first, replace(first, description="", docs=None, requirements=(), parameters=(), body=None)]
    heavy = _CALLBACK + _REQUEST + weight(emptied(heads[0]), weights)
    shown: list[ResponseView] = []
    for one in request.responses:
        own = _weight(one, weights)
        if shown and heavy + own > ROOM:
            yield callback, replace(heads[0], responses=tuple(shown)), heavy
            heads, heavy, shown = heads[-1:], _CALLBACK + _REQUEST, []
        heavy += own
        shown.append(one)
    yield callback, replace(heads[0], responses=tuple(shown)), heavy


def _weight(one: ResponseView, weights: Weights) -> int:
    return _around_response(one) + weight(emptied(one), weights)


def _around_response(one: ResponseView) -> int:
    return _RESPONSE + _BODY * len(one.content) + _LINK * len(one.links)


def _around(callback: CallbackView) -> int:
    """Return how many elements a callback takes without its fields."""
    responses = (one for request in callback.requests for one in request.responses)
    return _CALLBACK + _REQUEST * len(callback.requests) + sum(map(_around_response, responses))


def _packs(pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    """Yield what goes to one page together."""
    pack: list[_Piece] = []
    left = ROOM
    for piece in pieces:
        if pack and piece[2] > left:
            yield pack
            pack, left = [], ROOM
        pack.append(piece)
        left -= piece[2]
    yield pack


def _joined(pack: Iterable[_Piece]) -> Iterator[CallbackView]:
    """Yield the callbacks of a page, each with those of its requests that are there."""
    for _, pieces in groupby(pack, key=lambda piece: piece[0].anchor):
        found = [*pieces]
        yield replace(found[0][0], requests=tuple(request for _, request, _ in found))


def _titles(pages: Sequence[tuple[CallbackView, ...]]) -> Iterator[str]:
    """Yield what each page is called; those that go on with the same callback have numbers."""
    seen: dict[str, int] = {}
    for shown in pages:
        first, last = shown[0].name, shown[-1].name
        title = f"Callback {first}" if first == last else f"Callbacks {first} to {last}"
        seen[title] = seen.get(title, 0) + 1
        yield title if seen[title] == 1 else f"{title}, part {seen[title]}"


def callback_pages(
    renderer: Renderer, operation: Operation, shown: CallbackList, *, crumbs: Crumbs
) -> Iterator[Page]:
    """Yield the page of some callbacks, and those of what does not fit on it; `crumbs` lead up to it."""
    title = f"{shown.title} of {operation.title}"

    def page(view: OperationView) -> Page:
        return renderer.page(
            "callbacks",
            shown.uri,
            title=title,
            description=f"{shown.title}, a part of {operation.title}.",
            crumbs=crumbs,
            search=SearchEntry(kind=SearchKind.EVENT, title=title),
            sections=callback_entries(view),
            values={"operation": operation, "view": view},
            part_of=crumbs[-1][1],
        )

    view = OperationView(parameters=(), body=None, responses=(), callbacks=shown.callbacks)
    yield from light_pages(renderer, view, page, crumbs=crumbs)
