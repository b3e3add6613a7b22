"""Redirects from the addresses that pages had in earlier releases, to where the same parts are now, and notices about
parts that were removed.

A new operationId, a renamed tag or another order of tags moves the page of an operation. Releases say where it was,
so nobody has to write down what was renamed. The file of redirects is for all other pages, and comes first.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from devportal.changelog import Release
from devportal.changelog.project_history import has_releases
from devportal.contract import Contract
from devportal.errors import PortalError
from devportal.project.inputs import Inputs
from devportal.reference.redirects.matching_pages import Counterparts, DocumentedPart
from devportal.reference.redirects.redirect_table import address_of
from devportal.site.cache.store import PageStore
from devportal.site.output.redirects import is_hand_written
from devportal.site.sections.section import Section
from devportal.site.versions.edition import EditionCache, edition_folder
from devportal.site.versions.editions import project_releases, read_renames, removal_history
from devportal.site.versions.removal_notices import NoticePart, PartStatus, RemovalHistory, notice_parts
from devportal.site.versions.version_switcher import choose_releases
from devportal.translation import colon, gettext


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerPages:
    """The addresses that have no page any more, from the root of the site, unquoted: the new addresses of those that
    moved, and notices about those whose parts are gone.
    """

    moved: Mapping[str, str] = field(default_factory=dict)
    removed: Mapping[str, tuple[NoticePart, ...]] = field(default_factory=dict)


def former_pages(
    contract: Contract, sections: Iterable[Section], inputs: Inputs, store: PageStore
) -> FormerPages:
    """Return where the pages of earlier releases are now.

    If several releases had other parts at an address, the newest counts. Schemas that are on a page of several APIs
    now have neither a redirect nor a notice.
    """
    if not has_releases(inputs):
        return FormerPages()
    reference = inputs.reference_folder
    releases = project_releases(inputs, sections)
    cache = EditionCache(store, read_renames(inputs), reference=reference)
    shared = inputs.portal_api.shared_schemas if inputs.portal_api is not None else ()
    current = cache.current(contract, releases, overview=inputs.overview, shared=shared).parts
    taken = {address_of(part.uri) for part in current.parts}
    new_by_old: dict[str, str | None] = {}
    gone: dict[str, tuple[DocumentedPart, Release]] = {}
    for release in reversed(releases):
        try:
            earlier = cache.parts(release)
        except PortalError:
            continue  # reported as a release that cannot be read
        folder = f"{edition_folder(release.version, reference)}/"
        for part in earlier.parts:
            address = address_of(f"{reference}/{part.uri.removeprefix(folder)}")
            if address not in taken and address not in new_by_old and "#" not in address:
                new_by_old[address] = new = _present_uri(part, earlier, current)
                if new is None and part.noun != "page":
                    gone[address] = part, release
    moved = {
        old: address_of(new)
        for old, new in new_by_old.items()
        if new is not None and new.startswith(f"{reference}/") and not is_hand_written(inputs.docs, old)
    }
    if not gone:
        return FormerPages(moved=moved)
    chosen = choose_releases(inputs.versions, releases, current=contract.api.version)
    removals = removal_history(releases, cache, sections, inputs)
    removed = {
        old: (
            *_removal_notice(part, release, contract.api.version, current, removals),
            *_documented_in(part, chosen, cache),
        )
        for old, (part, release) in gone.items()
        if not is_hand_written(inputs.docs, old)
    }
    return FormerPages(moved=moved, removed=removed)


def _removal_notice(
    part: DocumentedPart, release: Release, present: str, current: Counterparts, removals: RemovalHistory
) -> Iterator[NoticePart]:
    """Yield the words about a part that no release has after this one: which one removed it, and what is near."""
    nearest = current.nearest(part)
    removal = removals.removal(part, release)
    yield f"{part.title}{colon()} ", ""
    yield from notice_parts(
        PartStatus(noun=part.noun, present=present, uri=nearest.uri, title=nearest.title, removal=removal)
    )


def _documented_in(
    part: DocumentedPart, chosen: Iterable[Release], cache: EditionCache
) -> Iterator[NoticePart]:
    """Yield a link to the page of a part in the newest of the releases with pages that has it, if any."""
    for release in chosen:
        with suppress(PortalError):
            documented = cache.parts(release).same(part)
            if documented is not None:
                yield " ", ""
                yield gettext("Its page in release %(version)s", version=release.version), documented.uri
                return


def _present_uri(part: DocumentedPart, earlier: Counterparts, current: Counterparts) -> str | None:
    """Return the uri of the page that shows a part of a release now; None if it is gone."""
    same = current.same(part)
    if same is None and part.noun == "group":
        same = _successor_of_group(part, earlier, current)
    return same.uri if same is not None else None


def _successor_of_group(
    group: DocumentedPart, earlier: Counterparts, current: Counterparts
) -> DocumentedPart | None:
    """Return the group that has all operations of an earlier one that still exist; None if there are several."""
    operations = (part for part in earlier.parts if earlier.group_of(part) is group)
    same = (current.same(operation) for operation in operations)
    groups = {found.uri: found for found in map(current.group_of, filter(None, same)) if found is not None}
    return next(iter(groups.values())) if len(groups) == 1 else None
