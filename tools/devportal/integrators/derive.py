"""Recorded exchanges → what they use of a contract: names that the contract has, and values of its enums only."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from devportal.contract import ABSENT, Api, MediaType, Operation, ParameterLocation, Schema
from devportal.contract.path_templates import path_pattern
from devportal.differ.places.place_parts import ANY_NAME, ITEM
from devportal.integrators.contract_names import ContractNames, has_status
from devportal.integrators.exchanges import Exchange
from devportal.integrators.uses import VERSION, Path, path_text

_MAX_DEPTH = 100
"""How deep values are followed."""
_CREDENTIALS = frozenset({"authorization", "cookie", "proxy-authorization", "set-cookie"})


@dataclass(kw_only=True)
class OperationRecord:
    """What was seen of one operation."""

    parameters: set[str] = field(default_factory=set)
    request: set[Path] = field(default_factory=set)
    responses: dict[str, set[Path]] = field(default_factory=lambda: defaultdict(set))
    headers: set[str] = field(default_factory=set)
    values: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    has_response: bool = False


@dataclass(frozen=True, kw_only=True)
class Derivation:
    """The operations that exchanges use, and what did not match, counted by its kind."""

    operations: Mapping[str, OperationRecord]
    unmatched: Mapping[str, int]
    matched: int


def derive_uses(exchanges: Iterable[Exchange], api: Api) -> Derivation:
    """Return what exchanges use of a contract."""
    deriver = _Deriver(names=ContractNames(api=api))
    for exchange in exchanges:
        deriver.add(exchange)
    return Derivation(
        operations=dict(sorted(deriver.records.items())),
        unmatched=dict(sorted(deriver.unmatched.items())),
        matched=deriver.matched,
    )


@dataclass(kw_only=True)
class _Deriver:
    names: ContractNames
    records: dict[str, OperationRecord] = field(default_factory=lambda: defaultdict(OperationRecord))
    unmatched: Counter[str] = field(default_factory=Counter)
    matched: int = 0

    @cached_property
    def templates(self) -> tuple[tuple[str, re.Pattern[str], int, Operation], ...]:
        """Return method, pattern of the path, number of placeholders and operation, those with fewest first."""
        rows = [
            (operation.method.upper(), path_pattern(operation.path), operation.path.count("{"), operation)
            for operation in self.names.api.operations
        ]
        return tuple(sorted(rows, key=lambda row: (row[2], row[3].path, row[0])))

    @cached_property
    def bases(self) -> tuple[str, ...]:
        """Return the paths of the servers, the longest first; last none."""
        servers = {
            *self.names.api.servers,
            *(server for each in self.names.api.operations for server in each.servers),
        }
        paths = {urlsplit(server.address).path.rstrip("/") for server in servers if "{" not in server.address}
        return tuple(sorted({*paths, ""}, key=lambda path: (-len(path), path)))

    def find(self, exchange: Exchange) -> Operation | None:
        """Return the operation of an exchange."""
        for base in self.bases:
            if not exchange.path.startswith(base):
                continue
            path = exchange.path.removeprefix(base)
            for method, pattern, _, operation in self.templates:
                if method == exchange.method and pattern.fullmatch(path):
                    return operation
        return None

    def add(self, exchange: Exchange) -> None:
        """Add what an exchange uses."""
        operation = self.find(exchange)
        if operation is None:
            self.unmatched["request without an operation"] += 1
            return
        self.matched += 1
        record = self.records[f"{operation.method.upper()} {operation.path}"]
        self.add_parameters(record, exchange, operation)
        content = operation.request_content
        record.request |= self.fields(record, "request", exchange.body, content)
        if exchange.status:
            self.add_response(record, exchange, operation)

    def add_parameters(self, record: OperationRecord, exchange: Exchange, operation: Operation) -> None:
        """Add the parameters that the contract names; values of enums alone."""
        by_place = {
            (parameter.location_in, _fold_case(parameter.location_in, parameter.name)): parameter
            for parameter in operation.parameters
        }
        for name in exchange.query:
            parameter = by_place.get((ParameterLocation.QUERY, name))
            if parameter is None:
                self.unmatched["query parameter that the contract does not have"] += 1
                continue
            record.parameters.add(f"query.{parameter.name}")
            enum = self.enum((parameter.schema,) if parameter.schema is not None else ())
            sent = {value for each, value in exchange.query_values if each == name}
            record.values[f"query.{parameter.name}"] |= {str(item) for item in enum if str(item) in sent}
        for name in exchange.headers:
            parameter = by_place.get((ParameterLocation.HEADER, name))
            if parameter is not None and name not in _CREDENTIALS:
                record.parameters.add(f"header.{parameter.name}")

    def add_response(self, record: OperationRecord, exchange: Exchange, operation: Operation) -> None:
        """Add what a response has: fields and headers that the contract names."""
        declared = [
            response for response in operation.responses if has_status(response.status, exchange.status)
        ]
        exact = [response for response in declared if response.status == exchange.status] or declared
        if not exact:
            self.unmatched["response with a status that the contract does not have"] += 1
            return
        record.has_response = True
        content = tuple(media for response in exact for media in response.content)
        place = f"response.{exchange.status}"
        record.responses[exchange.status] |= self.fields(record, place, exchange.response_body, content)
        headers = {header.name.lower(): header.name for response in exact for header in response.headers}
        record.headers |= {
            headers[response_header]
            for response_header in exchange.response_headers
            if response_header in headers
        }

    def fields(
        self, record: OperationRecord, place: str, body: Any, content: tuple[MediaType, ...]
    ) -> set[Path]:
        """Return the innermost fields of a body that the contract names; of one that is not JSON, all of it."""
        found: set[Path] = set()
        schemas = self.names.schemas(content)
        if body is ABSENT and schemas:
            found.add(())
        elif schemas:
            self._walk(body, schemas, (), found, record.values, place)
        return found

    def _walk(
        self,
        value: Any,
        schemas: tuple[Schema, ...],
        path: Path,
        found: set[Path],
        values: dict[str, set[str]],
        place: str,
    ) -> None:
        if len(path) >= _MAX_DEPTH:
            found.add(path)
            return
        if isinstance(value, dict) and value:
            for name, member in value.items():
                self._walk_member(str(name), member, schemas, path, found, values, place)
        elif isinstance(value, list) and value:
            below = self.names.step(schemas, ITEM)
            for item in value:
                self._walk(item, below or (), (*path, ITEM), found, values, place)
        else:
            found.add(path)
            enum = self.enum(schemas)
            if isinstance(value, str) and value in enum:
                values[f"{place}.{path_text(path)}"].add(value)

    def _walk_member(
        self,
        name: str,
        member: Any,
        schemas: tuple[Schema, ...],
        path: Path,
        found: set[Path],
        values: dict[str, set[str]],
        place: str,
    ) -> None:
        """Follow a member that the contract names. The name of any other one may be data: it is not kept."""
        if name not in self.names.property_names(schemas):
            if self.names.step(schemas, name) is None:
                self.unmatched["field that the contract does not have"] += 1
            else:
                found.add((*path, ANY_NAME))
            return
        self._walk(member, self.names.step(schemas, name) or (), (*path, name), found, values, place)

    def enum(self, schemas: tuple[Schema, ...]) -> tuple[Any, ...]:
        """Return the values of the enums of schemas."""
        return tuple(value for schema in self.names.flatten(schemas) for value in schema.enum)


def _fold_case(location: ParameterLocation, name: str) -> str:
    """Return a name as recordings have it: names of headers have no case (RFC 9110 §5.1)."""
    return name.lower() if location is ParameterLocation.HEADER else name


def uses_data(derivation: Derivation, existing: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the data of a file of uses, sorted; with `existing`, what that lists is kept and comes first."""
    before = dict(existing or {})
    operations = {name: dict(operation) for name, operation in before.get("operations", {}).items()}
    for name, record in derivation.operations.items():
        operations[name] = _merge_operation(operations.get(name), _record_data(record))
    data: dict[str, Any] = {"version": VERSION}
    if "since" in before:
        data["since"] = before["since"]
    data["operations"] = dict(sorted(operations.items()))
    if before.get("events"):
        data["events"] = before["events"]
    return data


def _record_data(record: OperationRecord) -> dict[str, Any]:
    data: dict[str, Any] = {
        "parameters": sorted(record.parameters),
        "request": _field_texts(record.request),
    }
    if record.has_response:
        data["responses"] = {
            status: _field_texts(fields) for status, fields in sorted(record.responses.items())
        }
        data["headers"] = sorted(record.headers)
    values = {place: sorted(values) for place, values in sorted(record.values.items()) if values}
    return {**data, "values": values} if values else data


def _merge_operation(old: Mapping[str, Any] | None, new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the lists of both. A list that the old file leaves out stays out: it is everything."""
    if old is None:
        return dict(new)
    merged: dict[str, Any] = {
        key: _join(old[key], new.get(key, ())) for key in ("parameters", "request", "headers") if key in old
    }
    if "responses" in old:
        merged["responses"] = _join_lists(old["responses"], new.get("responses", {}))
    added = {
        place: values
        for place, values in new.get("values", {}).items()
        if place in old.get("values", {}) or not _is_listed(place, old)
    }
    values = _join_lists(old.get("values", {}), added)
    if values:
        merged["values"] = values
    return {key: merged[key] for key in _KEYS if key in merged}


_KEYS = ("parameters", "request", "responses", "headers", "values")


def _is_listed(place: str, old: Mapping[str, Any]) -> bool:
    """Return whether a file lists a field already: without values there, it uses all of them."""
    side, _, name = place.partition(".")
    if side == "request":
        return "request" not in old or name in old["request"]
    if side == "response":
        status, _, path = name.partition(".")
        return "responses" not in old or path in old["responses"].get(status, ())
    return "parameters" not in old or place in old["parameters"]


def _join_lists(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    return {text: _join(first.get(text, ()), second.get(text, ())) for text in sorted({*first, *second})}


def _field_texts(fields: Iterable[Path]) -> list[str]:
    """Return fields as people write them, without those that were only empty where others have fields inside."""
    every = set(fields)
    inner = {item[:end] for item in every for end in range(1, len(item))}
    return sorted(path_text(item) for item in every if item not in inner)


def _join(first: Iterable[Any], second: Iterable[Any]) -> list[Any]:
    joined = list(first)
    return sorted([*joined, *(each for each in second if each not in joined)], key=str)
