"""The five regions of the world by which countries are listed (United Nations M49).

Where M49 has no row (Kosovo, Taiwan) or another view (Antarctica and islands near it), the choice is ours.
"""

from enum import StrEnum
from functools import lru_cache


class Region(StrEnum):
    """A part of the world; the value is its name in addresses."""

    EUROPE = "europe"
    AMERICAS = "americas"
    ASIA = "asia"
    AFRICA = "africa"
    OCEANIA = "oceania"

    @property
    def label(self) -> str:
        """Return the region's name."""
        return self.value.capitalize()


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
    """Return the region of a country (ISO 3166-1 alpha-2). Raises KeyError for a code that is none."""
    return _regions()[code]
