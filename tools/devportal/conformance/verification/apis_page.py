"""The page of the conformance of several APIs: how the deployments of each did last."""

from collections.abc import Sequence
from dataclasses import dataclass

from devportal.conformance.verification.deployments import VerifiedDeployment
from devportal.conformance.verification.index_page import Guide, translated_guides
from devportal.conformance.verification.status_page import STYLES, templates
from devportal.markup import Heading, Page, SearchEntry, render_page
from devportal.reference.addresses import Anchors
from devportal.translation import gettext, gettext_noop

_LEAD = gettext_noop("Each deployment of each API is tested against its contract, operation by operation.")


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedApi:
    """One of several APIs, its tested deployments, and the uri of the page with their results."""

    title: str
    status: str
    deployments: tuple[VerifiedDeployment, ...]


def apis_page(apis: Sequence[VerifiedApi], *, uri: str, title: str, guides: Sequence[Guide] = ()) -> Page:
    """Return the page that leads to the results of each API, and to the guides."""
    anchors = Anchors("guides")
    anchored = [(verified_api, anchors.take(verified_api.title)) for verified_api in apis]
    values = {"title": title, "lead": gettext(_LEAD), "apis": anchored, "guides": translated_guides(guides)}
    body, markdown = render_page(templates(), "apis", uri, values)
    return Page(
        uri=uri,
        title=title,
        description=gettext(_LEAD),
        body=body,
        markdown=markdown,
        headings=tuple(
            Heading(level=2, anchor=anchor, title=verified_api.title) for verified_api, anchor in anchored
        ),
        search=(SearchEntry(title=title, text=gettext(_LEAD)),),
        styles=STYLES,
    )
