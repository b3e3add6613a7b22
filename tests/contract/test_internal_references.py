"""Names of internal parts in public ones: what is taken out is told, and so is what stays."""

import json
from pathlib import Path
from textwrap import dedent, indent

import pytest

from devportal.contract import Contract, load_contract, read_contract
from devportal.contract.published.bundle import bundle
from devportal.documents import parse_document

HEAD = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n"
HIDDEN = """
          /admin/purge:
            post: {x-internal: true, operationId: purgeAll, responses: {'200': {description: Gone.}}}
"""


def read(paths: str, rest: str = "") -> Contract:
    """Return a contract of these paths, and one that is internal."""
    written = indent(f"{dedent(HIDDEN)}{dedent(paths)}", "  ")
    return read_contract(parse_document(f"{HEAD}paths:\n{written}{rest}", name="api.yaml"))


def internal_findings(contract: Contract) -> list[str]:
    """Return level and message of each finding on internal parts."""
    found = contract.findings
    return [f"{finding.level}: {finding.message}" for finding in found if finding.rule == "contract-internal"]


def contract_with_description(text: str) -> Contract:
    """Return a contract with an operation of this description."""
    return read(
        f"""
          /a:
            get: {{description: {json.dumps(text)}, responses: {{'200': {{description: Fine.}}}}}}
        """
    )


@pytest.mark.parametrize(
    ("text", "left", "message"),
    [
        (
            "See [how](#operation/purgeAll).",
            "See how.",
            "warning: this text links to something internal, so the link is taken out",
        ),
        ("Like purgeAll.", "Like purgeAll.", "note: this text names ''purgeAll'', which is internal"),
        (
            "`POST /admin/purge` too.",
            "`POST /admin/purge` too.",
            "note: this text names ''/admin/purge'', which is internal",
        ),
    ],
)
def test_text_that_names_something_internal_is_told(text: str, left: str, message: str) -> None:
    """A link is taken out; prose stays, since only its author knows what it means."""
    contract = contract_with_description(text)

    assert contract.api.operations[0].description == left
    assert internal_findings(contract) == [message.replace("''", "'")]


@pytest.mark.parametrize(
    "text",
    ["See [a](#operation/get-a).", "[b](#section/purgeAll)", "Purge all.", "[c](https://x.example/#a)"],
)
def test_text_that_names_nothing_internal_stays(text: str) -> None:
    """Other links, words of a language, anchors of something else."""
    contract = contract_with_description(text)

    assert contract.api.operations[0].description == text
    assert internal_findings(contract) == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("[n `code` [b]](#operation/purgeAll)", "n `code` [b]"),
        ("[b](&#35;operation/purgeAll) [c](&num;operation/purge\\_all)", "b c"),
        ("[d](#operation/purgeAll(1))", "[d](#operation/purgeAll(1))"),
        ('[e](#operation/purgeAll "Title") [f](<#operation/purgeAll>)', "e f"),
        ("`[g](#operation/purgeAll)`", "`[g](#operation/purgeAll)`"),
        ("```\n[h](#operation/purgeAll)\n```\n[h](#operation/purgeAll)",
         "```\n[h](#operation/purgeAll)\n```\nh"),
        ("| ` | [i](#operation/purgeAll) | ` |", "| ` | i | ` |"),
        ("`a<b` [j](#operation/purgeAll) `c`", "`a<b` j `c`"),
        ("`k [k](#operation/purgeAll)", "`k k"),
        ("```[k](#operation/purgeAll)`", "```k`"),
        ("```\n[k](#operation/purgeAll)\n``` [k](#operation/purgeAll) ```", "```\nk\n``` k ```"),
        ("<b>\n```\n[k](#operation/purgeAll)", "<b>\n```\nk"),
        ("<a href=&#35;operation/purgeAll>l</a>", "<a href=#>l</a>"),
        ("[m]\n\n[m]: #operation/purgeAll", "[m]\n\n[m]: #"),
    ],
)  # fmt: skip
def test_link_is_taken_out_however_it_is_written_and_code_is_left(text: str, left: str) -> None:
    """As CommonMark reads both."""
    assert contract_with_description(text).api.operations[0].description == left


@pytest.mark.parametrize(
    "part",
    ["[", "`", "[`", "[a](#", "[a]", "` ``", "\\[", "~~~\n", "```\n", "[a](#b(", "&#35;", "[[a]", "`|"],
)
def test_text_of_any_length_is_read_once(part: str) -> None:
    """What begins like a link or like code and never ends costs no more than what does: read anew from each
    of its signs, a text of a million would take longer than any test may.
    """
    contract = contract_with_description("#" + part * (1_000_000 // len(part)))

    assert contract.api.operations[0].description


def test_runs_of_backticks_are_read_once() -> None:
    """Each of another length, so that none of them ends code."""
    contract = contract_with_description("#" + " ".join("`" * count for count in range(1, 1_600)))

    assert contract.api.operations[0].description


def test_internal_successor_is_told_at_its_place() -> None:
    """Whoever reads the operation is sent nowhere."""
    contract = read(
        """
          /a:
            get:
              deprecated: true
              x-successor: purgeAll
              responses: {'200': {description: Fine.}}
        """
    )

    (found,) = [finding for finding in contract.findings if finding.rule == "contract-internal"]
    assert contract.api.operations[0].successor == ""
    assert (found.place.line, found.message) == (
        11,
        "the successor 'purgeAll' is internal, so it is not shown",
    )


def test_values_of_the_api_are_no_descriptions() -> None:
    """An example that looks like a text with a link is published as it is written."""
    rest = dedent(
        """
        components:
          schemas:
            A:
              type: object
              example: {description: '[x](#operation/purgeAll)'}
              properties: {a: {type: string}}
        """
    )
    contract = read("", rest)

    (schema,) = contract.api.schemas.values()
    assert schema.examples == ({"description": "[x](#operation/purgeAll)"},)


def test_what_only_internal_parts_say_is_not_told() -> None:
    """A text that nobody reads gives nothing away."""
    contract = read(
        """
          /admin/keep:
            post:
              x-internal: true
              description: Not [purging](#operation/purgeAll), see purgeAll.
              responses: {'200': {description: Fine.}}
        """
    )

    assert internal_findings(contract) == []


def test_marks_in_other_files_count_from_the_start(tmp_path: Path) -> None:
    """The root file has no mark, and holds what only an internal operation of another file uses."""
    (tmp_path / "api.yaml").write_text(
        f"{HEAD}"
        "tags: [{name: Secret, description: Hush.}]\n"
        "paths: {/a: {$ref: a.yaml}}\n"
        "components: {schemas: {Secret: {properties: {x: {type: string}}}}}\n",
        encoding="utf-8",
    )
    (tmp_path / "a.yaml").write_text(
        dedent(
            """
            get: {description: 'See [x](#operation/hush).', responses: {'200': {description: Fine.}}}
            post:
              x-internal: true
              operationId: hush
              tags: [Secret]
              responses:
                '200':
                  description: Fine.
                  content: {a/b: {schema: {$ref: 'api.yaml#/components/schemas/Secret'}}}
            """
        ),
        encoding="utf-8",
    )

    contract = load_contract(tmp_path / "api.yaml", name="api.yaml")

    assert contract.api.operations[0].description == "See x."
    assert contract.api.tags == ()
    assert not contract.api.schemas
    assert "ecret" not in str(bundle(contract))
    assert [finding.place.file for finding in contract.findings] == ["a.yaml"]


@pytest.mark.parametrize(
    ("anchor", "is_public"),
    [
        ("#operation/purge_all", True),
        ("#operation/purgeAll", False),
        ("#operation/purge-all", True),
        ("#operation/--", True),
        ("#operation/日本", True),
    ],
)
def test_link_to_something_public_stays_although_an_internal_name_is_alike(
    anchor: str, *, is_public: bool
) -> None:
    """Anchors are compared by their letters only where that can mean nothing public."""
    contract = read(
        f"""
          /a:
            get:
              operationId: purge_all
              description: 'See [it]({anchor}).'
              responses: {{'200': {{description: Fine.}}}}
          /b:
            get: {{x-internal: true, operationId: '++', responses: {{'200': {{description: Fine.}}}}}}
        """
    )

    assert contract.api.operations[0].description == (f"See [it]({anchor})." if is_public else "See it.")


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("{name: x, secret: $response.body#/id}", {"name": "x"}),
        ("$response.body", "$response.body"),
        ("{name: x}", {"name": "x"}),
        ("'<secret>1</secret>'", None),
    ],
)
@pytest.mark.parametrize("target", ["operationId: send", "operationRef: '#/paths/~1a/post'"])
def test_body_that_a_link_sends_has_no_internal_property(body: str, left: object, target: str) -> None:
    """By the schema of the operation that it leads to; expressions stay, since they are no values."""
    contract = read(
        f"""
          /a:
            post:
              operationId: send
              requestBody: {{$ref: '#/components/requestBodies/B'}}
              responses:
                '200':
                  description: Fine.
                  links: {{next: {{{target}, requestBody: {body}}}}}
        """,
        dedent(
            """
            components:
              requestBodies:
                B: {content: {a/json: {schema: {properties: {name: {}, secret: {x-internal: true}}}}}}
            """
        ),
    )

    responses = contract.api.operations[0].responses
    link = bundle(contract)["paths"]["/a"]["post"]["responses"]["200"]["links"]["next"]
    assert responses[0].links[0].request_body == left
    assert link.get("requestBody") == left
