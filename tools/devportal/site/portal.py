"""A portal: its pages, files and findings, rendered from what was read of its inputs."""

from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from jinja2 import BytecodeCache

from devportal.findings import in_order
from devportal.markup import Artefact, Page, PageHead
from devportal.progress import start_phase
from devportal.project.inputs import Inputs
from devportal.reference.redirects.redirects import RedirectTable, redirect_files
from devportal.reporting.printable import count_noun
from devportal.site.apis.switcher import ApiSwitcher
from devportal.site.cache.spooled_files import FileSpool, GeneratedFile
from devportal.site.cache.store import PageStore, StoredPage
from devportal.site.language import interface_for, language_of
from devportal.site.loaded_inputs import LoadedApi, LoadedInputs
from devportal.site.other_pages import pages_of_all_apis, section_pages_of
from devportal.site.output.docs_json import docs_json
from devportal.site.reference_build import PageTransform, render_reference
from devportal.site.versions.older_editions import edition_switchers_in, former_pages_in, render_editions
from devportal.translation import interface_of

if TYPE_CHECKING:
    from devportal.site.versions.editions import EditionSwitchers
    from devportal.site.versions.moved_pages import FormerPages


CONSOLE_MODULES = "assets/devportal/console/"
"""The folder of the modules of the console; the build adds those that depend on the contract."""
_REFERENCE, _OTHERS, _EARLIER = "1 reference", "2 others", "3 earlier"
"""The parts of a store, in the order of their pages; those of several APIs have their number and name behind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Portal:
    """A rendered portal: the bodies of its pages are in the store."""

    material: LoadedInputs
    store: PageStore = field(repr=False)
    pages: tuple[StoredPage, ...] = field(repr=False)
    artefacts: tuple[GeneratedFile, ...] = field(repr=False)
    rendered: int
    """How many pages of the reference were rendered; the others are from an earlier build."""

    redirects: Mapping[str, str] = field(default_factory=dict, repr=False)
    """New addresses by old ones, from the root of the site, unquoted."""

    logo_files: tuple[Artefact, ...] = field(default=(), repr=False)
    """The files of a logo that no setting chose."""

    @property
    def has_console(self) -> bool:
        """Say whether operations can be tried on their pages."""
        return any(artefact.uri.startswith(CONSOLE_MODULES) for artefact in self.artefacts)

    @property
    def heads(self) -> tuple[PageHead, ...]:
        """Return the pages without their bodies."""
        return tuple(page.head for page in self.pages)


def render_portal(
    material: LoadedInputs,
    inputs: Inputs,
    store: PageStore,
    *,
    compiled: BytecodeCache | None = None,
    processes: int = 1,
) -> Portal:
    """Render the pages of a portal into a store. Pages of the reference that are up to date stay.

    `compiled` caches the templates of the reference between builds. Up to this many `processes` render pages.
    """
    with interface_of(interface_for(inputs, material.api)):
        return _render_portal(material, inputs, store, compiled, processes)


def _render_portal(
    material: LoadedInputs, inputs: Inputs, store: PageStore, compiled: BytecodeCache | None, processes: int
) -> Portal:
    contracts = [LoadedApi(inputs=inputs, material=material)] if not material.apis else [*material.apis]
    suffixes = [
        f" {number:03} {contract.name}" if material.apis else "" for number, contract in enumerate(contracts)
    ]
    switcher = ApiSwitcher(tuple((api.portal_api, api.inputs.overview) for api in material.apis))
    spool = FileSpool()
    artefacts: list[GeneratedFile] = []
    exported: list[GeneratedFile] = []
    references: list[RenderedReference] = []
    with store.writing():
        store.keep_parts(
            [_OTHERS, *(f"{part}{suffix}" for part in (_REFERENCE, _EARLIER) for suffix in suffixes)]
        )
        for contract, suffix in zip(contracts, suffixes, strict=True):
            reference = _render_contract(contract, store, suffix, switcher, compiled, processes)
            references.append(reference)
            exported += map(spool.add, reference.files)
        editions = [reference.editions for reference in references if reference.editions is not None]
        redirects = _all_redirects(material, references)
        others = _other_pages(material, inputs, editions, redirects, processes)
        store.replace(_OTHERS, _split_artefacts(others, lambda file: artefacts.append(spool.add(file))))
    late_findings = {finding for edition in editions for finding in edition.findings}
    return Portal(
        material=replace(material, findings=in_order({*material.findings, *late_findings}))
        if late_findings
        else material,
        store=store,
        pages=store.stored_pages(),
        artefacts=tuple({artefact.uri: artefact for artefact in (*artefacts, *exported)}.values()),
        rendered=sum(reference.rendered for reference in references),
        redirects=redirects.pages,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedReference:
    """The reference of a contract as it was rendered: how many pages, its files, its editions, and where the pages of
    earlier releases are now.
    """

    rendered: int
    files: tuple[Artefact, ...]
    editions: "EditionSwitchers | None"
    former: "FormerPages | None"


def _render_contract(
    loaded: LoadedApi,
    store: PageStore,
    suffix: str,
    switcher: ApiSwitcher,
    compiled: BytecodeCache | None,
    processes: int,
) -> RenderedReference:
    """Bring the pages of a contract and of its earlier releases up to date in the parts of a store."""
    material, inputs = loaded.material, loaded.inputs
    editions = edition_switchers_in(material.earlier, material.contract, material.sections, inputs, store)
    operations = len(material.contract.api.operations) if material.contract else 0
    of_api = f" of {inputs.portal_api.title}" if inputs.portal_api is not None else ""
    start_phase(f"Rendering pages{of_api}: {count_noun(operations, 'operation')}")
    transform = PageTransform(editions=editions, switcher=switcher, name=loaded.name if of_api else "")
    part = f"{_REFERENCE}{suffix}"
    rendered, exported = render_reference(material, inputs, store, part, compiled, transform, processes)
    start_phase("Rendering earlier releases and the other generated pages")
    rendered += render_editions(
        editions,
        material.grounds,
        store,
        f"{_EARLIER}{suffix}",
        settings=inputs,
        language=language_of(inputs, material.api),
        transform=partial(switcher.page, transform.name),
        basis=switcher.digest,
    )
    former = former_pages_in(material.contract, material.sections, inputs, store)
    return RenderedReference(rendered=rendered, files=exported, editions=editions, former=former)


def _all_redirects(material: LoadedInputs, references: Iterable[RenderedReference]) -> RedirectTable:
    """Return the redirects of all contracts. Those that somebody wrote come first."""
    tables = [api.material.redirects for api in material.apis] or [material.redirects]
    former = [reference.former for reference in references if reference.former is not None]
    moved = ChainMap(*(dict(pages.moved) for pages in former))
    folders = ChainMap(
        *(reference.editions.folder_redirects() for reference in references if reference.editions is not None)
    )
    return RedirectTable(
        pages={**moved, **folders, **ChainMap(*(dict(table.pages) for table in tables))},
        anchors=dict(ChainMap(*(dict(table.anchors) for table in tables))),
        removed=dict(ChainMap(*(dict(pages.removed) for pages in former))),
    )


def _other_pages(
    material: LoadedInputs,
    inputs: Inputs,
    editions: "Sequence[EditionSwitchers]",
    redirects: RedirectTable,
    processes: int,
) -> Iterator[Page | Artefact]:
    """Yield the pages beside the reference, and the files that belong to them."""
    yield from redirect_files(redirects, site_url=inputs.site_url)
    for edition in editions:
        yield from edition.files()
    yield from section_pages_of(material, inputs, processes)
    if material.contract is not None:
        context = material.section_context(inputs)
        yield docs_json(
            material.contract.api, inputs, [section.records(context) for section in material.sections]
        )
    elif material.apis:
        yield from pages_of_all_apis(material, inputs)


def _split_artefacts(
    pages_and_files: Iterator[Page | Artefact], take: Callable[[Artefact], object]
) -> Iterator[Page]:
    """Yield the pages, and hand the files to `take`."""
    for page_or_file in pages_and_files:
        if isinstance(page_or_file, Page):
            yield page_or_file
        else:
            take(page_or_file)
