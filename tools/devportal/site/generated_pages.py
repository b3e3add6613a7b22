"""The uris of the pages that a build generates, known without rendering the reference."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from devportal.contract import Contract
from devportal.markup import Page
from devportal.project.inputs import Inputs
from devportal.project.settings import path_settings
from devportal.reference.addresses import APIS
from devportal.site.apis.pages import HOME
from devportal.site.loaded_inputs import LoadedInputs
from devportal.site.other_pages import section_pages_of
from devportal.site.reference_build import sources_of_reference
from devportal.site.rendering.page_texts import area_index, area_of


@dataclass(frozen=True)
class GeneratedPages:
    """The generated pages of a project that was read. The pages of sections are rendered only if one is asked for
    that is not the first of its area.
    """

    material: LoadedInputs
    inputs: Inputs

    def has(self, uri: str) -> bool:
        """Say whether there is a page of this uri."""
        return uri in self._first_pages or uri in self._pages_of_references or self._is_below_section(uri)

    @property
    def candidates(self) -> frozenset[str]:
        """The pages that one which does not exist may mean."""
        return self._first_pages | self._pages_of_references

    @cached_property
    def indexes(self) -> frozenset[str]:
        """The first page of each area, which `nav` is expected to have."""
        return frozenset(uri for uri in self._first_pages if area_index(uri) == uri)

    @property
    def _references(self) -> Iterator[tuple[Contract, LoadedInputs, Inputs]]:
        loaded = [(api.material, api.inputs) for api in self.material.apis] or [(self.material, self.inputs)]
        for material, inputs in loaded:
            if material.contract is not None:
                yield material.contract, material, inputs

    @cached_property
    def _first_pages(self) -> frozenset[str]:
        """The first page of each reference, earlier ones included, and of each section."""
        uris = {HOME, APIS} if self.material.apis else set()
        for _, material, inputs in self._references:
            uris.add(inputs.overview)
            if material.earlier is not None:
                uris.update(material.earlier.references(inputs.overview).values())
        return frozenset(uris | {f"{area}/index.md" for area in self._areas_of_sections})

    @cached_property
    def _areas_of_sections(self) -> frozenset[str]:
        projects = (self.inputs, *self.inputs.apis)
        return frozenset(
            area
            for name, kind in path_settings().items()
            for area in kind.pages
            if any(getattr(project, name) is not None for project in projects)
        )

    @cached_property
    def _pages_of_references(self) -> frozenset[str]:
        return frozenset(
            source.uri
            for contract, material, inputs in self._references
            for source in sources_of_reference(contract, material.grounds, {}, inputs)()
        )

    def _is_below_section(self, uri: str) -> bool:
        return area_of(uri) in self._areas_of_sections and uri in self._pages_of_sections

    @cached_property
    def _pages_of_sections(self) -> frozenset[str]:
        return frozenset(
            page.uri for page in section_pages_of(self.material, self.inputs, 1) if isinstance(page, Page)
        )
