"""References: where they may lead, and what happens where they do not."""

from dataclasses import replace
from pathlib import Path

import pytest

from devportal.contract import ABSENT, Contract, Location, Schema
from devportal.contract.read.source import Source
from tests.contract.inline import PATHS, api, contract, reading_findings, schema, schemas, write

BASE = f"openapi: 3.1.0\ninfo: {{title: Test, version: '1'}}\n{PATHS}"


def rules(read: Contract) -> list[tuple[str, str]]:
    """Return rule and place of each finding."""
    return [(finding.rule, str(finding.place)) for finding in read.findings]


def schemas_by_location(read: Contract) -> dict[str, Schema]:
    """Return the schemas of a contract by their locations as text."""
    return {str(location): schema for location, schema in read.api.schemas.items()}


def test_a_chain_of_references_ends_at_its_schema() -> None:
    """`resolve` follows reference after reference."""
    found = api("components: {schemas: {A: {$ref: '#/components/schemas/B'}, "
                "B: {$ref: '#/components/schemas/C'}, C: {type: string}}}")  # fmt: skip
    first = found.schemas[Location("", ("components", "schemas", "A"))]

    assert found.resolve(first).types == ("string",)


@pytest.mark.parametrize(
    ("name", "escaped"),
    [("a/b", "a~1b"), ("a~b", "a~0b"), ("~1", "~01"), ("a b", "a%20b"), ("{a}", "%7Ba%7D"), ("é", "%C3%A9")],
)
def test_escapes_of_pointers_are_undone(name: str, escaped: str) -> None:
    """`~0`, `~1` (RFC 6901 §4) and percent escapes (§6) name the key as it is written."""
    found = schemas(f"S: {{$ref: '#/components/schemas/{escaped}'}}\n'{name}': {{type: string}}")

    assert found["S"].ref == found[name].location


def test_references_lead_anywhere_in_the_document() -> None:
    """A schema in a path, or in a list, is as good a target as one under `components`."""
    found = api("""\
        paths:
          /things/{id}:
            get:
              parameters:
                - {name: id, in: path, schema: {type: integer, format: int64}}
              responses:
                '200':
                  description: OK
                  content:
                    application/json:
                      schema: {$ref: '#/paths/~1things~1%7Bid%7D/get/parameters/0/schema'}
        """)
    media = found.operations[0].responses[0].content[0]

    assert media.schema is not None
    assert found.resolve(media.schema).format == "int64"


@pytest.mark.parametrize(
    ("reference", "rule", "message"),
    [
        ("#/components/schemas/None", "contract-ref-broken", "there is no 'None' there"),
        ("#/tags/0", "contract-ref-broken", "there is no 'tags' there"),
        ("#/components/schemas/S/enum/9", "contract-ref-broken", "there is no '9' there"),
        ("#/components/schemas/S/enum/00", "contract-ref-broken", "there is no '00' there"),
        ("#/components/schemas/S/enum/²", "contract-ref-broken", "there is no '²' there"),
        (f"#/components/schemas/S/enum/{'9' * 5000}", "contract-ref-broken", "leads nowhere"),
        ("#nothing", "contract-ref-broken", "there is no $anchor 'nothing'"),
        ("http://[", "contract-ref-broken", "is not valid"),
        ("other.yaml", "contract-ref-refused", "leads outside the contract's folder"),
        ("../other.yaml", "contract-ref-refused", "leads outside the contract"),
        ("a/../../other.yaml", "contract-ref-refused", "leads outside the contract"),
        ("%2e%2e/other.yaml", "contract-ref-refused", "leads outside the contract"),
        ("/etc/passwd", "contract-ref-refused", "leads outside the contract"),
        ("%2Fetc/passwd", "contract-ref-refused", "leads outside the contract"),
        ("https://example.com/a.yaml#/A", "contract-ref-remote", "leads to the network"),
        ("//example.com/a.yaml", "contract-ref-remote", "leads to the network"),
        ("file:///etc/passwd", "contract-ref-remote", "leads outside the contract"),
        ("urn:example:a", "contract-ref-remote", "leads outside the contract"),
        ("a%00b.yaml", "contract-ref-refused", "leads outside the contract's folder"),
    ],
)
def test_a_reference_that_cannot_be_followed_is_found(reference: str, rule: str, message: str) -> None:
    """Each broken or refused reference is one finding at the reference, and the model goes on without it."""
    text = f"components: {{schemas: {{S: {{enum: [a], items: {{$ref: '{reference}'}}}}}}}}"
    ((found_rule, where, found_message),) = reading_findings(text)

    assert found_rule == rule
    assert message in found_message
    assert where == "9:39"


@pytest.mark.parametrize(
    ("reference", "advice"),
    [
        ("#/components/schemas/Parcle", "did you mean 'Parcel'?"),
        ("#/components/schemas/parcel", "did you mean 'Parcel'?"),
        ("#/definitions/Parcel", "did you mean '#/components/schemas/Parcel'?"),
        ("#/components/responses/Parcel", "did you mean '#/components/schemas/Parcel'?"),
        ("#/component/schemas/Other", "did you mean 'components'?"),
        ("#/components/schemas/Receipt", "fix the $ref"),
        ("#/components/schemas/Parcel/a/b", "fix the $ref"),
        ("#/components/schemas/Parcel/properties/S", "fix the $ref"),
    ],
)
def test_broken_reference_suggests_what_was_meant(reference: str, advice: str) -> None:
    """A component of the same name, or else a name like the missing one in the same place."""
    schemas = f"{{Parcel: {{a: 1}}, S: {{$ref: '{reference}'}}}}"
    (found,) = contract(f"components: {{schemas: {schemas}}}").findings

    assert found.help == advice


def test_number_of_suggestions_is_bounded() -> None:
    """A contract that lost its components is read as fast as others."""
    schemas = ", ".join(f"A{number}: {{$ref: '#/components/schemas/B{number}'}}" for number in range(60))
    found = contract(f"components: {{schemas: {{{schemas}}}}}").findings

    assert len(found) == 60
    assert {finding.help for finding in found[50:]} == {"fix the $ref"}


def test_a_reference_to_a_missing_file_is_found(tmp_path: Path) -> None:
    """A file that is not there is named, without the folders above."""
    read = write(tmp_path, {"api.yaml": BASE + "components: {schemas: {A: {$ref: 'no.yaml#/A'}}}\n"})

    assert rules(read) == [("contract-ref-broken", "api.yaml:9:24")]
    assert "'no.yaml#/A' leads to a file that cannot be read" in read.findings[0].message
    assert read.findings[0].help == "fix the $ref"
    assert str(tmp_path) not in str(read.findings[0])


def test_a_file_of_the_folder_that_does_not_parse_is_found(tmp_path: Path) -> None:
    """A broken file beside the contract is a finding, not a failure. It says where in that file."""
    files = {"api.yaml": BASE + "components: {schemas: {A: {$ref: a.yaml}}}\n", "a.yaml": "a: 1\n\tb: 2\n"}
    read = write(tmp_path, files)

    assert rules(read) == [("contract-ref-broken", "api.yaml:9:24")]
    assert read.findings[0].message.startswith(
        "the reference 'a.yaml' leads to a file that cannot be read: a.yaml:2:1: this is not YAML"
    )
    assert read.findings[0].help != "fix the $ref"


def test_a_file_in_another_encoding_is_found_with_its_fix(tmp_path: Path) -> None:
    """The file is what to fix, not the reference to it."""
    (tmp_path / "a.yaml").write_bytes("type: string\ntitle: Måke\n".encode("latin-1"))
    read = write(tmp_path, {"api.yaml": BASE + "components: {schemas: {A: {$ref: a.yaml}}}\n"})

    assert "a.yaml:2:9: this file is not UTF-8 text: it has the byte 0xe5 here" in read.findings[0].message
    assert read.findings[0].help == "save it as UTF-8"


def test_references_into_other_files_are_relative_to_the_file_they_stand_in(tmp_path: Path) -> None:
    """Files in subfolders refer to each other as URIs say; a whole file is called as its component is, or by
    itself.
    """
    files = {
        "api.yaml": BASE + "components: {schemas: {A: {$ref: 'parts/pet.yaml'}}}\n",
        "parts/pet.yaml": "properties: {tag: {$ref: 'deep/tag.yaml#/Tag'}, kin: {$ref: '../kin.yaml'}}\n",
        "parts/deep/tag.yaml": "Tag: {type: string}\n",
        "kin.yaml": "type: integer\n",
    }
    read = write(tmp_path, files)

    assert read.findings == ()
    assert {location: value.name for location, value in schemas_by_location(read).items()} == {
        "#/components/schemas/A": "A",
        "parts/pet.yaml#": "A",
        "parts/deep/tag.yaml#/Tag": "Tag",
        "kin.yaml#": "kin",
    }


def test_a_file_refers_back_to_the_contract_by_its_name(tmp_path: Path) -> None:
    """What another file says of `api.yaml` is the contract itself, not a second copy."""
    files = {
        "api.yaml": BASE + "components: {schemas: {A: {$ref: 'parts/a.yaml'}, B: {type: string}}}\n",
        "parts/a.yaml": "items: {$ref: '../api.yaml#/components/schemas/B'}\n",
    }
    found = schemas_by_location(write(tmp_path, files))

    assert set(found) == {"#/components/schemas/A", "#/components/schemas/B", "parts/a.yaml#"}
    items = found["parts/a.yaml#"].items
    assert items is not None
    assert items.ref == Location("", ("components", "schemas", "B"))


def test_findings_in_other_files_name_them(tmp_path: Path) -> None:
    """The place of what is wrong in another file is a line and column of that file."""
    files = {
        "api.yaml": BASE + "components: {schemas: {A: {$ref: 'parts/a.yaml'}}}\n",
        "parts/a.yaml": "type: object\ndescription: [1]\n",
    }

    assert rules(write(tmp_path, files)) == [("contract-shape", "parts/a.yaml:2:1")]


def test_a_symbolic_link_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    """The real path counts, so that a link cannot bring in a file from elsewhere."""
    (tmp_path / "secret.yaml").write_text("type: string\n")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link.yaml").symlink_to("../secret.yaml")
    read = write(inside, {"api.yaml": BASE + "components: {schemas: {A: {$ref: link.yaml}}}\n"})

    assert rules(read) == [("contract-ref-refused", "api.yaml:9:24")]


@pytest.mark.parametrize("reference", [".", "parts", ""])
def test_a_reference_to_a_folder_or_to_nothing_is_no_failure(tmp_path: Path, reference: str) -> None:
    """A folder cannot be read; the empty reference is the contract itself."""
    (tmp_path / "parts").mkdir()
    read = write(tmp_path, {"api.yaml": BASE + f"components: {{schemas: {{A: {{$ref: '{reference}'}}}}}}\n"})

    assert all(finding.rule == "contract-ref-broken" for finding in read.findings)
    assert bool(read.findings) is bool(reference)


@pytest.mark.parametrize("keyword", ["$anchor", "$dynamicAnchor"])
def test_anchors_are_targets(keyword: str) -> None:
    """A plain fragment names the schema with that anchor (JSON Schema 2020-12 §8.2.2)."""
    found = schemas(f"S: {{$ref: '#here'}}\nT: {{{keyword}: here, type: string}}")

    assert found["S"].ref == found["T"].location


def test_an_item_that_is_no_text_is_told_with_its_list() -> None:
    """From the message alone one knows what to look for."""
    ((_, _, message),) = reading_findings(
        "paths: {/a: {get: {tags: [a, 42], responses: {'200': {description: OK}}}}}"
    )

    assert message == "each item of 'tags' must be text, found 42"


def test_a_dynamic_reference_leads_to_its_anchor() -> None:
    """`$dynamicRef` is read as a reference to the anchor that it names first."""
    found = schema("$dynamicAnchor: node\nproperties: {next: {$dynamicRef: '#node'}}")

    assert found.properties[0].schema.ref == found.location


def test_references_that_only_lead_to_each_other_are_found() -> None:
    """A circle of bare references describes nothing; each of its members is reported."""
    text = "components: {schemas: {A: {$ref: '#/components/schemas/B'}, B: {$ref: '#/components/schemas/A'}}}"

    assert reading_findings(text) == [
        ("contract-ref-broken", "9:24", "the reference '#/components/schemas/B' leads back to itself"),
        ("contract-ref-broken", "9:61", "the reference '#/components/schemas/A' leads back to itself"),
    ]
    read = contract(text).api
    first = next(iter(read.schemas.values()))
    assert read.resolve(first).broken == "#/components/schemas/B"


def test_a_circle_of_components_is_found() -> None:
    """Parameters that lead to each other are reported where they are used; the name is all that is left."""
    text = """\
        paths:
          /a:
            get:
              parameters: [{$ref: '#/components/parameters/A'}]
              responses: {'200': {description: OK}}
        components: {parameters: {A: {$ref: '#/components/parameters/A'}}}
        """

    assert [(rule, where) for rule, where, _ in reading_findings(text)] == [("contract-ref-broken", "6:20")]
    assert [parameter.broken for parameter in contract(text).api.operations[0].parameters] == [
        "#/components/parameters/A"
    ]


def test_recursive_schemas_are_finite() -> None:
    """A schema that holds itself stays a reference to itself."""
    found = schema("properties: {children: {type: array, items: {$ref: '#/components/schemas/S'}}}")
    items = found.properties[0].schema.items

    assert items is not None
    assert items.ref == found.location


def test_siblings_of_a_schema_reference_count_from_3_1_on() -> None:
    """In 3.0 keywords beside `$ref` are ignored, later they apply too."""
    text = "S: {$ref: '#/components/schemas/T', description: Own, default: 1}\nT: {type: integer}"
    old, new = schemas(text, version="3.0.3")["S"], schemas(text)["S"]

    assert (old.description, old.default) == ("", ABSENT)
    assert (new.description, new.default) == ("Own", 1)
    assert old.ref == new.ref is not None


@pytest.mark.parametrize(("version", "description"), [("3.0.3", "Shared"), ("3.1.0", "Own")])
def test_a_description_beside_a_reference_wins_from_3_1_on(version: str, description: str) -> None:
    """The Reference Object of 3.1 (§4.8.23) has `summary` and `description` of its own."""
    found = api(
        """\
        paths:
          /a:
            get:
              parameters: [{$ref: '#/components/parameters/P', description: Own}]
              responses: {'200': {description: OK}}
        components: {parameters: {P: {name: p, in: query, description: Shared, schema: {type: string}}}}
        """,
        version=version,
    )

    assert found.operations[0].parameters[0].description == description


def test_a_pointer_leads_through_references(tmp_path: Path) -> None:
    """Behind a path item of another file, and on through further references, as other tools have it."""
    schema = "content/application~1json/schema"
    read = write(
        tmp_path,
        {
            "api.yaml": f"""\
                openapi: 3.1.0
                info: {{title: T, version: '1'}}
                paths:
                  /a: {{$ref: 'a.yaml'}}
                  /b:
                    get:
                      responses:
                        '200':
                          description: OK
                          content:
                            application/json:
                              schema: {{$ref: '#/paths/~1a/get/responses/200/{schema}'}}
                """,
            "a.yaml": "get: {responses: {'200': {$ref: 'common.yaml#/ok'}}}\n",
            "common.yaml": """\
                ok:
                  description: OK
                  content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}
                """,
        },
    )
    first, second = (operation.responses[0].content[0].schema for operation in read.api.operations)

    assert read.findings == ()
    assert first is not None
    assert second is not None
    assert second.ref == first.location


@pytest.mark.parametrize(
    "members",
    [
        "A: {$ref: '#/components/schemas/A/x'}",
        "A: {$ref: '#/components/schemas/B/x'}, B: {$ref: '#/components/schemas/A/x'}",
        "A: {$ref: '#/components/schemas/B'}, B: {$ref: '#/components/schemas/A/k'}",
        "A: {$ref: '#/components/schemas/B/x'}, B: {$ref: '#/components/schemas/B'}",
    ],
)
def test_references_through_a_circle_lead_nowhere(members: str) -> None:
    """They are reported, after a bounded number of steps."""
    rows = reading_findings(
        f"components: {{schemas: {{{members}, S: {{$ref: '#/components/schemas/A/x/y'}}}}}}\n"
    )

    assert {rule for rule, _, _ in rows} == {"contract-ref-broken"}
    assert any("leads nowhere" in message for _, _, message in rows)


def _count_schemas(source: Source) -> tuple[int, ...]:
    return (len(source.root().value["components"]["schemas"]),)


def test_what_was_made_of_a_source_is_kept_if_no_change_alters_it() -> None:
    """The same object is returned again; it is made again of a changed document."""
    source = contract("components: {schemas: {A: {type: string}}}").source
    counted = source.once(_count_schemas)

    unchanged = source.with_changes(lambda _, document: document)
    emptied = source.with_changes(lambda _, document: replace(document, data={"components": {"schemas": {}}}))

    assert unchanged.once(_count_schemas) is counted
    assert (counted, emptied.once(_count_schemas)) == ((1,), (0,))


def test_what_was_made_of_several_files_is_made_again(tmp_path: Path) -> None:
    """A change of a file that is read later would be missed."""
    text = f"{BASE}\ncomponents: {{schemas: {{A: {{$ref: b.yaml}}}}}}\n"
    source = write(tmp_path, {"api.yaml": text, "b.yaml": "type: string\n"}).source
    counted = source.once(_count_schemas)

    unchanged = source.with_changes(lambda _, document: document)

    assert unchanged.once(_count_schemas) is not counted
