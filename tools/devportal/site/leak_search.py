"""Searches a built site for what is not public of its sections, and for what other audiences may see."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from devportal.contract import Contract
from devportal.errors import PortalError
from devportal.findings import Finding
from devportal.project.inputs import Inputs, load_project_contract
from devportal.site.portal import LoadedInputs


def can_search(material: LoadedInputs) -> bool:
    """Return whether leaks can be told from what is public: not if a section of the site is unreadable."""
    return all(section.can_be_searched_for for section in material.sections)


def leaks_in(site: Path, material: LoadedInputs, inputs: Inputs) -> tuple[Finding, ...]:
    """Return a finding for each leak in the folder of a built site; none if leaks cannot be told."""
    if not can_search(material):
        return ()
    return tuple(
        leak
        for section in material.sections
        for leak in section.find_leaks(site, _public_sources(material, inputs))
    )


def _public_sources(material: LoadedInputs, inputs: Inputs) -> Iterator[Path]:
    """Yield what the project says by itself: hand-written pages, entries of the changelog, the contract."""
    for folder in (inputs.docs, inputs.changelog):
        if folder is not None:
            yield from sorted(folder.rglob("*.md"))
    if inputs.contract is not None and material.contract is not None:
        folder = inputs.contract.parent
        yield inputs.contract
        yield from (folder / name for name in material.contract.source.documents() if name)


def audience_leaks_in(site: Path, contract: Contract | None, inputs: Inputs) -> tuple[Finding, ...]:
    """Return a finding for each text of other audiences in the folder of an audience's site."""
    chosen = inputs.chosen_audience
    if chosen is None or contract is None:
        return ()
    from devportal.site.audiences.private_texts import private_texts  # noqa: PLC0415 - few projects have audiences
    from devportal.site.audiences.search import find_private_texts  # noqa: PLC0415

    others = (*(one.name for one in inputs.audiences if one is not chosen), "")
    seen_by_others = {name: tuple(_published_contracts(replace(inputs, audience=name))) for name in others}
    texts = private_texts(seen_by_others, tuple(_published_contracts(inputs, contract)), allowed=chosen.allow)
    return find_private_texts(site, texts, chosen.name)


def _published_contracts(inputs: Inputs, contract: Contract | None = None) -> Iterator[dict[str, Any]]:
    """Yield the contract as an audience gets it, and its releases, if its site shows them."""
    from devportal.changelog.project_history import has_releases, load_project_releases  # noqa: PLC0415 - see above
    from devportal.contract.bundle import bundle  # noqa: PLC0415

    yield bundle(contract or load_project_contract(inputs))
    if inputs.releases is not None and has_releases(inputs):
        for release in load_project_releases(inputs, inputs.releases)[0].releases:
            with suppress(PortalError):
                yield bundle(release.contract())
