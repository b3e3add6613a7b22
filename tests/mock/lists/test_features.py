"""Lists of features of GeoJSON, with links beside them."""

from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.contract.inline import api
from tests.mock.contracts import Client

FEATURES = """
paths:
  /places:
    get:
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1}}
        - {name: bbox, in: query, style: form, explode: false, schema: {
            type: array, minItems: 4, maxItems: 6, items: {type: number}}}
      responses:
        '200':
          description: Places
          content: {application/geo+json: {schema: {type: object, required: [type, features], properties: {
            type: {type: string, enum: [FeatureCollection]},
            features: {type: array, items: &place {type: object, required: [id, type], properties: {
              id: {type: string}, type: {type: string, enum: [Feature]}, geometry: &point {
                type: object, properties: {type: {type: string}, coordinates: {type: array, items: {type: number}}}}}}},
            links: {type: array, items: {type: object, properties: {href: {type: string}, rel: {type: string}}}},
            numberMatched: {type: integer}, numberReturned: {type: integer}}}}}
    post:
      requestBody: {content: {application/geo+json: {schema: {type: object, properties: {geometry: *point}}}}}
      responses: {'201': {description: Created, content: {application/geo+json: {schema: *place}}}}
  /places/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: A place, content: {application/geo+json: {schema: *place}}}}
""".lstrip()


def _client(*points: tuple[float, float]) -> Client:
    client = Client(api(FEATURES))
    client.application.state.clear()
    for point in points:
        body = {"geometry": {"type": "Point", "coordinates": [*point]}}
        client.json("POST", "/places", body, content_type="application/geo+json")
    return client


def _points(page: Any) -> list[Any]:
    return [feature["geometry"]["coordinates"] for feature in page["features"]]


def test_links_lead_through_the_pages() -> None:
    """They are no items, and the numbers are those of the list and the page."""
    client = _client((1, 1), (2, 2), (3, 3))

    first = client.json("GET", "/places?limit=2")
    rels = {link["rel"]: urlsplit(link["href"]) for link in first["links"]}
    second = client.json("GET", f"{rels['next'].path}?{rels['next'].query}")

    assert (first["numberMatched"], first["numberReturned"], set(rels)) == (3, 2, {"self", "next"})
    assert (_points(first), _points(second)) == ([[1, 1], [2, 2]], [[3, 3]])
    assert "next" not in {link["rel"] for link in second["links"]}


@pytest.mark.parametrize(
    ("box", "found"),
    [
        ("9,49,11,51", [[10, 50]]),
        ("-71,-31,11,51", [[10, 50], [-70, -30]]),
        ("9,49,0,11,51,100", [[10, 50]]),
        ("170,-20,-170,20", [[179, 0]]),
        ("0,0,1,1", []),
    ],
)
def test_a_box_chooses_the_features_within_it(box: str, found: list[Any]) -> None:
    """With heights, and across the antimeridian, too."""
    client = _client((10, 50), (-70, -30), (179, 0))

    assert _points(client.json("GET", f"/places?bbox={box}")) == found
