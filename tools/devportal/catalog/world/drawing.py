"""The map of the world as SVG for the inside of a page: readable without scripts, by keyboard and by ear.

Colours are the theme's (`world.css`): the drawing has classes and no style. A country with a mark is a link
with a name; all other land is one shape without words.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from devportal.catalog.book.book import MarketKind
from devportal.catalog.records.coverage import Support
from devportal.catalog.world.outlines import Outlines, read_outlines

_RADIUS = 7
"""Of a dot, in units: 7 pixels across where the map is 1,000 pixels wide. Narrow maps have larger ones."""
_SEA = 20
"""Around the land, in units: what lies at its edge is not cut, nor is the ring around it."""
PATTERN = "dp-world-stripes"
"""The id of the stripes that limited support has besides its colour."""

_DEFINITIONS = Markup(
    '<defs><pattern id="{id}" class="dp-world__stripes" width="10" height="10" patternUnits="userSpaceOnUse"'
    ' patternTransform="rotate(45)"><rect width="10" height="10"/><path d="M0 2.5h10"/></pattern></defs>'
).format(id=PATTERN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What the map says of a country: its market, the best support there, words, and the page it leads to."""

    market: str
    support: Support
    words: str
    href: str


def world_svg(marks: Mapping[str, Mark], *, label: str, kind: MarketKind = MarketKind.COUNTRY) -> Markup:
    """Return the map with each marked country, by ISO 3166-1 alpha-2 code, as a link; `label` names the map.

    Links have the order of the marks. A code that is not on the map is left to the table below it.
    """
    outlines = read_outlines()
    return Markup(
        '<svg class="dp-world__map" viewBox="{box}" role="group" aria-label="{label}">\n'
        '{definitions}\n<path class="dp-world__land" d="{land}"/>\n{links}\n</svg>'
    ).format(
        box=f"{-_SEA} {-_SEA} {outlines.width + 2 * _SEA} {outlines.height + 2 * _SEA}",
        label=label,
        definitions=_DEFINITIONS,
        land=_land(outlines, marks),
        links=Markup("\n").join(_links(outlines, marks, kind)),
    )


def _land(outlines: Outlines, marks: Iterable[str]) -> str:
    """Return all land without a mark as one path."""
    marked = set(marks)
    return outlines.land + "".join(path for code, path in outlines.shapes.items() if code not in marked)


def _links(outlines: Outlines, marks: Mapping[str, Mark], kind: MarketKind) -> Iterator[Markup]:
    """Yield the marked countries, first the shapes: a dot lies on its neighbours."""
    for code, mark in marks.items():
        if code in outlines.shapes:
            yield _link(kind, mark, Markup('<path d="{}"/>').format(outlines.shapes[code]))
    for code, mark in marks.items():
        if code in outlines.dots:
            x, y = outlines.dots[code]
            yield _link(kind, mark, Markup('<circle cx="{}" cy="{}" r="{}"/>').format(x, y, _RADIUS))


def _link(kind: MarketKind, mark: Mark, shape: Markup) -> Markup:
    fill = Markup(' fill="url(#{})"').format(PATTERN) if mark.support is Support.LIMITED else ""
    return Markup(
        '<a class="dp-world__{support}" data-{kind}="{market}" href="{href}"{fill}>'
        "<title>{words}</title>{shape}</a>"
    ).format(
        support=mark.support,
        kind=kind,
        market=mark.market,
        href=mark.href,
        fill=fill,
        words=mark.words,
        shape=shape,
    )
