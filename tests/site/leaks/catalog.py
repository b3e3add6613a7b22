"""A small catalog for the tests of the search: one public version of each kind, and drafts beside them."""

from decimal import Decimal
from functools import lru_cache

from devportal.catalog import AuditLog, CoverageVersion, RateVersion, published
from devportal.catalog.audit.lifecycle import State
from devportal.catalog.records.rate import RateTerms
from devportal.site.leaks.detectors import Leak
from devportal.site.leaks.private_values import find_private_values
from devportal.site.leaks.search import Search
from devportal.site.leaks.words import phrase_filter
from tests.catalog.build import COVERAGE, RATE, TODAY, coverage, log_of, rate, records
from tests.catalog.own_book import net, replace

PUBLIC = replace(
    RATE, id="no-sms-fjord", price=Decimal("0.10"), network=net(name="Fjord Mobil", mcc="242", mnc="010")
)
DRAFT = replace(
    RATE,
    id="no-sms-brage",
    price=Decimal("0.42420"),
    network=net(name="Brage Nett", mcc="242", mnc="097"),
)
NEXT = replace(PUBLIC, version=2, price=Decimal("0.3137"))
NOTE = "Price to be agreed with the wholesale team in Bergen"

_Versions = tuple[RateVersion | CoverageVersion, ...]


def draft(terms: RateTerms = DRAFT, note: str = "") -> RateVersion:
    """Return a rate version that is not public."""
    return rate(terms, State.DRAFT, note)


def draft_of(**changes: object) -> RateVersion:
    """Return a draft that differs from the usual one."""
    return draft(replace(DRAFT, **changes))


def leaks_of(
    name: str, content: bytes | str, *versions: RateVersion | CoverageVersion, said: str = ""
) -> list[Leak]:
    """Return what leaks in a file, where these drafts (else the usual one) lie beside what is public."""
    data = content.encode() if isinstance(content, str) else content
    search = search_for(versions or (draft(note=NOTE),), said)
    return [leak for leak in search.search_file(name, data) if isinstance(leak, Leak)]


@lru_cache(maxsize=64)
def search_for(versions: _Versions, said: str = "", log: AuditLog | None = None) -> Search:
    """Return the search for what these versions hold, beside one public rate and one public record."""
    held = records(rate(PUBLIC), coverage(), *versions)
    audit = log or log_of(PUBLIC, COVERAGE)
    public = published(held, audit, TODAY)
    assert [row.terms for row in public.rates] == [PUBLIC]
    return Search(
        find_private_values(held, audit, public, phrases_in_sources=phrase_filter(said)), held, public
    )
