"""Assigned codes: ISO 3166-1 alpha-2 countries and ISO 4217 currencies, from the CLDR."""

from functools import lru_cache

from babel import Locale
from babel.core import get_global

_NOT_COUNTRIES = frozenset(
    {"AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "ZZ"}
)
"""Codes of the CLDR that ISO 3166-1 does not have. `XK` (Kosovo) stays: it is user-assigned, but numbering
plans and carriers use it (+383).
"""


@lru_cache(maxsize=1)
def country_names() -> dict[str, str]:
    """Return the English name of each country by its alpha-2 code."""
    names = {str(code): str(name) for code, name in Locale("en").territories.items()}
    return {code: name for code, name in names.items() if len(code) == 2 and code not in _NOT_COUNTRIES}


@lru_cache(maxsize=1)
def currency_codes() -> frozenset[str]:
    """Return the ISO 4217 codes of the currencies that are legal tender somewhere now."""
    periods = get_global("territory_currencies").values()
    return frozenset(
        code for rows in periods for code, _since, until, is_tender in rows if is_tender and until is None
    )
