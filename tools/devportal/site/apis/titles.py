"""The titles of the APIs of a portal: each is called as its contract is, and none as another one."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from devportal.contract import Contract
from devportal.markup.feeds import NOT_XML
from devportal.project.inputs import Inputs
from devportal.project.settings import PortalApi


def with_titles(contracts: Sequence[tuple[Inputs, Contract]]) -> Iterator[tuple[Inputs, Contract]]:
    """Yield the APIs with their titles: the one that is set, else the contract's, with the name if others have it."""
    named = [
        (
            inputs.portal_api.name,
            " ".join(NOT_XML.sub("", inputs.portal_api.title or contract.api.title).split()),
        )
        for inputs, contract in contracts
        if inputs.portal_api is not None
    ]
    times = Counter(title.casefold() for _, title in named)
    for (inputs, contract), (name, title) in zip(contracts, named, strict=True):
        unique = title if title and times[title.casefold()] == 1 else f"{title} ({name})" if title else name
        api = PortalApi(name=name, title=unique, shares_folder=inputs.shares_folder)
        yield replace(inputs, portal_api=api), contract
