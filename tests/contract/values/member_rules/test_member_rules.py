"""Sentences that are rules between the members of an object, and those that are none."""

from textwrap import dedent, indent
from typing import Any

import pytest

from devportal.contract.values.member_rules import (
    ComputedMember,
    Count,
    Formula,
    MemberOrder,
    MemberPresence,
    MemberRule,
    Relation,
    Sum,
    Terms,
    has_member_rules,
    member_rules,
)
from tests.contract.inline import api

INVOICE = """
type: object
properties:
  total: {{type: number, description: "{sentence}"}}
  net: {{type: number}}
  tax: {{type: number}}
  discount_amount: {{type: number}}
  vat_percent: {{type: number}}
  note: {{type: string}}
  starts_at: {{type: string, format: date-time}}
  first_day: {{type: string, format: date}}
  limit: {{type: integer}}
  lines:
    type: array
    items:
      type: object
      properties: {{amount: {{type: number}}, unit_price: {{type: number}}, quantity: {{type: integer}}, paid_at: {{}},
        rate: {{type: number, description: In percent.}}}}
  latest_notes: {{type: array, description: The latest notes., items: {{type: string}}}}
"""
LINES = [{"amount": 2, "unit_price": 1, "quantity": 2}, {"amount": 9, "unit_price": 3, "quantity": 3}]


def rules(sentence: str, kind: str = "total: {type: number") -> tuple[MemberRule, ...]:
    """Return the rules of an invoice whose `total` has this description."""
    text = INVOICE.format(sentence=sentence).replace("total: {type: number", kind)
    model = api("components:\n  schemas:\n    Invoice:\n" + indent(dedent(text), " " * 6))
    return member_rules(model, next(schema for schema in model.schemas.values() if schema.name == "Invoice"))


def formula(sentence: str) -> Formula | None:
    """Return how `total` is computed by its description, None if that does not say so."""
    return next((rule.formula for rule in rules(sentence) if isinstance(rule, ComputedMember)), None)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The number of `lines`.", Count(items="lines")),
        ("Number of `lines` in the invoice", Count(items="lines")),
        ("The number of lines with a `paid_at`.", Count(items="lines", having="paid_at")),
        (
            "The sum of `amount` of all lines.",
            Sum(items="lines", terms=Terms(operator="×", names=("amount",))),
        ),
        (
            "Sum of the `amount` values over `lines`",
            Sum(items="lines", terms=Terms(operator="×", names=("amount",))),
        ),
        (
            "The sum of all `lines[].amount`.",
            Sum(items="lines", terms=Terms(operator="×", names=("amount",))),
        ),
        (
            "The sum of the amounts of all lines.",
            Sum(items="lines", terms=Terms(operator="×", names=("amount",))),
        ),
        ("The sum of `amount`.", Sum(items="lines", terms=Terms(operator="×", names=("amount",)))),
        (
            "It is the sum of `quantity` × `unit_price` over all lines.",
            Sum(items="lines", terms=Terms(operator="×", names=("quantity", "unit_price"))),
        ),
        ("The sum of `net` and `tax`.", Terms(operator="+", names=("net", "tax"))),
        ("`net` plus `tax`", Terms(operator="+", names=("net", "tax"))),
        ("`total` is `net` minus `tax`.", Terms(operator="−", names=("net", "tax"))),
        ("`net` minus `discount_amount`.", Terms(operator="−", names=("net", "discount_amount"))),
        ("Always equals `net` * `tax`.", Terms(operator="×", names=("net", "tax"))),
    ],
)
def test_plain_sentences_say_how_a_number_is_computed(sentence: str, expected: Formula) -> None:
    """Counts, sums over lists, and formulas are understood with quoted names."""
    assert formula(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "The number of lines",
        "The number of `lines`, without cancelled ones.",
        "The number of `latest_notes`.",
        "The number of `others`.",
        "The sum of `amount` of all lines, converted to euros.",
        "The sum of `note` of all lines.",
        "The sum of amounts",
        "The sum of net and tax.",
        "The sum of the amounts of all paid lines",
        "The sum of the unit prices of all lines",
        "The sum of `quantity` × `unit_price` + `amount` of all lines.",
        "The sum of `amount` of all `active` lines.",
        "`net` minus the discount.",
        "At most `limit`",
        "The sum that was invoiced.",
        "`net` × `vat_percent`",
        "The sum of `amount` × `rate` of all lines.",
    ],
)
def test_other_sentences_compute_nothing(sentence: str) -> None:
    """A number may count what the response does not show, or only a part of it."""
    assert formula(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "relation", "is_demanded"),
    [
        ("After `starts_at`", Relation.AFTER, False),
        ("Never before `starts_at`.", Relation.NOT_BEFORE, True),
        ("It must be after `starts_at`, or 422.", Relation.AFTER, True),
        ("It must be after `starts_at`, by at most 30 nights", Relation.AFTER, True),
        ("Must be before `starts_at` and at least 2 days apart, or 422", Relation.BEFORE, True),
        ("Must not be earlier than `starts_at`", Relation.NOT_BEFORE, True),
        ("It cannot be later than `starts_at`.", Relation.NOT_AFTER, True),
        ("It may not be later than `starts_at`.", Relation.NOT_AFTER, True),
        ("It can never be later than `starts_at`.", Relation.NOT_AFTER, True),
        ("It is always after `starts_at`.", Relation.AFTER, False),
        ("Is at or before `starts_at`.", Relation.NOT_AFTER, False),
        ("`total` must lie before the `starts_at`.", Relation.BEFORE, True),
        ("The end of the period, after `starts_at`", Relation.AFTER, False),
    ],
)
def test_plain_sentences_order_two_times(sentence: str, relation: Relation, *, is_demanded: bool) -> None:
    """What must not be is a demand; what is, describes."""
    (rule,) = rules(sentence, "total: {type: string, format: date-time")

    assert isinstance(rule, MemberOrder)
    assert (rule.relation, rule.other, rule.is_demanded) == (relation, "starts_at", is_demanded)


@pytest.mark.parametrize(
    "sentence",
    [
        "Usually after `starts_at`",
        "It should be after `starts_at`",
        "After `first_day`",
        "After `unknown`",
        "After noon",
        "It may be before `starts_at`",
        "Can be later than `starts_at`",
        "It is not always after `starts_at`",
        "If it is known, after `starts_at`",
        "Noon or later, before `starts_at`",
    ],
)
def test_other_sentences_order_nothing(sentence: str) -> None:
    """A recommendation or a permission is not a rule, and a time is not compared with a day."""
    assert rules(sentence, "total: {type: string, format: date-time") == ()


@pytest.mark.parametrize(
    ("sentence", "members", "is_met"),
    [
        ("The number of `lines`", {"total": 2, "lines": LINES}, True),
        ("The number of `lines`", {"total": 3, "lines": LINES}, False),
        ("The number of `lines`", {"total": 3}, None),
        ("The sum of `amount` of all lines", {"total": 11, "lines": LINES}, True),
        ("The sum of `amount` of all lines", {"total": 9, "lines": LINES}, False),
        ("The sum of `amount` of all lines", {"total": 9, "lines": [{}]}, None),
        ("The sum of `amount` of all lines", {"total": None, "lines": LINES}, None),
        ("`net` plus `tax`", {"total": "3.30", "net": 1.1, "tax": 2.2}, True),
        ("`net` plus `tax`", {"total": 3.31, "net": 1.104, "tax": 2.202}, True),
        ("`net` plus `tax`", {"total": 3.4, "net": 1.1, "tax": 2.2}, False),
        ("`net` minus `tax`", {"total": 1, "net": 3, "tax": 2}, True),
        ("`net` minus `tax`", {"total": -1, "net": 3, "tax": 2}, False),
    ],
)
def test_numbers_are_compared_exactly_but_for_decimals(
    sentence: str, members: dict[str, Any], *, is_met: bool | None
) -> None:
    """Whole numbers agree, amounts may be rounded, and what is not shown is not compared."""
    (rule,) = rules(sentence)

    assert rule.is_met(members) is is_met


@pytest.mark.parametrize(
    ("kind", "total", "is_met"),
    [
        ("integer", 334, True),
        ("integer", 333, True),
        ("integer", 336, False),
        ("string, format: decimal", "334", True),
        ("string, format: decimal", "334.00", False),
        ("number", 333.02, True),
        ("number", 334, False),
    ],
)
def test_parts_with_decimals_are_rounded_to_what_the_member_can_hold(
    kind: str, total: Any, *, is_met: bool
) -> None:
    """Two lines of 166.5 cents may be billed as 167 each, although their sum is a whole number."""
    (rule,) = rules("The sum of `quantity` × `unit_price` of all lines", f"total: {{type: {kind}")

    assert rule.is_met({"total": total, "lines": [{"quantity": 0.5, "unit_price": 333}] * 2}) is is_met


def test_binary_fractions_that_give_a_whole_number_are_not_compared_exactly() -> None:
    """A program that adds these up with the arithmetic of IEEE 754 gets 0.9999999999999999."""
    (rule,) = rules("The sum of `amount` of all lines")
    amounts = [0.1, 0.7, 0.2]

    assert rule.is_met({"total": sum(amounts), "lines": [{"amount": amount} for amount in amounts]}) is True


@pytest.mark.timeout(120)
def test_a_description_of_many_sentences_is_read_once() -> None:
    """Whether it names an exception does not depend on the sentence: reading it for each took minutes."""
    text = "The number of `others`. " * 20_000

    assert rules(f"{text}The number of `lines`.") == rules("The number of `lines`.")


def test_long_chains_of_schemas_are_searched_for_rules() -> None:
    """Each schema is read once, and none is too deep."""
    last = 3000
    links = "".join(
        f"      S{number}: {{properties: {{next: {{$ref: '#/components/schemas/S{number + 1}'}}}}}}\n"
        for number in range(last)
    )
    size = "size: {type: integer, description: DESCRIPTION}"
    end = f"      S{last}: {{properties: {{parts: {{type: array, items: {{type: string}}}}, {size}}}}}\n"
    found = []
    for description in ("The number of `parts`", "A size"):
        text = f"components:\n  schemas:\n{links}{end}".replace("DESCRIPTION", description)
        model = api(text)
        first = next(schema for schema in model.schemas.values() if schema.name == "S0")
        found.append(has_member_rules(model, first))

    assert found == [True, False]


@pytest.mark.parametrize(
    ("kind", "sentence", "value", "other", "is_met"),
    [
        (
            "string, format: date-time",
            "After `starts_at`",
            "2026-01-02T00:00:00Z",
            "2026-01-01T00:00:00Z",
            True,
        ),
        (
            "string, format: date-time",
            "After `starts_at`",
            "2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00.4Z",
            True,
        ),
        (
            "string, format: date-time",
            "After `starts_at`",
            "2026-01-01T00:00:00Z",
            "2026-01-01T00:00:09Z",
            False,
        ),
        ("string, format: date-time", "After `starts_at`", None, "2026-01-01T00:00:09Z", None),
        ("string, format: date", "After `first_day`", "2026-01-01", "2026-01-01", False),
        ("string, format: date", "Not before `first_day`", "2026-01-01", "2026-01-01", True),
        ("integer", "At least `limit`", 3, 3, True),
        ("integer", "Greater than `limit`", 3, 3, False),
        ("integer", "At most `limit`", 4, 3, False),
        ("integer", "Less than `limit`", 2, 3, True),
    ],
)
def test_times_days_and_numbers_are_compared(
    kind: str, sentence: str, value: Any, other: Any, *, is_met: bool | None
) -> None:
    """Two times may differ by a second, days and numbers may not."""
    (rule,) = rules(sentence, f"total: {{type: {kind}")
    assert isinstance(rule, MemberOrder)

    assert rule.is_met({"total": value, rule.other: other}) is is_met


ORDER = """
type: object
properties:
  status: {{type: string, enum: [draft, open, paid, refunded]}}
  method: {{type: string, enum: [card, cash]}}
  note: {{type: string, description: "{sentence}"}}
"""


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Null unless the order is `paid`.", [(False, "draft open refunded", False)]),
        ("Absent for a draft.", [(False, "draft", False)]),
        ("Absent while the order is `draft` or `open`.", [(False, "draft open", False)]),
        ("Set when the order is `paid` or `refunded`.", [(True, "paid refunded", False)]),
        ("Set once paid, never before.", [(True, "paid", False), (False, "draft open", True)]),
        ("Null until the order is `paid`.", [(False, "draft open", True)]),
        ("Only set while the order is `open`.", [(False, "draft paid refunded", False)]),
        ("Only set when the order is `paid`.", [(False, "draft open", True)]),
        ("The reason, present only if `status` is `refunded`.", [(False, "draft open paid", True)]),
        ("Empty if `method` is `cash`.", [(False, "cash", False)]),
        ("May be null unless paid.", []),
        ("Null if the order is not `paid`.", []),
        ("Null unless the order is `paid` by card.", []),
        ("Set if the customer that is open pays.", []),
        ("Set if `shipment` is `open`.", []),
        ("Set to null when the order is `draft`.", []),
        ("Unless the shop deletes it, set when the order is `paid`.", []),
    ],
)
def test_the_states_in_which_a_member_has_a_value(
    sentence: str, expected: list[tuple[bool, str, bool]]
) -> None:
    """They are values of an enumerated member beside it; a sentence with an exception names none."""
    text = dedent(ORDER.format(sentence=sentence))
    model = api("components:\n  schemas:\n    Order:\n" + indent(text, " " * 6))
    order = next(schema for schema in model.schemas.values() if schema.name == "Order")

    found = [rule for rule in member_rules(model, order) if isinstance(rule, MemberPresence)]

    assert [(rule.has_value, " ".join(rule.states), rule.is_new) for rule in found] == expected
