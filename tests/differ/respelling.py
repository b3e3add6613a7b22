"""Contracts drawn at random, and the ways to write one anew so that it says the same."""

import copy
import random
from collections.abc import Callable
from typing import Any

import yaml

from tests.differ.strategies import Pair

Document = dict[str, Any]
Rng = random.Random

_SCHEMAS_BY_NAME = frozenset({"properties", "patternProperties", "dependentSchemas", "schemas"})
_BY_NAME = frozenset({"responses", "content"})
_BRANCHES = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "contains", "propertyNames", "schema")
"""Where schemas stand."""
_LEFT_ALONE = frozenset({"enum", "const", "not", "if", "then", "else"})


def contracts_of(pair: Pair) -> tuple[Document, Document]:
    """Return two contracts in which a pair of schemas is sent, received, and told by an event."""
    return (
        contract_of(pair.old, dict(pair.old_shared)),
        contract_of(pair.new, dict(pair.new_shared)),
    )


def contract_of(schema: Any, shared: Document) -> Document:
    """Return a contract in which a schema is sent, received, and told by an event."""
    content = {"application/json": {"schema": schema}}
    said = {"200": {"description": "Done.", "content": content}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Things", "version": "1.0.0"},
        "servers": [{"url": "https://api.example.com/v1"}],
        "paths": {
            "/things/{id}": {
                "get": {
                    "operationId": "getThing",
                    "parameters": [
                        {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
                        {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 9}},
                    ],
                    "responses": said,
                },
                "put": {
                    "operationId": "putThing",
                    "parameters": [
                        {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
                    ],
                    "requestBody": {"required": True, "content": content},
                    "responses": {"204": {"description": "Done."}},
                },
            }
        },
        "webhooks": {
            "thing.made": {
                "post": {"requestBody": {"content": content}, "responses": {"200": {"description": "OK"}}}
            }
        },
        "components": {"schemas": shared},
    }


def shuffle_keys(rng: Rng, document: Any) -> Any:
    """Return a document with the keys of its objects in another order."""
    match document:
        case dict():
            keys = list(document)
            rng.shuffle(keys)
            return {key: shuffle_keys(rng, document[key]) for key in keys}
        case list():
            return [shuffle_keys(rng, item) for item in document]
    return document


def as_yaml(rng: Rng, document: Document) -> str:
    """Return a document as YAML, in blocks or in one flow."""
    return str(
        yaml.dump(
            document, Dumper=yaml.CSafeDumper, default_flow_style=rng.choice([True, False]), sort_keys=False
        )
    )


def in_all_of(rng: Rng, document: Document) -> Document:
    """Return a contract with one of its schemas as the only part of an `allOf`."""
    made = copy.deepcopy(document)
    container, key = rng.choice(_schemas_in(made))
    container[key] = {"allOf": [container[key]]}
    return made


def moved_out(rng: Rng, document: Document) -> Document:
    """Return a contract with one of its schemas among the components, referred to."""
    made = copy.deepcopy(document)
    shared = made["components"]["schemas"]
    container, key = rng.choice(_schemas_in(made))
    if container is not shared:
        shared["Moved"] = container[key]
        container[key] = {"$ref": "#/components/schemas/Moved"}
    return made


def moved_in(rng: Rng, document: Document) -> Document:
    """Return a contract with one reference replaced by what it refers to."""
    made = copy.deepcopy(document)
    found = [(box, key) for box, key in _schemas_in(made) if "$ref" in _keywords(box[key])]
    if found:
        container, key = rng.choice(found)
        name = container[key]["$ref"].rsplit("/", 1)[-1]
        target = copy.deepcopy(made["components"]["schemas"][name])
        beside = {word: value for word, value in container[key].items() if word != "$ref"}
        container[key] = {**beside, "allOf": [*beside.pop("allOf", []), target]} if beside else target
    return made


def with_shared_parameters(_rng: Rng, document: Document) -> Document:
    """Return a contract with the parameter of all operations of the path at the path."""
    made = copy.deepcopy(document)
    for item in made["paths"].values():
        operations = [item[method] for method in ("get", "put")]
        item["parameters"] = [operations[0]["parameters"][0]]
        for operation in operations:
            operation["parameters"] = operation["parameters"][1:]
    return made


def with_prefix_in_paths(_rng: Rng, document: Document) -> Document:
    """Return a contract with the path of its server in the paths of its operations."""
    made = copy.deepcopy(document)
    made["servers"] = [{"url": "https://api.example.com"}]
    made["paths"] = {f"/v1{path}": item for path, item in made["paths"].items()}
    return made


RESPELLINGS: dict[str, Callable[[Rng, Document], Document]] = {
    "keys in another order": shuffle_keys,
    "as YAML": lambda rng, document: yaml.load(as_yaml(rng, document), Loader=yaml.CSafeLoader),
    "allOf of one": in_all_of,
    "schema moved out": moved_out,
    "schema moved in": moved_in,
    "parameters of the path": with_shared_parameters,
    "prefix in the paths": with_prefix_in_paths,
}


def _schemas_in(document: Any) -> list[tuple[Any, Any]]:
    """Return where schemas of a contract stand: container and key."""
    found: list[tuple[Any, Any]] = []
    pending = [*document["paths"].values(), *document["webhooks"].values(), document["components"]]
    for item in pending:
        _gather(item, found)
    return found


def _keywords(schema: Any) -> frozenset[str]:
    return frozenset(schema) if isinstance(schema, dict) else frozenset()


def _gather(node: Any, found: list[tuple[Any, Any]]) -> None:
    if isinstance(node, list):
        for item in node:
            _gather(item, found)
    for key, value in node.items() if isinstance(node, dict) else ():
        if key in _SCHEMAS_BY_NAME:
            found += [(value, name) for name in value]
        elif key in _BRANCHES:
            found += [(value, number) for number in range(len(value))]
        elif key in _SINGLE and isinstance(value, dict):
            found.append((node, key))
        if key in _SCHEMAS_BY_NAME or key in _BY_NAME:
            _gather([*value.values()], found)
        elif key not in _LEFT_ALONE:
            _gather(value, found)
