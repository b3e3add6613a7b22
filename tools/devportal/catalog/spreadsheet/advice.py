"""What to do about values that spreadsheets make of what somebody typed: dates, numbers and lost zeros."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from devportal.catalog.audit.lifecycle import State
from devportal.catalog.book.book import Book, DigitsForm, Field, GroupForm, ListForm, Scalar, StepsForm
from devportal.catalog.records.coverage import Support
from devportal.catalog.records.ref import Kind
from devportal.catalog.spreadsheet.columns import columns_of
from devportal.catalog.spreadsheet.days import DAY_RULES
from devportal.catalog.spreadsheet.prices import PRICE_RULES
from devportal.catalog.spreadsheet.rule import AS_TEXT, Rule, always


class Advice(NamedTuple):
    """What to do about a value, and the habit that spoilt it: the same for all values of a column alike."""

    habit: str
    words: str


_UNREADABLE = re.compile(r"[\x00-\x1f\x7f-\x9f]|.{81}")
"""What is not repeated on a terminal: control characters, and more than any short value has."""


def advice(column: str, value: str, book: Book) -> Advice | None:
    """Return what to do about a value that does not fit its column, or None where that is not known."""
    if _UNREADABLE.search(value.strip()):
        return None
    if value != value.strip():
        return Advice("blanks", f"remove the blanks around it: {value.strip()}")
    for rule in _rules(book):
        found = re.fullmatch(rule.pattern, value)
        if found and column in rule.columns and (words := rule.say(found)):
            return Advice(rule.pattern, words)
    return _as_written(column, value, book)


def _as_written(column: str, value: str, book: Book) -> Advice | None:
    """Return how a value of a column that has few is written, where it is one of them but for its form."""
    word = re.sub(r"[\s-]+", "_", value.lower())
    if word == value or word not in _choices(book).get(column, ()):
        return None
    underscores = ", with underscores" if word != value.lower() else ""
    return Advice("form of a word", f"write it in small letters{underscores}: {word}")


_PRICE = frozenset({"price"})
_TRUE = frozenset({"true", "wahr", "vrai", "1", "y", "yes", "ja", "oui", "sí", "si"})


@lru_cache(maxsize=4)
def _choices(book: Book) -> Mapping[str, frozenset[str]]:
    """Return the values of the columns that have few."""
    fields = (*book.fields, *book.coverage.fields)
    return {
        **{one.name: frozenset(choice.key for choice in one.choices) for one in fields if one.choices},
        "product": frozenset(book.product),
        "unit": frozenset(book.unit),
        "billing_terms": frozenset(book.billing_terms),
        "channel": frozenset(book.channel),
        "support": frozenset(Support),
        "registration": frozenset(book.scheme),
        "status": frozenset(State),
    }


def _scalars(fields: Iterable[Field]) -> Iterator[tuple[str, Scalar]]:
    """Yield the columns of declared fields that hold one kind of text, in lists too, with its form."""
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


def _with_hyphens(found: re.Match[str]) -> str:
    name = re.sub(r"[^a-z0-9]+", "-", found.group().lower()).strip("-")
    return f"an id has small letters, digits and single hyphens, nothing else: write {name}" if name else ""


@lru_cache(maxsize=4)
def _rules(book: Book) -> tuple[Rule, ...]:
    """Return the rules for the columns of a book: the first that fits and has something to say counts."""
    fields = (*book.fields, *book.coverage.fields)
    every = frozenset(column.name for kind in Kind for column in columns_of(kind, book))
    forms = {name: form for name, form in _scalars(fields) if isinstance(form, DigitsForm)}
    digits = frozenset({*forms, "version", "registration_days"})
    return (
        Rule(every, r"=.+", always("this is a formula: write the value that it gives")),
        Rule(every, r"#[A-ZÄÖÜ/ÇÉ]+[!?]?", always("a formula failed in the spreadsheet: write the value")),
        *DAY_RULES,
        Rule(
            _PRICE | digits,
            r"[-+]?\d+(?:[.,]\d+)?[eE][-+]?\d+",
            always(f"a spreadsheet shortened the number: write all its digits; {AS_TEXT}"),
        ),
        *PRICE_RULES,
        *(
            _with_zeros(name, form)
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
                frozenset({one.name}),
                r".*(?:[A-Za-z]{3}|\d[-.]\d|/.*/).*|[1-9]\d{4}",
                always(f"a spreadsheet took it for a date: {one.write}; {AS_TEXT}"),
            )
            for one in fields
            if isinstance(one.form, StepsForm)
        ),
        Rule(
            frozenset({"sample", *(one.key for one in book.coverage.features)}),
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


def _with_zeros(column: str, form: DigitsForm) -> Rule:
    """Return the rule for digits of a set length whose zeros a spreadsheet took away."""
    lengths = range(form.least, form.most + 1)
    what = "a zero" if len(lengths) == 1 else "zeros"

    def say(found: re.Match[str]) -> str:
        padded = " or ".join(found.group().rjust(length, "0") for length in lengths)
        return f"a spreadsheet took {what} away: write {padded}; {AS_TEXT}"

    return Rule(frozenset({column}), rf"\d{{1,{form.least - 1}}}", say)
