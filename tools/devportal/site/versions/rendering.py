"""The editions of earlier releases in a store: rendered once, since a frozen contract never changes.

They are rendered again where something changes that they show of others: an address that they lead to, an
entry that tells when a part came, the toolkit itself.
"""

from collections.abc import Iterator
from itertools import chain

from devportal.pages import Page
from devportal.reference.grounds import GroundsPages
from devportal.reference.marks import Marks
from devportal.site.store import PageStore
from devportal.site.toolkit import toolkit_digest
from devportal.site.versions.dressing import Dress
from devportal.site.versions.gathering import Dressed, Told


def render_earlier(
    store: PageStore, part: str, dressed: Dressed, grounds: GroundsPages, language: str
) -> int:
    """Bring a part of a store with the pages of earlier releases up to date; return how many were rendered.

    The note that is called as the part says what they were rendered from.
    """
    made_from = f"{_made_from(dressed, grounds)} {language}"
    if store.note(part) == made_from:
        return 0
    both = zip(dressed.earlier, dressed.told, strict=True)
    pages = tuple(chain.from_iterable(_pages(dress, grounds, told, language) for dress, told in both))
    store.replace(part, pages)
    store.write_note(part, made_from)
    return len(pages)


def _made_from(dressed: Dressed, grounds: GroundsPages) -> str:
    frozen = [one.release.sha256 for one in dressed.editions if one.release is not None]
    worn = [one.digest() for one in dressed.earlier]
    return f"{toolkit_digest()} {grounds} {dressed.told} {frozen} {worn}"


def _pages(dress: Dress, grounds: GroundsPages, told: Told, language: str) -> Iterator[Page]:
    from devportal.reference.pages import reference_pages  # noqa: PLC0415 - often there is nothing to render

    edition = dress.edition
    if edition.release is None:
        return
    api = edition.release.contract().api
    made = reference_pages(
        api,
        folder=edition.folder,
        overview=edition.overview,
        grounds=grounds,
        marks=Marks(told, api),
        downloads=(("OpenAPI (YAML)", edition.contract_uri),),
        language=language,
    )
    yield from map(dress.page, made)
