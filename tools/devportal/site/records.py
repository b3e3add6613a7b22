"""Rates, coverage and changelog of a portal: what is read of them, and what is made of it.

Many sites have none of these: what makes them is imported only for those that do.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from devportal.catalog import Catalog, Published, check_catalog, load_catalog, published
from devportal.catalog.pages import Options, catalog_pages
from devportal.changelog import Entry, changelog_pages, check_changelog, load_changelog
from devportal.contract import Api
from devportal.findings import Finding
from devportal.pages import Artefact, Page
from devportal.reference.pages import operation_uris
from devportal.review.lock import reading
from devportal.site.inputs import Inputs


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """Records with their log, what of them is public, and changelog entries; None: there are none."""

    catalog: Catalog | None = field(default=None, repr=False)
    public: Published | None = field(default=None, repr=False)
    entries: tuple[Entry, ...] | None = None


def read_records(inputs: Inputs, api: Api | None) -> tuple[Records, tuple[Finding, ...]]:
    """Read and check records and entries. Raises PortalError."""
    findings: list[Finding] = []
    catalog, public, entries = None, None, None
    if inputs.records is not None:
        with reading(inputs.records):
            catalog, found = load_catalog(inputs.records, name=inputs.name(inputs.records))
        findings += [*found, *check_catalog(catalog, today=inputs.today)]
        public = published(catalog.records, catalog.audit, inputs.today)
    if inputs.changelog is not None:
        entries, found = load_changelog(inputs.changelog, name=inputs.name(inputs.changelog))
        apis = {group.name for group in api.groups} if api else set()
        findings += [*found, *check_changelog(entries, today=inputs.today, apis=apis)]
    return Records(catalog=catalog, public=public, entries=entries), tuple(findings)


def pages_of(records: Records, inputs: Inputs, api: Api | None) -> Iterator[Page | Artefact]:
    """Yield the pages of rates, coverage and changelog, and the files that belong to them."""
    if records.public is not None:
        yield from catalog_pages(records.public, _options(inputs, api))
    if records.entries is not None:
        yield from changelog_pages(
            records.entries,
            site_url=inputs.site_url,
            title=api.title if api else inputs.title,
            feed=inputs.feed,
            feed_authority=inputs.feed_authority,
            operations=operation_uris(api, overview=inputs.overview) if api else {},
        )


def _options(inputs: Inputs, api: Api | None) -> Options:
    return Options(
        site_url=inputs.site_url,
        title=inputs.title or (api.title if api else ""),
        feed=inputs.feed,
        feed_authority=inputs.feed_authority,
        history=inputs.rate_history,
        segment_counter=inputs.segment_counter,
    )
