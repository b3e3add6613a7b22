"""Searches the site of a project that has records for what is not public of them."""

from collections.abc import Iterator
from pathlib import Path

from devportal.findings import Finding
from devportal.project.inputs import Inputs
from devportal.site.portal import LoadedInputs


def can_search(material: LoadedInputs) -> bool:
    """Say whether leaks can be told from what is public: not if the records of a project are unreadable."""
    records = material.records
    return records is None or records.catalog is None or records.catalog.is_readable


def leaks_in(site: Path, material: LoadedInputs, inputs: Inputs) -> tuple[Finding, ...]:
    """Return a finding for each leak in the folder of a built site.

    There is none if the project has no records, or those it has cannot be searched for: whatever the pages
    say of public versions would be one.
    """
    records = material.records
    if records is None or records.catalog is None or records.public is None or not can_search(material):
        return ()
    from devportal.site.leaks import find_leaks  # noqa: PLC0415 - many sites have no records

    return find_leaks(site, records.catalog, records.public, sources=_public_sources(material, inputs))


def _public_sources(material: LoadedInputs, inputs: Inputs) -> Iterator[Path]:
    """Yield what the project says by itself: hand-written pages, entries of the changelog, the contract."""
    for folder in (inputs.docs, inputs.changelog):
        if folder is not None:
            yield from sorted(folder.rglob("*.md"))
    if inputs.contract is not None and material.contract is not None:
        folder = inputs.contract.parent
        yield inputs.contract
        yield from (folder / name for name in material.contract.source.documents() if name)
