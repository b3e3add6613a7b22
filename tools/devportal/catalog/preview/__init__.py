"""Preview images of pages of rates and coverage, shown where a link to a page is shared."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from devportal.catalog.book.book import Book
from devportal.catalog.pages.addresses import COVERAGE, RATES, country_uri, preview_uri, product_uri
from devportal.catalog.pages.rates_filters import Options
from devportal.catalog.preview.cards import Card, country_card, coverage_card, product_card, rates_card
from devportal.catalog.preview.drawing import HEIGHT, WIDTH, preview_png
from devportal.catalog.preview.lettering import is_drawable
from devportal.catalog.publication import Published, PublishedCoverage, PublishedRate
from devportal.markup import Artefact, Page, url_of
from devportal.translation import ENGLISH, current_interface, interface_of

__all__ = ["HEIGHT", "WIDTH", "Card", "add_preview_images", "cards", "preview_png", "previews"]


def add_preview_images(
    pages_and_files: Iterable[Page | Artefact], public: Published, options: Options
) -> Iterator[Page | Artefact]:
    """Yield the images, then the pages and files, each page with its preview image."""
    book = public.book
    card_by_uri = {preview_uri(page_uri, book): card for page_uri, card in cards(public, options)}
    for uri, card in card_by_uri.items():
        yield Artefact(uri=uri, content=preview_png(card))
    for item in pages_and_files:
        page_card = card_by_uri.get(preview_uri(item.uri, book)) if isinstance(item, Page) else None
        if isinstance(item, Page) and page_card and _fits_page(page_card, item, book):
            yield replace(item, preview=preview_uri(item.uri, book), preview_alt=page_card.alt)
        elif isinstance(item, Page):
            yield replace(item, preview="")
        else:
            yield item


def _fits_page(card: Card, page: Page, book: Book) -> bool:
    """Say whether a card fits a page: prices of the headline do not fit the page of another value."""
    folder = page.uri.split("/")[-2]
    others = {choice.key for choice in book.headline.choices} - {card.headline} if book.headline else set()
    return not (card.headline and folder in others)


def previews(public: Published, options: Options) -> Iterator[Artefact]:
    """Yield an image for rates, for coverage, and for each product and market."""
    for page_uri, card in cards(public, options):
        yield Artefact(uri=preview_uri(page_uri, public.book), content=preview_png(card))


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
