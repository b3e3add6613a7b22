"""What contracts say of members that name resources which do not exist."""

import pytest

from devportal.conformance.knowledge.descriptions.reference_rules import promised_refusal
from tests.contract.inline import api

CONTRACT = """\
paths:
  /moves:
    post:
      description: {description}
      responses:
        '201': {{description: Moved.}}
        '404': {{description: There is nothing.}}
        '422': {{description: {refusal}}}
"""


@pytest.mark.parametrize(
    ("description", "refusal", "member", "status"),
    [
        ("The store must exist; otherwise the response is 422.", "Refused.", "", 422),
        ("Both stores must exist, or the response is 422.", "Refused.", "", 422),
        ("Moves things.", "A store does not exist or is closed.", "", 422),
        ("Moves things.", "The target store does not exist.", "", 422),
        ("Moves things.", "Refused.", "Must be an existing store.", 422),
        ("Moves things.", "Refused.", "The store to move to. Must exist.", 422),
        ("The source store must exist; otherwise the response is 422.", "Refused.", "", 0),
        ("The store must exist.", "Refused.", "", 0),
        ("The store must exist. It is locked for a while.", "Refused.", "", 0),
        ("Moves things.", "Refused.", "The id of a store.", 0),
        ("Moves things.", "Refused.", "Should be an existing store.", 0),
        ("Moves things.", "Refused.", "Must be an existing shop.", 0),
    ],
)
def test_rules_about_references_are_understood(
    description: str, refusal: str, member: str, status: int
) -> None:
    """A sentence names the role or the type, and a rejection follows from it, its neighbour or the response."""
    text = CONTRACT.format(description=f'"{description}"', refusal=f'"{refusal}"')
    operation = api(text).operations[0]

    assert promised_refusal(operation, "targetStoreId", ("storeId",), member) == status
