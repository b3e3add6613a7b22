"""The notice at the top of a page of an earlier release, and the removal of parts in later releases."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from devportal.changelog import Release
from devportal.changelog.pages.differences import subject_name
from devportal.changelog.pages.release_history import NEXT, Interval, ReleaseHistory
from devportal.changelog.pages.rendering import entry_uri
from devportal.differ import Change
from devportal.errors import PortalError
from devportal.reference.redirects.matching_pages import Counterparts, DocumentedPart
from devportal.translation import gettext, gettext_noop

_PLACEHOLDER = re.compile(r"%\((\w+)\)s")

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
        *_, before, newest = ("", *(release.version for release in self._release_history.releases))
        if version in {newest, before}:
            interval = self._release_history.intervals.get((version, NEXT if version == newest else newest))
            return interval.uri if interval else ""
        return Interval(old=version, new=newest, changes=(), folder=self._release_history.folder).uri

    def removal(self, part: DocumentedPart, after: Release) -> Removal | None:
        """Return the removal of a part that a release has and the present contract has not; None if not known.

        Releases without an edition are looked up in their contracts.
        """
        for release in (release for release in self._releases if release.number > after.number):
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
                removals = (
                    change for change in proof.step.changes if part.owner and _is_removal(change, part.owner)
                )
                entries = [
                    entry
                    for removal in removals
                    for entry in proof.covering_entries.get(removal.fingerprint, ())
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
    which = (
        gettext("This is release %(version)s of %(date)s.", version=version, date=date)
        if date
        else gettext("This is release %(version)s.", version=version)
    )
    parts = ((which, ""), (" ", ""), *notice_parts(status))
    since = ((" ", ""), (gettext("What changed since"), status.since)) if status.since else ()
    return VersionNotice(parts=(*parts, *since), canonical="" if status.title else status.uri)


def notice_parts(status: PartStatus) -> Iterator[NoticePart]:
    """Yield where a part is in the present version, or that it was removed, by which release, and what is near."""
    here, gone = _WORDS_BY_NOUN[status.noun]
    version: NoticePart = (status.present, "")
    if not status.title:
        yield from _with_links(
            gettext("The newest is %(version)s: %(part)s."), version=version, part=(gettext(here), status.uri)
        )
        return
    if status.removal is None:
        yield from _with_links(gettext(gone), version=version)
    else:
        removed = (_removal_words(status.removal.version), status.removal.uri)
        whole = gettext(
            "%(gone)s: it was %(removed)s.", gone=gettext(gone).rstrip(".。"), removed="%(removed)s"
        )
        yield from _with_links(whole, version=version, removed=removed)
    yield " ", ""
    page = (" ".join(status.title.split()), status.uri)
    yield from _with_links(gettext("See %(page)s there."), page=page)


_WORDS_BY_NOUN: Final = {
    "error": (
        gettext_noop("this error there"),
        gettext_noop("This error is not in %(version)s, the newest."),
    ),
    "event": (
        gettext_noop("this event there"),
        gettext_noop("This event is not in %(version)s, the newest."),
    ),
    "group": (
        gettext_noop("this group there"),
        gettext_noop("This group is not in %(version)s, the newest."),
    ),
    "operation": (
        gettext_noop("this operation there"),
        gettext_noop("This operation is not in %(version)s, the newest."),
    ),
    "page": (
        gettext_noop("this page there"),
        gettext_noop("This page is not in %(version)s, the newest."),
    ),
    "schema": (
        gettext_noop("this schema there"),
        gettext_noop("This schema is not in %(version)s, the newest."),
    ),
}
"""By what a part is: the words of the link to the same part, and the sentence for one that was removed."""


def _with_links(message: str, **parts: NoticePart) -> Iterator[NoticePart]:
    """Yield the parts of a message with texts and links for its placeholders; texts beside each other are one."""
    text = ""
    for number, part in enumerate(_PLACEHOLDER.split(message)):
        words, uri = parts[part] if number % 2 else (part, "")
        if uri:
            if text:
                yield text, ""
            yield words, uri
            text = ""
        else:
            text += words
    if text:
        yield text, ""


def _removal_words(version: str) -> str:
    if version == NEXT:
        return gettext("removed, which is not released yet")
    return gettext("removed in %(version)s", version=version)
