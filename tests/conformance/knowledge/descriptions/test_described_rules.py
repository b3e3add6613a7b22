"""Rules that plain sentences of descriptions state."""

import pytest

from devportal.conformance.knowledge.descriptions.described_rules import (
    deletes_below,
    deletes_only_empty,
    emptied_members,
    forbids_deletion_with,
    forbids_repetition,
    hides_deleted,
    leaves_out,
    says_that_it_replaces,
    says_that_member_merges,
)
from devportal.conformance.knowledge.resources.versions import version_conflict
from tests.reference.reading import api_from


@pytest.mark.parametrize(
    ("description", "response", "is_forbidden"),
    [
        ("A cancelled job cannot be cancelled again.", "Rejected.", True),
        ("Must not be cancelled twice.", "Rejected.", True),
        ("Cancels a job.", "The job is already cancelled.", True),
        ("A cancelled job can be cancelled again.", "Rejected.", False),
        ("A cancelled job cannot be started.", "Rejected.", False),
    ],
)
def test_an_action_may_be_forbidden_for_what_had_it(
    description: str, response: str, *, is_forbidden: bool
) -> None:
    """By its own description, or by that of its 409."""
    operation = {"description": description, "responses": {"409": {"description": response}}}
    api = api_from({"paths": {"/jobs/{id}/cancel": {"post": operation}}})

    assert forbids_repetition(api.operations[0], "cancel") == is_forbidden


@pytest.mark.parametrize(
    ("description", "response", "status"),
    [
        ("`version` must be the one that the client read, otherwise 409.", "Rejected.", 409),
        ("Changes a job.", "The version is outdated.", 409),
        ("Raises `version`. A running job gets 409.", "Rejected.", 0),
        ("An outdated version gets 412.", "Rejected.", 0),
    ],
)
def test_an_outdated_version_is_rejected_where_words_say_so(
    description: str, response: str, status: int
) -> None:
    """A sentence about versions names a documented status, or its response is about them."""
    operation = {"description": description, "responses": {"409": {"description": response}}}
    api = api_from({"paths": {"/jobs/{id}": {"put": operation}}})

    assert version_conflict(api.operations[0]) == status


@pytest.mark.parametrize(
    ("description", "is_deleted"),
    [
        ("Deletes the calendar and all of its events.", True),
        ("Removes the calendar with its events.", True),
        ("Deletes the calendar, including events.", True),
        ("Deletes the calendar. Events stay.", False),
        ("Deletes the calendar and its events unless they are shared.", False),
        ("A calendar with events cannot be deleted.", False),
        ("Deletes the calendar.", False),
    ],
)
def test_a_deletion_may_delete_what_is_below(description: str, *, is_deleted: bool) -> None:
    """If its description says so, without an exception."""
    operation = {"description": description, "responses": {"204": {"description": "Deleted."}}}
    api = api_from({"paths": {"/calendars/{id}": {"delete": operation}}})

    assert deletes_below(api.operations[0], "events") == is_deleted


@pytest.mark.parametrize(
    ("deletion", "listing", "is_hidden"),
    [
        ("Archive a product", "Archived products are not listed unless `archived` is true.", True),
        ("Delete a product", "Deleted products are left out.", True),
        ("Delete a product. It stays readable, and is no longer listed.", "Products.", True),
        ("Archive a product", "Products, archived ones too.", False),
        ("Delete a product", "Archived products are not listed.", False),
    ],
)
def test_a_list_may_leave_out_what_was_deleted(deletion: str, listing: str, *, is_hidden: bool) -> None:
    """By its description, with the verb of the deletion, or by that of the deletion."""
    done = {"responses": {"200": {"description": "Done."}}}
    paths = {
        "/products": {"get": {"description": listing, **done}},
        "/products/{id}": {"delete": {"summary": deletion, **done}},
    }
    operations = api_from({"paths": paths}).operations

    assert hides_deleted(*operations) == is_hidden


@pytest.mark.parametrize(
    ("description", "names"),
    [
        ("The job is `queued` and `ended_at` is null.", ["ended_at"]),
        ("`ended_at` becomes empty.", ["ended_at"]),
        ("`ended_at` is set to `null` again, and `started_at` is cleared.", ["ended_at", "started_at"]),
        ("`ended_at` is not null.", []),
        ("`ended_at` is null if the job never ran.", []),
        ("`ended_at` is the time of the end.", []),
    ],
)
def test_members_that_an_action_empties(description: str, names: list[str]) -> None:
    """A sentence with a condition or a negation empties none."""
    api = api_from({"paths": {"/jobs/{id}/reopen": {"post": {"description": description, "responses": {}}}}})

    assert sorted(emptied_members(api.operations[0], ("started_at", "ended_at"))) == names


@pytest.mark.parametrize(
    ("description", "is_left_out"),
    [
        ("Folders in the trash are not listed.", True),
        ("Trashed folders are left out.", True),
        ("Folders in the trash are listed last.", False),
        ("Lists the folders beside the trash, which is not listed.", False),
    ],
)
def test_a_list_leaves_out_what_is_in_a_place(description: str, *, is_left_out: bool) -> None:
    """The place has the name of the action."""
    api = api_from({"paths": {"/folders": {"get": {"description": description, "responses": {}}}}})

    assert leaves_out(api.operations[0], "trash") is is_left_out


@pytest.mark.parametrize(
    ("description", "is_replacement"),
    [
        ("Replaces a job.", True),
        ("Replaces a job. What is left out is unchanged.", False),
        ("Replaces a job. The request must include the full job.", False),
        ("Replaces a job. It must contain all members.", False),
    ],
)
def test_what_a_replacement_removes(description: str, *, is_replacement: bool) -> None:
    """It says nothing of members that are left out if all must be sent."""
    operation = {"description": description, "responses": {"200": {"description": "Done."}}}
    api = api_from({"paths": {"/jobs/{id}": {"put": operation}}})

    assert says_that_it_replaces(api.operations[0]) is is_replacement


@pytest.mark.parametrize(
    ("description", "is_merged"),
    [
        ("`labels` is merged key by key.", True),
        ("Merges `labels`.", True),
        ("`labels` is merged if `merge` is true.", False),
        ("`labels` is replaced.", False),
        ("`notes` is merged.", False),
    ],
)
def test_maps_that_a_change_merges(description: str, *, is_merged: bool) -> None:
    """A sentence names the map, without a condition."""
    operation = {"description": description, "responses": {"200": {"description": "Done."}}}
    api = api_from({"paths": {"/jobs/{id}": {"patch": operation}}})

    assert says_that_member_merges(api.operations[0], "labels") is is_merged


@pytest.mark.parametrize(
    ("description", "reason", "is_rule"),
    [
        ("Only empty groups can be deleted.", "Conflict", True),
        ("Deletes an empty folder.", "Conflict", True),
        ("The group must be empty.", "Conflict", True),
        ("Deletes a group.", "The group is not empty.", True),
        ("Deletes a group and what it contains.", "Conflict", False),
        ("The body must be empty.", "Conflict", False),
        ("The wing may contain squads, but these must be empty.", "Conflict", False),
        ("The group must be empty unless `force` is true.", "Conflict", False),
    ],
)
def test_what_is_not_empty_cannot_be_deleted(description: str, reason: str, *, is_rule: bool) -> None:
    """A plain sentence of a deletion or of its 409 is a rule."""
    responses = {"204": {"description": "Gone."}, "409": {"description": reason}}
    delete = {"description": description, "responses": responses}
    api = api_from({"openapi": "3.1.0", "paths": {"/groups/{id}": {"delete": delete}}})

    assert deletes_only_empty(api.operations[0]) is is_rule


@pytest.mark.parametrize(
    ("reason", "is_rule"),
    [
        ("The project has tasks.", True),
        ("The project still contains tasks", True),
        ("It has tasks attached to it.", True),
        ("The project contains tasks that are still running.", False),
        ("The project has tasks in progress.", False),
        ("The project contains running tasks.", False),
    ],
)
def test_only_a_sentence_about_all_of_a_kind_forbids_a_deletion(reason: str, *, is_rule: bool) -> None:
    """What keeps some of them from being deleted with it is not known."""
    responses = {"204": {"description": "Gone."}, "409": {"description": reason}}
    api = api_from({"openapi": "3.1.0", "paths": {"/projects/{id}": {"delete": {"responses": responses}}}})

    assert forbids_deletion_with(api.operations[0], "tasks") is is_rule
