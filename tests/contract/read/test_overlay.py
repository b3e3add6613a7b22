"""OpenAPI Overlays: actions in order, by the rules of the Overlay Specification 1.1.0."""

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from devportal.contract import load_contract
from devportal.contract.read.overlay import apply_overlays
from devportal.contract.validate.check import check_contract
from devportal.documents import Document, parse_document
from devportal.errors import InvalidContract

CONTRACT = """\
openapi: 3.1.0
info: {title: Clubs, version: '1'}
tags: [{name: a}, {name: b}, {name: partner}]
paths:
  /clubs:
    get:
      summary: Clubs
      tags: [a]
      responses: {'200': {description: OK}}
    post:
      summary: New
      tags: [partner]
      responses: {'201': {description: Created}}
"""


def document(text: str = CONTRACT, name: str = "api.yaml") -> Document:
    """Return a parsed file."""
    return parse_document(text, name=name)


def overlay(actions: str, *, version: str = "1.1.0") -> Document:
    """Return an overlay with these actions."""
    head = f"overlay: {version}\ninfo: {{title: O, version: '1'}}\nactions:\n"
    return document(head + dedent(actions), "o.yaml")


def apply_actions(actions: str) -> dict[str, Any]:
    """Return the contract with actions that are right."""
    changed, findings = apply_overlays(document(), [overlay(actions)])
    assert findings == ()
    return dict(changed.data)


def findings(actions: str) -> list[tuple[str, str]]:
    """Return places and messages of what is wrong with actions."""
    _, found = apply_overlays(document(), [overlay(actions)])
    assert {finding.rule for finding in found} <= {"contract-overlay"}
    assert all(finding.help for finding in found)
    return [(str(finding.place), finding.message) for finding in found]


def test_an_object_is_merged() -> None:
    """Members are added, replaced or merged; lists are concatenated; the rest stays."""
    operation = apply_actions(
        """\
        - target: $.paths['/clubs'].get
          update: {summary: All clubs, tags: [c], responses: {'200': {headers: {}}, '404': {description: No}}}
        """
    )["paths"]["/clubs"]["get"]

    assert operation == {
        "summary": "All clubs",
        "tags": ["a", "c"],
        "responses": {"200": {"description": "OK", "headers": {}}, "404": {"description": "No"}},
    }


def test_a_list_is_appended_to_and_a_plain_value_replaced() -> None:
    """A list is concatenated, anything else is one more item."""
    data = apply_actions(
        """\
        - {target: $.tags, update: {name: c}}
        - {target: $.tags, update: [{name: d}]}
        - {target: $.paths.*.*.summary, update: Same}
        """
    )

    assert [tag["name"] for tag in data["tags"]] == ["a", "b", "partner", "c", "d"]
    assert {club["summary"] for club in data["paths"]["/clubs"].values()} == {"Same"}


def test_nodes_are_removed_by_what_they_say() -> None:
    """Several items of a list at once, and members of objects."""
    data = apply_actions(
        """\
        - {target: "$.tags[?@.name != 'b']", remove: true}
        - {target: "$.paths.*[?@.tags[?@ == 'partner']]", remove: true}
        """
    )

    assert data["tags"] == [{"name": "b"}]
    assert list(data["paths"]["/clubs"]) == ["get"]


def test_a_part_is_copied() -> None:
    """What is changed later in one is not changed in the other."""
    item = apply_actions(
        """\
        - {target: "$.paths['/clubs']", update: {put: {}}}
        - {target: "$.paths['/clubs'].put", copy: "$.paths['/clubs'].post"}
        - {target: "$.paths['/clubs'].put", update: {tags: [c]}}
        """
    )["paths"]["/clubs"]

    assert (item["put"]["tags"], item["post"]["tags"]) == (["partner", "c"], ["partner"])


def test_overlays_are_applied_in_their_order() -> None:
    """Each to the result of the one before; the contract given stays as it was."""
    first = overlay("- {target: $.info, update: {x-audience: partner}}\n")
    second = overlay("- {target: \"$.info['x-audience']\", update: public}\n")
    written = document()

    changed, found = apply_overlays(written, [first, second])

    assert (changed.data["info"]["x-audience"], found) == ("public", ())
    assert "x-audience" not in written.data["info"]


@pytest.mark.parametrize(
    ("action", "place", "message"),
    [
        ('{target: "$.paths[1]", remove: true}', "o.yaml:4:4", "selects nothing in the contract"),
        ("{target: '$.paths[', remove: true}", "o.yaml:4:4", "'$.paths[' is not a JSONPath of RFC 9535"),
        ("{target: 3, remove: true}", "o.yaml:4:4", "3 is not a JSONPath"),
        ("{remove: true}", "o.yaml:4:3", "this action has no target"),
        ("{target: $.info}", "o.yaml:4:3", "has none of remove, update, copy"),
        ("{target: $.info, remove: false}", "o.yaml:4:3", "has none of remove, update, copy"),
        ("{target: $.info, update: {}, copy: $.tags}", "o.yaml:4:3", "has more than one of"),
        (
            "{target: $.info, update: {title: {a: b}}}",
            "o.yaml:4:29",
            "mappings cannot be merged with plain values",
        ),
        ("{target: $.info, update: text}", "o.yaml:4:20", "plain values cannot be merged with mappings"),
        ("{target: '$.info[*,*]', update: {}}", "o.yaml:4:27", "mappings cannot be merged with plain values"),
        ("{target: '$[*]', update: {}}", "o.yaml:4:4", "selects lists and mappings and plain values"),
        ("{target: $.info, copy: '$.tags[*]'}", "o.yaml:4:20", "selects 3 parts of the contract"),
        ("just text", "o.yaml:4:3", "an action is a mapping, not 'just text'"),
    ],
)
def test_an_action_that_cannot_be_applied_is_reported(action: str, place: str, message: str) -> None:
    """At its place in the overlay; the contract stays as it was."""
    (found,) = findings(f"- {action}\n")

    assert found[0] == place
    assert message in found[1]


def test_an_overlay_for_another_file_is_reported() -> None:
    """A relative `extends` names the contract; an address may be where it is published."""
    head = "overlay: 1.1.0\ninfo: {{title: O, version: '1'}}\nextends: {}\nactions: []\n"
    found = {
        name: apply_overlays(document(), [document(head.format(name), "o.yaml")])[1]
        for name in ("api.yaml", "./api.yaml", "'https://example.com/other.yaml'", "../shop.yaml")
    }

    assert {name for name, value in found.items() if value} == {"../shop.yaml"}
    (finding,) = found["../shop.yaml"]
    assert (str(finding.place), finding.message) == (
        "o.yaml:3:1",
        "this overlay is for '../shop.yaml', and is applied to 'api.yaml'",
    )


def test_overlays_of_version_1_0_copy_nothing() -> None:
    """`copy` came with 1.1: other programs would ignore it."""
    actions = "- {target: '$.tags[0]', copy: '$.tags[1]'}\n"
    changed, found = apply_overlays(document(), [overlay(actions, version="1.0.0")])

    assert changed.data["tags"][0] == {"name": "a"}
    assert [(str(finding.place), finding.message) for finding in found] == [
        ("o.yaml:4:25", "Overlay 1.0 has no 'copy': other programs ignore this action")
    ]


def test_what_an_anchor_shares_is_changed_where_it_is_selected_alone() -> None:
    """YAML aliases are copies: nothing else changes, and nothing is removed twice."""
    shared = document(
        "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths:\n"
        "  /a: {get: {parameters: &p [{name: one}, {name: two}]}}\n  /b: {get: {parameters: *p}}\n"
    )
    removal = "- {target: \"$.paths['/a'].get.parameters[?@.name == 'one']\", remove: true}\n"
    everywhere = "- {target: \"$.paths.*.get.parameters[?@.name == 'two']\", remove: true}\n"

    once, found = apply_overlays(shared, [overlay(removal)])
    twice, more = apply_overlays(shared, [overlay(everywhere)])

    assert (found, more) == ((), ())
    names = [
        [parameter["name"] for parameter in item["get"]["parameters"]] for item in once.data["paths"].values()
    ]
    assert names == [["two"], ["one", "two"]]
    left = [
        [parameter["name"] for parameter in item["get"]["parameters"]]
        for item in twice.data["paths"].values()
    ]
    assert left == [["one"], ["one"]]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("openapi: 3.1.0\n", "o.yaml:1:1", "no 'overlay' key"),
        ("- a\n", "o.yaml", "no 'overlay' key"),
        ("overlay: 1.2.0\nactions: []\n", "o.yaml:1:1", "'1.2.0' is not supported"),
        ("overlay: 1.0.0\nactions: {}\n", "o.yaml:2:1", "no list of actions"),
    ],
)
def test_what_is_no_overlay_is_refused(text: str, place: str, message: str) -> None:
    """With its place and what to do."""
    with pytest.raises(InvalidContract) as caught:
        apply_overlays(document(), [document(text, "o.yaml")])

    assert str(caught.value.place) == place
    assert message in caught.value.message
    assert caught.value.help


def test_findings_of_the_contract_stay_in_its_file(tmp_path: Path) -> None:
    """And what an overlay hides is hidden, though the contract's own text does not say so."""
    (tmp_path / "api.yaml").write_text(CONTRACT, encoding="utf-8")
    path = tmp_path / "o.yaml"
    path.write_text(
        overlay(
            """\
            - {target: "$.paths['/clubs'].post", update: {x-internal: true}}
            - {target: "$.paths['/clubs'].get", update: {parameters: [{$ref: '#/lost'}]}}
            """
        ).text,
        encoding="utf-8",
    )

    contract = load_contract(tmp_path / "api.yaml", name="api.yaml", overlays={"o.yaml": path})

    assert [operation.method for operation in contract.api.operations] == ["GET"]
    broken = [finding for finding in check_contract(contract) if finding.rule == "contract-ref-broken"]
    assert [(finding.place.file, finding.place.line) for finding in broken] == [("api.yaml", 6)]
    assert contract.digest != load_contract(tmp_path / "api.yaml", name="api.yaml").digest
