"""Links in descriptions to other parts of the contract."""

import pytest

from devportal.reference.links import DescriptionLinks
from devportal.reference.reference import reference_of

from .reading import api_from, api_of, pages_of, parse_html

OPERATION = "reference/parcels/create-parcel.md"


@pytest.mark.parametrize(
    ("anchor", "uri"),
    [
        ("#operation/createParcel", OPERATION),
        ("#tag/Parcels/operation/createParcel", OPERATION),
        ("#operation/create-parcel", OPERATION),
        ("#/paths/~1parcels/post", OPERATION),
        ("#tag/Parcels", "reference/parcels/index.md"),
        ("#tag/Labels-and-more", "reference/index.md"),
        ("#tag/Labels-&-more", "reference/labels-more/index.md"),
        ("#/components/schemas/NewParcel", "reference/schemas/new-parcel.md"),
        ("#schema/NewParcel", "reference/schemas/new-parcel.md"),
        ("#section/Before-you-start", "reference/index.md#section/Before-you-start"),
        ("#section/nobody-knows", "reference/index.md"),
        ("#operation/nobodyKnows", "reference/index.md"),
        ("#", "reference/index.md"),
    ],
)
def test_anchor_of_a_single_page_leads_to_a_page_of_ours(anchor: str, uri: str) -> None:
    """Operations, tags, schemas and JSON pointers; what is not known leads to the overview."""
    api = api_of("rich-3.1.yaml")

    assert DescriptionLinks(reference_of(api)).target(anchor) == uri


@pytest.mark.parametrize(
    ("anchor", "uri"),
    [
        ("#operation/getUser", "reference/x/get-user.md"),
        ("#operation/get_user", "reference/x/get-user-2.md"),
        ("#operation/get-user", "reference/x/get-user.md"),
        ("#tag/--", "reference/index.md"),
    ],
)
def test_anchor_means_the_part_that_is_called_exactly_so(anchor: str, uri: str) -> None:
    """Names that differ in nothing but signs lead to their own pages, and what has no letter nowhere."""
    operations = {
        name: {"operationId": name, "tags": ["++"], "responses": {"200": {"description": "d"}}}
        for name in ("getUser", "get_user")
    }
    api = api_from({"paths": {f"/{name}": {"get": operation} for name, operation in operations.items()}})

    assert DescriptionLinks(reference_of(api)).target(anchor) == uri


@pytest.mark.parametrize(
    ("anchor", "uri"),
    [
        ("#/paths/~1a/get", "reference/x/get-a.md"),
        ("#/paths/~1b/get", "reference/x/get-b.md"),
        ("#/components/pathItems/P/get", "reference/x/get-a.md"),
    ],
)
def test_pointer_leads_to_the_path_that_it_names(anchor: str, uri: str) -> None:
    """Also where several paths share what stands there; to the first of them where it names that."""
    item = {"get": {"tags": ["x"], "responses": {"200": {"description": "d"}}}}
    shared = {"$ref": "#/components/pathItems/P"}
    api = api_from({"paths": {"/a": shared, "/b": shared}, "components": {"pathItems": {"P": item}}})

    assert DescriptionLinks(reference_of(api)).target(anchor) == uri


def test_description_links_to_the_page_of_an_operation() -> None:
    """The link in a rendered description is relative to the page on which it stands."""
    api = api_of("rich-3.0.yaml")
    body = parse_html(pages_of(api)["reference/forms/forms-upload.md"].body)

    links = [element.attributes["href"] for element in body.find("a") if element.text == "the other form"]

    assert links == ["../forms-nested/"]


def test_description_in_a_twin_links_to_twins() -> None:
    """Alone and in an item of a list, from where the twin lies."""
    api = api_of("rich-3.1.yaml")
    links = DescriptionLinks(reference_of(api))
    text = "First [create](#operation/createParcel), not [this](https://example.com)."
    there = "First [create](parcels/create-parcel.md), not [this](https://example.com)."

    assert links.markdown(text, "reference/index.md") == there
    assert links.item(text, source="reference/index.md", indent=2) == f" {there}"


def test_headings_of_a_description_stand_below_those_of_its_twin() -> None:
    """The level is that of the place."""
    api = api_of("rich-3.1.yaml")

    made = DescriptionLinks(reference_of(api)).markdown("# a\n\nb", "reference/index.md", first_heading=2)

    assert made == "## a\n\nb"
