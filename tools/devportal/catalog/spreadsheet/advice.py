"""Advice on cells that cannot be read: days, prices and other values in the forms that people write."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from devportal.catalog.audit.lifecycle import State
from devportal.catalog.book.book import (
    Book,
    DigitsForm,
    Field,
    GroupForm,
    ListForm,
    NumberForm,
    Scalar,
    StepsForm,
)
from devportal.catalog.records.codes import country_help, country_names
from devportal.catalog.records.coverage import Support
from devportal.catalog.records.version_ref import Kind
from devportal.catalog.spreadsheet.columns import columns_of

AS_TEXT = "format the column as text before typing"

MONTH = (
    r"(?i:jan|ene|gen|feb|f[ée]v|mar|mär|mrz|apr|abr|avr|ma[ijy]|mag|jun|jui|jul|giu|lug|aug|ago|aoû|sep|set"
    r"|o[ck]t|ott|out|nov|de[cz]|déc|dic)[^\W\d_]*\.?"
)
"""A name of a month, whole or shortened, as spreadsheets of several languages write it."""


class Rule(NamedTuple):
    """Columns, a pattern of the whole value, and the advice for a match. Empty advice means the rule does not
    apply.
    """

    columns: frozenset[str]
    pattern: str
    advise: Callable[[re.Match[str]], str]


def constant_advice(text: str) -> Callable[[re.Match[str]], str]:
    """Return a function that gives the same advice for every value."""
    return lambda _found: text


_DAY_COLUMNS = frozenset({"effective_from", "effective_to", "reviewed_on"})

_SERIAL_DAY_ZERO = date(1899, 12, 30)
"""Day 0 of the numbers that spreadsheets show as dates (from March 1900 on)."""

_DAY_FORM = "write the day as YYYY-MM-DD"

_SAME_SEPARATOR = r"(?=\d+([/-]))"
"""A lookahead for a day whose parts have the same separator."""

_MONTH = r"(?:0?[1-9]|1[0-2])"
_NO_MONTH = r"1[3-9]|2\d|3[01]"
"""Numbers of days that are not months."""

_YEAR = r"(\d{4}|\d{2})(?: 0?0:00(?::00)?)?"
"""A year, and the midnight that some programs append to a day."""


def _date_advice(day: date) -> str:
    return f"{_DAY_FORM}, here {day}; {AS_TEXT}"


def _to_date(year: str, month: str, day: str) -> date | None:
    """Return a day of the calendar, or None. A year of two digits is in this century."""
    try:
        return date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return None


def _advise_dotted_date(match: re.Match[str]) -> str:
    day, month, year = match.groups()
    meant = _to_date(year, month, day)
    return f"with dots the day is first: {_date_advice(meant)}" if meant else ""


def _advise_month_first(match: re.Match[str]) -> str:
    _, month, day, year = match.groups()
    meant = _to_date(year, month, day)
    return f"only the month can be first here: {_date_advice(meant)}" if meant else ""


def _advise_day_first(match: re.Match[str]) -> str:
    _, day, month, year = match.groups()
    meant = _to_date(year, month, day)
    return f"only the day can be first here: {_date_advice(meant)}" if meant else ""


def _advise_year_first(match: re.Match[str]) -> str:
    meant = _to_date(*match.groups())
    return _date_advice(meant) if meant else ""


def _advise_serial_date(match: re.Match[str]) -> str:
    day = _SERIAL_DAY_ZERO + timedelta(days=int(match.group()))
    return f"a spreadsheet made a number of the day: that number stands for {day}; {AS_TEXT}"


DAY_RULES = (
    Rule(_DAY_COLUMNS, rf"(\d{{1,2}})\. ?(\d{{1,2}})\. ?{_YEAR}", _advise_dotted_date),
    Rule(_DAY_COLUMNS, rf"{_SAME_SEPARATOR}(\d{{1,2}})[/-]({_NO_MONTH})\1{_YEAR}", _advise_month_first),
    Rule(_DAY_COLUMNS, rf"{_SAME_SEPARATOR}({_NO_MONTH})[/-](\d{{1,2}})\1{_YEAR}", _advise_day_first),
    Rule(
        _DAY_COLUMNS,
        rf"{_SAME_SEPARATOR}{_MONTH}[/-]{_MONTH}\1{_YEAR}",
        constant_advice(f"day and month are ambiguous: {_DAY_FORM}; {AS_TEXT}"),
    ),
    Rule(_DAY_COLUMNS, r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})\.?", _advise_year_first),
    Rule(_DAY_COLUMNS, r"(\d{4})-(\d{1,2})-(\d{1,2})", _advise_year_first),
    Rule(_DAY_COLUMNS, r"[1-9]\d{4}", _advise_serial_date),
    Rule(_DAY_COLUMNS, r"(\d{4}-\d{2}-\d{2})[T ].+", lambda found: f"write the day alone: {found.group(1)}"),
    Rule(
        _DAY_COLUMNS,
        rf"\d{{1,2}}[-./ ]+{MONTH}[-./, ]+\d{{2,4}}|{MONTH}[-./ ]+\d{{1,2}}[-./, ]+\d{{2,4}}",
        constant_advice(f"write the month as a number, too: {_DAY_FORM}; {AS_TEXT}"),
    ),
    Rule(
        _DAY_COLUMNS,
        rf"{MONTH}[-./ ]+\d{{2,4}}|\d{{1,2}}[-./ ]+{MONTH}",
        constant_advice(f"a spreadsheet shows a part of the day only: {_DAY_FORM}; {AS_TEXT}"),
    ),
)
"""Rules for the columns of days."""


_PRICE_COLUMNS = frozenset({"price"})

_CURRENCY = r"(?:[A-Z]{3}|[A-Z]{0,2}[$€£¥₹₩₺₽₫₱₦₴₪฿]|[Kk]r\.?|zł|Kč|Ft|lei|Fr\.?)"
"""A currency as people write it next to a number: its code, its sign, or a local abbreviation."""


def _advise_decimal_comma(match: re.Match[str]) -> str:
    whole, places = match.groups()
    if len(places) == 3 and re.fullmatch(r"[1-9]\d{0,2}", whole):
        return f"write {whole}.{places} where the comma is a decimal one, {whole}{places} where it is not"
    return f"write the decimal comma as a point: {whole}.{places}"


def _advise_thousands(match: re.Match[str]) -> str:
    whole, places = re.sub(r"\D", "", match.group(1)), match.group(3)
    return f"write no mark between thousands, and a decimal point: {whole}{f'.{places}' if places else ''}"


_DATE = rf"(?:\d{{1,2}}[-./ ]+)?{MONTH}(?:[-./, ]+\d{{1,4}})?|\d{{1,4}}([./-])\d{{1,2}}\1\d{{2,4}}\.?"
"""A number that a spreadsheet took for a day or a month."""

PRICE_RULES = (
    Rule(
        _PRICE_COLUMNS,
        _DATE,
        constant_advice(
            f"a spreadsheet took the price for a date: write it again, such as 0.0790; {AS_TEXT}"
        ),
    ),
    Rule(_PRICE_COLUMNS, r"'+(\d[\d.]*)", lambda found: f"remove the ' before it: {found.group(1)}"),
    Rule(
        _PRICE_COLUMNS,
        r"'*[-−]\s?\d[\d.,]*|\(\d[\d.,]*\)",
        constant_advice("a price is not below 0: write what is paid, without a sign"),
    ),
    Rule(_PRICE_COLUMNS, r"\.\d{1,8}", lambda found: f"write a digit before the point: 0{found.group()}"),
    Rule(_PRICE_COLUMNS, r"(\d{1,9}),(\d{1,8})", _advise_decimal_comma),
    Rule(_PRICE_COLUMNS, r"(\d{1,3}(?:([.'’\s])\d{3})+),(\d{1,8})", _advise_thousands),
    Rule(_PRICE_COLUMNS, r"(\d{1,3}(?:([,'’\s])\d{3})+)(?:\.(\d{1,8}))?", _advise_thousands),
    Rule(
        _PRICE_COLUMNS,
        rf"{_CURRENCY}\s?[\d.,]+|[\d.,]+\s?{_CURRENCY}",
        constant_advice("write digits alone: the currency has a column"),
    ),
)
"""Rules for the column of prices."""


def _number_rules(columns: frozenset[str]) -> tuple[Rule, ...]:
    """Return the rules for numbers that the rate book declares: they have one form, without zeros that say nothing."""
    return (
        Rule(
            columns,
            _DATE,
            constant_advice(f"a spreadsheet took the number for a date: write it again; {AS_TEXT}"),
        ),
        Rule(columns, r"(\d{1,9}),(\d{1,8})", _advise_decimal_comma_of_number),
        Rule(columns, r"\.\d+", lambda found: f"write a digit before the point: 0{found.group()}"),
        Rule(
            columns,
            r"(\d+(?:[.,]\d+)?)\s*[^\W\d_]{1,6}\.?",
            lambda found: f"write the number alone: {_plain_number(found.group(1))}",
        ),
        Rule(columns, r"\+?(\d+\.?\d*)", _advise_zeros_of_number),
    )


def _plain_number(text: str) -> str:
    """Return a number with a point and without zeros at its beginning and end."""
    whole, _, places = text.replace(",", ".").partition(".")
    places = places.rstrip("0")
    return f"{whole.lstrip('0') or '0'}{f'.{places}' if places else ''}"


def _advise_decimal_comma_of_number(match: re.Match[str]) -> str:
    whole, places = match.groups()
    plain = _plain_number(match.group())
    if len(places) == 3 and re.fullmatch(r"[1-9]\d{0,2}", whole):
        return f"write {plain} where the comma is a decimal one, {whole}{places} where it is not"
    return f"write the decimal comma as a point: {plain}"


def _advise_zeros_of_number(match: re.Match[str]) -> str:
    plain = _plain_number(match.group(1))
    return f"write it without needless zeros and signs: {plain}" if plain != match.group() else ""


class Advice(NamedTuple):
    """What to do about a value, and the cause, which is the same for similar values of a column."""

    cause: str
    text: str


_UNREADABLE = re.compile(r"[\x00-\x1f\x7f-\x9f]|.{81}")
"""Text that is not repeated on a terminal: control characters, and more than any short value has."""


def advice(column: str, value: str, book: Book) -> Advice | None:
    """Return the advice for a value that does not fit its column, or None if there is none."""
    if _UNREADABLE.search(value.strip()):
        return None
    if value != value.strip():
        return Advice("blanks", f"remove the blanks around it: {value.strip()}")
    for rule in _rules(book):
        match = re.fullmatch(rule.pattern, value)
        if match and column in rule.columns and (text := rule.advise(match)):
            return Advice(rule.pattern, text)
    return _advise_spelling(column, value, book)


def _advise_spelling(column: str, value: str, book: Book) -> Advice | None:
    """Return how to spell a value of a closed set that differs only in its form."""
    word = re.sub(r"[\s-]+", "_", value.lower())
    if word == value or word not in _values_by_column(book).get(column, ()):
        return None
    underscores = ", with underscores" if word != value.lower() else ""
    return Advice("form of a word", f"write it in small letters{underscores}: {word}")


_PRICE = frozenset({"price"})
_TRUE = frozenset({"true", "wahr", "vrai", "1", "y", "yes", "ja", "oui", "sí", "si"})


@lru_cache(maxsize=4)
def _values_by_column(book: Book) -> Mapping[str, frozenset[str]]:
    """Return the values of the columns with closed sets."""
    fields = (*book.fields, *book.coverage.fields)
    return {
        **{
            field.name: frozenset(choice.key for choice in field.choices) for field in fields if field.choices
        },
        "product": frozenset(book.product),
        "unit": frozenset(book.unit),
        "billing_terms": frozenset(book.billing_terms),
        "channel": frozenset(book.channel),
        "support": frozenset(Support),
        "registration": frozenset(book.scheme),
        "status": frozenset(State),
    }


def _scalar_columns(fields: Iterable[Field]) -> Iterator[tuple[str, Scalar]]:
    """Yield the columns of declared fields that hold one kind of text, also in lists, with its form."""
    for field in fields:
        match field.form:
            case ListForm(item=item):
                yield field.name, item
            case GroupForm() as group:
                yield from ((part.name, part.form) for part in group.code)
            case StepsForm():
                pass
            case form:
                yield field.name, form


def _advise_id(match: re.Match[str]) -> str:
    name = re.sub(r"[^a-z0-9]+", "-", match.group().lower()).strip("-")
    return f"an id has small letters, digits and single hyphens, nothing else: write {name}" if name else ""


@lru_cache(maxsize=4)
def _rules(book: Book) -> tuple[Rule, ...]:
    """Return the rules for the columns of a book. The first one that matches and has advice counts."""
    fields = (*book.fields, *book.coverage.fields)
    every = frozenset(column.name for kind in Kind for column in columns_of(kind, book))
    forms = {name: form for name, form in _scalar_columns(fields) if isinstance(form, DigitsForm)}
    digits = frozenset({*forms, "version", "registration_days"})
    numbers = frozenset(name for name, form in _scalar_columns(fields) if isinstance(form, NumberForm))
    return (
        Rule(every, r"=.+", constant_advice("this is a formula: write the value that it gives")),
        Rule(
            every,
            r"#[A-ZÄÖÜ/ÇÉ]+[!?]?",
            constant_advice("a formula failed in the spreadsheet: write the value"),
        ),
        *DAY_RULES,
        Rule(
            _PRICE | digits | numbers,
            r"[-+]?\d+(?:[.,]\d+)?[eE][-+]?\d+",
            constant_advice(f"a spreadsheet shortened the number: write all its digits; {AS_TEXT}"),
        ),
        *PRICE_RULES,
        *_number_rules(numbers),
        *(
            _leading_zeros_rule(name, form)
            for name, form in forms.items()
            if form.leading_zeros and form.least > 1 and form.most - form.least < 2
        ),
        Rule(
            digits,
            r"\+(\d+)|00([1-9]\d*)|(\d+)[.]0+",
            lambda found: f"write the digits alone: {next(part for part in found.groups() if part)}",
        ),
        *(
            Rule(
                frozenset({field.name}),
                r".*(?:[A-Za-z]{3}|\d[-.]\d|/.*/).*|[1-9]\d{4}",
                constant_advice(f"a spreadsheet took it for a date: {field.write}; {AS_TEXT}"),
            )
            for field in fields
            if isinstance(field.form, StepsForm)
        ),
        Rule(
            frozenset({"sample", *(feature.key for feature in book.coverage.features)}),
            r"(?i:true|false|wahr|falsch|vrai|faux|1|0|y|n|yes|no|ja|nein|oui|non|sí|si|nee|nej|nei)",
            lambda found: f"write {'yes' if found.group().lower() in _TRUE else 'no'}",
        ),
        Rule(
            frozenset({"country"}),
            r"(?i:[a-z]{2})",
            lambda found: (
                f"write it in capitals: {found.group().upper()}"
                if found.group().upper() in country_names()
                else country_help(found.group())
            ),
        ),
        Rule(frozenset({"country"}), r"\D{3,}", lambda found: country_help(found.group())),
        Rule(
            frozenset({"currency"}),
            r"(?i:[a-z]{3})",
            lambda found: f"write it in capitals: {found.group().upper()}",
        ),
        Rule(frozenset({"id"}), r"[A-Za-z0-9][A-Za-z0-9_. -]*", _advise_id),
    )


def _leading_zeros_rule(column: str, form: DigitsForm) -> Rule:
    """Return the rule for digits of a fixed length whose leading zeros a spreadsheet removed."""
    lengths = range(form.least, form.most + 1)
    lost_zeros = "a zero" if len(lengths) == 1 else "zeros"

    def advise(match: re.Match[str]) -> str:
        padded = " or ".join(match.group().rjust(length, "0") for length in lengths)
        return f"a spreadsheet took {lost_zeros} away: write {padded}; {AS_TEXT}"

    return Rule(frozenset({column}), rf"\d{{1,{form.least - 1}}}", advise)
