"""Orders of the members of a body that clients have to keep: "It must be after `starts_at`"."""

from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Schema
from devportal.contract.resources import object_properties
from devportal.contract.values.member_rules import MemberOrder, member_rules


def demanded_orders(
    subject: Subject, schema: Schema, sentences: tuple[str, ...] = ()
) -> tuple[MemberOrder, ...]:
    """Return the orders of members of an object that a client sets and that a request must keep, one that two
    sentences state once.
    """
    rules = member_rules(subject.api, schema, sentences)
    sent = {
        property_.name
        for property_ in object_properties(subject.api, schema)
        if not (property_.schema.read_only or subject.api.resolve(property_.schema).read_only)
    }
    orders = (rule for rule in rules if isinstance(rule, MemberOrder) and rule.is_demanded)
    by_members: dict[tuple[str, str], MemberOrder] = {}
    for order in orders:
        if {order.name, order.other} <= sent:
            by_members.setdefault((order.name, order.other), order)
    return tuple(by_members.values())
