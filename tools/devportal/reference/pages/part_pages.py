"""Pages for nested fields that are too many for one page, below the page they belong to.

A page of a large contract keeps within `MAX_NODES` elements, the frame of the theme included, because a
browser gets slow beyond that. The Markdown twins are split at the same places: each has the content of its
page, and nothing is repeated.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from devportal.markup import Page
from devportal.reference.addresses import slug
from devportal.reference.context import RenderContext
from devportal.reference.links import DescriptionLinks
from devportal.reference.pages.field_weights import (
    FieldWeights,
    count_field_nodes,
    count_fields,
    count_top_nodes,
    without_nested_fields,
)
from devportal.reference.pages.page_split import MovedPart, divide_fields
from devportal.reference.pages.search_entries import part_entry
from devportal.reference.rendering import Crumbs, Renderer, UnfinishedPage
from devportal.reference.schema.fields import Field
from devportal.reference.schema.rows_html import count_html_nodes, count_own_nodes
from devportal.reference.schema.shapes import RowKind
from devportal.translation import ENGLISH, cached_words, gettext, interface_of

MAX_NODES = 1_500
FRAME_NODES = 238
"""What the theme puts around body and left column, and marks of earlier releases in it, rounded up."""
BUTTON_NODES = 2
"""What the script adds to each block of code that is shown."""
SPARE_NODES = 8
"""What stays free on a page that is divided: what its parts take is an estimate."""
MIN_SPANS = 20
"""How many tokens of the samples stay highlighted, however much room the fields need."""
MIN_PART_ROOM = 200
"""The room for fields on every page, whatever else it has."""

MANY_FIELDS = 150
"""A page of more fields may be too heavy."""

T = TypeVar("T")


def divided_pages(
    renderer: Renderer,
    shown: T,
    make: Callable[[T], UnfinishedPage],
    *,
    crumbs: Crumbs,
    colours: "ColourLimit | None" = None,
) -> Iterator[Page]:
    """Yield the page that `make` returns for what is shown, and the pages of what does not fit on it.

    `shown` is a field, or a value with fields in it; `crumbs` is the way to the page. If that is too
    much, the page has fewer `colours`.
    """
    weights = FieldWeights(node_counts(renderer.links))
    division = _PageDivision(renderer=renderer, weights=weights)
    yield from division.pages(shown, make, crumbs, colours=colours or _NO_SAMPLES)


@dataclass(frozen=True, slots=True)
class ColourLimit:
    """Gives a page fewer coloured words than the `most` that it is made with.

    `samples` returns its samples with at most this many, by the names of the parts of the page that they are.
    """

    samples: Callable[[int], Mapping[str, str]]
    most: int

    def within(self, excess: int) -> tuple[int, int]:
        """Return how many colours stay if a page has this many elements too many, and how many elements that saves."""
        if excess <= 0:
            return self.most, 0
        all_spans = self._count(self.most)
        wanted = all_spans - excess
        kept = max(MIN_SPANS, wanted - max(0, self._count(max(MIN_SPANS, wanted)) - wanted))
        return kept, all_spans - self._count(kept)

    def limit(self, page: UnfinishedPage, kept: int) -> UnfinishedPage:
        """Return a page with at most this many coloured words."""
        return page if kept >= self.most else page.with_html(self.samples(kept))

    def _count(self, spans: int) -> int:
        return sum(sample.count("<span ") for sample in self.samples(spans).values())


_NO_SAMPLES = ColourLimit(lambda _: {}, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _PageDivision:
    """The pages below one page: all in one folder, so that addresses stay short however deep they lie."""

    renderer: Renderer
    weights: FieldWeights
    taken: set[str] = field(default_factory=set)

    def pages(
        self,
        shown: T,
        make: Callable[[T], UnfinishedPage],
        crumbs: Crumbs,
        parent: Page | None = None,
        colours: ColourLimit = _NO_SAMPLES,
    ) -> Iterator[Page]:
        """Yield a page, and those below it; one that may be too heavy is not made whole to see."""
        weights, is_large = self.weights, count_fields(shown) > MANY_FIELDS
        first = make(without_nested_fields(shown) if is_large else shown)
        taken = count_field_nodes(shown, weights) if is_large else 0
        page = first.page
        excess = _excess_nodes(page)
        if is_large:
            excess += taken - count_top_nodes(shown, weights.own)
        kept, saved = colours.within(excess)
        excess -= saved
        if excess <= 0:
            yield colours.limit(make(shown) if is_large else first, kept).finish()
            return
        room = max(MIN_PART_ROOM, (taken or count_field_nodes(shown, weights)) - excess - SPARE_NODES)
        top = parent or page
        light, parts = divide_fields(shown, room, weights, lambda item: self._uri(top, item))
        coloured = make(light)
        light_page = colours.limit(coloured, kept)
        room_for_colours = -_excess_nodes(light_page.page)
        if saved and room_for_colours > 0:
            light_page = colours.limit(coloured, colours.within(saved - room_for_colours)[0])
        yield light_page.finish()
        for part in parts:
            yield from self._part(top, part, (*crumbs, (page.title, page.uri)))

    def _part(self, parent: Page, part: MovedPart, crumbs: Crumbs) -> Iterator[Page]:
        """Yield the pages of a part, which may be too much for one page itself."""
        name = _part_title(part.field)
        title = gettext("%(part)s of %(whole)s", part=name, whole=parent.title)

        def make(shown: Field) -> UnfinishedPage:
            return self.renderer.page(
                "part",
                part.uri,
                title=title,
                description=gettext("%(part)s, a part of %(whole)s.", part=name, whole=parent.title),
                crumbs=crumbs,
                search=part_entry(parent.search[0], name, shown._replace(kind=part.field.kind)),
                values={"field": shown, "name": name, "whole": parent.title},
                part_of=parent.uri,
                shows=parent.shows,
            )

        shown = part.field._replace(kind=RowKind.BODY)
        yield from self.pages(shown, make, crumbs, parent)

    def _uri(self, parent: Page, item: Field) -> str:
        """Return a uri for a part: by its name, and by the way to it where a part of that name is taken."""
        stem = parent.uri.removesuffix(".md").removesuffix("/index")
        for candidate in _candidate_slugs(item):
            uri = f"{stem}/{candidate}.md"
            if uri not in self.taken:
                self.taken.add(uri)
                return uri
        raise AssertionError("the candidates never end")


class NodeCounts:
    """How many elements the fields of a reference take: the same on every page, where only addresses differ.

    A large contract asks fifty times for each: what decides on a count is few things, and most rows share them.
    """

    def __init__(self, links: DescriptionLinks) -> None:
        self._context = RenderContext(source=links.reference.addresses.overview, below=3, links=links)
        self._counts: dict[tuple[object, ...], int] = {}

    def __call__(self, item: Field) -> int:
        """Return how many elements a field takes without its nested fields."""
        is_nested = bool(item.fields or item.unions)
        lengths = len(item.marks), len(item.distinction)
        key = (item.value, item.kind, item.required, bool(item.name), is_nested, item.more, lengths)
        count = self._counts.get(key)
        if count is None:
            count = self._counts[key] = count_own_nodes(item, self._context)
        return count


@cached_words(1)
def node_counts(links: DescriptionLinks) -> NodeCounts:
    """Return the counts for the pages of a reference, which share its links."""
    return NodeCounts(links)


def _excess_nodes(page: Page) -> int:
    """Return how many elements a page has beyond the limit; less than 0 if there is room for more."""
    around = count_html_nodes(page.sidebar) + FRAME_NODES
    body = count_html_nodes(page.body) + BUTTON_NODES * _count_visible_code_blocks(page.body)
    return body + around - MAX_NODES


def _count_visible_code_blocks(html: str) -> int:
    """Return how many blocks of code are neither behind a tab nor behind the name of an example."""
    hidden = html.count('class="dp-tabs__panel') + html.count('class="dp-example"')
    return max(0, html.count("<pre") - hidden)


def _candidate_slugs(item: Field) -> Iterator[str]:
    base = slug(item.anchor)
    yield slug(_title_in_address(item))
    yield base
    number = 1
    while number := number + 1:
        yield f"{base}-{number}"


def _part_title(item: Field) -> str:
    """Return the name of a part."""
    if item.kind in (RowKind.NAMED, RowKind.PATTERN) and item.name:
        return item.name
    return (
        item.name or item.value.type.in_interface() if item.kind is RowKind.BODY else item.label
    ) or gettext("Fields")


def _title_in_address(item: Field) -> str:
    """Return the name of a part in English: its address is the same in all languages."""
    with interface_of(ENGLISH):
        return _part_title(item)
