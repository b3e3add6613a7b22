"""The page of the area: how each deployment did last, and the pages about conformance runs."""

from collections.abc import Sequence
from typing import NamedTuple

from devportal.conformance.verification.deployments import VerifiedDeployment
from devportal.conformance.verification.status_page import STATUS, STYLES, templates
from devportal.markup import Page, SearchEntry, render_page

INDEX = "conformance/index.md"
_LEAD = "Each deployment is tested against the contract, operation by operation."


class Guide(NamedTuple):
    """A hand-written page about conformance runs: its uri, its title, and what it is for."""

    uri: str
    title: str
    purpose: str


def index_page(deployments: Sequence[VerifiedDeployment], *, guides: Sequence[Guide]) -> Page:
    """Return the page that leads to the status of each deployment and to the guides."""
    values = {"lead": _LEAD, "deployments": deployments, "guides": guides, "status": STATUS}
    body, markdown = render_page(templates(), "index", INDEX, values)
    return Page(
        uri=INDEX,
        title="Conformance",
        description=_LEAD,
        body=body,
        markdown=markdown,
        search=(SearchEntry(title="Conformance", text=_LEAD),),
        styles=STYLES,
    )
