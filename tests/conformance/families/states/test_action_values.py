"""Which members an action sets by its name."""

import pytest

from devportal.conformance.families.states.action_values import sets_member_at_once
from tests.contract.inline import api


@pytest.mark.parametrize(
    ("method", "name", "member", "description", "is_set"),
    [
        ("post", "change_plan", "plan_id", "", True),
        ("post", "setPriority", "priority", "", True),
        ("post", "rename", "name", "", True),
        ("put", "quantity", "quantity", "", True),
        ("post", "update", "id", "", False),
        ("post", "-", "name", "", False),
        ("post", "change_plan", "seats", "", False),
        ("post", "change_plan", "plan_id", "From the next period on.", False),
        ("post", "change_email", "email", "", False),
        ("post", "change_name", "name", "Sends a link that verifies the new name.", False),
        ("put", "password", "password", "", False),
    ],
)
def test_actions_that_set_a_member_by_their_name(
    method: str, name: str, member: str, description: str, *, is_set: bool
) -> None:
    """The identifier is no member to set, and what somebody confirms first is not set at once."""
    read = api(
        f"""
        paths:
          /members/{{id}}/{name}:
            {method}:
              description: '{description}'
              parameters: [{{name: id, in: path, required: true, schema: {{type: string}}}}]
              responses: {{'200': {{description: Done}}}}
        """.lstrip("\n")
    )

    assert sets_member_at_once(read.operations[0], member) is is_set
