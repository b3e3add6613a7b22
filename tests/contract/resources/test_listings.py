"""Where the items of a list are in its response."""

import pytest

from devportal.contract.conventions import default_conventions
from devportal.contract.resources import find_listings
from tests.contract.inline import api


@pytest.mark.parametrize(("path", "items"), [("/links", ("links",)), ("/features", ("features",))])
def test_links_beside_items_are_none_unless_they_are_listed(path: str, items: tuple[str, ...]) -> None:
    """A service that shortens links lists links."""
    objects = "{type: array, items: {type: object, properties: {id: {type: string}, href: {type: string}}}}"
    schema = f"{{type: object, properties: {{links: {objects}, features: {objects}}}}}"
    text = (
        f"paths:\n  {path}:\n    get: {{responses: {{'200': {{description: A list, "
        f"content: {{application/json: {{schema: {schema}}}}}}}}}}}\n"
    )

    (listing,) = find_listings(api(text), default_conventions())

    assert listing.items == items
