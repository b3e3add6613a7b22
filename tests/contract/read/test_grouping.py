"""Groups of operations: by tag, and by path where there is none."""

import pytest

from devportal.contract.read.path_groups import resource_segment, title_from_segment
from devportal.reference.pages.overview import unused_tags
from tests.contract.inline import api, contract

OK = "responses: {'200': {description: OK}}"


def groups(text: str) -> list[tuple[str, str, list[str], bool]]:
    """Return name, title, paths and kind of each group."""
    return [
        (group.name, group.title, [member.path for member in group.operations], group.is_tag)
        for group in api(text).groups
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
        ("/.well-known/mercure", "mercure"),
        ("/twirp", "twirp"),
        ("/shop.v1.UserService/Get", "UserService"),
        ("/firing.Service/Start", "firing"),
        ("/billing.v1.API/Charge", "billing"),
        ("/users.list", "users"),
        ("/{bucket}#cors", "root"),
        ("/#Action=GetUser", "root"),
        ("/", "root"),
        ("", "root"),
        ("/{id}", "root"),
        ("/日本", "日本"),
        ("/v1/{parent=projects/*/locations/*}/keys", "keys"),
        ("/v1/{parent=projects/*}/keys:undelete", "keys"),
        ("/v1/{name}:cancel", "root"),
        ("/v1/{name=projects/*/operations/*}:cancel", "operations"),
        ("/v1/{name=operations/**}", "operations"),
        ("/odata/Users('{id}')", "odata"),
        ("/Users({id})/Mails", "Users"),
        ("/{broken/things", "things"),
    ],
)
def test_the_subject_of_a_path_is_its_first_telling_segment(path: str, expected: str) -> None:
    """Versions, `api` and parameters say nothing of what a path is about."""
    assert resource_segment(path) == expected


@pytest.mark.parametrize(
    ("segment", "title"),
    [
        ("balance_transactions", "Balance transactions"),
        ("a-b", "A b"),
        ("skus", "SKUs"),
        ("_", "_"),
        ("dataFlows", "Data flows"),
        ("GitHub", "GitHub"),
    ],
)
def test_a_segment_reads_as_a_heading(segment: str, title: str) -> None:
    """Dashes and underscores become spaces, the first letter is a capital."""
    assert title_from_segment(segment) == title


@pytest.mark.parametrize(
    ("paths", "titles"),
    [
        ({"/staff": "Users", "/people": "users"}, ["Users (/staff)", "users (/people)"]),
        ({"/users/a": "Users", "/users/b": "users"}, ["Users (tag Users)", "users (tag users)"]),
        ({"/users": "Users", "/user": "user"}, ["Users", "user"]),
    ],
)
def test_groups_whose_titles_look_alike_are_told_apart(paths: dict[str, str], titles: list[str]) -> None:
    """By what they are about, or else by their names; the other groups keep their titles."""
    lines = "".join(f"  {path}: {{get: {{tags: [{tag}], responses: {{}}}}}}\n" for path, tag in paths.items())

    assert [group.title for group in api(f"paths:\n{lines}").groups] == titles


def test_untagged_operations_join_the_tag_of_their_path() -> None:
    """A tag and a path with one name are one group, whatever capitals, spaces and display name they have."""
    found = groups(f"""\
        paths:
          /users: {{get: {{{OK}}}}}
          /people: {{get: {{tags: [users], {OK}}}}}
          /payment_intents: {{get: {{{OK}}}, post: {{tags: [pi], {OK}}}}}
        tags: [{{name: pi, x-displayName: Payment Intents}}]
        """)

    assert found == [
        ("pi", "Payment Intents", ["/payment_intents", "/payment_intents"], True),
        ("users", "users", ["/users", "/people"], True),
    ]


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (
            [
                "/v1/getUser",
                "/v1/createUser",
                "/v1/listAllUsers",
                "/v1/getOrderLine",
                "/v1/addOrderLine",
                "/v1/login",
            ],
            {"Login": 1, "Order line": 2, "User": 3},
        ),
        (
            ["/twirp/a.UserService/Get", "/twirp/a.UserService/Find", "/twirp/a.Jobs/Run"],
            {"Jobs": 1, "User service": 2},
        ),
        (
            ["/#Action=GetUser", "/#Action=DeleteUser", "/#X-Target=Glue.GetKey"],
            {"User": 2, "Other operations": 1},
        ),
        (["/a.v1.UserService/Get", "/a.v1.UserService/Find"], {"User service": 2}),
        (["/user-get", "/user-create", "/key-get"], {"Key get": 1, "User": 2}),
        ([f"/{letter}port" for letter in "abcdefghi"], {"Operations": 9}),
        (["/users/list", "/users/create", "/users/{id}", "/orders"], {"Orders": 1, "Users": 3}),
        (["/users/list", "/users/create", "/users/list/all"], {"Users": 3}),
        (["/svc/users", "/svc/users/{id}", "/svc/jobs"], {"Jobs": 1, "Users": 2}),
        (
            ["/users", "/orders", "/users/{id}", "/health", "/status"],
            {"Health": 1, "Orders": 1, "Status": 1, "Users": 2},
        ),
    ],
)
def test_procedures_are_grouped_by_their_nouns_or_services(
    paths: list[str], expected: dict[str, int]
) -> None:
    """Paths that would be groups of their own share what they have in common; collections stay as they are."""
    lines = "".join(f"  {path!r}: {{post: {{{OK}}}}}\n" for path in paths)

    found = api(f"paths:\n{lines}").groups

    assert {group.title: len(group.operations) for group in found} == expected


def test_operations_whose_paths_name_nothing_are_grouped_by_their_ids() -> None:
    """The noun in the id stands for the path; procedures join the tag of their noun."""
    found = groups(f"""\
        paths:
          /: {{get: {{operationId: listThings, {OK}}}, post: {{operationId: createThing, {OK}}}}}
          /{{id}}: {{get: {{operationId: getThing, {OK}}}}}
          /?a: {{get: {{operationId: x, tags: [Thing], {OK}}}}}
        """)

    assert [(title, len(paths)) for _, title, paths, _ in found] == [("Thing", 4)]


def test_paths_of_parameters_are_grouped_by_what_ids_of_google_name() -> None:
    """The collection before the method: the path of each is `{name}`."""
    found = groups(f"""\
        paths:
          /v2/{{name}}:
            get: {{operationId: run.projects.operations.get, tags: [projects], {OK}}}
            delete: {{operationId: run.projects.jobs.delete, tags: [projects], {OK}}}
          /v2/{{parent}}/jobs: {{get: {{operationId: run.projects.jobs.list, tags: [projects], {OK}}}}}
          /v2/{{name}}/operations: {{get: {{operationId: run.projects.operations.list, tags: [projects], {OK}}}}}
        """)

    assert [(title, len(paths)) for _, title, paths, _ in found] == [("Jobs", 2), ("Operations", 2)]


def test_a_tag_that_all_operations_have_gives_way_to_paths() -> None:
    """One tag for everything divides nothing; its description stays on the overview."""
    found = api(f"""\
        paths:
          /users: {{get: {{tags: [all], {OK}}}, post: {{tags: [all], {OK}}}}}
          /orders: {{get: {{tags: [all], {OK}}}}}
        tags: [{{name: all, description: Everything.}}]
        """)

    assert [(group.title, group.is_tag) for group in found.groups] == [("Orders", False), ("Users", False)]
    assert [unused_tag.name for unused_tag in unused_tags(found)] == ["all"]


@pytest.mark.parametrize(
    "lines",
    [
        "/a: {get: {tags: [all]}, put: {tags: [all]}}",
        "/a: {get: {tags: [all]}}\n  /b: {get: {tags: [all]}}",
        "/a: {get: {tags: [x]}, put: {tags: [x]}}\n  /b: {get: {tags: [x]}}\ntags: [{name: x, x-source: limits}]",
    ],
)
def test_one_tag_stays_where_paths_are_no_better(lines: str) -> None:
    """One path, a path for each operation, and a tag with a stability of its own keep the tag."""
    assert [group.is_tag for group in api(f"paths:\n  {lines}\n").groups] == [True]


def tag_groups(text: str, *, version: str = "3.1.0") -> list[tuple[str, str, tuple[str, ...]]]:
    """Return name, title and tags of each group of tags."""
    return [
        (tag_group.name, tag_group.title, tag_group.tags)
        for tag_group in api(text, version=version).tag_groups
    ]


def test_a_contract_without_groups_of_tags_has_none() -> None:
    """Tags alone are one level."""
    assert tag_groups("tags: [{name: a}]") == []


def test_groups_of_tags_keep_their_order_and_lose_no_tag() -> None:
    """A tag is in the first of `x-tagGroups` that names it; those in no group stay visible in a last one."""
    found = tag_groups(f"""\
        paths:
          /a: {{get: {{tags: [used], {OK}}}}}
        tags: [{{name: a}}, {{name: b}}, {{name: c}}]
        x-tagGroups:
          - {{name: Second, tags: [b, b]}}
          - {{name: First, tags: [a, b]}}
          - {{name: Empty, tags: []}}
        """)

    assert found == [("Second", "Second", ("b",)), ("First", "First", ("a",)), ("", "", ("c", "used"))]


def test_a_tag_with_others_below_it_is_a_group() -> None:
    """The parents of OAS 3.2 make groups, however deep, with the parent first; tags beside them are groups too."""
    found = tag_groups(
        """\
        tags:
          - {name: leaf, parent: branch}
          - {name: branch, parent: root, kind: nav}
          - {name: alone}
          - {name: root, summary: The root}
          - {name: other, parent: root}
        """,
        version="3.2.0",
    )

    assert found == [
        ("alone", "alone", ("alone",)),
        ("root", "The root", ("root", "branch", "leaf", "other")),
    ]


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        ("{name: a, parent: b}", "the parent 'b' of this tag is not declared"),
        ("{name: a, parent: a}", "the parent 'a' of this tag leads back to itself"),
        ("{name: a, parent: b}, {name: b, parent: a}", "the parent 'b' of this tag leads back to itself"),
    ],
)
def test_a_parent_that_cannot_be_is_found(tags: str, message: str) -> None:
    """A missing parent, or a circle of them, is reported, and the tags stay."""
    read = contract(f"tags: [{tags}]", version="3.2.0")

    assert message in [finding.message for finding in read.findings]
    assert {tag.parent for tag in read.api.tags} == {""}


def test_a_group_of_tags_that_do_not_exist_is_found() -> None:
    """A misspelt tag in a group, and a group without a name, are reported."""
    read = contract("tags: [{name: a}]\nx-tagGroups: [{name: A, tags: [a, typo]}, {tags: [a]}, text]")

    assert [finding.message for finding in read.findings] == [
        "this group names the tag 'typo', which is neither declared nor used",
        "this group of tags has no name",
        "this group of tags has no name",
    ]
    assert [tag_group.tags for tag_group in read.api.tag_groups] == [("a",)]


def test_an_internal_tag_is_nowhere() -> None:
    """The mark takes a tag out of the groups, from above its children and off its operations."""
    found = api(
        f"""\
        paths:
          /a: {{get: {{tags: [secret, open], {OK}}}}}
          /b: {{get: {{tags: [secret], {OK}}}}}
        tags: [{{name: secret, x-internal: true}}, {{name: open, parent: secret}}]
        x-tagGroups: [{{name: All, tags: [secret, open]}}, {{name: Hidden, tags: [open], x-internal: true}}]
        """,
        version="3.2.0",
    )

    assert [(group.name, group.is_tag) for group in found.groups] == [("open", True), ("b", False)]
    assert "secret" not in repr(found)


def test_a_tag_that_is_no_navigation_makes_no_group() -> None:
    """It stays a word at its operations, in no section either; those with no other tag count as untagged."""
    read = api(
        f"""\
        paths:
          /a: {{get: {{tags: [new, one], {OK}}}}}
          /b: {{get: {{tags: [new], {OK}}}}}
          /c: {{get: {{tags: [two], {OK}}}}}
        tags:
          - {{name: new, kind: badge, summary: New}}
          - {{name: all, kind: nav}}
          - {{name: one, parent: all}}
          - {{name: inside, kind: audience, parent: all}}
          - {{name: two, parent: inside}}
        """,
        version="3.2.0",
    )

    assert [(group.name, group.is_tag) for group in read.groups] == [
        ("one", True),
        ("two", True),
        ("b", False),
    ]
    assert [(tag_group.name, tag_group.tags) for tag_group in read.tag_groups] == [
        ("all", ("all", "one")),
        ("", ("two",)),
    ]
    assert [operation.tags for operation in read.operations] == [("new", "one"), ("new",), ("two",)]
    assert [[tag.title for tag in read.badges(operation)] for operation in read.operations] == [
        ["New"],
        ["New"],
        [],
    ]


def test_tag_without_a_name_is_none() -> None:
    """The operation is grouped as if it had none, and the contract's author is told where it stands."""
    found = contract(f"""\
        paths:
          /pets: {{get: {{tags: ['', ' '], {OK}}}}}
        tags: [{{name: ''}}, {{name: ' '}}]
        """)

    assert [(group.name, group.is_tag) for group in found.api.groups] == [("pets", False)]
    assert {finding.message for finding in found.findings if finding.rule == "contract-tag"} == {
        "the tag '' of this operation has no name, so it is left out",
        "the tag ' ' of this operation has no name, so it is left out",
    }
