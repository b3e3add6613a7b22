"""Orders of members that clients have to keep."""

from devportal.conformance.knowledge.descriptions.member_orders import demanded_orders
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

RANGE = """\
components:
  schemas:
    Range:
      type: object
      properties:
        min: {type: number, description: Must be less than `max`.}
        max: {type: number}
"""


def test_an_order_that_two_sentences_state_is_one() -> None:
    """The description of the member and that of the operation are about one rule: one failure is enough."""
    subject = subject_of_contract(contract(RANGE))
    schema = next(each for each in subject.api.schemas.values() if each.name == "Range")

    orders = demanded_orders(subject, schema, ("`min` must be less than `max`",))

    assert [(order.name, order.other, order.sentence) for order in orders] == [
        ("min", "max", "Must be less than `max`")
    ]
