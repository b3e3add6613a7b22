"""What the sites of the other audiences of a project have that the one of an audience does not."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache

from devportal.contract import Api
from devportal.errors import PortalError
from devportal.project.inputs import Inputs, load_project_contract
from devportal.reference.pages.pages import reference_pages
from devportal.reference.redirects.redirect_table import OtherSites, address_of, operation_names
from devportal.site.output.redirects import ids_on


def sites_of_other_audiences(projects: Sequence[Inputs]) -> OtherSites:
    """Return what they have: operations and tags of the first project's contract, and pages of all contracts.

    `projects` are the inputs of an API and of those beside it. Their contracts are read for the other audiences
    when something is missing. One that cannot be read has nothing: the check of that audience reports why.
    """

    @cache
    def views() -> tuple[tuple[Inputs, Api], ...]:
        return tuple(view for project in projects for view in _other_views(project))

    @cache
    def ids_at(page_address: str) -> tuple[frozenset[str], ...]:
        return tuple(
            ids_on(page)
            for inputs, api in views()
            for page in reference_pages(api, inputs, needed=lambda uri: address_of(uri) == page_address)
            if address_of(page.uri) == page_address
        )

    def has_address(address: str) -> bool:
        page_address, _, anchor = address.partition("#")
        return any(not anchor or anchor in ids for ids in ids_at(page_address))

    @cache
    def names() -> frozenset[str]:
        apis = [api for inputs, api in views() if inputs.portal_api == projects[0].portal_api]
        operations = (
            name for api in apis for operation in api.operations for name in operation_names(operation)
        )
        return frozenset((*operations, *(group.name for api in apis for group in api.groups)))

    return OtherSites(
        has_address=has_address,
        has_name=lambda name: name in names(),
        advice="nothing is wrong: the site of another audience has it",
    )


def _other_views(project: Inputs) -> Iterator[tuple[Inputs, Api]]:
    """Yield the contract of a project as each other audience sees it, with the inputs of its site."""
    for audience in project.audiences:
        if audience.name != project.audience:
            inputs = replace(project, audience=audience.name)
            with suppress(PortalError):
                yield inputs, load_project_contract(inputs).api
