"""What a page of an earlier release says at its top, and what became of a part afterwards."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from devportal.changelog import Release
from devportal.changelog.pages.differences import subject_name
from devportal.changelog.pages.history import NEXT, Interval, ReleaseHistory
from devportal.changelog.pages.rendering import RELEASES, entry_uri
from devportal.differ import Change
from devportal.errors import PortalError
from devportal.reference.redirects.matching_pages import Counterparts, DocumentedPart

_REMOVALS = ("operation.removed", "removed.", "webhook.removed", "component.unused.removed")
"""What the ids of the rules begin with that find a whole part gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """The version that a part is not in any more, and the uri of the page that tells it, if there is one."""

    version: str
    uri: str


class RemovalHistory:
    """The releases of a contract as its earlier pages tell them; without annals no page tells more."""

    def __init__(
        self,
        releases: Sequence[Release],
        parts: Callable[[Release], Counterparts],
        annals: ReleaseHistory | None = None,
    ) -> None:
        """Take all releases, the oldest first, and what the reference of each shows."""
        self._releases = tuple(releases)
        self._parts = parts
        self._annals = annals

    @property
    def releases_uri(self) -> str:
        """Return the uri of the page of all releases, empty where there is none."""
        return RELEASES if self._annals is not None else ""

    def since(self, version: str) -> str:
        """Return the uri of the page that tells all that changed since a version, empty where none does."""
        if self._annals is None:
            return ""
        *_, before, newest = ("", *(one.version for one in self._annals.releases))
        if version in {newest, before}:
            found = self._annals.intervals.get((version, NEXT if version == newest else newest))
            return found.uri if found else ""
        return Interval(old=version, new=newest, changes=()).uri

    def removal(self, part: DocumentedPart, after: Release) -> Removal | None:
        """Return when a part went that a release has and the present contract has not, None if not known.

        What a release took away that has no edition is looked up in its contract all the same.
        """
        for release in (one for one in self._releases if one.number > after.number):
            try:
                is_there = self._parts(release).same(part) is not None
            except PortalError:
                return None
            if not is_there:
                return Removal(version=release.version, uri=self._teller(part, release.version))
        return Removal(version=NEXT, uri=self._teller(part, NEXT))

    def _teller(self, part: DocumentedPart, version: str) -> str:
        """Return the page of the entry that tells a removal, or else of all that changed in that version."""
        if self._annals is None:
            return ""
        for proof in self._annals.proofs:
            if (proof.step.new.version if proof.step.new is not None else NEXT) == version:
                gone = (one for one in proof.step.changes if part.owner and _is_removal(one, part.owner))
                tellers = [entry for one in gone for entry in proof.covering_entries.get(one.fingerprint, ())]
                if tellers:
                    return entry_uri(tellers[0])
        interval = self._annals.before(version)
        return interval.uri if interval else self.releases_uri


def _is_removal(change: Change, owner: str) -> bool:
    return change.rule.startswith(_REMOVALS) and not change.field and subject_name(change.subject) == owner


NoticePiece = tuple[str, str]
"""Words, and the uri of the page that they lead to, if any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionNotice:
    """A notice in pieces; `canonical` is the uri of the same part in the present contract, if it is there."""

    pieces: tuple[NoticePiece, ...]
    canonical: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartStatus:
    """What became of a part of an earlier release.

    `uri` is where the present version shows it, or with a `title` what is nearest to it; `since` is the uri
    of the page of all changes since, if there is one.
    """

    noun: str
    present: str
    uri: str
    title: str = ""
    removal: Removal | None = None
    since: str = ""


def version_notice(version: str, date: str, fate: PartStatus) -> VersionNotice:
    """Return the notice on the pages of a part of an earlier release."""
    which = f"This is release {version}{f' of {date}' if date else ''}."
    pieces = ((which, ""), (" ", ""), *_notice_pieces(fate))
    since = ((" ", ""), ("What changed since", fate.since)) if fate.since else ()
    return VersionNotice(pieces=(*pieces, *since), canonical="" if fate.title else fate.uri)


def _notice_pieces(fate: PartStatus) -> Iterator[NoticePiece]:
    if not fate.title:
        yield f"The newest is {fate.present}: ", ""
        yield f"this {fate.noun} there", fate.uri
        yield ".", ""
        return
    yield f"This {fate.noun} is not in {fate.present}, the newest", ""
    if fate.removal is not None:
        yield ": it was ", ""
        yield _removal_words(fate.removal.version), fate.removal.uri
    yield ". See ", ""
    yield " ".join(fate.title.split()), fate.uri
    yield " there.", ""


def _removal_words(version: str) -> str:
    return "removed, which is not released yet" if version == NEXT else f"removed in {version}"
