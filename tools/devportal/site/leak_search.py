"""Searches a built site for what is not public of its sections."""

from collections.abc import Iterator
from pathlib import Path

from devportal.findings import Finding
from devportal.project.inputs import Inputs
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
