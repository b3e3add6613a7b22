"""Brings the pages of a reference, and the files that are made from its contract, up to date in a store.

Modules that render a contract or records are imported only if there is something to render: a build after
another often has nothing to do.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING

from jinja2 import BytecodeCache

from devportal.contract import Api, Contract
from devportal.contract.published.dependents import part_of
from devportal.markup import Artefact, Page
from devportal.parallel import run_numbered_sources
from devportal.progress import count_steps
from devportal.project.caches import toolkit_digest
from devportal.project.inputs import Inputs
from devportal.reference.pages.stability import GroundsPages
from devportal.site.apis.switcher import ApiSwitcher
from devportal.site.cache.reuse import Edit, edit_between, parse_basis, render_basis
from devportal.site.cache.store import PageStore
from devportal.site.language import language_of
from devportal.site.loaded_inputs import LoadedInputs
from devportal.site.sections.section import MarksByPart
from devportal.translation import current_interface

if TYPE_CHECKING:
    from devportal.reference.exports import EarlierFiles
    from devportal.reference.history_marks import HistoryMark, PartLocation
    from devportal.reference.rendering import PageSource
    from devportal.site.versions.editions import EditionSwitchers


_BASIS = "basis"
"""What the name of the note with the basis that the pages of a reference were rendered from ends with."""
_OPERATIONS_EXPORTED_IN_TIME_OF_PAGE = 10
"""So many operations are exported in the time that rendering a page takes, about."""


@dataclass(frozen=True, kw_only=True)
class PageTransform:
    """What is added to pages of the reference: the switchers of versions and, in a portal of several, of APIs."""

    editions: "EditionSwitchers | None"
    switcher: ApiSwitcher
    name: str

    def __call__(self, page: Page) -> Page:
        """Return a page with its switchers."""
        has_versions = self.editions is not None and not self.switcher.is_shared(page)
        versioned = self.editions.current.page(page) if self.editions and has_versions else page
        return self.switcher.page(self.name, versioned)

    @property
    def digest(self) -> str:
        """Return a digest of all that it adds; empty for nothing."""
        versions = self.editions.current.digest() if self.editions is not None else ""
        return f"{versions}{self.switcher.digest}"


@dataclass(frozen=True, kw_only=True)
class _ReferenceInputs:
    """What the pages of a reference, and the files that are exported from its contract, are made from."""

    contract: Contract
    grounds: GroundsPages
    marks: MarksByPart
    inputs: Inputs
    transform: PageTransform

    @property
    def digest(self) -> str:
        """Return a digest of everything that pages and files are made from."""
        inputs = self.inputs
        digest = (
            f"{toolkit_digest()} {self.contract.digest} {inputs.choices} {self.grounds} {inputs.site_url}"
        )
        digest += str(self.marks) if self.marks else ""
        return f"{digest} {self._language_digest}{self.transform.digest}"

    def digest_beside_contract(self, marks_of_parts: MarksByPart) -> str:
        """Return what changes with anything that pages are rendered from beside the contract's text, and the marks of
        operations as a whole.
        """
        from devportal.contract.published.bundle import is_bundled  # noqa: PLC0415 - see above
        from devportal.reference.console import console_note, has_console  # noqa: PLC0415
        from devportal.reference.pages.introduction import chapters_of, introduction_of  # noqa: PLC0415

        api, inputs = self.contract.api, self.inputs
        chapters = [
            chapter.anchor for chapter in chapters_of(introduction_of(api))
        ]  # any page may link to them
        digest = f"{toolkit_digest()} {inputs.choices} {self.grounds} {chapters} {marks_of_parts}"
        digest += f" {self._language_digest}"
        digest += f" {has_console(api, inputs.console)} {console_note(api, inputs.console)}"
        digest += f" {is_bundled(self.contract)}"  # else its files are not copies
        return f"{digest}{self.transform.digest} {bool(self.marks)}"

    @property
    def _language_digest(self) -> str:
        return f"{language_of(self.inputs, self.contract.api)} {current_interface().digest}"

    def split_marks(self) -> tuple[dict[str, str], MarksByPart]:
        """Return the marks of operations as a whole as text, by the uris of the pages that alone show them, and those
        of all other parts.
        """
        from devportal.reference.pages.pages import operation_uris  # noqa: PLC0415 - see above

        uris = operation_uris(self.contract.api, self.inputs)
        wholes = {(name, ""): uri for name, uri in uris.items()}
        of_operations = {uri: str(self.marks[part]) for part, uri in wholes.items() if part in self.marks}
        return of_operations, {part: marks for part, marks in self.marks.items() if part not in wholes}

    def sidebars(self) -> Callable[[str, str], str]:
        """Return what returns the sidebar of a page, by its uri and that of its source."""
        from devportal.reference.pages.pages import sidebar_of  # noqa: PLC0415 - see above
        from devportal.reference.reference import reference_of  # noqa: PLC0415

        reference = reference_of(self.contract.api, self.inputs)
        sidebar = sidebar_of(reference, language=language_of(self.inputs, self.contract.api))

        def of_page(uri: str, source: str) -> str:
            html = sidebar.html(uri, "" if uri == source else source)
            page = Page(uri=uri, title="", description="", body="", markdown="", sidebar=html)
            return self.transform(page).sidebar

        return of_page

    def page_sources(self) -> "Callable[..., tuple[PageSource, ...]]":
        """Return what returns the sources of the pages, as `sources_of_reference` does."""
        return sources_of_reference(self.contract, self.grounds, self.marks, self.inputs)


def render_reference(
    material: LoadedInputs,
    inputs: Inputs,
    store: PageStore,
    part: str,
    compiled: BytecodeCache | None,
    transform: PageTransform,
    processes: int,
) -> tuple[int, tuple[Artefact, ...]]:
    """Bring the pages of a contract and its exported files up to date.

    Returns how many pages were rendered, and the files. If nothing has changed, both come from the store.
    """
    if material.contract is None:
        store.replace(part, ())
        return 0, ()
    made_from = _ReferenceInputs(
        contract=material.contract,
        grounds=material.grounds,
        marks=section_marks(material, inputs),
        inputs=inputs,
        transform=transform,
    )
    digest = made_from.digest
    cached_files = store.files(part, digest)
    if cached_files:
        return 0, cached_files
    from devportal.reference.rendering import load_templates  # noqa: PLC0415 - see above

    load_templates(compiled)
    rendered, exported = _render_pages(made_from, store, part, processes)
    if not store.is_for_one_build:
        store.keep_files(part, digest, exported)
    return rendered, exported


def _render_pages(
    made_from: _ReferenceInputs, store: PageStore, part: str, processes: int
) -> tuple[int, tuple[Artefact, ...]]:
    """Bring the pages of the reference up to date; return how many were rendered, and the exported files."""
    from devportal.reference.rendering import needed_sources  # noqa: PLC0415 - see above

    contract, inputs = made_from.contract, made_from.inputs
    counted = _PageCounter(made_from.transform)
    sources = made_from.page_sources()

    def render_all() -> tuple[Artefact, ...]:
        runner = _SourceRunner(contract, inputs, processes)
        every = sources()
        store.replace_sourced(part, [source.uri for source in every], counted(runner(every)))
        return runner.exported

    if store.is_for_one_build:
        exported = render_all()
        return counted.number, exported
    before = parse_basis(store.note(f"{part} {_BASIS}"))
    of_operations, of_parts = made_from.split_marks()
    basis = render_basis(made_from.digest_beside_contract(of_parts), contract, inputs, before, of_operations)
    edit = edit_between(store, basis, before, contract)
    is_done = False
    if edit is not None:
        every = {source.uri: source for source in sources()}
        sidebars: dict[str, str] = {}
        if edit.changes_lists:
            sidebars, others = _changed_sidebars(store, part, every, made_from.sidebars())
            edit = edit.with_pages(others)
        earlier = _earlier_files(contract, store, part, inputs, edit)
        runner = _SourceRunner(contract, inputs, processes, earlier)
        changed = needed_sources(every.values(), edit.may_change_page)
        is_done = store.update(
            part,
            tuple(every),
            counted(runner(changed)),
            rendered={source.uri for source in changed},
            sidebars=sidebars,
        )
        exported = runner.exported
    if not is_done:
        exported = render_all()
    store.write_note(f"{part} {_BASIS}", basis.to_json())
    return counted.number, exported


def _changed_sidebars(
    store: PageStore, part: str, sources: Collection[str], sidebar_of: Callable[[str, str], str]
) -> tuple[dict[str, str], set[str]]:
    """Return the sidebars that are not what they were, by the uris of their pages, and the sources of pages that have
    more or fewer elements by them: how much room there is for the body decides on what it shows.
    """
    from devportal.reference.schema.rows_html import count_html_nodes  # noqa: PLC0415 - see above

    changed: dict[str, str] = {}
    others = set()
    for uri, source, was in store.sidebars(part):
        if source not in sources:
            continue
        html = sidebar_of(uri, source)
        if count_html_nodes(html) != count_html_nodes(was):
            others.add(source)
        elif html != was:
            changed[uri] = html
    return changed, others


class _SourceRunner:
    """Runs sources of pages, and those of the exported files, in up to this many processes.

    Files that are made from those of the last build take little time.
    """

    def __init__(
        self, contract: Contract, inputs: Inputs, processes: int, earlier: "EarlierFiles | None" = None
    ) -> None:
        self.exported: tuple[Artefact, ...] = ()
        """The exported files in their order, once all pages were yielded."""
        self._files = _exported_files(contract, inputs, earlier)
        operations = len(contract.api.operations) if earlier is None else 0
        self._files_work = operations // _OPERATIONS_EXPORTED_IN_TIME_OF_PAGE
        self._processes = processes

    def __call__(self, sources: "Sequence[PageSource]") -> Iterator[tuple[str, Page]]:
        """Yield the pages of sources, in any order, with the uris of these. The files come first: they take the
        longest.
        """
        every: tuple[Callable[[], Iterable[Page | Artefact]], ...] = (*self._files, *sources)
        exported: list[tuple[int, Artefact]] = []
        for number, page_or_file in run_numbered_sources(every, self._processes, work=self._files_work):
            if isinstance(page_or_file, Page):
                yield sources[number - len(self._files)].uri, page_or_file
            else:
                exported.append((number, page_or_file))
        self.exported = tuple(file for _, file in sorted(exported, key=itemgetter(0)))


class _PageCounter:
    """Counts the pages that it passes on with their sources, and transforms each."""

    def __init__(self, transform: Callable[[Page], Page]) -> None:
        self.number = 0
        self._transform = transform

    def __call__(self, pages: Iterator[tuple[str, Page]]) -> Iterator[tuple[str, Page]]:
        for source, page in count_steps(pages, "Rendering pages of the reference"):
            self.number += 1
            yield source, self._transform(page)


def _earlier_files(
    contract: Contract, store: PageStore, part: str, inputs: Inputs, edit: Edit
) -> "EarlierFiles | None":
    """Return the exported files of the last build; None if they are not there."""
    from devportal.contract.published.bundle import is_bundled  # noqa: PLC0415 - see above
    from devportal.reference.addresses import OPENAPI_YAML, POSTMAN  # noqa: PLC0415
    from devportal.reference.exports import EarlierFiles  # noqa: PLC0415
    from devportal.reference.exports.postman import EarlierCollection  # noqa: PLC0415

    yaml, collection = (
        store.file_of_last_build(part, f"{inputs.contract_folder}{name}") for name in (OPENAPI_YAML, POSTMAN)
    )
    if yaml is None or collection is None:
        return None
    units = edit.units if edit.units is not None and is_bundled(contract) else frozenset({""})
    return EarlierFiles(
        yaml=yaml.decode() if "" not in units else None,
        edited_units=units,
        collection=EarlierCollection(
            text=collection.decode(),
            is_same_operation=lambda operation: part_of(operation.location) not in edit.parts,
            may_change_text=edit.may_change_text,
        ),
    )


def _exported_files(
    contract: Contract, inputs: Inputs, earlier: "EarlierFiles | None"
) -> tuple[Callable[[], Iterable[Artefact]], ...]:
    """Return what yields the files for other programs, and those for the consoles of operations."""
    from devportal.reference.exports import client_files, contract_files  # noqa: PLC0415 - see above

    return (
        partial(contract_files, contract, inputs, earlier),
        partial(client_files, contract, inputs, site_url=inputs.site_url, earlier=earlier),
        partial(_console_files, contract.api, inputs),
    )


def _console_files(api: Api, inputs: Inputs) -> Iterable[Artefact]:
    """Return the files for the consoles of operations, if they have any."""
    from devportal.reference.console import (  # noqa: PLC0415 - see above
        console_files,
        has_console,
        language_files,
        signed_in_page,
    )

    if not has_console(api, inputs.console):
        return ()
    return (*console_files(api, inputs), *language_files(inputs), signed_in_page())


def section_marks(material: LoadedInputs, inputs: Inputs) -> MarksByPart:
    """Return the marks of all sections for the parts of the contract, in the order of the sections."""
    marks_by_part: dict[PartLocation, tuple[HistoryMark, ...]] = {}
    context = material.section_context(inputs)
    for section in material.sections:
        for part, marks in section.marks(context).items():
            marks_by_part[part] = (*marks_by_part.get(part, ()), *marks)
    return marks_by_part


def sources_of_reference(
    contract: Contract, grounds: GroundsPages, marks_by_part: MarksByPart, inputs: Inputs
) -> "Callable[..., tuple[PageSource, ...]]":
    """Return what returns the sources of the pages of the reference: all that decides how large pages are divided
    is set.
    """
    from devportal.reference.console import console_note, has_console  # noqa: PLC0415 - see above
    from devportal.reference.history_marks import HistoryMarks  # noqa: PLC0415
    from devportal.reference.pages.pages import reference_sources  # noqa: PLC0415

    sources = partial(
        reference_sources,
        contract.api,
        inputs,
        grounds=grounds,
        has_console=has_console(contract.api, inputs.console),
        console_note=console_note(contract.api, inputs.console),
        language=language_of(inputs, contract.api),
    )
    return partial(sources, marks=HistoryMarks(marks_by_part, contract.api)) if marks_by_part else sources
