"""Groups of operations: by tag, and by path where there is none."""

import pytest

from devportal.contract.grouping import subject, title_of
from tests.contract.inline import api

OK = "responses: {'200': {description: OK}}"


def groups(text: str) -> list[tuple[str, str, list[str], bool]]:
    """Return name, title, paths and kind of each group."""
    return [
        (one.name, one.title, [member.path for member in one.operations], one.is_tag)
        for one in api(text).groups
    ]


def test_tags_come_as_declared_then_as_used_then_paths() -> None:
    """Declared tags in their order, the unused left out; then tags only used; then the untagged by path."""
    found = groups(f"""\
        paths:
          /z: {{get: {{{OK}}}}}
          /v1/pet_foods/{{id}}: {{get: {{{OK}}}, put: {{{OK}}}}}
          /a: {{get: {{tags: [other, one, one], {OK}}}}}
          /b: {{get: {{tags: [two], {OK}}}}}
        tags: [{{name: two}}, {{name: unused}}, {{name: one, x-displayName: The one}}]
        """)

    assert found == [
        ("two", "two", ["/b"], True),
        ("one", "The one", ["/a"], True),
        ("other", "other", ["/a"], True),
        ("pet_foods", "Pet foods", ["/v1/pet_foods/{id}", "/v1/pet_foods/{id}"], False),
        ("z", "Z", ["/z"], False),
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/v1/accounts/{id}", "accounts"),
        ("/api/rest/v2.1/users", "users"),
        ("/2010-04-01/Accounts.json", "Accounts"),
        ("/{tenant}/orders", "orders"),
        ("/messages:send", "messages"),
        ("/.well-known", ".well-known"),
        ("/", "root"),
        ("", "root"),
        ("/{id}", "root"),
        ("/日本", "日本"),
    ],
)
def test_the_subject_of_a_path_is_its_first_telling_segment(path: str, expected: str) -> None:
    """Versions, `api` and parameters say nothing of what a path is about."""
    assert subject(path) == expected


@pytest.mark.parametrize(
    ("segment", "title"), [("balance_transactions", "Balance transactions"), ("a-b", "A b"), ("_", "_")]
)
def test_a_segment_reads_as_a_heading(segment: str, title: str) -> None:
    """Dashes and underscores become spaces, the first letter is a capital."""
    assert title_of(segment) == title
