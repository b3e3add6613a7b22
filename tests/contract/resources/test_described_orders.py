"""Which items of a list come first by its description."""

import pytest

from devportal.contract.resources.described_orders import is_newest_first, order_verb
from tests.reference.reading import api_from


@pytest.mark.parametrize(
    ("description", "is_newest"),
    [
        ("Letters in chronological order.", False),
        ("Letters in descending chronological order.", True),
        ("Reverse-chronologically sorted.", True),
        ("If `sort` is omitted, the newest first.", True),
        ("The newest first, unless `sort` is given.", True),
        ("Letters are not necessarily in chronological order.", None),
        ("Letters aren't sorted chronologically.", None),
        ("In chronological or reverse chronological order.", None),
        ("Use `order=asc` for chronological order.", None),
        ("When `order` is `desc`, letters come newest first.", None),
        ("The chronological order can be reversed.", None),
        ("To list the oldest letters first, specify false.", None),
        ("`asc` - ascending, oldest first", None),
        ("DESCENDING: letters in reverse chronological order", None),
        ("created: sort chronologically", None),
        ("Letters in the batch must be in chronological order.", None),
        ("Default: newest first", True),
        ("By default, in descending order of time (latest first).", True),
    ],
)
def test_an_order_is_that_of_all_requests(description: str, *, is_newest: bool | None) -> None:
    """Not one that some requests ask for, or that is denied."""
    api = api_from({"paths": {"/letters": {"get": {"description": description, "responses": {}}}}})

    assert is_newest_first(api.operations[0]) is is_newest


@pytest.mark.parametrize(
    ("summary", "verb"),
    [("Most recently used first", "used"), ("Most recently created first", ""), ("Newest first", "")],
)
def test_an_order_may_be_by_what_was_done_to_the_items(summary: str, verb: str) -> None:
    """Other times say nothing of it."""
    api = api_from({"paths": {"/letters": {"get": {"summary": summary, "responses": {}}}}})

    assert order_verb(api.operations[0]) == verb
