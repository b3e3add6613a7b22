"""What to do about prices that a spreadsheet shows in its own way, or took for something else."""

import re

from devportal.catalog.spreadsheet.rule import AS_TEXT, MONTH, Rule, always

_COLUMNS = frozenset({"price"})

_CURRENCY = r"(?:[A-Z]{3}|[A-Z]{0,2}[$€£¥₹₩₺₽₫₱₦₴₪฿]|[Kk]r\.?|zł|Kč|Ft|lei|Fr\.?)"
"""A currency as people put it beside a number: its code, its sign, or a local shortening."""


def _with_comma(found: re.Match[str]) -> str:
    whole, places = found.groups()
    if len(places) == 3 and re.fullmatch(r"[1-9]\d{0,2}", whole):
        return f"write {whole}.{places} where the comma is a decimal one, {whole}{places} where it is not"
    return f"write the decimal comma as a point: {whole}.{places}"


def _with_thousands(found: re.Match[str]) -> str:
    whole, places = re.sub(r"\D", "", found.group(1)), found.group(3)
    return f"write no mark between thousands, and a decimal point: {whole}{f'.{places}' if places else ''}"


PRICE_RULES = (
    Rule(
        _COLUMNS,
        rf"(?:\d{{1,2}}[-./ ]+)?{MONTH}(?:[-./, ]+\d{{1,4}})?|\d{{1,4}}([./-])\d{{1,2}}\1\d{{2,4}}\.?",
        always(f"a spreadsheet took the price for a date: write it again, such as 0.0790; {AS_TEXT}"),
    ),
    Rule(_COLUMNS, r"'+(\d[\d.]*)", lambda found: f"remove the ' before it: {found.group(1)}"),
    Rule(
        _COLUMNS,
        r"'*[-−]\s?\d[\d.,]*|\(\d[\d.,]*\)",
        always("a price is not below 0: write what is paid, without a sign"),
    ),
    Rule(_COLUMNS, r"\.\d{1,8}", lambda found: f"write a digit before the point: 0{found.group()}"),
    Rule(_COLUMNS, r"(\d{1,9}),(\d{1,8})", _with_comma),
    Rule(_COLUMNS, r"(\d{1,3}(?:([.'’\s])\d{3})+),(\d{1,8})", _with_thousands),
    Rule(_COLUMNS, r"(\d{1,3}(?:([,'’\s])\d{3})+)(?:\.(\d{1,8}))?", _with_thousands),
    Rule(
        _COLUMNS,
        rf"{_CURRENCY}\s?[\d.,]+|[\d.,]+\s?{_CURRENCY}",
        always("write digits alone: the currency has a column"),
    ),
)
"""For values in the column of prices."""
