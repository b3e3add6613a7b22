"""All rules for a contract, over its documents and its model."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from devportal.contract.audience import unused_marks
from devportal.contract.internal.required_parts import check_internal_bodies, check_required_internal_parts
from devportal.contract.internal.withheld import published_objects, references_in
from devportal.contract.load import Contract
from devportal.contract.model import Operation, ParameterLocation
from devportal.contract.operation_names import every_operation
from devportal.contract.path_templates import placeholder_names, without_names
from devportal.contract.read.lifecycle_extensions import is_internal
from devportal.contract.schemas import Location
from devportal.contract.validate.dropped_content import check_dropped_content
from devportal.contract.validate.example_rules import check_examples
from devportal.contract.validate.header_values import check_header_values
from devportal.contract.validate.oas_objects import OBJECT_FIELDS
from devportal.contract.validate.oas_schemas import check_against_oas
from devportal.contract.validate.object_rules import check_objects
from devportal.contract.validate.schema_rules import check_schemas
from devportal.contract.value_sources import ValueSources
from devportal.contract.wording import quote_reference, quote_value, truncate_text
from devportal.documents import Document
from devportal.findings import Finding, Level, in_order

_CONTROL = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Bidirectional marks, embeddings, overrides and isolates, and the characters that end them (UAX #9 §2)."""
_ESCAPE = re.compile(r"\\[uU]0*(?:061c|20[06][0-9a-f]|202[a-e])", re.IGNORECASE)
"""How JSON and YAML may write one of them."""
_OVERRIDE = re.compile("[\u202d\u202e]")
_BEGINS = {"\u202a": "\u202c", "\u202b": "\u202c", "\u2066": "\u2069", "\u2067": "\u2069", "\u2068": "\u2069"}
"""What begins an embedding or an isolate, with what ends it."""


def check_directions(contract: Contract) -> Iterator[Finding]:
    """Yield each name with such a character, and each text with an override or without the end of one."""
    for name, document in contract.source.documents().items():
        if _CONTROL.search(document.text) or _ESCAPE.search(document.text):
            yield from _check_document_direction(contract, name, document)


def _check_document_direction(contract: Contract, file: str, document: Document) -> Iterator[Finding]:
    pending: list[tuple[Any, Location]] = [(document.data, Location(file, ()))]
    while pending:
        value, location = pending.pop()
        match value:
            case dict():
                pending += [(member, location.child(key)) for key, member in value.items()]
                keys = ((key, location.child(key)) for key in value if isinstance(key, str))
                yield from (_direction_finding(contract, key, at) for key, at in keys if _CONTROL.search(key))
            case list():
                pending += [(member, location.child(number)) for number, member in enumerate(value)]
            case str() if has_hidden_reordering(value):
                yield _direction_finding(contract, value, location)


def has_hidden_reordering(text: str) -> bool:
    """Say whether a text is shown in another order than it has: by an override, or an embedding left open."""
    return _OVERRIDE.search(text) is not None or not all(map(_is_closed, text.splitlines()))


def _is_closed(line: str) -> bool:
    expected_ends: list[str] = []
    for text in line:
        if text in _BEGINS:
            expected_ends.append(_BEGINS[text])
        elif text in _BEGINS.values() and (not expected_ends or expected_ends.pop() != text):
            return False
    return not expected_ends


def _direction_finding(contract: Contract, text: str, location: Location) -> Finding:
    characters = ", ".join(f"U+{ord(item):04X}" for item in dict.fromkeys(_CONTROL.findall(text)))
    return Finding(
        rule="contract-direction",
        level=Level.WARNING,
        place=contract.place(location),
        message=f"{quote_value(text)} may be read as another text: it holds {characters}, which changes its direction",
        help="remove the character: pages find the direction of each text by its letters",
    )


_COMPONENT_NAME = re.compile(r"[a-zA-Z0-9._-]+")


def check_model_rules(contract: Contract) -> Iterator[Finding]:
    """Yield each break of the rules between parts, at its place."""
    yield from _check_operation_ids(contract)
    yield from _check_paths(contract)
    for operation in contract.api.operations:
        yield from _check_path_parameters(contract, operation)
    yield from _check_names(contract)
    yield from _check_references(contract)


def _finding(contract: Contract, rule: str, location: Location, message: str, advice: str) -> Finding:
    return Finding(rule=rule, level=Level.ERROR, place=contract.place(location), message=message, help=advice)


def _check_operation_ids(contract: Contract) -> Iterator[Finding]:
    """An operationId is unique among all operations of a contract (OAS 3.0.3 §4.7.10)."""
    first: dict[str, Operation] = {}
    for operation in every_operation(contract.api):
        if not operation.id_is_declared:
            continue
        other = first.setdefault(operation.id, operation)
        if other.key != operation.key:
            is_shared = other.location == operation.location
            own, first_use = (
                other_operation.key if is_shared else other_operation.location
                for other_operation in (operation, other)
            )
            yield _finding(
                contract,
                "contract-operation-id",
                own.child("operationId"),
                f"the operationId {quote_value(operation.id)} is also that of "
                f"{contract.place(first_use.child('operationId'))}",
                "write the operations that share a path item apart, or leave out the operationId"
                if is_shared
                else "give each operation its own",
            )


def _check_paths(contract: Contract) -> Iterator[Finding]:
    """Paths that differ in the names of their parameters only are the same one (OAS 3.0.3 §4.7.8.1). A path has
    neither a query nor a fragment (OAS 3.2.0 §4.8.2).
    """
    first: dict[str, str] = {}
    for path in dict.fromkeys(operation.path for operation in contract.api.operations):
        yield from _check_query_in_path(contract, path)
        other = first.setdefault(without_names(path), path)
        if other != path:
            place = contract.place(Location("", ("paths", other)))
            yield replace(
                _finding(
                    contract,
                    "contract-path",
                    Location("", ("paths", path)),
                    f"no request can distinguish the path {quote_reference(path)} "
                    f"from {quote_reference(other)} at {place}",
                    "put their operations under one path, with the same names in braces",
                ),
                level=Level.WARNING,
            )


def _check_query_in_path(contract: Contract, path: str) -> Iterator[Finding]:
    if "#" in path:
        message = f"the path {quote_value(path)} contains a fragment, which no request sends"
        advice = "remove '#' and what follows it, and describe the variants in one operation"
    elif "?" in path:
        message = f"the path {quote_value(path)} contains a query"
        advice = "end the path before '?', and declare what follows as parameters with 'in: query'"
    else:
        return
    location = Location("", ("paths", path))
    yield replace(_finding(contract, "contract-path", location, message, advice), level=Level.WARNING)


def _operation_name(operation: Operation) -> str:
    return truncate_text(f"{operation.method} {operation.path}", 100)


def _check_path_parameters(contract: Contract, operation: Operation) -> Iterator[Finding]:
    """Each name in a path's template is a path parameter, and the reverse (OAS 3.0.3 §4.7.12.1)."""
    template_names = dict.fromkeys(placeholder_names(operation.path))
    declared = {
        parameter.name: parameter
        for parameter in operation.parameters
        if parameter.location_in is ParameterLocation.PATH
    }
    where = _operation_name(operation)
    for name in template_names:
        if name not in declared:
            yield _finding(
                contract,
                "contract-path-parameter",
                operation.location,
                f"{where} has no path parameter {quote_value(name)}, which its path names",
                f"declare a parameter {quote_value(name)} with 'in: path', or fix the path",
            )
    for name, parameter in declared.items():
        if name not in template_names:
            yield _finding(
                contract,
                "contract-path-parameter",
                parameter.location,
                f"the path of {where} does not name the path parameter {quote_value(name)}",
                f"write {{{truncate_text(name)}}} in the path, or remove the parameter",
            )


def check_value_sources(contract: Contract) -> Iterator[Finding]:
    """Yield a note for each path parameter whose values no operation returns, where others have a source."""
    sources = ValueSources(contract.api)
    if not any(sources.of(operation) for operation in contract.api.operations):
        return  # all values of the contract come from elsewhere
    for name, operations in sources.dead_ends().items():
        first = operations[0]
        parameter = next((parameter for parameter in first.parameters if parameter.name == name), None)
        others = f", nor for {len(operations) - 1} more" if len(operations) > 1 else ""
        yield Finding(
            rule="contract-value-source",
            level=Level.NOTE,
            place=contract.place(parameter.location if parameter is not None else first.location),
            message=f"no response has a value for the path parameter {quote_value(name)} of "
            f"{_operation_name(first)}{others}",
            help="add a link to the response that has it, or say in its description where it comes from",
        )


def check_audience_is_chosen(contract: Contract) -> Iterator[Finding]:
    """Yield one warning if parts are marked for audiences, and the contract is read for none of them."""
    first = unused_marks(contract.source.documents().items())
    if first is not None:
        yield Finding(
            rule="contract-audience",
            level=Level.WARNING,
            place=contract.place(first),
            message="parts of this contract are marked with x-audience, and no audience is chosen: everybody "
            "sees them",
            help="declare the audiences of the project under 'audiences' in mkdocs.yml, or write x-internal",
        )


def _check_names(contract: Contract) -> Iterator[Finding]:
    """The name of a component has only these characters (OAS 3.0.3 §4.7.7.1). From 3.1 on the OAS schema
    checks this.
    """
    components = contract.source.root().mapping("components")
    if components is None or not contract.api.openapi.startswith("3.0"):
        return
    for section in OBJECT_FIELDS["components"]:
        for name, member in components.members(section):
            if not _COMPONENT_NAME.fullmatch(name) and not is_internal(member):
                yield replace(
                    _finding(
                        contract,
                        "contract-component-name",
                        member.location,
                        f"{quote_value(name)} is not a name for a component",
                        "use letters, digits, '.', '-' and '_' only",
                    ),
                    level=Level.WARNING,
                )


def _check_references(contract: Contract) -> Iterator[Finding]:
    """References lead somewhere, those in components that nothing uses too: nobody else follows these."""
    source = contract.source.quiet()
    for kind, value, location in published_objects(contract.source):
        for reference in references_in(kind, value):
            target = source.locate(reference, location)
            if target is not None and (target.file or reference == value.get("$ref")):
                source.node_at(target, location, reference)
    yield from source.findings()


_FIELD_RULES = frozenset({"contract-unknown", "contract-version", "contract-ignored"})
"""The rules for fields that their object does not have, and that are therefore not shown."""


def check_contract(contract: Contract) -> tuple[Finding, ...]:
    """Return all problems of a contract: from reading it, against the OAS, in its examples, and content that
    the portal does not show.
    """
    invalid = list(check_against_oas(contract))
    checks = (
        check_model_rules(contract),
        check_objects(contract),
        check_header_values(contract),
        check_required_internal_parts(contract),
        check_internal_bodies(contract),
        check_directions(contract),
        check_schemas(contract),
        check_examples(contract),
        check_value_sources(contract),
        check_audience_is_chosen(contract),
        _without_reported_fields(invalid, check_dropped_content(contract)),
    )
    return in_order([*contract.findings, *invalid, *(finding for check in checks for finding in check)])


def _without_reported_fields(invalid: Iterable[Finding], unshown: Iterable[Finding]) -> Iterator[Finding]:
    """Yield what is not shown, without fields that are already reported as forbidden by the OAS."""
    places = {finding.place for finding in invalid}
    return (finding for finding in unshown if finding.rule not in _FIELD_RULES or finding.place not in places)
