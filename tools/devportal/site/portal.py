"""What a portal is made from, read once, and what is made of it: pages, files, and what is wrong."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from devportal.catalog import Catalog, catalog_pages, check_catalog, load_catalog, published
from devportal.changelog import Entry, changelog_pages, check_changelog, load_changelog
from devportal.contract import Contract, load_contract
from devportal.findings import Finding, in_order
from devportal.pages import Artefact, Page, PageHead
from devportal.reference import operation_uris, reference_pages
from devportal.reference.addresses import addresses_of
from devportal.reference.exports import exports
from devportal.reference.redirect_files import redirect_files
from devportal.reference.redirect_table import folders_without_page
from devportal.reference.redirects import RedirectTable
from devportal.site.redirects import read_redirects
from devportal.site.reuse import Basis, basis_from, pages_to_render
from devportal.site.stamps import stamp_of
from devportal.site.store import PageStore, Stored
from devportal.site.toolkit import toolkit_digest

_BASIS = "reference"
"""The note of a store that says what the pages of its reference were rendered from."""
_REFERENCE, _OTHERS = "1 reference", "2 others"
"""The parts of a store, in the order of their pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Where the inputs are; None leaves a part out. Messages name files from `root`."""

    root: Path
    contract: Path | None
    allow_outside_references: bool = False
    overview: str = "reference/index.md"
    redirects: Path | None = None
    docs: Path | None = None
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
class Material:
    """Everything that was read, and what is wrong with it."""

    contract: Contract | None = None
    catalog: Catalog | None = field(default=None, repr=False)
    entries: tuple[Entry, ...] | None = None
    redirects: RedirectTable = field(default=RedirectTable(), repr=False)
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Portal:
    """What was made: the pages are in the store."""

    material: Material
    store: PageStore = field(repr=False)
    pages: tuple[Stored, ...] = field(repr=False)
    artefacts: tuple[Artefact, ...] = field(repr=False)
    rendered: int
    """How many pages were rendered for this; the others were there from the last time."""

    @property
    def heads(self) -> tuple[PageHead, ...]:
        """What is known of the pages without their bodies."""
        return tuple(one.head for one in self.pages)


def read_material(inputs: Inputs) -> Material:
    """Read all inputs and check them. Raises PortalError where there is no contract to read."""
    contract = _contract(inputs)
    findings = list(contract.findings) if contract else []
    catalog, entries = None, None
    if inputs.records is not None:
        catalog, found = load_catalog(inputs.records, name=inputs.name(inputs.records))
        findings += [*found, *check_catalog(catalog, today=inputs.today)]
    if inputs.changelog is not None:
        entries, found = load_changelog(inputs.changelog, name=inputs.name(inputs.changelog))
        apis = {group.name for group in contract.api.groups} if contract else set()
        findings += [*found, *check_changelog(entries, today=inputs.today, apis=apis)]
    material = Material(contract=contract, catalog=catalog, entries=entries)
    table, found = _redirects(material, inputs)
    return replace(material, redirects=table, findings=in_order([*findings, *found]))


def _contract(inputs: Inputs) -> Contract | None:
    if inputs.contract is None:
        return None
    return load_contract(
        inputs.contract,
        name=inputs.name(inputs.contract),
        allow_outside_references=inputs.allow_outside_references,
    )


def _redirects(material: Material, inputs: Inputs) -> tuple[RedirectTable, tuple[Finding, ...]]:
    """Return where old links lead: what the file of redirects says, and ways in from folders without page."""
    if material.contract is None:
        return RedirectTable(), ()
    api = material.contract.api
    ways_in = folders_without_page(api, addresses_of(api, overview=inputs.overview))
    if inputs.redirects is None:
        return RedirectTable(pages=ways_in), ()
    artefacts: list[Artefact] = []
    others = tuple(_pages(_from_records(material, inputs), artefacts))
    table, findings = read_redirects(
        inputs.redirects,
        name=inputs.name(inputs.redirects),
        api=api,
        overview=inputs.overview,
        others=others,
        files={one.uri for one in artefacts},
        docs=inputs.docs,
    )
    return replace(table, pages={**ways_in, **table.pages}), findings


def render_portal(material: Material, inputs: Inputs, store: PageStore) -> Portal:
    """Render the pages of a portal into a store. What is there of the reference and still right stays."""
    artefacts: list[Artefact] = []
    with store.writing():
        rendered = _render_reference(material.contract, inputs, store)
        store.replace(_OTHERS, _pages(_others(material, inputs), artefacts))
        artefacts += _exports(material.contract, inputs, store)
    return Portal(
        material=material,
        store=store,
        pages=store.stored(),
        artefacts=tuple(artefacts),
        rendered=rendered,
    )


def _render_reference(contract: Contract | None, inputs: Inputs, store: PageStore) -> int:
    """Bring the pages of the reference up to date; return how many were rendered."""
    if contract is None:
        store.replace(_REFERENCE, ())
        return 0
    counted = _Counted()
    basis = Basis(digest=f"{toolkit_digest()} {inputs.overview}", texts=contract.texts())
    needed = pages_to_render(store, basis, basis_from(store.note(_BASIS)))
    is_done = needed is not None and store.update(
        _REFERENCE, counted(reference_pages(contract.api, overview=inputs.overview, needed=needed))
    )
    if not is_done:
        store.replace(_REFERENCE, counted(reference_pages(contract.api, overview=inputs.overview)))
    store.write_note(_BASIS, basis.to_json())
    return counted.number


class _Counted:
    """Counts what passes through."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, pages: Iterator[Page]) -> Iterator[Page]:
        for page in pages:
            self.number += 1
            yield page


def _pages(made: Iterator[Page | Artefact], artefacts: list[Artefact]) -> Iterator[Page]:
    """Yield the pages among what is made, and put the files aside."""
    for one in made:
        if isinstance(one, Page):
            yield one
        else:
            artefacts.append(one)


def _others(material: Material, inputs: Inputs) -> Iterator[Page | Artefact]:
    """Yield the pages beside the reference, and the files that belong to them."""
    yield from redirect_files(material.redirects, site_url=inputs.site_url)
    yield from _from_records(material, inputs)


def _exports(contract: Contract | None, inputs: Inputs, store: PageStore) -> tuple[Artefact, ...]:
    """Return the files that the contract is exported to, those of the last time where nothing has changed."""
    if contract is None:
        return ()
    made_from = f"{toolkit_digest()} {contract.digest} {inputs.overview} {inputs.site_url}"
    known = store.files(made_from)
    if not known:
        known = tuple(exports(contract, overview=inputs.overview, site_url=inputs.site_url))
        store.keep_files(made_from, known)
    return known


def _from_records(material: Material, inputs: Inputs) -> Iterator[Page | Artefact]:
    """Yield the pages of rates, coverage and changelog, and the files that belong to them."""
    if material.catalog is not None:
        yield from catalog_pages(published(material.catalog.records, material.catalog.audit, inputs.today))
    if material.entries is not None:
        api = material.contract.api if material.contract else None
        yield from changelog_pages(
            material.entries,
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
    found = [inputs.contract, inputs.redirects, inputs.records, inputs.changelog]
    if contract is not None and inputs.contract is not None:
        referred = filter(None, contract.source.documents())
        found += [inputs.contract.parent / name for name in referred]
    return tuple(path for path in found if path is not None)


def fingerprint(inputs: Inputs, contract: Contract | None) -> str:
    """Return a digest of names, sizes and times of all that is watched: it changes when any of it does."""
    files = (
        file
        for path in watched(inputs, contract)
        for file in (sorted(path.rglob("*")) if path.is_dir() else [path])
    )
    return stamp_of(((str(file), file) for file in files), inputs)
