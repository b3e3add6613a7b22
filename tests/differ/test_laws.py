"""Laws that the differ keeps whatever it compares: small contracts drawn at random, and real ones."""

import copy
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.contract import Api, read_contract
from devportal.contract.published.bundle import bundle
from devportal.differ import Change, compare
from devportal.differ.contract_sources import Contracts
from devportal.differ.policy import Policy
from devportal.differ.rule import Verdict
from devportal.differ.rules.schemas import SCHEMA_RULES
from devportal.differ.schemas.compare_schemas import walk_comparisons
from devportal.differ.schemas.position import Position
from devportal.documents import parse_document
from devportal.errors import PortalError
from tests.corpus import corpus_contract, each_contract
from tests.differ.building import RECEIVED, SENT, api_with, schema_in
from tests.differ.drawing import Rng
from tests.differ.respelling import RESPELLINGS, Document, as_yaml, contracts_of, shuffle_keys
from tests.differ.strategies import Pair, fixed_examples, pairs, union_pairs
from tests.mutations import mutants

RULES = {rule.id: rule for rule in SCHEMA_RULES}
SAME_PLACE = ("keys in another order", "as YAML", "parameters of the path")
"""Ways to write a contract anew after which everything still belongs to the same operation or component."""
_REQUIRED = {"schema.required.undeclared": "schema.property.became-required"}
"""Rules that tell the same, whether or not the object lists the property."""


def api_of(document: Document | str) -> Api:
    """Return the model of a contract."""
    text = document if isinstance(document, str) else json.dumps(document)
    return read_contract(parse_document(text, name="api.yaml")).api


def changes_between(old: Document | str, new: Document | str) -> tuple[Change, ...]:
    """Return the changes between two contracts."""
    return compare(api_of(old), api_of(new)).changes


def fingerprints(changes: tuple[Change, ...]) -> list[str]:
    """Return what names the changes, in order."""
    return sorted(change.fingerprint for change in changes)


@pytest.mark.parametrize("respelling", RESPELLINGS)
@fixed_examples(25)
@given(pair=pairs(), seed=st.integers(0, 2**32))
def test_a_respelled_contract_is_the_same(respelling: str, pair: Pair, seed: int) -> None:
    """Nothing is found between a contract and the same one in other words, but for its components."""
    old, _ = contracts_of(pair)
    found = changes_between(old, RESPELLINGS[respelling](Rng(seed), old))

    assert [change.rule for change in found if not change.rule.startswith("component.")] == []


IMPOSSIBLE = {"type": "string", "minLength": 2, "maxLength": 1, "title": "T"}
WITHOUT_VALUE = {"type": "object", "required": ["a"], "properties": {"a": False, "b": {"type": "string"}}}
IDLE = {"type": "string", "description": "Nobody can send it."}


@pytest.mark.parametrize("respelling", RESPELLINGS)
@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [IMPOSSIBLE]},
        {"anyOf": [IMPOSSIBLE, {"type": "integer"}]},
        {"oneOf": [IMPOSSIBLE, WITHOUT_VALUE]},
        {"anyOf": [{"$ref": "#/components/schemas/A"}, {"allOf": [{"type": "object"}, {"type": "integer"}]}]},
        {"type": "integer", "items": IDLE},
        {"type": "string", "properties": {"b": IDLE, "a": {"type": "integer"}}},
        {"type": "array", "contains": IDLE, "minContains": 0},
        {"if": IDLE},
    ],
    ids=str,
)
def test_what_has_no_effect_may_be_written_in_other_ways(respelling: str, schema: Mapping[str, Any]) -> None:
    """Neither a reference nor an `allOf` of one makes a change of what nobody can send."""
    shared = {"A": {"type": "integer", "minimum": 0}}
    old, _ = contracts_of(Pair(old=schema, new=schema, old_shared=shared, new_shared=shared))

    found = [
        change
        for seed in range(8)
        for change in changes_between(old, RESPELLINGS[respelling](Rng(seed), old))
    ]

    assert [change.rule for change in found if not change.rule.startswith("component.")] == []


@pytest.mark.parametrize(
    "respelling", [SAME_PLACE[0], *(pytest.param(name, marks=pytest.mark.deep) for name in SAME_PLACE[1:])]
)
@fixed_examples(25)
@given(pair=pairs(2), seed=st.integers(0, 2**32))
def test_a_change_keeps_its_name_in_respelled_contracts(respelling: str, pair: Pair, seed: int) -> None:
    """An acknowledged change stays acknowledged when both contracts are written anew."""
    old, new = contracts_of(pair)
    respelled = [RESPELLINGS[respelling](Rng(seed), item) for item in (old, new)]

    assert fingerprints(changes_between(*respelled)) == fingerprints(changes_between(old, new))


@fixed_examples(60)
@given(pair=st.one_of(pairs(2), union_pairs()))
def test_a_change_and_its_reversal_mirror_each_other(pair: Pair) -> None:
    """What one change says to senders, its reversal says to receivers, waivers apart: few clients refuse a value
    for matching two branches, as servers do.

    How often it is said may differ: of a property that a pattern fits, it is told at the pattern, at the
    property, or at both.
    """
    there = found_in(pair, SENT)
    back = found_in(pair.mirrored, RECEIVED)

    assert mirrored_counts(there).keys() == back.keys()


def found_in(pair: Pair, position: Position) -> Counter[tuple[str, Verdict]]:
    """Return rules and verdicts between two schemas, of rules whose mirror has the same verdicts."""
    old, new = (
        api_with(*other_pair) for other_pair in ((pair.old, pair.old_shared), (pair.new, pair.new_shared))
    )
    contracts = Contracts.of(old, new, Policy())
    start = contracts.compare_schemas(schema_in(old), schema_in(new), position)
    contracts.schemas.settle()
    assert start is not None
    found = Counter[tuple[str, Verdict]]()
    for comparison in walk_comparisons(start.compared):
        for rule, hit in comparison.changes:
            verdict = hit.verdict or rule.verdict(comparison.direction)
            is_waived = _is_waived(rule.id) or hit.is_of_double_match
            if verdict is not None and rule.id in RULES and not is_waived:
                found[(_REQUIRED.get(rule.id, rule.id), verdict)] += 1
    return found


def mirrored_counts(found: Counter[tuple[str, Verdict]]) -> Counter[tuple[str, Verdict]]:
    """Return the counts of the mirrored rules."""
    return Counter({(RULES[rule].mirror or rule, verdict): count for (rule, verdict), count in found.items()})


def _is_waived(rule: str) -> bool:
    return bool(RULES[rule].waiver or RULES[RULES[rule].mirror or rule].waiver)


def test_nullable_and_exclusive_bounds_read_the_same_in_both_versions() -> None:
    """Between the spellings of OAS 3.0 and of 3.1 there is only the version."""
    old = contracts_of(Pair(old=OLD_SPELLING, new=OLD_SPELLING, old_shared={}, new_shared={}))[0]
    new = contracts_of(Pair(old=NEW_SPELLING, new=NEW_SPELLING, old_shared={}, new_shared={}))[0]
    old = {**old, "openapi": "3.0.3", "x-webhooks": old["webhooks"]}

    assert {change.rule for change in changes_between(old, new)} <= {"doc.openapi.changed"}


OLD_SPELLING = {
    "type": "object",
    "properties": {
        "a": {"type": "string", "nullable": True},
        "b": {
            "type": "number",
            "minimum": 1,
            "exclusiveMinimum": True,
            "maximum": 5,
            "exclusiveMaximum": True,
        },
        "c": {"type": "integer", "minimum": 1, "exclusiveMinimum": False},
        "d": {"type": "string", "enum": ["x", None], "nullable": True},
    },
}
NEW_SPELLING = {
    "type": "object",
    "properties": {
        "a": {"type": ["string", "null"]},
        "b": {"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 5},
        "c": {"type": "integer", "exclusiveMinimum": 0},
        "d": {"type": ["string", "null"], "enum": ["x", None]},
    },
}


@fixed_examples(30)
@given(pair=pairs(), seed=st.integers(0, 2**32))
def test_words_change_documentation_only(pair: Pair, seed: int) -> None:
    """Other words in a schema are told as such, and nothing else is."""
    old, _ = contracts_of(pair)
    new = copy.deepcopy(old)
    schemas = [schema for schema in schemas_in(new) if "$ref" not in schema]
    Rng(seed).choice(schemas)["description"] = "Other words."

    assert {change.verdict for change in changes_between(old, new)} <= {Verdict.DOCUMENTATION}


def schemas_in(document: Document) -> list[dict[str, Any]]:
    """Return schemas of a contract that are objects, the shared one of its limit at least."""
    limit = document["paths"]["/things/{id}"]["get"]["parameters"][1]["schema"]
    body = document["paths"]["/things/{id}"]["put"]["requestBody"]["content"]["application/json"]["schema"]
    return [limit, *([body] if isinstance(body, dict) else [])]


@fixed_examples(30)
@given(pair=st.one_of(pairs(), union_pairs()), other=st.one_of(pairs(), union_pairs()))
def test_one_more_edit_makes_nothing_milder(pair: Pair, other: Pair) -> None:
    """The worst of two edits in different operations is the worst of both."""
    old, new = two_operations(pair.old, other.old), two_operations(pair.new, other.new)
    first = two_operations(pair.new, other.old)
    second = two_operations(pair.old, other.new)
    shared = pair.old_shared
    worst = [
        rank(compare(api_of(before), api_of(after)).worst)
        for before, after in with_shared(shared, old, (first, second, new))
    ]

    assert max(worst[:2]) == worst[2]


def two_operations(first: Any, other: Any) -> Document:
    """Return the paths of two operations, each of which sends a value."""
    return {
        f"/{name}": {
            "put": {
                "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
                "responses": {"204": {"description": "Done."}},
            }
        }
        for name, schema in (("one", first), ("other", other))
    }


def with_shared(shared: Any, old: Document, new: tuple[Document, ...]) -> list[tuple[Document, Document]]:
    """Return contracts with these paths and shared schemas: the old one with each of the new ones."""
    head = {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "components": {"schemas": dict(shared)},
    }
    return [({**head, "paths": old}, {**head, "paths": item}) for item in new]


def rank(verdict: Verdict | None) -> int:
    """Return how grave a verdict is, less than all where there is none."""
    return -1 if verdict is None else verdict.rank


@fixed_examples(60)
@given(pair=pairs(), data=st.data())
def test_broken_contracts_are_compared_too(pair: Pair, data: st.DataObject) -> None:
    """Whatever can be read can be compared, both ways, and does not differ from itself."""
    document, _ = contracts_of(pair)
    try:
        old, new = (api_of(data.draw(mutants(document))) for _ in range(2))
    except PortalError:
        return

    for first, other in ((old, new), (new, old)):
        assert len(fingerprints(compare(first, other).changes)) == len(compare(first, other).changes)
        assert compare(first, first).changes == ()


@each_contract
@pytest.mark.corpus
def test_a_real_contract_does_not_differ_from_itself(name: str) -> None:
    """A contract of the corpus is the same as it is, and as YAML with its keys in another order."""
    contract = corpus_contract(name)
    api = contract.api

    assert compare(api, api).changes == ()
    if len(api.operations) > MOST_OPERATIONS:
        return
    document = bundle(contract)
    respelled = api_of(as_yaml(Rng(1), shuffle_keys(Rng(1), document)))
    assert compare(api_of(json.dumps(document)), respelled).changes == ()


MOST_OPERATIONS = 60
"""Contracts of more are not written anew: it would take long, and tell nothing that smaller ones do not."""


def test_many_branches_in_another_order_are_compared_pair_by_pair() -> None:
    """A union of two hundred branches is not compared each with each, and nothing is found in it."""
    branches = [
        {"type": "object", "required": ["kind"], "properties": {"kind": {"const": str(number)}}}
        for number in range(200)
    ]
    old, new = api_with({"oneOf": branches}), api_with({"oneOf": Rng(1).sample(branches, len(branches))})
    contracts = Contracts.of(old, new, Policy())
    start = contracts.compare_schemas(schema_in(old), schema_in(new), SENT)
    contracts.schemas.settle()
    assert start is not None
    compared = [*walk_comparisons(start.compared)]

    assert [hit for compared_schemas in compared for hit in compared_schemas.changes] == []
    assert len(compared) <= 3 * len(branches)
