"""Responses of an operation that are too much for its own page: on pages below it.

What is sent and what success returns is what most readers come for, and stays. Errors move first.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from devportal.contract import Operation
from devportal.pages import Page, SearchEntry, SearchKind
from devportal.reference.bodies import inline_examples
from devportal.reference.division import emptied, weight
from devportal.reference.links import Links
from devportal.reference.panels import MAX_ANSWER_SPANS
from devportal.reference.part_pages import Lighter, Weights, light_pages
from devportal.reference.place import Place
from devportal.reference.rendering import Crumbs, Renderer
from devportal.reference.repeats import told_once
from devportal.reference.views import BodyView, OperationView, ResponseView

LISTED_UP_TO = 40
"""So many responses stand on one page."""
ROOM = 900
"""So many elements they take there, whatever moves away; the rest is for the frame and the colours of
samples."""
SHARED_ROOM = 800
"""So many elements request and responses take together on the page of the operation."""
ROWS_UP_TO = 20
"""So many responses that are on other pages have a row each."""
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
    uri: str, operation: Operation, view: OperationView, links: Links
) -> tuple[ResponseList, ...]:
    """Return the responses by page; the first is the operation's own, at `uri`, and may be empty."""
    stem = uri.removesuffix(".md")
    weights = Weights(Place(source=uri, below=3, links=links))
    asked = _PARAMETER * len(operation.parameters) + _whole(view.body, weights)
    ends = tuple(
        _ends([*_weighed(operation, told_once(view.responses), weights)], max(0, SHARED_ROOM - asked))
    )
    return tuple(
        ResponseList(
            uri=f"{stem}/responses/{number}.md" if first else uri,
            responses=told_once(view.responses[first:last]),
            part=slice(first, last),
        )
        for number, (first, last) in enumerate(pairwise((0, *ends)), start=1)
    )


def ways_to(lists: Sequence[ResponseList]) -> dict[str, object]:
    """Return how the page of an operation leads to responses that are on others: each by a row of its own,
    with the anchor that it would have there, or by pages where there are a great many.
    """
    rows = [(one, shown.uri) for shown in lists for one in shown.responses]
    if len(rows) <= ROWS_UP_TO:
        return {"moved_responses": rows, "more_responses": []}
    return {"moved_responses": [], "more_responses": [(one.title, one.uri) for one in lists]}


def _weighed(operation: Operation, responses: tuple[ResponseView, ...], weights: Weights) -> Iterator[int]:
    """Yield how many elements each response takes: a success with its fields, an error without those that
    can move; none where there are few in all.
    """
    samples = [
        sum(len([*inline_examples((media,))]) or 1 for media in one.content) for one in operation.responses
    ]
    if sum(samples) + sum(len(one.headers) + len(one.links) for one in responses) <= FEW_ROWS:
        yield from (0 for _ in responses)
        return
    for said, one, count in zip(operation.responses, responses, samples, strict=True):
        around = _RESPONSE + _BODY * len(one.content) + _LINK * len(one.links) + _SAMPLE * (count + 1)
        yield around + (_whole(one, weights) if said.is_success else weight(emptied(one), weights))


def _whole(view: BodyView | ResponseView | None, weights: Weights) -> int:
    """Return how many elements a view takes with its fields; of very many only those that cannot move."""
    return max(min(weight(view, weights), SHARED_ROOM // 2), weight(emptied(view), weights))


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

    lighter = Lighter(page, lambda spans: answers(spans).count("<span "), MAX_ANSWER_SPANS)
    yield from light_pages(renderer, shown.responses, page, crumbs=crumbs, lighter=lighter)
