"""Rules between the members of one object that a contract has in words: counts, sums, products, orders, and the states
in which a member has a value.

Only plain sentences are taken as rules, such as "The number of `lines`", "The sum of `debit` of all lines",
"`quantity` × `unit_price`" and "It must not be before `starts_at`". A description that names an exception has none, and
"the number of members" without a quoted name has none either: a response may show some of the members.
"""

from devportal.contract.values.member_rules.find import has_member_rules, member_rules
from devportal.contract.values.member_rules.formulas import summed_below
from devportal.contract.values.member_rules.rules import (
    EMPTY_VALUES,
    ROUNDING,
    ComputedMember,
    Count,
    Formula,
    MemberOrder,
    MemberPresence,
    MemberRule,
    Relation,
    Sum,
    Terms,
    is_whole,
    member_value,
    parse_number,
)

__all__ = [
    "EMPTY_VALUES",
    "ROUNDING",
    "ComputedMember",
    "Count",
    "Formula",
    "MemberOrder",
    "MemberPresence",
    "MemberRule",
    "Relation",
    "Sum",
    "Terms",
    "has_member_rules",
    "is_whole",
    "member_rules",
    "member_value",
    "parse_number",
    "summed_below",
]
