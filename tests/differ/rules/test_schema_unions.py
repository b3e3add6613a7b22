"""Rules of schemas for unions and their branches: each with what it says to senders and to receivers."""

from typing import Any

import pytest

from devportal.differ.policy import OpenSet, Policy
from tests.differ.building import RECEIVED, SENT, both_ways, rules_and_verdicts

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
TRUTH = {"type": "boolean"}
CAT = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "cat"}}}
DOG = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "dog"}}}
PETS = {"Cat": CAT, "Dog": DOG}
REFERRED = [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]


@pytest.mark.parametrize(
    ("old", "new", "rule", "sent", "received"),
    [
        ([TEXT, WHOLE], [TEXT, WHOLE, TRUTH], "added", "compatible", "breaking"),
        ([TEXT, WHOLE, TRUTH], [TEXT, WHOLE], "removed", "breaking", "compatible"),
    ],
)
@pytest.mark.parametrize(("keyword", "name"), [("oneOf", "one-of"), ("anyOf", "any-of")])
def test_a_branch_that_comes_or_goes(
    keyword: str, name: str, old: Any, new: Any, rule: str, sent: str, received: str
) -> None:
    """A further branch breaks receivers, a missing one senders."""
    assert both_ways({keyword: old}, {keyword: new}) == (
        [(f"schema.{name}.{rule}", sent)],
        [(f"schema.{name}.{rule}", received)],
    )


def test_branches_in_another_order_are_no_change() -> None:
    """Branches are paired by what they are, not by their place."""
    assert both_ways({"oneOf": [TEXT, WHOLE, TRUTH]}, {"oneOf": [TRUTH, TEXT, WHOLE]}) == ([], [])


def test_a_branch_of_one_of_that_overlaps_breaks_senders() -> None:
    """What fits the new branch and an old one is refused from now on, so old messages are."""
    old, new = {"oneOf": [TEXT, WHOLE]}, {"oneOf": [TEXT, WHOLE, {"type": "number", "minimum": 9}]}

    assert both_ways(old, new) == (
        [("schema.one-of.added", "breaking")],
        [("schema.one-of.added", "breaking")],
    )
    assert rules_and_verdicts(new, old, RECEIVED) == [("schema.one-of.removed", "risky")]


def test_a_branch_of_any_of_that_another_covers_changes_nothing() -> None:
    """Whole numbers are numbers: neither senders nor receivers meet anything new."""
    old, new = {"anyOf": [TEXT, {"type": "number"}]}, {"anyOf": [TEXT, {"type": "number"}, WHOLE]}

    assert both_ways(old, new) == ([("schema.any-of.added", "documentation")],) * 2
    assert both_ways(new, old) == ([("schema.any-of.removed", "documentation")],) * 2


def test_readers_of_open_unions_cope_with_a_new_branch() -> None:
    """Where a discriminator tells branches and the policy says that unions grow, a new one is risky only."""
    wider = {"anyOf": [*REFERRED, TEXT], "discriminator": {"propertyName": "kind"}}
    policy = Policy(response_union=OpenSet.OPEN)

    for count in (1, 2):
        union = {"anyOf": REFERRED[:count], "discriminator": {"propertyName": "kind"}}
        changes = rules_and_verdicts(union, wider, RECEIVED, components=PETS, policy=policy)
        assert set(changes) == {("schema.any-of.added", "risky")}


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
def test_a_schema_becomes_one_of_several_and_back(keyword: str) -> None:
    """A plain schema that becomes a branch is widened, a union that becomes its branch is narrowed."""
    union = {keyword: [TEXT, WHOLE]}

    assert both_ways(TEXT, union) == (
        [("schema.union.wrapped", "compatible")],
        [("schema.union.wrapped", "breaking")],
    )
    assert both_ways(union, TEXT) == (
        [("schema.union.unwrapped", "breaking")],
        [("schema.union.unwrapped", "compatible")],
    )


def test_a_wrapped_schema_is_compared_with_its_branch() -> None:
    """What else changes in the schema is told at the branch, and what stands beside the union counts."""
    old = {"type": "string", "maxLength": 9, "default": "a"}
    new = {"oneOf": [{"type": "string", "maxLength": 5}, WHOLE], "default": "a"}

    assert rules_and_verdicts(old, new, SENT) == [
        ("schema.max-length.lowered", "breaking"),
        ("schema.union.wrapped", "compatible"),
    ]


def test_a_union_of_one_branch_is_no_union() -> None:
    """The only branch is the schema; with a second one, the union has got a branch."""
    assert both_ways({"oneOf": [TEXT]}, TEXT) == ([], [])
    assert rules_and_verdicts({"oneOf": [TEXT]}, {"oneOf": [TEXT, WHOLE]}) == [
        ("schema.one-of.added", "compatible")
    ]


def test_a_null_that_fits_two_branches_is_refused() -> None:
    """A nullable schema beside a null branch of oneOf allows null no more; in anyOf it still does."""
    text = {"type": ["string", "null"]}

    assert rules_and_verdicts(text, {"oneOf": [text, {"type": "null"}]}) == [
        ("schema.union.wrapped", "breaking")
    ]
    assert rules_and_verdicts({"oneOf": [text, {"type": "null"}]}, text) == [
        ("schema.union.unwrapped", "compatible")
    ]
    assert rules_and_verdicts(text, {"anyOf": [text, {"type": "null"}]}) == []


def test_a_union_beside_what_stays_is_one_more_rule() -> None:
    """Alternatives that are asked for on top of an object narrow it, as do further ones beside them."""
    whole = {"type": "object", "properties": {"a": TEXT, "b": TEXT, "c": TEXT}}
    first = {**whole, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    second = {**first, "allOf": [{"anyOf": [{"required": ["a"]}, {"required": ["c"]}]}]}

    assert both_ways(whole, first) == (
        [("schema.union.set", "breaking")],
        [("schema.union.set", "compatible")],
    )
    assert both_ways(first, whole) == (
        [("schema.union.unset", "compatible")],
        [("schema.union.unset", "breaking")],
    )
    assert rules_and_verdicts(first, second) == [("schema.all-of.added", "breaking")]
    assert rules_and_verdicts(second, first) == [("schema.all-of.removed", "compatible")]


def test_one_of_that_becomes_any_of_and_back() -> None:
    """What fits two branches is allowed by anyOf alone; where nothing does, both mean the same."""
    branches = [{**TEXT, "maxLength": 5}, {**TEXT, "minLength": 3}]
    one, any_ = {"oneOf": branches}, {"anyOf": branches}

    assert rules_and_verdicts({"oneOf": [TEXT, WHOLE]}, {"anyOf": [TEXT, WHOLE]}, RECEIVED) == []
    assert both_ways(one, any_) == (
        [("schema.one-of.to.any-of", "compatible")],
        [("schema.one-of.to.any-of", "breaking")],
    )
    assert both_ways(any_, one) == (
        [("schema.any-of.to.one-of", "breaking")],
        [("schema.any-of.to.one-of", "compatible")],
    )


def test_a_branch_that_has_come_to_fit_another_breaks_senders() -> None:
    """Widened until it overlaps, a branch of oneOf takes messages away from another one."""
    old, new = {"oneOf": [TEXT, WHOLE]}, {"oneOf": [TEXT, {}]}

    assert ("schema.branch.changed", "breaking") in rules_and_verdicts(old, new, SENT)
    assert ("schema.branch.changed", "risky") in rules_and_verdicts(new, old, RECEIVED)
    assert ("schema.branch.changed", "risky") not in rules_and_verdicts(old, new, RECEIVED)


def test_a_reference_that_leads_nowhere_cannot_be_compared() -> None:
    """A part that is not there may ask for anything, and no value is new."""
    old, new = {"allOf": [TEXT]}, {"allOf": [TEXT, {"$ref": "#/components/schemas/Gone"}]}

    assert both_ways(old, new) == (
        [("schema.all-of.added", "risky")],
        [("schema.all-of.added", "compatible")],
    )


@pytest.mark.parametrize(
    ("old", "new", "rule", "sent", "received"),
    [
        (None, {"propertyName": "kind"}, "set", "risky", "risky"),
        ({"propertyName": "kind"}, None, "unset", "risky", "risky"),
        ({"propertyName": "kind"}, {"propertyName": "type"}, "property.changed", "breaking", "breaking"),
        (
            {"propertyName": "kind"},
            {"propertyName": "kind", "mapping": {"Cat": "Cat", "kitten": "Cat"}},
            "mapping.added",
            "compatible",
            "risky",
        ),
        (
            {"propertyName": "kind", "mapping": {"Cat": "Cat", "kitten": "Cat"}},
            {"propertyName": "kind"},
            "mapping.removed",
            "breaking",
            "compatible",
        ),
        (
            {"propertyName": "kind", "mapping": {"pet": "Cat", "Cat": "Cat"}},
            {"propertyName": "kind", "mapping": {"pet": "Dog", "Dog": "Dog"}},
            "mapping.retargeted",
            "breaking",
            "breaking",
        ),
    ],
)
def test_a_change_of_a_discriminator(old: Any, new: Any, rule: str, sent: str, received: str) -> None:
    """Who reads or writes the property that tells branches apart meets other values, or other branches."""
    left, right = ({"oneOf": REFERRED, **({"discriminator": item} if item else {})} for item in (old, new))

    assert both_ways(left, right, components=PETS) == (
        [(f"schema.discriminator.{rule}", sent)],
        [(f"schema.discriminator.{rule}", received)],
    )


def test_the_name_of_a_component_is_its_value() -> None:
    """To write the implied mapping down changes nothing; a new name of the component changes the value."""
    union = {"oneOf": REFERRED, "discriminator": {"propertyName": "kind"}}
    written = {"oneOf": REFERRED, "discriminator": {"propertyName": "kind", "mapping": {"Cat": "Cat"}}}
    renamed = {
        "oneOf": [{"$ref": "#/components/schemas/Kitten"}, REFERRED[1]],
        "discriminator": {"propertyName": "kind"},
    }

    assert both_ways(union, written, components=PETS) == ([], [])
    assert rules_and_verdicts(
        union, renamed, components=PETS, new_components={"Kitten": CAT, "Dog": DOG}
    ) == [
        ("schema.discriminator.mapping.added", "compatible"),
        ("schema.discriminator.mapping.removed", "breaking"),
    ]


def test_what_extends_a_schema_is_compared_where_a_discriminator_leads_to_it() -> None:
    """A change in an heir is a change of what is sent for the schema that it extends."""
    base = {
        "type": "object",
        "properties": {"kind": TEXT},
        "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Heir"}},
    }
    heirs = [
        {"Heir": {"allOf": [{"$ref": "#/components/schemas/TheValue"}, {"properties": {"n": item}}]}}
        for item in (WHOLE, TEXT)
    ]

    assert rules_and_verdicts(base, base, components=heirs[0], new_components=heirs[1]) == [
        ("schema.type.changed", "breaking")
    ]


def test_a_union_within_itself_comes_to_an_end() -> None:
    """Unions that lead back to themselves are compared once."""
    loop = {"oneOf": [{"$ref": "#/components/schemas/TheValue"}, TEXT], "type": "string"}
    wider = {"oneOf": [{"$ref": "#/components/schemas/TheValue"}, TEXT, WHOLE]}

    assert rules_and_verdicts(loop, loop) == []
    assert rules_and_verdicts(loop, wider)
    assert rules_and_verdicts(TEXT, wider)


def test_what_many_branches_refer_to_is_compared_once() -> None:
    """A union whose branches lead back to it gives each change once, whatever the number of branches."""
    branches = [
        {
            "required": ["next", f"p{number}"],
            "properties": {f"p{number}": TEXT, "next": {"$ref": "#/components/schemas/TheValue"}},
        }
        for number in range(30)
    ]
    changes = rules_and_verdicts({"oneOf": branches[:20]}, {"oneOf": branches[10:]})

    assert [rule for rule, _ in changes] == ["schema.one-of.added"] * 10 + ["schema.one-of.removed"] * 10


def test_null_comes_beside_a_branch_that_nothing_fits() -> None:
    """A branch that nothing fits leaves the types of the others."""
    impossible = {"allOf": [{"type": "object"}, {"type": "string"}]}
    old = {"oneOf": [{"type": "string"}, impossible]}
    new = {"oneOf": [{"type": "string"}, impossible, {"type": "null"}]}

    assert both_ways(old, new) == (
        [("schema.nullable.added", "compatible")],
        [("schema.nullable.added", "breaking")],
    )


def kinds(*names: str) -> dict[str, Any]:
    """Return a union of objects that only the value of a property tells apart."""
    return {
        "oneOf": [
            {"type": "object", "required": ["kind"], "properties": {"kind": {"const": name}}}
            for name in names
        ]
    }


def test_branches_belong_together_by_the_value_that_tells_their_kind() -> None:
    """Branches in another order are the same, and one that goes leaves the others as they are."""
    assert both_ways(kinds("a", "b", "c"), kinds("c", "a", "b")) == ([], [])
    assert both_ways(kinds("a", "b", "c"), kinds("b", "c")) == (
        [("schema.one-of.removed", "breaking")],
        [("schema.one-of.removed", "compatible")],
    )


def test_equal_branches_belong_together() -> None:
    """Branches that describe the same, with other limits, may stand in another order."""
    short, long = ({"type": "string", "maxLength": length} for length in (5, 50))
    number = {"type": "integer"}

    assert both_ways({"anyOf": [short, number, long]}, {"anyOf": [long, short, number]}) == ([], [])


def test_a_union_that_nothing_fits_wraps_nothing() -> None:
    """Beside a part that contradicts it, a union with the old schema as a branch allows nothing any more."""
    plain = {"type": "object", "properties": {"a": TEXT}}
    impossible = {"allOf": [{"type": "array"}, {"type": "object", "anyOf": [plain, {"required": ["b"]}]}]}

    assert both_ways(plain, impossible) == (
        [("schema.boolean.false", "breaking")],
        [("schema.boolean.false", "compatible")],
    )


@pytest.mark.parametrize("known", [{"type": "string", "format": "uuid", "maxLength": 40}, CAT])
def test_what_a_reference_leads_to_that_leads_nowhere_is_unknown(known: Any) -> None:
    """It is one risk, not a schema that allows anything."""
    gone = {"$ref": "#/components/schemas/Gone"}

    came, went = [("schema.all-of.added", "risky")], [("schema.all-of.removed", "risky")]
    assert both_ways(known, gone) == (came, came)
    assert both_ways(gone, known) == (went, went)
    assert both_ways(gone, gone) == ([], [])


def test_the_rest_beside_a_reference_that_leads_nowhere_is_compared() -> None:
    """Its properties are those of both sides."""
    gone = {"$ref": "#/components/schemas/Gone"}
    old, new = ({"type": "object", "properties": {"b": schema}} for schema in (WHOLE, TEXT))

    assert rules_and_verdicts({"allOf": [CAT, old]}, {"allOf": [gone, new]}, SENT) == [
        ("schema.all-of.added", "risky"),
        ("schema.type.changed", "breaking"),
    ]
