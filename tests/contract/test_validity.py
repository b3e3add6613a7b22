"""Every object of a contract is held to the OAS, and what breaks it is told at its own place."""

from pathlib import Path

import pytest

from devportal.contract import Contract
from devportal.contract.validate.oas_schemas import check_against_oas
from devportal.findings import Level
from tests.contract.inline import contract, write

OK = "responses: {'200': {description: OK}}"
ALL = ("3.0.3", "3.1.0", "3.2.0")


def violations_of(read: Contract) -> list[tuple[str, str]]:
    """Return place and message of each violation."""
    return [
        (f"{finding.place.line}:{finding.place.column}", finding.message)
        for finding in check_against_oas(read)
    ]


@pytest.mark.parametrize("version", ALL)
def test_a_broken_reference_hides_nothing(version: str) -> None:
    """No reference is followed, be it broken, refused or a circle."""
    text = f"""\
        paths:
          /a: {{get: {{responses: {{'200': {{$ref: '#/no'}}, '400': {{$ref: 'https://a/b'}}}}, odd: 1}}}}
          /b: {{$ref: 'no.yaml'}}
          /c: {{get: {{{OK}, deprecated: maybe}}}}
        components:
          schemas:
            A: {{$ref: '#/components/schemas/A'}}
            B: {{required: [a, a]}}
        """
    rows = [where for where, _ in violations_of(contract(text, version=version))]

    assert rows == ["4:80", "10:9"]


def test_what_reading_reports_is_not_repeated() -> None:
    """A place at which the reader could not use a value has no second finding."""
    read = contract("components: {schemas: {A: {minLength: -1}}}\n")

    assert [finding.rule for finding in read.findings] == ["contract-shape"]
    assert violations_of(read) == []


def test_a_warning_hides_no_error_at_its_place() -> None:
    """What the OAS says of a node is said beside the remarks of the reader."""
    read = contract("paths: {/a: {get: {responses: {'200': {x-stability-level: odd}}}}}\n")

    assert [(finding.rule, finding.level) for finding in read.findings] == [
        ("contract-stability", Level.WARNING)
    ]
    assert violations_of(read) == [("3:32", "this response has no 'description'")]


def test_a_document_without_its_parts() -> None:
    """What is missing at the root is told at the beginning."""
    (row,) = violations_of(contract("", paths="", version="3.1.0"))

    assert row == ("1:1", "this document has no 'paths' or 'components' or 'webhooks'")


@pytest.mark.parametrize("name", ["a b", "ü", "a/b"])
def test_a_component_is_called_by_plain_letters(name: str) -> None:
    """Its name is a part of references (OAS 3.1.1 §4.8.7)."""
    (row,) = violations_of(contract(f"components: {{schemas: {{'{name}': {{}}}}}}\n"))

    assert row == ("9:24", f"{name!r} is not a name for a component")


@pytest.mark.parametrize("name", ["A B", "A\\r\\nX-Evil: 1"])
def test_a_method_has_a_name_that_can_be_sent(name: str) -> None:
    """RFC 9110 §9.1."""
    operation = "{responses: {'200': {description: OK}}}"
    text = f'paths: {{/a: {{additionalOperations: {{"{name}": {operation}}}}}}}\n'
    (row,) = violations_of(contract(text, version="3.2.0"))

    assert row[1].endswith(f"{name}' is not a name for a method")


def test_a_schema_is_checked_in_the_dialect_that_the_contract_has() -> None:
    """Other dialects are their authors' affair, for the whole contract or for one schema."""
    own = "{$schema: 'https://example.com/own', required: [a, a]}"
    schemas = f"components: {{schemas: {{A: {{required: [a, a]}}, B: {own}}}}}\n"
    read = contract(schemas)
    other = contract("jsonSchemaDialect: https://example.com/own\n" + schemas)

    assert [where for where, _ in violations_of(read)] == ["9:28"]
    assert violations_of(other) == []


@pytest.mark.parametrize("version", ALL)
def test_a_link_may_name_its_server(version: str) -> None:
    """Under the name that the OAS gives it, whatever a schema of the OAS calls it."""
    good = "{operationId: listThings, server: {url: 'https://example.com'}}"
    bad = "{operationId: listThings, body: {url: 'https://example.com'}}"
    rows = violations_of(contract(f"components: {{links: {{A: {good}, B: {bad}}}}}\n", version=version))

    assert [message for _, message in rows] == ["'body' is not a field of this link"]


def test_objects_in_other_files_are_checked(tmp_path: Path) -> None:
    """A file holds whatever the reference to it asks for; each is reported once, in its own file."""
    read = write(
        tmp_path,
        {
            "api.yaml": """\
                openapi: 3.1.0
                info: {title: T, version: '1'}
                paths:
                  /a: {$ref: a.yaml}
                  /b: {get: {responses: {'404': {$ref: 'common.yaml#/gone'}}}}
                """,
            "a.yaml": """\
                get:
                  sumary: A
                  responses: {'404': {$ref: 'common.yaml#/gone'}, '200': {description: OK}}
                """,
            "common.yaml": "gone: {content: {}}\nother: {odd: 1}\n",
        },
    )
    found = list(check_against_oas(read))

    assert [(str(finding.place), finding.message, finding.help) for finding in found] == [
        ("a.yaml:2:3", "'sumary' is not a field of this operation", "did you mean 'summary'?"),
        ("common.yaml:1:1", "this response has no 'description'", "add it"),
    ]


def test_a_fault_that_is_everywhere_is_not_told_a_thousand_times() -> None:
    """After the two hundredth there is one more, which says so."""
    members = ", ".join(f"s{number}: {{properties: 1, odd: 1, type: t}}" for number in range(300))
    found = list(check_against_oas(contract(f"components: {{parameters: {{{members}}}}}\n")))

    assert len(found) == 201
    assert found[-1].message.startswith("more than 200 parts")
    assert all(finding.help for finding in found)


def test_a_text_that_a_comma_ends_may_need_quotes() -> None:
    """In YAML, what follows the comma is a field without a value."""
    (finding,) = check_against_oas(contract("tags: [{name: photos, description: Upload, develop}]\n"))

    assert finding.message == "'develop' is not a field of this tag"
    assert finding.help == "if it belongs to the text before it, put that text in quotes; else remove it"
