"""The rows of `exceptions.csv`: a version with other terms or in another state, or the one after it."""

from collections.abc import Iterable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from devportal.catalog.audit.lifecycle import State
from devportal.catalog.records.coverage import CoverageTerms, Registration, Support
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.version_ref import RecordRef
from tests.catalog.own_book import Channel, Scheme, channel_features, coverage_terms, replace, steps

from .market import Market, rows_of
from .sample import Sample


def with_exceptions(samples: Iterable[Sample], markets: Iterable[Market]) -> list[Sample]:
    """Return the samples with those of the table in place of, or after, the ones that markets make."""
    found = {sample.terms.ref: sample for sample in samples}
    by_country = {market.country: market for market in markets}
    for row in rows_of("exceptions.csv"):
        ref = RecordRef.parse(row["record"])
        before = RecordRef(kind=ref.kind, id=ref.id, version=ref.version - 1)
        if ref in found:
            base = found[ref]
        elif before in found:
            base = found[before]
            if row["state"] == State.ACTIVE and not base.terms.effective_to:
                start = date.fromisoformat(row["effective_from"])
                found[before] = replace(base, state=State.SUPERSEDED, ended=start)
        else:
            base = Sample(terms=_new_channel(ref, by_country[ref.id[:2].upper()]), state=State.DRAFT)
        found[ref] = _apply_row(base, ref, row)
    return [found[ref] for ref in sorted(found)]


def _new_channel(ref: RecordRef, market: Market) -> CoverageTerms:
    """Return the first record of a channel that a market does not have."""
    return coverage_terms(
        id=ref.id,
        version=ref.version,
        country=market.country,
        dialling_code=market.dialling_code,
        channel=Channel(ref.id.partition("-")[2]),
        support=Support.UNAVAILABLE,
        features=channel_features(),
        registration=Registration(scheme=Scheme.NONE),
        reviewed_on=market.launched - timedelta(days=30),
        effective_from=market.launched,
        sample=True,
    )


def _apply_row(base: Sample, ref: RecordRef, row: dict[str, str]) -> Sample:
    changes: dict[str, Any] = {"version": ref.version}
    if ref != base.terms.ref:
        changes["effective_to"] = None
    for name in ("effective_from", "effective_to"):
        if row[name]:
            changes[name] = date.fromisoformat(row[name])
    terms = base.terms
    if isinstance(terms, RateTerms):
        changed: RateTerms | CoverageTerms = replace(terms, **changes, **_of_rate(row))
    else:
        changed = replace(terms, **changes, **_of_coverage(row, terms))
    return Sample(
        terms=changed,
        state=State(row["state"]),
        ended=date.fromisoformat(row["ended"]) if row["ended"] else None,
        note=row["note"],
        reason=row["reason"],
    )


def _of_rate(row: dict[str, str]) -> dict[str, Any]:
    changes: dict[str, Any] = {"price": Decimal(row["price"])} if row["price"] else {}
    if row["increment"]:
        initial, _, subsequent = row["increment"].partition("/")
        changes["billing_increment"] = steps(initial_s=int(initial), subsequent_s=int(subsequent))
    return changes


def _of_coverage(row: dict[str, str], terms: CoverageTerms) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if row["support"]:
        changes = {
            "support": Support(row["support"]),
            "restrictions": (*terms.restrictions, row["restriction"]),
        }
    if row["effective_from"]:
        changes["reviewed_on"] = date.fromisoformat(row["effective_from"]) - timedelta(days=60)
    return changes
