"""The section of rates and coverage: records with their log, and what of them is public."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from devportal.catalog import Catalog, Published, check_catalog, load_catalog, published
from devportal.catalog.book.book import Book
from devportal.catalog.pages import Contact, Options, catalog_pages
from devportal.catalog.pages.addresses import COVERAGE, RATES, product_uri
from devportal.catalog.pages.coverage import channel_uri
from devportal.catalog.pages.coverage_markets import channels_of
from devportal.catalog.records.append_only import check_log_grew, check_published_versions, published_versions
from devportal.catalog.review.lock import read_lock
from devportal.catalog.review.write_ahead import LOG
from devportal.contract import Api
from devportal.documents import why_irregular
from devportal.extras import Extra, missing_packages, require_extra
from devportal.findings import Finding
from devportal.markup import Artefact, Page
from devportal.parallel import run_sources
from devportal.project.caches import files_digest
from devportal.site.leaks.private_values import without_public_entries
from devportal.site.sections.section import (
    PublishedComparison,
    PublishedFolder,
    PublishedFolders,
    Section,
    SectionContext,
    SideGroup,
    SideLink,
    SideNavigation,
)

if TYPE_CHECKING:
    from devportal.site.leaks.searched_files import SearchedFiles

_MAX_WAITING = 8
"""How many countries for each process may be finished before their turn: one can have a megabyte of files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesSection(Section):
    """Records and what of them is public. Of records and log only what the search for leaks needs is there."""

    catalog: Catalog = field(repr=False)
    public: Published = field(repr=False)

    uses_processes: ClassVar[bool] = True

    @classmethod
    def read(cls, context: SectionContext) -> Self:
        """Read and check the records. Raises PortalError."""
        inputs = context.inputs
        if inputs.records is None:
            raise AssertionError("a project without records has no section of rates")
        with read_lock(inputs.records):
            catalog, load_findings = load_catalog(inputs.records, name=inputs.name(inputs.records))
        public = published(catalog.records, catalog.audit, inputs.today)
        findings = (*load_findings, *check_catalog(catalog, today=inputs.today))
        return cls(
            catalog=replace(
                catalog,
                records=catalog.records.without_sources(),
                audit=without_public_entries(catalog.audit, public),
            ),
            public=public,
            findings=findings,
        )

    @classmethod
    def read_causes(cls, context: SectionContext) -> object | None:
        """Return the files of the records, and the day."""
        records, inputs = context.inputs.records, context.inputs
        files = sorted(records.rglob("*")) if records is not None else []
        return records, inputs.root, inputs.today, files_digest((str(file), file) for file in files)

    def pages(self, context: SectionContext) -> Iterator[Page | Artefact]:
        """Yield the pages of rates and coverage, their downloads and their feed. Raises MissingExtra."""
        require_extra(Extra.RATES, needed_by="a site with rate or coverage records")
        run = partial(run_sources, processes=context.processes, max_chunk=1, max_waiting=_MAX_WAITING)
        yield from catalog_pages(self.public, _options(context), run_sources=run, last=context.last)

    def page_causes(self, context: SectionContext) -> object | None:
        """Return the public records, the rate book with their names, and the options that a contract adds."""
        return self.public, self.public.book, _options(context)

    def navigation(self) -> Mapping[str, SideNavigation]:
        """Return the products that have public prices, and the channels that have public coverage."""
        book = self.public.book
        priced = {rate.terms.product for rate in self.public.rates}
        products = [(product.title, product_uri(product)) for product in book.products if product in priced]
        channels = [
            (channel.title, channel_uri(channel)) for channel in channels_of(self.public.coverage, book)
        ]
        return {
            "rates": _side_navigation("Pricing", ("All prices", RATES), products),
            "coverage": _side_navigation("Coverage", ("All coverage", COVERAGE), channels),
        }

    @property
    def published_records(self) -> Published:
        """What is public of rates and coverage."""
        return self.public

    @property
    def can_be_searched_for(self) -> bool:
        """Whether leaks can be distinguished from what is public: otherwise everything on a page would be one."""
        return self.catalog.is_readable

    def find_leaks(
        self,
        site: Path,
        public: Iterable[Path],
        processes: int,
        searched: "SearchedFiles[Any] | None" = None,
    ) -> Iterable[Finding]:
        """Return a finding for each file of a site that shows what is not public of the records."""
        from devportal.site.leaks.search import find_leaks  # noqa: PLC0415 - only a finished build is searched

        return find_leaks(
            site, self.catalog, self.public, sources=public, processes=processes, searched=searched
        )

    @classmethod
    def compare_published(
        cls, before: PublishedFolders, now: PublishedFolders, *, base: str
    ) -> PublishedComparison:
        """Compare the audit log and the published versions with those of a revision.

        Records of a revision without a rate book are read by that of today.
        """
        new, old = now.get("records"), before.get("records")
        name = next(
            (published_folder.name for published_folder in (new, old) if published_folder is not None), ""
        )
        catalog = _load(new)
        past = _load(old, book=catalog.records.book)
        findings = [*check_log_grew(_log(old), _log(new), name=f"{name}/{LOG}", base=base)]
        if new is not None:
            findings += check_published_versions(past, catalog, name=name, base=base)
        return PublishedComparison(
            findings=tuple(findings),
            counts={
                "entry of the audit log": len(past.audit.entries),
                "published version": len(published_versions(past)),
            },
        )


def _options(context: SectionContext) -> Options:
    api, inputs = context.api, context.inputs
    return Options(
        site_url=inputs.site_url,
        title=inputs.title or (api.title if api else ""),
        settings=inputs,
        sheets=not missing_packages(Extra.PDF),
        contact=_contact(api) if api else None,
    )


def _contact(api: Api) -> Contact | None:
    """Return the contact of a contract: its email address, else its page on the web."""
    given = dict(api.contact)
    email, url = given.get("email", ""), given.get("url", "")
    address = f"mailto:{email}" if email else url
    if not address.startswith(("mailto:", "https://", "http://")):
        return None
    return Contact(name=given.get("name") or email or url, address=address)


def _side_navigation(
    title: str, overview: tuple[str, str], pages: Iterable[tuple[str, str]]
) -> SideNavigation:
    links = (SideLink(*overview), *(SideLink(*page) for page in pages))
    return SideNavigation(title, (SideGroup("", links),))


def _load(folder: PublishedFolder | None, *, book: Book | None = None) -> Catalog:
    return load_catalog(folder.path, name=folder.name, book=book)[0] if folder is not None else Catalog()


def _log(folder: PublishedFolder | None) -> bytes:
    log = folder.path / LOG if folder is not None else None
    is_readable = log is not None and log.exists() and not why_irregular(log.parent, LOG)
    return log.read_bytes() if log is not None and is_readable else b""
