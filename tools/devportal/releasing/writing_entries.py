"""What the commands for entries write: drafts, fingerprints, and what is recorded as published."""

from collections.abc import Iterator

from devportal.changelog.drafting import drafts
from devportal.changelog.front_matter import with_covers
from devportal.changelog.manifest import NAME, digest_of, manifest_text
from devportal.changelog.pinning import pinned
from devportal.changelog.publishing import is_corrected, with_publications
from devportal.errors import InvalidSettings, RefusedWrite
from devportal.findings import Finding, Level
from devportal.releasing.project import Project
from devportal.releasing.writing import Change


def drafted(project: Project, entry_id: str = "") -> tuple[Change, ...]:
    """Return the entries to write so that each change since the last release is told.

    Raises InvalidSettings before the first release: everything is new then.
    """
    proof = project.unreleased
    if proof is None:
        raise InvalidSettings(
            "there is no release yet, so there is nothing that changed since",
            help="make the first one: devportal release VERSION",
        )
    made = drafts(proof, project.contract.api, dict(project.texts), today=project.today, entry_id=entry_id)
    return tuple(Change(path=project.entry_file(one.id), content=one.text.encode()) for one in made)


def pinned_entries(project: Project, ids: tuple[str, ...] = ()) -> tuple[Change, ...]:
    """Return the entries that change by filling in fingerprints, those named or all."""
    for id_ in ids:
        project.entry(id_)
    return tuple(
        Change(
            path=project.entry_file(entry.id), content=with_covers(project.texts[entry.id], covers).encode()
        )
        for proof in project.history.proofs
        for entry, covers in pinned(proof, frozenset(ids) if ids else None)
    )


def published(project: Project, ids: tuple[str, ...] = ()) -> tuple[Change, ...]:
    """Return the manifest with entries as they are now, those named or all that are new or corrected.

    Raises RefusedWrite for an entry that is wrong, or was changed and tells no correction.
    """
    chosen = [project.entry(id_) for id_ in ids] or [*project.entries]
    manifest = project.releases.manifest
    for entry in chosen:
        known = manifest.published.get(entry.id)
        if known and known[-1].sha256 != digest_of(entry) and not is_corrected(entry, known):
            raise RefusedWrite(
                "this entry was published in other words, and tells no correction since",
                place=entry.place("id"),
                help="say what was corrected under `amended`, with `date` and `note`",
            )
        wrong = next(_errors(project, entry.document.name), None)
        if wrong is not None:
            raise RefusedWrite(wrong.message, place=wrong.place, help=wrong.help)
    text = manifest_text(with_publications(manifest, chosen))
    return tuple(
        change
        for change in [Change(path=project.releases.folder / NAME, content=text.encode())]
        if change.is_needed
    )


def _errors(project: Project, file: str) -> Iterator[Finding]:
    for finding in project.findings:
        is_own = finding.place.file == file and finding.level is Level.ERROR
        if is_own and finding.rule != "changelog-published":
            yield finding
