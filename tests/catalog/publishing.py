"""A few public records, the pages and files that are made of them, and what a page links to."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from html.parser import HTMLParser

from devportal.catalog import AuditLog, Published, Records, content_sha256, published
from devportal.catalog.audit.journal import Journal, Write
from devportal.catalog.audit.lifecycle import TRANSITIONS, Role
from devportal.catalog.pages import Options, catalog_pages
from devportal.catalog.records.coverage import Availability, CoverageTerms, Registration, Support
from devportal.catalog.records.rate import RateTerms
from devportal.markup import Artefact, Page
from tests.catalog.own_book import (
    BOOK,
    Direction,
    NumberType,
    Product,
    Scheme,
    Unit,
    channel_features,
    replace,
    steps,
)

from .build import COVERAGE, RATE, START, TO_ACTIVE, TODAY, coverage, rate

VOICE = replace(
    RATE,
    id="se-voice",
    country="SE",
    product=Product.VOICE,
    network=None,
    number_type=NumberType.TOLL_FREE,
    prefixes=("4620", "4670"),
    unit=Unit.MINUTE,
    price=Decimal("0.00000010"),
    billing_increment=steps(initial_s=1, subsequent_s=1),
    effective_to=date(2027, 1, 1),
    sample=True,
)
ANY_NETWORK = replace(RATE, id="no-sms-in", direction=Direction.INBOUND, network=None)
LIMITED = replace(
    COVERAGE,
    id="se-sms",
    country="SE",
    dialling_code="46",
    support=Support.LIMITED,
    number_types=(NumberType.MOBILE, NumberType.SHORT_CODE),
    features=channel_features(two_way=Availability.YES, unicode=Availability.NO),
    registration=Registration(scheme=Scheme.SENDER_ID, lead_time_days=1),
    restrictions=("No links.",),
)


def public(rates: Sequence[RateTerms] = (), markets: Sequence[CoverageTerms] = ()) -> Published:
    """Return these terms as the gate publishes them."""
    records = Records(
        book=BOOK,
        rates=tuple(rate(terms) for terms in rates),
        coverage=tuple(coverage(terms) for terms in markets),
    )
    return published(records, _log(*rates, *markets), TODAY)


def _log(*terms: RateTerms | CoverageTerms) -> AuditLog:
    """Return what `log_of` does, in the time that its length takes: some tests need many records."""
    journal, at = Journal(AuditLog()), START
    for each in terms:
        for action in TO_ACTIVE:
            role = TRANSITIONS[action].role
            actor = {Role.EDITOR: "ida", Role.APPROVER: "omar"}.get(role, "lin")
            at += timedelta(seconds=1)
            journal.record(
                Write(
                    at=at,
                    actor=actor,
                    role=role,
                    action=action,
                    record=each.ref,
                    content_sha256=content_sha256(each),
                )
            )
    return journal.log


def small_catalog() -> Published:
    """Return a few public records, with every optional field both there and missing."""
    return public((RATE, VOICE, ANY_NETWORK), (COVERAGE, LIMITED))


@lru_cache(maxsize=8)
def _pages_of(shown: Published) -> tuple[Page | Artefact, ...]:
    return tuple(catalog_pages(shown, Options()))


def pages_of(shown: Published) -> dict[str, Page]:
    """Return the pages by uri."""
    return {made.uri: made for made in _pages_of(shown) if isinstance(made, Page)}


def files_of(shown: Published) -> dict[str, bytes]:
    """Return the files by uri."""
    return {made.uri: made.content for made in _pages_of(shown) if isinstance(made, Artefact)}


class Anchors(HTMLParser):
    """Gathers ids, links, what rows tell programs, and what a strict content policy would refuse."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.rows: dict[str, dict[str, str]] = {}
        self.refused: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag says."""
        if tag == "tr" and any(name.startswith("data-") for name, _ in attrs):
            told = {name: value or "" for name, value in attrs}
            self.rows[told["id"]] = {
                name.removeprefix("data-"): value for name, value in told.items() if name.startswith("data-")
            }
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.links.append(value or "")
            if name == "style" or name.startswith("on"):
                self.refused.append(name)
        if tag in {"script", "style"}:
            self.refused.append(tag)


def read(body: str) -> Anchors:
    """Return what is gathered of a body."""
    found = Anchors()
    found.feed(body)
    return found
