"""What differs in components as such: what operations make of them is found there."""

from collections.abc import Iterator

from devportal.contract import Api, Location, Schema
from devportal.differ.change import component_of
from devportal.differ.contracts import Contracts
from devportal.differ.hits import ChangeLocation, ComparisonHit, apply_rules
from devportal.differ.rules.components import COMPONENT_RULES, UNUSED_RULES, ComponentPair
from devportal.differ.walk.component_uses import unused_schema_pairs, used_schemas, used_schemes


def component_findings(contracts: Contracts, site: ChangeLocation) -> Iterator[ComparisonHit]:
    """Yield which components came and went that nothing uses, and which are called otherwise."""
    for pair in (*_schema_pairs(contracts), *_security_scheme_pairs(contracts)):
        yield from apply_rules(COMPONENT_RULES, pair, site)
    for changed in unused_schema_pairs(contracts):
        yield from apply_rules(UNUSED_RULES, changed, site)


def _schema_pairs(contracts: Contracts) -> Iterator[ComponentPair]:
    before, after = _schemas_by_name(contracts.old), _schemas_by_name(contracts.new)
    gone = {name: one for name, one in before.items() if name not in after}
    came = {name: one for name, one in after.items() if name not in before}
    if contracts.policy.component_renamed is not None:
        yield from _take_renamed_schemas(gone, came, contracts)
    for is_new, names, api in ((False, gone, contracts.old), (True, came, contracts.new)):
        used = used_schemas(api) if names else frozenset()
        for name, (location, _) in names.items():
            yield ComponentPair(
                kind="schema",
                old="" if is_new else name,
                new=name if is_new else "",
                is_used=location in used,
                location=location,
                policy=contracts.policy,
            )


def _schemas_by_name(api: Api) -> dict[str, tuple[Location, Schema]]:
    """Return the schemas among the components of the contract, by name."""
    return {
        location.pointer[2]: (location, schema)
        for location, schema in api.schemas.items()
        if len(location.pointer) == _DEPTH and component_of(location) is not None
    }


_DEPTH = len(("components", "schemas", "name"))


def _take_renamed_schemas(
    gone: dict[str, tuple[Location, Schema]], came: dict[str, tuple[Location, Schema]], contracts: Contracts
) -> Iterator[ComponentPair]:
    """Yield which schemas are called otherwise, and take them out of both."""
    for name, (_, schema) in tuple(gone.items()):
        other = next((one for one in came if contracts.is_alike(schema, came[one][1])), None)
        if other is not None:
            location, _ = came.pop(other)
            del gone[name]
            yield ComponentPair(
                kind="schema",
                old=name,
                new=other,
                is_used=True,
                location=location,
                policy=contracts.policy,
            )


def _security_scheme_pairs(contracts: Contracts) -> Iterator[ComponentPair]:
    before = {one.name: one.location for one in contracts.old.security_schemes}
    after = {one.name: one.location for one in contracts.new.security_schemes}
    for name, location in before.items():
        if name not in after:
            is_used = name in used_schemes(contracts.old)
            yield ComponentPair(
                kind="security scheme", old=name, is_used=is_used, location=location, policy=contracts.policy
            )
    for name, location in after.items():
        if name not in before:
            is_used = name in used_schemes(contracts.new)
            yield ComponentPair(
                kind="security scheme", new=name, is_used=is_used, location=location, policy=contracts.policy
            )
