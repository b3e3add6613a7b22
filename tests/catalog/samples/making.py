"""The files under `data/` that are made: record files of each country, and the audit log of all records."""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from devportal.catalog import AuditLog, Records, content_sha256
from devportal.catalog.audit.journal import Journal, Write
from devportal.catalog.records.codes import country_names
from devportal.catalog.records.text import yaml_text
from devportal.catalog.records.version_ref import Kind
from tests.catalog.own_book import BOOK

from .by_hand import steps_by_hand
from .coverage import market_coverage
from .exceptions import with_exceptions
from .market import markets
from .rates import market_rates
from .sample import Sample
from .story import steps

BY_HAND = {
    Kind.RATE: frozenset({"BR", "DE", "GB", "IN", "JP", "NO", "US"}),
    Kind.COVERAGE: frozenset({"BR", "DE", "GB", "IN", "JP", "NO", "US"}),
}
"""The countries with records that are written by hand; what is made for them has files beside those."""

COMMENT = {
    Kind.RATE: "SAMPLE RECORDS: networks and prices are invented.",
    Kind.COVERAGE: "SAMPLE RECORDS: what works where is invented.",
}
MADE = "Made from the tables in tests/catalog/samples/: change those."


@lru_cache(maxsize=1)
def samples() -> tuple[Sample, ...]:
    """Return every sample version that is made, in the order of kinds, names and versions."""
    known = markets()
    made = [sample for market in known for sample in (*market_rates(market), *market_coverage(market))]
    return tuple(with_exceptions(made, known))


def sample_files() -> Mapping[str, str]:
    """Return the text of each record file that is made, by its path below `data/`."""
    by_country: defaultdict[tuple[Kind, str], list[Sample]] = defaultdict(list)
    for sample in samples():
        by_country[sample.terms.kind, sample.terms.market].append(sample)
    return {_path(*about): _text(*about, found) for about, found in sorted(by_country.items())}


def _text(kind: Kind, country: str, found: list[Sample]) -> str:
    comment = f"{COMMENT[kind]}\n{country_names()[country]}. {MADE}"
    return yaml_text([sample.version for sample in found], BOOK, comment=comment)


def _path(kind: Kind, country: str) -> str:
    suffix = "-more" if country in BY_HAND[kind] else ""
    return f"{kind}/{country.lower()}{suffix}.yaml"


def sample_log(records: Records) -> AuditLog:
    """Return the audit log of all sample records, made by the same writer that refuses faults."""
    contents = {version.ref: content_sha256(version.terms) for version in records.all()}
    journal = Journal(AuditLog())
    for step in sorted([*steps(list(samples())), *steps_by_hand()]):
        journal.record(
            Write(
                at=step.at,
                actor=step.actor,
                action=step.action,
                record=step.record,
                content_sha256=contents[step.record],
                reason=step.reason,
            )
        )
    return journal.log
