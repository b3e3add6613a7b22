"""What only records hold that are not public: the needles that no file of a site may have.

Pure: records, their log and what the gate lets through give the needles. Nothing here reads a file.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from devportal.catalog import AuditLog, CoverageVersion, Published, RateVersion, Records
from devportal.catalog.book.book import Book, Field, GroupForm, code_of
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.version_ref import RecordRef
from devportal.site.leaks.words import Words, join_words, pieces_of, words_of

Said = Callable[[Iterable[Words]], frozenset[Words]]
"""Which of some phrases a text says."""
_HASH_LENGTH = 12
"""How many digits of a hash are enough to know it by; messages of ours show as many."""


class Secret(StrEnum):
    """The kinds of what is searched for, by the words that messages use."""

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
class Needle:
    """One value, the version that alone holds it, and the market of that version."""

    secret: Secret
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
    def what(self) -> str:
        """Return what it is, in words: `price`; of a group `depot` or `depot code`."""
        if self.group is None:
            return str(self.secret)
        return self.group.title.lower() + (" code" if self.secret is Secret.CODES else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What public records say: a value that is among it is no leak."""

    ids: frozenset[str] = frozenset()
    """Identifiers, and identifiers with versions in both forms: `ID@VERSION` and `ID-VERSION`."""
    prices: frozenset[tuple[str, Decimal]] = frozenset()
    """Market and price, as `normal` has it."""
    amounts: frozenset[tuple[Decimal, str]] = frozenset()
    """Price and currency, of any market."""
    codes: frozenset[tuple[str, tuple[str, ...]]] = frozenset()
    """The name of a field and the code of a group."""
    names: frozenset[Words] = frozenset()
    """The names of groups."""
    texts: str = ""
    """All restrictions, as folded words."""
    hashes: frozenset[str] = frozenset()
    refs: frozenset[RecordRef] = frozenset()
    """The versions that are public, or may be shown in a history."""


def normal(price: Decimal) -> Decimal:
    """Return a price without zeros at its end: `0.42420` and `0.4242` are the same price."""
    return price.normalize()


def facts_of(public: Published) -> Facts:
    """Return what public versions say, and those that they have replaced: a history may show these."""
    rates = [*(one.terms for one in public.rates), *(one.terms for one in public.replaced_rates)]
    coverage = [*(one.terms for one in public.coverage), *(one.terms for one in public.replaced_coverage)]
    groups = [found for terms in rates for found in groups_of(terms, public.book)]
    refs = [*(terms.ref for terms in rates), *(terms.ref for terms in coverage)]
    return Facts(
        ids=frozenset(form for ref in refs for form in (ref.id, f"{ref.id}@{ref.version}", _anchor(ref))),
        prices=frozenset((terms.market, normal(terms.price)) for terms in rates),
        amounts=frozenset((normal(terms.price), terms.currency) for terms in rates),
        codes=frozenset((group.name, code) for group, _, code in groups),
        names=frozenset(words_of(name) for _, name, _ in groups),
        texts=join_words(words_of(" / ".join(text for terms in coverage for text in terms.restrictions))),
        hashes=frozenset(
            (
                *(row.content_sha256 for row in public.rates),
                *(row.content_sha256 for row in public.coverage),
                *(row.content_sha256 for row in public.replaced_rates),
                *(row.content_sha256 for row in public.replaced_coverage),
            )
        ),
        refs=frozenset(refs),
    )


def groups_of(terms: RateTerms, book: Book) -> Iterator[tuple[Field, str, tuple[str, ...]]]:
    """Yield the groups that a rate has: the field, the name, and the code."""
    for group in book.groups:
        value = terms.declared.get(group.name)
        if value is not None and isinstance(group.form, GroupForm):
            yield group, group.display_value(value), code_of(group.form, value)


def needles_of(
    records: Records,
    audit: AuditLog,
    public: Published,
    *,
    said: Said | None = None,
    facts: Facts | None = None,
) -> tuple[Needle, ...]:
    """Return the needles, each once. `facts` are those of `public`, where they are known already.

    `said` tells what the project says in its own hand-written pages and contract: a restriction or a reason
    that stands there is public by itself. Identifiers, prices, groups and notes never are.
    """
    facts = facts or facts_of(public)
    private = [version for version in records.all() if version.ref not in facts.refs]
    found = [
        *_identifiers(private, facts),
        *_hashes(audit, records, facts),
        *_prices(private, facts),
        *_codes(private, records.book, facts),
        *_names(private, records.book, facts),
        *_notes(records, facts),
    ]
    open_ones = [
        *_restrictions(private, facts),
        *_reasons(audit, records, facts),
    ]
    public_by_itself = said(one.words for one in open_ones) if said else frozenset[Words]()
    found += (one for one in open_ones if one.words not in public_by_itself)
    return tuple(_once(found))


def _once(needles: Iterable[Needle]) -> Iterator[Needle]:
    """Yield each value of each market once; the first version that holds it stands for it."""
    seen: set[object] = set()
    for one in needles:
        key = (one.secret, one.market if one.secret is Secret.PRICE else "", one.words or one.text)
        if key not in seen:
            seen.add(key)
            yield one


def _anchor(ref: RecordRef) -> str:
    return f"{ref.id}-{ref.version}"


def _about(version: RateVersion | CoverageVersion, secret: Secret, text: str, words: Words = ()) -> Needle:
    market = version.terms.market
    return Needle(secret=secret, ref=version.ref, market=market, text=text, words=words)


def _identifiers(private: Iterable[RateVersion | CoverageVersion], facts: Facts) -> Iterator[Needle]:
    """Yield identifiers, and identifiers with versions.

    An identifier of a single word, such as `norway`, is a word of any text: it counts with its version only.
    """
    for version in private:
        ref = version.ref
        if ref.id not in facts.ids and "-" in ref.id:
            yield _about(version, Secret.IDENTIFIER, ref.id)
        else:
            yield _about(version, Secret.VERSION, f"{ref.id}@{ref.version}")
            if _anchor(ref) not in facts.ids:
                yield _about(version, Secret.VERSION, _anchor(ref))


def _hashes(audit: AuditLog, records: Records, facts: Facts) -> Iterator[Needle]:
    """Yield the hashes of content that is not public: from one of these a price can be found by trying."""
    markets = {version.ref: version.terms.market for version in records.all()}
    for entry in audit.entries:
        if entry.record not in facts.refs and entry.content_sha256 not in facts.hashes:
            yield Needle(
                secret=Secret.CONTENT,
                ref=entry.record,
                market=markets.get(entry.record, ""),
                text=entry.content_sha256[:_HASH_LENGTH],
            )


def _prices(private: Iterable[RateVersion | CoverageVersion], facts: Facts) -> Iterator[Needle]:
    for version in private:
        terms = version.terms
        if isinstance(terms, RateTerms) and (terms.market, normal(terms.price)) not in facts.prices:
            yield Needle(
                secret=Secret.PRICE,
                ref=version.ref,
                market=terms.market,
                text=f"{terms.price:f} {terms.currency}",
                price=normal(terms.price),
                currency=terms.currency,
            )


def _codes(private: Iterable[RateVersion | CoverageVersion], book: Book, facts: Facts) -> Iterator[Needle]:
    for version, group, _, code in _groups(private, book):
        if (group.name, code) not in facts.codes:
            yield Needle(
                secret=Secret.CODES,
                ref=version.ref,
                market=version.terms.market,
                text="-".join(code),
                group=group,
                code=code,
            )


def _names(private: Iterable[RateVersion | CoverageVersion], book: Book, facts: Facts) -> Iterator[Needle]:
    for version, group, name, _ in _groups(private, book):
        words = words_of(name)
        if words and words not in facts.names:
            yield Needle(
                secret=Secret.NAME,
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


def _restrictions(private: Iterable[RateVersion | CoverageVersion], facts: Facts) -> Iterator[Needle]:
    for version in private:
        if isinstance(version.terms, CoverageTerms):
            for text in version.terms.restrictions:
                yield from _phrases(version, Secret.RESTRICTION, text, facts)


def _notes(records: Records, facts: Facts) -> Iterator[Needle]:
    """Yield the notes of all versions: a note is never published, whatever becomes of its version."""
    for version in records.all():
        yield from _phrases(version, Secret.NOTE, version.note, facts)


def _phrases(
    version: RateVersion | CoverageVersion, secret: Secret, text: str, facts: Facts
) -> Iterator[Needle]:
    for words in pieces_of(text):
        if join_words(words) not in facts.texts:
            yield _about(version, secret, text, words)


def _reasons(audit: AuditLog, records: Records, facts: Facts) -> Iterator[Needle]:
    """Yield the reasons that the log gives for versions that are not public, and for no public one.

    A reason that public versions share, such as `Prices of the second quarter`, is the wording of a
    campaign: it tells nothing of any version. Three words and fewer are a formula: `Sample record`.
    """
    common = {entry.reason for entry in audit.entries if entry.record in facts.refs}
    markets = {version.ref: version.terms.market for version in records.all()}
    for entry in audit.entries:
        if entry.reason and entry.reason not in common and len(words_of(entry.reason)) > 3:
            for words in pieces_of(entry.reason):
                if join_words(words) not in facts.texts:
                    yield Needle(
                        secret=Secret.REASON,
                        ref=entry.record,
                        market=markets.get(entry.record, ""),
                        text=entry.reason,
                        words=words,
                    )
