"""Schemas as rows: what is put together, what is left out, and what is linked instead of shown."""

from typing import Any

import pytest

from devportal.contract import Api, Grounds
from devportal.contract.validate.json_schema import Direction
from devportal.reference.addresses import Anchors
from devportal.reference.reference import reference_of
from devportal.reference.schema.fields import Field, FieldReader, SharedFields

from .reading import api_from

STRING = {"type": "string"}


def api_with(schema: dict[str, Any], **shared: Any) -> Api:
    """Return a contract whose only operation answers with a schema."""
    content = {"application/json": {"schema": schema}}
    paths = {"/a": {"get": {"responses": {"200": {"description": "x", "content": content}}}}}
    return api_from({"paths": paths, "components": {"schemas": shared}})


def body(schema: dict[str, Any], direction: Direction | None = None, **shared: Any) -> Field:
    """Return the rows of a body."""
    api = api_with(schema, **shared)
    media = api.operations[0].responses[0].content[0]
    assert media.schema is not None
    return FieldReader(reference_of(api), direction).body(media.schema, Anchors(), "body")


def labels(field: Field) -> list[str]:
    """Return the rules of a field on one line each."""
    return [fact.text for fact in field.value.facts]


def linked_pages(field: Field) -> list[str]:
    """Return the uris of the pages that show what is inside a field."""
    return [label.target for label in field.more]


def test_all_of_is_one_list_of_fields() -> None:
    """A name in two parts is there once, with the rules of both; `required` counts for all parts."""
    field = body(
        {
            "allOf": [
                {"$ref": "#/components/schemas/Base"},
                {"required": ["b"], "properties": {"a": {"maxLength": 5}}},
            ]
        },
        Base={
            "type": "object",
            "properties": {"a": {**STRING, "minLength": 2, "description": "A."}, "b": STRING},
        },
    )

    assert [(other_field.name, other_field.required) for other_field in field.fields] == [
        ("a", False),
        ("b", True),
    ]
    assert field.fields[0].value.type.text == "string"
    assert field.fields[0].value.description == "A."
    assert labels(field.fields[0]) == ["2 to 5 characters"]


@pytest.mark.parametrize(
    ("direction", "names"),
    [
        (Direction.REQUEST, ["both", "in"]),
        (Direction.RESPONSE, ["both", "out"]),
        (None, ["both", "in", "out"]),
    ],
)
def test_fields_of_the_other_direction_are_left_out(direction: Direction | None, names: list[str]) -> None:
    """A request has no read-only field and an answer no write-only one; a schema's own page has all."""
    properties = {"both": STRING, "in": {**STRING, "writeOnly": True}, "out": {**STRING, "readOnly": True}}

    assert [field.name for field in body({"properties": properties}, direction).fields] == names


def test_rules_beside_a_reference_count() -> None:
    """In OAS 3.1 keywords beside `$ref` apply together with what it leads to."""
    field = body(
        {"properties": {"a": {"$ref": "#/components/schemas/Code", "maxLength": 4, "description": "Ours."}}},
        Code={**STRING, "minLength": 2, "description": "Theirs."},
    ).fields[0]

    assert labels(field) == ["2 to 4 characters"]
    assert field.value.description == "Ours."


def test_rules_of_items_say_that_they_are_theirs() -> None:
    """Arrays of arrays and maps: every level's rules, null, default and words are there."""
    grid = {
        "type": "array",
        "maxItems": 9,
        "items": {
            "type": "array",
            "minItems": 2,
            "items": {"type": ["integer", "null"], "minimum": 1, "default": 3},
        },
    }
    tags = {"type": "object", "additionalProperties": {**STRING, "maxLength": 4, "description": "A tag."}}
    rows = {field.name: field for field in body({"properties": {"grid": grid, "tags": tags}}).fields}

    assert rows["grid"].value.type.text == "array of array of integer"
    assert labels(rows["grid"]) == [
        "at most 9 items", "each item: at least 2 items", "each item: ≥ 1", "each item may be null",
        "each item: default 3",
    ]  # fmt: skip
    assert rows["tags"].value.type.text == "map of string"
    assert labels(rows["tags"]) == ["each value: at most 4 characters"]
    assert rows["tags"].value.further == ("Each value: A tag.",)


@pytest.mark.parametrize(
    ("enum", "example", "shown"), [(["a"], "a", []), (["a", "b"], "a", ['"a"']), (["a"], "b", ['"b"'])]
)
def test_example_that_repeats_the_only_value_is_left_out(
    enum: list[str], example: str, shown: list[str]
) -> None:
    """The value itself is shown as the one that it always is."""
    field = body({"type": "string", "enum": enum, "example": example})

    assert [example_view.text for example_view in field.value.examples] == shown


def test_every_union_of_a_schema_is_shown() -> None:
    """`oneOf` beside `anyOf`, a union in a branch of a union, and the values of a branch."""
    field = body(
        {
            "oneOf": [{"enum": ["S", "M"]}, {"anyOf": [STRING, {"type": "integer", "minimum": 3}]}],
            "anyOf": [{"required": ["x"]}, {"type": "boolean"}],
        }
    )

    assert [(union.words, len(union.branches)) for union in field.unions] == [("One of", 2), ("Any of", 2)]
    first, second = field.unions[0].branches
    assert [allowed_value.code for allowed_value in first.value.enum] == ['"S"', '"M"']
    assert [labels(branch) for branch in second.unions[0].branches] == [[], ["≥ 3"]]
    assert labels(field.unions[1].branches[0]) == ["requires x"]


def test_titles_of_combined_shared_schemas_are_on_their_pages() -> None:
    """They are names of other values; what is said of these is said of the value too."""
    part = {"title": "Partial Rule", "description": "A rule.", "properties": {"a": STRING}}
    own = {"title": "Rule", "required": ["a"]}
    whole = {"allOf": [{"$ref": "#/components/schemas/Part"}, own]}

    (branch, _) = (
        body({"oneOf": [{"$ref": "#/components/schemas/Whole"}, STRING]}, Part=part, Whole=whole)
        .unions[0]
        .branches
    )

    assert (branch.value.title, branch.value.description, branch.value.further) == ("", "A rule.", ())


def test_what_is_no_property_has_a_row_too() -> None:
    """Patterns, other names, tuple items, `not`, `if` and the rest."""
    schema = {
        "properties": {"a": STRING},
        "patternProperties": {"^x-": {"type": "integer"}},
        "additionalProperties": {"type": "boolean"},
        "prefixItems": [STRING],
        "not": {"required": ["b"]},
        "if": {"required": ["c"]},
        "propertyNames": {"maxLength": 8},
        "dependentSchemas": {"d": {"required": ["e"]}},
        "contains": STRING,
    }

    rows = [(field.label, field.code, field.value.type.text) for field in body(schema).fields]

    assert rows == [
        ("", "a", "string"),
        ("names that match ", "^x-", "integer"),
        ("any other name", "", "boolean"),
        ("item 1", "", "string"),
        ("must not match", "", "any"),
        ("if it matches", "", "any"),
        ("matching item", "", "string"),
        ("each name", "", "string"),
        ("if d is present", "", "any"),
    ]


def test_items_are_further_items_only_after_others() -> None:
    """A list beside a union has a row for its items too."""
    beside = body({"items": STRING, "oneOf": [{"type": "array"}, {"type": "string"}]})
    after = body({"prefixItems": [STRING], "items": STRING})

    assert [field.label for field in beside.fields] == ["each item"]
    assert [field.label for field in after.fields] == ["item 1", "each further item"]


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({}, ["at least 1 matching item"]),
        ({"minContains": 0}, []),
        ({"minContains": 0, "maxContains": 1}, ["at most 1 matching item"]),
        ({"maxContains": 3}, ["1 to 3 matching items"]),
        ({"minContains": 2}, ["at least 2 matching items"]),
    ],
)
def test_contains_says_how_many_items_match(rules: dict[str, Any], words: list[str]) -> None:
    """One, unless the contract names another number."""
    assert labels(body({"type": "array", "contains": STRING, **rules})) == words


def wide_schema(count: int) -> dict[str, Any]:
    """Return a schema with so many properties."""
    return {"type": "object", "properties": {f"p{number}": STRING for number in range(count)}}


@pytest.mark.parametrize(("count", "rows", "more"), [(16, 16, []), (17, 0, ["reference/schemas/wide.md"])])
def test_large_shared_schema_is_linked(count: int, rows: int, more: list[str]) -> None:
    """A small one is shown in place; a larger one is behind its page."""
    field = body(
        {"properties": {"w": {"$ref": "#/components/schemas/Wide"}}}, Wide=wide_schema(count)
    ).fields[0]

    assert (len(field.fields), linked_pages(field)) == (rows, more)
    assert field.value.type.target == "reference/schemas/wide.md"


def test_a_member_that_narrows_a_linked_part_has_the_rules_of_both() -> None:
    """Only what is declared beside the part is shown, with its type, which the part has."""
    wide = wide_schema(16)
    wide["properties"]["count"] = {"type": "integer", "minimum": 1}
    own = {"properties": {"count": {"maximum": 5}, "own": STRING}, "required": ["p1"]}

    field = body(
        {"properties": {"w": {"allOf": [{"$ref": "#/components/schemas/Wide"}, own]}}}, Wide=wide
    ).fields[0]

    rows = {row.name: row for row in field.fields}
    assert list(rows) == ["count", "own"]
    assert (rows["count"].value.type.text, labels(rows["count"])) == ("integer", ["≥ 1 and ≤ 5"])
    assert linked_pages(field) == ["reference/schemas/wide.md"]


def test_recursive_schema_is_linked() -> None:
    """A schema that contains itself, also through a list, a union or a reference with rules beside it."""
    tree = {
        "type": "object",
        "properties": {
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
            "parent": {"oneOf": [{"$ref": "#/components/schemas/Tree"}, {"type": "null"}]},
            "twin": {"$ref": "#/components/schemas/Tree", "required": ["children"]},
        },
    }

    field = body({"$ref": "#/components/schemas/Tree"}, Tree=tree)

    rows = {other_field.name: other_field for other_field in field.fields}
    assert linked_pages(rows["children"]) == linked_pages(rows["parent"]) == ["reference/schemas/tree.md"]
    assert rows["parent"].value.type.text == "Tree or null"
    assert labels(rows["twin"]) == ["requires children"]


def test_nested_schema_without_a_page_is_shown_to_the_bottom() -> None:
    """There is no other place for it, however deep it is."""
    schema: dict[str, Any] = {"properties": {"bottom": STRING}}
    for number in range(15):
        schema = {"type": "object", "properties": {f"level{number}": schema}}

    field, depth = body(schema), 0
    while field.fields:
        field, depth = field.fields[0], depth + 1

    assert (field.name, depth) == ("bottom", 16)


def test_titles_of_parts_that_repeat_the_name_of_the_whole_are_left_out() -> None:
    """Generators write one into the last part of an `allOf`."""
    part = {"description": "A rule.", "properties": {"a": STRING}}
    whole = {"allOf": [{"$ref": "#/components/schemas/Part"}, {"title": "WholeRule", "required": ["a"]}]}

    (branch, _) = (
        body({"oneOf": [{"$ref": "#/components/schemas/WholeRule"}, STRING]}, Part=part, WholeRule=whole)
        .unions[0]
        .branches
    )

    assert (branch.value.title, branch.value.description, branch.value.further) == ("", "A rule.", ())


def test_titles_that_only_repeat_the_name_are_left_out() -> None:
    """Generated contracts title `created_at` as `Created At`; other titles are kept."""
    properties = {"created_at": {**STRING, "title": "Created At"}, "b": {**STRING, "title": "Second letter"}}

    assert [field.value.title for field in body({"properties": properties}).fields] == ["", "Second letter"]


def test_body_of_an_error_links_its_shared_part() -> None:
    """What an error adds to a shared schema is in rows, the rest behind its page."""
    api = api_with(
        {"allOf": [{"$ref": "#/components/schemas/Problem"}, {"properties": {"own": STRING}}]},
        Problem={"type": "object", "properties": {"type": STRING}},
    )
    media = api.operations[0].responses[0].content[0]
    assert media.schema is not None

    field = FieldReader(reference_of(api)).brief(media.schema, Anchors(), "r")

    assert [other_field.name for other_field in field.fields] == ["own"]
    assert field.value.type.target == "reference/schemas/problem.md"


@pytest.mark.parametrize("where", ["header", "response"])
def test_example_of_a_header_is_as_it_is_sent(where: str) -> None:
    """Without the quotes and escapes of JSON, wherever the example is written."""
    tags: tuple[dict[str, Any], ...] = (
        {"schema": STRING, "example": 'W/"a"'},
        {"schema": {**STRING, "examples": ['W/"b"', "c"]}},
    )
    headers = {f"X-{number}": tag for number, tag in enumerate(tags)}
    parameters = [{"name": name, "in": "header", **header} for name, header in headers.items()]
    responses = {"200": {"description": "x", "headers": headers}}
    api = api_from({"paths": {"/a": {"get": {"parameters": parameters, "responses": responses}}}})
    reader = FieldReader(reference_of(api))
    operation = api.operations[0]

    fields = (
        [reader.parameter(parameter, Anchors(), parameter.name) for parameter in operation.parameters]
        if where == "header"
        else [reader.header(header, Anchors(), header.name) for header in operation.responses[0].headers]
    )

    assert [[example.text for example in field.value.examples] for field in fields] == [
        ['W/"a"'],
        ['W/"b"', "c"],
    ]


@pytest.mark.parametrize("where", ["parameter", "header"])
def test_words_and_examples_of_the_schema_stand_beside_those_of_what_has_it(where: str) -> None:
    """Also those that a reference leads to; what is the same, or stands on a page, is not said again."""
    examples = {"examples": {"own": {"value": "a"}}}
    words = {"description": "Given.", **examples}
    tags: dict[str, dict[str, Any]] = {
        "X-Own": {**words, "schema": {**STRING, "description": "Schema.", "examples": ["a", "b"]}},
        "X-Same": {**words, "schema": {**STRING, "description": "Given."}},
        "X-Shared": {**words, "schema": {"$ref": "#/components/schemas/Id", "description": "Here."}},
        "X-Paged": {**words, "schema": {"$ref": "#/components/schemas/Paged"}},
        "X-Items": {**words, "schema": {"type": "array", "items": {**STRING, "description": "One."}}},
        "X-Content": {"description": "Given.", "content": {"text/x": {"schema": {"description": "Schema."}}}},
    }
    shared = {"Id": {**STRING, "description": "Id."}, "Paged": {"enum": ["a"], "description": "Paged."}}
    parameters = [{"name": name, "in": "header", **tag} for name, tag in tags.items()]
    operation = {"parameters": parameters, "responses": {"200": {"description": "x", "headers": tags}}}
    api = api_from({"paths": {"/a": {"get": operation}}, "components": {"schemas": shared}})
    reader = FieldReader(reference_of(api))
    read = api.operations[0]

    fields = (
        [reader.parameter(parameter, Anchors(), parameter.name) for parameter in read.parameters]
        if where == "parameter"
        else [reader.header(header, Anchors(), header.name) for header in read.responses[0].headers]
    )

    assert {field.value.description for field in fields} == {"Given."}
    assert [field.value.further for field in fields] == [
        ("Schema.",), (), ("Here.", "Id."), (), ("Each item: One.",), ("Schema.",),
    ]  # fmt: skip
    assert [[each.text for each in field.value.examples] for field in fields[:2]] == [["a", "b"], ["a"]]


@pytest.mark.parametrize("where", ["parameter", "header"])
def test_stable_schema_makes_nothing_stable_that_refers_to_it(where: str) -> None:
    """The mark is of the shared values, so that a proposed filter by a documented status stays a proposal.
    A mark of the parameter, or a beta schema, says something of the parameter too."""
    documented = {"x-stability-level": "stable", "x-source": "States"}
    proposed = {"x-stability-level": "beta", "x-decision": "0001"}
    tags: dict[str, dict[str, Any]] = {
        "status": {"schema": {"$ref": "#/components/schemas/Stable"}},
        "own": {**documented, "schema": {"$ref": "#/components/schemas/Stable"}},
        "inline": {"schema": {**STRING, **documented}},
        "beta": {"schema": {"$ref": "#/components/schemas/Beta"}},
    }
    shared = {"Stable": {**STRING, **documented}, "Beta": {**STRING, **proposed}}
    parameters = [{"name": name, "in": "query", **tag} for name, tag in tags.items()]
    operation = {"parameters": parameters, "responses": {"200": {"description": "x", "headers": tags}}}
    api = api_from({"paths": {"/a": {"get": operation}}, "components": {"schemas": shared}})
    reader = FieldReader(reference_of(api))
    read = api.operations[0]

    fields = (
        [reader.parameter(parameter, Anchors(), parameter.name) for parameter in read.parameters]
        if where == "parameter"
        else [reader.header(header, Anchors(), header.name) for header in read.responses[0].headers]
    )

    assert [field.value.stability for field in fields] == [None, "stable", "stable", "beta"]
    assert [field.value.grounds for field in fields] == [
        None, Grounds(sources=("States",)), Grounds(sources=("States",)), Grounds(decisions=("0001",)),
    ]  # fmt: skip


def test_names_of_values_stand_before_what_they_mean() -> None:
    """`x-enum-varnames` as code; a name that is the value in other letters says nothing new."""
    named = {"enum": [1, 2, "in-part"], "x-enum-varnames": ["ALL", "NONE", "IN_PART"]}
    made = body({**named, "x-enum-descriptions": ["Each *one*.", "", "Some."]})

    assert [(allowed_value.code, allowed_value.about) for allowed_value in made.value.enum] == [
        ("1", "`ALL`: Each *one*."), ("2", "`NONE`"), ('"in-part"', "Some."),
    ]  # fmt: skip


def test_value_that_one_of_several_enums_calls_beta_is_beta() -> None:
    """All of them close the same set; each value is there once."""
    open_set = {"enum": ["sms", "mms"]}
    made = body({"allOf": [open_set, {**open_set, "x-beta-values": ["mms"]}]})

    assert [(allowed_value.code, allowed_value.is_beta) for allowed_value in made.value.enum] == [
        ('"sms"', False),
        ('"mms"', True),
    ]


@pytest.mark.parametrize(
    ("schema", "codes"),
    [
        ({"type": ["string", "null"], "enum": ["a", None]}, ['"a"', "null"]),
        ({"type": "string", "enum": ["a"]}, ['"a"']),
        ({"type": ["string", "null"], "enum": ["a", "b", None]}, ['"a"', '"b"']),
        ({"enum": [None]}, []),
    ],
)
def test_one_value_or_null_is_not_always_that_value(schema: dict[str, Any], codes: list[str]) -> None:
    """The type of several values says `or null` already."""
    assert [allowed_value.code for allowed_value in body(schema).value.enum] == codes


def test_end_of_a_field_comes_from_what_says_it_first() -> None:
    """A property says more of itself than the shared schema behind it."""
    old = {"type": "string", "x-sunset": "2031-01-01"}
    shared = {"$ref": "#/components/schemas/Old"}
    properties = {"a": shared, "b": {"type": "string", "x-sunset": "2030-01-01"}}
    made = body({"type": "object", "properties": properties}, Old=old)

    assert [field.value.sunset for field in made.fields] == ["2031-01-01", "2030-01-01"]


def test_values_that_python_takes_for_equal_are_told_apart() -> None:
    """What is said of a schema is said of others only where they say the same in JSON."""
    defaults = [1, 1.0, True, 0, 0.0, -0.0, False]
    made = body({"properties": {f"p{place}": {"default": default} for place, default in enumerate(defaults)}})

    assert [field.value.default for field in made.fields] == ["1", "1.0", "true", "0", "0.0", "-0.0", "false"]


def test_branches_of_a_body_are_opened_although_they_lead_back() -> None:
    """One level of each is shown; what leads back to the whole is a link."""
    filters = [{"$ref": "#/components/schemas/Not"}, {"$ref": "#/components/schemas/Leaf"}]
    made = body(
        {"$ref": "#/components/schemas/Filter"},
        Filter={"oneOf": filters},
        Not={"type": "object", "properties": {"not": {"$ref": "#/components/schemas/Filter"}}},
        Leaf={"type": "object", "properties": {"value": STRING}},
    )

    first, second = made.unions[0].branches
    assert [field.name for field in (*first.fields, *second.fields)] == ["not", "value"]
    assert linked_pages(first.fields[0]) == ["reference/schemas/filter.md"]


def test_texts_of_all_branches_are_shown_in_order() -> None:
    """Whatever stands beside; a text of a shared schema is left to its page if the value has one itself."""
    label = {"$ref": "#/components/schemas/Label"}
    properties = {
        "after": {"allOf": [label, {"description": "Ours."}]},
        "before": {"allOf": [{"description": "Ours."}, label]},
        "own": {"description": "Own.", "allOf": [label, {"title": "Sticker", "description": "Ours."}]},
        "lists": {"allOf": [{"type": "array", "items": {"description": "One."}}, {"items": label}]},
    }

    rows = {
        field.name: (field.value.title, field.value.description, *field.value.further)
        for field in body(
            {"properties": properties}, Label={"properties": {"text": STRING}, "description": "Label."}
        ).fields
    }

    assert rows["after"] == ("", "Label.", "Ours.")
    assert rows["before"] == ("", "Ours.", "Label.")
    assert rows["own"] == ("Sticker", "Own.", "Ours.")
    assert "Each item: One." in rows["lists"]


def test_default_of_the_last_branch_counts() -> None:
    """One beside the `allOf` counts more."""
    parts = [{"type": "string", "default": "a"}, {"default": "b"}]
    rows = body({"properties": {"x": {"allOf": parts}, "y": {"allOf": parts, "default": "c"}}}).fields

    assert [row.value.default for row in rows] == ['"b"', '"c"']


def test_property_of_two_parts_has_the_members_of_both() -> None:
    """Also those of its items, and only the values that both allow."""
    first = {"properties": {"city": {**STRING, "description": "City.", "enum": ["oslo", "rome"]}}}
    second = {"properties": {"city": {"enum": ["rome"]}, "depot": STRING}}
    parts = [{"properties": {"stops": {"type": "array", "items": item}}} for item in (first, second)]

    (stops,) = body({"allOf": parts}).fields

    city, depot = stops.fields
    assert (city.value.description, [allowed_value.code for allowed_value in city.value.enum]) == (
        "City.",
        ['"rome"'],
    )
    assert depot.name == "depot"


@pytest.mark.parametrize("schema", [{"type": "null"}, {"type": ["null"]}, {"const": None}, {"enum": [None]}])
def test_schema_that_allows_only_null_is_null(schema: dict[str, Any]) -> None:
    """In all ways of writing it, also as the items of an array."""
    alone, items = body({"properties": {"a": schema, "b": {"type": "array", "items": schema}}}).fields

    assert (alone.value.type.text, items.value.type.text) == ("null", "array of null")
    assert labels(items) == []


def test_children_without_a_mapping_are_values_of_a_discriminator_too() -> None:
    """By their names (OAS 3.0.3 §4.7.25): those that extend the schema, and branches of its union."""
    base, leaf = {"$ref": "#/components/schemas/Base"}, {"$ref": "#/components/schemas/Leaf"}
    selector = {"propertyName": "kind", "mapping": {"leaf": "#/components/schemas/Leaf"}}
    shared: dict[str, Any] = {
        "Base": {"properties": {"kind": STRING}, "discriminator": selector},
        "Leaf": {"allOf": [base]},
        "Root": {"allOf": [base]},
    }

    extended = body(base, **shared)
    union = body(
        {"oneOf": [leaf, {"$ref": "#/components/schemas/Root"}], "discriminator": selector}, **shared
    )

    for made in (extended, union):
        assert [(value, label.text) for value, label in made.value.mapping] == [
            ("leaf", "Leaf"), ("Root", "Root"),
        ]  # fmt: skip


def test_only_arrays_have_no_duplicate_items() -> None:
    """`uniqueItems` says nothing of a value that is no array."""
    schemas = {"list": {"type": "array"}, "any": {}, "text": STRING}
    rows = body(
        {"properties": {name: {**schema, "uniqueItems": True} for name, schema in schemas.items()}}
    ).fields

    found = {row.name: "no duplicate items" in labels(row) for row in rows}
    assert found == {"list": True, "any": True, "text": False}


def test_links_of_all_branches_and_items_are_shown() -> None:
    """Except those of a shared schema, whose page has them."""
    first, second, third = ({"externalDocs": {"url": f"https://a.example/{n}"}} for n in (1, 2, 3))
    shared = {"$ref": "#/components/schemas/Label"}
    properties = {
        "all": {"allOf": [{**STRING, **first}, second], **third},
        "list": {"type": "array", "items": {**STRING, **first}, **second},
        "own": {"allOf": [shared, second]},
        "shared": shared,
    }

    rows = {
        field.name: field.value
        for field in body(
            {"properties": properties}, Label={"type": "object", "properties": {"a": STRING}, **first}
        ).fields
    }

    urls = {name: [link.url[-1] for link in row.docs] for name, row in rows.items()}
    assert urls == {"all": ["3", "1", "2"], "list": ["2"], "own": ["2"], "shared": ["1"]}
    assert rows["list"].further == ("Each item: See <https://a.example/1>.",)


def test_examples_of_items_of_items_are_shown() -> None:
    """As those of the items themselves are."""
    field = body({"type": "array", "items": {"type": "array", "items": {**STRING, "examples": ["oslo"]}}})

    assert labels(field) == ['each item: example "oslo"']


def test_encodings_of_a_query_string_are_shown() -> None:
    """They hold for the content of a parameter as for a body (OAS 3.2)."""
    form = {
        "schema": {"type": "object", "properties": {"tags": {"type": "array"}}},
        "encoding": {"tags": {"style": "spaceDelimited"}},
    }
    parameter = {"name": "q", "in": "querystring", "content": {"application/x-www-form-urlencoded": form}}
    operation = {"parameters": [parameter], "responses": {"200": {"description": "x"}}}
    api = api_from({"openapi": "3.2.0", "paths": {"/a": {"get": operation}}})

    field = FieldReader(reference_of(api)).parameter(api.operations[0].parameters[0], Anchors(), "q")

    assert "tags: style spaceDelimited" in labels(field)


@pytest.mark.parametrize("is_wrapped", [False, True])
def test_annotations_beside_the_reference_of_items_are_shown(is_wrapped: bool) -> None:  # noqa: FBT001 - a case
    """Also those of the only branch of the items."""
    said = {"default": "oslo", "examples": ["rome"], "externalDocs": {"url": "https://a.example/"}}
    item = {"$ref": "#/components/schemas/City", **said}

    field = body({"type": "array", "items": {"oneOf": [item]} if is_wrapped else item}, City=STRING)

    assert labels(field) == ['each item: default "oslo"', 'each item: example "rome"']
    assert field.value.further == ("Each item: See <https://a.example/>.",)


def bodies_on_pages(schema: dict[str, Any], *taken: str, **shared: Any) -> tuple[Field, Field]:
    """Return the rows of one body on two pages, the second of which has some ids already."""
    api = api_with(schema, **shared)
    media = api.operations[0].responses[0].content[0]
    assert media.schema is not None
    reader = FieldReader(reference_of(api))
    return (
        reader.body(media.schema, Anchors(), "body"),
        reader.body(media.schema, Anchors(*taken), "body"),
    )


def test_pages_share_the_rows_of_a_schema_without_references() -> None:
    """They are one object, and all of their ids are taken on each page."""
    schema = {"properties": {"a": {"properties": {"b": STRING}}, "c": {"oneOf": [STRING, {"title": "D"}]}}}
    first, second = bodies_on_pages(schema)
    page = Anchors("body")

    assert second.fields is first.fields
    assert isinstance(first.fields, SharedFields)
    assert ids_in(first.fields) == ["body.a", "body.a.b", "body.c"]
    assert not page.take_together({"body", "body.a"})
    assert page.take_together({"body.a"})
    assert page.take("body.a") == "body.a-2"


@pytest.mark.parametrize("taken", ["body.a", "body.a.b"])
def test_rows_with_a_number_in_their_id_are_not_shared(taken: str) -> None:
    """A page that has an id already gives its row another."""
    first, second = bodies_on_pages({"properties": {"a": {"properties": {"b": STRING}}}}, taken)

    assert taken in ids_in(first.fields)
    assert taken not in ids_in(second.fields)
    assert f"{taken}-2" in ids_in(second.fields)


@pytest.mark.parametrize(
    "member",
    [
        {"$ref": "#/components/schemas/S"},
        {"oneOf": [STRING, {"$ref": "#/components/schemas/S"}]},
        {"properties": {"b": {"$ref": "#/components/schemas/S"}}},
    ],
)
def test_rows_with_links_of_ours_differ_by_page(member: dict[str, Any]) -> None:
    """They are no shared rows, however deep the link is."""
    for field in bodies_on_pages({"properties": {"a": member}}, S={"properties": {"x": STRING}}):
        assert not isinstance(field.fields, SharedFields)
        assert not isinstance(field.fields[0].fields, SharedFields)


def ids_in(fields: tuple[Field, ...]) -> list[str]:
    """Return the ids of rows and of those in them."""
    return [id_ for field in fields for id_ in (field.anchor, *ids_in(field.fields))]


def test_a_name_that_is_empty_or_blank_can_be_seen() -> None:
    """Any text is the name of a property (RFC 8259 §4)."""
    field = body({"type": "object", "properties": {"": STRING, " ": STRING, "a b": STRING}})

    assert [child.code for child in field.fields] == ['""', '" "', "a b"]
