"""Actions that bring a resource to the state that a creation asks for."""

import pytest

from devportal.conformance.knowledge.resources.state_actions import preparing_actions
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

SHOWS = """\
paths:
  /shows:
    post:
      responses: {'201': {description: Planned., content: &show {application/json: {schema: {type: object, properties: {
        id: {type: string}, status: {enum: [draft, onSale, cancelled]}}}}}}}
  /shows/{showId}:
    parameters: &about [{name: showId, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: A show., content: *show}}}
  /shows/{showId}/open:
    parameters: *about
    post: {description: Sets `onSale`., responses: {'204': {description: Open.}}}
  /shows/{showId}/cancel: {parameters: *about, post: {responses: {'204': {description: Cancelled.}}}}
  /shows/{showId}/holds:
    parameters: *about
    post:
      description: DESCRIPTION
      responses:
        '201': {description: Held., content: {application/json: {schema: {type: object}}}}
        'STATUS': {description: REASON, content: {application/problem+json: {}}}
"""


@pytest.mark.parametrize(
    ("description", "status", "reason", "names"),
    [
        ("The show must be `onSale`.", "409", "Rejected.", ["open"]),
        ("Holds seats for a show on sale.", "422", "Rejected.", ["open"]),
        ("Holds seats.", "422", "The show is not on sale.", ["open"]),
        ("Holds seats.", "409", "The show is cancelled.", []),
        ("Holds seats. Cancelled shows have no seats.", "409", "Rejected.", []),
        ("Holds seats. The show must not be `cancelled`.", "422", "Rejected.", []),
    ],
)
def test_a_state_that_a_creation_asks_for_is_prepared(
    description: str, status: str, reason: str, names: list[str]
) -> None:
    """And never one for which it is rejected: that would spoil what other probes use."""
    text = SHOWS.replace("DESCRIPTION", description).replace("STATUS", status).replace("REASON", reason)
    subject = subject_of_contract(contract(text))
    create = next(each for each in subject.operations if each.path.endswith("/holds"))

    actions = [action for show in subject.resources for action in preparing_actions(subject, create, show)]

    assert [action.path.rpartition("/")[2] for action in actions] == names
