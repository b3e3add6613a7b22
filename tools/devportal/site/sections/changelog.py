"""The section of the changelog: entries, and the releases of the contract by which they are proven."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from devportal.changelog import (
    Entry,
    History,
    Release,
    Releases,
    changelog_pages,
    check_changelog,
    load_changelog,
    load_releases,
)
from devportal.changelog.entries.entry import changelog_folder
from devportal.changelog.pages.differences import Places
from devportal.changelog.pages.pages import ApiChangelog, changelog_pages_of_apis
from devportal.changelog.pages.part_history import first_versions, part_history_marks
from devportal.changelog.pages.release_history import ReleaseHistory, release_history
from devportal.changelog.pages.rendering import no_link
from devportal.changelog.project_history import read_entries, read_releases, read_written_policy
from devportal.changelog.releases.append_only import (
    check_entries_kept,
    check_releases_kept,
    published_entries,
    recorded_releases,
)
from devportal.changelog.releases.manifest import MANIFEST_NAME
from devportal.contract import Stability
from devportal.contract.texts import structure_of
from devportal.findings import Finding, Level
from devportal.markup import Artefact, Page
from devportal.project.caches import comparison_cache_in
from devportal.project.inputs import Inputs, fingerprint
from devportal.reference.history_marks import HistoryMark
from devportal.reference.links import contract_places
from devportal.reference.pages.pages import operation_uris
from devportal.site.language import language_of
from devportal.site.sections.section import (
    ApiSection,
    MarksByPart,
    PublishedComparison,
    PublishedFolder,
    PublishedFolders,
    Section,
    SectionContext,
    SectionRecords,
)

_UNREADABLE = frozenset({"release-manifest", "release-unreadable"})
"""Rules of releases that keep what is on record from being known."""
_NO_RELEASES = Releases(folder=Path(), name="")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangelogSection(Section):
    """Entries, None for a project that has only releases, and the history of the contract if there is one."""

    entries: tuple[Entry, ...] | None = None
    history: History | None = field(default=None, repr=False)

    @classmethod
    def read(cls, context: SectionContext) -> Self:
        """Read and check entries and releases. Raises PortalError."""
        inputs, contract = context.inputs, context.contract
        if inputs.changelog is None:
            return cls(findings=tuple(_release_problems(context)))
        entries, load_findings = read_entries(inputs, inputs.changelog)
        names = tuple(audience.name for audience in inputs.audiences)
        wrong_names = tuple(_unknown_audiences(entries, names)) if names else ()
        entries = tuple(replace(entry, api=inputs.portal_api) for entry in entries)
        if inputs.audience:
            entries = tuple(
                entry for entry in entries if not entry.only_for or inputs.audience in entry.only_for
            )
        apis = {group.name for group in contract.api.groups} if contract else set()
        history, disagreements = read_releases(
            inputs, contract, entries, processes=context.processes, leaps=True
        )
        releases = history.releases if history is not None else None
        problems = check_changelog(entries, today=inputs.today, apis=apis, releases=releases)
        return cls(
            entries=entries,
            history=history,
            # what an audience does not see may be what an entry is about: everybody's contract decides
            findings=(
                *load_findings,
                *wrong_names,
                *(problems if not inputs.audience else ()),
                *disagreements,
            ),
        )

    @classmethod
    def read_causes(cls, context: SectionContext) -> object | None:
        """Return the files of entries, contract and releases."""
        return _files(context)

    def pages(self, context: SectionContext) -> Iterator[Page | Artefact]:
        """Yield the pages of the changelog, and its feed."""
        if self.entries is None:
            return
        api, inputs = context.api, context.inputs
        yield from changelog_pages(
            self.entries,
            inputs,
            site_url=inputs.site_url,
            title=api.title if api else inputs.title,
            operations=operation_uris(api, inputs) if api else {},
            places=_places(context),
            has_beta=api is not None
            and any(operation.stability is not Stability.STABLE for operation in api.operations),
            release_history=self.release_history(inputs),
            references=context.references,
            language=language_of(inputs, api),
            last=context.last,
        )

    def page_causes(self, context: SectionContext) -> object | None:
        """Return the entries, and the files of contract and releases."""
        return self.entries, context.references, _files(context)

    @classmethod
    def pages_of_apis(cls, inputs: Inputs, sections: Sequence[ApiSection]) -> Iterable[Page | Artefact]:
        """Return the pages of one changelog for several APIs, and its feeds."""
        changelogs = tuple(
            _api_changelog(section.section.entries, section.section, section.context)
            for section in sections
            if isinstance(section.section, ChangelogSection) and section.section.entries is not None
        )
        if not changelogs:
            return ()
        return changelog_pages_of_apis(
            changelogs,
            inputs,
            site_url=inputs.site_url,
            title=inputs.title,
            language=language_of(inputs, None),
        )

    def marks(self, context: SectionContext) -> MarksByPart:
        """Return the history marks of the parts of the contract."""
        return history_marks(self.release_history(context.inputs, leaps=False))

    def records(self, context: SectionContext) -> SectionRecords:
        """Return the releases, and the version that added each operation."""
        history = self.release_history(context.inputs, leaps=False)
        return SectionRecords(
            releases=tuple(map(_release_data, history.releases)) if history is not None else (),
            first_versions=first_versions(history) if history is not None else {},
        )

    def release_history(self, inputs: Inputs, *, leaps: bool = True) -> ReleaseHistory | None:
        """Return the history of the releases; None if there are none. See `changelog.pages.history`."""
        if self.history is None:
            return None
        policy, _ = read_written_policy(inputs)
        cache = comparison_cache_in(inputs.comparisons)
        return release_history(
            self.history,
            policy=policy,
            cache=cache,
            leaps=leaps,
            folder=changelog_folder(inputs.portal_api),
        )

    @classmethod
    def compare_published(
        cls, before: PublishedFolders, now: PublishedFolders, *, base: str
    ) -> PublishedComparison:
        """Compare frozen contracts and published entries with those of a revision."""
        past, past_findings = _load_releases(before.get("releases"))
        present, _ = _load_releases(now.get("releases"))
        if not present.name:
            present = replace(present, name=past.name)
        old, new = before.get("changelog"), now.get("changelog")
        name = next(
            (published_folder.name for published_folder in (new, old) if published_folder is not None), ""
        )
        entries = _load_entries(old)
        findings = (
            *(
                _unreadable_finding(past_finding, base)
                for past_finding in past_findings
                if past_finding.rule in _UNREADABLE
            ),
            *check_releases_kept(past, present, base=base),
            *check_entries_kept(entries, _load_entries(new), past, name=name, base=base),
        )
        return PublishedComparison(
            findings=findings,
            counts={
                "release": len(recorded_releases(past)),
                "changelog entry": len(published_entries(entries, past)),
            },
        )


def _places(context: SectionContext) -> Places:
    """Return where parts of the contract are shown: the same where the same parts are, so that it can be compared."""
    contract, inputs = context.contract, context.inputs
    if contract is None:
        return no_link
    if context.last is None:
        return contract_places(contract.api, inputs).uri
    causes = (structure_of(contract.texts()), inputs)
    places = context.last.result("places", causes, lambda: contract_places(contract.api, inputs))
    return places.uri


def _files(context: SectionContext) -> object:
    """Return settings, and what identifies the content of entries, contract and releases."""
    files = replace(context.inputs, records=None, results=None, docs=None)
    return files, fingerprint(files, context.contract)


def _api_changelog(
    entries: tuple[Entry, ...], section: ChangelogSection, context: SectionContext
) -> ApiChangelog:
    inputs, api = context.inputs, context.api
    assert inputs.portal_api is not None and api is not None  # noqa: S101, PT018 - it is one of several
    return ApiChangelog(
        api=inputs.portal_api,
        entries=entries,
        operations=operation_uris(api, inputs),
        places=contract_places(api, inputs).uri,
        has_beta=any(operation.stability is not Stability.STABLE for operation in api.operations),
        release_history=section.release_history(inputs),
        references=context.references,
        language=language_of(inputs, api),
    )


def _release_data(release: Release) -> dict[str, Any]:
    return {"version": release.version, "date": release.date.isoformat() if release.date else None}


def _unknown_audiences(entries: Sequence[Entry], names: Sequence[str]) -> Iterator[Finding]:
    """Yield each audience of an entry that the project does not have."""
    for entry in entries:
        for name in entry.only_for:
            if name not in names:
                yield Finding(
                    rule="contract-audience",
                    level=Level.WARNING,
                    place=entry.place("only_for"),
                    message=f"{name!r} is not an audience of this project",
                    help=f"the audiences are {', '.join(names)}",
                )


def _release_problems(context: SectionContext) -> Iterator[Finding]:
    """Yield what is wrong with the releases of a project without a changelog."""
    folder = context.inputs.releases
    if folder is None:
        return
    if (folder / MANIFEST_NAME).exists():
        _, findings = read_releases(context.inputs, context.contract, ())
        yield from (finding for finding in findings if finding.rule.startswith("release-"))
    else:
        yield from _unrecorded_releases(folder, context.inputs.name(folder))


def _unrecorded_releases(folder: Path, name: str) -> Iterator[Finding]:
    """Yield files in a folder of releases without a manifest that are not a release or cannot be read.

    A folder without any release only has the same name, and is not checked.
    """
    releases, findings = load_releases(folder, name=name)
    file_findings = [
        finding for finding in findings if finding.rule in {"release-file", "release-unreadable"}
    ]
    yield from (
        file_findings
        if releases.releases
        or any(file_finding.rule == "release-unreadable" for file_finding in file_findings)
        else ()
    )


def history_marks(release_history: ReleaseHistory | None, until: Release | None = None) -> MarksByPart:
    """Return the history marks of the parts of the contract, or of those of the release `until`."""
    if release_history is not None and until is not None:
        steps = (proof for proof in release_history.proofs if proof.step.new is not None)
        proofs = tuple(step for step in steps if step.step.new and step.step.new.number <= until.number)
        release_history = replace(release_history, proofs=proofs)
    marks_by_part = part_history_marks(release_history) if release_history is not None else {}
    return {
        spot: tuple(HistoryMark(words=words, uri=uri) for words, uri in marks)
        for spot, marks in marks_by_part.items()
    }


def _load_releases(folder: PublishedFolder | None) -> tuple[Releases, tuple[Finding, ...]]:
    return load_releases(folder.path, name=folder.name) if folder is not None else (_NO_RELEASES, ())


def _load_entries(folder: PublishedFolder | None) -> tuple[Entry, ...]:
    return load_changelog(folder.path, name=folder.name)[0] if folder is not None else ()


def _unreadable_finding(finding: Finding, base: str) -> Finding:
    return Finding(
        rule="since-unreadable",
        level=Level.ERROR,
        place=finding.place,
        message=f"nothing can be proven of the releases of {base}: {finding.message}",
        help="compare them by eye, and merge the repair by itself",
    )
