"""An acknowledgement accepts what was reviewed, at the places that were reviewed, and nothing else."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
import yaml

from devportal.differ import Change, Comparison, Policy, Verdict, compare
from devportal.differ.acknowledgements import change_places, policy_rows, review_rows
from devportal.differ.policy import Acknowledgement
from devportal.differ.policy_file import parse_policy
from devportal.documents import parse_document
from tests.differ.places.test_schema_places import (
    PLAIN,
    SHORT,
    Document,
    api_of,
    holding,
    ref,
    sending,
    with_part,
    with_parts,
)

TODAY = dt.date(2026, 11, 2)
ROW = Acknowledgement(reason="Agreed.", date=TODAY)


def relevant_changes(comparison: Comparison) -> list[Change]:
    """Return the changes that count, without those of the version."""
    return [
        change
        for change in comparison.changes
        if change.counts and change.verdict.is_at_least(Verdict.RISKY) and not change.rule.startswith("doc.")
    ]


def compare_under(old: Document, new: Document, rows: dict[str, Acknowledgement] | None = None) -> Comparison:
    """Return the comparison of two contracts under a policy with these rows."""
    return compare(api_of(old), api_of(new), Policy(acknowledged=rows or {}))


def rows_of(changes: Iterable[Change], *, with_places: bool = True) -> dict[str, Acknowledgement]:
    """Return rows that acknowledge changes."""
    return {
        change.fingerprint: replace(ROW, places=change_places(change) if with_places else None)
        for change in changes
    }


def leaks(old: Document, reviewed: Document, later: Document) -> bool:
    """Return whether a policy written for one new contract lets all of another one pass."""
    changes = relevant_changes(compare_under(old, reviewed))
    assert changes
    assert relevant_changes(compare_under(old, reviewed, rows_of(changes))) == []
    return relevant_changes(compare_under(old, later, rows_of(changes))) == []


def requiring(schema: Any) -> Document:
    """Return the schema of an object with a required property."""
    return {**holding(key=schema), "required": ["key"]}


def taking(parameter: Any) -> Document:
    """Return a contract whose operation takes one parameter more."""
    return with_parts(sending({}), {"parameters": [{"name": "key", "in": "query", **parameter}]})


def returning(status: str, schema: Any) -> Document:
    """Return a contract whose operation returns a value with a status."""
    response = {"description": "Done.", "content": {"application/json": {"schema": schema}}}
    return with_parts(sending({}), {"responses": {status: response}})


def person(boss: str, name: Any = PLAIN) -> Document:
    """Return the schema of somebody whose boss is a component."""
    return holding(name=name, boss=ref(boss))


def all_of_ref(name: str) -> Document:
    """Return a schema that a component applies to by `allOf`."""
    return {"allOf": [ref(name)]}


def union(**mapping: str) -> Document:
    """Return a contract whose response is one of several components, by the value that selects each."""
    names = [*mapping.values(), "Z"]
    selecting = {value: f"#/components/schemas/{name}" for value, name in mapping.items()}
    made = {
        "oneOf": [ref(name) for name in names],
        "discriminator": {"propertyName": "k", "mapping": selecting},
    }
    schemas = {name: holding(k=PLAIN, **{name: SHORT}) for name in ("A", "B", "Z")}
    return {**returning("200", made), "components": {"schemas": schemas}}


FIRST, SECOND, OTHER = holding(x=ref("Key")), holding(y=ref("Key")), holding(y=ref("Copy"))
SHARED = {"Plain": PLAIN, "Short": SHORT, "Enum": {"enum": ["a"]}}
ATTACKS: dict[str, tuple[Document, Document, Document]] = {
    "a second operation": (
        sending(holding(a=ref("Plain")), holding(a=ref("Plain")), **SHARED),
        sending(holding(a=ref("Short")), holding(a=ref("Plain")), **SHARED),
        sending(holding(a=ref("Short")), holding(a=ref("Short")), **SHARED),
    ),
    "a second property": (
        sending(holding(a=ref("Plain"), b=ref("Plain")), **SHARED),
        sending(holding(a=ref("Short"), b=ref("Plain")), **SHARED),
        sending(holding(a=ref("Short"), b=ref("Short")), **SHARED),
    ),
    "a second property, wrapped": (
        sending(holding(a={"allOf": [ref("Plain")]}, b={"allOf": [ref("Plain")]}), **SHARED),
        sending(holding(a={"allOf": [ref("Short")]}, b={"allOf": [ref("Plain")]}), **SHARED),
        sending(holding(a={"allOf": [ref("Short")]}, b={"allOf": [ref("Short")]}), **SHARED),
    ),
    "a second media type": (
        with_parts(sending({}), {"responses": {"200": ref("R", "responses")}}, responses={"R": {
            "description": "D", "content": {"a/json": {"schema": SHORT}, "b/json": {"schema": SHORT}}}}),
        with_parts(sending({}), {"responses": {"200": ref("R", "responses")}}, responses={"R": {
            "description": "D", "content": {"a/json": {"schema": PLAIN}, "b/json": {"schema": SHORT}}}}),
        with_parts(sending({}), {"responses": {"200": ref("R", "responses")}}, responses={"R": {
            "description": "D", "content": {"a/json": {"schema": PLAIN}, "b/json": {"schema": PLAIN}}}}),
    ),
    "a required property of another schema": (
        sending(holding()), sending(requiring(PLAIN)), sending(requiring(SHORT)),
    ),
    "a required property whose component is another one": (
        sending(holding(), Key=PLAIN), sending(requiring(ref("Key")), Key=PLAIN),
        sending(requiring(ref("Key")), Key=SHORT),
    ),
    "a required parameter of another schema": (
        sending({}), taking({"required": True, "schema": PLAIN}), taking({"required": True, "schema": SHORT}),
    ),
    "another type with more rules": (
        sending(PLAIN), sending({"type": "object"}), sending({"type": "object", "required": ["a"]}),
    ),
    "an enum with a pattern": (
        sending({}), sending({"enum": ["a", "b"]}), sending({"enum": ["a", "b"], "pattern": "a"}),
    ),
    "a closed object that lists less": (
        sending(holding(a=PLAIN)),
        sending({**holding(a=PLAIN, b=PLAIN), "additionalProperties": False}),
        sending({**holding(a=PLAIN), "additionalProperties": False}),
    ),
    "another body": (
        returning("200", PLAIN), returning("201", PLAIN), returning("201", SHORT),
    ),
    "a reference within a component that refers to itself": (
        sending(ref("Person"), Person=person("Person"), Copy=person("Copy")),
        sending(ref("Person"), Person=person("Copy", SHORT), Copy=person("Copy")),
        sending(ref("Person"), Person=person("Person", SHORT), Copy=person("Copy")),
    ),
    "a reference to another component that leads back": (
        sending(ref("Person"), Person=person("Person"), Copy=person("Person")),
        sending(ref("Person"), Person=person("Copy", SHORT), Copy=person("Person")),
        sending(ref("Person"), Person=person("Person", SHORT), Copy=person("Person")),
    ),
    "a second reference within other components": (
        sending(ref("Order"), Order=holding(a=ref("Key"), b=ref("Key")), Key=PLAIN, Copy=PLAIN),
        sending(ref("Order"), Order=holding(a=ref("Key"), b=ref("Copy")), Key=SHORT, Copy=PLAIN),
        sending(ref("Order"), Order=holding(a=ref("Key"), b=ref("Key")), Key=SHORT, Copy=PLAIN),
    ),
    "a second reference far from the operation": (
        sending(ref("Order"), Order=holding(a=ref("A"), b=ref("B")), A=FIRST, B=SECOND, Key=PLAIN, Copy=PLAIN),
        sending(ref("Order"), Order=holding(a=ref("A"), b=ref("B")), A=FIRST, B=OTHER, Key=SHORT, Copy=PLAIN),
        sending(ref("Order"), Order=holding(a=ref("A"), b=ref("B")), A=FIRST, B=SECOND, Key=SHORT, Copy=PLAIN),
    ),
    "a second reference far from the operation, wrapped": (
        sending(ref("Order"), Order=holding(a=ref("A"), b=all_of_ref("Key")), A=FIRST, Key=PLAIN, Copy=PLAIN),
        sending(ref("Order"), Order=holding(a=ref("A"), b=all_of_ref("Copy")), A=FIRST, Key=SHORT, Copy=PLAIN),
        sending(ref("Order"), Order=holding(a=ref("A"), b=all_of_ref("Key")), A=FIRST, Key=SHORT, Copy=PLAIN),
    ),
    "a wrapper around what leads to the change": (
        sending(ref("Order"), Order=holding(a=ref("A"), b=all_of_ref("A")), A=FIRST, C=OTHER, Key=PLAIN, Copy=PLAIN),
        sending(ref("Order"), Order=holding(a=ref("A"), b=all_of_ref("C")), A=FIRST, C=OTHER, Key=SHORT, Copy=PLAIN),
        sending(ref("Order"), Order=holding(a=ref("A"), b=all_of_ref("A")), A=FIRST, C=OTHER, Key=SHORT, Copy=PLAIN),
    ),
    "a reference of an operation that has another one": (
        sending(holding(a=ref("A"), b=ref("A")), A=FIRST, C=OTHER, Key=PLAIN, Copy=PLAIN),
        sending(holding(a=ref("A"), b=ref("C")), A=FIRST, C=OTHER, Key=SHORT, Copy=PLAIN),
        sending(holding(a=ref("A"), b=ref("A")), A=FIRST, C=OTHER, Key=SHORT, Copy=PLAIN),
    ),
    "another component that refers to itself": (
        sending(ref("Person"), Person=person("Person"), Other=person("Other", SHORT)),
        sending(ref("Other"), Person=person("Person"), Other=person("Person", SHORT)),
        sending(ref("Other"), Person=person("Person"), Other=person("Other", SHORT)),
    ),
    "a branch for another value": (
        union(a="A"), union(a="A", b="B"), union(a="A", c="B"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_worse_change_is_not_accepted(attack: str) -> None:
    """What was acknowledged for one contract does not let another one pass."""
    assert not leaks(*ATTACKS[attack])


@pytest.mark.parametrize("kind", ["parameters", "responses", "requestBodies", "headers"])
def test_a_part_by_reference_is_accepted_for_its_operation_alone(kind: str) -> None:
    """A second operation that refers to the same part later is not covered."""

    def contract(*names: str) -> Document:
        made = [with_part(kind, name, Old=SHORT, New=PLAIN) for name in names]
        if kind in ("parameters", "requestBodies"):
            made = [with_part(kind, name, Old=PLAIN, New=SHORT) for name in names]
        document = made[0]
        for number, item in enumerate(made):
            document["paths"][f"/{number}"] = item["paths"]["/0"]
        return document

    assert not leaks(contract("Old", "Old"), contract("New", "Old"), contract("New", "New"))


def test_a_changed_component_is_accepted_where_it_was_used() -> None:
    """An operation that uses it later is a new place, and then the change counts; without places it does not."""
    bodies = (holding(a=ref("Key")), holding(a=ref("Key")))
    old = sending(*bodies, Key=PLAIN, Old=PLAIN)
    first = sending(bodies[0], holding(a=ref("Old")), Key=SHORT, Old=PLAIN)
    later = sending(*bodies, Key=SHORT, Old=PLAIN)
    (change,) = relevant_changes(compare_under(old, first))
    places = rows_of([change])

    assert change_places(change) == ("POST /0 request.a",)
    assert relevant_changes(compare_under(old, first, places)) == []
    assert [
        change_places(relevant_change)
        for relevant_change in relevant_changes(compare_under(old, later, places))
    ] == [("POST /0 request.a", "POST /1 request.a")]
    assert relevant_changes(compare_under(old, later, rows_of([change], with_places=False))) == []


def test_references_within_components_are_places() -> None:
    """Each is listed once, whatever number of ways leads over it."""
    shared = {"Order": holding(a=ref("A"), b=ref("A")), "A": FIRST}
    old, new = (sending(ref("Order"), **shared, Key=key) for key in (PLAIN, SHORT))
    (change,) = relevant_changes(compare_under(old, new))

    assert change_places(change) == (
        "POST /0 request.a.x",
        "POST /0 request.b.x",
        "POST /0 request → Order",
        "schema A x → Key",
        "schema Order a → A",
        "schema Order b → A",
    )


def test_a_new_operation_is_no_new_place() -> None:
    """What uses a changed component for the first time was never other than it is."""
    old, new = (sending(ref("Order"), Order=FIRST, Key=key) for key in (PLAIN, SHORT))
    later = sending(ref("Order"), ref("Order"), Order=FIRST, Key=SHORT)

    assert (
        relevant_changes(compare_under(old, later, rows_of(relevant_changes(compare_under(old, new))))) == []
    )


@pytest.mark.parametrize("kept", [range(39), range(40)])
def test_very_many_references_are_counted(kept: range) -> None:
    """A policy lists their number and a digest, so that one more is noticed."""

    def contract(key: Document, of: range) -> Document:
        orders = {f"Order{n}": holding(a=ref("Key" if n in of else "Copy")) for n in range(40)}
        order = holding(**{name: ref(name) for name in orders})
        return sending(ref("Order"), Order=order, **orders, Key=key, Copy=PLAIN)

    old, new = contract(PLAIN, range(40)), contract(SHORT, range(40))
    (change,) = relevant_changes(compare_under(old, contract(SHORT, kept)))

    assert len(change.references) == 1
    assert change.references[0].startswith(f"{2 * len(kept) + 1} references (digest ")
    assert bool(relevant_changes(compare_under(old, new, rows_of([change])))) is (len(kept) < 40)


def test_a_former_fingerprint_is_accepted_for_one_change_alone() -> None:
    """Earlier versions named the component that a reference leads to: if several changes do, none is accepted."""
    old, first, later = ATTACKS["a second operation"]
    (change,) = relevant_changes(compare_under(old, first))
    rows = {change.former_fingerprint: ROW}
    both = compare_under(old, later, rows)

    assert change.former_fingerprint != change.fingerprint
    assert relevant_changes(compare_under(old, first, rows)) == []
    assert len(relevant_changes(both)) == 2
    assert len(review_rows(rows, both.changes)[change.former_fingerprint].changes) == 2


def test_printed_rows_are_a_policy_that_accepts_what_they_name() -> None:
    """They can be pasted once somebody has written a reason: without one the policy is refused."""
    old, new, _ = ATTACKS["a second operation"]
    changes = relevant_changes(compare_under(old, new))
    text = "\n".join(("acknowledged:", *policy_rows(changes, today=TODAY)))
    refused = parse_policy(parse_document(text, name="policy.yaml"))[1]
    policy, findings = parse_policy(parse_document(text.replace('""', "Agreed."), name="policy.yaml"))

    assert [*yaml.safe_load(text)["acknowledged"]] == [change.fingerprint for change in changes]
    assert len(refused) == 1
    assert findings == ()
    assert relevant_changes(compare(api_of(old), api_of(new), policy)) == []
