"""What the parts of a contract say of each other: rules that the model shows better than any schema."""

import re
from collections.abc import Iterator
from dataclasses import replace

from devportal.contract.internal.withheld import published_objects
from devportal.contract.load import Contract
from devportal.contract.model import Operation, ParameterLocation
from devportal.contract.operation_names import every_operation
from devportal.contract.read.marks import is_internal
from devportal.contract.schemas import Location
from devportal.contract.validate.oas_objects import OBJECT_FIELDS
from devportal.contract.wording import quote_value, truncate_text
from devportal.findings import Finding, Level

_COMPONENT_NAME = re.compile(r"[a-zA-Z0-9._-]+")
_TEMPLATE_VARIABLE = re.compile(r"\{([^{}]+)\}")


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
            here, there = (one.key if is_shared else one.location for one in (operation, other))
            yield _finding(
                contract,
                "contract-operation-id",
                here.child("operationId"),
                f"the operationId {quote_value(operation.id)} is also that of "
                f"{contract.place(there.child('operationId'))}",
                "write the operations that share a path item apart, or leave out the operationId"
                if is_shared
                else "give each operation its own",
            )


def _check_paths(contract: Contract) -> Iterator[Finding]:
    """Paths that differ in the names of their parameters only are the same one (OAS 3.0.3 §4.7.8.1)."""
    first: dict[str, str] = {}
    for path in dict.fromkeys(operation.path for operation in contract.api.operations):
        other = first.setdefault(_TEMPLATE_VARIABLE.sub("{}", path), path)
        if other != path:
            there = contract.place(Location("", ("paths", other)))
            yield replace(
                _finding(
                    contract,
                    "contract-path",
                    Location("", ("paths", path)),
                    f"no request can tell the path {quote_value(path)} from {quote_value(other)} at {there}",
                    "put their operations under one path, with the same names in braces",
                ),
                level=Level.WARNING,
            )


def _operation_name(operation: Operation) -> str:
    return truncate_text(f"{operation.method} {operation.path}", 100)


def _check_path_parameters(contract: Contract, operation: Operation) -> Iterator[Finding]:
    """Each name in a path's template is a path parameter, and the reverse (OAS 3.0.3 §4.7.12.1)."""
    named = dict.fromkeys(_TEMPLATE_VARIABLE.findall(operation.path))
    declared = {one.name: one for one in operation.parameters if one.location_in is ParameterLocation.PATH}
    where = _operation_name(operation)
    for name in named:
        if name not in declared:
            yield _finding(
                contract,
                "contract-path-parameter",
                operation.location,
                f"{where} has no path parameter {quote_value(name)}, which its path names",
                f"declare a parameter {quote_value(name)} with 'in: path', or mend the path",
            )
    for name, parameter in declared.items():
        if name not in named:
            yield _finding(
                contract,
                "contract-path-parameter",
                parameter.location,
                f"the path of {where} does not name the path parameter {quote_value(name)}",
                f"write {{{truncate_text(name)}}} in the path, or remove the parameter",
            )


def _check_names(contract: Contract) -> Iterator[Finding]:
    """Names of components have no other characters than these (OAS 3.0.3 §4.7.7.1). From 3.1 on the schema of
    the document says so.
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
                        f"{quote_value(name)} is no name for a component",
                        "use letters, digits, '.', '-' and '_' only",
                    ),
                    level=Level.WARNING,
                )


def _check_references(contract: Contract) -> Iterator[Finding]:
    """References lead somewhere, those in components that nothing uses too: nobody else follows these."""
    source = contract.source.quiet()
    for _, value, here in published_objects(source):
        if isinstance(value.get("$ref"), str):
            source.follow(value["$ref"], here)
    yield from source.findings()
