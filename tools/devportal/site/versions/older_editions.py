"""Editions of earlier releases, and redirects; the modules that they need are imported only if there are any."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from devportal.contract import Contract
from devportal.findings import Finding
from devportal.markup import Page
from devportal.project.inputs import Inputs
from devportal.project.settings import Settings
from devportal.reference.pages.stability import GroundsPages
from devportal.site.cache.store import PageStore
from devportal.site.sections.section import Section

if TYPE_CHECKING:
    from devportal.site.versions.editions import EarlierReleases, EditionSwitchers
    from devportal.site.versions.moved_pages import FormerPages


def earlier_releases_of(
    inputs: Inputs, contract: Contract | None, sections: Iterable[Section]
) -> "EarlierReleases | None":
    """Return the earlier releases that have an edition; None if none has. Raises PortalError."""
    may_have_editions = inputs.releases is not None or isinstance(inputs.versions, tuple)
    if contract is None or not may_have_editions:
        return None
    from devportal.site.versions.editions import read_earlier_releases  # noqa: PLC0415 - many portals have no releases

    return read_earlier_releases(inputs, contract, sections)


def unreadable_releases_in(
    earlier: "EarlierReleases | None", findings: Iterable[Finding]
) -> tuple[Finding, ...]:
    """Return problems of releases with an edition that otherwise only rendering them would report."""
    if earlier is None:
        return ()
    from devportal.site.versions.editions import unreadable_releases  # noqa: PLC0415 - see above

    return tuple(unreadable_releases(earlier, findings))


def edition_switchers_in(
    earlier: "EarlierReleases | None",
    contract: Contract | None,
    sections: Iterable[Section],
    inputs: Inputs,
    store: PageStore,
) -> "EditionSwitchers | None":
    """Return the version switchers; None if no earlier release has an edition."""
    if earlier is None or contract is None:
        return None
    from devportal.site.versions.editions import edition_switchers  # noqa: PLC0415 - see above

    return edition_switchers(earlier, contract, sections, inputs, store)


def former_pages_in(
    contract: Contract | None, sections: Iterable[Section], inputs: Inputs, store: PageStore
) -> "FormerPages | None":
    """Return where the pages of earlier releases are now; None without releases. Raises UnreadableInput."""
    if contract is None or inputs.releases is None:
        return None
    from devportal.site.versions.moved_pages import former_pages  # noqa: PLC0415 - see above

    return former_pages(contract, sections, inputs, store)


def render_editions(
    editions: "EditionSwitchers | None",
    grounds: GroundsPages,
    store: PageStore,
    part: str,
    *,
    settings: Settings,
    language: str,
    transform: Callable[[Page], Page],
    basis: str,
) -> int:
    """Bring the pages of earlier releases up to date in a part of a store; return how many were rendered.

    `language` is that of the releases that do not name their own. `transform` completes each page, by what the
    digest `basis` is of.
    """
    if editions is None:
        store.replace(part, ())
        store.write_note(part, "")
        return 0
    from devportal.site.versions.rendering import render_earlier_releases  # noqa: PLC0415 - see above

    return render_earlier_releases(
        store, part, editions, grounds, settings, language, transform=transform, basis=basis
    )
