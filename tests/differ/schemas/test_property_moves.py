"""Values that possibly moved into another object or out of it: what is reported of them."""

from typing import Any

import pytest

from devportal.differ import compare
from tests.differ.test_laws import api_of
from tests.differ.test_renames import contract

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}


def _object_with(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def _removals(old: dict[str, Any], new: dict[str, Any], place: str) -> list[tuple[str, str]]:
    found = compare(api_of(contract(old, place=place)), api_of(contract(new, place=place))).changes
    return [(change.message, change.hint) for change in found if "removed" in change.rule]


@pytest.mark.parametrize(
    ("place", "verb", "rest"),
    [
        ("response", "read", ""),
        ("request", "send", "; clients that still send it do not learn that it is ignored"),
    ],
)
def test_property_that_is_in_a_new_object_now_is_found_there(place: str, verb: str, rest: str) -> None:
    """Who used it learns its new path, whichever direction it travels."""
    found = _removals({"iban": TEXT}, {"payout": _object_with(iban=TEXT, bank=TEXT)}, place)

    ((message, hint),) = found
    assert message.endswith(f'property "iban" is removed: possibly moved to "payout.iban"{rest}')
    assert hint == f'{verb} "payout.iban" instead'


def test_property_that_may_be_in_one_of_two_new_objects_is_in_one_or_the_other() -> None:
    """Nobody can know which of them has its value."""
    new = {"billing": _object_with(street=TEXT), "shipping": _object_with(street=TEXT)}

    assert _removals({"street": TEXT}, new, "response") == [
        (
            'the optional property "street" is removed: possibly moved to "billing.street" or "shipping.street"',
            'read "billing.street" or "shipping.street" instead',
        )
    ]


def test_properties_of_an_object_that_is_gone_are_found_beside_where_it_was() -> None:
    """The object is removed, and each of its properties that is now there is named."""
    old, new = {"address": _object_with(street=TEXT, city=TEXT)}, {"street": TEXT, "city": TEXT}

    assert _removals(old, new, "response") == [
        (
            'the optional property "address" is removed: possibly moved to "street", "city"',
            'read "street", "city" instead',
        )
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"iban": TEXT}, {"payout": _object_with(iban=NUMBER)}),
        ({"name": TEXT}, {"owner": _object_with(name=TEXT)}),
        ({"iban": TEXT, "payout": _object_with(iban=TEXT)}, {"payout": _object_with(iban=TEXT)}),
        ({"iban": TEXT}, {"payouts": {"type": "array", "items": _object_with(iban=TEXT)}}),
    ],
    ids=["other values", "name of most objects", "object was there", "list"],
)
def test_property_that_did_not_evidently_move_is_only_removed(
    old: dict[str, Any], new: dict[str, Any]
) -> None:
    """Its values are others, its name is in most objects, the object is not new, or there are many of them."""
    assert _removals(old, new, "response") == [
        (f'the optional property "{next(iter(old))}" is removed', "stop reading it")
    ]


def test_property_with_a_common_name_counts_if_another_one_moved_with_it() -> None:
    """One `name` proves nothing, a name with an IBAN does."""
    found = _removals({"name": TEXT, "iban": TEXT}, {"owner": _object_with(name=TEXT, iban=TEXT)}, "response")

    assert sorted(hint for _, hint in found) == ['read "owner.iban" instead', 'read "owner.name" instead']


@pytest.mark.parametrize(("place", "verb"), [("response", "read it from"), ("request", "send it in")])
def test_list_that_a_page_has_now_is_found_in_it(place: str, verb: str) -> None:
    """It is the only property of the page with such values, even if its items changed with it."""
    old, new = (
        contract(
            {"found": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}}
            if kind is TEXT
            else {
                "found": _object_with(
                    data={"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}, next=TEXT
                )
            },
            place=place,
            schemas={"Thing": _object_with(a=kind)},
        )
        for kind in (TEXT, NUMBER)
    )

    (change,) = (item for item in compare(api_of(old), api_of(new)).changes if item.field.endswith("found"))

    assert change.message == (
        'the type is changed from "array" to "object": the old value is possibly in the property "data" of the object'
    )
    assert change.hint == f'{verb} the property "data"'


def test_value_that_several_properties_may_have_now_is_not_looked_for() -> None:
    """Nobody knows which of them it is."""
    old, new = ({"price": price} for price in (TEXT, _object_with(amount=TEXT, currency=TEXT)))

    (change,) = compare(api_of(contract(old)), api_of(contract(new))).changes

    assert change.message == 'the type is changed from "string" to "object"'
