"""Preview images: what is shown of a page of rates or coverage where a link to it is shared."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from devportal.catalog.book.book import Book
from devportal.catalog.pages.addresses import COVERAGE, RATES, country_uri, preview_uri, product_uri
from devportal.catalog.pages.rates_filters import Options
from devportal.catalog.preview.cards import Card, country_card, coverage_card, product_card, rates_card
from devportal.catalog.preview.drawing import HEIGHT, WIDTH, preview_png
from devportal.catalog.publication import Published, PublishedCoverage, PublishedRate
from devportal.markup import Artefact, Page, url_of

__all__ = ["HEIGHT", "WIDTH", "Card", "cards", "add_preview_images", "preview_png", "previews"]


def add_preview_images(
    made: Iterable[Page | Artefact], public: Published, options: Options
) -> Iterator[Page | Artefact]:
    """Yield pages and files of what is public, each page with its preview image, and the images."""
    book = public.book
    drawn = {preview_uri(page_uri, book): card for page_uri, card in cards(public, options)}
    for uri, card in drawn.items():
        yield Artefact(uri=uri, content=preview_png(card))
    for one in made:
        card_of_page = drawn.get(preview_uri(one.uri, book)) if isinstance(one, Page) else None
        if isinstance(one, Page) and card_of_page and _shows(card_of_page, one, book):
            yield replace(one, preview=preview_uri(one.uri, book), preview_alt=card_of_page.alt)
        elif isinstance(one, Page):
            yield replace(one, preview="")
        else:
            yield one


def _shows(card: Card, page: Page, book: Book) -> bool:
    """Say whether a card is of what a page shows: the headline's prices are of no page of another value."""
    folder = page.uri.split("/")[-2]
    others = {one.key for one in book.headline.choices} - {card.headline} if book.headline else set()
    return not (card.headline and folder in others)


def previews(public: Published, options: Options) -> Iterator[Artefact]:
    """Yield an image for rates, for coverage, for each product and market that there is."""
    for page_uri, card in cards(public, options):
        yield Artefact(uri=preview_uri(page_uri, public.book), content=preview_png(card))


def cards(public: Published, options: Options) -> Iterator[tuple[str, Card]]:
    """Yield what the images say, each with the page that it is of."""
    service, on = options.title, public.on

    def place(uri: str) -> str:
        return f"{options.site_url.partition('://')[2]}{url_of(uri)}" if options.site_url else ""

    yield RATES, rates_card(public, service=service, place=place(RATES))
    yield COVERAGE, coverage_card(public, service=service, place=place(COVERAGE))
    for product in public.book.products:
        uri = product_uri(product)
        rates = [rate for rate in public.rates if rate.terms.product is product]
        if rates:
            yield (
                uri,
                product_card(product, rates, book=public.book, on=on, service=service, place=place(uri)),
            )
    for code, (coverage, rates) in sorted(_by_country(public).items()):
        uri = country_uri(code)
        yield (
            uri,
            country_card(code, coverage, rates, book=public.book, on=on, service=service, place=place(uri)),
        )


def _by_country(public: Published) -> dict[str, tuple[list[PublishedCoverage], list[PublishedRate]]]:
    """Return what is public of each country."""
    countries: dict[str, tuple[list[PublishedCoverage], list[PublishedRate]]] = defaultdict(lambda: ([], []))
    for record in public.coverage:
        countries[record.terms.market][0].append(record)
    for rate in public.rates:
        countries[rate.terms.market][1].append(rate)
    return countries
