"""Versions of records, and the text of their files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, TypeAlias, TypeVar

from devportal.catalog.audit.lifecycle import State
from devportal.catalog.book.book import Book
from devportal.catalog.records.content import canonical_content
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.version_ref import Kind, RecordRef
from devportal.documents import Document, Pointer, to_yaml
from devportal.errors import Place

TermsT_co = TypeVar("TermsT_co", bound=RateTerms | CoverageTerms, covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a version is written; places are looked up only when a finding needs one.

    The data of `document` may be left out: versions of a large catalog would keep all of it in memory twice.
    """

    document: Document
    pointer: Pointer

    def place(self, *below: str) -> Place:
        """Return the place of the version, or of one of its fields."""
        return self.document.place((*self.pointer, *below))


@dataclass(frozen=True, slots=True, kw_only=True)
class Version(Generic[TermsT_co]):
    """A version: its terms, the state that its file claims, and a note that is never published."""

    terms: TermsT_co
    status: State
    note: str = ""
    source: Source = field(compare=False, repr=False)

    @property
    def ref(self) -> RecordRef:
        """Return the reference of this version."""
        return self.terms.ref


RateVersion = Version[RateTerms]
"""A version of a rate, in any state."""
CoverageVersion = Version[CoverageTerms]
"""A version of a coverage record, in any state."""
AnyVersion = RateVersion | CoverageVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """All versions of all records, in every review state, and the rate book that declares their fields."""

    book: Book = field(default_factory=Book, repr=False)
    rates: tuple[RateVersion, ...] = ()
    coverage: tuple[CoverageVersion, ...] = ()

    def all(self) -> Sequence[AnyVersion]:
        """Return the versions of both kinds."""
        return (*self.rates, *self.coverage)

    def without_sources(self) -> "Records":
        """Return the same records, which no longer know where they are written: the text of all files is let go of."""
        return Records(
            book=self.book,
            rates=tuple(map(_without_source, self.rates)),
            coverage=tuple(map(_without_source, self.coverage)),
        )


_NOWHERE = Source(document=Document(name="", text="", data=None), pointer=())


def _without_source(version: Version[TermsT_co]) -> Version[TermsT_co]:
    return Version(terms=version.terms, status=version.status, note=version.note, source=_NOWHERE)


Field: TypeAlias = "str | list[str] | dict[str, str]"
"""A field of a record as its file holds it: text, a list of texts, or a mapping to texts."""

_HEAD = ("id", "version", "status", "sample", "note")
_WINDOW = ("effective_from", "effective_to")


@lru_cache(maxsize=16)
def record_order(book: Book, kind: Kind) -> tuple[str, ...]:
    """Return the fields of a record of a kind, in the order they are written."""
    market = str(book.markets.kind)
    if kind is Kind.RATE:
        headline = (book.headline.name,) if book.headline else ()
        subject_fields = (item.name for item in book.before_price if item is not book.headline)
        billing_fields = (item.name for item in book.after_price)
        terms = ("billing_terms",) if book.billing_terms else ()
        price = ("unit", "price", "currency")
        return (
            *_HEAD,
            "product",
            *headline,
            market,
            *subject_fields,
            *price,
            *billing_fields,
            *terms,
            *_WINDOW,
        )
    coverage = book.coverage
    market_fields = (market_field.name for market_field in coverage.market_fields)
    other_fields = (item.name for item in coverage.other_fields)
    features = ("features",) if coverage.features else ()
    registration = ("registration",) if coverage.schemes else ()
    return (
        *(*_HEAD, market, *market_fields, "channel", "support", *other_fields),
        *(*features, *registration, "restrictions", "reviewed_on", *_WINDOW),
    )


@lru_cache(maxsize=16)
def mapping_parts(book: Book) -> Mapping[str, tuple[str, ...]]:
    """Return the parts of the fields that are mappings, in the order they are written."""
    groups = (*book.fields, *book.coverage.fields)
    return {
        **{group.name: tuple(part.name for part in group.group.parts) for group in groups if group.group},
        "features": tuple(feature.key for feature in book.coverage.features),
        "registration": ("scheme", "lead_time_days"),
    }


def yaml_text(versions: Sequence[RateVersion | CoverageVersion], book: Book, *, comment: str = "") -> str:
    """Return versions, at least one and all of one kind, as the text of a record file.

    `comment` is written above them, with a `#` before each of its lines. Reading the text returns the same
    versions, except for their places, and writing those returns the same text. Raises ValueError if there is
    no version or the kinds differ.
    """
    kinds = {version.terms.kind for version in versions}
    if len(kinds) != 1:
        raise ValueError(f"a record file holds versions of one kind, not of {len(kinds)}")
    (kind,) = kinds
    head = "".join(f"# {line}".rstrip() + "\n" for line in comment.splitlines())
    return f"{head}{kind}:\n" + "\n".join(_item_yaml(version, book) for version in versions)


def record_fields(version: RateVersion | CoverageVersion, book: Book) -> dict[str, Field]:
    """Return the fields of a version as its file holds them, in order, without default values."""
    content: dict[str, Field] = json.loads(canonical_content(version.terms))
    content |= {"status": str(version.status), "note": version.note}
    for name, parts in mapping_parts(book).items():
        if isinstance(part := content.get(name), dict):
            default_part = "unknown" if name == "features" else None
            content[name] = {key: part[key] for key in parts if part.get(key, default_part) != default_part}
    defaults = {"note": "", "sample": "no"}
    return {
        name: content[name]
        for name in record_order(book, version.terms.kind)
        if name in content and content[name] != defaults.get(name)
    }


def _item_yaml(version: RateVersion | CoverageVersion, book: Book) -> str:
    """Return a version as a list item of its file."""
    return to_yaml({"list": [record_fields(version, book)]}).removeprefix("list:\n")
