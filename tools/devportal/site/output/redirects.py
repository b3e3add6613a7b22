"""Reads the file of redirects and checks it against the pages of the portal."""

import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from urllib.parse import unquote

from devportal.documents import Scalars, read_document
from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding, Level
from devportal.markup import Page, url_of
from devportal.reference.addresses import (
    API_CATALOG,
    LLMS,
    LLMS_FULL,
    OPENAPI_JSON,
    OPENAPI_YAML,
    POSTMAN,
)
from devportal.reference.redirects.redirect_table import (
    NO_OTHER_SITES,
    OtherSites,
    pages_to_check,
    redirect_table,
)
from devportal.reference.redirects.redirects import REDIRECT_TABLE, Redirects, RedirectTable, parse_redirects
from devportal.reference.reference import Reference
from devportal.site.rendering.environments import THEME
from devportal.site.search.index import DETAILS_NAME as SEARCH_DETAILS
from devportal.site.search.index import INDEX_NAME as SEARCH_INDEX

_GENERATED_FILES = {OPENAPI_YAML, OPENAPI_JSON, POSTMAN, API_CATALOG, LLMS, LLMS_FULL, REDIRECT_TABLE}
_GENERATED_FILES |= {"404.html", "sitemap.xml", "sitemap.xml.gz", SEARCH_INDEX, SEARCH_DETAILS}
"""The files of every site that are not pages, those of the theme apart."""
_REFERENCE_FOLDER = "reference/"
"""Below this is what every site of a contract has, the home page apart."""
_ID = re.compile(r'<[^>]* id="([^"]*)"')
RenderNeeded = Callable[[Callable[[str], bool]], Iterable[Page]]
"""Renders the pages whose uris are needed."""


def read_redirects(
    path: Path,
    *,
    name: str,
    reference: Reference,
    render: RenderNeeded | None = None,
    others: Iterable[Page] = (),
    files: Container[str] = (),
    docs: Path | None = None,
    is_strict: bool = True,
    audiences: OtherSites = NO_OTHER_SITES,
    with_setting: Callable[[UnreadableInput], UnreadableInput] = lambda error: error,
) -> tuple[RedirectTable, tuple[Finding, ...]]:
    """Return the redirects of a file, and what is wrong with it.

    `render` renders the needed pages of the reference as the site has them; by default, those of a site of the
    contract alone. `others` are the generated pages beside the reference, `files` the uris of the files that come
    with them; `docs` is the folder of the hand-written ones. A file that is not strict may also be for another
    site of the contract: a page outside the reference that this one does not have is not an error. `audiences` are the
    sites of the other audiences of the project. `with_setting` adds to the error of a missing file what names it.
    """
    try:
        document = read_document(path, name=name, scalars=Scalars.TEXT)
    except UnreadableInput as error:
        return RedirectTable(), (_unreadable(with_setting(error), name),)
    redirects, findings = parse_redirects(document)
    if not redirects:
        return RedirectTable(), findings
    ids, uris = _generated_pages(redirects, reference, render or _render_of(reference), others)
    site = _SiteContent(
        ids=ids,
        uris=uris,
        docs=docs,
        files=files,
        folder=reference.settings.contract_folder,
    )
    other_sites = audiences if is_strict else site.with_unknown_sites(audiences)
    table, table_findings = redirect_table(
        redirects,
        reference.api,
        reference.addresses,
        site.ids_of,
        site.is_file,
        site.parts_of,
        other_sites,
    )
    return table, (*findings, *table_findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class _SiteContent:
    """The pages and files of a site that redirects ask for.

    `ids` has the ids on generated pages, `uris` the uris of these, both by address. `files` are the uris of the
    files beside them, `docs` is the folder of hand-written pages, `folder` that of the contract's own files.
    """

    ids: dict[str, frozenset[str]]
    uris: dict[str, str]
    docs: Path | None
    files: Container[str]
    folder: str

    def ids_of(self, address: str) -> frozenset[str] | None:
        """Return the ids on the page at an address, none for a hand-written one; None if there is no page."""
        is_written = address not in self.ids and is_hand_written(self.docs, address)
        return frozenset() if is_written else self.ids.get(address)

    def parts_of(self, address: str) -> Iterator[str]:
        """Yield the addresses of the pages that hold what the page at an address has no room for."""
        uri = self.uris.get(address)
        stem = f"{uri.removesuffix('.md')}/" if uri is not None else ""
        yield from (other for other, first in self.uris.items() if stem and first.startswith(stem))

    def is_file(self, uri: str) -> bool:
        """Say whether the site has a file of this name that is not a page."""
        of_root = uri.removeprefix(self.folder)
        is_generated = of_root in _GENERATED_FILES or uri in self.files or _is_of_theme(uri)
        return is_generated or (self.docs is not None and _is_file(self.docs / uri))

    def with_unknown_sites(self, known: OtherSites) -> OtherSites:
        """Return the other sites of a contract with those that nobody has named: any may have the pages that are
        neither below the reference nor files of this one.
        """

        def may_have(address: str) -> bool:
            is_below_reference = address.startswith(_REFERENCE_FOLDER)
            return "#" not in address and not is_below_reference and not self.is_file(address.rstrip("/"))

        return OtherSites(
            has_address=lambda address: may_have(address) or known.has_address(address),
            has_name=known.has_name,
            advice="run `devportal check` in the project whose site has it, which says whether the row is right",
        )


def _render_of(reference: Reference) -> RenderNeeded:
    from devportal.reference.pages.pages import reference_pages  # noqa: PLC0415 - only redirects of pages need it

    return lambda needed: reference_pages(reference.api, reference.settings, needed=needed)


def _generated_pages(
    redirects: Redirects, reference: Reference, render: RenderNeeded, others: Iterable[Page]
) -> tuple[dict[str, frozenset[str]], dict[str, str]]:
    """Return the ids on the generated pages that the redirects are about, and the uris of these and of those below
    them, by address.
    """
    addresses_to_check = pages_to_check(redirects, reference.api, reference.addresses)

    def is_needed(uri: str) -> bool:
        return any(address.startswith(unquote(url_of(uri))) for address in addresses_to_check)

    ids: dict[str, frozenset[str]] = {}
    uris: dict[str, str] = {}
    for page in chain(render(is_needed), others):
        address = unquote(url_of(page.uri))
        uris[address] = page.uri
        if address in addresses_to_check:
            ids[address] = ids_on(page)
    return ids, uris


def ids_on(page: Page) -> frozenset[str]:
    """Return the ids of the elements of a page."""
    return frozenset(map(unescape, _ID.findall(page.body)))


def is_hand_written(docs: Path | None, address: str) -> bool:
    """Return whether a hand-written page or file stands at an address."""
    if docs is None:
        return False
    stem = address.rstrip("/")
    names = (f"{stem}.md", f"{stem}/index.md", f"{stem}/README.md", stem) if stem else ("index.md",)
    return any(_is_file(docs / name) for name in names)


def _is_file(path: Path) -> bool:
    """Return whether a file is at a path; none is at one that the file system cannot have, such as a long one."""
    try:
        return path.is_file()
    except OSError:
        return False


def _is_of_theme(uri: str) -> bool:
    """Return whether the theme brings a file that goes into every site: templates do not."""
    return not uri.endswith(".html") and any(_is_file(folder / uri) for folder in _theme_folders())


@lru_cache(maxsize=1)
def _theme_folders() -> tuple[Path, ...]:
    """Return where our theme is, and the one that it builds on."""
    spec = find_spec("material")
    below = spec.submodule_search_locations if spec is not None else None
    return (THEME, *(Path(text) / "templates" for text in below or ()))


def _unreadable(error: UnreadableInput, name: str) -> Finding:
    return Finding(
        rule="redirect-unreadable",
        level=Level.ERROR,
        place=error.place or Place(file=name),
        message=error.message,
        help=error.help,
    )
