"""How contracts say which items of a list come first."""

import pytest

from devportal.conformance.families.lists.described_order import described_order_probes
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

CONTRACT = """\
paths:
  /letters:
    get:
      description: {description}
      responses:
        '200':
          description: Letters
          content:
            application/json:
              schema:
                type: array
                items: {{properties: {{sentAt: {{type: string, format: date-time}}}}}}
"""


@pytest.mark.parametrize(
    ("description", "is_order"),
    [
        ("Letters, newest first.", True),
        ("The newest letters come first.", True),
        ("Without `sort`, the most recent are listed first.", True),
        ("The oldest letter is first.", True),
        ("By `view`, the newest or the oldest letters come first.", False),
        ("Returns the newest letters.", False),
        ("The latest version of the first letter.", False),
    ],
)
def test_an_order_is_understood(description: str, *, is_order: bool) -> None:
    """The newest or the oldest items come first, in whichever words."""
    subject = subject_of_contract(contract(CONTRACT.format(description=f'"{description}"')))

    assert bool([*described_order_probes(subject)]) is is_order
