"""What a contract says and no page shows: each thing a finding, at its first place, with what to do."""

import re
from pathlib import Path

import pytest

from devportal import contract as package
from devportal.contract import Contract, load_contract, read_contract
from devportal.contract.validate.dropped_content import MAX_FINDINGS_PER_RULE, check_dropped_content
from devportal.contract.validate.extensions import (
    ADVICE_BY_FOREIGN_EXTENSION,
    EXTENSIONS,
    SHOWN_EXTENSIONS,
)
from devportal.contract.validate.oas_objects import fixed_fields_of
from devportal.documents import parse_document
from tests.contract.inline import PATHS, contract, write

ROOT = Path(__file__).parents[2]
HEAD = "openapi: 3.1.0\ninfo: {title: Parcels, version: 1.0.0}\n"
OPERATION = "paths:\n  /a:\n    get:\n      responses: {'200': {description: OK}}\n"


def findings_of(read: Contract) -> list[tuple[str, str, str]]:
    """Return rule, line:column and message of each finding."""
    return [
        (finding.rule, f"{finding.place.line}:{finding.place.column}", finding.message)
        for finding in check_dropped_content(read)
    ]


def messages(text: str, *, version: str = "3.1.0") -> list[str]:
    """Return what is said of the parts of a contract."""
    return [
        f"{finding.level}: {finding.message}; {finding.help}"
        for finding in check_dropped_content(contract(text, version=version))
    ]


def test_what_is_all_shown_is_silent() -> None:
    """Our own contract, and those that hold every keyword of a version."""
    own = ROOT / "openapi" / "openapi.yaml"
    complete = sorted((ROOT / "tests" / "reference" / "contracts").glob("complete-*.yaml"))

    assert len(complete) == 3
    assert [findings_of(load_contract(path, name=path.name)) for path in (own, *complete)] == [[], [], [], []]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "components: {schemas: {S: {items: {}, requierd: [a]}}}",
            "'requierd' is not a field of a schema, so it is not shown; did you mean 'required'?",
        ),
        (
            "components: {schemas: {S: {items: {maxLenght: 3}}}}",
            "'maxLenght' is not a field of a schema, so it is not shown; did you mean 'maxLength'?",
        ),
        (
            "tags: [{name: a, descripton: b, description: c}]",
            "'descripton' is not a field of a tag, so it is not shown; did you mean 'description'?",
        ),
        (
            "servers: [{url: https://a, variables: {v: {default: a, values: [a]}}}]",
            (
                "'values' is not a field of a server variable, so it is not shown; "
                "remove it, or give it a name with 'x-'"
            ),
        ),
        (
            "components: {securitySchemes: {o: {type: oauth2, flows: {implict: {}}}}}",
            "'implict' is not a field of a set of flows, so it is not shown; did you mean 'implicit'?",
        ),
        (
            "components: {schemas: {S: {items: {}, discriminator: {propertyNme: a}}}}",
            "'propertyNme' is not a field of a discriminator, so it is not shown; did you mean 'propertyName'?",
        ),
    ],
)
def test_field_that_no_object_has_is_a_warning(text: str, said: str) -> None:
    """A misspelt keyword changes nothing, and nothing else says so; what was meant is guessed."""
    assert messages(text) == [f"warning: {said}"]


def test_the_rest_of_a_text_is_no_annotation() -> None:
    """A comma ends a plain text in braces: the description would be cut unseen."""
    (said,) = messages("components: {schemas: {S: {items: {}, description: A number, from 1 on}}}")

    assert said == (
        "warning: 'from 1 on' is not a field of a schema, so it is not shown; "
        "if it belongs to the text before it, put that text in quotes; else remove it"
    )


def test_any_other_keyword_of_a_schema_is_an_annotation() -> None:
    """From 3.1 on a schema may hold what it likes (JSON Schema 2020-12 §6.5): it is only not shown."""
    assert messages("components: {schemas: {S: {items: {}, colour: red}}}") == [
        "note: 'colour' is not a field of a schema, so it is not shown; remove it, or give it a name with 'x-'"
    ]


@pytest.mark.parametrize(
    ("version", "text", "said"),
    [
        (
            "3.1.0",
            "{nullable: true}",
            (
                "'nullable' of a schema was removed in OAS 3.1 and has no effect in OAS 3.1; "
                "write a list of types instead: 'type: [string, \"null\"]'"
            ),
        ),
        (
            "3.0.3",
            "{const: 1}",
            (
                "'const' of a schema was added in OAS 3.1 and has no effect in OAS 3.0; "
                "write an 'enum' of one value instead, or raise the version under 'openapi'"
            ),
        ),
        (
            "3.0.3",
            "{examples: [1]}",
            (
                "'examples' of a schema was added in OAS 3.1 and has no effect in OAS 3.0; "
                "write 'example' instead, or raise the version under 'openapi'"
            ),
        ),
        (
            "3.1.0",
            "{minimum: 1, exclusiveMinimum: true}",
            (
                "'exclusiveMinimum' is a number from OAS 3.1 on, so true and false mean nothing; "
                "write the bound itself under 'exclusiveMinimum'"
            ),
        ),
    ],
)
def test_keyword_of_another_version_is_a_warning(version: str, text: str, said: str) -> None:
    """Tools of this version do not know it, whatever the page shows."""
    assert messages(f"components: {{schemas: {{S: {{items: {text}}}}}}}", version=version) == [
        f"warning: {said}"
    ]


def test_extensions_are_told_once_each() -> None:
    """A generated contract has thousands: one note for each name, with the count and the first place."""
    text = (
        "paths:\n  /a:\n    x-item: 1\n    get:\n      x-tool: a\n      x-sunset: '2030-01-01'\n"
        "      responses: {'200': {description: OK, x-tool: b}, x-tool: c}\n"
    )

    assert findings_of(contract(text)) == [
        ("contract-extension", "5:5", "the extension 'x-item' is not shown"),
        ("contract-extension", "7:7", "the extension 'x-tool' is not shown (3 times, here first)"),
    ]


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("x-language: de", "'x-language' has no effect at the root; it belongs in: 'info'"),
        (
            "components: {schemas: {S: {items: {}, x-displayName: a}}}",
            "'x-displayName' has no effect in a schema; it belongs in: tag",
        ),
        (
            "webhooks: {e: {post: {x-mock: {code: 200}, responses: {'200': {description: OK}}}}}",
            "'x-mock' has no effect in the operation of an event; it belongs in: operation",
        ),
        (
            "tags: [{name: a, description: b, x-unit: s}]",
            "'x-unit' has no effect in a tag; it belongs in: schema",
        ),
        (
            "components: {schemas: {S: {items: {}, xml: {x-unit: s}}}}",
            "'x-unit' has no effect in an XML object; it belongs in: schema",
        ),
    ],
)
def test_known_extension_in_a_wrong_place_is_a_warning(text: str, warning: str) -> None:
    """Its author believes that it does something."""
    assert messages(text) == [f"warning: the extension {warning}"]


def test_a_part_that_another_tool_hides_is_a_warning() -> None:
    """Its author believes that nobody sees it; `false`, and `x-internal` beside it, hide nothing more."""
    fields = [
        "x-hidden: true",
        "x-hidden: false",
        "x-excluded: true, x-internal: true",
        "x-scalar-ignore: true",
    ]
    properties = ", ".join(f"p{number}: {{{field}}}" for number, field in enumerate(fields))
    found = messages(f"components: {{schemas: {{S: {{properties: {{{properties}}}}}}}}}")

    hidden = [line for line in found if "leaves this out" in line]
    assert sorted(hidden) == [
        f"warning: {name!r} leaves this out in another tool, and the site shows it; "
        "write 'x-internal: true' to leave it out here too"
        for name in ("x-hidden", "x-scalar-ignore")
    ]
    assert {*found} - {*hidden} == {
        "note: the extension 'x-hidden' is not shown; say it in a description, if readers need it"
    }


@pytest.mark.parametrize("name", sorted(ADVICE_BY_FOREIGN_EXTENSION))
def test_an_extension_of_another_tool_names_what_says_the_same_here(name: str) -> None:
    """In place of a description."""
    found = messages(f"components: {{schemas: {{S: {{items: {{}}, {name}: 1}}}}}}")

    assert found == [f"note: the extension {name!r} is not shown; {ADVICE_BY_FOREIGN_EXTENSION[name]}"]


def test_every_extension_of_few_objects_is_missed_elsewhere() -> None:
    """Nothing reads an extension in a licence, but those that may be anywhere."""
    everywhere = {name for extension in EXTENSIONS if extension.kinds is None for name in extension.names}
    licence = "".join(f"    {name}: a\n" for name in sorted(SHOWN_EXTENSIONS))
    text = f"info:\n  title: Test\n  version: '1'\n  license:\n    name: MIT\n{licence}{PATHS}"
    read = read_contract(parse_document(f"openapi: 3.1.0\n{text}", name="api.yaml"))

    found = {
        message.split("'")[1] for rule, _, message in findings_of(read) if rule == "contract-extension-place"
    }
    assert found == SHOWN_EXTENSIONS - everywhere


def test_names_are_no_extensions() -> None:
    """What an author calls a header, property or example may start with `x-`."""
    text = OPERATION.replace(
        "description: OK",
        "description: OK, headers: {x-a: {schema: {properties: {x-b: {}}, example: {x-c: 1}}}}",
    )

    assert findings_of(contract(text)) == []


def test_every_extension_that_is_read_is_known_to_be_shown() -> None:
    """The list here and what the readers of this package ask for are the same set."""
    files = Path(package.__file__).parent.rglob("*.py")
    asked = {
        name
        for path in files
        if path.name
        not in ("extensions.py", "unshown.py", "swagger.py")  # `x-nullable`, of Swagger 2.0 alone
        for name in re.findall(r'"(x-[A-Za-z-]+)"', path.read_text(encoding="utf-8"))
    }

    assert asked - SHOWN_EXTENSIONS == set()
    assert SHOWN_EXTENSIONS - asked == set()


@pytest.mark.parametrize(
    ("section", "value", "kind"),
    [
        ("parameters", "{name: a, in: query}", "parameter"),
        ("responses", "{description: a}", "response"),
        ("examples", "{value: 1}", "example"),
        ("headers", "{schema: {}}", "header"),
        ("requestBodies", "{content: {}}", "request body"),
        ("links", "{operationId: a}", "link"),
        ("callbacks", "{'{$url}': {}}", "callback"),
        ("pathItems", "{}", "path item"),
        ("schemas", "{type: string}", "schema"),
    ],
)
def test_component_that_nothing_refers_to_is_noted(section: str, value: str, kind: str) -> None:
    """Shared objects with a page and security schemes are shown anyway; others only where they are used."""
    text = f"components:\n  {section}:\n    Lost: {value}\n"

    assert findings_of(contract(text)) == [
        ("contract-unused", "11:5", f"nothing refers to the {kind} 'Lost', so it is not shown")
    ]


def test_component_is_used_through_others() -> None:
    """A reference counts wherever it stands: in a component that is used, or in a schema with a page."""
    text = OPERATION.replace("{description: OK}", "{$ref: '#/components/responses/R'}") + (
        "components:\n"
        "  responses: {R: {description: a, headers: {H: {$ref: '#/components/headers/H'}}}}\n"
        "  headers: {H: {schema: {$ref: '#/components/schemas/Id'}}}\n"
        "  schemas:\n"
        "    Id: {type: string}\n"
        "    Other: {type: integer}\n"
        "    Shown: {properties: {a: {$ref: '#/components/schemas/Other'}}}\n"
    )

    assert findings_of(contract(text)) == []


def test_component_that_names_another_file_is_used_through_that_file(tmp_path: Path) -> None:
    """It is shown if something refers to the file, or if it has a page. What is used nowhere is noted."""
    files = {
        "api.yaml": HEAD + "paths:\n"
        "  /a: {get: {responses: {'200': {$ref: ok.yaml}}}}\n"
        "components:\n"
        "  schemas:\n"
        "    Code: {$ref: code.yaml}\n"
        "    Shape: {$ref: shapes.yaml#/Shape}\n"
        "    Lost: {$ref: lost.yaml}\n"
        "  responses:\n"
        "    Ok: {$ref: ok.yaml}\n"
        "    LostToo: {$ref: lost_response.yaml}\n",
        "ok.yaml": "description: OK\ncontent: {text/plain: {schema: {$ref: code.yaml}}}\n",
        "code.yaml": "type: string\n",
        "shapes.yaml": "Shape: {$ref: '#/Real'}\nReal: {type: object, properties: {a: {type: string}}}\n",
        "lost.yaml": "type: string\n",
        "lost_response.yaml": "description: No\n",
    }

    assert [
        message for rule, _, message in findings_of(write(tmp_path, files)) if rule == "contract-unused"
    ] == [
        "nothing refers to the schema 'Lost', so it is not shown",
        "nothing refers to the response 'LostToo', so it is not shown",
    ]


def test_tag_that_nothing_has_is_noted() -> None:
    """With a description it is a chapter of the overview; without one it is nowhere."""
    text = "tags:\n  - {name: chapter, description: Read on.}\n  - {name: empty}\n"

    assert findings_of(contract(text)) == [
        (
            "contract-unused",
            "11:5",
            "no operation has the tag 'empty' and it has no description, so it is not shown",
        )
    ]


@pytest.mark.parametrize("hidden", ["x-internal: true, get: {", "get: {x-internal: true, "])
def test_tag_of_internal_operations_alone_is_hidden_on_purpose(hidden: str) -> None:
    """Nobody has to remove it: it is left out with its operations."""
    paths = f"/a: {{{hidden}tags: [Ops], responses: {{}}}}}}"
    text = f"openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\ntags: [{{name: Ops}}]\npaths: {{{paths}}}\n"
    read = read_contract(parse_document(text, name="api.yaml"))

    assert [finding.message for finding in check_dropped_content(read) if "tag" in finding.message] == []


def test_tags_and_components_of_webhooks_and_callbacks_are_used() -> None:
    """What only a request to the client has counts as what an operation has."""

    def post_operation(name: str) -> str:
        return (
            f"{{post: {{tags: [{name}], security: [{{{name}: []}}], "
            f"parameters: [{{$ref: '#/components/parameters/{name}'}}], "
            f"responses: {{'200': {{$ref: '#/components/responses/{name}'}}}}}}}}"
        )

    callbacks = "callbacks: {done: {$ref: '#/components/callbacks/done'}}\n      responses"
    text = (
        OPERATION.replace("responses", callbacks, 1)
        + "tags: [{name: hook}, {name: back}]\n"
        + f"webhooks: {{made: {post_operation('hook')}}}\n"
        + "components:\n"
        + f"  callbacks: {{done: {{'{{$request.query.url}}': {post_operation('back')}}}}}\n"
    )
    for section, value in (
        ("parameters", "{name: X, in: header, schema: {}}"),
        ("responses", "{description: OK}"),
        ("securitySchemes", "{type: http, scheme: bearer}"),
    ):
        text += f"  {section}: {{hook: {value}, back: {value}}}\n"

    assert messages(text) == []


def test_what_stands_beside_a_reference_is_noted() -> None:
    """3.0 ignores it everywhere; later versions let a schema and two texts count."""
    parameter = "{$ref: '#/components/parameters/P', description: a, schema: {}}"
    text = OPERATION.replace("responses", f"parameters: [{parameter}]\n      responses") + (
        "components:\n  parameters: {P: {name: p, in: query}}\n"
        "  schemas: {S: {properties: {a: {$ref: '#/components/schemas/S', description: b}}}}\n"
    )

    early, late = messages(text, version="3.0.3"), messages(text, version="3.1.0")

    assert early == [
        (
            "note: 'description' stands beside the '$ref' of a parameter, where OAS 3.0 ignores it; "
            "move it into what the '$ref' leads to"
        ),
        (
            "note: 'schema' stands beside the '$ref' of a parameter, where OAS 3.0 ignores it; "
            "move it into what the '$ref' leads to"
        ),
        (
            "note: 'description' stands beside the '$ref' of a schema, where OAS 3.0 ignores it; "
            "put the '$ref' into an 'allOf'"
        ),
    ]
    assert late == [early[1].replace("3.0", "3.1")]


def test_mark_beside_a_reference_is_noted() -> None:
    """A stability that nobody sees is worse than none; what hides a part counts there too."""
    marks = "x-stability-level: stable, x-source: A 1, x-internal: false, x-other: a"
    text = OPERATION.replace(
        "responses", f"parameters: [{{$ref: '#/components/parameters/P', {marks}}}]\n      responses"
    )
    text += "components: {parameters: {P: {name: p, in: query, schema: {type: string}}}}\n"

    assert [message.partition(";")[0] for message in messages(text, version="3.1.0")] == [
        "note: 'x-stability-level' stands beside the '$ref' of a parameter, where OAS 3.1 ignores it",
        "note: 'x-source' stands beside the '$ref' of a parameter, where OAS 3.1 ignores it",
        "note: the extension 'x-other' is not shown",
    ]


def test_example_beside_examples_is_a_warning() -> None:
    """The two exclude each other (OAS 3.0.3 §4.7.12.2): only the named ones are shown."""
    parameter = "{name: a, in: query, schema: {}, example: 1, examples: {b: {value: 2}}}"
    text = OPERATION.replace("responses", f"parameters: [{parameter}]\n      responses")

    assert messages(text) == [
        (
            "warning: this parameter has both 'example' and 'examples', so 'example' is not shown; "
            "move it among the 'examples'"
        )
    ]


def test_header_that_oas_ignores_is_noted() -> None:
    """`Accept`, `Content-Type` and `Authorization` are no parameters (OAS 3.0.3 §4.7.12.2)."""
    text = OPERATION.replace("responses", "parameters: [{name: ACCEPT, in: header}]\n      responses")

    assert messages(text) == [
        (
            "note: the header 'ACCEPT' is described by media types and security, so OAS ignores it as a "
            "parameter; remove the parameter"
        )
    ]


def test_internal_parts_are_not_looked_at() -> None:
    """Nobody expects to see them."""
    text = "components: {schemas: {S: {x-internal: true, requierd: [a]}}}"

    assert findings_of(contract(text)) == []


def test_other_files_are_looked_at(tmp_path: Path) -> None:
    """Each at its own place, once, from however many references."""
    read = write(
        tmp_path,
        {
            "api.yaml": "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n" + OPERATION + "components:\n"
            "  schemas:\n    A: {$ref: 'b.yaml#/B'}\n    C: {$ref: 'b.yaml#/B'}\n",
            "b.yaml": "B:\n  type: object\n  requierd: [a]\n",
        },
    )

    found = list(check_dropped_content(read))

    assert [
        (str(finding.place), finding.rule) for finding in found if finding.rule == "contract-unknown"
    ] == [("b.yaml:3:3", "contract-unknown")]


def test_tags_of_any_shape_are_looked_at() -> None:
    """A tag's name may be anything in a broken contract; the reader reports that."""
    text = "tags:\n  - {name: {a: b}}\n  - 3\n  - {name: [1]}\n"

    assert [rule for rule, _, _ in findings_of(contract(text))] == ["contract-unused"]


def test_many_findings_of_a_rule_are_cut_with_a_count() -> None:
    """Ten thousand keywords of a tool's own would hide everything else."""
    names = ", ".join(f"key{number:03}: 1" for number in range(MAX_FINDINGS_PER_RULE + 7))

    found = findings_of(contract(f"components: {{schemas: {{S: {{items: {{}}, {names}}}}}}}"))

    assert len(found) == MAX_FINDINGS_PER_RULE + 1
    assert found[-1][2].startswith("7 more of this rule, the first: 'key050' is not a field of a schema")


def test_fields_grow_with_the_version() -> None:
    """The sets of three versions, by the sizes that the specifications have."""
    kinds = ("operation", "parameter", "media type", "schema", "path item")
    sizes = {
        version: [len(found.in_version) for kind in kinds if (found := fixed_fields_of(kind, version))]
        for version in ("3.0.4", "3.1.1", "3.2.0")
    }

    assert sizes == {
        "3.0.4": [12, 13, 4, 35, 12],
        "3.1.1": [12, 13, 4, 60, 12],
        "3.2.0": [12, 13, 8, 60, 14],
    }
    assert fixed_fields_of("callback", "3.1.1") is None
