"""Rates, coverage and changelog of a portal: what is read, and the pages made of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from devportal.catalog import Catalog, Published, check_catalog, load_catalog, published
from devportal.catalog.pages import Options, catalog_pages
from devportal.catalog.review.lock import read_lock
from devportal.changelog import (
    Entry,
    History,
    Release,
    changelog_pages,
    check_changelog,
    load_changelog,
)
from devportal.changelog.pages.history import ReleaseHistory, release_history
from devportal.changelog.pages.part_history import part_history_marks
from devportal.changelog.pages.rendering import no_link
from devportal.changelog.releases.folder import load_releases
from devportal.changelog.releases.manifest import MANIFEST_NAME
from devportal.contract import Api, Contract
from devportal.extras import Extra, require_extra
from devportal.findings import Finding
from devportal.markup import Artefact, Page
from devportal.project.caches import comparison_cache_in
from devportal.project.inputs import Inputs
from devportal.project.releases import read_releases, read_written_policy
from devportal.reference.links import contract_places
from devportal.reference.pages.history_marks import HistoryMark, PartLocation
from devportal.reference.pages.pages import operation_uris
from devportal.site.language import language_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """Records with their log, what of them is public, and changelog entries; None: there are none."""

    catalog: Catalog | None = field(default=None, repr=False)
    public: Published | None = field(default=None, repr=False)
    entries: tuple[Entry, ...] | None = None
    history: History | None = field(default=None, repr=False)


def read_records(inputs: Inputs, contract: Contract | None) -> tuple[Records, tuple[Finding, ...]]:
    """Read and check records and entries. Raises PortalError."""
    findings: list[Finding] = []
    catalog, public, entries, history = None, None, None, None
    if inputs.records is not None:
        with read_lock(inputs.records):
            catalog, found = load_catalog(inputs.records, name=inputs.name(inputs.records))
        findings += [*found, *check_catalog(catalog, today=inputs.today)]
        public = published(catalog.records, catalog.audit, inputs.today)
    if inputs.changelog is not None:
        entries, found = load_changelog(inputs.changelog, name=inputs.name(inputs.changelog))
        apis = {group.name for group in contract.api.groups} if contract else set()
        findings += [*found, *check_changelog(entries, today=inputs.today, apis=apis)]
        history, found = read_releases(inputs, contract, entries)
        findings += found
    elif inputs.releases is not None and (inputs.releases / MANIFEST_NAME).exists():
        _, found = read_releases(inputs, contract, ())
        findings += (one for one in found if one.rule.startswith("release-"))
    elif inputs.releases is not None:
        findings += _unrecorded_releases(inputs.releases, inputs.name(inputs.releases))
    return Records(catalog=catalog, public=public, entries=entries, history=history), tuple(findings)


def _unrecorded_releases(folder: Path, name: str) -> Iterator[Finding]:
    """Yield what lies among frozen contracts that nothing is recorded of, and is none or cannot be read.

    A folder without any is called like one of releases, and is somebody's own.
    """
    releases, found = load_releases(folder, name=name)
    among = [one for one in found if one.rule in {"release-file", "release-unreadable"}]
    yield from among if releases.releases or any(one.rule == "release-unreadable" for one in among) else ()


def pages_of_records(
    records: Records, inputs: Inputs, api: Api | None, references: Mapping[str, str]
) -> Iterator[Page | Artefact]:
    """Yield the pages of rates, coverage and changelog, and the files that belong to them.

    `references` gives the uri of the reference of each release that has one. Raises MissingExtra.
    """
    if records.public is not None:
        require_extra(Extra.RATES, needed_by="a site with rate or coverage records")
        yield from catalog_pages(records.public, _page_options(inputs, api))
    if records.entries is not None:
        yield from changelog_pages(
            records.entries,
            site_url=inputs.site_url,
            title=api.title if api else inputs.title,
            feed=inputs.feed,
            feed_authority=inputs.feed_authority,
            operations=operation_uris(api, overview=inputs.overview) if api else {},
            places=contract_places(api, overview=inputs.overview).uri if api else no_link,
            annals=release_annals(records, inputs),
            references=references,
            language=language_of(inputs, api),
        )


def release_annals(records: Records, inputs: Inputs, *, leaps: bool = True) -> ReleaseHistory | None:
    """Return the releases as pages tell them, None where there are none; see `release_history`."""
    if records.history is None:
        return None
    policy, _ = read_written_policy(inputs)
    memory = comparison_cache_in(inputs.comparisons)
    return release_history(records.history, policy=policy, today=inputs.today, memory=memory, leaps=leaps)


def history_marks_of_records(
    records: Records, inputs: Inputs
) -> Mapping[PartLocation, tuple[HistoryMark, ...]]:
    """Return what the releases say of the parts of the contract."""
    return history_marks(release_annals(records, inputs, leaps=False))


def history_marks(
    annals: ReleaseHistory | None, until: Release | None = None
) -> Mapping[PartLocation, tuple[HistoryMark, ...]]:
    """Return what annals say of the parts of the contract, or of those that it had in one of the releases."""
    if annals is not None and until is not None:
        steps = (one for one in annals.proofs if one.step.new is not None)
        known = tuple(one for one in steps if one.step.new and one.step.new.number <= until.number)
        annals = replace(annals, proofs=known)
    told = part_history_marks(annals) if annals is not None else {}
    return {
        spot: tuple(HistoryMark(words=words, uri=uri) for words, uri in marks) for spot, marks in told.items()
    }


def _page_options(inputs: Inputs, api: Api | None) -> Options:
    return Options(
        site_url=inputs.site_url,
        title=inputs.title or (api.title if api else ""),
        feed=inputs.feed,
        feed_authority=inputs.feed_authority,
        history=inputs.rate_history,
    )
