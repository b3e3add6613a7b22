"""What is a contract at all, and what its head says."""

from pathlib import Path
from textwrap import dedent

import pytest

from devportal.contract import check_contract, load_contract, read_contract
from devportal.contract.published.bundle import bundle
from devportal.documents import parse_document
from devportal.errors import InvalidContract, UnreadableInput
from devportal.findings import Level
from tests.contract.inline import PATHS, api, contract, reading_findings, write


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("", "api.yaml", "this file is empty"),
        ("# only a comment\n", "api.yaml", "this file is empty"),
        ("- a\n", "api.yaml:1:1", "its top level is a list"),
        ("just words\n", "api.yaml:1:1", "its top level is text"),
        ("42\n", "api.yaml:1:1", "its top level is a number"),
        ("true\n", "api.yaml:1:1", "its top level is a boolean"),
        ("info: {}\n", "api.yaml:1:1", "it has no 'openapi' key"),
        ("openapi: null\n", "api.yaml:1:1", "it has no 'openapi' key"),
        ("asyncapi: 2.6.0\n", "api.yaml:1:1", "this is an AsyncAPI document"),
        ("arazzo: 1.0.1\n", "api.yaml:1:1", "this is an Arazzo document"),
        ("overlay: 1.0.0\n", "api.yaml:1:1", "this is an overlay"),
        ("swaggerVersion: '1.2'\n", "api.yaml:1:1", "this is a Swagger 1 document"),
        ("info: {_postman_id: a}\nitem: []\n", "api.yaml:1:1", "this is a Postman collection"),
        ("apis: {a: {root: a.yaml}}\n", "api.yaml:1:1", "this is a configuration of Redocly"),
        ("site_name: Parcels\n", "api.yaml:1:1", "this is a settings file of MkDocs"),
        ("extends: [spectral:oas]\n", "api.yaml:1:1", "this is a file of rules for a linter"),
        ("__export_format: 4\n", "api.yaml:1:1", "this is an Insomnia export"),
        ("log: {entries: []}\n", "api.yaml:1:1", "this is a HAR file"),
        ("data: {__schema: {}}\n", "api.yaml:1:1", "this is a GraphQL schema"),
        ("$schema: https://json-schema.org/draft/2020-12/schema\n", "api.yaml:1:1", "this is a JSON Schema"),
        ("info: {}\nswagger: '1.2'\n", "api.yaml:2:1", "this is a Swagger 1.2 document"),
        ("openapi: 4.0.0\n", "api.yaml:1:1", "the OpenAPI version '4.0.0' is not supported"),
        ("openapi: 2.0.0\n", "api.yaml:1:1", "the OpenAPI version '2.0.0' is not supported"),
        ("openapi: 3.4\n", "api.yaml:1:1", "the OpenAPI version 3.4 is not supported"),
        ("openapi: true\n", "api.yaml:1:1", "the OpenAPI version true is not supported"),
        ("openapi: [3]\n", "api.yaml:1:1", "the OpenAPI version [3] is not supported"),
    ],
)
def test_what_is_no_contract_is_refused_with_its_place(text: str, where: str, message: str) -> None:
    """A file that is no contract stops us, with the place, what is wrong, and what to do."""
    with pytest.raises(InvalidContract) as caught:
        read_contract(parse_document(text, name="api.yaml"))

    assert str(caught.value.place) == where
    assert message in caught.value.message
    assert caught.value.help


def test_advice_quotes_the_files_of_another_tool() -> None:
    """They are untrusted: a line of their own would be a command of GitHub Actions, and escapes one of a terminal."""
    with pytest.raises(InvalidContract) as caught:
        read_contract(parse_document('apis: {a: {root: "a\\n::error::\\e[31m"}}', name="api.yaml"))

    assert caught.value.help == r"give the file of an API that it names: 'a\n::error::\x1b[31m'"


def in_language(written: str) -> str:
    """Return a contract that names the language of its texts."""
    return f"openapi: 3.1.0\ninfo: {{title: T, version: '1', x-language: {written}}}\n{PATHS}"


@pytest.mark.parametrize("written", ["english", "jp", "pt_BR", "''", "7", "[ja]", "null"])
def test_wrong_language_is_found_at_its_place(written: str) -> None:
    """What is no language tag is reported where it stands, and counts as none."""
    read = read_contract(parse_document(in_language(written), name="api.yaml"))

    assert [(finding.rule, str(finding.place)) for finding in read.findings] == [
        ("contract-language", "api.yaml:2:32")
    ]
    assert read.api.language == ""


def test_language_is_read_in_its_usual_case() -> None:
    """The language of the texts, as everything else writes it."""
    read = read_contract(parse_document(in_language("PT-br"), name="api.yaml"))

    assert read.findings == ()
    assert read.api.language == "pt-BR"


@pytest.mark.parametrize(
    ("text", "where"), [("paths: {}", "2:1"), ("info: {title: T}", "1:1"), ("paths: {/a: {}}", "2:1")]
)
def test_a_contract_that_describes_nothing_is_found(text: str, where: str) -> None:
    """An empty contract is lawful, and rarely what somebody wants to publish."""
    (finding,) = read_contract(parse_document(f"openapi: 3.1.0\n{text}\n", name="api.yaml")).findings

    assert (finding.rule, str(finding.place)) == ("contract-empty", f"api.yaml:{where}")


@pytest.mark.parametrize(
    "text",
    ["components: {schemas: {S: {type: string}}}", "webhooks: {a: {post: {responses: {}}}}"],
)
def test_a_contract_without_paths_is_one_from_3_1_on(text: str) -> None:
    """Shared schemas, or events, alone are a contract (OAS 3.1.0 §4.8.1)."""
    read = read_contract(parse_document(f"openapi: 3.1.0\n{text}\n", name="api.yaml"))

    assert read.findings == ()
    assert read.api.schemas or read.api.webhooks


@pytest.mark.parametrize("written", ["3.1", "'3.1'"])
def test_a_version_of_two_numbers_is_read_with_a_warning(written: str) -> None:
    """It is clear what is meant, so that the contract is read and published as of that version."""
    read = contract("", version=written)
    (finding,) = check_contract(read)

    assert read.api.openapi == bundle(read)["openapi"] == "3.1.0"
    assert (finding.level, finding.help) == (Level.WARNING, "write 'openapi: 3.1.0'")
    assert str(finding.place) == "api.yaml:1:1"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A path that does not exist is unreadable input."""
    with pytest.raises(UnreadableInput) as caught:
        load_contract(tmp_path / "none.yaml", name="none.yaml")

    assert str(caught.value).startswith("none.yaml: this file cannot be read")


@pytest.mark.parametrize("version", ["3.0.0", "3.0.3", "3.0.4", "3.1.0", "3.1.1", "3.2.0"])
def test_each_supported_version_is_read(version: str) -> None:
    """Each release of OAS 3.0, 3.1 and 3.2 makes a model that remembers it."""
    assert api("", version=version).openapi == version


def test_the_head_is_kept() -> None:
    """Title, version, texts, contact, licence, links and tags of the head are in the model."""
    text = """\
        openapi: 3.1.0
        info:
          title: ' Shop '
          version: 2026-01
          summary: Sells things
          description: Long
          termsOfService: https://example.com/terms
          contact: {name: Ann, email: ann@example.com, x-chat: '#shop'}
          license: {name: Apache 2.0, identifier: Apache-2.0}
        externalDocs: {url: https://example.com/docs, description: More}
        tags:
          - {name: a, x-displayName: The A, description: About a}
          - {name: b, summary: The B, externalDocs: {url: https://example.com/b}}
          - {description: no name}
        """
    found = read_contract(parse_document(dedent(text) + PATHS, name="api.yaml")).api

    assert (found.title, found.version, found.summary) == ("Shop", "2026-01", "Sells things")
    assert (found.description, found.terms_of_service) == ("Long", "https://example.com/terms")
    assert found.contact == (("name", "Ann"), ("email", "ann@example.com"))
    assert found.license == (("name", "Apache 2.0"), ("identifier", "Apache-2.0"))
    assert found.external_docs is not None
    assert found.external_docs.description == "More"
    assert [(tag.name, tag.title, tag.description) for tag in found.tags] == [
        ("a", "The A", "About a"),
        ("b", "The B", ""),
    ]


def test_a_contract_without_title_has_one() -> None:
    """Pages need a title, so a contract without `info` is called API."""
    document = parse_document("openapi: 3.0.3\n" + PATHS, name="api.yaml")

    assert read_contract(document).api.title == "API"


def test_problem_types_are_read_and_incomplete_ones_are_found() -> None:
    """A row of `x-problem-types` without URI, title or numeric status is left out and reported."""
    text = """\
        x-problem-types:
          - {type: https://example.com/p/a, title: A, status: 422, description: When, resolution: Do}
          - {type: https://example.com/p/b, title: B, status: '422'}
          - nothing
        """
    read = contract(text)

    assert [
        (problem_type.uri, problem_type.title, problem_type.status, problem_type.resolution)
        for problem_type in read.api.problem_types
    ] == [("https://example.com/p/a", "A", 422, "Do")]
    assert [(rule, where) for rule, where, _ in reading_findings(text)] == [
        ("contract-problem-type", "11:5"),
        ("contract-problem-type", "12:5"),
    ]


def test_the_digest_covers_each_file(tmp_path: Path) -> None:
    """A change of any file that the contract refers to changes its digest; where they lie does not."""
    files = {
        "api.yaml": f"openapi: 3.1.0\n{PATHS}components: {{schemas: {{A: {{$ref: a.yaml}}}}}}\n",
        "a.yaml": "type: string\n",
    }
    first = write(tmp_path / "1", files)
    same = write(tmp_path / "2", files)
    other = write(tmp_path / "3", files | {"a.yaml": "type: integer\n"})

    assert first.digest == same.digest
    assert first.digest != other.digest


def test_places_lead_into_the_files() -> None:
    """A location of the model is a line and column of the file."""
    read = contract("")

    assert str(read.place(read.api.operations[0].location)) == "api.yaml:5:5"
