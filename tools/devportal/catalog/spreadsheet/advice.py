"""What to do about values that spreadsheets make of what somebody typed: dates, numbers and lost zeros."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from devportal.catalog.coverage import Channel, Scheme, Support
from devportal.catalog.lifecycle import State
from devportal.catalog.rate import BillingTerm, Direction, NumberType, Product, Unit
from devportal.catalog.ref import Kind
from devportal.catalog.spreadsheet.columns import COLUMNS
from devportal.catalog.spreadsheet.days import DAY_RULES
from devportal.catalog.spreadsheet.prices import PRICE_RULES
from devportal.catalog.spreadsheet.rule import AS_TEXT, Rule, always


class Advice(NamedTuple):
    """What to do about a value, and the habit that spoilt it: the same for all values of a column alike."""

    habit: str
    words: str


_UNREADABLE = re.compile(r"[\x00-\x1f\x7f-\x9f]|.{81}")
"""What is not repeated on a terminal: control characters, and more than any short value has."""


def advice(column: str, value: str) -> Advice | None:
    """Return what to do about a value that does not fit its column, or None where that is not known."""
    if _UNREADABLE.search(value.strip()):
        return None
    if value != value.strip():
        return Advice("blanks", f"remove the blanks around it: {value.strip()}")
    for rule in _RULES:
        found = re.fullmatch(rule.pattern, value)
        if found and column in rule.columns and (words := rule.say(found)):
            return Advice(rule.pattern, words)
    return _as_written(column, value)


def _as_written(column: str, value: str) -> Advice | None:
    """Return how a value of a column that has few is written, where it is one of them but for its form."""
    word = re.sub(r"[\s-]+", "_", value.lower())
    if word == value or word not in _CHOICES.get(column, ()):
        return None
    underscores = ", with underscores" if word != value.lower() else ""
    return Advice("form of a word", f"write it in small letters{underscores}: {word}")


_ALL = frozenset(column.name for kind in Kind for column in COLUMNS[kind])
_PRICE = frozenset({"price"})
_DIGITS = frozenset({"prefixes", "dialling_code", "mcc", "mnc", "version", "registration_days"})

_TRUE = frozenset({"true", "wahr", "vrai", "1", "y", "yes", "ja", "oui", "sí", "si"})

_CHOICES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "product": frozenset(Product),
        "direction": frozenset(Direction),
        "unit": frozenset(Unit),
        "number_type": frozenset(NumberType),
        "number_types": frozenset(NumberType),
        "billing_terms": frozenset(BillingTerm),
        "channel": frozenset(Channel),
        "support": frozenset(Support),
        "registration": frozenset(Scheme),
        "status": frozenset(State),
    }
)
"""The values of the columns that have few."""


def _with_hyphens(found: re.Match[str]) -> str:
    name = re.sub(r"[^a-z0-9]+", "-", found.group().lower()).strip("-")
    return f"an id has small letters, digits and single hyphens, nothing else: write {name}" if name else ""


_RULES: tuple[Rule, ...] = (
    Rule(_ALL, r"=.+", always("this is a formula: write the value that it gives")),
    Rule(_ALL, r"#[A-ZÄÖÜ/ÇÉ]+[!?]?", always("a formula failed in the spreadsheet: write the value")),
    *DAY_RULES,
    Rule(
        _PRICE | _DIGITS,
        r"[-+]?\d+(?:[.,]\d+)?[eE][-+]?\d+",
        always(f"a spreadsheet shortened the number: write all its digits; {AS_TEXT}"),
    ),
    *PRICE_RULES,
    Rule(
        frozenset({"mcc"}),
        r"\d{1,2}",
        lambda found: f"a spreadsheet took a zero away: write {found.group():0>3}; {AS_TEXT}",
    ),
    Rule(
        frozenset({"mnc"}),
        r"\d",
        lambda found: (
            f"a spreadsheet took zeros away: write 0{found.group()} or 00{found.group()}; {AS_TEXT}"
        ),
    ),
    Rule(
        _DIGITS,
        r"\+(\d+)|00([1-9]\d*)|(\d+)[.]0+",
        lambda found: f"write the digits alone: {next(part for part in found.groups() if part)}",
    ),
    Rule(
        frozenset({"billing_increment"}),
        r".*(?:[A-Za-z]{3}|\d[-.]\d|/.*/).*|[1-9]\d{4}",
        always(f"a spreadsheet took it for a date: write seconds as 1/1, 60/60 or 30/6; {AS_TEXT}"),
    ),
    Rule(
        frozenset({"sample", "two_way", "alphanumeric_sender", "delivery_receipts", "concatenation"})
        | {"unicode", "number_portability"},
        r"(?i:true|false|wahr|falsch|vrai|faux|1|0|y|n|yes|no|ja|nein|oui|non|sí|si|nee|nej|nei)",
        lambda found: f"write {'yes' if found.group().lower() in _TRUE else 'no'}",
    ),
    Rule(
        frozenset({"country"}),
        r"(?i:[a-z]{2})",
        lambda found: f"write it in capitals: {found.group().upper()}",
    ),
    Rule(
        frozenset({"currency"}),
        r"(?i:[a-z]{3})",
        lambda found: f"write it in capitals: {found.group().upper()}",
    ),
    Rule(frozenset({"id"}), r"[A-Za-z0-9][A-Za-z0-9_. -]*", _with_hyphens),
)
"""The first that fits a value and has something to say counts."""
