"""Preview images of pages of rates and coverage, shown where a link to a page is shared."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

from devportal.catalog.book.book import Book
from devportal.catalog.pages.addresses import COVERAGE, RATES, country_uri, preview_uri, product_uri
from devportal.catalog.pages.rates_filters import Options
from devportal.catalog.pages.rendering import PageSource
from devportal.catalog.preview.cards import Card, country_card, coverage_card, product_card, rates_card
from devportal.catalog.preview.drawing import HEIGHT, WIDTH, preview_png
from devportal.catalog.preview.lettering import is_drawable
from devportal.catalog.publication import Published, PublishedCoverage, PublishedRate
from devportal.markup import Artefact, Page, url_of
from devportal.translation import ENGLISH, current_interface, interface_of

__all__ = ["HEIGHT", "WIDTH", "Card", "PreviewImages", "cards", "preview_png"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewImages:
    """The cards of the images of a site, by the uri of the image."""

    card_by_uri: Mapping[str, Card]
    book: Book

    @classmethod
    def of(cls, public: Published, options: Options) -> Self:
        """Return the images for rates, for coverage, and for each product and market."""
        book = public.book
        return cls(
            card_by_uri={preview_uri(page_uri, book): card for page_uri, card in cards(public, options)},
            book=book,
        )

    def sources(self) -> Iterator[PageSource]:
        """Yield what draws each image."""
        for uri, card in self.card_by_uri.items():
            yield PageSource(name=uri, causes=(card,), make=partial(_image_files, uri, card))

    def add_to(self, pages_and_files: Iterable[Page | Artefact]) -> Iterator[Page | Artefact]:
        """Yield pages and files, each page with its preview image."""
        for item in pages_and_files:
            yield self._with_image(item) if isinstance(item, Page) else item

    def _with_image(self, page: Page) -> Page:
        uri = preview_uri(page.uri, self.book)
        card = self.card_by_uri.get(uri)
        if card is None or not _fits_page(card, page, self.book):
            return replace(page, preview="")
        return replace(page, preview=uri, preview_alt=card.alt)


def _image_files(uri: str, card: Card) -> tuple[Artefact, ...]:
    return (Artefact(uri=uri, content=preview_png(card)),)


def _fits_page(card: Card, page: Page, book: Book) -> bool:
    """Say whether a card fits a page: prices of the headline do not fit the page of another value."""
    folder = page.uri.split("/")[-2]
    others = {choice.key for choice in book.headline.choices} - {card.headline} if book.headline else set()
    return not (card.headline and folder in others)


def cards(public: Published, options: Options) -> Iterator[tuple[str, Card]]:
    """Yield the cards of the images, each with its page."""
    service, on = options.title, public.on

    def page_address(uri: str) -> str:
        return f"{options.site_url.partition('://')[2]}{url_of(uri)}" if options.site_url else ""

    yield RATES, _card(partial(rates_card, public, service=service, address=page_address(RATES)))
    yield COVERAGE, _card(partial(coverage_card, public, service=service, address=page_address(COVERAGE)))
    for product in public.book.products:
        uri = product_uri(product)
        rates = [rate for rate in public.rates if rate.terms.product is product]
        if rates:
            yield (
                uri,
                _card(
                    partial(
                        product_card,
                        product,
                        rates,
                        book=public.book,
                        on=on,
                        service=service,
                        address=page_address(uri),
                    )
                ),
            )
    for code, (coverage, rates) in sorted(_by_country(public).items()):
        uri = country_uri(code)
        yield (
            uri,
            _card(
                partial(
                    country_card,
                    code,
                    coverage,
                    rates,
                    book=public.book,
                    on=on,
                    service=service,
                    address=page_address(uri),
                )
            ),
        )


def _card(make: Callable[[], Card]) -> Card:
    """Return a card in the language of the site; in English if the typeface lacks letters of it."""
    card = make()
    if current_interface() is ENGLISH or all(map(is_drawable, card.texts())):
        return card
    with interface_of(ENGLISH):
        return make()


def _by_country(public: Published) -> dict[str, tuple[list[PublishedCoverage], list[PublishedRate]]]:
    """Return the public rows of each country."""
    countries: dict[str, tuple[list[PublishedCoverage], list[PublishedRate]]] = defaultdict(lambda: ([], []))
    for record in public.coverage:
        countries[record.terms.market][0].append(record)
    for rate in public.rates:
        countries[rate.terms.market][1].append(rate)
    return countries
