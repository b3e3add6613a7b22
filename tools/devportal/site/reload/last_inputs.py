"""What was read and rendered from the inputs of a served portal the last time, if they are still the same."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

from devportal.contract import Contract
from devportal.contract.read.files import ReadDocument
from devportal.documents import Document, parse_document, read_text
from devportal.last_results import LastResults
from devportal.markup import Artefact, Page
from devportal.project.inputs import Inputs, fingerprint
from devportal.site.sections.section import Section, SectionContext
from devportal.translation import current_interface

MOST_KEPT = 100_000_000
"""So many characters of the pages of a section, and bytes of its files, are kept at most."""


class LoadContract(Protocol):
    """Reads the contract of a project, as `load_project_contract` does."""

    def __call__(self, inputs: Inputs, read: ReadDocument) -> Contract:
        """Return the contract of a project, whose files `read` reads. Raises PortalError."""


class LastInputs:
    """Contracts, sections and their pages, each with all that it was made from."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.results = LastResults()
        """What is read for each build, but contracts."""
        self._parts: dict[type[Section], LastResults] = {}
        self._contracts: dict[str, tuple[object, Contract]] = {}
        self._files: dict[str, LastResults] = {}
        """The parsed files of each contract."""
        self._pages: dict[type[Section], tuple[object, list[Page | Artefact]]] = {}

    def contract(self, inputs: Inputs, load: LoadContract) -> Contract:
        """Return the contract of a project as it was read, or read it: of its files, those that have changed are
        parsed. Raises what `load` raises.

        One that names files that do not exist is read again: they may exist now.
        """
        name = str(inputs.contract)
        before, contract = self._contracts.get(name, (None, None))
        if contract is not None and before == _contract_causes(inputs, contract):
            return contract
        self._contracts.pop(name, None)
        files = self._files.setdefault(name, LastResults())
        files.begin()
        contract = load(inputs, partial(_read_document, files))
        if not contract.names_absent_files:
            self._contracts[name] = _contract_causes(inputs, contract), contract
        return contract

    def section(
        self, section_class: type[Section], context: SectionContext, read: Callable[[SectionContext], Section]
    ) -> Section:
        """Return a section as it was read, or read it. Raises what `read` raises."""
        causes = section_class.read_causes(context)
        if causes is None:
            return read(context)
        api = context.inputs.portal_api.name if context.inputs.portal_api is not None else ""
        name = ("section", section_class, api)
        return self.results.result(name, (causes, current_interface().digest), lambda: read(context))

    def section_pages(
        self,
        section: Section,
        context: SectionContext,
        render: Callable[[SectionContext], Iterable[Page | Artefact]],
    ) -> Iterator[Page | Artefact]:
        """Yield the pages and files of a section as they were rendered, or render them.

        The context that they are rendered with has the parts of those of the last time. What would take much memory
        is not kept.
        """
        causes = section.page_causes(context)
        all_causes = (causes, context.inputs.choices, context.inputs.today, current_interface().digest)
        before, pages = self._pages.get(type(section), (None, []))
        if causes is not None and before == all_causes:
            yield from pages
            return
        self._pages.pop(type(section), None)
        parts = self._parts.setdefault(type(section), LastResults())
        parts.begin()
        made: list[Page | Artefact] = []
        characters = 0
        for page in render(replace(context, last=parts)):
            yield page
            characters += _size(page)
            if characters <= MOST_KEPT:
                made.append(page)
            else:
                parts.forget()
        if characters > MOST_KEPT:
            del self._parts[type(section)]
        elif causes is not None:
            self._pages[type(section)] = all_causes, made


def _read_document(
    files: LastResults, path: Path, *, name: str | None, allow_repeated_keys: bool
) -> Document:
    """Return a file as it was parsed from the same text, or parse it. Nobody changes what a document holds."""
    name = name if name is not None else str(path)
    text = read_text(path, name=name)
    return files.result(
        (path, name, allow_repeated_keys),
        text,
        lambda: parse_document(text, name=name, allow_repeated_keys=allow_repeated_keys),
    )


def _size(page: Page | Artefact) -> int:
    return len(page.body) + len(page.markdown) if isinstance(page, Page) else len(page.content)


def _contract_causes(inputs: Inputs, contract: Contract) -> object:
    """Return all that a contract was read with: settings, and the sizes and times of files."""
    alone = replace(inputs, records=None, changelog=None, releases=None, results=None, docs=None)
    return alone, fingerprint(alone, contract)
