"""Responses beyond the first of an operation: on pages below its own, where there are a great many."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from devportal.contract import Operation
from devportal.pages import Page, SearchEntry, SearchKind
from devportal.reference.bodies import inline_examples
from devportal.reference.division import emptied, weight
from devportal.reference.links import Links
from devportal.reference.panels import FEW_SPANS, MAX_ANSWER_SPANS
from devportal.reference.part_pages import Lighter, Weights, light_pages
from devportal.reference.place import Place
from devportal.reference.rendering import Crumbs, Renderer
from devportal.reference.views import ResponseView

LISTED_UP_TO = 40
"""So many responses stand on one page."""
ROOM = 900
"""So many elements they take there, whatever moves away; the rest is for the frame, the request and the
colours of samples."""
FEW_ROWS = 25
"""So many headers, links and samples are not too many for any page, and are not weighed."""
_RESPONSE, _BODY, _LINK, _SAMPLE, _PARAMETER = 12, 6, 8, 8, 8
"""Elements of a response around its rows, of a body around its fields, of a link, a sample, a parameter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseList:
    """Responses that stand on one page."""

    uri: str
    responses: tuple[ResponseView, ...]
    part: slice
    """Where they are among all responses."""

    @property
    def title(self) -> str:
        """What the page is called."""
        first, last = self.responses[0].status, self.responses[-1].status
        return f"Responses {first} to {last}" if first != last else f"Response {first}"


def response_lists(
    uri: str, operation: Operation, responses: tuple[ResponseView, ...], links: Links
) -> tuple[ResponseList, ...]:
    """Return the responses by page; the first is the operation's own, at `uri`, and may be empty."""
    stem = uri.removesuffix(".md")
    weights = Weights(Place(source=uri, below=3, links=links))
    room = max(0, ROOM - _PARAMETER * len(operation.parameters))
    ends = tuple(_ends([*_weighed(operation, responses, weights)], room))
    return tuple(
        ResponseList(
            uri=f"{stem}/responses/{number}.md" if first else uri,
            responses=responses[first:last],
            part=slice(first, last),
        )
        for number, (first, last) in enumerate(pairwise((0, *ends)), start=1)
    )


def _weighed(operation: Operation, responses: tuple[ResponseView, ...], weights: Weights) -> Iterator[int]:
    """Yield how many elements of each response stay where it is; none where there are few in all."""
    samples = [
        sum(len([*inline_examples((media,))]) or 1 for media in one.content) for one in operation.responses
    ]
    if sum(samples) + sum(len(one.headers) + len(one.links) for one in responses) <= FEW_ROWS:
        yield from (0 for _ in responses)
        return
    for one, count in zip(responses, samples, strict=True):
        around = _RESPONSE + _BODY * len(one.content) + _LINK * len(one.links) + _SAMPLE * (count + 1)
        yield around + weight(emptied(one), weights)


def _ends(weighed: list[int], room: int) -> Iterator[int]:
    """Yield where each page of responses ends; each has at least one, if there is any.

    `room` is that of the first, which has the request on it too.
    """
    first, left = 0, room
    for number, one in enumerate(weighed):
        if number > first and (one > left or number - first == LISTED_UP_TO):
            yield number
            first, left = number, ROOM
        left -= one
    yield len(weighed)


def response_pages(
    renderer: Renderer,
    operation: Operation,
    shown: ResponseList,
    answers: Callable[[int], str],
    *,
    crumbs: Crumbs,
) -> Iterator[Page]:
    """Yield the page of some responses, and those of what does not fit on it.

    `answers` makes the samples of these responses with so many coloured words; `crumbs` lead up to the page.
    """
    title = f"{shown.title} of {operation.title}"

    def page(responses: tuple[ResponseView, ...], spans: int = MAX_ANSWER_SPANS) -> Page:
        return renderer.page(
            "responses",
            shown.uri,
            title=title,
            description=f"{shown.title}, a part of {operation.title}.",
            crumbs=crumbs,
            search=SearchEntry(kind=SearchKind.OPERATION, title=title),
            layout="wide",
            values={"operation": operation, "responses": responses, "answers": answers(spans)},
            part_of=crumbs[-1][1],
        )

    def saved() -> int:
        return answers(MAX_ANSWER_SPANS).count("<span ") - answers(FEW_SPANS).count("<span ")

    lighter = Lighter(partial(page, spans=FEW_SPANS), saved)
    yield from light_pages(renderer, shown.responses, page, crumbs=crumbs, lighter=lighter)
