"""Redirects from the addresses that pages had in earlier releases, to where the same parts are now.

A new operationId, a renamed tag or another order of tags moves the page of an operation. Releases say where it was,
so nobody has to write down what was renamed. The file of redirects is for all other pages, and comes first.
"""

from collections.abc import Iterable

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
from devportal.site.versions.editions import project_releases, read_renames


def moved_pages(
    contract: Contract, sections: Iterable[Section], inputs: Inputs, store: PageStore
) -> dict[str, str]:
    """Return the new addresses by the old ones that have no page any more, from the root of the site, unquoted.

    If several releases had other parts at an address, the newest counts. Parts that are gone have no redirect, and
    neither have schemas that are on a page of several APIs now.
    """
    if not has_releases(inputs):
        return {}
    reference = inputs.reference_folder
    releases = project_releases(inputs, sections)
    cache = EditionCache(store, read_renames(inputs), reference=reference)
    shared = inputs.portal_api.shared_schemas if inputs.portal_api is not None else ()
    current = cache.current(contract, releases, overview=inputs.overview, shared=shared).parts
    taken = {address_of(part.uri) for part in current.parts}
    new_by_old: dict[str, str | None] = {}
    for release in reversed(releases):
        try:
            earlier = cache.parts(release)
        except PortalError:
            continue  # reported as a release that cannot be read
        folder = f"{edition_folder(release.version, reference)}/"
        for part in earlier.parts:
            address = address_of(f"{reference}/{part.uri.removeprefix(folder)}")
            if address not in taken and address not in new_by_old:
                new_by_old[address] = _present_uri(part, earlier, current)
    return {
        old: address_of(new)
        for old, new in new_by_old.items()
        if new is not None
        and new.startswith(f"{reference}/")
        and "#" not in old
        and not is_hand_written(inputs.docs, old)
    }


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
