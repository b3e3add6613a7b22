"""Everything a portal is made from, read and rendered once: the pages, the files, and what is wrong."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from devportal.catalog import catalog_pages, check_catalog, load_catalog, published
from devportal.changelog import changelog_pages, check_changelog, load_changelog
from devportal.contract import Api, Contract, load_contract
from devportal.findings import Finding, in_order
from devportal.pages import Artefact, Page
from devportal.reference import operation_uris, reference_pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Where the inputs are; None leaves a part out. Messages name files from `root`."""

    root: Path
    contract: Path | None
    overview: str = "reference/index.md"
    records: Path | None = None
    changelog: Path | None = None
    site_url: str = ""
    title: str = ""
    feed: bool = True
    feed_authority: str = "devportal.example"
    today: date

    def name(self, path: Path) -> str:
        """Return what messages call a path: from the root, or else the working folder, if it lies inside."""
        for folder in (self.root, Path.cwd()):
            if path.is_relative_to(folder):
                return path.relative_to(folder).as_posix()
        return str(path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Portal:
    """What was read and rendered."""

    contract: Contract | None
    pages: tuple[Page, ...] = field(repr=False)
    artefacts: tuple[Artefact, ...] = field(repr=False)
    findings: tuple[Finding, ...]


def read_portal(inputs: Inputs) -> Portal:
    """Read all inputs and render all pages. Raises PortalError where there is no contract to read."""
    contract = load_contract(inputs.contract, name=inputs.name(inputs.contract)) if inputs.contract else None
    findings = list(contract.findings) if contract else []
    made: list[Page | Artefact] = []
    if contract is not None:
        made += reference_pages(contract.api, overview=inputs.overview)
    if inputs.records is not None:
        catalog, found = load_catalog(inputs.records, name=inputs.name(inputs.records))
        findings += [*found, *check_catalog(catalog, today=inputs.today)]
        made += catalog_pages(published(catalog.records, catalog.audit, inputs.today))
    if inputs.changelog is not None:
        made += _changelog(inputs, contract.api if contract else None, findings)
    return Portal(
        contract=contract,
        pages=tuple(one for one in made if isinstance(one, Page)),
        artefacts=tuple(one for one in made if isinstance(one, Artefact)),
        findings=in_order(findings),
    )


def _changelog(inputs: Inputs, api: Api | None, findings: list[Finding]) -> Iterator[Page | Artefact]:
    assert inputs.changelog is not None  # noqa: S101 - the caller has asked
    entries, found = load_changelog(inputs.changelog, name=inputs.name(inputs.changelog))
    findings += found
    apis = {group.name for group in api.groups} if api else set()
    findings += check_changelog(entries, today=inputs.today, apis=apis)
    yield from changelog_pages(
        entries,
        site_url=inputs.site_url,
        title=api.title if api else inputs.title,
        feed=inputs.feed,
        feed_authority=inputs.feed_authority,
        operations=operation_uris(api, overview=inputs.overview) if api else {},
    )


def watched(inputs: Inputs, contract: Contract | None) -> tuple[Path, ...]:
    """Return the files and folders whose change changes the portal; `contract` is the one read last, if any.

    Only what the contract refers to counts, never its whole folder: that may be anybody's home.
    """
    found = [inputs.contract, inputs.records, inputs.changelog]
    if contract is not None and inputs.contract is not None:
        referred = filter(None, contract.source.documents())
        found += [inputs.contract.parent / name for name in referred]
    return tuple(path for path in found if path is not None)


def fingerprint(inputs: Inputs, contract: Contract | None) -> str:
    """Return a digest of names, sizes and times of all that is watched: it changes when any of it does."""
    digest = hashlib.sha256(repr(inputs).encode())
    for path in watched(inputs, contract):
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                status = file.stat()
                digest.update(f"{file}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
    return digest.hexdigest()
