"""What is reported about renames: the removal and the addition, each with its own verdict, and the other name."""

from typing import Any

import pytest

from devportal.differ import Change, compare, read_policy
from devportal.differ.policy_file import parse_policy, retired_rule_findings
from devportal.documents import parse_document
from tests.differ.test_laws import api_of

JSON = "application/json"
TEXT = {"type": "string"}


def contract(
    properties: dict[str, Any] | None = None,
    *,
    place: str = "response",
    required: tuple[str, ...] = (),
    schemas: dict[str, Any] | None = None,
    paths: dict[str, Any] | None = None,
    **operation: Any,
) -> dict[str, Any]:
    """Return a contract whose only operation sends or returns an object."""
    thing = {"type": "object", "required": list(required), "properties": properties or {}}
    content = {"content": {JSON: {"schema": thing}}}
    parts = (
        {"responses": {"200": {"description": "OK", **content}}}
        if place == "response"
        else {"requestBody": content, "responses": {"204": {"description": "OK"}}}
    )
    return {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": paths or {"/things": {"post": {"operationId": "make", **parts, **operation}}},
        "components": {"schemas": schemas or {}},
    }


def changes(
    old: dict[str, Any], new: dict[str, Any], policy: dict[str, Any] | None = None
) -> list[tuple[str, str, str]]:
    """Return rule, verdict and message of each change."""
    found = compare(api_of(old), api_of(new), read_policy(policy or {})).changes
    return [(change.rule, change.verdict.value, change.message) for change in sorted(found, key=_rule)]


def _rule(change: Change) -> str:
    return change.rule


@pytest.mark.parametrize(
    ("place", "required", "expected"),
    [
        ("response", (), [("added.optional", "compatible"), ("removed.optional", "risky")]),
        (
            "response",
            ("msg_id", "message_id"),
            [("added.required", "compatible"), ("removed.required", "breaking")],
        ),
        ("request", (), [("added.optional", "compatible"), ("removed", "risky")]),
        ("request", ("msg_id", "message_id"), [("added.required", "breaking"), ("removed", "risky")]),
    ],
)
def test_a_rename_raises_and_hides_no_verdict(
    place: str, required: tuple[str, ...], expected: list[tuple[str, str]]
) -> None:
    """The verdicts are those of two unrelated properties; only the sentences say more."""

    def contract_with(name: str) -> dict[str, Any]:
        return contract({name: TEXT}, place=place, required=tuple({name} & set(required)))

    renamed = changes(contract_with("msg_id"), contract_with("message_id"))

    assert [(rule.removeprefix("schema.property."), verdict) for rule, verdict, _ in renamed] == expected
    assert all("possibly renamed" in message for _, _, message in renamed)


def test_unrelated_properties_are_not_called_renamed() -> None:
    """A text came and another one went."""
    found = changes(
        contract({"code_scanning_upload": TEXT}), contract({"copilot_usage_records": {"type": "string"}})
    )

    assert [(rule, verdict) for rule, verdict, _ in found] == [
        ("schema.property.added.optional", "compatible"),
        ("schema.property.removed.optional", "risky"),
    ]
    assert not any("renamed" in message for _, _, message in found)


def test_properties_with_the_same_shared_schema_may_be_renamed_while_it_changes() -> None:
    """Whoever changes the notation of names changes it in the shared schemas below, too."""

    def contract_with(name: str, nested: str) -> dict[str, Any]:
        colour = {"type": "object", "properties": {nested: TEXT}}
        return contract({name: {"$ref": "#/components/schemas/Colour"}}, schemas={"Colour": colour})

    found = changes(contract_with("TextColour", "Red"), contract_with("textColour", "red"))

    assert [message for _, _, message in found] == [
        'the optional property "textColour" is added: possibly renamed from "TextColour"',
        'the optional property "TextColour" is removed: possibly renamed to "textColour"',
    ]


@pytest.mark.parametrize("former", ["till", ["cash", "till"]])
def test_the_contract_declares_a_rename(former: str | list[str]) -> None:
    """`x-renamed-from` at the new property is a name or a list of names."""
    found = changes(contract({"till": TEXT}), contract({"wallet": {**TEXT, "x-renamed-from": former}}))

    assert [message for _, _, message in found] == [
        'the optional property "wallet" is added: renamed from "till"',
        'the optional property "till" is removed: renamed to "wallet"',
    ]


def test_the_policy_declares_a_rename() -> None:
    """It knows of properties, parameters, headers, operations and schemas."""
    policy = {"renamed": {"properties": {"till": "wallet"}}}

    found = changes(contract({"till": TEXT}), contract({"wallet": {"type": "integer"}}), policy)

    assert all("renamed" in message and "possibly" not in message for _, _, message in found)


def test_parameters_and_headers_may_be_renamed() -> None:
    """Query parameters and headers of responses are removed and added under their own rules."""

    def contract_with(parameter: str, header: str) -> dict[str, Any]:
        parameters = [{"name": parameter, "in": "query", "schema": TEXT}]
        headers = {header: {"schema": TEXT}}
        return contract(parameters=parameters, responses={"204": {"description": "OK", "headers": headers}})

    found = changes(contract_with("msg_id", "X-Request"), contract_with("message_id", "X-Requests"))
    declared = changes(
        contract_with("a", "X-A"),
        contract_with("z", "X-Z"),
        {"renamed": {"parameters": {"a": "z"}, "headers": {"X-A": "X-Z"}}},
    )

    rules = ["param.added.optional", "param.removed", "response.header.added", "response.header.removed"]
    assert [rule for rule, _, _ in found] == [rule for rule, _, _ in declared] == rules
    assert all("possibly renamed" in message for _, _, message in found)
    assert all(": renamed " in message for _, _, message in declared)


@pytest.mark.parametrize(
    ("new", "policy"),
    [
        ({"x-renamed-from": "GET /a"}, {}),
        ({"x-renamed-from": ["x", "listOld"]}, {}),
        ({}, {"renamed": {"operations": {"GET /a": "GET /b"}}}),
        ({}, {"renamed": {"operations": {"listOld": "listNew"}}}),
    ],
)
def test_an_operation_may_declare_where_it_was(new: dict[str, Any], policy: dict[str, Any]) -> None:
    """It is moved, as one that keeps its operationId is."""
    operation = {"responses": {"204": {"description": "OK"}}}
    old = contract(paths={"/a": {"get": {"operationId": "listOld", **operation}}})
    moved = contract(paths={"/b": {"get": {"operationId": "listNew", **operation, **new}}})

    rules = [rule for rule, _, _ in changes(old, moved, policy)]

    assert rules == ["operation.id.changed", "operation.moved"]


@pytest.mark.parametrize(
    ("old_name", "new_name", "old", "new", "word"),
    [
        ("Thing", "Item", {"properties": {"a": TEXT}}, {"properties": {"a": TEXT}}, "possibly renamed"),
        ("Thing", "Things", {"type": "string"}, {"type": "string"}, "possibly renamed"),
        ("Thing", "Item", TEXT, {"type": "integer", "x-renamed-from": "Thing"}, "renamed"),
        ("Thing", "Item", TEXT, TEXT, ""),
    ],
)
def test_a_shared_schema_may_be_renamed(
    old_name: str, new_name: str, old: dict[str, Any], new: dict[str, Any], word: str
) -> None:
    """Its properties are evidence too; that it is a text is none."""

    def contract_with(name: str, schema: dict[str, Any]) -> dict[str, Any]:
        reference = {"$ref": f"#/components/schemas/{name}"}
        return contract({"one": reference}, schemas={name: schema})

    found = changes(
        contract_with(old_name, old), contract_with(new_name, new), {"component_renamed": "risky"}
    )

    messages = [message for rule, _, message in found if rule == "component.renamed"]
    expected = f'the schema "{old_name}" is {word} to "{new_name}", which renames types in generated clients'
    assert messages == ([expected] if word else [])


def test_a_second_server_that_is_replaced_is_removed_and_added() -> None:
    """Only the first server is the one that clients use unless they choose: nothing says that another moved."""

    def contract_with(*urls: str) -> dict[str, Any]:
        return {**contract(), "servers": [{"url": url} for url in urls]}

    found = changes(
        contract_with("https://a.example", "https://test.example"),
        contract_with("https://a.example", "https://eu.example"),
    )

    assert [(rule, verdict) for rule, verdict, _ in found] == [
        ("server.added", "compatible"),
        ("server.removed", "risky"),
    ]


def test_a_policy_may_name_rules_that_are_no_more() -> None:
    """The rest of it counts, and a warning says which rules judge these changes now."""
    document = parse_document(
        "rules: {schema.property.renamed: risky, schema.property.removed: breaking}", name="policy.yaml"
    )

    policy, findings = parse_policy(document)
    (warning,) = retired_rule_findings(document)

    assert findings == ()
    assert policy.levels == {"schema.property.removed": "breaking"}
    assert warning.level == "warning"
    assert "schema.property.renamed" in warning.message
    assert "schema.property.removed.optional" in warning.help


def test_the_policy_refuses_renames_of_anything_else() -> None:
    """A misspelled kind would otherwise have no effect."""
    policy, findings = parse_policy(parse_document("renamed: {property: {a: b}}", name="policy.yaml"))

    assert policy == read_policy({})
    assert len(findings) == 1
