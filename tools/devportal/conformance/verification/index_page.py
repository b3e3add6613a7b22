"""The page of the area: how each deployment did last, and the pages about conformance runs."""

from collections.abc import Sequence
from typing import NamedTuple

from devportal.conformance.verification.deployments import VerifiedDeployment
from devportal.conformance.verification.status_page import STATUS, STYLES, templates
from devportal.markup import Page, SearchEntry, render_page
from devportal.translation import gettext, gettext_noop

INDEX = "conformance/index.md"
_LEAD = gettext_noop("Each deployment is tested against the contract, operation by operation.")


class Guide(NamedTuple):
    """A hand-written page about conformance runs: its uri, its title, and what it is for."""

    uri: str
    title: str
    purpose: str


def translated_guides(guides: Sequence[Guide]) -> tuple[Guide, ...]:
    """Return guides in the language of the site; their titles and purposes are messages."""
    return tuple(Guide(guide.uri, gettext(guide.title), gettext(guide.purpose)) for guide in guides)


def index_page(deployments: Sequence[VerifiedDeployment], *, guides: Sequence[Guide]) -> Page:
    """Return the page that leads to the status of each deployment and to the guides."""
    values = {
        "lead": gettext(_LEAD),
        "deployments": deployments,
        "guides": translated_guides(guides),
        "status": STATUS,
    }
    body, markdown = render_page(templates(), "index", INDEX, values)
    return Page(
        uri=INDEX,
        title=gettext("Conformance"),
        description=gettext(_LEAD),
        body=body,
        markdown=markdown,
        search=(SearchEntry(title=gettext("Conformance"), text=gettext(_LEAD)),),
        styles=STYLES,
    )
