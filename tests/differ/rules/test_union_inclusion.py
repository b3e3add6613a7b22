"""Unions that include each other: branches that others cover, merged and swapped branches, plain schemas."""

from typing import Any

import pytest

from tests.differ.building import AS_TEXT, RECEIVED, SENT, both_ways, rules_and_verdicts

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
NUMBER = {"type": "number"}
TRUTHS = {"type": "array", "items": {"type": "boolean"}}
HARMLESS = {"compatible", "documentation"}


def enum(*values: str) -> dict[str, Any]:
    """Return the schema of texts of which all are listed."""
    return {"type": "string", "enum": list(values)}


def object_schema(*required: str, **properties: Any) -> dict[str, Any]:
    """Return the schema of an object."""
    return {"type": "object", "required": list(required), "properties": properties}


def verdicts(changes: list[tuple[str, str]]) -> set[str]:
    """Return the verdicts of what is found."""
    return {verdict for _, verdict in changes}


@pytest.mark.parametrize(
    ("wide", "covered", "changed"),
    [
        (TEXT, enum("x", "y"), enum("x", "y", "z")),
        (TEXT, {**TEXT, "maxLength": 5}, {**TEXT, "maxLength": 9}),
        (NUMBER, {**WHOLE, "minimum": 3}, {**WHOLE, "minimum": 1}),
        (TRUTHS, {**TRUTHS, "maxItems": 3}, {**TRUTHS, "maxItems": 5}),
        (object_schema(a=TEXT, b=TEXT), object_schema(a=enum("x")), object_schema(a=enum("x", "y"))),
        ({"$ref": "#/components/schemas/Shared"}, enum("x", "y"), enum("x", "y", "z")),
    ],
)
def test_a_branch_of_any_of_that_another_covers_is_no_branch(wide: Any, covered: Any, changed: Any) -> None:
    """It may come, go and change: values are what the other branch allows."""
    shared = {"Shared": {"anyOf": [TEXT, enum("a", "b")]}}
    unions = [{"anyOf": branches} for branches in ([wide, covered], [wide, changed], [wide, TRUTHS, covered])]

    for first, other in ((0, 1), (1, 0)):
        sent, received = both_ways(unions[first], unions[other], components=shared)
        assert verdicts([*sent, *received]) <= HARMLESS
    assert verdicts(rules_and_verdicts(unions[0], unions[2], SENT, components=shared)) <= HARMLESS


@pytest.mark.parametrize("covered", [TRUTHS | {"maxItems": 3}, TRUTHS])
def test_a_schema_beside_branches_that_it_covers_stays_what_it_was(covered: Any) -> None:
    """A list wrapped together with a shorter list is the list."""
    union = {"anyOf": [TRUTHS, covered]}

    assert verdicts([*both_ways(TRUTHS, union)[0], *both_ways(TRUTHS, union)[1]]) == {"documentation"}
    assert verdicts([*both_ways(union, TRUTHS)[0], *both_ways(union, TRUTHS)[1]]) == {"documentation"}


def test_a_covered_branch_of_one_of_is_not_harmless() -> None:
    """To the letter, `oneOf: [string, enum]` refuses the values of the enum."""
    plain, union = TEXT, {"oneOf": [TEXT, enum("x")]}

    assert verdicts(rules_and_verdicts(plain, union, SENT)) == {"breaking"}
    assert verdicts(rules_and_verdicts(plain, union, RECEIVED)) == {"compatible"}
    assert verdicts(rules_and_verdicts(union, plain, SENT)) <= {"compatible"}
    assert "risky" in verdicts(rules_and_verdicts(union, plain, RECEIVED))


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
def test_an_enum_may_become_a_union_that_allows_its_values(keyword: str) -> None:
    """Requests keep working; responses may have values that were never sent."""
    sent, received = both_ways(enum("a", "b"), {keyword: [TEXT, WHOLE]})

    assert verdicts(sent) == {"compatible"}
    assert "risky" in verdicts(received) or "breaking" in verdicts(received)
    assert verdicts(rules_and_verdicts({keyword: [TEXT, WHOLE]}, enum("a", "b"), RECEIVED)) == {"compatible"}


def test_values_of_an_enum_may_go_to_different_branches() -> None:
    """Each value has to find one branch, not all of them the same."""
    old = {"enum": ["a", 3]}

    assert verdicts(rules_and_verdicts(old, {"oneOf": [TEXT, WHOLE]}, SENT)) == {"compatible"}
    assert "breaking" in verdicts(rules_and_verdicts(old, {"oneOf": [TEXT, {**WHOLE, "maximum": 2}]}, SENT))


def test_a_value_of_an_enum_that_fits_two_branches_is_risky() -> None:
    """`oneOf` refuses what matches twice, so a request may fail."""
    union = {"oneOf": [{**TEXT, "maxLength": 5}, {**TEXT, "pattern": "^a"}, WHOLE]}

    assert "compatible" not in {
        verdict for rule, verdict in rules_and_verdicts(enum("a"), union, SENT) if "union" in rule
    }


def labels(items: Any) -> dict[str, Any]:
    """Return an object with a list."""
    return object_schema(labels={"type": "array", "items": items})


def test_two_branches_may_be_merged_into_one() -> None:
    """The new branch allows what both did, and a property that nobody had to send."""
    named = object_schema("name", name=TEXT)
    old = {"oneOf": [labels(TEXT), labels(named), {"type": "array", "items": TEXT}]}
    merged = labels({"oneOf": [TEXT, object_schema("name", name=TEXT, why=TEXT)]})
    new = {"oneOf": [merged, {"type": "array", "items": TEXT}]}

    sent, received = both_ways(old, new)

    assert verdicts(sent) == {"compatible"}
    assert "breaking" in verdicts(received)
    assert verdicts(rules_and_verdicts(new, old, RECEIVED)) == {"compatible"}


def test_a_merged_branch_that_overlaps_another_one_is_not_compatible() -> None:
    """What matched one branch of oneOf now matches two."""
    old = {"oneOf": [{**TEXT, "maxLength": 3}, {**TEXT, "minLength": 4, "maxLength": 8}, WHOLE]}
    new = {"oneOf": [{**TEXT, "maxLength": 8}, {**TEXT, "minLength": 6}, WHOLE]}

    assert verdicts(rules_and_verdicts(old, new, SENT)) & {"risky", "breaking"}


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
def test_ranges_that_are_cut_elsewhere_are_paired_by_inclusion(keyword: str) -> None:
    """Crosswise, each pair would be a narrower range."""
    old = {keyword: [{**WHOLE, "minimum": 20, "maximum": 29}, {**WHOLE, "minimum": 0, "maximum": 9}]}
    new = {keyword: [{**WHOLE, "minimum": 0, "maximum": 15}, {**WHOLE, "minimum": 16, "maximum": 40}]}

    assert verdicts(rules_and_verdicts(old, new, SENT)) == {"compatible"}
    assert verdicts(rules_and_verdicts(new, old, RECEIVED)) == {"compatible"}


CARD = object_schema("kind", kind=enum("card"), number=TEXT)
CASH = object_schema("kind", kind=enum("cash"), till=TEXT)
CRYPTO = object_schema("kind", kind=enum("crypto"), wallet=TEXT)
PAYMENTS = {"Card": CARD, "Cash": CASH, "Crypto": CRYPTO}


def refer(*names: str) -> dict[str, Any]:
    """Return a union of shared schemas."""
    return {"oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in names]}


def test_a_swapped_member_is_one_removal_and_one_addition() -> None:
    """Nothing says that the one became the other."""
    sent, received = both_ways(refer("Card", "Cash"), refer("Card", "Crypto"), components=PAYMENTS)

    assert sent == [("schema.one-of.added", "compatible"), ("schema.one-of.removed", "breaking")]
    assert received == [("schema.one-of.added", "breaking"), ("schema.one-of.removed", "compatible")]


def test_a_swapped_inline_member_is_one_removal_and_one_addition() -> None:
    """The last branches of both sides are not one because nothing else is left."""
    old, new = {"oneOf": [CARD, CASH]}, {"oneOf": [CRYPTO, CARD]}

    assert rules_and_verdicts(old, new, RECEIVED) == [
        ("schema.one-of.added", "breaking"),
        ("schema.one-of.removed", "compatible"),
    ]


def test_a_type_in_place_of_another_is_one_removal_and_one_addition() -> None:
    """A text and a truth value are never paired."""
    old, new = {"oneOf": [WHOLE, TEXT]}, {"oneOf": [WHOLE, {"type": "boolean"}]}

    assert [rule for rule, _ in rules_and_verdicts(old, new)] == [
        "schema.one-of.added",
        "schema.one-of.removed",
    ]


def test_a_branch_that_changes_stays_the_same_branch() -> None:
    """Its value, its reference, its title or most of its properties identify it."""
    longer = object_schema("kind", kind=enum("cash"), till=TEXT, note=TEXT)

    assert rules_and_verdicts({"oneOf": [CARD, CASH]}, {"oneOf": [longer, CARD]}) == [
        ("schema.property.added.optional", "compatible")
    ]
    old = {"oneOf": [{**TEXT, "format": "uuid"}, WHOLE]}
    assert rules_and_verdicts(old, {"oneOf": [WHOLE, {**TEXT, "format": "date"}]}) == [
        ("schema.format.changed", "breaking")
    ]


def test_shared_schemas_that_exchange_what_they_are_change_no_value() -> None:
    """The schema as a whole allows the same, and each of the changes is still reported."""
    union = refer("A", "B")
    old, new = {"A": TEXT, "B": WHOLE}, {"A": WHOLE, "B": TEXT}

    assert rules_and_verdicts(union, union, components=old, new_components=new) == [
        ("schema.type.changed", "documentation"),
        ("schema.type.changed", "documentation"),
    ]


def test_a_branch_whose_properties_another_one_leaves_open_is_risky() -> None:
    """The object without properties allows the values, but does not say what they mean."""
    old = {"anyOf": [{"type": "object"}, object_schema("a", a=TEXT), WHOLE]}
    new = {"anyOf": [{"type": "object"}, WHOLE]}

    assert rules_and_verdicts(old, new, SENT) == [("schema.any-of.removed", "risky")]
    assert rules_and_verdicts(new, old, RECEIVED) == [("schema.any-of.added", "risky")]


def test_null_is_a_matter_of_the_union_as_a_whole() -> None:
    """A union that allows the type and not null refuses null."""
    nullable = {"type": ["string", "null"], "enum": ["a", None]}

    assert ("schema.nullable.removed", "breaking") in rules_and_verdicts(
        nullable, {"anyOf": [TEXT, WHOLE]}, SENT
    )
    assert ("schema.type.changed", "breaking") in rules_and_verdicts(
        {"type": "null"}, {"anyOf": [TEXT, WHOLE]}, SENT
    )


def test_what_a_sibling_looks_at_is_not_left_out() -> None:
    """Beside `unevaluatedProperties`, a covered branch still decides which properties are looked at."""
    old = {
        "type": "object",
        "anyOf": [object_schema(a=TEXT), object_schema(a=TEXT, b=TEXT)],
        "unevaluatedProperties": False,
    }
    new = {
        "type": "object",
        "anyOf": [object_schema(a=TEXT), object_schema(a=TEXT)],
        "unevaluatedProperties": False,
    }

    assert verdicts(rules_and_verdicts(old, new, SENT)) & {"risky", "breaking"}


def test_texts_of_parameters_may_fit_two_branches() -> None:
    """As text, a number is a text too, so nothing is shown of oneOf."""
    union = {"oneOf": [{**TEXT, "minLength": 1}, WHOLE]}

    assert "risky" in verdicts(rules_and_verdicts({**WHOLE, "enum": [1]}, union, AS_TEXT))


def test_keywords_of_unions_mean_the_same_if_no_value_fits_two_branches_of_one_of() -> None:
    """Only the side with oneOf refuses such values."""
    one_of, any_of = {"oneOf": [TEXT, WHOLE]}, {"anyOf": [TEXT, enum("x"), WHOLE]}

    assert verdicts([*both_ways(one_of, any_of)[0], *both_ways(one_of, any_of)[1]]) <= {"compatible"}
    assert verdicts([*both_ways(any_of, one_of)[0], *both_ways(any_of, one_of)[1]]) <= {"compatible"}


def test_an_object_is_the_branch_that_allows_it() -> None:
    """A branch is paired with the one that only adds optional properties."""
    further = object_schema("a", a=TEXT, b=TEXT)

    assert both_ways(object_schema("a", a=TEXT), {"oneOf": [object_schema("z", z=TEXT), further]}) == (
        [("schema.property.added.optional", "compatible"), ("schema.union.wrapped", "compatible")],
        [("schema.property.added.optional", "compatible"), ("schema.union.wrapped", "breaking")],
    )
