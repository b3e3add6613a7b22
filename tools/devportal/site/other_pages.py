"""The generated pages beside the reference, and the files that belong to them."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain

from devportal.markup import Artefact, Page
from devportal.project.inputs import Inputs
from devportal.site.apis.pages import pages_of_apis
from devportal.site.apis.shared_schemas import common_schemas
from devportal.site.loaded_inputs import LoadedInputs, api_cards_of
from devportal.site.output.docs_json import docs_index, docs_json
from devportal.site.rendering.side_navigation import with_side_navigation
from devportal.site.sections.rendering import section_pages
from devportal.site.sections.section import ApiSection, Section, SectionContext


def section_pages_of(material: LoadedInputs, inputs: Inputs, processes: int) -> Iterable[Page | Artefact]:
    """Return the pages of the sections, with the navigation of their areas, and the files that belong to them."""
    if material.section_pages is not None:
        return material.section_pages
    context = replace(material.section_context(inputs), processes=processes)
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


def pages_of_all_apis(material: LoadedInputs, inputs: Inputs) -> Iterator[Page | Artefact]:
    """Yield the pages and files of a portal of several APIs that are about all of them."""
    from devportal.reference.exports import catalog_file  # noqa: PLC0415 - slow to import

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
