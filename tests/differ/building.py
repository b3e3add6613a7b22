"""Small contracts for the tests of the differ, and what is found between two schemas in them."""

import json
from collections.abc import Mapping
from typing import Any

from devportal.contract import Api, Location, Schema, read_contract
from devportal.differ.contract_sources import Contracts
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.policy import Policy
from devportal.differ.rule import Direction
from devportal.differ.schemas.compare_schemas import walk_comparisons
from devportal.differ.schemas.position import Position
from devportal.documents import parse_document

SENT = Position(Direction.TO_PROVIDER)
RECEIVED = Position(Direction.TO_CONSUMER)
OPTIONAL = SENT.within(is_required=False)
AS_TEXT = SENT._replace(is_text=True)

_VALUE = "TheValue"


def api_with(
    schema: Any, components: Mapping[str, Any] | None = None, *, version: str = "3.1.0", **contract: Any
) -> Api:
    """Return a contract whose component `TheValue` is a schema, beside other components and parts."""
    written = {
        "openapi": version,
        "info": {"title": "T", "version": "1"},
        "paths": {},
        **contract,
        "components": {"schemas": {_VALUE: schema, **(components or {})}},
    }
    return read_contract(parse_document(json.dumps(written), name="api.json")).api


def schema_in(api: Api) -> Schema:
    """Return the schema of a contract that was made by `api_with`."""
    return api.schemas[Location("", ("components", "schemas", _VALUE))]


def form_of(
    schema: Any, components: Mapping[str, Any] | None = None, *, version: str = "3.1.0"
) -> NormalSchema:
    """Return the normal form of a schema."""
    api = api_with(schema, components, version=version)
    return SchemaNormaliser(api).of(schema_in(api))


def rules_and_verdicts(
    old: Any,
    new: Any,
    position: Position = SENT,
    *,
    components: Mapping[str, Any] | None = None,
    new_components: Mapping[str, Any] | None = None,
    version: str = "3.1.0",
    new_version: str = "",
    policy: Policy | None = None,
) -> list[tuple[str, str]]:
    """Return rules and verdicts between two schemas, sorted; both contracts have the same components if no
    others are given for the new one.
    """
    before = api_with(old, components, version=version)
    after = api_with(
        new, components if new_components is None else new_components, version=new_version or version
    )
    contracts = Contracts.of(before, after, policy or Policy())
    start = contracts.compare_schemas(schema_in(before), schema_in(after), position)
    contracts.schemas.settle()
    assert start is not None
    hits = [
        (rule, hit, comparison.direction)
        for comparison in walk_comparisons(start.compared)
        for rule, hit in comparison.changes
    ]
    verdicts = ((rule.id, hit.verdict or rule.verdict(direction)) for rule, hit, direction in hits)
    return sorted((rule, verdict.value) for rule, verdict in verdicts if verdict is not None)


def both_ways(old: Any, new: Any, **given: Any) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return rules and verdicts between two schemas of what the consumer sends, and of what it receives."""
    return rules_and_verdicts(old, new, SENT, **given), rules_and_verdicts(old, new, RECEIVED, **given)
