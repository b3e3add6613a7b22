"""Tests of schemas that are compiled for one value only, and of how strictly they can be taken."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devportal.contract import Api
from devportal.contract.validate.json_schema import Direction, Reading
from devportal.contract.validate.validator import Validator
from tests.differ.building import api_with, schema_in
from tests.differ.oracle import drawn_value
from tests.differ.strategies import drawn_pair

drawn = settings(derandomize=True, database=None)


def is_valid(schema: Any, value: Any, reading: Reading, *, version: str = "3.1.0", **shared: Any) -> bool:
    """Return whether a value is valid for a schema that is taken in a way."""
    api = api_with(schema, shared, version=version)
    return Validator(api, reading=reading).is_valid(schema_in(api), value, Direction.REQUEST)


def verdicts(api: Api, values: list[Any], *, is_sliced: bool) -> list[bool]:
    """Return which values are valid, one after the other for the same validator."""
    validator = Validator(api, is_sliced=is_sliced)
    return [validator.is_valid(schema_in(api), value, Direction.REQUEST) for value in values]


@drawn
@given(rng=st.randoms(use_true_random=False))
def test_properties_that_a_value_lacks_do_not_matter(rng: Any) -> None:
    """A schema without them says the same of each value as the whole schema does."""
    pair = drawn_pair(rng)
    api = api_with(pair.old, pair.old_shared)
    values = [drawn_value(rng) for _ in range(12)]

    assert verdicts(api, values, is_sliced=True) == verdicts(api, values, is_sliced=False)


@pytest.mark.parametrize("follows", [True, False])
def test_a_discriminator_selects_its_branch(follows: bool) -> None:  # noqa: FBT001 - a case of the test
    """An object of another branch fits only if discriminators do not count."""
    cat = {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}}
    pet = {"anyOf": [{"$ref": "#/components/schemas/Cat"}], "discriminator": {"propertyName": "kind"}}
    reading = Reading(follows_discriminators=follows)

    assert is_valid(pet, {"kind": "Cat"}, reading, Cat=cat)
    assert is_valid(pet, {"kind": "Dog"}, reading, Cat=cat) is not follows


def test_null_is_allowed_where_it_is_written() -> None:
    """An enum of OAS 3.0 without null refuses null, though its author meant it; `nullable` alone says nothing."""
    listed = {"type": "string", "nullable": True, "enum": ["a"]}
    exact = Reading(has_exact_null=True)

    assert is_valid(listed, None, Reading(), version="3.0.3")
    assert not is_valid(listed, None, exact, version="3.0.3")
    assert is_valid({"type": "string", "nullable": True}, None, exact, version="3.0.3")
    assert not is_valid({"type": ["string", "null"], "enum": ["a"]}, None, exact)


def test_branches_that_overlap() -> None:
    """A value may fit two branches of `oneOf` if they are not taken to exclude each other."""
    both = {"oneOf": [{"type": "integer"}, {"type": "number"}]}

    assert not is_valid(both, 1, Reading())
    assert is_valid(both, 1, Reading(is_exclusive=False))


def test_an_open_branch_takes_what_another_one_refuses() -> None:
    """Unless objects hold only what their branch describes."""
    one, other = ({"type": "object", "properties": {name: {"type": "integer"}}} for name in "ab")
    branches = {"anyOf": [one, other]}

    assert is_valid(branches, {"a": "x"}, Reading())
    assert not is_valid(branches, {"a": "x"}, Reading(has_open_branches=False))
    assert is_valid(branches, {"a": 1}, Reading(has_open_branches=False))
    assert is_valid({"anyOf": [one, {"type": "object"}]}, {"a": "x"}, Reading(has_open_branches=False))


def test_properties_that_do_not_travel() -> None:
    """A request may carry a `readOnly` property, unless the reading refuses it; references are followed."""
    account = {
        "type": "object",
        "properties": {"id": {"$ref": "#/components/schemas/Id"}},
        "required": ["id"],
    }
    number = {"type": "integer", "readOnly": True}
    strict = Reading(has_hidden_properties=False)

    assert is_valid(account, {"id": 1}, Reading(), Id=number)
    assert not is_valid(account, {"id": 1}, strict, Id=number)
    assert is_valid(account, {}, strict, Id=number)
    assert is_valid(account, {"id": 1}, strict, Id={"type": "integer", "writeOnly": True})


def test_rules_of_formats() -> None:
    """Formats that JSON Schema lacks have the rules that they are given."""
    reading = Reading(format_rules={"int32": {"maximum": 2**31 - 1}})

    assert is_valid({"type": "integer", "format": "int32"}, 2**31, Reading())
    assert not is_valid({"type": "integer", "format": "int32"}, 2**31, reading)
