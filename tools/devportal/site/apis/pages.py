"""The pages of all APIs: home, unless the project writes its own, and the first page of the reference."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from devportal.language import mark_directions
from devportal.markup import Page, SearchEntry, render_page
from devportal.project.inputs import Inputs
from devportal.reference.addresses import APIS
from devportal.site.apis.cards import ApiCard
from devportal.site.apis.shared_schemas import CommonSchema, common_schemas_page
from devportal.site.apis.switcher import apis_navigation, templates
from devportal.site.rendering.side_navigation import side_navigation_html
from devportal.translation import gettext, ngettext

HOME = "index.md"
_MOST_NAMES = 6
"""How many APIs the description of a page names."""


def pages_of_apis(inputs: Inputs, cards: Sequence[ApiCard], common: Sequence[CommonSchema]) -> Iterator[Page]:
    """Yield the pages that the project does not write by hand, and the list of schemas that APIs have in common."""
    navigation = apis_navigation(((card.title, card.uri) for card in cards), has_shared=bool(common))
    if not _is_written(inputs, HOME, "README.md"):
        yield _cards_page(inputs, cards, HOME, inputs.title)
    if not _is_written(inputs, APIS, "reference/README.md"):
        page = _cards_page(inputs, cards, APIS, gettext("APIs"))
        yield replace(page, sidebar=side_navigation_html(navigation, APIS))
    if common:
        page = common_schemas_page(common)
        yield replace(page, sidebar=side_navigation_html(navigation, page.uri))


def _cards_page(inputs: Inputs, cards: Sequence[ApiCard], uri: str, title: str) -> Page:
    lead = ngettext(
        "%(number)s API: %(names)s.", "%(number)s APIs: %(names)s.", len(cards), names=_names(cards)
    )
    lead = inputs.description or lead if uri == HOME else lead
    areas = (
        (
            gettext("Changelog"),
            "changelog/index.md",
            any(api_inputs.changelog is not None for api_inputs in inputs.apis),
        ),
        (
            gettext("Conformance"),
            "conformance/index.md",
            any(api_inputs.results is not None for api_inputs in inputs.apis),
        ),
    )
    links = tuple((words, target) for words, target, is_there in areas if is_there and uri == HOME)
    values = {"title": title, "lead": lead, "cards": cards, "links": links, "level": 2}
    body, markdown = render_page(templates(), "home", uri, values)
    return Page(
        uri=uri,
        title=title,
        description=lead,
        body=mark_directions(body),
        markdown=markdown,
        search=(SearchEntry(title=title, text=lead),),
        layout="wide",
    )


def _names(cards: Sequence[ApiCard]) -> str:
    names = ", ".join(card.title for card in cards[:_MOST_NAMES])
    return gettext("%(names)s and others", names=names) if len(cards) > _MOST_NAMES else names


def _is_written(inputs: Inputs, *uris: str) -> bool:
    return inputs.docs is not None and any((inputs.docs / uri).is_file() for uri in uris)
