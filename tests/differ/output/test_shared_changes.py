"""Changes that many subjects or places share: one line for readers, and each change for programs."""

import json
from dataclasses import replace

import pytest

from devportal.differ import Subject, SubjectKind, Verdict
from devportal.differ.output import DiffResult
from devportal.differ.output.shared_changes import change_lines, subject_noun
from devportal.differ.policy import Acknowledgement
from devportal.reporting import Format

from .comparing import (
    DAY,
    REASON,
    diff_between,
    request_witness,
    small_diff,
    with_operations,
    with_status,
    write_diff,
)

SHARED = diff_between(with_status("", paths=161), with_status("429", paths=161))


@pytest.mark.parametrize(
    ("form", "line"),
    [
        (Format.TEXT, "response.429 added to 161 operations: GET /001, GET /002 and 159 more\n"),
        (
            Format.MARKDOWN,
            "`response.429` added to **161 operations** (`GET /001`, `GET /002` and 159 more): ",
        ),
        (Format.HTML, '<code class="field">response.429</code> added to 161 operations'),
        (Format.GITHUB, "response.429 added to 161 operations: "),
    ],
)
def test_readers_get_one_line(form: Format, line: str) -> None:
    """With the first subjects by name, and how many others there are."""
    written = write_diff(SHARED, form)

    assert written.count(line) == 1
    assert written.count("response.error.added") == 1


def test_counts_stay_those_of_changes() -> None:
    """And say in how many lines they are."""
    written = write_diff(SHARED, Format.TEXT)

    assert "\n161 compatible\n" in written
    assert "COMPATIBLE (161 changes in 1 line)" in written


def test_programs_get_each_change() -> None:
    """With its group, whose name is a fingerprint; SARIF names the operation in each message."""
    changes = json.loads(write_diff(SHARED, Format.JSON))["changes"]
    (run,) = json.loads(write_diff(SHARED, Format.SARIF))["runs"]
    messages = {result["message"]["text"].split(":")[0] for result in run["results"]}

    assert len({change["fingerprint"] for change in changes}) == 161
    assert {change["group"] for change in changes} == {changes[0]["fingerprint"]}
    assert messages == {f"GET /{number:03} response.429" for number in range(1, 162)}


def test_change_of_one_subject_has_no_group() -> None:
    """Neither in JSON nor in the heading."""
    alone = diff_between(with_status("", paths=1), with_status("429", paths=1))
    (change,) = json.loads(write_diff(alone, Format.JSON))["changes"]

    assert change["group"] is None
    assert "COMPATIBLE (1)" in write_diff(alone, Format.TEXT)


def test_another_value_is_another_line() -> None:
    """Lines differ in rule, direction, field, values, verdict and acknowledgement."""
    (first, *_) = SHARED.comparison.changes
    others = (
        replace(first, new="418"),
        replace(first, field="response.418"),
        replace(first, rule="response.success.added"),
        replace(first, essence="else"),
        replace(first, direction=None),
    )

    assert len(change_lines((first, *others))) == 1 + len(others)


def test_subject_is_once_in_a_line() -> None:
    """Two changes of it that read the same are two lines."""
    change = next(
        change for change in small_diff().comparison.changes if change.verdict is Verdict.DOCUMENTATION
    )
    again = replace(change, essence="else")

    assert [len(line.changes) for line in change_lines((change, again))] == [1, 1]


def test_lines_that_many_share_come_first() -> None:
    """Then the others in their order."""
    alone, *_ = small_diff().comparison.changes
    lines = change_lines((alone, *SHARED.comparison.changes))

    assert [len(line.changes) for line in lines] == [161, 1]


def test_accepted_lines_come_last() -> None:
    """However many subjects share them: what is new is read first."""
    accepted = Acknowledgement(reason=REASON, date=DAY)
    shared = tuple(replace(change, acknowledged=accepted) for change in SHARED.comparison.changes)
    alone = next(change for change in small_diff().comparison.changes if change.counts)
    lines = change_lines((*shared, alone))

    assert [len(line.changes) for line in lines] == [1, 161]


def test_line_shows_a_witness_if_one_of_its_changes_has_one() -> None:
    """The first change need not."""
    without, one, *_ = SHARED.comparison.changes
    (line,) = change_lines((without, replace(one, witness_search=request_witness())))

    assert line.first.subject == one.subject


def test_page_has_the_fingerprint_of_each_change() -> None:
    """Each can be acknowledged."""
    page = write_diff(SHARED, Format.HTML)

    assert [
        change.fingerprint for change in SHARED.comparison.changes if change.fingerprint not in page
    ] == []


def test_texts_are_one_line_whatever_their_words() -> None:
    """The words are not shown, so the line is true of each."""
    old, new = (
        {"paths": {f"/{n}": {"get": {"summary": f"{word} {n}", "responses": {}}} for n in range(4)}}
        for word in ("Old", "New")
    )

    assert "\n  4 operations: GET /0, GET /1 and 2 more\n" in write_diff(diff_between(old, new), Format.TEXT)


def test_value_in_a_field_is_not_added_to_operations() -> None:
    """What is shared is called by its field alone."""
    old, new = (
        {
            "paths": {
                f"/{number}": {
                    "get": {
                        "parameters": [
                            {"name": "n", "in": "query", "schema": {"type": "string", "maxLength": size}}
                        ],
                        "responses": {},
                    }
                }
                for number in range(3)
            }
        }
        for size in (9, 8)
    )

    assert "query.n in 3 operations: GET /0, GET /1 and 1 more\n" in write_diff(
        diff_between(old, new), Format.TEXT
    )


def test_users_of_one_schema_are_no_shared_subjects() -> None:
    """The schema is the subject; the operations that use it are counted."""
    written = write_diff(diff_between(with_operations(15, 20), with_operations(15, 10)), Format.TEXT)

    assert "schema Note\n" in written
    assert "and 12 more" in written


@pytest.mark.parametrize(
    ("kind", "section", "noun"),
    [
        (SubjectKind.OPERATION, "", "operation"),
        (SubjectKind.EVENT, "", "event"),
        (SubjectKind.COMPONENT, "requestBodies", "request body"),
    ],
)
def test_noun_of_a_subject(kind: SubjectKind, section: str, noun: str) -> None:
    """As readers call it."""
    assert subject_noun(Subject(kind=kind, section=section, name="a")) == noun


def with_nullable(*names: str, nullable: bool, paths: int = 1) -> dict[str, object]:
    """Return a contract whose operations return objects with these texts, which may be null."""
    types = ["string", "null"] if nullable else "string"
    schema = {"type": "object", "properties": {name: {"type": types} for name in names}}
    response = {"description": "OK", "content": {"application/json": {"schema": schema}}}
    return {"paths": {f"/{number}": {"get": {"responses": {"200": response}}} for number in range(paths)}}


def nullable_diff(*names: str, paths: int = 1) -> DiffResult:
    """Return the comparison of contracts in whose responses these texts can now be null."""
    return diff_between(
        *(with_nullable(*names, nullable=nullable, paths=paths) for nullable in (False, True))
    )


@pytest.mark.parametrize(
    ("form", "line"),
    [
        (
            Format.TEXT,
            "\n  5 places in GET /0: response.200.a, response.200.b, response.200.c, response.200.d,",
        ),
        (
            Format.MARKDOWN,
            "\n- **5 places in GET /0** (`response.200.a`, `response.200.b`, `response.200.c`, ",
        ),
        (Format.HTML, "<h3>5 places in GET /0</h3>"),
        (
            Format.GITHUB,
            "5 places in GET /0: null is now allowed%0AChanged: response.200.a, response.200.b, ",
        ),
    ],
)
def test_same_change_at_many_places_is_one_line(form: Format, line: str) -> None:
    """It names the places; programs get each change, and to which line it belongs."""
    result = nullable_diff(*"abcde")
    written = write_diff(result, form)
    changes = json.loads(write_diff(result, Format.JSON))["changes"]

    assert written.count(line) == 1
    assert written.lower().count("null is now allowed") == 1
    assert [change["field"] for change in changes] == [f"response.200.{name}" for name in "abcde"]
    assert {change["group"] for change in changes} == {changes[0]["fingerprint"]}


def test_places_of_many_operations_are_one_line() -> None:
    """Each place has the name of its operation."""
    written = write_diff(nullable_diff(*"abcde", paths=2), Format.TEXT)

    assert "\n  10 places in 2 operations: GET /0 response.200.a, GET /1 response.200.a, " in written


def test_few_places_are_read_one_by_one() -> None:
    """Each with its values."""
    result = nullable_diff(*"abcd")

    assert len(change_lines(result.listed)) == 4
    assert {change["group"] for change in json.loads(write_diff(result, Format.JSON))["changes"]} == {None}


def test_properties_of_one_object_are_one_line() -> None:
    """If all that differs is their names. Those of another object have another line."""
    old, new = (
        with_properties({"a": "string", "b": "string", "c": "string", "d": "string", "e": "string"}, required)
        for required in (["a", "b", "c", "d", "e"], [])
    )
    written = write_diff(diff_between(old, new), Format.TEXT)

    assert written.count("is now optional") == 1
    assert "\n  5 places in GET /0: response.200.a, response.200.b, " in written
    assert "\n    the property <name> is now optional\n" in written


def test_properties_of_other_values_have_separate_lines() -> None:
    """What a line shows is true of each."""
    types = {"a": "string", "b": "string", "c": "string", "d": "string", "e": "integer"}
    result = diff_between(with_properties({}, []), with_properties(types, []))

    assert [len(line.changes) for line in change_lines(result.listed)] == [1, 1, 1, 1, 1]


def with_properties(types: dict[str, str], required: list[str]) -> dict[str, object]:
    """Return a contract whose operation returns an object with properties of these types."""
    properties = {name: {"type": kind} for name, kind in types.items()}
    schema = {"type": "object", "properties": properties, "required": required}
    response = {"description": "OK", "content": {"application/json": {"schema": schema}}}
    return {"paths": {"/0": {"get": {"responses": {"200": response}}}}}


def rename_schema(count: int, *, times: int = 2) -> DiffResult:
    """Return the comparison of contracts in which operations send an object of a renamed schema, and lengths of its
    properties are limited.
    """
    contracts = []
    for name, limits in (("Item", {}), ("ItemRequest", {"maxLength": 9})):
        fields = {f"p{number}": {"type": "string", **limits} for number in range(count)}
        body = {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}}
        contracts.append(
            {
                "paths": {f"/{n}": {"post": {"requestBody": body, "responses": {}}} for n in range(times)},
                "components": {"schemas": {name: {"type": "object", "properties": fields}}},
            }
        )
    return diff_between(*contracts)


def test_changes_within_a_renamed_schema_are_lines_of_the_schema() -> None:
    """Not of each operation that uses it: one for each place in the schema."""
    written = write_diff(rename_schema(2), Format.TEXT)

    assert "\n  schema ItemRequest p0 in 2 operations, sent by clients: POST /0, POST /1\n" in written
    assert "BREAKING (4 changes in 2 lines)" in written


def test_many_changes_within_renamed_schemas_name_these_in_one_line() -> None:
    """Each place once; programs and the page have each change of each operation."""
    found = rename_schema(5)
    written, page = write_diff(found, Format.TEXT), write_diff(found, Format.HTML)

    assert "\n  5 places in 1 schema, sent by clients: ItemRequest p0, ItemRequest p1, " in written
    assert "used by" in written
    assert "POST /1 request.p4" in page
    assert [change.fingerprint for change in found.comparison.changes if change.fingerprint not in page] == []


def test_change_of_one_operation_is_named_by_the_operation() -> None:
    """Whatever the name of its schema."""
    assert "\n  POST /0\n    request.p0: maxLength is set to 9" in write_diff(
        rename_schema(1, times=1), Format.TEXT
    )


@pytest.mark.parametrize(("removed", "lines"), [(3, 1), (2, 2)])
def test_several_values_of_one_enum_are_one_line(removed: int, lines: int) -> None:
    """With the values in its sentence; fewer than three are lines of their own. Each can be acknowledged."""
    old, new = (
        {
            "paths": {
                "/a": {
                    "get": {"parameters": [{"name": "a", "in": "query", "schema": schema}], "responses": {}}
                }
            }
        }
        for schema in ({"enum": ["a", "b", "c", "d"]}, {"enum": ["a", "b", "c", "d"][removed:]})
    )
    found = diff_between(old, new)
    written, page = write_diff(found, Format.TEXT), write_diff(found, Format.HTML)

    assert written.count("schema.enum.value.removed") == lines
    assert ('the value <value> is no longer allowed ("a", "b", "c")' in written) is (lines == 1)
    assert ("query.a in 1 operation: GET /a\n" in written) is (lines == 1)
    assert [change.fingerprint for change in found.comparison.changes if change.fingerprint not in page] == []


def test_very_many_values_are_counted() -> None:
    """A sentence lists the first twelve."""
    names = [f"v{number:02}" for number in range(20)]
    responses = (
        {"200": {"description": "D", "content": {"application/json": {"schema": {"enum": values}}}}}
        for values in (names[:1], names)
    )
    old, new = ({"paths": {"/a": {"get": {"responses": own}}}} for own in responses)

    assert '"v12" and 7 more)' in write_diff(diff_between(old, new), Format.TEXT)
