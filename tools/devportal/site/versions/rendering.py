"""The editions of earlier releases in a store: rendered once, since a frozen contract never changes.

They are rendered again if something else changes that they show: an address that they link to, an entry
about a part, the toolkit itself.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain

from devportal.markup import Page
from devportal.project.caches import toolkit_digest
from devportal.project.settings import Settings
from devportal.reference.history_marks import HistoryMarks
from devportal.reference.pages.stability import GroundsPages
from devportal.site.cache.store import PageStore
from devportal.site.sections.section import MarksByPart
from devportal.site.versions.editions import EditionSwitchers
from devportal.site.versions.version_switcher import VersionSwitcher
from devportal.translation import current_interface


def render_earlier_releases(
    store: PageStore,
    part: str,
    editions: EditionSwitchers,
    grounds: GroundsPages,
    settings: Settings,
    language: str,
    *,
    transform: Callable[[Page], Page],
    basis: str,
) -> int:
    """Bring a part of a store with the pages of earlier releases up to date; return how many were rendered.

    `transform` completes each page, by what the digest `basis` is of. The note with the name of the part has the
    digest of what they were rendered from.
    """
    inputs_digest = f"{_render_digest(editions, grounds)} {settings.choices} {language}{basis}"
    inputs_digest += f" {current_interface().digest}"
    if store.note(part) == inputs_digest:
        return 0
    switchers_and_marks = zip(editions.earlier, editions.marks_by_edition, strict=True)
    pages = tuple(
        map(
            transform,
            chain.from_iterable(
                _edition_pages(switcher, grounds, marks, settings, language)
                for switcher, marks in switchers_and_marks
            ),
        )
    )
    store.replace(part, pages)
    store.write_note(part, inputs_digest)
    return len(pages)


def _render_digest(editions: EditionSwitchers, grounds: GroundsPages) -> str:
    frozen = [edition.release.sha256 for edition in editions.editions if edition.release is not None]
    switchers = [version_switcher.digest() for version_switcher in editions.earlier]
    return f"{toolkit_digest()} {grounds} {editions.marks_by_edition} {frozen} {switchers}"


def _settings_of_edition(settings: Settings, overview: str) -> Settings:
    """Return the settings of the pages of an earlier release, which shares no schema with another API."""
    api = settings.portal_api
    own = replace(api, shared_schemas=()) if api is not None else None
    return replace(settings, overview=overview, portal_api=own)


def _edition_pages(
    switcher: VersionSwitcher,
    grounds: GroundsPages,
    marks_by_part: MarksByPart,
    settings: Settings,
    language: str,
) -> Iterator[Page]:
    from devportal.reference.pages.pages import reference_pages  # noqa: PLC0415 - often there is nothing to render

    edition = switcher.edition
    if edition.release is None:
        return
    api = edition.release.contract().api
    pages = reference_pages(
        api,
        _settings_of_edition(settings, edition.overview),
        folder=edition.folder,
        grounds=grounds,
        marks=HistoryMarks(marks_by_part, api),
        downloads=(("OpenAPI (YAML)", edition.contract_uri),),
        language=language,
    )
    yield from map(switcher.page, pages)
