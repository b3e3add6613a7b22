"""The private values: what only unpublished records hold, so that no file of a site may contain it.

They follow from the records, their log and what the publication gate lets through. No file is read here.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from itertools import chain

from devportal.catalog import AuditLog, CoverageVersion, Published, RateVersion, Records
from devportal.catalog.book.book import Book, Field, GroupForm, Product, group_code
from devportal.catalog.pages.addresses import sheet_name
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.version_ref import RecordRef
from devportal.site.leaks.words import Words, identifying_phrases, join_words, words_of

PhraseFilter = Callable[[Iterable[Words]], frozenset[Words]]
"""Returns those of some phrases that a text contains."""
_HASH_LENGTH = 12
"""How many digits of a hash identify it; messages show as many."""


class ValueKind(StrEnum):
    """The kinds of private values; the value is the word in messages."""

    IDENTIFIER = "identifier"
    VERSION = "version"
    CONTENT = "content hash"
    PRICE = "price"
    CODES = "code"
    NAME = "name"
    NOTE = "note"
    RESTRICTION = "restriction"
    REASON = "reason"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateValue:
    """One value, the only version that holds it, and the market of that version."""

    kind: ValueKind
    ref: RecordRef
    market: str
    text: str
    """An identifier or a hash; else the value as messages show it."""
    words: Words = ()
    """The words of a phrase."""
    price: Decimal = field(default=Decimal(0))
    currency: str = ""
    group: Field | None = None
    """The field that a name or a code is of."""
    code: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Return the kind in words: `price`; for a group `depot` or `depot code`."""
        if self.group is None:
            return str(self.kind)
        return self.group.title.lower() + (" code" if self.kind is ValueKind.CODES else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicValues:
    """The values of public records. A value among them is not a leak."""

    ids: frozenset[str] = frozenset()
    """Identifiers, identifiers with versions in both forms, `ID@VERSION` and `ID-VERSION`, and names of files that may
    contain an identifier of another record.
    """
    prices: frozenset[tuple[str, Decimal]] = frozenset()
    """Market and price, which may end in zeros: it is equal to what `normalize_price` returns."""
    amounts: frozenset[tuple[Decimal, str]] = frozenset()
    """Price and currency, of any market."""
    codes: frozenset[tuple[str, tuple[str, ...]]] = frozenset()
    """The name of a field and the code of a group."""
    names: frozenset[Words] = frozenset()
    """The names of groups."""
    texts: str = ""
    """All restrictions, as joined words."""
    hashes: frozenset[str] = frozenset()
    refs: frozenset[RecordRef] = frozenset()
    """The versions that are public, or may be shown in a history."""


def normalize_price(price: Decimal) -> Decimal:
    """Return a price without zeros at its end: `0.42420` and `0.4242` are the same price."""
    return price.normalize()


def collect_public_values(public: Published) -> PublicValues:
    """Return the values of public versions and of the versions they replaced, which a history may show."""
    rates = [
        *(rate.terms for rate in public.rates),
        *(replaced_rate.terms for replaced_rate in public.replaced_rates),
    ]
    coverage = [
        *(covered.terms for covered in public.coverage),
        *(replaced_coverage.terms for replaced_coverage in public.replaced_coverage),
    ]
    groups = {
        (group.name, name, code) for terms in rates for group, name, code in groups_of(terms, public.book)
    }
    refs = _public_refs(public)
    return PublicValues(
        ids=frozenset(
            chain(
                (form for ref in refs for form in (ref.id, f"{ref.id}@{ref.version}", _hyphenated_ref(ref))),
                (sheet_name(market, product) for (market, _), product in _sold_products(rates).items()),
            )
        ),
        prices=frozenset((terms.market, terms.price) for terms in rates),
        amounts=frozenset((terms.price, terms.currency) for terms in rates),
        codes=frozenset((field_name, code) for field_name, _, code in groups),
        names=frozenset(map(words_of, {name for _, name, _ in groups})),
        texts=join_words(words_of(" / ".join(text for terms in coverage for text in terms.restrictions))),
        hashes=frozenset(
            (
                *(row.content_sha256 for row in public.rates),
                *(row.content_sha256 for row in public.coverage),
                *(row.content_sha256 for row in public.replaced_rates),
                *(row.content_sha256 for row in public.replaced_coverage),
            )
        ),
        refs=refs,
    )


def _sold_products(rates: Iterable[RateTerms]) -> dict[tuple[str, str], Product]:
    """Return each product that has a rate in a market, by the keys of both."""
    return {(terms.market, terms.product.key): terms.product for terms in rates}


def groups_of(terms: RateTerms, book: Book) -> Iterator[tuple[Field, str, tuple[str, ...]]]:
    """Yield the groups that a rate has: the field, the name, and the code."""
    for group in book.groups:
        value = terms.declared.get(group.name)
        if value is not None and isinstance(group.form, GroupForm):
            yield group, group.display_value(value), group_code(group.form, value)


def find_private_values(
    records: Records,
    audit: AuditLog,
    public: Published,
    *,
    phrases_in_sources: PhraseFilter | None = None,
    public_values: PublicValues | None = None,
) -> tuple[PrivateValue, ...]:
    """Return the private values, each once. `public_values` are those of `public`, if they are known already.

    `phrases_in_sources` finds phrases in the project's hand-written pages and contract. A restriction or a
    reason that is there is public. Identifiers, prices, groups and notes never are.
    """
    public_values = public_values or collect_public_values(public)
    private = [version for version in records.all() if version.ref not in public_values.refs]
    values = [
        *_identifiers(private, public_values),
        *_hashes(audit, records, public_values),
        *_prices(private, public_values),
        *_codes(private, records.book, public_values),
        *_names(private, records.book, public_values),
        *_notes(records, public_values),
    ]
    free_texts = [
        *_restrictions(private, public_values),
        *_reasons(audit, records, public_values),
    ]
    published_phrases = (
        phrases_in_sources(free_text.words for free_text in free_texts)
        if phrases_in_sources
        else frozenset[Words]()
    )
    values += (free_text for free_text in free_texts if free_text.words not in published_phrases)
    return tuple(_unique_values(values))


def without_public_entries(audit: AuditLog, public: Published) -> AuditLog:
    """Return a log with what `find_private_values` reads of it: in a large catalog most versions are public.

    It has all entries of versions that are not public, and one for each reason of those that are.
    """
    refs = _public_refs(public)
    seen: set[str] = set()
    entries = []
    for entry in audit.entries:
        if entry.record not in refs or entry.reason not in seen:
            entries.append(entry)
        if entry.record in refs:
            seen.add(entry.reason)
    return replace(audit, entries=tuple(entries))


def _public_refs(public: Published) -> frozenset[RecordRef]:
    """Return the versions that are public, or may be shown in a history."""
    return frozenset(
        chain(
            (row.terms.ref for row in public.rates),
            (row.terms.ref for row in public.replaced_rates),
            (row.terms.ref for row in public.coverage),
            (row.terms.ref for row in public.replaced_coverage),
        )
    )


def _unique_values(values: Iterable[PrivateValue]) -> Iterator[PrivateValue]:
    """Yield each value of each market once, for the first version that holds it."""
    seen: set[object] = set()
    for value in values:
        key = (value.kind, value.market if value.kind is ValueKind.PRICE else "", value.words or value.text)
        if key not in seen:
            seen.add(key)
            yield value


def _hyphenated_ref(ref: RecordRef) -> str:
    return f"{ref.id}-{ref.version}"


def _value_of_version(
    version: RateVersion | CoverageVersion, kind: ValueKind, text: str, words: Words = ()
) -> PrivateValue:
    market = version.terms.market
    return PrivateValue(kind=kind, ref=version.ref, market=market, text=text, words=words)


def _identifiers(
    private: Iterable[RateVersion | CoverageVersion], public_values: PublicValues
) -> Iterator[PrivateValue]:
    """Yield identifiers, and identifiers with versions.

    An identifier of a single word, such as `norway`, occurs in any text: it counts only with its version.
    """
    for version in private:
        ref = version.ref
        if ref.id not in public_values.ids and "-" in ref.id:
            yield _value_of_version(version, ValueKind.IDENTIFIER, ref.id)
        else:
            yield _value_of_version(version, ValueKind.VERSION, f"{ref.id}@{ref.version}")
            if _hyphenated_ref(ref) not in public_values.ids:
                yield _value_of_version(version, ValueKind.VERSION, _hyphenated_ref(ref))


def _hashes(audit: AuditLog, records: Records, public_values: PublicValues) -> Iterator[PrivateValue]:
    """Yield the hashes of content that is not public: a price can be guessed from its hash."""
    markets = {version.ref: version.terms.market for version in records.all()}
    for entry in audit.entries:
        if entry.record not in public_values.refs and entry.content_sha256 not in public_values.hashes:
            yield PrivateValue(
                kind=ValueKind.CONTENT,
                ref=entry.record,
                market=markets.get(entry.record, ""),
                text=entry.content_sha256[:_HASH_LENGTH],
            )


def _prices(
    private: Iterable[RateVersion | CoverageVersion], public_values: PublicValues
) -> Iterator[PrivateValue]:
    for version in private:
        terms = version.terms
        if (
            isinstance(terms, RateTerms)
            and (terms.market, normalize_price(terms.price)) not in public_values.prices
        ):
            yield PrivateValue(
                kind=ValueKind.PRICE,
                ref=version.ref,
                market=terms.market,
                text=f"{terms.price:f} {terms.currency}",
                price=normalize_price(terms.price),
                currency=terms.currency,
            )


def _codes(
    private: Iterable[RateVersion | CoverageVersion], book: Book, public_values: PublicValues
) -> Iterator[PrivateValue]:
    for version, group, _, code in _groups(private, book):
        if (group.name, code) not in public_values.codes:
            yield PrivateValue(
                kind=ValueKind.CODES,
                ref=version.ref,
                market=version.terms.market,
                text="-".join(code),
                group=group,
                code=code,
            )


def _names(
    private: Iterable[RateVersion | CoverageVersion], book: Book, public_values: PublicValues
) -> Iterator[PrivateValue]:
    for version, group, name, _ in _groups(private, book):
        words = words_of(name)
        if words and words not in public_values.names:
            yield PrivateValue(
                kind=ValueKind.NAME,
                ref=version.ref,
                market=version.terms.market,
                text=name,
                words=words,
                group=group,
            )


def _groups(
    versions: Iterable[RateVersion | CoverageVersion], book: Book
) -> Iterator[tuple[RateVersion | CoverageVersion, Field, str, tuple[str, ...]]]:
    for version in versions:
        if isinstance(version.terms, RateTerms):
            for group, name, code in groups_of(version.terms, book):
                yield version, group, name, code


def _restrictions(
    private: Iterable[RateVersion | CoverageVersion], public_values: PublicValues
) -> Iterator[PrivateValue]:
    for version in private:
        if isinstance(version.terms, CoverageTerms):
            for text in version.terms.restrictions:
                yield from _phrases(version, ValueKind.RESTRICTION, text, public_values)


def _notes(records: Records, public_values: PublicValues) -> Iterator[PrivateValue]:
    """Yield the notes of all versions: a note is never published."""
    for version in records.all():
        yield from _phrases(version, ValueKind.NOTE, version.note, public_values)


def _phrases(
    version: RateVersion | CoverageVersion, kind: ValueKind, text: str, public_values: PublicValues
) -> Iterator[PrivateValue]:
    for words in identifying_phrases(text):
        if join_words(words) not in public_values.texts:
            yield _value_of_version(version, kind, text, words)


def _reasons(audit: AuditLog, records: Records, public_values: PublicValues) -> Iterator[PrivateValue]:
    """Yield the reasons in the log for versions that are not public.

    A reason that public versions share, such as `Prices of the second quarter`, identifies no version. Three
    words or fewer are a formula: `Sample record`.
    """
    public_reasons = {entry.reason for entry in audit.entries if entry.record in public_values.refs}
    markets = {version.ref: version.terms.market for version in records.all()}
    for entry in audit.entries:
        if entry.reason and entry.reason not in public_reasons and len(words_of(entry.reason)) > 3:
            for words in identifying_phrases(entry.reason):
                if join_words(words) not in public_values.texts:
                    yield PrivateValue(
                        kind=ValueKind.REASON,
                        ref=entry.record,
                        market=markets.get(entry.record, ""),
                        text=entry.reason,
                        words=words,
                    )
