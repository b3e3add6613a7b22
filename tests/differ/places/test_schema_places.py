"""A change belongs to the place that changed: a component is named only if its own text is another one."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.contract import Api, load_contract, read_contract
from devportal.differ import Change, SubjectKind, compare
from devportal.documents import parse_document
from tests.differ.drawing import Rng
from tests.differ.respelling import contract_of
from tests.differ.strategies import Pair, drawn_pair, fixed_examples

Document = dict[str, Any]
PLAIN = {"type": "string"}
SHORT = {"type": "string", "maxLength": 5}


def ref(name: str, section: str = "schemas") -> Document:
    """Return a reference to a component."""
    return {"$ref": f"#/components/{section}/{name}"}


def holding(**properties: Any) -> Document:
    """Return the schema of an object with properties."""
    return {"type": "object", "properties": properties}


def sending(*bodies: Any, **components: Any) -> Document:
    """Return a contract whose operations `POST /0`, `POST /1`… send bodies; components are schemas by name."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": {
            f"/{number}": {
                "post": {
                    "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
                    "responses": {"204": {"description": "Done."}},
                }
            }
            for number, body in enumerate(bodies)
        },
        "components": {"schemas": components},
    }


def with_parts(document: Document, operation: Document, **components: Any) -> Document:
    """Return a contract with more in its first operation, and with components of other kinds."""
    made = copy.deepcopy(document)
    made["paths"]["/0"]["post"] |= operation
    made["components"] |= components
    return made


def api_of(document: Document) -> Api:
    """Return the model of a contract."""
    return read_contract(parse_document(json.dumps(document), name="api.json")).api


def changes_of(old: Document, new: Document) -> tuple[Change, ...]:
    """Return what is found between two contracts, without changes of components and versions as such."""
    found = compare(api_of(old), api_of(new)).changes
    return tuple(change for change in found if not change.rule.startswith(("component.", "doc.version.")))


def places(old: Document, new: Document) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return the subject, the field and the affected places of each change of a length."""
    return [
        (str(change.subject), change.field, tuple(f"{use.subject} {use.field}" for use in change.used_by))
        for change in changes_of(old, new)
        if change.rule == "schema.max-length.lowered"
    ]


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        (holding(a=ref("Plain")), holding(a=ref("Short")), "request.a"),
        (holding(a={"allOf": [ref("Plain")]}), holding(a={"allOf": [ref("Short")]}), "request.a"),
        ({"type": "array", "items": ref("Plain")}, {"type": "array", "items": ref("Short")}, "request[]"),
        (
            {"type": "object", "additionalProperties": ref("Plain")},
            {"type": "object", "additionalProperties": ref("Short")},
            "request.*",
        ),
        (holding(a=ref("OfPlain")), holding(a=ref("OfShort")), "request.a.mid"),
        (ref("Plain"), ref("Short"), "request"),
        (holding(a=PLAIN), holding(a=ref("Short")), "request.a"),
    ],
    ids=["property", "allOf", "items", "additionalProperties", "deeper", "body", "from inline"],
)
def test_a_reference_that_leads_elsewhere_is_a_change_of_its_place(
    old: Document, new: Document, field: str
) -> None:
    """The operation is named with the path down to what changed, not the component that it leads to."""
    shared = {
        "Plain": PLAIN,
        "Short": SHORT,
        "OfPlain": holding(mid=ref("Plain")),
        "OfShort": holding(mid=ref("Short")),
    }

    assert places(sending(old, **shared), sending(new, **shared)) == [
        ("POST /0", field, (f"POST /0 {field}",))
    ]


def test_a_reference_within_a_component_is_a_change_of_that_component() -> None:
    """The component that holds the reference is named, with every place that uses it."""
    shared = {"Plain": PLAIN, "Short": SHORT}
    bodies = (ref("Order"), holding(order=ref("Order")))
    old = sending(*bodies, **shared, Order=holding(card=holding(mid=ref("Plain"))))
    new = sending(*bodies, **shared, Order=holding(card=holding(mid=ref("Short"))))

    assert places(old, new) == [("schema Order", "card.mid", ("POST /0 request", "POST /1 request.order"))]


def test_a_wrapped_component_that_changed_is_named_with_the_whole_path() -> None:
    """What an `allOf` leads to is named if its own text changed; the path of the use leads through the wrapper."""
    filters = holding(key={"allOf": [ref("Key")]})
    old, new = (sending(holding(filter=ref("Filter")), Filter=filters, Key=key) for key in (PLAIN, SHORT))

    assert places(old, new) == [("schema Key", "", ("POST /0 request.filter.key",))]


def test_null_beside_a_reference_is_a_change_of_the_property_in_forms_and_json() -> None:
    """Not of the branch that has the reference, however many ways lead to the property."""
    shared = {"Task": holding(owner=ref("Person")), "Photo": holding(url=PLAIN)}
    old, new = (
        sending(ref("Task"), **shared, Person=holding(photo=photo))
        for photo in (ref("Photo"), {"oneOf": [{"type": "null"}, ref("Photo")]})
    )
    for document in (old, new):
        content = document["paths"]["/0"]["post"]["requestBody"]["content"]
        content["multipart/form-data"] = content["application/json"]

    assert [(str(change.subject), change.field) for change in changes_of(old, new)] == [
        ("schema Person", "photo")
    ]


def test_a_chain_names_the_component_whose_text_changed() -> None:
    """Those that only lead to it did not change."""
    chain = {"A": holding(b=ref("B")), "B": holding(c=ref("C"))}
    old, new = (sending(ref("A"), **chain, C=item) for item in (PLAIN, SHORT))

    assert places(old, new) == [("schema C", "", ("POST /0 request.b.c",))]


def test_an_alias_that_leads_elsewhere_is_the_place() -> None:
    """A component that is only a reference changes if it leads to another one."""
    old, new = (sending(ref("A"), Plain=PLAIN, Short=SHORT, A=ref(name)) for name in ("Plain", "Short"))

    assert places(old, new) == [("schema A", "", ("POST /0 request",))]


def test_a_renamed_component_that_changed_is_a_change_of_each_referring_place() -> None:
    """Each place that refers to it is named; one that is only renamed is no change."""
    old = sending(holding(a=ref("Key")), holding(a=ref("Key"), b=ref("Key")), Key=PLAIN)
    renamed, changed = (
        sending(holding(a=ref("Id")), holding(a=ref("Id"), b=ref("Id")), Id=item) for item in (PLAIN, SHORT)
    )

    assert changes_of(old, renamed) == ()
    assert [(subject, field) for subject, field, _ in places(old, changed)] == [
        ("POST /0", "request.a"),
        ("POST /1", "request.a"),
        ("POST /1", "request.b"),
    ]


def test_very_many_referring_places_are_one_change_that_stands_for_all_of_them() -> None:
    """Its fingerprint changes with the places: one more is not covered by what was accepted for the others."""
    shared = {"Key": PLAIN, "Id": SHORT}
    old = sending(*[ref("Key")] * 140, **shared)
    most, every = (
        changes_of(old, sending(*[ref("Id")] * count, *[ref("Key")] * (140 - count), **shared))
        for count in (139, 140)
    )

    assert len(most) == len(every) == 1
    assert len(every[0].used_by) == 140
    assert most[0].fingerprint != every[0].fingerprint


@pytest.mark.parametrize("kind", ["parameters", "responses", "requestBodies", "headers"])
def test_parts_of_an_operation_that_lead_elsewhere_are_changes_of_the_operation(kind: str) -> None:
    """A parameter, response, body or header by reference belongs to the operation if it leads elsewhere, and to
    its component if that changed.
    """
    old, new = (with_part(kind, "Old", Old=PLAIN, New=SHORT), with_part(kind, "New", Old=PLAIN, New=SHORT))
    changed = with_part(kind, "Old", Old=SHORT, New=SHORT)

    assert [str(change.subject) for change in changes_of(old, new)] == ["POST /0"]
    assert [(change.subject.section, change.subject.name) for change in changes_of(old, changed)] == [
        (kind, "Old")
    ]


def with_part(kind: str, name: str, **schemas: Any) -> Document:
    """Return a contract whose operation refers to a part of a kind; each has one of the schemas."""
    made: dict[str, Any] = {
        value: {"description": "One.", "content": {"application/json": {"schema": schema}}}
        for value, schema in schemas.items()
    }
    if kind == "headers":
        made = {value: {"schema": schema} for value, schema in schemas.items()}
        response = {"description": "Done.", "headers": {"X-A": ref(name, kind)}}
        return with_parts(sending(PLAIN), {"responses": {"200": response}}, headers=made)
    if kind == "parameters":
        made = {value: {"name": "key", "in": "query", "schema": schema} for value, schema in schemas.items()}
        return with_parts(sending(PLAIN), {"parameters": [ref(name, kind)]}, parameters=made)
    if kind == "responses":
        return with_parts(sending(PLAIN), {"responses": {"200": ref(name, kind)}}, responses=made)
    return with_parts(sending(PLAIN), {"requestBody": ref(name, kind)}, requestBodies=made)


def test_a_reference_within_a_response_is_a_change_of_that_response() -> None:
    """The path begins in the component, with the media type where there are several."""
    documents = []
    for name in ("Plain", "Short"):
        content = {"application/json": {"schema": holding(a=ref(name))}, "text/plain": {"schema": PLAIN}}
        response = {"description": "Done.", "content": content}
        body = sending(PLAIN, Plain=PLAIN, Short=SHORT)
        documents.append(
            with_parts(body, {"responses": {"200": ref("R", "responses")}}, responses={"R": response})
        )
    found = changes_of(*documents)

    assert [(str(change.subject), change.field) for change in found] == [
        ("response R", "(application/json).a")
    ]


def test_a_component_is_the_same_in_one_file_and_in_several(tmp_path: Path) -> None:
    """Its name counts, not the file that holds it: a bundled release is compared with the files of today."""
    old = sending(holding(a=ref("Key"), b=ref("Other")), Key=PLAIN, Other=ref("Key"))
    new = sending(holding(a={"$ref": "keys.json#/components/schemas/Key"}, b={"$ref": "Other.json"}))
    files = {
        "old.json": old,
        "new.json": new,
        "keys.json": {"components": {"schemas": {"Key": SHORT}}},
        "Other.json": {"$ref": "keys.json#/components/schemas/Key"},
    }
    for name, document in files.items():
        (tmp_path / name).write_text(json.dumps(document), encoding="utf-8")
    before, after = (load_contract(tmp_path / name).api for name in ("old.json", "new.json"))
    found = compare(before, after).changes

    assert {
        (str(change.subject), change.field) for change in found if change.rule == "schema.max-length.lowered"
    } == {("schema Key", "")}


def retarget_references(rng: Rng, pair: Pair) -> tuple[Document, Document]:
    """Return two contracts; in the new one, some references lead to other components, some of which are new."""
    old = contract_of(pair.old, dict(pair.old_shared))
    new = contract_of(copy.deepcopy(pair.new), dict(copy.deepcopy(pair.new_shared)))
    shared = new["components"]["schemas"]
    shared["Fresh"] = copy.deepcopy(rng.choice([*shared.values(), SHORT]))
    for reference in references(new):
        if rng.random() < _RETARGETED:
            reference["$ref"] = ref(rng.choice(list(shared)))["$ref"]
    return old, new


_RETARGETED = 0.4


def references(value: Any) -> Iterator[Document]:
    """Yield the references in a document, each once."""
    pending, seen = [value], set()
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, dict):
            if isinstance(one.get("$ref"), str):
                yield one
            pending += one.values()
        elif isinstance(one, list):
            pending += one


def misplaced_changes(old: Document, new: Document) -> list[str]:
    """Return the changes that name a component whose text is the same, or that one contract lacks."""
    return [
        f"{change.subject} {change.field}: {change.rule}"
        for change in changes_of(old, new)
        if change.subject.kind is SubjectKind.COMPONENT and not _has_changed(change, old, new)
    ]


def _has_changed(change: Change, old: Document, new: Document) -> bool:
    section, name = change.subject.section, change.subject.name
    before, after = (document["components"].get(section, {}).get(name) for document in (old, new))
    return before is not None and after is not None and json.dumps(before) != json.dumps(after)


@pytest.mark.deep
@fixed_examples(60)
@given(rng=st.randoms(use_true_random=False))
def test_no_change_names_a_component_that_did_not_change(rng: Rng) -> None:
    """Of random contracts, and of those whose references lead elsewhere."""
    pair = drawn_pair(rng, 2)

    assert (
        misplaced_changes(
            contract_of(pair.old, dict(pair.old_shared)), contract_of(pair.new, dict(pair.new_shared))
        )
        == []
    )
    assert misplaced_changes(*retarget_references(rng, pair)) == []


@pytest.mark.deep
@pytest.mark.parametrize("part", range(10))
def test_no_change_of_many_contracts_names_a_component_that_did_not_change(part: int) -> None:
    """The same law over more contracts, of further edits: 1,500 of them, as one test longer than a test may take."""
    for seed in range(part, 1_500, 10):
        rng = Rng(seed)
        pair = drawn_pair(rng, rng.randint(0, 4))
        documents = retarget_references(rng, pair)

        assert misplaced_changes(*documents) == [], seed


@pytest.mark.parametrize("is_wrapped", [False, True])
def test_a_property_that_leads_back_to_its_component_is_named(is_wrapped: bool) -> None:  # noqa: FBT001
    """A reference to the component that it stands in changes the property, not the component as a whole."""
    back: Document = {"allOf": [ref("Event")]} if is_wrapped else ref("Event")
    old = sending(ref("Event"), Event=holding(place=ref("Place"), name=PLAIN), Place=PLAIN)
    new = sending(ref("Event"), Event=holding(place=back, name=PLAIN), Place=PLAIN)

    assert {(str(change.subject), change.field) for change in changes_of(old, new)} == {
        ("schema Event", "place")
    }


def pointers(change: Change) -> tuple[str, str]:
    """Return the old and the new location of a change."""
    assert change.old_location is not None
    assert change.new_location is not None
    return "/".join(change.old_location.pointer), "/".join(change.new_location.pointer)


def derived_from(base: str) -> Document:
    """Return a contract that sends and receives a component that extends another, which extends a base."""
    own = holding(note=PLAIN)
    return sending(
        ref("Outer"),
        Outer={"allOf": [ref("Middle"), ref("Sibling")]},
        Middle={"allOf": [ref(base), own]},
        Sibling=holding(kind=PLAIN),
        Base=holding(size=PLAIN, color=PLAIN),
        OtherBase=holding(size=SHORT),
    )


def test_property_of_a_base_that_what_extends_it_still_requires_is_a_change_of_the_base() -> None:
    """It has no schema left, and no place in the new contract."""
    extending = [{"allOf": [ref("Base"), {"required": ["size"]}]} for _ in range(2)]
    with_size = sending(*extending, Base=holding(size=PLAIN, color=PLAIN))
    without_size = sending(*extending, Base=holding(color=PLAIN))

    for old, new in ((with_size, without_size), (without_size, with_size)):
        (change,) = changes_of(old, new)
        assert (str(change.subject), change.field) == ("schema Base", "size")
        assert [str(use.subject) for use in change.used_by] == ["POST /0", "POST /1"]


def test_property_that_a_base_requires_is_a_change_of_the_base_beside_other_required_properties() -> None:
    """What extends the base requires properties of its own, and has nothing to do with that one."""

    def extend_base(*required: str) -> Document:
        base = {**holding(size=PLAIN), "required": list(required)}
        own = {**holding(color=PLAIN), "required": ["color"]}
        return sending(ref("Thing"), ref("Thing"), Base=base, Thing={"allOf": [ref("Base"), own]})

    for old, new in ((extend_base(), extend_base("size")), (extend_base("size"), extend_base())):
        (change,) = changes_of(old, new)
        assert (str(change.subject), change.field) == ("schema Base", "size")
        assert [str(use.subject) for use in change.used_by] == ["POST /0", "POST /1"]


def test_a_base_of_a_component_within_another_is_a_change_of_that_component() -> None:
    """Its `allOf` leads elsewhere, whatever component applies it in turn: what it had and has stands there."""
    found = changes_of(derived_from("Base"), derived_from("OtherBase"))

    assert {(str(change.subject), change.field) for change in found} == {
        ("schema Middle", "color"),
        ("schema Middle", "size"),
    }
    place = "components/schemas/Middle/allOf/0"
    assert {pointers(change) for change in found} == {(place, place)}


@pytest.mark.parametrize("is_wrapped", [False, True])
def test_a_reference_that_leads_elsewhere_is_shown_where_it_stands(*, is_wrapped: bool) -> None:
    """The lines of a change are those of the reference, as what it leads to did not change."""

    def contract(name: str) -> Document:
        target = {"allOf": [ref(name)]} if is_wrapped else ref(name)
        holder = holding(owner=holding(code=target))
        return sending(holder, ref("Holder"), Holder=holder, Any=holding(text=PLAIN), Few=holding(text=SHORT))

    found = changes_of(contract("Any"), contract("Few"))

    written = {
        "POST /0": f"paths//0/post/requestBody/content/application/json/schema/{_CODE}",
        "schema Holder": f"components/schemas/Holder/{_CODE}",
    }
    assert {str(change.subject) for change in found} == set(written)
    assert all(
        place.startswith(written[str(change.subject)]) for change in found for place in pointers(change)
    )


_CODE = "properties/owner/properties/code"


def test_a_branch_that_fits_more_values_is_a_change_of_its_component() -> None:
    """The union did not change: one of its branches fits more of what another one does."""
    closed = {"type": "object", "required": ["a"], "additionalProperties": False}
    union = {"oneOf": [ref("First"), ref("Second")]}
    old = sending(
        union,
        union,
        First=closed | {"properties": {"a": {"type": "string", "maxLength": 3}}},
        Second=closed | {"properties": {"a": {"type": "string", "minLength": 5}}},
    )
    new = copy.deepcopy(old)
    new["components"]["schemas"]["First"]["properties"]["a"]["maxLength"] = 9

    found = {
        (str(change.subject), change.field): change
        for change in changes_of(old, new)
        if change.rule == "schema.branch.changed"
    }

    uses = found["schema First", ""].used_by
    assert [str(use) for use in uses] == ["POST /0 request|First", "POST /1 request|First"]
    assert ("POST /0", "request|First") not in found


def test_a_property_for_which_no_value_is_left_is_named() -> None:
    """No object is allowed any longer, and the required property is why."""
    thing = {"type": "object", "required": ["kind"], "properties": {"kind": {"allOf": [ref("Text"), PLAIN]}}}
    old = sending(ref("Thing"), Thing=thing, Text=PLAIN, Number={"type": "number"})
    new = copy.deepcopy(old)
    new["components"]["schemas"]["Thing"]["properties"]["kind"]["allOf"][0] = ref("Number")

    (found,) = [change for change in changes_of(old, new) if change.rule == "schema.boolean.false"]

    assert (str(found.subject), found.field) == ("schema Thing", "kind")


PARTS: dict[str, tuple[Document, Document]] = {
    "parameters": (
        {"name": "q", "in": "query", "schema": PLAIN},
        {"name": "q", "in": "query", "required": True, "schema": SHORT},
    ),
    "requestBodies": (
        {"content": {"application/json": {"schema": PLAIN}}},
        {"content": {"application/json": {"schema": SHORT}}, "required": True},
    ),
    "responses": ({"description": "One."}, {"description": "Two."}),
    "headers": ({"schema": PLAIN}, {"schema": SHORT, "required": True}),
}


@pytest.mark.parametrize("section", PARTS)
def test_a_part_that_a_reference_replaces_is_shown_where_the_reference_stands(section: str) -> None:
    """No line of the two components changed; that of the operation did."""

    def contract(name: str) -> Document:
        part = ref(name, section)
        operations: dict[str, Document] = {
            "parameters": {"parameters": [part]},
            "requestBodies": {"requestBody": part},
            "responses": {"responses": {"204": part}},
            "headers": {"responses": {"204": {"description": "Done.", "headers": {"X-Part": part}}}},
        }
        first, second = PARTS[section]
        return with_parts(
            sending(PLAIN), operations[section], **{section: {"First": first, "Second": second}}
        )

    found = [
        change for change in changes_of(contract("First"), contract("Second")) if change.field != "components"
    ]

    assert found
    assert all(place.startswith("paths//0/post") for change in found for place in pointers(change))
