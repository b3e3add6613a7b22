"""Which words of a contract say that a member is unique."""

from pathlib import Path

import pytest
import yaml

from devportal.conformance.knowledge.requests.unique_members import UniqueMember, unique_members
from tests.conformance.running import subject_of


def read_members(
    folder: Path, *, description: str = "", conflict: str = "Conflict.", member: str = "", status: str = "409"
) -> tuple[UniqueMember, ...]:
    """Return the unique members of a user."""
    user = {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "emailAddress": {"type": "string", "description": member},
        },
    }
    content = {"application/json": {"schema": user}}
    post = {
        "description": description,
        "requestBody": {"content": content},
        "responses": {"201": {"description": "Made.", "content": content}, status: {"description": conflict}},
    }
    reading = {
        "parameters": [{"name": "userId", "in": "path", "required": True, "schema": {"type": "string"}}],
        "responses": {"200": {"description": "A user.", "content": content}},
    }
    contract = {
        "openapi": "3.1.0",
        "info": {"title": "Users", "version": "1"},
        "paths": {"/users": {"post": post}, "/users/{userId}": {"get": reading}},
    }
    path = folder / "users.yaml"
    path.write_text(yaml.safe_dump(contract), encoding="utf-8")
    subject = subject_of(path)
    create = subject.resources[0].create
    assert create is not None
    return unique_members(subject.api, create, "", subject.reference_names)


def members_of(folder: Path, **words: str) -> list[tuple[str, bool, bool]]:
    """Return the name of each unique member, whether it always is, and whether per account."""
    return [
        (unique_member.name, unique_member.is_always, unique_member.is_per_account)
        for unique_member in read_members(folder, **words)
    ]


@pytest.mark.parametrize(
    ("words", "scope"),
    [
        ({"member": "Unique within the account."}, "account"),
        ({"member": "Where mail goes, unique per workspace."}, "account"),
        ({"member": "Must be unique."}, "all"),
        ({"member": "Unique among all users."}, "all"),
        ({"description": "The `emailAddress` is unique within your organization."}, "account"),
        ({"description": "The email address of a user must be unique."}, "all"),
    ],
)
def test_words_of_uniqueness_hold_for_resources(tmp_path: Path, words: dict[str, str], scope: str) -> None:
    """What is said of the member holds for creations and changes."""
    assert members_of(tmp_path, **words) == [("emailAddress", True, scope == "account")]


def test_a_member_may_be_named_in_the_plural(tmp_path: Path) -> None:
    """Names are unique if each name is."""
    assert members_of(tmp_path, description="Creates a user. Names are unique.") == [("name", True, False)]


@pytest.mark.parametrize(
    "words",
    [
        {"conflict": "A user with this email address already exists."},
        {"conflict": "The `emailAddress` is taken."},
        {"conflict": "Another user has this `emailAddress`."},
        {"conflict": "A user with that email address exists."},
        {"description": "A second user with the same email address is refused with 409."},
    ],
)
def test_words_of_a_refusal_hold_for_the_creation(tmp_path: Path, words: dict[str, str]) -> None:
    """What is said of the request holds for it alone."""
    assert members_of(tmp_path, **words) == [("emailAddress", False, False)]


@pytest.mark.parametrize(
    "words",
    [
        {"member": "Unique identifier of the mailbox."},
        {"member": "Need not be unique."},
        {"member": "Should be unique."},
        {"member": "Unique within the account, unless the user is a guest."},
        {"member": "Unique across active users."},
        {"member": "Unique among invited users."},
        {"description": "Creates a user with a unique link."},
        {"description": "If a user with the same email address exists, it is returned."},
        {"conflict": "The user is being changed."},
        {"conflict": "No mailbox of this email address exists."},
        {"conflict": "An active user with this email address already exists."},
        {"member": "Unique within the account.", "status": "400"},
    ],
)
def test_other_words_promise_nothing(tmp_path: Path, words: dict[str, str]) -> None:
    """Neither an exception, nor a recommendation, nor another meaning of the word, nor a creation without 409."""
    assert members_of(tmp_path, **words) == []


def test_a_place_on_a_list_is_taken(tmp_path: Path) -> None:
    """What is said of upper and lower case is no exception."""
    conflict = "This email address is on the waiting list already (upper and lower case do not matter)."

    assert members_of(tmp_path, conflict=conflict) == [("emailAddress", False, False)]


@pytest.mark.parametrize(
    ("conflict", "unique"),
    [
        ("The email address is already in use.", "alone"),
        ("A user with this email address exists already.", "alone"),
        ("A user with this email address already exists in this team.", "together"),
        ("A user with this name and email address already exists.", "together"),
        ("The email address of this team is in use.", "together"),
    ],
)
def test_a_member_may_be_unique_only_together_with_another(
    tmp_path: Path, conflict: str, unique: str
) -> None:
    """Whoever repeats it alone is not refused then."""
    (address,) = (each for each in read_members(tmp_path, conflict=conflict) if each.name == "emailAddress")

    assert ("alone" if address.is_alone else "together") == unique
