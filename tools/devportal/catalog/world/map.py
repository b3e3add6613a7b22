"""The map of the world: outlines of countries and regions, drawn as SVG."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files

from markupsafe import Markup

from devportal.catalog.book.book import MarketKind
from devportal.catalog.records.coverage import Support
from devportal.translation import gettext, gettext_noop


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlines:
    """A map of `width` by `height` units, y downwards; countries by ISO 3166-1 alpha-2 code.

    `shapes` are SVG paths, and so is `land`, the land without a code. `dots` are the centres of countries too
    small for a shape, moved apart so that none hides another.
    """

    width: int
    height: int
    land: str = field(repr=False)
    shapes: Mapping[str, str] = field(repr=False)
    dots: Mapping[str, tuple[int, int]] = field(repr=False)


@lru_cache(maxsize=1)
def read_outlines() -> Outlines:
    """Return the outlines of the world."""
    text = files("devportal.catalog.world").joinpath("outlines.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return Outlines(
        width=data["width"],
        height=data["height"],
        land=data["land"],
        shapes=data["shapes"],
        dots={code: (x, y) for code, (x, y) in data["dots"].items()},
    )


_RADIUS = 7
"""The radius of a dot, in units: 7 pixels across if the map is 1,000 pixels wide. Narrow maps have larger
ones.
"""
_SEA = 20
"""Space around the land, in units, so that coasts and the focus ring at the edge are not cut off."""
PATTERN = "dp-world-stripes"
"""The id of the stripe pattern that marks limited support besides its colour."""

_DEFINITIONS = Markup(
    '<defs><pattern id="{id}" class="dp-world__stripes" width="10" height="10" patternUnits="userSpaceOnUse"'
    ' patternTransform="rotate(45)"><rect width="10" height="10"/><path d="M0 2.5h10"/></pattern></defs>'
).format(id=PATTERN)


@dataclass(frozen=True, slots=True, kw_only=True)
class MapMarket:
    """A country on the map: its market, the best support there, a text, and the page it links to."""

    market: str
    support: Support
    words: str
    href: str


def world_svg(
    markets: Mapping[str, MapMarket],
    *,
    label: str,
    kind: MarketKind = MarketKind.COUNTRY,
    is_linked: bool = True,
) -> Markup:
    """Return the map with each of the markets, by ISO 3166-1 alpha-2 code, as a link; `label` names the map.

    Links are in the order of the markets. A code that is not on the map is only in the table below it. A map
    that is not linked has one shape for each level of support.
    """
    outlines = read_outlines()
    return Markup(
        '<svg class="dp-world__map" viewBox="{box}" role="{role}" aria-label="{label}">\n'
        '{definitions}\n<path class="dp-world__land" d="{land}"/>\n{links}\n</svg>'
    ).format(
        box=f"{-_SEA} {-_SEA} {outlines.width + 2 * _SEA} {outlines.height + 2 * _SEA}",
        role="group" if is_linked else "img",
        label=label,
        definitions=_DEFINITIONS,
        land=_land(outlines, markets),
        links=Markup("\n").join(_links(outlines, markets, kind) if is_linked else _areas(outlines, markets)),
    )


def _land(outlines: Outlines, codes: Iterable[str]) -> str:
    """Return all land without a market as one path."""
    marked = set(codes)
    return outlines.land + "".join(path for code, path in outlines.shapes.items() if code not in marked)


def _links(outlines: Outlines, markets: Mapping[str, MapMarket], kind: MarketKind) -> Iterator[Markup]:
    """Yield the links of the markets, shapes first, because a dot lies on its neighbours."""
    for code, market in markets.items():
        if code in outlines.shapes:
            yield _link(kind, market, Markup('<path d="{}"/>').format(outlines.shapes[code]))
    for code, market in markets.items():
        if code in outlines.dots:
            x, y = outlines.dots[code]
            yield _link(kind, market, Markup('<circle cx="{}" cy="{}" r="{}"/>').format(x, y, _RADIUS))


def _areas(outlines: Outlines, markets: Mapping[str, MapMarket]) -> Iterator[Markup]:
    """Yield one shape for all countries with the same support."""
    for support in Support:
        codes = [code for code, market in markets.items() if market.support is support]
        path = "".join(
            outlines.shapes.get(code) or _dot_path(*outlines.dots[code])
            for code in codes
            if code in outlines.shapes or code in outlines.dots
        )
        if path:
            yield Markup('<g class="dp-world__{support}"{fill}><path d="{path}"/></g>').format(
                support=support, fill=_fill(support), path=path
            )


def _dot_path(x: float, y: float) -> str:
    """Return a dot as a path."""
    return f"M{x - _RADIUS} {y}a{_RADIUS} {_RADIUS} 0 1 0 {2 * _RADIUS} 0a{_RADIUS} {_RADIUS} 0 1 0 {-2 * _RADIUS} 0z"


def _fill(support: Support) -> Markup:
    return Markup(' fill="url(#{})"').format(PATTERN) if support is Support.LIMITED else Markup("")


def _link(kind: MarketKind, market: MapMarket, shape: Markup) -> Markup:
    return Markup(
        '<a class="dp-world__{support}" data-{kind}="{market}" href="{href}" aria-label="{words}"{fill}>'
        "{shape}</a>"
    ).format(
        support=market.support,
        kind=kind,
        market=market.market,
        href=market.href,
        fill=_fill(market.support),
        words=market.words,
        shape=shape,
    )


class Region(StrEnum):
    """A part of the world; the value is its name in URLs."""

    EUROPE = "europe"
    AMERICAS = "americas"
    ASIA = "asia"
    AFRICA = "africa"
    OCEANIA = "oceania"

    @property
    def label(self) -> str:
        """Return the region's name."""
        return gettext(_LABELS[self])


_LABELS = {
    Region.EUROPE: gettext_noop("Europe"),
    Region.AMERICAS: gettext_noop("Americas"),
    Region.ASIA: gettext_noop("Asia"),
    Region.AFRICA: gettext_noop("Africa"),
    Region.OCEANIA: gettext_noop("Oceania"),
}
_CODES = {
    Region.AFRICA: """
        AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW IO KE KM LR LS LY MA MG ML MR MU
        MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TF TG TN TZ UG YT ZA ZM ZW
    """,
    Region.AMERICAS: """
        AG AI AR AW BB BL BM BO BQ BR BS BV BZ CA CL CO CR CU CW DM DO EC FK GD GF GL GP GS GT GY HN HT JM KN
        KY LC MF MQ MS MX NI PA PE PM PR PY SR SV SX TC TT US UY VC VE VG VI
    """,
    Region.ASIA: """
        AE AF AM AZ BD BH BN BT CN CY GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP
        OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE
    """,
    Region.EUROPE: """
        AD AL AT AX BA BE BG BY CH CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD
        ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK
    """,
    Region.OCEANIA: """
        AQ AS AU CC CK CX FJ FM GU HM KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS
    """,
}


@lru_cache(maxsize=1)
def _regions() -> dict[str, Region]:
    return {code: region for region, codes in _CODES.items() for code in codes.split()}


def region_of(code: str) -> Region:
    """Return the region of a country (ISO 3166-1 alpha-2). Raises KeyError for an unknown code."""
    return _regions()[code]
