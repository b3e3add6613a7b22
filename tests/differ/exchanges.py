"""Contracts of one operation for the tests of the differ, and what is found between two of them."""

import json
from collections.abc import Mapping
from typing import Any

from devportal.contract import Api, read_contract
from devportal.differ import Change, Policy, compare
from devportal.documents import parse_document

OK = {"200": {"description": "OK"}}
Operation = Mapping[str, Any]


def api_of(operation: Operation, *, path: str = "/things", version: str = "3.1.0", **contract: Any) -> Api:
    """Return a contract with one operation, which answers 200 where it says nothing else."""
    item = {"post": {"responses": OK, **operation}}
    written = {"openapi": version, "info": {"title": "T", "version": "1"}, "paths": {path: item}, **contract}
    return read_contract(parse_document(json.dumps(written), name="api.json")).api


def event_of(operation: Operation) -> Api:
    """Return a contract with one webhook, which is answered with 200 where it says nothing else."""
    hook = {"thing.made": {"post": {"responses": OK, **operation}}}
    return api_of({}, webhooks=hook)


def changes(old: Api, new: Api, policy: Policy | None = None) -> tuple[Change, ...]:
    """Return what is found between two contracts."""
    return compare(old, new, policy).changes


def operation_changes(old: Operation, new: Operation, policy: Policy | None = None) -> list[tuple[str, str]]:
    """Return rules and verdicts between two versions of an operation."""
    return _rules_and_verdicts(changes(api_of(old), api_of(new), policy))


def found_in_event(old: Operation, new: Operation) -> list[tuple[str, str]]:
    """Return rules and verdicts between two versions of the request of a webhook."""
    return _rules_and_verdicts(changes(event_of(old), event_of(new)))


def _rules_and_verdicts(found: tuple[Change, ...]) -> list[tuple[str, str]]:
    return sorted((change.rule, change.verdict.value) for change in found)


def parameter(schema: Any = None, **more: Any) -> dict[str, Any]:
    """Return an operation with one parameter: `limit` in the query, a text, if nothing else is said."""
    told = {"name": "limit", "in": "query", **more}
    return {"parameters": [told if "content" in more else {"schema": schema or {"type": "string"}, **told}]}


def body(content: Any, **more: Any) -> dict[str, Any]:
    """Return an operation with a required body in these media types."""
    return {"requestBody": {"required": True, "content": content, **more}}


def response(status: str = "200", **more: Any) -> dict[str, Any]:
    """Return an operation with one response."""
    return {"responses": {status: {"description": "OK", **more}}}


def statuses(*codes: str, content: Any = None) -> dict[str, Any]:
    """Return an operation with these responses, all with the same body."""
    told = {"description": "x", **({"content": content} if content else {})}
    return {"responses": dict.fromkeys(codes, told)}
