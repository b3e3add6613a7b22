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
def _codes_by_name() -> dict[str, str]:
    """Return the code of each country by what else it is called: its English name, its three-letter code, and codes
    that are not those of ISO 3166-1, such as UK.
    """
    names = country_names()
    aliases = {alias: codes[0] for alias, codes in get_global("territory_aliases").items() if len(codes) == 1}
    known = {alias.casefold(): code for alias, code in aliases.items() if code in names}
    return {**known, **{name.casefold(): code for code, name in names.items()}, "el": "GR"}


def country_help(written: str) -> str:
    """Return what to write in place of something that is not the code of a country."""
    code = _codes_by_name().get(written.strip().casefold())
    if code is None:
        return "use the ISO 3166-1 code of a country, such as NO for Norway"
    return f"write {code}, the ISO 3166-1 code of {country_names()[code]}"


@lru_cache(maxsize=1)
def currency_codes() -> frozenset[str]:
    """Return the ISO 4217 codes of the currencies that are legal tender somewhere now."""
    periods = get_global("territory_currencies").values()
    return frozenset(
        code for rows in periods for code, _since, until, is_tender in rows if is_tender and until is None
    )
