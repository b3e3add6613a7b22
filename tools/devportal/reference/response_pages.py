"""Responses beyond the first of an operation: on pages below its own, where there are a great many."""

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from devportal.contract import Operation
from devportal.pages import Page, SearchEntry, SearchKind
from devportal.reference.part_pages import light_pages
from devportal.reference.rendering import Crumbs, Renderer
from devportal.reference.views import ResponseView

LISTED_UP_TO = 40
"""So many responses stand on one page."""


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
        return f"Responses {self.responses[0].status} to {self.responses[-1].status}"


def response_lists(uri: str, responses: tuple[ResponseView, ...]) -> tuple[ResponseList, ...]:
    """Return the responses by page; the first is the operation's own, at `uri`, and may be empty."""
    stem = uri.removesuffix(".md")
    return tuple(
        ResponseList(
            uri=f"{stem}/responses/{number}.md" if first else uri,
            responses=responses[first : first + LISTED_UP_TO],
            part=slice(first, first + LISTED_UP_TO),
        )
        for number, first in enumerate(range(0, max(1, len(responses)), LISTED_UP_TO), start=1)
    )


def response_pages(
    renderer: Renderer, operation: Operation, shown: ResponseList, answers: Markup, *, crumbs: Crumbs
) -> Iterator[Page]:
    """Yield the page of some responses, and those of what does not fit on it.

    `answers` are the samples of these responses; `crumbs` lead up to the page.
    """
    title = f"{shown.title} of {operation.title}"

    def page(responses: tuple[ResponseView, ...]) -> Page:
        return renderer.page(
            "responses",
            shown.uri,
            title=title,
            description=f"{shown.title}, a part of {operation.title}.",
            crumbs=crumbs,
            search=SearchEntry(kind=SearchKind.OPERATION, title=title),
            layout="wide",
            values={"operation": operation, "responses": responses, "answers": answers},
            part_of=crumbs[-1][1],
        )

    yield from light_pages(renderer, shown.responses, page, crumbs=crumbs)
