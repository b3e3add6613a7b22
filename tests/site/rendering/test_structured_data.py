"""Structured data of pages (JSON-LD)."""

import json
from dataclasses import replace
from typing import Any

import pytest

from devportal.markup import PageHead, PriceSpan
from devportal.site.rendering.structured_data import StructuredData

URL = "https://a.example/docs/"
SITE = StructuredData(
    name="Parcels",
    url=URL,
    language="en",
    titles={"index.md": "Home", "reference/index.md": "API reference", "reference/orders/index.md": "Orders"},
)
HEAD = PageHead(uri="reference/orders/create.md", title="Create </script> & <b>", description="It's new.")


def graph(block: str) -> dict[str, dict[str, Any]]:
    """Return the nodes of a block by their types."""
    data = json.loads(block)
    assert data["@context"] == "https://schema.org"
    return {item["@type"]: item for item in data["@graph"]}


def test_a_page_is_an_article_with_its_place_in_the_site() -> None:
    """Every address in it is whole, and the twin is named too."""
    nodes = graph(SITE.of_generated_page(HEAD))

    article = nodes["TechArticle"]
    assert (article["headline"], article["description"]) == (HEAD.title, HEAD.description)
    assert article["url"] == f"{URL}reference/orders/create/"
    assert article["encoding"]["contentUrl"] == f"{URL}reference/orders/create.md"
    places = [
        (item["name"], item["item"], item["position"]) for item in nodes["BreadcrumbList"]["itemListElement"]
    ]
    assert places == [
        ("Parcels", URL, 1),
        ("API reference", f"{URL}reference/", 2),
        ("Orders", f"{URL}reference/orders/", 3),
        (HEAD.title, f"{URL}reference/orders/create/", 4),
    ]


def test_no_text_ends_the_element() -> None:
    """Texts come from contracts."""
    assert "<" not in SITE.of_generated_page(HEAD)
    assert "<" not in SITE.of_hand_written_page("a.md", "</script>", "<!--", [("<b>", "b/index.md")])


def test_the_first_page_is_the_site() -> None:
    """It is no article, and is in no folder."""
    nodes = graph(SITE.of_generated_page(PageHead(uri="index.md", title="Home", description="All.")))

    assert list(nodes) == ["WebSite"]
    assert (nodes["WebSite"]["name"], nodes["WebSite"]["url"]) == ("Parcels", URL)


@pytest.mark.parametrize("uri", ["index.md", "guides/start.md"])
def test_a_page_without_a_description_has_none(uri: str) -> None:
    """An empty one would say that there is nothing to say."""
    assert '"description"' not in SITE.of_hand_written_page(uri, "Title", "", [])


def test_the_first_page_of_a_folder_is_not_above_itself() -> None:
    """And folders without a page of their own are left out."""
    above = graph(
        SITE.of_generated_page(PageHead(uri="reference/orders/index.md", title="Orders", description=""))
    )
    deep = graph(
        SITE.of_generated_page(PageHead(uri="reference/orders/items/a/b.md", title="B", description=""))
    )

    assert [item["name"] for item in above["BreadcrumbList"]["itemListElement"]] == [
        "Parcels",
        "API reference",
        "Orders",
    ]
    assert [item["name"] for item in deep["BreadcrumbList"]["itemListElement"]] == [
        "Parcels", "API reference", "Orders", "B",
    ]  # fmt: skip


def test_data_and_prices() -> None:
    """A page with files of its data is a data set too; its prices are offers."""
    span = PriceSpan(currency="EUR", unit="segment", lowest="0.0310", highest="0.1000", count=110)
    head = PageHead(
        uri="rates/sms/index.md", title="SMS rates", description="110 rates.",
        data_files=("rates/sms/sms rates.csv", "rates/sms/rates.json"), prices=(span,),
    )  # fmt: skip

    dataset = graph(SITE.of_generated_page(head))["Dataset"]

    assert [(item["encodingFormat"], item["contentUrl"]) for item in dataset["distribution"]] == [
        ("text/csv", f"{URL}rates/sms/sms%20rates.csv"),
        ("application/json", f"{URL}rates/sms/rates.json"),
    ]
    (offer,) = dataset["about"]["offers"]
    assert (offer["@type"], offer["priceCurrency"], offer["lowPrice"], offer["highPrice"], offer["offerCount"]) == (
        "AggregateOffer", "EUR", "0.0310", "0.1000", 110,
    )  # fmt: skip
    assert offer["priceSpecification"]["unitText"] == "segment"
    assert "about" not in graph(SITE.of_generated_page(replace(head, prices=())))["Dataset"]


def test_nothing_is_said_without_an_address_or_of_an_earlier_release() -> None:
    """Relative addresses mean nothing to who collects such data; an old page is not to be found."""
    assert replace(SITE, url="").of_generated_page(HEAD) == ""
    assert replace(SITE, url="").of_hand_written_page("a.md", "A", "", []) == ""
    assert SITE.of_generated_page(replace(HEAD, is_listed=False)) == ""
