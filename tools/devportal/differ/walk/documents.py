"""Walks two contracts side by side: their operations, components and the uses of components."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from devportal.contract import Api, Location, Operation, Schema, SecurityScheme
from devportal.contract.schemas import walk_schema
from devportal.differ.change import Subject, SubjectKind, Use, component_of, section_noun
from devportal.differ.contract_sources import Contracts
from devportal.differ.located_changes import ChangeLocation, LocatedChange, apply_rules
from devportal.differ.match.operations import OperationMatching, match_operations, url_template
from devportal.differ.match.renames import NamedPart, find_renames
from devportal.differ.match.servers import ServerPair, moved_prefixes
from devportal.differ.normalise.subtypes import DiscriminatorSubtypes
from devportal.differ.part_pair import DocumentPair, OperationChange, OperationChangeKind, OperationPair
from devportal.differ.rule import Direction, Verdict
from devportal.differ.rules.components import COMPONENT_RULES, UNUSED_RULES, ComponentPair, UnusedSchemaPair
from devportal.differ.rules.document import DOCUMENT_RULES
from devportal.differ.rules.operation_changes import OPERATION_CHANGE_RULES, operation_removal
from devportal.differ.rules.removals import REMOVAL_RULES
from devportal.differ.rules.security import GLOBAL_RULES
from devportal.differ.rules.servers import OPERATION_SERVER_RULES, SERVER_RULES
from devportal.differ.schemas.position import Position, Side
from devportal.differ.schemas.schema_descriptions import describe_schema
from devportal.differ.walk.events import webhook_findings
from devportal.differ.walk.operations import operation_findings


def used_schemas(api: Api) -> frozenset[Location]:
    """Return the shared schemas that an operation or event reaches, over any number of references."""
    used: set[Location] = set()
    subtypes = DiscriminatorSubtypes(api)
    pending = [schema for operation in every_operation(api) for schema in schemas_in(operation)]
    while pending:
        for part in walk_schema(pending.pop()):
            targets = [part.ref] if part.ref is not None else []
            if part.discriminator is not None:
                targets += part.discriminator.targets
                targets += subtypes.below(part.location)
            for target in targets:
                if target not in used and target in api.schemas:
                    used.add(target)
                    pending.append(api.schemas[target])
    return frozenset(used)


class _UsedSchemas:
    """The shared schemas that the messages of each contract reach, looked for once they are asked for."""

    def __init__(self, contracts: Contracts) -> None:
        self._contracts = contracts

    @cached_property
    def old(self) -> frozenset[Location]:
        """Those of the old contract."""
        return used_schemas(self._contracts.old)

    @cached_property
    def new(self) -> frozenset[Location]:
        """Those of the new contract."""
        return used_schemas(self._contracts.new)


def used_schemes(api: Api) -> frozenset[str]:
    """Return the names of the security schemes that an operation, an event or the root asks for."""
    requirements = [
        *api.security,
        *(entry for operation in every_operation(api) for entry in operation.security),
    ]
    return frozenset(use.scheme for requirement in requirements for use in requirement)


def every_operation(api: Api) -> Iterator[Operation]:
    """Yield the operations of a contract, those of its events, and the callbacks of both."""
    pending = [*api.operations, *(operation for webhook in api.webhooks for operation in webhook.operations)]
    while pending:
        operation = pending.pop()
        yield operation
        pending += [below for callback in operation.callbacks for below in callback.operations]


def schemas_in(operation: Operation) -> Iterator[Schema]:
    """Yield the inline schemas of an operation."""
    parts: list[Any] = [*operation.parameters, *operation.responses]
    if operation.request_body is not None:
        parts.append(operation.request_body)
    while parts:
        part = parts.pop()
        for name in ("schema", "item_schema"):
            schema = getattr(part, name, None)
            if schema is not None:
                yield schema
        for name in ("headers", "encodings", "prefix_encodings"):
            parts += getattr(part, name, ())
        content = getattr(part, "content", ())
        parts += content if isinstance(content, tuple) else [content] if content is not None else []


def unused_schema_pairs(contracts: Contracts) -> Iterator[UnusedSchemaPair]:
    """Yield the changed schemas, with verdicts as sent and as received.

    If the contract has operations or events, unused schemas are not a promise.
    """
    if any(map(_has_operations, (contracts.old, contracts.new))):
        return
    for location, old, new in _changed_schemas(contracts):
        verdicts = tuple(_worst_verdicts(contracts, old, new))
        if len(verdicts) == len(Direction):
            yield UnusedSchemaPair(
                name=location.pointer[-1],
                old=describe_schema(contracts.includes.forms(Side.OLD), (old,)),
                new=describe_schema(contracts.includes.forms(Side.NEW), (new,)),
                old_location=old.location,
                new_location=new.location,
                verdicts=(verdicts[0], verdicts[1]),
            )


def _changed_schemas(contracts: Contracts) -> Iterator[tuple[Location, Schema, Schema]]:
    for location, old in contracts.old.schemas.items():
        new = contracts.new.schemas.get(location)
        if new is not None and new != old and len(location.pointer) == _DEPTH and component_of(location):
            yield location, old, new


_DEPTH = len(("components", "schemas", "name"))


def _has_operations(api: Api) -> bool:
    return next(every_operation(api), None) is not None


def _worst_verdicts(contracts: Contracts, old: Schema, new: Schema) -> Iterator[Verdict]:
    """Yield the most severe verdict for each direction, none if nothing is found in one."""
    for direction in Direction:
        worst = contracts.schemas.worst((old,), (new,), Position(direction))
        if worst is not None:
            yield worst


def component_findings(contracts: Contracts, location: ChangeLocation) -> Iterator[LocatedChange]:
    """Yield which components came and went that nothing uses, and which are called otherwise."""
    used = _UsedSchemas(contracts)
    for pair in (
        *_schema_pairs(contracts, used),
        *_edited_schema_pairs(contracts, used),
        *_security_scheme_pairs(contracts),
        *_unused_component_pairs(contracts),
    ):
        yield from apply_rules(COMPONENT_RULES, pair, location)
    for schema_pair in unused_schema_pairs(contracts):
        yield from apply_rules(UNUSED_RULES, schema_pair, location)


def _schema_pairs(contracts: Contracts, used: _UsedSchemas) -> Iterator[ComponentPair]:
    before, after = _schemas_by_name(contracts.old), _schemas_by_name(contracts.new)
    removed = {name: pair for name, pair in before.items() if name not in after}
    added = {name: pair for name, pair in after.items() if name not in before}
    if contracts.policy.component_renamed is not None:
        yield from _take_renamed_schemas(removed, added, contracts)
    for is_new, names in ((False, removed), (True, added)):
        for name, (location, _) in names.items():
            yield ComponentPair(
                kind=section_noun("schemas"),
                old="" if is_new else name,
                new=name if is_new else "",
                is_used=location in (used.new if is_new else used.old),
                location=location,
                policy=contracts.policy,
            )


def _edited_schema_pairs(contracts: Contracts, used: _UsedSchemas) -> Iterator[ComponentPair]:
    """Yield the changed schemas that no operation or event reaches, in neither contract."""
    edited = [
        location
        for location in contracts.schemas.changed_schemas
        if location in contracts.old.schemas
        and location in contracts.new.schemas
        and len(location.pointer) == _DEPTH
        and component_of(location)
    ]
    if not edited or not all(map(_has_operations, (contracts.old, contracts.new))):
        return
    unused = set(edited) - used.old
    for location in sorted(unused - used.new if unused else ()):
        name = location.pointer[-1]
        if not any(
            _worst_verdicts(contracts, contracts.old.schemas[location], contracts.new.schemas[location])
        ):
            continue
        yield ComponentPair(
            kind=section_noun("schemas"),
            old=name,
            new=name,
            location=location,
            policy=contracts.policy,
            is_edited=True,
        )


def _unused_component_pairs(contracts: Contracts) -> Iterator[ComponentPair]:
    """Yield what nothing refers to that came, went, or was edited, but schemas and security schemes.

    What the other contract has and refers to neither came nor went.
    """
    before, after = (
        {
            (unused_component.section, unused_component.name): unused_component
            for unused_component in api.unused_components
        }
        for api in (contracts.old, contracts.new)
    )
    used_in_one = (
        (before.keys() ^ after.keys()) & contracts.old.component_names & contracts.new.component_names
    )
    for key in sorted((before.keys() | after.keys()) - used_in_one):
        old, new = before.get(key), after.get(key)
        one = new or old
        if one is None or (old is not None and new is not None and old.digest == new.digest):
            continue
        section, name = key
        yield ComponentPair(
            kind=section_noun(section),
            old=name if old is not None else "",
            new=name if new is not None else "",
            location=one.location,
            policy=contracts.policy,
            is_edited=old is not None and new is not None,
        )


def _schemas_by_name(api: Api) -> dict[str, tuple[Location, Schema]]:
    """Return the schemas among the components of the contract, by name."""
    return {
        location.pointer[2]: (location, schema)
        for location, schema in api.schemas.items()
        if len(location.pointer) == _DEPTH and component_of(location) is not None
    }


def _take_renamed_schemas(
    removed: dict[str, tuple[Location, Schema]],
    added: dict[str, tuple[Location, Schema]],
    contracts: Contracts,
) -> Iterator[ComponentPair]:
    """Yield which schemas are called otherwise, and take them out of both."""
    renames = find_renames(
        [_named_schema(name, schema) for name, (_, schema) in removed.items()],
        [_named_schema(name, schema) for name, (_, schema) in added.items()],
        contracts.policy.renamed.schemas,
        contracts.is_alike,
    )
    for rename in renames.by_old.values():
        del removed[rename.old]
        location, _ = added.pop(rename.new)
        yield ComponentPair(
            kind=section_noun("schemas"),
            old=rename.old,
            new=rename.new,
            is_used=True,
            rename=rename,
            location=location,
            policy=contracts.policy,
        )


def _named_schema(name: str, schema: Schema) -> NamedPart[Schema]:
    """Return a shared schema with what may be evidence of a rename."""
    return NamedPart(
        part=schema,
        name=name,
        description=schema.description,
        examples=schema.examples,
        members=tuple(property_.name for property_ in schema.properties),
        renamed_from=schema.renamed_from,
    )


def _security_scheme_pairs(contracts: Contracts) -> Iterator[ComponentPair]:
    before = {security_scheme.name: security_scheme for security_scheme in contracts.old.security_schemes}
    after = {security_scheme.name: security_scheme for security_scheme in contracts.new.security_schemes}
    if before == after:
        return
    unordered_before, unordered_after = (
        {name: _without_order(scheme) for name, scheme in schemes.items()} for schemes in (before, after)
    )
    used_before, used_after = used_schemes(contracts.old), used_schemes(contracts.new)
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        one = new or old
        if one is None or unordered_before.get(name) == unordered_after.get(name):
            continue
        yield ComponentPair(
            kind=section_noun("securitySchemes"),
            old=name if old is not None else "",
            new=name if new is not None else "",
            is_used=name in (used_before if new is None else used_after),
            is_still_used=name in used_before and name in used_after,
            is_edited=old is not None and new is not None,
            location=one.location,
            policy=contracts.policy,
        )


def _without_order(scheme: SecurityScheme) -> SecurityScheme:
    """Return a security scheme whose flows and scopes are in one order: both are mappings."""
    flows = (replace(flow, scopes=tuple(sorted(flow.scopes))) for flow in scheme.flows)
    return replace(scheme, flows=tuple(sorted(flows, key=lambda flow: flow.kind)))


def document_findings(contracts: Contracts) -> Iterator[LocatedChange]:
    """Yield everything that is found, place by place."""
    matching = match_operations(contracts.old, contracts.new, contracts.policy.renamed.operations)
    root = document_location()
    document = DocumentPair(contracts=contracts)
    yield from apply_rules(DOCUMENT_RULES, document, root)
    yield from apply_rules(GLOBAL_RULES, document, root.at("security"))
    prefixes = moved_prefixes(matching.kept)
    if not matching.kept or any(_inherit_servers(old, new, contracts) for old, new in matching.kept):
        servers = ServerPair(
            old=contracts.old.servers, new=contracts.new.servers, prefixes=prefixes, policy=contracts.policy
        )
        yield from apply_rules(SERVER_RULES, servers, root.at("servers"))
    for pair in _operation_changes(matching, contracts):
        operation = pair.new or pair.old
        assert operation is not None  # noqa: S101 - a change has at least one of them
        yield from apply_rules(OPERATION_CHANGE_RULES, pair, operation_location(pair.old or operation))
        if pair.kind is OperationChangeKind.REMOVED:
            yield from apply_rules(
                REMOVAL_RULES, operation_removal(operation, contracts.policy), operation_location(operation)
            )
    yield from _regrouped_findings(matching, contracts)
    moved = {id(old) for old, _ in matching.moved}
    regrouped = ((operation.old_at_path, operation.new_at_path) for operation in matching.regrouped)
    for old, new in (*matching.kept, *matching.respelled, *matching.moved, *regrouped):
        operation_pair = OperationPair(old=old, new=new, contracts=contracts, is_moved=id(old) in moved)
        yield from _operation_server_findings(operation_pair, prefixes)
        yield from operation_findings(operation_pair, operation_location(old))
    yield from webhook_findings(contracts, operation_findings)
    yield from component_findings(contracts, root.at("components"))


def _inherit_servers(old: Operation, new: Operation, contracts: Contracts) -> bool:
    """Say whether an operation has the servers of the whole contract, before and after."""
    return old.servers == contracts.old.servers and new.servers == contracts.new.servers


def _operation_server_findings(pair: OperationPair, prefixes: tuple[str, str]) -> Iterator[LocatedChange]:
    """Yield the changes of servers of an operation with its own servers."""
    contracts = pair.contracts
    if not _inherit_servers(pair.old, pair.new, contracts):
        servers = ServerPair(
            old=pair.old.servers, new=pair.new.servers, prefixes=prefixes, policy=contracts.policy
        )
        yield from apply_rules(OPERATION_SERVER_RULES, servers, operation_location(pair.old).at("servers"))


def _operation_changes(matching: OperationMatching, contracts: Contracts) -> Iterator[OperationChange]:
    old_paths = {url_template(operation.path) for operation in contracts.old.operations}
    for operation in matching.added:
        is_new = url_template(operation.path) not in old_paths
        yield OperationChange(
            kind=OperationChangeKind.ADDED, new=operation, is_new_path=is_new, contracts=contracts
        )
    for operation in matching.removed:
        yield OperationChange(kind=OperationChangeKind.REMOVED, old=operation, contracts=contracts)
    for old, new in matching.moved:
        yield OperationChange(kind=OperationChangeKind.MOVED, old=old, new=new, contracts=contracts)
    for old, new in matching.respelled:
        yield OperationChange(kind=OperationChangeKind.RESPELLED, old=old, new=new, contracts=contracts)


def _regrouped_findings(matching: OperationMatching, contracts: Contracts) -> Iterator[LocatedChange]:
    """Yield which operations are written with a parameter that lists the values of their paths, or no longer are."""
    for operation in matching.regrouped:
        change = OperationChange(
            kind=OperationChangeKind.REGROUPED, old=operation.old, new=operation.new, contracts=contracts
        )
        yield from apply_rules(OPERATION_CHANGE_RULES, change, operation_location(operation.old_at_path))


def document_location() -> ChangeLocation:
    """Return the contract as the place of findings."""
    return ChangeLocation(use=Use(subject=Subject(kind=SubjectKind.DOCUMENT), field=""))


def operation_location(operation: Operation) -> ChangeLocation:
    """Return an operation as the place of findings."""
    subject = Subject(kind=SubjectKind.OPERATION, name=f"{operation.method} {operation.path}")
    return ChangeLocation(
        use=Use(subject=subject, field="", tags=operation.tags), stability=operation.stability
    )
