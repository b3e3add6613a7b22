"""What schemas say, and samples that are made once for all that say the same."""

from dataclasses import replace

import pytest

from devportal.contract.schemas import Constraint, Location, Property, Schema
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.schema_contents import SchemaContents
from devportal.contract.values.synthesis import sample_value
from tests.contract.inline import api
from tests.growth import counted_steps

HERE = Location(file="", pointer=("here",))
THERE = Location(file="", pointer=("there",))
EMPTY = "components: {}"


@pytest.mark.parametrize(
    ("first", "other"),
    [
        (Schema(location=HERE, types=("string",)), Schema(location=HERE, types=("integer",))),
        (Schema(location=HERE, default=1), Schema(location=HERE, default=True)),
        (Schema(location=HERE, default=1), Schema(location=HERE, default=1.0)),
        (Schema(location=HERE, default=0.0), Schema(location=HERE, default=-0.0)),
        (Schema(location=HERE, enum=(1,)), Schema(location=HERE, enum=(True,))),
        (Schema(location=HERE, extensible_enum=(1,)), Schema(location=HERE, extensible_enum=(True,))),
        (
            Schema(location=HERE, constraints=(Constraint(keyword="minimum", value=0),)),
            Schema(location=HERE, constraints=(Constraint(keyword="minimum", value=False),)),
        ),
    ],
)
def test_schemas_with_different_values_have_different_numbers(first: Schema, other: Schema) -> None:
    """In Python 1, 1.0 and True are equal; in JSON they are not the same."""
    contents = SchemaContents(api(EMPTY))

    assert contents.number(first) != contents.number(other)


def test_schemas_that_say_the_same_have_one_number() -> None:
    """Where a schema stands does not count."""
    contents = SchemaContents(api(EMPTY))
    one, other = (
        Schema(location=where, types=("string",), description="A name.", enum=("a", 1.5))
        for where in (HERE, THERE)
    )

    assert contents.number(one) == contents.number(other)


def test_schemas_that_hold_others_are_told_apart_by_those() -> None:
    """The keyword a schema stands under counts, and its name, and whether it is required."""
    contents = SchemaContents(api(EMPTY))
    text, number = (Schema(location=THERE, types=(kind,)) for kind in ("string", "number"))
    different = (
        Schema(location=HERE, items=text),
        Schema(location=HERE, items=number),
        Schema(location=HERE, negated=text),
        Schema(location=HERE, additional_properties=text),
        Schema(location=HERE, any_of=(text,)),
        Schema(location=HERE, any_of=(text, number)),
        Schema(location=HERE, one_of=(text,)),
        Schema(location=HERE, others=(("propertyNames", text),)),
        Schema(location=HERE, properties=(Property(name="a", schema=text),)),
        Schema(location=HERE, properties=(Property(name="b", schema=text),)),
        Schema(location=HERE, properties=(Property(name="a", schema=text, required=True),)),
        Schema(location=HERE, pattern_properties=(Property(name="a", schema=text),)),
        Schema(location=HERE, default={"a": 1}),
        Schema(location=HERE, default={"a": True}),
        Schema(location=HERE, extensible_enum=([1],)),
    )

    numbers = [contents.number(schema) for schema in different]
    again = [contents.number(replace(schema, location=THERE)) for schema in different]

    assert len(set(numbers)) == len(different)
    assert again == numbers


def test_the_first_that_says_the_same_stands_for_others() -> None:
    """Not where references lead from it, to it or from what is in it, nor at a place that is kept apart."""
    found = api("components: {schemas: {Kept: {type: string}, Other: {type: string}}}")
    kept, other = found.schemas.values()
    contents = SchemaContents(found, lambda location: location == THERE)
    reference = Schema(location=HERE, ref=kept.location)
    alike = [
        Schema(location=HERE.child(part), items=Schema(location=HERE, types=("string",))) for part in "ab"
    ]
    leading = [Schema(location=HERE.child(part), items=reference) for part in "ab"]

    assert [contents.first(schema) is alike[0] for schema in alike] == [True, True]
    assert contents.number(leading[0]) == contents.number(leading[1])
    for schema in (*leading, reference, kept, other, replace(alike[0], location=THERE)):
        assert contents.first(schema) is schema


def test_the_same_members_of_many_objects_are_made_once() -> None:
    """The second of two equal objects takes less than two thirds of the steps of the first."""
    members = "\n".join(
        f"        city_name{number}: {{type: string, maxLength: {20 + number}, description: City of {number}.}}\n"
        f"        code{number}: {{type: string, example: c{number}}}"
        for number in range(40)
    )
    schema = f"{{name}}:\n      type: object\n      properties:\n{members}\n"
    text = "components:\n  schemas:\n" + "".join(
        f"    {schema.replace('{name}', f'Client{number}')}" for number in range(2)
    )
    found = api(text)
    first, second = found.schemas.values()

    with counted_steps() as once:
        sample = sample_value(found, first, Direction.RESPONSE)
    with counted_steps() as again:
        same = sample_value(found, second, Direction.RESPONSE)

    assert sample == same
    assert again.count < once.count * 2 / 3
