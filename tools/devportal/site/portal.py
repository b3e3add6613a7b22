"""The inputs of a portal, read once, and its output: pages, files and findings.

Modules that render a contract or records are imported only if there is something to render: a build after
another often has nothing to do.
"""

from collections import ChainMap, Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING

from jinja2 import BytecodeCache

from devportal.contract import Api, Contract
from devportal.contract.dependents import part_of
from devportal.errors import PortalError, UnreadableInput
from devportal.findings import Finding, Level, in_order
from devportal.markup import Artefact, Page, PageHead
from devportal.parallel import run_numbered_sources
from devportal.progress import count_steps, start_phase
from devportal.project.caches import files_digest, toolkit_digest
from devportal.project.inputs import Inputs, load_project_contract
from devportal.project.setting_kinds import FROM_CONTRACT
from devportal.project.settings import PortalApi
from devportal.reference.author_site import author_site
from devportal.reference.pages.stability import GroundsPages
from devportal.reference.redirects.redirect_table import NO_OTHER_SITES, OtherSites, folders_without_page
from devportal.reference.redirects.redirects import RedirectTable, redirect_files
from devportal.reference.reference import reference_of
from devportal.reporting.printable import count_noun
from devportal.site.apis.cards import ApiCard, api_card
from devportal.site.apis.pages import pages_of_apis
from devportal.site.apis.shared_schemas import common_schemas, share_schemas
from devportal.site.apis.switcher import ApiSwitcher
from devportal.site.apis.titles import with_titles
from devportal.site.cache.reuse import Edit, edit_between, parse_basis, render_basis
from devportal.site.cache.spooled_files import FileSpool, GeneratedFile
from devportal.site.cache.store import PageStore, StoredPage
from devportal.site.hand_written.grounds import DocumentedGrounds, find_documented_grounds
from devportal.site.hand_written.inserts import Inserts
from devportal.site.language import interface_for, language_of, untranslated_words
from devportal.site.output.docs_json import docs_index, docs_json
from devportal.site.output.redirects import read_redirects
from devportal.site.reload.last_inputs import LastInputs
from devportal.site.rendering.side_navigation import with_side_navigation
from devportal.site.sections.registry import read_sections
from devportal.site.sections.rendering import section_pages
from devportal.site.sections.section import ApiSection, MarksByPart, Section, SectionContext
from devportal.site.versions.older_editions import earlier_releases_of, edition_switchers_in, render_editions
from devportal.translation import current_interface, interface_of

if TYPE_CHECKING:
    from devportal.catalog import Published
    from devportal.reference.exports import EarlierFiles
    from devportal.reference.history_marks import HistoryMark, PartLocation
    from devportal.reference.rendering import PageSource
    from devportal.site.versions.editions import EarlierReleases, EditionSwitchers


UNKNOWN_TAG_RULE = "contract-audience"
"""The rule of which a finding is an error for a tag that an audience hides and the contract does not have."""
CONSOLE_MODULES = "assets/devportal/console/"
"""The folder of the modules of the console; the build adds those that depend on the contract."""
_BASIS = "basis"
"""What the name of the note with the basis that the pages of a reference were rendered from ends with."""
_REFERENCE, _OTHERS, _EARLIER = "1 reference", "2 others", "3 earlier"
"""The parts of a store, in the order of their pages; those of several APIs have their number and name behind."""
_OPERATIONS_EXPORTED_IN_TIME_OF_PAGE = 10
"""So many operations are exported in the time that rendering a page takes, about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedInputs:
    """Everything that was read, and its findings."""

    contract: Contract | None = None
    sections: tuple[Section, ...] = ()
    section_pages: tuple[Page | Artefact, ...] | None = field(default=None, repr=False)
    """The pages of the sections, if there are redirects: reading those needs the pages that they may lead to."""
    redirects: RedirectTable = field(default=RedirectTable(), repr=False)
    grounds: GroundsPages = field(default_factory=GroundsPages, repr=False)
    """The pages that describe the sources and decisions that the contract names."""
    earlier: "EarlierReleases | None" = None
    """The earlier releases that have a reference of their own."""
    findings: tuple[Finding, ...] = ()
    apis: "tuple[LoadedApi, ...]" = ()
    """The APIs of a portal of several, whose `contract` is None and whose `sections` are those of the whole site."""
    errors: tuple[PortalError, ...] = ()
    """Why contracts of several could not be read."""
    last: LastInputs | None = field(default=None, repr=False, compare=False)
    """What was read and rendered before, in a served portal."""

    @property
    def contracts(self) -> tuple[Contract, ...]:
        """Return the contract, or those of all APIs; none in a portal without."""
        listed = [api.material.contract for api in self.apis] if self.apis else [self.contract]
        return tuple(contract for contract in listed if contract is not None)

    def contract_of(self, name: str) -> Contract | None:
        """Return the contract of the API of a name; without a name the only one of the portal."""
        return next(
            (api.material.contract for api in self.apis if api.name == name),
            self.contract,
        )

    def raise_errors(self) -> None:
        """Raise PortalError if a contract of several could not be read, with what is wrong in all of them."""
        if self.errors:
            wrong = (finding for finding in self.findings if finding.level is Level.ERROR)
            raise UnreadableInput("\n".join(map(str, (*wrong, *self.errors))))

    @property
    def _public(self) -> "Published | None":
        return next(
            (section.published_records for section in self.sections if section.published_records), None
        )

    def shown_by_inserts(self) -> tuple[object, ...]:
        """Return all that was read that inserts show: the contract and what is public of the records, or what there
        is of several APIs.
        """
        return (self,) if self.apis else (self.contract, self._public)

    def inserts(self, inputs: Inputs) -> Inserts:
        """Return what makes the inserts of hand-written pages."""
        public = self._public
        if not self.apis:
            return Inserts(_api(self), inputs, docs=inputs.docs, public=public)
        references = {api.name: reference_of(api.api, api.inputs) for api in self.apis}
        return Inserts(
            None, inputs, docs=inputs.docs, public=public, apis=references, cards=api_cards_of(self)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedApi:
    """One of several APIs: its inputs, and what was read from them."""

    inputs: Inputs
    material: LoadedInputs

    @property
    def portal_api(self) -> PortalApi:
        """Return its name and title."""
        assert self.inputs.portal_api is not None  # noqa: S101 - it is one of several
        return self.inputs.portal_api

    @property
    def name(self) -> str:
        """Return its name in addresses."""
        return self.portal_api.name

    @property
    def api(self) -> Api:
        """Return what its contract describes."""
        assert self.material.contract is not None  # noqa: S101 - one that cannot be read is left out
        return self.material.contract.api

    @property
    def context(self) -> SectionContext:
        """Return what its sections are rendered with."""
        return _section_context(self.material, self.inputs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Portal:
    """A rendered portal: the bodies of its pages are in the store."""

    material: LoadedInputs
    store: PageStore = field(repr=False)
    pages: tuple[StoredPage, ...] = field(repr=False)
    artefacts: tuple[GeneratedFile, ...] = field(repr=False)
    rendered: int
    """How many pages of the reference were rendered; the others are from an earlier build."""

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


def load_inputs(inputs: Inputs, last: LastInputs | None = None, *, processes: int = 1) -> LoadedInputs:
    """Read all inputs and check them; `last` has what need not be read or rendered again.

    Up to so many `processes` render what redirects may lead to.

    Raises PortalError if the contract cannot be read; those of several that cannot are among the errors.
    """
    if inputs.contracts:
        with interface_of(interface_for(inputs, None)):
            return _load_apis(inputs, last, processes)
    start_phase("Reading the contract, records and changelog")
    if last is not None:
        last.results.begin()
    contract = _load_contract(inputs, last) if inputs.contract is not None else None
    with interface_of(interface_for(inputs, contract.api if contract is not None else None)):
        material = _load_sections(inputs, contract, last, processes)
        if inputs.redirects is not None:
            material = replace(material, section_pages=tuple(_section_pages(material, inputs, processes)))
        return _with_redirects(material, inputs)


def _load_sections(
    inputs: Inputs, contract: Contract | None, last: LastInputs | None, processes: int
) -> LoadedInputs:
    """Read the sections of a contract, or of a project without, and check all but the redirects."""
    context = SectionContext(inputs=inputs, contract=contract, processes=processes)
    sections = tuple(read_sections(context, last.section) if last is not None else read_sections(context))
    material = LoadedInputs(
        contract=contract,
        sections=sections,
        earlier=earlier_releases_of(inputs, contract, sections),
        last=last,
    )
    findings = [*(contract.findings if contract else ())]
    findings += chain.from_iterable(section.findings for section in sections)
    findings += _links_without_site(contract, inputs)
    findings += untranslated_words(inputs, _api(material))
    documented = _documented_grounds(contract, inputs)
    findings += documented.findings
    return replace(material, grounds=documented.pages, findings=tuple(findings))


def _with_redirects(
    material: LoadedInputs, inputs: Inputs, neighbours: "Sequence[LoadedApi]" = ()
) -> LoadedInputs:
    """Return what was read with its redirects, and all findings in order; `neighbours` are the APIs beside it."""
    table, redirect_findings = _build_redirect_table(material, inputs, neighbours)
    return replace(material, redirects=table, findings=in_order([*material.findings, *redirect_findings]))


def _load_contract(inputs: Inputs, last: LastInputs | None) -> Contract:
    return last.contract(inputs, load_project_contract) if last is not None else load_project_contract(inputs)


def _load_apis(inputs: Inputs, last: LastInputs | None, processes: int) -> LoadedInputs:
    """Read the inputs of several APIs. One that cannot be read is left out, and is among the errors."""
    if last is not None:
        last.results.begin()
    contracts: list[tuple[Inputs, Contract]] = []
    errors: list[PortalError] = []
    apis: list[LoadedApi] = []
    for api_inputs in inputs.apis:
        start_phase(f"Reading the contract of {api_inputs.portal_api.name if api_inputs.portal_api else ''}")
        try:
            contracts.append((api_inputs, _load_contract(api_inputs, last)))
        except PortalError as error:
            errors.append(error)
    titled = tuple(with_titles(contracts))
    sharing = share_schemas([(api_inputs, contract.api) for api_inputs, contract in titled])
    for api_inputs, (_, contract) in zip(sharing, titled, strict=True):
        try:
            apis.append(
                LoadedApi(inputs=api_inputs, material=_load_sections(api_inputs, contract, last, processes))
            )
        except PortalError as error:
            errors.append(error)
    own = _load_sections(inputs, None, last, processes)
    whole = replace(own, apis=tuple(apis), errors=tuple(errors))
    others: tuple[Page | Artefact, ...] = ()
    if any(api.inputs.redirects is not None for api in apis):
        whole = replace(whole, section_pages=tuple(_section_pages(whole, inputs, processes)))
        others = (*(whole.section_pages or ()), *_pages_of_all_apis(whole, inputs))
    apis = [
        replace(
            api,
            material=_with_redirects(
                replace(api.material, section_pages=others),
                api.inputs,
                [neighbour for neighbour in apis if neighbour is not api],
            ),
        )
        for api in apis
    ]
    findings = [*own.findings, *_findings_of_apis(apis)]
    return replace(whole, apis=tuple(apis), findings=in_order(dict.fromkeys(findings)))


def _findings_of_apis(apis: Sequence[LoadedApi]) -> Iterator[Finding]:
    """Yield the findings of all APIs. A tag that an audience hides is wrong only if none of them has it."""
    unknown_tags = Counter(
        finding.message
        for api in apis
        for finding in api.material.findings
        if finding.rule == UNKNOWN_TAG_RULE and finding.level is Level.ERROR
    )
    for api in apis:
        for finding in api.material.findings:
            is_unknown_tag = finding.rule == UNKNOWN_TAG_RULE and finding.level is Level.ERROR
            if not is_unknown_tag or unknown_tags[finding.message] == len(apis):
                yield finding


def _links_without_site(contract: Contract | None, inputs: Inputs) -> Iterator[Finding]:
    """Yield one finding for all relative links, if it is not clear which site they are for."""
    if contract is None or inputs.contract_links != FROM_CONTRACT:
        return
    from devportal.contract.validate.relative_links import relative_links  # noqa: PLC0415 - see above

    has_site = bool(author_site(contract.api, FROM_CONTRACT))
    links = tuple(
        relative_link
        for relative_link in relative_links(contract)
        if not (has_site and relative_link[1].startswith("/"))
    )
    if links:
        location, target = links[0]
        count = (
            f"{count_noun(len(links), 'link')} in descriptions {'are' if len(links) > 1 else 'is'} relative"
        )
        yield Finding(
            rule="contract-root-link",
            level=Level.WARNING,
            place=contract.place(location),
            message=f"{count}, here {target!r}, and the contract does not say to which site: shown as text",
            help="write whole addresses, name the site under externalDocs.url, or set contract_links in mkdocs.yml",
        )


def _documented_grounds(contract: Contract | None, inputs: Inputs) -> DocumentedGrounds:
    if contract is None or inputs.docs is None or not (inputs.sources or inputs.decisions):
        return DocumentedGrounds()
    return find_documented_grounds(contract, inputs.docs, sources=inputs.sources, decisions=inputs.decisions)


def _api(material: LoadedInputs) -> Api | None:
    return material.contract.api if material.contract is not None else None


def _build_redirect_table(
    material: LoadedInputs, inputs: Inputs, neighbours: "Sequence[LoadedApi]"
) -> tuple[RedirectTable, tuple[Finding, ...]]:
    """Return the redirects: those of the file of redirects, and those of folders without a page.

    They may lead to the pages of the APIs beside this one.
    """
    contract = material.contract
    if contract is None:
        return RedirectTable(), ()
    reference = reference_of(contract.api, inputs)
    folder_redirects = folders_without_page(contract.api, reference.addresses)
    if inputs.redirects is None:
        return RedirectTable(pages=folder_redirects), ()

    references = [(contract, material, inputs)]
    references += [
        (neighbour.material.contract, neighbour.material, neighbour.inputs)
        for neighbour in neighbours
        if neighbour.material.contract is not None
    ]

    rows = files_digest([(str(inputs.redirects), inputs.redirects)])

    def render(needed: Callable[[str], bool]) -> Iterator[Page]:
        for number, (of, read, settings) in enumerate(references):
            marks = _section_marks(read, settings)
            pages = partial(_pages_for_redirects, of, read.grounds, marks, settings, needed)
            if material.last is None:
                yield from pages()
                continue
            causes = (rows, of.digest, read.grounds, marks, settings, current_interface().digest)
            name = ("redirects", inputs.redirects, number)
            yield from material.last.results.result(name, causes, pages)

    section_pages = material.section_pages or ()
    table, findings = read_redirects(
        inputs.redirects,
        name=inputs.name(inputs.redirects),
        reference=reference,
        render=render,
        others=[section_page for section_page in section_pages if isinstance(section_page, Page)],
        files={section_page.uri for section_page in section_pages if isinstance(section_page, Artefact)},
        docs=inputs.docs,
        is_strict=inputs.strict_redirects,
        audiences=_other_audiences([settings for _, _, settings in references]),
    )
    return replace(table, pages={**folder_redirects, **table.pages}), findings


def _pages_for_redirects(
    contract: Contract,
    grounds: GroundsPages,
    marks_by_part: MarksByPart,
    inputs: Inputs,
    needed: Callable[[str], bool],
) -> tuple[Page, ...]:
    """Return the pages of a reference that redirects may lead to."""
    from devportal.reference.rendering import run_in_order  # noqa: PLC0415 - see above

    return tuple(run_in_order(_reference_sources(contract, grounds, marks_by_part, inputs)(needed=needed)))


def _other_audiences(projects: Sequence[Inputs]) -> OtherSites:
    """Return what the sites of other audiences have that this one does not."""
    if projects[0].chosen_audience is None:
        return NO_OTHER_SITES
    from devportal.site.output.other_audiences import sites_of_other_audiences  # noqa: PLC0415 - see above

    return sites_of_other_audiences(projects)


def render_portal(
    material: LoadedInputs,
    inputs: Inputs,
    store: PageStore,
    *,
    compiled: BytecodeCache | None = None,
    processes: int = 1,
) -> Portal:
    """Render the pages of a portal into a store. Pages of the reference that are up to date stay.

    `compiled` caches the templates of the reference between builds. Up to so many `processes` render pages.
    """
    with interface_of(interface_for(inputs, _api(material))):
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
        editions = [reference.editions for reference in references]
        others = _other_pages(material, inputs, editions, processes)
        store.replace(_OTHERS, _split_artefacts(others, lambda file: artefacts.append(spool.add(file))))
    late_findings = {finding for edition in editions if edition is not None for finding in edition.findings}
    return Portal(
        material=replace(material, findings=in_order({*material.findings, *late_findings}))
        if late_findings
        else material,
        store=store,
        pages=store.stored_pages(),
        artefacts=tuple({artefact.uri: artefact for artefact in (*artefacts, *exported)}.values()),
        rendered=sum(reference.rendered for reference in references),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedReference:
    """The reference of a contract as it was rendered: how many pages, its files, and its editions."""

    rendered: int
    files: tuple[Artefact, ...]
    editions: "EditionSwitchers | None"


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
    rendered, exported = _render_reference(material, inputs, store, part, compiled, transform, processes)
    start_phase("Rendering earlier releases and the other generated pages")
    rendered += render_editions(
        editions,
        material.grounds,
        store,
        f"{_EARLIER}{suffix}",
        settings=inputs,
        language=language_of(inputs, _api(material)),
        transform=partial(switcher.page, transform.name),
        basis=switcher.digest,
    )
    return RenderedReference(rendered=rendered, files=exported, editions=editions)


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


def _render_reference(
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
    contract = material.contract
    if contract is None:
        store.replace(part, ())
        return 0, ()
    marks = _section_marks(material, inputs)
    inputs_digest = (
        f"{toolkit_digest()} {contract.digest} {inputs.choices} {material.grounds} {inputs.site_url}"
    )
    inputs_digest += str(marks) if marks else ""
    inputs_digest += f" {language_of(inputs, contract.api)} {current_interface().digest}"
    inputs_digest += transform.digest
    cached_files = store.files(part, inputs_digest)
    if cached_files:
        return 0, cached_files
    exported: list[Artefact] = []
    rendered = _render_pages(
        contract, material.grounds, marks, inputs, store, part, compiled, transform, processes, exported
    )
    if not store.is_for_one_build:
        store.keep_files(part, inputs_digest, exported)
    return rendered, tuple(exported)


class _SourceRunner:
    """Runs sources of pages, and those of the exported files, in up to so many processes.

    Files that are made from those of the last build take little time.
    """

    def __init__(
        self,
        contract: Contract,
        inputs: Inputs,
        processes: int,
        exported: list[Artefact],
        earlier: "EarlierFiles | None" = None,
    ) -> None:
        self._exported = exported
        self._files = _exported_files(contract, inputs, earlier)
        operations = len(contract.api.operations) if earlier is None else 0
        self._files_work = operations // _OPERATIONS_EXPORTED_IN_TIME_OF_PAGE
        self._processes = processes

    def __call__(self, sources: "Sequence[PageSource]") -> Iterator[tuple[int, Page]]:
        """Yield the pages of sources, in any order, with the numbers of these. The files come first: they take the
        longest.
        """
        every: tuple[Callable[[], Iterable[Page | Artefact]], ...] = (*self._files, *sources)
        exported: list[tuple[int, Artefact]] = []
        for number, page_or_file in run_numbered_sources(every, self._processes, work=self._files_work):
            if isinstance(page_or_file, Page):
                yield number, page_or_file
            else:
                exported.append((number, page_or_file))
        self._exported[:] = (file for _, file in sorted(exported, key=itemgetter(0)))


def _earlier_files(
    contract: Contract, store: PageStore, part: str, inputs: Inputs, edit: Edit
) -> "EarlierFiles | None":
    """Return the exported files of the last build; None if they are not there."""
    from devportal.contract.bundle import is_bundled  # noqa: PLC0415 - see above
    from devportal.reference.addresses import OPENAPI_YAML, POSTMAN  # noqa: PLC0415
    from devportal.reference.exports import EarlierFiles  # noqa: PLC0415
    from devportal.reference.exports.postman import EarlierCollection  # noqa: PLC0415

    yaml, collection = (
        store.file_of_last_build(part, f"{inputs.contract_folder}{name}") for name in (OPENAPI_YAML, POSTMAN)
    )
    if yaml is None or collection is None:
        return None
    return EarlierFiles(
        yaml=yaml.decode() if is_bundled(contract) and "" not in edit.units else None,
        edited_units=edit.units,
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


def _section_marks(material: LoadedInputs, inputs: Inputs) -> MarksByPart:
    """Return the marks of all sections for the parts of the contract, in the order of the sections."""
    marks_by_part: dict[PartLocation, tuple[HistoryMark, ...]] = {}
    context = _section_context(material, inputs)
    for section in material.sections:
        for part, marks in section.marks(context).items():
            marks_by_part[part] = (*marks_by_part.get(part, ()), *marks)
    return marks_by_part


def _render_pages(
    contract: Contract,
    grounds: GroundsPages,
    marks_by_part: MarksByPart,
    inputs: Inputs,
    store: PageStore,
    part: str,
    compiled: BytecodeCache | None,
    transform: PageTransform,
    processes: int,
    exported: list[Artefact],
) -> int:
    """Bring the pages of the reference, and the `exported` files, up to date; return how many pages were rendered."""
    from devportal.reference.rendering import load_templates  # noqa: PLC0415 - see above

    load_templates(compiled)
    counted = _PageCounter(transform)
    sources = _reference_sources(contract, grounds, marks_by_part, inputs)
    run = partial(_SourceRunner, contract, inputs, processes, exported)
    if store.is_for_one_build:
        store.replace_numbered(part, counted(run()(sources())))
        return counted.number
    before = parse_basis(store.note(f"{part} {_BASIS}"))
    of_operations, of_parts = _split_marks(marks_by_part, contract, inputs)
    digest = _digest_of_all_but_contract(contract, grounds, of_parts, inputs, transform)
    digest += f" {bool(marks_by_part)}"
    basis = render_basis(digest, contract, inputs, before, of_operations)
    edit = edit_between(store, basis, before, contract)
    is_done = False
    if edit is not None:
        runner = run(_earlier_files(contract, store, part, inputs, edit))
        pages = counted(runner(sources(needed=edit.may_change_page)))
        is_done = store.update(part, (page for _, page in pages))
    if not is_done:
        store.replace_numbered(part, counted(run()(sources())))
    store.write_note(f"{part} {_BASIS}", basis.to_json())
    return counted.number


def _digest_of_all_but_contract(
    contract: Contract,
    grounds: GroundsPages,
    marks_of_parts: MarksByPart,
    inputs: Inputs,
    transform: PageTransform,
) -> str:
    """Return what changes with anything that pages of the reference are rendered from beside the contract's text, and
    the marks of operations as a whole.
    """
    from devportal.contract.bundle import is_bundled  # noqa: PLC0415 - see above
    from devportal.reference.console import console_note, has_console  # noqa: PLC0415
    from devportal.reference.pages.introduction import chapters_of  # noqa: PLC0415

    chapters = [
        chapter.anchor for chapter in chapters_of(contract.api.description)
    ]  # any page may link to them
    digest = f"{toolkit_digest()} {inputs.choices} {grounds} {chapters} {marks_of_parts}"
    digest += f" {language_of(inputs, contract.api)} {current_interface().digest}"
    digest += f" {has_console(contract.api, inputs.console)} {console_note(contract.api, inputs.console)}"
    digest += f" {is_bundled(contract)}"  # else its files are no copies
    return digest + transform.digest


def _split_marks(
    marks_by_part: MarksByPart, contract: Contract, inputs: Inputs
) -> tuple[dict[str, str], MarksByPart]:
    """Return the marks of operations as a whole as text, by the uris of the pages that alone show them, and those of
    all other parts.
    """
    from devportal.reference.pages.pages import operation_uris  # noqa: PLC0415 - see above

    uris = operation_uris(contract.api, inputs)
    wholes = {(name, ""): uri for name, uri in uris.items()}
    of_operations = {uri: str(marks_by_part[part]) for part, uri in wholes.items() if part in marks_by_part}
    return of_operations, {part: marks for part, marks in marks_by_part.items() if part not in wholes}


def _reference_sources(
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


class _PageCounter:
    """Counts the pages that it passes on with the numbers of their sources, and transforms each."""

    def __init__(self, transform: Callable[[Page], Page]) -> None:
        self.number = 0
        self._transform = transform

    def __call__(self, pages: Iterator[tuple[int, Page]]) -> Iterator[tuple[int, Page]]:
        for number, page in count_steps(pages, "Rendering pages of the reference"):
            self.number += 1
            yield number, self._transform(page)


def _split_artefacts(
    pages_and_files: Iterator[Page | Artefact], take: Callable[[Artefact], object]
) -> Iterator[Page]:
    """Yield the pages, and hand the files to `take`."""
    for page_or_file in pages_and_files:
        if isinstance(page_or_file, Page):
            yield page_or_file
        else:
            take(page_or_file)


def _other_pages(
    material: LoadedInputs,
    inputs: Inputs,
    all_editions: "Sequence[EditionSwitchers | None]",
    processes: int,
) -> Iterator[Page | Artefact]:
    """Yield the pages beside the reference, and the files that belong to them."""
    tables = [api.material.redirects for api in material.apis] or [material.redirects]
    editions = [edition for edition in all_editions if edition is not None]
    folder_redirects = ChainMap(*(edition.folder_redirects() for edition in editions))
    redirects = RedirectTable(
        pages={**folder_redirects, **ChainMap(*(dict(table.pages) for table in tables))},
        anchors=dict(ChainMap(*(dict(table.anchors) for table in tables))),
    )
    yield from redirect_files(redirects, site_url=inputs.site_url)
    for edition in editions:
        yield from edition.files()
    yield from _section_pages(material, inputs, processes)
    if material.contract is not None:
        context = _section_context(material, inputs)
        yield docs_json(
            material.contract.api, inputs, [section.records(context) for section in material.sections]
        )
    elif material.apis:
        yield from _pages_of_all_apis(material, inputs)


def _pages_of_all_apis(material: LoadedInputs, inputs: Inputs) -> Iterator[Page | Artefact]:
    """Yield the pages and files of a portal of several APIs that are about all of them."""
    from devportal.reference.exports import catalog_file  # noqa: PLC0415 - see above

    for api in material.apis:
        yield docs_json(
            api.api,
            api.inputs,
            [section.records(api.context) for section in api.material.sections],
        )
    yield docs_index(inputs, [api.inputs for api in material.apis])
    yield catalog_file([(api.api, api.inputs) for api in material.apis], site_url=inputs.site_url)
    common = common_schemas([(api.inputs, api.api) for api in material.apis])
    yield from pages_of_apis(inputs, api_cards_of(material), common)


def api_cards_of(material: LoadedInputs) -> tuple[ApiCard, ...]:
    """Return the cards of all APIs of a portal, in their order."""
    return tuple(
        api_card(
            api.api,
            api.inputs,
            [section.records(api.context) for section in api.material.sections],
        )
        for api in material.apis
    )


def _section_pages(material: LoadedInputs, inputs: Inputs, processes: int) -> Iterable[Page | Artefact]:
    """Return the pages of the sections, with the navigation of their areas, and the files that belong to them."""
    if material.section_pages is not None:
        return material.section_pages
    context = replace(_section_context(material, inputs), processes=processes)
    last = material.last
    own = (
        section_pages(material.sections, context, _pages_of)
        if last is None
        else chain.from_iterable(
            last.section_pages(section, context, partial(_pages_of, section)) for section in material.sections
        )
    )
    return chain(own, _section_pages_of_apis(material, inputs)) if material.apis else own


def _section_pages_of_apis(material: LoadedInputs, inputs: Inputs) -> Iterator[Page | Artefact]:
    """Yield the pages of the sections of all APIs, one section after the other."""
    by_class: dict[type[Section], list[ApiSection]] = {}
    for api in material.apis:
        for section in api.material.sections:
            listed = by_class.setdefault(type(section), [])
            listed.append(ApiSection(section=section, context=api.context))
    for section_class, listed in by_class.items():
        yield from section_class.pages_of_apis(inputs, listed)


def _pages_of(section: Section, context: SectionContext) -> Iterator[Page | Artefact]:
    navigation = section.navigation()
    for page in section.pages(context):
        area = navigation.get(page.uri.partition("/")[0])
        yield with_side_navigation(page, area) if isinstance(page, Page) and area is not None else page


def _section_context(material: LoadedInputs, inputs: Inputs) -> SectionContext:
    references = material.earlier.references(inputs.overview) if material.earlier is not None else {}
    return SectionContext(inputs=inputs, contract=material.contract, references=references)
