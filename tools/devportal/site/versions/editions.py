"""The editions of a portal: the releases that have one, the version switchers, and unreadable releases."""

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from devportal.changelog import Release
from devportal.changelog.pages.release_history import ReleaseHistory
from devportal.changelog.project_history import has_releases, load_project_releases
from devportal.contract import Contract
from devportal.documents import Scalars, read_document
from devportal.errors import Place, PortalError
from devportal.findings import Finding, Level
from devportal.markup import Artefact
from devportal.project.inputs import Inputs
from devportal.project.setting_kinds import NONE
from devportal.reference.redirects.matching_pages import RenamedParts, renamed_parts
from devportal.reference.redirects.redirects import parse_redirects
from devportal.site.cache.store import PageStore
from devportal.site.sections.changelog import ChangelogSection, history_marks
from devportal.site.sections.section import MarksByPart, Section
from devportal.site.versions.edition import Edition, EditionCache, Editions, edition_folder
from devportal.site.versions.removal_notices import RemovalHistory
from devportal.site.versions.version_switcher import (
    VersionSwitcher,
    choose_releases,
    version_switcher_for,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierReleases:
    """All releases, the oldest first, those that have an edition, the newest first, and what was renamed."""

    releases: tuple[Release, ...] = field(repr=False)
    chosen: tuple[Release, ...]
    current: str
    """The version of the present contract."""
    folder: str
    """The folder of the reference of the present contract."""
    renames: RenamedParts = field(repr=False)

    def references(self, overview: str) -> dict[str, str]:
        """Return the uri of the reference of each version that has one; the present one has the overview."""
        earlier = {
            release.version: f"{edition_folder(release.version, self.folder)}/index.md"
            for release in self.chosen
        }
        return {**earlier, self.current: overview}


@dataclass(frozen=True, kw_only=True)
class EditionSwitchers:
    """The version switchers of the present contract, and of each earlier release that can be read."""

    current: VersionSwitcher
    earlier: tuple[VersionSwitcher, ...]
    marks_by_edition: tuple[MarksByPart, ...] = field(repr=False)
    """The history marks of each earlier release."""
    findings: tuple[Finding, ...] = ()

    @property
    def editions(self) -> tuple[Edition, ...]:
        """Return the editions of earlier releases."""
        return tuple(version_switcher.edition for version_switcher in self.earlier)

    def files(self) -> Iterator[Artefact]:
        """Yield the contracts of earlier releases as they were published."""
        for edition in self.editions:
            if edition.release is not None:
                yield Artefact(uri=edition.contract_uri, content=edition.release.content)

    def folder_redirects(self) -> dict[str, str]:
        """Return redirects for the folders of events, which have no page: readers may shorten an address."""
        return {
            f"{posixpath.dirname(part.uri)}/": f"{edition.folder}/#events"
            for edition in self.editions
            for part in edition.parts.parts
            if part.noun == "event"
        }


def read_earlier_releases(
    inputs: Inputs, contract: Contract, sections: Iterable[Section]
) -> EarlierReleases | None:
    """Return the earlier releases of a contract; None if none has an edition.

    Raises InvalidSettings for a version that was not released, and UnreadableInput.
    """
    if inputs.versions == NONE or not has_releases(inputs):
        return None
    releases = project_releases(inputs, sections)
    chosen = choose_releases(inputs.versions, releases, current=contract.api.version)
    if not chosen:
        return None
    return EarlierReleases(
        releases=releases,
        chosen=chosen,
        current=contract.api.version,
        folder=inputs.reference_folder,
        renames=read_renames(inputs),
    )


def _changelog_among(sections: Iterable[Section]) -> ChangelogSection | None:
    return next((section for section in sections if isinstance(section, ChangelogSection)), None)


def project_releases(inputs: Inputs, sections: Iterable[Section]) -> tuple[Release, ...]:
    """Return all releases of a contract, the oldest first. Raises UnreadableInput."""
    changelog = _changelog_among(sections)
    if changelog is not None and changelog.history is not None:
        return changelog.history.releases.releases
    if inputs.releases is not None:
        return load_project_releases(inputs, inputs.releases)[0].releases
    return ()


def read_renames(inputs: Inputs) -> RenamedParts:
    """Return the renames of the file of redirects; findings on that file are reported elsewhere."""
    if inputs.redirects is None:
        return RenamedParts()
    try:
        document = read_document(inputs.redirects, scalars=Scalars.TEXT)
    except PortalError:
        return RenamedParts()
    moves, _ = parse_redirects(document)
    return renamed_parts(
        ((operation.old, operation.new) for operation in moves.operations),
        ((tag.old, tag.new) for tag in moves.tags),
    )


def unreadable_releases(earlier: EarlierReleases, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the releases with an edition that cannot be read, as rendering reports them.

    Recorded releases are checked by the changelog; files with an error in `findings` are skipped.
    """
    broken_files = {finding.place.file for finding in findings if finding.level is Level.ERROR}
    for release in earlier.chosen:
        if release.record is None and release.name not in broken_files:
            try:
                release.contract()
            except PortalError as error:
                yield _unreadable_finding(release, error)


def edition_switchers(
    earlier: EarlierReleases,
    contract: Contract,
    sections: Iterable[Section],
    inputs: Inputs,
    store: PageStore,
) -> EditionSwitchers:
    """Return the version switchers of all editions. A release that cannot be read has none."""
    sections = tuple(sections)
    release_history = _release_history(sections, inputs)
    cache = EditionCache(store, earlier.renames, reference=earlier.folder)
    editions, findings = [], []
    for release in earlier.chosen:
        try:
            editions.append(cache.edition(release))
        except PortalError as error:
            findings.append(_unreadable_finding(release, error))
    shared = inputs.portal_api.shared_schemas if inputs.portal_api is not None else ()
    current = cache.current(contract, earlier.releases, overview=inputs.overview, shared=shared)
    all_editions = Editions(current=current, earlier=tuple(editions))
    removals = RemovalHistory(earlier.releases, cache.parts, release_history)
    return EditionSwitchers(
        current=version_switcher_for(current, all_editions, removals),
        earlier=tuple(version_switcher_for(edition, all_editions, removals) for edition in editions),
        marks_by_edition=tuple(history_marks(release_history, until=edition.release) for edition in editions),
        findings=tuple(findings),
    )


def removal_history(
    releases: Sequence[Release], cache: EditionCache, sections: Iterable[Section], inputs: Inputs
) -> RemovalHistory:
    """Return what looks up the releases that removed parts, the releases being the oldest first."""
    return RemovalHistory(releases, cache.parts, _release_history(sections, inputs))


def _release_history(sections: Iterable[Section], inputs: Inputs) -> ReleaseHistory | None:
    changelog = _changelog_among(sections)
    return changelog.release_history(inputs, leaps=False) if changelog is not None else None


def _unreadable_finding(release: Release, error: PortalError) -> Finding:
    return Finding(
        rule="release-unreadable",
        level=Level.ERROR,
        place=error.place or Place(file=release.name),
        message=error.message,
        help=f"fix it, or leave {release.version} out of 'versions'",
    )
