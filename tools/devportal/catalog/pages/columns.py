"""The columns of the public files: name, meaning and value, one row each. A new column is a new row.

The columns of declared fields are between those that every project has.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeAlias, TypeVar, cast

from devportal.catalog.book.book import Book, Feature, Field
from devportal.catalog.publication import PublishedCoverage, PublishedRate
from devportal.catalog.records.json_schemas import or_list
from devportal.translation import cached_words, gettext, join_words

Cell: TypeAlias = str | int | bool | tuple[str, ...] | None
"""A value of a public file; None is an empty cell, and `null` in JSON."""

PublishedT = TypeVar("PublishedT", PublishedRate, PublishedCoverage)
"""The rows of a public file: only what the publication gate returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column(Generic[PublishedT]):
    """One column: its name in the files, its meaning in one sentence, and its value for a row.

    All values of a column that are not None have the same type.
    """

    name: str
    meaning: str
    value: Callable[[PublishedT], Cell]


def _rate_column(name: str, meaning: str, value: Callable[[PublishedRate], Cell]) -> Column[PublishedRate]:
    return Column(name=name, meaning=meaning, value=value)


def _coverage_column(
    name: str, meaning: str, value: Callable[[PublishedCoverage], Cell]
) -> Column[PublishedCoverage]:
    return Column(name=name, meaning=meaning, value=value)


def _or_list(words: Iterable[str]) -> str:
    return join_words(words, english=or_list, style="or")


def row_id(row: PublishedRate | PublishedCoverage) -> str:
    """Return the id of a row, which stays the same while its version is public."""
    return f"{row.terms.id}@{row.terms.version}"


def _declared_value_reader(name: str, none: Cell) -> Callable[[PublishedRate | PublishedCoverage], Cell]:
    """Return a reader of the value of a field that is not a group."""
    return lambda row: cast("Cell", row.terms.declared.get(name)) or none


def _part_value(row: PublishedRate | PublishedCoverage, *, name: str, part: str) -> Cell:
    group = row.terms.declared.get(name)
    return None if group is None or isinstance(group, str | tuple) else group[part]


def _declared_columns(
    fields: tuple[Field, ...],
) -> Iterator[tuple[str, str, Callable[[PublishedRate | PublishedCoverage], Cell]]]:
    """Yield name, meaning and value of the columns of declared fields: one for each part of a group."""
    for field in fields:
        if group := field.group:
            for part in group.parts:
                name = field.name if part is group.name else part.name
                yield name, part.meaning, partial(_part_value, name=field.name, part=part.name)
        else:
            none = None if field.is_text else ()
            yield field.name, field.meaning, _declared_value_reader(field.name, none)


@cached_words(4)
def rate_columns(book: Book) -> tuple[Column[PublishedRate], ...]:
    """Return the columns of the public files of rates, in order; those of declared fields are as the book has them."""
    market, names = str(book.markets.kind), book.markets.names
    headline = (book.headline,) if book.headline else ()
    others = tuple(field for field in book.before_price if field is not book.headline)
    return (
        _rate_column(
            "row_id",
            gettext("The rate and its version; stays the same while the version is published."),
            row_id,
        ),
        _rate_column(
            "product",
            gettext("What is sold: %(keys)s.", keys=_or_list(book.product)),
            lambda row: row.terms.product.key,
        ),
        *(_rate_column(*column) for column in _declared_columns(headline)),
        _rate_column(
            market,
            _market_meaning(book),
            lambda row: row.terms.market,
        ),
        _rate_column(f"{market}_name", _name_meaning(book), lambda row: names[row.terms.market]),
        *(_rate_column(*column) for column in _declared_columns(others)),
        _rate_column(
            "unit",
            gettext("What one price pays for: %(keys)s.", keys=_or_list(book.unit)),
            lambda row: row.terms.unit.key,
        ),
        _rate_column(
            "price",
            gettext("Price of one unit as a decimal number, with all its digits."),
            lambda row: format(row.terms.price, "f"),
        ),
        _rate_column(
            "currency", gettext("Currency of the price, ISO 4217 code."), lambda row: row.terms.currency
        ),
        *(_rate_column(*column) for column in _declared_columns(book.after_price)),
        *_billing_terms_column(book),
        _rate_column(
            "effective_from",
            gettext("First day on which the price is in force."),
            lambda row: row.terms.effective_from.isoformat(),
        ),
        _rate_column(
            "effective_to",
            gettext("First day on which the price is no longer in force; empty if no end is set."),
            lambda row: row.terms.effective_to.isoformat() if row.terms.effective_to else None,
        ),
        _rate_column(
            "version",
            gettext("Version of the rate; a change makes a new one."),
            lambda row: row.terms.version,
        ),
        _rate_column(
            "approved_on",
            gettext("Day on which this version was approved."),
            lambda row: row.approved_on.isoformat(),
        ),
        _rate_column(
            "sample",
            gettext("Whether the row is sample data, which is not an offer."),
            lambda row: row.terms.sample,
        ),
        _rate_column(
            "content_sha256",
            gettext("SHA-256 of the content that was approved."),
            lambda row: row.content_sha256,
        ),
    )


def _market_meaning(book: Book) -> str:
    return (
        gettext("%(market)s that the row is for.", market=book.markets.title)
        if book.markets.zones
        else gettext("Market, ISO 3166-1 alpha-2 code.")
    )


def _name_meaning(book: Book) -> str:
    if book.markets.zones:
        return gettext("The %(market)s's name.", market=book.markets.noun)
    return gettext("The country's English name.")


def _billing_terms_column(book: Book) -> Iterator[Column[PublishedRate]]:
    if book.billing_terms:
        several = gettext("both") if len(book.billing_terms) == 2 else gettext("several")
        words = _or_list(
            (*book.billing_terms, several) if len(book.billing_terms) > 1 else book.billing_terms
        )
        yield _rate_column(
            "billing_terms",
            gettext("How the price can be paid: %(words)s.", words=words),
            lambda row: row.terms.offered_billing_terms(book),
        )


def _feature_column(feature: Feature) -> Column[PublishedCoverage]:
    def value(row: PublishedCoverage) -> Cell:
        return str(row.terms.features[feature.key]) if row.terms.features else None

    return _coverage_column(
        feature.key,
        gettext("%(feature)s: yes, no, or unknown if it is not stated.", feature=feature.title),
        value,
    )


@cached_words(4)
def coverage_columns(book: Book) -> tuple[Column[PublishedCoverage], ...]:
    """Return the columns of coverage records."""
    market, names, coverage = str(book.markets.kind), book.markets.names, book.coverage
    return (
        _coverage_column(
            "row_id",
            gettext("The record and its version; stays the same while the version is published."),
            row_id,
        ),
        _coverage_column(
            market,
            _market_meaning(book),
            lambda row: row.terms.market,
        ),
        _coverage_column(f"{market}_name", _name_meaning(book), lambda row: names[row.terms.market]),
        *(_coverage_column(*column) for column in _declared_columns(coverage.market_fields)),
        _coverage_column(
            "channel",
            gettext("What reaches the market: %(keys)s.", keys=_or_list(book.channel)),
            lambda row: row.terms.channel.key,
        ),
        _coverage_column(
            "support",
            gettext("full, or limited if restrictions apply. A market that is not served is not listed."),
            lambda row: row.terms.support,
        ),
        *(_coverage_column(*column) for column in _declared_columns(coverage.other_fields)),
        *map(_feature_column, coverage.features),
        *_registration_columns(book),
        _coverage_column(
            "restrictions",
            gettext("What %(registrant)s must observe.", registrant=gettext(coverage.registrant)),
            lambda row: row.terms.restrictions,
        ),
        _coverage_column(
            "reviewed_on", gettext("Day of the last review."), lambda row: row.terms.reviewed_on.isoformat()
        ),
        _coverage_column(
            "effective_from",
            gettext("First day on which the record is in force."),
            lambda row: row.terms.effective_from.isoformat(),
        ),
        _coverage_column(
            "effective_to",
            gettext("First day on which the record is no longer in force; empty if no end is set."),
            lambda row: row.terms.effective_to.isoformat() if row.terms.effective_to else None,
        ),
        _coverage_column(
            "version",
            gettext("Version of the record; a change makes a new one."),
            lambda row: row.terms.version,
        ),
        _coverage_column(
            "approved_on",
            gettext("Day on which this version was approved."),
            lambda row: row.approved_on.isoformat(),
        ),
        _coverage_column("sample", gettext("Whether the row is sample data."), lambda row: row.terms.sample),
        _coverage_column(
            "content_sha256",
            gettext("SHA-256 of the content that was approved."),
            lambda row: row.content_sha256,
        ),
    )


def _registration_columns(book: Book) -> Iterator[Column[PublishedCoverage]]:
    if book.coverage.schemes:
        yield _coverage_column(
            "registration",
            gettext(
                "What %(registrant)s registers first: %(keys)s.",
                registrant=gettext(book.coverage.registrant),
                keys=_or_list(book.scheme),
            ),
            lambda row: row.terms.registration.scheme.key if row.terms.registration else None,
        )
        yield _coverage_column(
            "registration_days",
            gettext("Usual calendar days until the registration is complete; empty if none is stated."),
            lambda row: row.terms.registration.lead_time_days if row.terms.registration else None,
        )
