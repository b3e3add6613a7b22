"""Searches a built site for what is not public of its sections, and for what other audiences may see."""

import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError

from devportal.contract import Contract
from devportal.errors import PortalError
from devportal.findings import Finding, Level
from devportal.project.inputs import Inputs, load_project_contract
from devportal.site.leaks.searched_files import SearchedFiles
from devportal.site.loaded_inputs import LoadedInputs

log = logging.getLogger("mkdocs.plugins.devportal")


class LeakSearch:
    """The search of one site after another, and the leaks that the last one held."""

    def __init__(self) -> None:
        """Start with nothing searched."""
        self.leaks: tuple[Finding, ...] = ()
        self.stops_build = True
        """Whether a leak is an error that ends the build; it is not where findings are asked for."""
        self._can_search = True

    def run(
        self,
        site: Path,
        material: LoadedInputs,
        inputs: Inputs,
        *,
        processes: int,
        searched: SearchedFiles[Any] | None,
    ) -> None:
        """Search the folder of a built site, and log each leak. Raises PortalError if the contract of another
        audience cannot be read. The arguments are those of `leaks_in`.
        """
        self._can_search = can_search(material)
        self.leaks = (
            *leaks_in(site, material, inputs, processes=processes, searched=searched),
            *audience_leaks_in(site, material, inputs),
        )
        for leak in self.leaks:
            log.log(logging.ERROR if leak.level is Level.ERROR else logging.INFO, "%s", leak)

    def raise_leaks(self) -> None:
        """Raise PluginError if the last search found that the site is not to be published, unless leaks do not
        stop the build.
        """
        if not self.stops_build:
            return
        if any(leak.level is Level.ERROR for leak in self.leaks):
            raise PluginError(
                "the site holds what is not public, or what cannot be searched for it: see above"
            )
        if not self._can_search:
            raise PluginError(
                "the records cannot be read, so the site was not searched for what is not public: see above"
            )


def can_search(material: LoadedInputs) -> bool:
    """Return whether leaks can be distinguished from what is public: not if a section of the site is unreadable."""
    return all(section.can_be_searched_for for section in material.sections)


def leaks_in(
    site: Path,
    material: LoadedInputs,
    inputs: Inputs,
    *,
    processes: int = 1,
    searched: SearchedFiles[Any] | None = None,
) -> tuple[Finding, ...]:
    """Return a finding for each leak in the folder of a built site; none if leaks cannot be distinguished.

    The search is spread over up to this many processes. What was `searched` before is not searched again.
    """
    if not can_search(material):
        return ()
    return tuple(
        leak
        for section in material.sections
        for leak in section.find_leaks(site, _public_sources(material, inputs), processes, searched)
    )


def _public_sources(material: LoadedInputs, inputs: Inputs) -> Iterator[Path]:
    """Yield what the project says by itself: hand-written pages, entries of the changelog, the contract."""
    loaded = [(inputs, material), *((api.inputs, api.material) for api in material.apis)]
    for folder in (inputs.docs, *(api_inputs.changelog for api_inputs, _ in loaded)):
        if folder is not None:
            yield from sorted(folder.rglob("*.md"))
    for api_inputs, read in loaded:
        if api_inputs.contract is not None and read.contract is not None:
            folder = api_inputs.contract.parent
            yield api_inputs.contract
            yield from (folder / name for name in read.contract.source.documents() if name)


def audience_leaks_in(site: Path, material: LoadedInputs, inputs: Inputs) -> tuple[Finding, ...]:
    """Return a finding for each text of other audiences in the folder of an audience's site.

    Of several APIs, what any of them shows the audience is not a leak, as it stands in the site.
    """
    chosen = inputs.chosen_audience
    loaded = [(api.inputs, api.material.contract) for api in material.apis]
    loaded = loaded or [(inputs, material.contract)]
    if chosen is None or all(contract is None for _, contract in loaded):
        return ()
    from devportal.site.audiences.private_texts import private_texts  # noqa: PLC0415 - few projects have audiences
    from devportal.site.audiences.search import find_private_texts  # noqa: PLC0415

    others = (*(audience.name for audience in inputs.audiences if audience is not chosen), "")
    seen_by_others = {
        name: tuple(
            chain(*(_published_contracts(replace(api_inputs, audience=name)) for api_inputs, _ in loaded))
        )
        for name in others
    }
    shown = tuple(chain(*(_published_contracts(api_inputs, contract) for api_inputs, contract in loaded)))
    texts = private_texts(seen_by_others, shown, allowed=chosen.allow)
    return find_private_texts(site, texts, chosen.name)


def _published_contracts(inputs: Inputs, contract: Contract | None = None) -> Iterator[dict[str, Any]]:
    """Yield the contract as an audience gets it, and its releases, if its site shows them."""
    from devportal.changelog.project_history import has_releases, load_project_releases  # noqa: PLC0415 - see above
    from devportal.contract.published.bundle import bundle  # noqa: PLC0415

    yield bundle(contract or load_project_contract(inputs))
    if inputs.releases is not None and has_releases(inputs):
        for release in load_project_releases(inputs, inputs.releases)[0].releases:
            with suppress(PortalError):
                yield bundle(release.contract())
