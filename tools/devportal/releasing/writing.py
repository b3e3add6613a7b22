"""Plans the files that the changelog commands write: entries, fingerprints and records."""

import re
from collections.abc import Iterator
from datetime import date

from devportal.atomic_files import FileWrite
from devportal.changelog.entries.drafting import drafts
from devportal.changelog.entries.front_matter import with_covers
from devportal.changelog.entries.pinning import entries_to_pin
from devportal.changelog.proof.proof import StepProof
from devportal.changelog.releases.manifest import MANIFEST_NAME, manifest_text
from devportal.changelog.releases.publishing import (
    is_as_published,
    is_corrected,
    publication_difference,
    with_publications,
)
from devportal.errors import InvalidSettings, RefusedWrite
from devportal.findings import Finding, Level
from devportal.releasing.project import Project


def draft_entries(project: Project, entry_id: str = "") -> tuple[FileWrite, ...]:
    """Return the entries to write so that each change since the last release has one.

    Raises InvalidSettings before the first release, when everything is new, and for an id that no new entry
    can have. Raises RefusedWrite if an entry cannot be read, because its content is unknown, and if the
    history is broken, because the changes are unknown.
    """
    proof = _unreleased_step(project)
    files = project.files
    _require_readable_entries(project, files)
    if entry_id and entry_id not in {entry.id for entry in proof.entries}:
        _refuse_id(entry_id, project)
    new_drafts = drafts(
        proof,
        project.contract.api,
        dict(project.texts),
        today=project.today,
        taken=files,
        entry_id=entry_id,
    )
    return tuple(
        FileWrite(path=project.entry_file(draft.id), content=draft.text.encode()) for draft in new_drafts
    )


def _unreleased_step(project: Project) -> StepProof:
    """Return the step from the last release to the working contract.

    Raises RefusedWrite if a part of the contract cannot be read: it would count as removed.
    """
    unread = project.contract.unread_part
    if unread is not None:
        raise RefusedWrite(
            "a part of the contract cannot be read, so its changes are unknown",
            place=unread.place,
            help="fix it first, then run this again",
        )
    if project.unreleased is not None:
        return project.unreleased
    if not project.releases.releases and not project.releases.manifest.records:
        raise InvalidSettings(
            "there is no release yet, so nothing can have changed since",
            help="make the first one: devportal release VERSION",
        )
    _require_history(project)
    raise InvalidSettings(
        "the contract cannot be compared with the last release",
        help="run `devportal check` to see why",
    )


def _require_history(project: Project) -> None:
    """Raise RefusedWrite if the history could not be read."""
    if project.history.proofs or not project.releases.manifest.records:
        return
    errors = [error for error in project.findings if error.level is Level.ERROR]
    for error in sorted(errors, key=lambda error: not error.rule.startswith("release-")):
        raise RefusedWrite(error.message, place=error.place, help=error.help)


def _require_readable_entries(project: Project, files: frozenset[str]) -> None:
    unread = sorted(files - {entry.id for entry in project.entries})
    if not unread:
        return
    file = project.entry_file(unread[0]).name
    finding = next((finding for finding in project.findings if finding.place.file.endswith(f"/{file}")), None)
    raise RefusedWrite(
        f"the entry {unread[0]!r} cannot be read, so its content is unknown"
        + (f": {finding.message}" if finding else ""),
        place=finding.place if finding else None,
        help="fix it first, then draft again",
    )


def _refuse_id(entry_id: str, project: Project) -> None:
    if entry_id in project.files:
        entry = project.entry(entry_id)
        is_recorded = entry_id in project.releases.manifest.published
        raise InvalidSettings(
            f"the entry {entry_id!r} "
            + (f"was published with {entry.spec_to}" if is_recorded else f"has `spec_to: {entry.spec_to}`")
            + ", so it cannot cover later changes",
            help="give the name of a new entry, or of one that is not released yet"
            + (
                ""
                if is_recorded
                else "; `devportal release` writes `spec_to`: remove it if there was no such release"
            ),
        )
    if not ENTRY_ID.fullmatch(entry_id) or not _is_day(entry_id[:10]):
        raise InvalidSettings(
            f"{entry_id!r} is not a valid entry name",
            help="write the day and a few words: 2026-01-31-numbers-need-a-plus",
        )


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


ENTRY_ID = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}-[a-z0-9]+(?:-[a-z0-9]+)*")
"""The pattern of an id in the shape of the front matter."""


def pin_entries(project: Project, ids: tuple[str, ...] = ()) -> tuple[FileWrite, ...]:
    """Return the entries that change when fingerprints are filled in: the named ones, or all.

    Raises RefusedWrite if the history is broken, because selectors cannot be resolved.
    """
    for id_ in ids:
        project.entry(id_)
    _require_history(project)
    return tuple(
        FileWrite(
            path=project.entry_file(entry.id), content=with_covers(project.texts[entry.id], covers).encode()
        )
        for proof in project.history.proofs
        for entry, covers in entries_to_pin(proof, frozenset(ids) if ids else None)
    )


def record_publications(project: Project, ids: tuple[str, ...] = ()) -> tuple[FileWrite, ...]:
    """Return the manifest with the current entries: the named ones, or all that are new or corrected.

    Raises RefusedWrite for an entry with errors, or one that was changed without a correction.
    """
    chosen = [project.entry(id_) for id_ in ids] or [*project.entries]
    manifest = project.releases.manifest
    for entry in chosen:
        publication = manifest.published.get(entry.id)
        if publication and not is_as_published(entry, publication) and not is_corrected(entry, publication):
            raise RefusedWrite(
                f"{publication_difference(entry, publication)}, and it lists no correction",
                place=entry.place("id"),
                help="describe the correction under `amended`, with `date` and `note`",
            )
        error = next(_entry_errors(project, entry.document.name), None)
        if error is not None:
            raise RefusedWrite(error.message, place=error.place, help=error.help)
    new_manifest = with_publications(manifest, chosen)
    if new_manifest == manifest:
        return ()
    return (
        FileWrite(path=project.releases.folder / MANIFEST_NAME, content=manifest_text(new_manifest).encode()),
    )


def _entry_errors(project: Project, file: str) -> Iterator[Finding]:
    for finding in project.findings:
        is_own = finding.place.file == file and finding.level is Level.ERROR
        if is_own and finding.rule != "changelog-published":
            yield finding
