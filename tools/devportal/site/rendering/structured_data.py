"""Structured data of pages for search engines and other programs: JSON-LD with the vocabulary of schema.org.

A block of data is not a script: a browser does not run it, and `default-src 'self'` does not apply to it (HTML,
4.12.1; CSP 3 §4.2.3).
"""

import json
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

from mkdocs.config.defaults import MkDocsConfig

from devportal.markup import PageHead, PriceSpan, url_of
from devportal.markup.urls import quote

_MEDIA_TYPES = {".csv": "text/csv", ".json": "application/json"}


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredData:
    """What is known of a site: its name, address and language, and the titles of its generated pages by uri."""

    name: str
    url: str
    language: str
    titles: Mapping[str, str] = field(repr=False)

    @classmethod
    def of_site(cls, config: MkDocsConfig, heads: Iterable[PageHead]) -> "StructuredData":
        """Take what MkDocs and the generated pages say."""
        return cls(
            name=config.site_name,
            url=f"{config.site_url.rstrip('/')}/" if config.site_url else "",
            language=config.extra["devportal"]["language"],
            titles={head.uri: head.title for head in heads},
        )

    def of_generated_page(self, head: PageHead) -> str:
        """Return the block of a generated page, ready to stand in HTML.

        Empty if the site has no address, as all links in it are absolute, and for pages of earlier releases.
        """
        if not self.url or not head.is_listed:
            return ""
        trail = [(self.titles[uri], uri) for uri in _pages_above(head.uri) if uri in self.titles]
        nodes = [*self._page_nodes(head.uri, head.title, head.description, trail)]
        if head.data_files:
            nodes.append(self._dataset(head))
        return _block(nodes)

    def of_hand_written_page(
        self, uri: str, title: str, description: str, trail: Sequence[tuple[str, str]]
    ) -> str:
        """Return the block of a page written by hand; `trail` are titles and uris of the pages above it."""
        return _block(self._page_nodes(uri, title, description, trail)) if self.url else ""

    def _address(self, uri: str) -> str:
        return urljoin(self.url, url_of(uri))

    def _page_nodes(
        self, uri: str, title: str, description: str, trail: Sequence[tuple[str, str]]
    ) -> Iterator[dict[str, Any]]:
        site = {"@type": "WebSite", "name": self.name, "url": self.url}
        described = {"description": description} if description else {}
        if not url_of(uri):
            yield {**site, **described, "inLanguage": self.language}
            return
        yield {
            "@type": "TechArticle",
            "headline": title,
            **described,
            "url": self._address(uri),
            "inLanguage": self.language,
            "isPartOf": site,
            "encoding": {
                "@type": "MediaObject",
                "encodingFormat": "text/markdown",
                "contentUrl": urljoin(self.url, quote(uri)),
            },
        }
        places = [(self.name, "index.md"), *trail, (title, uri)]
        yield {
            "@type": "BreadcrumbList",
            "itemListElement": [
                {"@type": "ListItem", "position": number, "name": name, "item": self._address(place)}
                for number, (name, place) in enumerate(places, start=1)
            ],
        }

    def _dataset(self, head: PageHead) -> dict[str, Any]:
        offers = [_offer(price) for price in head.prices]
        return {
            "@type": "Dataset",
            "name": head.title,
            "description": head.description,
            "url": self._address(head.uri),
            "isAccessibleForFree": True,
            "distribution": [
                {
                    "@type": "DataDownload",
                    "encodingFormat": _MEDIA_TYPES.get(
                        posixpath.splitext(uri)[1], "application/octet-stream"
                    ),
                    "contentUrl": urljoin(self.url, quote(uri)),
                }
                for uri in head.data_files
            ],
            **({"about": {"@type": "Service", "name": head.title, "offers": offers}} if offers else {}),
        }


def _offer(prices: PriceSpan) -> dict[str, Any]:
    return {
        "@type": "AggregateOffer",
        "lowPrice": prices.lowest,
        "highPrice": prices.highest,
        "priceCurrency": prices.currency,
        "offerCount": prices.count,
        "priceSpecification": {
            "@type": "UnitPriceSpecification",
            "priceCurrency": prices.currency,
            "minPrice": prices.lowest,
            "maxPrice": prices.highest,
            "unitText": prices.unit,
        },
    }


def _pages_above(uri: str) -> Iterator[str]:
    """Yield the first pages of the folders that a page is below, from the outermost on."""
    folders = url_of(uri).split("/")[:-2]
    for end in range(1, len(folders) + 1):
        yield f"{'/'.join(folders[:end])}/index.md"


def _block(nodes: Iterable[dict[str, Any]]) -> str:
    graph = {"@context": "https://schema.org", "@graph": list(nodes)}
    text = json.dumps(graph, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")  # nothing in it may end the element (HTML, 4.12.1.3)
