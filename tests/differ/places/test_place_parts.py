"""Places of changes, taken apart for programs."""

import pytest

from devportal.differ.places.place_parts import MessageSide, PlaceParts, parse_path, parse_place

SIDE = MessageSide


@pytest.mark.parametrize(
    ("field", "parts"),
    [
        ("", PlaceParts(side=SIDE.OPERATION)),
        ("security", PlaceParts(side=SIDE.OPERATION)),
        ("servers", PlaceParts(side=SIDE.OPERATION)),
        ("query.day_from", PlaceParts(side=SIDE.PARAMETER, location="query", parameter="day_from")),
        ("header.X-Id", PlaceParts(side=SIDE.PARAMETER, location="header", parameter="X-Id")),
        ("query.filter[a]", PlaceParts(side=SIDE.PARAMETER, location="query", parameter="filter[a]")),
        ("request", PlaceParts(side=SIDE.REQUEST)),
        ("request.to", PlaceParts(side=SIDE.REQUEST, path=("to",))),
        (
            "response.200(application/json).data[].n",
            PlaceParts(
                side=SIDE.RESPONSE, status="200", media_type="application/json", path=("data", "[]", "n")
            ),
        ),
        ("response.4XX", PlaceParts(side=SIDE.RESPONSE, status="4XX")),
        (
            "response.202.header.X-Id",
            PlaceParts(side=SIDE.RESPONSE, status="202", header="X-Id", path=("header", "X-Id")),
        ),
    ],
)
def test_a_place_is_taken_apart(field: str, parts: PlaceParts) -> None:
    """Each part of a message has its own member."""
    assert parse_place(field) == parts


@pytest.mark.parametrize(
    ("steps", "path"),
    [
        ("", ()),
        ("owner.name", ("owner", "name")),
        ('."a.b".c', ("a.b", "c")),
        ("items[0].id", ("items", "[]", "id")),
        ("labels.*", ("labels", "*")),
        (".^x-", ("*",)),
        ("payment|Card.number", ("payment", "number")),
        ("tags:contains.id", ("tags",)),
        ("[", ()),
    ],
)
def test_a_path_has_names_and_items(steps: str, path: tuple[str, ...]) -> None:
    """Branches of unions are no step of a value; a path ends at a rarer keyword."""
    assert parse_path(steps) == path
