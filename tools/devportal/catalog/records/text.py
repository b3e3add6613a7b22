"""Versions as the text of a record file, in the one form that all files have which the toolkit writes.

Whatever other YAML readers would take for a number, a date or a truth value stands between quotes.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from devportal.catalog.book.book import Book
from devportal.catalog.records.content import canonical_content
from devportal.catalog.records.ref import Kind
from devportal.catalog.records.version import CoverageVersion, RateVersion
from devportal.documents import to_yaml

Field: TypeAlias = "str | list[str] | dict[str, str]"
"""A field of a record as its file holds it: text, a list of texts, or a mapping to texts."""

_HEAD = ("id", "version", "status", "sample", "note")
_WINDOW = ("effective_from", "effective_to")


@lru_cache(maxsize=16)
def record_order(book: Book, kind: Kind) -> tuple[str, ...]:
    """Return the fields of a record of a kind, in the order in which they are written."""
    market = str(book.markets.kind)
    if kind is Kind.RATE:
        headline = (book.headline.name,) if book.headline else ()
        what = (one.name for one in book.before_price if one is not book.headline)
        billed = (one.name for one in book.after_price)
        terms = ("billing_terms",) if book.billing_terms else ()
        price = ("unit", "price", "currency")
        return (*_HEAD, "product", *headline, market, *what, *price, *billed, *terms, *_WINDOW)
    coverage = book.coverage
    about = (one.name for one in coverage.market_fields)
    others = (one.name for one in coverage.other_fields)
    features = ("features",) if coverage.features else ()
    registration = ("registration",) if coverage.schemes else ()
    return (
        *(*_HEAD, market, *about, "channel", "support", *others),
        *(*features, *registration, "restrictions", "reviewed_on", *_WINDOW),
    )


@lru_cache(maxsize=16)
def parts_of(book: Book) -> Mapping[str, tuple[str, ...]]:
    """Return the parts of the fields that are mappings, in the order in which they are written."""
    groups = (*book.fields, *book.coverage.fields)
    return {
        **{one.name: tuple(part.name for part in one.group.parts) for one in groups if one.group},
        "features": tuple(one.key for one in book.coverage.features),
        "registration": ("scheme", "lead_time_days"),
    }


def yaml_text(versions: Sequence[RateVersion | CoverageVersion], book: Book, *, comment: str = "") -> str:
    """Return versions, at least one and all of one kind, as the text of a record file.

    `comment` stands above them, a `#` before each of its lines. Reading the text again gives the same
    versions (their places apart), and writing those the same text. Raises ValueError where there is no
    version or the kinds differ.
    """
    kinds = {version.terms.kind for version in versions}
    if len(kinds) != 1:
        raise ValueError(f"a record file holds versions of one kind, not of {len(kinds)}")
    (kind,) = kinds
    head = "".join(f"# {line}".rstrip() + "\n" for line in comment.splitlines())
    return f"{head}{kind}:\n" + "\n".join(_item(version, book) for version in versions)


def record_fields(version: RateVersion | CoverageVersion, book: Book) -> dict[str, Field]:
    """Return the fields of a version as its file holds them, in order; what says nothing is left out."""
    content: dict[str, Field] = json.loads(canonical_content(version.terms))
    content |= {"status": str(version.status), "note": version.note}
    for name, parts in parts_of(book).items():
        if isinstance(part := content.get(name), dict):
            silent_part = "unknown" if name == "features" else None
            content[name] = {key: part[key] for key in parts if part.get(key, silent_part) != silent_part}
    silent = {"note": "", "sample": "no"}
    return {
        name: content[name]
        for name in record_order(book, version.terms.kind)
        if name in content and content[name] != silent.get(name)
    }


def _item(version: RateVersion | CoverageVersion, book: Book) -> str:
    """Return a version as an item of the list of its file."""
    return to_yaml({"list": [record_fields(version, book)]}).removeprefix("list:\n")
