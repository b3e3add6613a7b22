"""The notice at the top of a page of an earlier release, and the removal of parts in later releases."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from devportal.changelog import Release
from devportal.changelog.pages.differences import subject_name
from devportal.changelog.pages.release_history import NEXT, Interval, ReleaseHistory
from devportal.changelog.pages.rendering import entry_uri
from devportal.differ import Change
from devportal.errors import PortalError
from devportal.reference.redirects.matching_pages import Counterparts, DocumentedPart

_REMOVALS = ("operation.removed", "removed.", "webhook.removed", "component.unused.removed")
"""Prefixes of the ids of rules that report a removed part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """The version that removed a part, and the uri of the page about the removal, if there is one."""

    version: str
    uri: str


class RemovalHistory:
    """Looks up the release that removed a part, and links to the pages of the changelog."""

    def __init__(
        self,
        releases: Sequence[Release],
        parts: Callable[[Release], Counterparts],
        release_history: ReleaseHistory | None = None,
    ) -> None:
        """Take all releases, the oldest first, the parts of each, and their history, if they have pages."""
        self._releases = tuple(releases)
        self._parts = parts
        self._release_history = release_history

    @property
    def releases_uri(self) -> str:
        """Return the uri of the page of all releases; empty if there is none."""
        return self._release_history.releases_uri if self._release_history is not None else ""

    def since(self, version: str) -> str:
        """Return the uri of the page of all changes since a version; empty if there is none."""
        if self._release_history is None:
            return ""
        *_, before, newest = ("", *(one.version for one in self._release_history.releases))
        if version in {newest, before}:
            interval = self._release_history.intervals.get((version, NEXT if version == newest else newest))
            return interval.uri if interval else ""
        return Interval(old=version, new=newest, changes=(), folder=self._release_history.folder).uri

    def removal(self, part: DocumentedPart, after: Release) -> Removal | None:
        """Return the removal of a part that a release has and the present contract has not; None if not known.

        Releases without an edition are looked up in their contracts.
        """
        for release in (one for one in self._releases if one.number > after.number):
            try:
                has_part = self._parts(release).same(part) is not None
            except PortalError:
                return None
            if not has_part:
                return Removal(version=release.version, uri=self._removal_page_uri(part, release.version))
        return Removal(version=NEXT, uri=self._removal_page_uri(part, NEXT))

    def _removal_page_uri(self, part: DocumentedPart, version: str) -> str:
        """Return the page of the entry that covers a removal, else the page of all changes of that version."""
        if self._release_history is None:
            return ""
        for proof in self._release_history.proofs:
            if (proof.step.new.version if proof.step.new is not None else NEXT) == version:
                removals = (one for one in proof.step.changes if part.owner and _is_removal(one, part.owner))
                entries = [
                    entry for one in removals for entry in proof.covering_entries.get(one.fingerprint, ())
                ]
                if entries:
                    return entry_uri(entries[0])
        interval = self._release_history.before(version)
        return interval.uri if interval else self.releases_uri


def _is_removal(change: Change, owner: str) -> bool:
    return change.rule.startswith(_REMOVALS) and not change.field and subject_name(change.subject) == owner


NoticePart = tuple[str, str]
"""A text, and the uri of the page that it links to, if any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionNotice:
    """A notice in parts; `canonical` is the uri of the same part in the present contract, if it has it."""

    parts: tuple[NoticePart, ...]
    canonical: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartStatus:
    """Whether a part of an earlier release is still there, and its nearest page.

    `uri` is its page in the present version, or with a `title` the nearest page; `since` is the uri of the
    page of all changes since, if there is one.
    """

    noun: str
    present: str
    uri: str
    title: str = ""
    removal: Removal | None = None
    since: str = ""


def version_notice(version: str, date: str, status: PartStatus) -> VersionNotice:
    """Return the notice on the pages of a part of an earlier release."""
    which = f"This is release {version}{f' of {date}' if date else ''}."
    parts = ((which, ""), (" ", ""), *_notice_parts(status))
    since = ((" ", ""), ("What changed since", status.since)) if status.since else ()
    return VersionNotice(parts=(*parts, *since), canonical="" if status.title else status.uri)


def _notice_parts(status: PartStatus) -> Iterator[NoticePart]:
    if not status.title:
        yield f"The newest is {status.present}: ", ""
        yield f"this {status.noun} there", status.uri
        yield ".", ""
        return
    yield f"This {status.noun} is not in {status.present}, the newest", ""
    if status.removal is not None:
        yield ": it was ", ""
        yield _removal_words(status.removal.version), status.removal.uri
    yield ". See ", ""
    yield " ".join(status.title.split()), status.uri
    yield " there.", ""


def _removal_words(version: str) -> str:
    return "removed, which is not released yet" if version == NEXT else f"removed in {version}"
