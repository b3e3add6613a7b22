"""A site around the pages of coverage of many markets, whatever the sample records are."""

from pathlib import Path

from devportal.catalog.book.book import Named
from devportal.catalog.pages import Options
from devportal.catalog.pages.coverage import coverage_pages
from devportal.catalog.records.coverage import CoverageTerms, Registration, Support
from devportal.markup import Page
from tests.catalog.build import COVERAGE
from tests.catalog.own_book import Channel, Scheme, replace
from tests.catalog.publishing import public
from tests.site.generated import site_of

FULL = ("BR", "CA", "DE", "FR", "IN", "NO", "RU", "US", "ZA")
LIMITED = ("AG", "AU", "BB", "DM", "EG", "GD", "JP", "LC", "MT", "SG", "VC")
"""Among them islands so close to each other that their dots are moved apart."""


def _terms(code: str, channel: Named, support: Support) -> CoverageTerms:
    scheme = Scheme.SENDER_ID if code in {"DE", "EG"} else Scheme.NONE
    return replace(
        COVERAGE,
        id=f"{code.lower()}-{channel}",
        country=code,
        channel=channel,
        support=support,
        registration=Registration(scheme=scheme),
    )


def make_world_site(folder: Path) -> Path:
    """Build the site into a folder below `folder`, and return that."""
    records = [
        *(_terms(code, Channel.SMS, Support.FULL) for code in FULL),
        *(_terms(code, Channel.SMS, Support.LIMITED) for code in LIMITED),
        *(_terms(code, Channel.VOICE, Support.LIMITED) for code in FULL[:4]),
    ]
    pages = [*coverage_pages(public((), records), Options())]
    countries = [
        Page(
            uri=f"coverage/{code.lower()}/index.md",
            title=code,
            description="",
            body=f"<h1>{code}</h1>",
            markdown=f"# {code}\n",
        )
        for code in (*FULL, *LIMITED)
    ]
    rates = Page(uri="rates/index.md", title="Rates", description="", body="<h1>Rates</h1>", markdown="")
    nav = [{"Welcome": "index.md"}, {"Coverage": "coverage/index.md"}]
    site_of(*pages, *countries, rates, folder=folder, nav=nav)
    return folder / "site"
