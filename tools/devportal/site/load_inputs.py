"""Reads the inputs of a portal once, and checks them."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from devportal.contract import Contract
from devportal.errors import PortalError
from devportal.findings import Finding, Level, in_order
from devportal.markup import Artefact, Page
from devportal.progress import start_phase
from devportal.project.caches import files_digest
from devportal.project.inputs import Inputs, load_project_contract
from devportal.project.setting_kinds import FROM_CONTRACT
from devportal.reference.author_site import author_site
from devportal.reference.pages.stability import GroundsPages
from devportal.reference.redirects.redirect_table import NO_OTHER_SITES, OtherSites, folders_without_page
from devportal.reference.redirects.redirects import RedirectTable
from devportal.reference.reference import reference_of
from devportal.reporting.printable import count_noun
from devportal.site.apis.shared_schemas import share_schemas
from devportal.site.apis.titles import with_titles
from devportal.site.hand_written.grounds import DocumentedGrounds, find_documented_grounds
from devportal.site.language import interface_for, untranslated_words
from devportal.site.loaded_inputs import LoadedApi, LoadedInputs
from devportal.site.other_pages import pages_of_all_apis, section_pages_of
from devportal.site.output.redirects import read_redirects
from devportal.site.reference_build import section_marks, sources_of_reference
from devportal.site.reload.last_inputs import LastInputs
from devportal.site.sections.registry import read_sections
from devportal.site.sections.section import MarksByPart, SectionContext
from devportal.site.versions.older_editions import earlier_releases_of
from devportal.translation import current_interface, interface_of

UNKNOWN_TAG_RULE = "contract-audience"
"""The rule of which a finding is an error for a tag that an audience hides and the contract does not have."""


def load_inputs(inputs: Inputs, last: LastInputs | None = None, *, processes: int = 1) -> LoadedInputs:
    """Read all inputs and check them; `last` has what need not be read or rendered again.

    Up to this many `processes` render what redirects may lead to.

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
            material = replace(material, section_pages=tuple(section_pages_of(material, inputs, processes)))
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
    findings += untranslated_words(inputs, material.api)
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
        whole = replace(whole, section_pages=tuple(section_pages_of(whole, inputs, processes)))
        others = (*(whole.section_pages or ()), *pages_of_all_apis(whole, inputs))
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
    from devportal.contract.validate.relative_links import relative_links  # noqa: PLC0415 - slow to import

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
            marks = section_marks(read, settings)
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
        with_setting=inputs.with_setting,
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
    sources = sources_of_reference(contract, grounds, marks_by_part, inputs)(needed=needed)
    return tuple(page for source in sources for page in source())


def _other_audiences(projects: Sequence[Inputs]) -> OtherSites:
    """Return what the sites of other audiences have that this one does not."""
    if projects[0].chosen_audience is None:
        return NO_OTHER_SITES
    from devportal.site.output.other_audiences import sites_of_other_audiences  # noqa: PLC0415 - slow to import

    return sites_of_other_audiences(projects)
