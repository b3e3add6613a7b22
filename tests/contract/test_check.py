"""All that is wrong with a contract: against the OAS, between its parts, and in its examples."""

from pathlib import Path

import pytest

from devportal.contract import Contract, check_contract, load_contract
from devportal.contract.validate.dropped_content import check_dropped_content
from devportal.contract.validate.example_rules import check_examples
from devportal.findings import Finding, Level, group_by_cause, has_errors
from tests.contract.inline import PATHS, api, contract, write

OK = "responses: {'200': {description: OK}}"
HEAD = f"openapi: 3.1.0\ninfo: {{title: Test, version: '1'}}\n{PATHS}"


def findings_without_dropped(read: Contract) -> tuple[Finding, ...]:
    """Return the findings of a check, without those on dropped content."""
    unshown = set(check_dropped_content(read))
    return tuple(finding for finding in check_contract(read) if finding not in unshown)


def findings_of(text: str, *, version: str = "3.1.0") -> list[tuple[str, str, str]]:
    """Return rule, line:column and message of everything that a check finds."""
    return [
        (finding.rule, f"{finding.place.line}:{finding.place.column}", finding.message)
        for finding in findings_without_dropped(contract(text, version=version))
    ]


def broken_examples(text: str) -> list[str]:
    """Return line and column of each example that breaks its schema."""
    return [f"{example.place.line}:{example.place.column}" for example in check_examples(contract(text))]


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0", "3.2.0"])
def test_a_good_contract_has_no_findings(version: str) -> None:
    """Nothing is reported where nothing is wrong."""
    text = """\
        paths:
          /things/{id}:
            get:
              operationId: getThing
              security: [{key: []}]
              parameters: [{name: id, in: path, required: true, schema: {type: integer}, example: 1}]
              responses:
                '200':
                  description: OK
                  content: {application/json: {schema: {type: object}, example: {}}}
        components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
        """

    assert findings_of(text, version=version) == []


def test_a_contract_in_several_files_is_valid(tmp_path: Path) -> None:
    """The OAS validator gets the files that were read, also those that refer back to the contract."""
    files = {
        "api.yaml": HEAD + "components: {schemas: {A: {$ref: 'some parts/a.yaml'}, B: {type: string}}}\n",
        "some parts/a.yaml": "type: array\nitems: {$ref: '../api.yaml#/components/schemas/B'}\n",
    }

    assert findings_without_dropped(write(tmp_path, files)) == ()


def test_a_contract_with_files_outside_its_folder_is_valid(tmp_path: Path) -> None:
    """However far up their names lead, the OAS validator finds the files that were read."""
    text = HEAD + "components: {schemas: {A: {$ref: '../../shared/a.yaml#/A'}}}\n"
    (tmp_path / "api" / "v1").mkdir(parents=True)
    (tmp_path / "shared").mkdir()
    (tmp_path / "api" / "v1" / "api.yaml").write_text(text)
    (tmp_path / "shared" / "a.yaml").write_text("A: {$ref: '../api/b.yaml'}\n")
    (tmp_path / "api" / "b.yaml").write_text("type: string\n")
    read = load_contract(tmp_path / "api" / "v1" / "api.yaml", allow_outside_references=True)

    assert findings_without_dropped(read) == ()


def test_an_operation_id_that_is_taken_is_found() -> None:
    """Each further use is reported, with the place of the first, also in webhooks and callbacks."""
    rows = findings_of(f"""\
        paths:
          /a: {{get: {{operationId: same, {OK}}}}}
          /b:
            get:
              operationId: same
              {OK}
              callbacks: {{c: {{'https://a': {{post: {{operationId: same, {OK}}}}}}}}}
        webhooks: {{w: {{post: {{operationId: same, {OK}}}}}}}
        """)

    assert [(rule, where) for rule, where, _ in rows] == [
        ("contract-operation-id", "7:7"),
        ("contract-operation-id", "9:44"),
        ("contract-operation-id", "10:23"),
    ]
    assert rows[0][2] == "the operationId 'same' is also that of api.yaml:4:14"


@pytest.mark.parametrize("section", ["paths", "webhooks"])
def test_an_operation_id_of_a_shared_path_item_is_taken_by_the_first(section: str) -> None:
    """Two paths or events are two operations, whatever they share; each is found where it refers to that."""
    rows = findings_of(f"""\
        {section}:
          /a: {{$ref: '#/components/pathItems/P'}}
          /b: {{$ref: '#/components/pathItems/P'}}
        components: {{pathItems: {{P: {{post: {{operationId: p, {OK}}}}}}}}}
        """)

    assert rows == [
        ("contract-operation-id", "5:3", "the operationId 'p' is also that of api.yaml:4:3"),
    ]


def test_an_operation_id_of_a_callback_is_not_taken_by_a_further_use_of_it() -> None:
    """What two operations call back in one way is one operation."""
    rows = findings_of(f"""\
        paths:
          /a: {{get: {{{OK}, callbacks: {{c: {{$ref: '#/components/callbacks/C'}}}}}}}}
          /b: {{get: {{{OK}, callbacks: {{c: {{$ref: '#/components/callbacks/C'}}}}}}}}
        components: {{callbacks: {{C: {{'https://a': {{post: {{operationId: p, {OK}}}}}}}}}}}
        """)

    assert rows == []


def test_path_and_path_parameters_name_the_same() -> None:
    """A name without a parameter is found at the operation, a parameter without a name where it stands."""
    rows = findings_of(f"""\
        paths:
          /a/{{id}}/{{no}}:
            parameters:
              - {{name: id, in: path, required: true, schema: {{type: string}}}}
              - {{name: ID, in: path, required: true, schema: {{type: string}}}}
            get: {{{OK}}}
        """)

    assert rows == [
        (
            "contract-path-parameter",
            "7:9",
            "the path of GET /a/{id}/{no} does not name the path parameter 'ID'",
        ),
        (
            "contract-path-parameter",
            "8:5",
            "GET /a/{id}/{no} has no path parameter 'no', which its path names",
        ),
    ]


def test_security_names_declared_schemes() -> None:
    """A requirement without its scheme is found where it stands; the empty requirement needs none."""
    rows = findings_of(f"paths: {{/a: {{get: {{security: [{{}}, {{no: []}}], {OK}}}}}}}\n")

    assert rows == [("contract-security", "3:36", "the security scheme 'no' is not declared")]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("schemas: {A: {type: string, example: 1}}", "10:31"),
        ("schemas: {A: {type: string, examples: [a, 1]}}", "10:45"),
        ("schemas: {A: {type: string, example: 1, examples: [a]}}", "10:31"),
        ("schemas: {A: {type: string, example: a, examples: [a, 1]}}", "10:57"),
        ("schemas: {A: {properties: {b: {type: string, example: 1}}}}", "10:48"),
        ("schemas: {A: {items: {items: {type: string, example: 1}}}}", "10:47"),
        ("schemas: {A: {additionalProperties: {type: string, example: 1}}}", "10:54"),
        ("schemas: {A: {patternProperties: {b: {type: string, example: 1}}}}", "10:55"),
        ("schemas: {A: {prefixItems: [{type: string, example: 1}]}}", "10:46"),
        ("schemas: {A: {allOf: [{type: string, example: 1}]}}", "10:40"),
        ("schemas: {A: {oneOf: [{type: string, example: 1}]}}", "10:40"),
        ("schemas: {A: {anyOf: [{type: string, example: 1}]}}", "10:40"),
        ("schemas: {A: {not: {type: string, example: 1}}}", "10:37"),
        ("schemas: {A: {if: {type: string, example: 1}}}", "10:36"),
        ("schemas: {A: {example: {b: 1}, properties: {b: {type: string}}}}", "10:27"),
    ],
)
def test_every_example_in_a_schema_is_checked(text: str, where: str) -> None:
    """Examples are found at any depth, and reported at the place in the example."""
    assert broken_examples(f"components:\n  {text}\n") == [where]


@pytest.mark.parametrize(
    "text",
    [
        f"parameters: [{{name: p, in: query, schema: {{type: string}}, example: 1}}], {OK}",
        f"parameters: [{{name: p, in: query, schema: {{type: string, example: 1}}}}], {OK}",
        f"parameters: [{{name: p, in: query, content: {{a/json: {{schema: false, example: 1}}}}}}], {OK}",
        f"requestBody: {{content: {{a/json: {{schema: {{type: string}}, example: 1}}}}}}, {OK}",
        f"requestBody: {{content: {{a/json: {{schema: {{items: {{example: 1, enum: [2]}}}}}}}}}}, {OK}",
        f"requestBody: {{content: {{a/json: {{itemSchema: {{type: string, example: 1}}}}}}}}, {OK}",
        "responses: {'200': {description: OK, headers: {H: {schema: {type: string}, example: 1}}}}",
        "responses: {'200': {description: OK, content: {a/JSON: {schema: false, example: 1}}}}",
        "callbacks: {c: {u: {post: {parameters: [{in: query, name: p, example: 1, schema: false}]}}}}",
    ],
)
def test_every_example_of_an_operation_is_checked(text: str) -> None:
    """Parameters, headers, bodies and callbacks: each example is held to its schema."""
    line = f"paths: {{/a: {{get: {{{text}}}}}}}"

    assert broken_examples(line + "\n") == [f"3:{line.index('example: 1') + 1}"]


def test_a_named_example_is_reported_inside_its_value() -> None:
    """The place is that of the member that is wrong."""
    text = f"""\
        paths:
          /a:
            post:
              requestBody:
                content:
                  a/json:
                    schema: {{properties: {{b: {{items: {{type: string}}}}}}}}
                    examples: {{one: {{value: {{b: [x, 1]}}}}}}
              {OK}
        """

    assert broken_examples(text) == ["10:45"]


@pytest.mark.parametrize(
    "text",
    [
        "schema: {type: integer}, examples: {a: {externalValue: 'https://example.com/a'}}",
        "schema: {type: object, required: [a]}, example: '<a>1</a>'",
        "schema: {type: [string, 'null']}, example: null",
        "example: anything",
    ],
)
def test_examples_that_cannot_be_checked_are_not_wrong(text: str) -> None:
    """A value elsewhere, text that is no JSON, null where it is allowed, and no schema at all."""
    media = f"requestBody: {{content: {{application/xml: {{{text}}}}}}}"

    assert broken_examples(f"paths: {{/a: {{post: {{{media}, {OK}}}}}}}\n") == []


def test_lines_of_json_are_no_json() -> None:
    """The text of several values is not held to the schema of one."""
    media = "{application/jsonl: {schema: {type: object}, example: '{\"a\": 1}'}}"

    assert broken_examples(f"paths: {{/a: {{post: {{requestBody: {{content: {media}}}, {OK}}}}}}}\n") == []


def test_the_direction_decides_which_properties_an_example_needs() -> None:
    """A request does without `readOnly` properties, a response without `writeOnly` ones."""
    text = f"""\
        paths:
          /a:
            post:
              requestBody: {{content: {{a/json: {{schema: {{$ref: '#/components/schemas/S'}},
                examples: {{good: {{value: {{w: a}}}}, bad: {{value: {{r: a}}}}}}}}}}}}
              {OK}
            get:
              responses: {{'200': {{description: OK, content: {{a/json: {{
                schema: {{$ref: '#/components/schemas/S'}},
                examples: {{good: {{value: {{r: a}}}}, bad: {{value: {{w: a}}}}}}}}}}}}}}
        components:
          schemas:
            S:
              required: [r, w]
              properties: {{r: {{type: string, readOnly: true}}, w: {{type: string, writeOnly: true}}}}
        """
    problems = [example for example in check_examples(contract(text)) if example.level is Level.ERROR]

    assert [problem.message for problem in problems] == [
        "the example 'bad' breaks its schema: \"w\" is missing",
        "the example 'bad' breaks its schema: \"r\" is missing",
    ]


def test_a_finding_makes_the_check_red() -> None:
    """Each of the three kinds of check can fail."""
    for text in (
        f"paths: {{/a: {{get: {{{OK}, unknown: 1}}}}}}\n",
        f"paths: {{'/a/{{b}}': {{get: {{{OK}}}}}}}\n",
        "components: {schemas: {A: {type: string, example: 1}}}\n",
    ):
        assert has_errors(findings_without_dropped(contract(text)))
    assert not has_errors(findings_without_dropped(contract("")))
    assert api("").operations


def test_what_is_not_shown_is_part_of_a_check() -> None:
    """It is no error, so that a check passes; who reads it knows what readers will not see."""
    read = contract("x-own: 1\n")

    assert check_contract(read) == tuple(check_dropped_content(read))
    assert [(finding.rule, finding.level) for finding in check_contract(read)] == [
        ("contract-extension", Level.NOTE)
    ]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("{type: string, default: 1}", "9:42"),
        ("{enum: [a], default: b}", "9:39"),
        ("{properties: {a: {minimum: 1, default: 0}}}", "9:57"),
        ("{default: {a: 1}, properties: {a: {type: string}}}", "9:38"),
    ],
)
def test_a_default_that_breaks_its_schema_is_found(text: str, where: str) -> None:
    """It is reported at the place in the value; OAS asks that it keeps its schema."""
    rows = findings_of(f"components: {{schemas: {{A: {text}}}}}\n")

    assert [(rule, place) for rule, place, _ in rows] == [("contract-default", where)]


@pytest.mark.parametrize(
    "text",
    ["{default: 1}", "{type: [string, 'null'], default: null}", "{type: array, default: [], minItems: 0}"],
)
def test_a_good_default_is_not_reported(text: str) -> None:
    """Whatever the schema allows may be the default."""
    assert findings_of(f"components: {{schemas: {{A: {text}}}}}\n") == []


def test_a_query_and_a_fragment_in_a_path_are_found() -> None:
    """A path ends before both (OAS 3.2.0 §4.8.2)."""
    rows = findings_of(f"""\
        paths:
          /a?kind={{kind}}: {{get: {{{OK}, parameters: [{{name: kind, in: path, required: true, schema: {{}}}}]}}}}
          /a#new: {{get: {{{OK}}}}}
        """)

    assert [(rule, place, message) for rule, place, message, *_ in rows] == [
        ("contract-path", "4:3", "the path '/a?kind={kind}' contains a query"),
        ("contract-path", "5:3", "the path '/a#new' contains a fragment, which no request sends"),
    ]


def test_paths_that_cannot_be_told_apart_are_found() -> None:
    """Only the names in braces differ (OAS 3.0.3 §4.7.8.1); each is told once, and where the first is."""
    rows = findings_of(f"""\
        paths:
          /a/{{id}}: {{get: {{{OK}, parameters: [{{name: id, in: path, required: true, schema: {{}}}}]}}}}
          /a/{{no}}:
            put: {{{OK}, parameters: [{{name: no, in: path, required: true, schema: {{}}}}]}}
            get: {{{OK}, parameters: [{{name: no, in: path, required: true, schema: {{}}}}]}}
          /a/mine: {{get: {{{OK}}}}}
          /a/{{id}}/b: {{get: {{{OK}, parameters: [{{name: id, in: path, required: true, schema: {{}}}}]}}}}
        """)

    assert rows == [
        (
            "contract-path",
            "5:3",
            "no request can distinguish the path '/a/{no}' from '/a/{id}' at api.yaml:4:3",
        ),
    ]


def test_long_paths_that_cannot_be_told_apart_are_quoted_whole() -> None:
    """What differs is at their ends."""
    start = f"/{'a-long-segment/' * 6}"

    ((_, _, message),) = findings_of(f"""\
        paths:
          {start}{{id}}: {{get: {{{OK}, parameters: [{{name: id, in: path, required: true, schema: {{}}}}]}}}}
          {start}{{name}}: {{get: {{{OK}, parameters: [{{name: name, in: path, required: true, schema: {{}}}}]}}}}
        """)

    assert f"'{start}{{name}}' from '{start}{{id}}'" in message


def test_a_parameter_without_a_name_is_reported_once() -> None:
    """That HTTP has no field with an empty name says nothing more."""
    rows = findings_of(f"""\
        paths:
          /a: {{get: {{{OK}, parameters: [{{name: '', in: header, schema: {{}}}}]}}}}
        """)

    assert [message for _, _, message in rows] == ["this parameter has no name"]


UNUSED = """\
        components:
          schemas: {A b: {type: string}, a.B-c_9: {type: string}}
          responses:
            R: {description: R, content: {a/b: {schema: {$ref: '#/components/schemas/None'}}}}
            S: {$ref: '#/components/responses/None'}
"""


def test_components_have_names_that_references_can_spell() -> None:
    """Also in OAS 3.0, whose schema lets any name pass; there it is a warning."""
    told = [
        finding for finding in findings_of(UNUSED, version="3.0.3") if finding[0] == "contract-component-name"
    ]

    assert told == [("contract-component-name", "10:13", "'A b' is not a name for a component")]
    assert not any(rule == "contract-component-name" for rule, _, _ in findings_of(UNUSED))
    assert any(rule == "contract-invalid" and "'A b'" in message for rule, _, message in findings_of(UNUSED))


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_broken_references_in_what_nothing_uses_are_found(version: str) -> None:
    """Whoever uses the component next would stumble."""
    told = [(at, message) for rule, at, message in findings_of(UNUSED, version=version) if "ref" in rule]

    assert told == [
        (
            "12:41",
            "the reference '#/components/schemas/None' leads nowhere: there is no 'None' there",
        ),
        (
            "13:5",
            "the reference '#/components/responses/None' leads nowhere: there is no 'None' there",
        ),
    ]


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("headers: {H: {schema: {}, odd: 1}}", "3.0.3"),
        ("headers: {H: {schema: {const: 1}}}", "3.0.3"),
        ("headers: {H: {$ref: '#/components/headers/H', schema: {}}}", "3.1.0"),
    ],
)
def test_what_the_oas_forbids_is_told_once(text: str, version: str) -> None:
    """Not also as something that is not shown."""
    read = contract(
        f"""\
        paths: {{/a: {{get: {{responses: {{'200': {{description: OK, {text}}}}}}}}}}}
        components: {{headers: {{H: {{schema: {{}}}}}}}}
        """,
        version=version,
    )

    assert [finding.level for finding in check_contract(read) if finding.rule != "contract-unused"] == [
        Level.ERROR
    ]


def test_one_example_that_lacks_members_is_one_problem() -> None:
    """What is missing in one object is one sentence, and what is missing in others of the example its places."""
    text = f"""\
        paths:
          /a:
            get:
              responses:
                '200':
                  description: OK
                  content:
                    a/json:
                      schema: {{items: {{required: [a, b]}}}}
                      examples: {{bad: {{value: [{{}}, {{}}, {{a: 1}}]}}}}
            put: {{{OK}}}
        """
    (problem,) = check_examples(contract(text))

    assert problem.message == 'the example \'bad\' breaks its schema: "a" and "b" are missing'
    assert len(problem.other_places) == 2


def test_one_mistake_in_examples_of_a_name_is_one_problem() -> None:
    """Texts in place of numbers are one problem, in several examples too; null is another one."""
    media = "{a/json: {schema: {items: {type: number}}, examples: {bad: {value: ['1', '2', null]}}}}"
    responses = f"{{'200': {{description: OK, content: {media}}}}}"
    text = f"paths: {{/a: {{get: {{responses: {responses}}}, put: {{responses: {responses}}}}}}}\n"

    problems = group_by_cause(check_examples(contract(text)))

    assert [(problem.message.partition(": ")[2], len(problem.other_places)) for problem in problems] == [
        ('"1" must be a number', 3),
        ("null must be a number", 1),
    ]


def test_a_place_in_a_long_line_names_operation_and_pointer() -> None:
    """In a file of one line, line and column are of little help."""
    long = "x" * 300
    text = f"paths: {{/a: {{get: {{description: {long}, {OK}, parameters: [{{name: a, in: body}}]}}}}}}\n"

    (problem, *_) = (
        finding for finding in check_contract(contract(text)) if finding.rule == "contract-invalid"
    )

    assert problem.place.within.startswith("GET /a, #/paths/~1a/get/parameters/0")
    assert f"\n  in {problem.place.within}" in str(problem)


@pytest.mark.parametrize(
    ("key", "advice"),
    [
        ("{statusUrl}", "the '$' of a runtime expression is missing: write '{$request.body#/statusUrl}'"),
        ("{request.body#/url}", "the '$' is missing: write '{$request.body#/url}'"),
        ("{$nowhere}", "write an address with a runtime expression, such as '{$request.body#/url}'"),
    ],
)
def test_a_callback_without_an_address_says_what_is_missing(key: str, advice: str) -> None:
    """The usual mistake is an expression without its first character."""
    callbacks = f"callbacks: {{c: {{'{key}': {{post: {{{OK}}}}}}}}}"
    problems = check_contract(contract(f"paths: {{/a: {{post: {{{callbacks}, {OK}}}}}}}\n"))

    assert [problem.help for problem in problems if problem.rule == "contract-callback"] == [advice]


@pytest.mark.parametrize("field", ["attribute", "wrapped"])
def test_xml_node_types_exclude_what_they_replace(field: str) -> None:
    """`nodeType` of 3.2 takes the place of two older fields."""
    text = f"components: {{schemas: {{S: {{type: string, xml: {{nodeType: text, {field}: true}}}}}}}}\n"

    assert f"'nodeType' and '{field}' exclude each other" in [
        finding[2] for finding in findings_of(text, version="3.2.0")
    ]


def test_parameters_that_exclude_each_other_are_named() -> None:
    """`in: querystring` stands alone, and once."""
    whole = "{name: q, in: querystring, content: {a/json: {schema: {type: object}}}}"
    query = "{name: a, in: query, schema: {type: string}}"
    text = f"paths: {{/a: {{get: {{parameters: [{query}, {whole}, {{**}}], {OK}}}}}}}\n".replace(
        "{**}", whole.replace("name: q", "name: r")
    )

    assert {finding[2] for finding in findings_of(text, version="3.2.0")} >= {
        "an operation may have one parameter 'in: querystring', found more",
        "parameters 'in: query' and 'in: querystring' exclude each other",
    }


def test_tags_without_operations_are_one_note() -> None:
    """However many a file lists, they are one problem."""
    text = f"tags: [{{name: a}}, {{name: b}}]\n{PATHS}"

    assert [finding.message for finding in check_contract(contract(text, paths=""))] == [
        "no operation has the tags 'a' and 'b' and they have no descriptions, so they are not shown"
    ]
