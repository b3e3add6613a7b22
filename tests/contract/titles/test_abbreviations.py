"""Titles made of names spell abbreviations as the contract does elsewhere."""

import pytest

from devportal.contract.titles.abbreviations import spell_title
from tests.contract.inline import contract


def titles_of(text: str) -> tuple[list[str], list[str]]:
    """Return the titles of the groups and of the operations of a contract."""
    api = contract(text).api
    return [group.title for group in api.groups], [operation.title for operation in api.operations]


def test_capitals_of_ids_and_summaries_are_those_of_groups() -> None:
    """A group of a path or a tag in small letters is called as an operation calls it."""
    groups, operations = titles_of("""\
        paths:
          /ekm-keys: {get: {summary: List EKM keys, responses: {}}}
          /mlgModel: {get: {operationId: describeMLGModels, responses: {}}}
          /b: {get: {tags: [arn_lists], summary: Return an ARN, responses: {}}}
          /c: {get: {tags: [arn_lists], operationId: findByArn, responses: {}}}
        """)

    assert groups == ["ARN lists", "EKM keys", "MLG model"]
    assert operations == ["List EKM keys", "Describe MLG models", "Return an ARN", "Find by ARN"]


def test_a_word_that_is_also_written_otherwise_is_not_an_abbreviation() -> None:
    """Emphasis is not a spelling, and the author's own titles stay."""
    groups, operations = titles_of("""\
        paths:
          /late-pets: {get: {summary: List LATE pets, responses: {}}}
          /new-pets: {get: {summary: List NEW pets, responses: {}}}
          /pets: {get: {summary: A pet that is late or Late, responses: {}}}
          /shouted: {get: {summary: LIST ALL OF THEM, responses: {}}}
          /them: {get: {operationId: findThem, responses: {}}}
        """)

    assert groups == ["Late pets", "New pets", "Pets", "Shouted", "Them"]
    assert operations[-1] == "Find them"


@pytest.mark.parametrize(
    ("title", "spelled"),
    [("Ekms", "EKMs"), ("ekm", "EKM"), ("Ekman", "Ekman"), ("Kms", "Kms"), ("eKm", "eKm")],
)
def test_several_have_a_small_s(title: str, spelled: str) -> None:
    """The plural of an abbreviation is one too."""
    assert spell_title(title, frozenset({"EKM"})) == spelled
