"""What the keywords of one schema say of each other: bounds that cross, values that are there twice."""

from collections.abc import Hashable, Iterator
from difflib import get_close_matches
from typing import Any

from devportal.contract.contents import every_schema
from devportal.contract.load import Contract
from devportal.contract.model import Api
from devportal.contract.quoting import quoted
from devportal.contract.regex import matches
from devportal.contract.schemas import ABSENT, Location, Schema
from devportal.findings import Finding, Level

_PAIRS = (
    ("minimum", "maximum"),
    ("minimum", "exclusiveMaximum"),
    ("exclusiveMinimum", "maximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minContains", "maxContains"),
    ("minProperties", "maxProperties"),
)
"""The keywords of which the first has to be below the second, or at it where neither is exclusive."""
_MOST_NAMES = 5
"""How many names a message lists."""

_Said = tuple[Location, str, str, str]
"""Place, rule, message and advice."""


def check_schemas(contract: Contract) -> Iterator[Finding]:
    """Yield what no value can keep, or what cannot have been meant, at the keyword that says it."""
    for schema in every_schema(contract.api):
        for check in (_crossed_bounds, _repeated_values, _beta_values, _impossible_names, _misspelt_names):
            for location, rule, message, advice in check(schema):
                yield Finding(
                    rule=rule,
                    level=Level.WARNING,
                    place=contract.place(location),
                    message=message,
                    help=advice,
                )
    yield from _machines_without_page(contract)
    for location, message in _made_of_themselves(contract.api):
        yield Finding(
            rule="contract-endless",
            level=Level.ERROR,
            place=contract.place(location),
            message=message,
            help="leave one of them out of the 'allOf'",
        )


def _machines_without_page(contract: Contract) -> Iterator[Finding]:
    """Yield the state machines that stand in schemas without a name: only pages of schemas show them."""
    for schema in every_schema(contract.api):
        if schema.state_machine is not None and schema.location not in contract.api.schemas:
            yield Finding(
                rule="contract-state-machine",
                level=Level.WARNING,
                place=contract.place(schema.location.child("x-state-machine")),
                message="this state machine is in a schema without a page, so it is not shown",
                help="move the schema to 'components.schemas', and refer to it",
            )


def _made_of_themselves(api: Api) -> Iterator[tuple[Location, str]]:
    """Yield where schemas begin that are made of themselves by `allOf`: no validator comes to an end with
    those (JSON Schema 2020-12 §9.4.1).
    """
    seen: set[Location] = set()
    for root in api.schemas.values():
        open_ones: list[tuple[Schema, Iterator[Schema]]] = [(root, _made_of(api, root))]
        around = {root.location}
        while open_ones and (len(open_ones) > 1 or root.location not in seen):
            schema, below = open_ones[-1]
            part = next(below, None)
            if part is None:
                open_ones.pop()
                around.discard(schema.location)
                seen.add(schema.location)
            elif part.location in around:
                chain = [one for one, _ in open_ones]
                chain = chain[[one.location for one in chain].index(part.location) :]
                yield [*chain, part][1].location, _circle([*chain, part])
            elif part.location not in seen:
                open_ones.append((part, _made_of(api, part)))
                around.add(part.location)


def _made_of(api: Api, schema: Schema) -> Iterator[Schema]:
    target = api.schemas.get(schema.ref) if schema.ref is not None else None
    yield from (*([target] if target is not None else ()), *schema.all_of)


def _circle(chain: list[Schema]) -> str:
    names = [quoted(one.name) for one in chain if one.name]
    return f"this schema is made of itself: {' → '.join(names)}" if names else "this schema is made of itself"


def _crossed_bounds(schema: Schema) -> Iterator[_Said]:
    bounds = {one.keyword: one.value for one in schema.constraints}
    for lower, upper in _PAIRS:
        if lower not in bounds or upper not in bounds:
            continue
        low, high = bounds[lower], bounds[upper]
        is_exclusive = lower.startswith("exclusive") or upper.startswith("exclusive")
        if low > high or (low == high and is_exclusive):
            yield (
                schema.location.child(lower),
                "contract-bounds",
                f"no value fits between {lower!r} {low} and {upper!r} {high}",
                "mend one of the two",
            )


def _repeated_values(schema: Schema) -> Iterator[_Said]:
    seen: set[Hashable] = set()
    for number, value in enumerate(schema.enum):
        known = _comparable(value)
        if known in seen:
            yield (
                schema.location.child("enum", number),
                "contract-enum",
                f"this enum holds {quoted(value)} more than once",
                "remove the further ones",
            )
        seen.add(known)


def _beta_values(schema: Schema) -> Iterator[_Said]:
    """Yield the values marked as beta that the schema does not list: the mark would stand nowhere."""
    listed = {_comparable(value) for value in schema.enum}
    listed |= {_comparable(schema.const)} if schema.const is not ABSENT else set()
    for number, value in enumerate(schema.beta_values):
        if _comparable(value) not in listed:
            yield (
                schema.location.child("x-beta-values", number),
                "contract-stability",
                f"{quoted(value)} is marked as beta, but this schema lists no such value",
                "list it in the 'enum' beside it, or remove it here",
            )


def _comparable(value: Any) -> Hashable:
    """Return what is equal for values that JSON Schema calls equal (2020-12 §4.2.2): 1 and 1.0, not true."""
    match value:
        case bool():
            return bool, value
        case dict():
            return dict, frozenset((name, _comparable(one)) for name, one in value.items())
        case list():
            return list, tuple(map(_comparable, value))
    found: Hashable = value
    return found


def _impossible_names(schema: Schema) -> Iterator[_Said]:
    """Yield the required properties that `additionalProperties: false` forbids: it knows no other schema
    than its own, so that what is declared beside a `$ref` or in an `allOf` does not count.
    """
    others = schema.additional_properties
    if others is None or others.verdict is not False:
        return
    patterns = [one.name for one in schema.pattern_properties]
    names = [name for name in _undeclared(schema) if not any(matches(one, name) for one in patterns)]
    if names:
        yield (
            schema.location.child("required"),
            "contract-required",
            f"{_listed(names)} required, but 'additionalProperties' lets no property be called so",
            "declare it under 'properties' beside it, or do not require it",
        )


def _misspelt_names(schema: Schema) -> Iterator[_Said]:
    """Yield the required names that are nearly, but not quite, those of properties."""
    others = schema.additional_properties
    is_told = others is not None and others.verdict is False
    if is_told or schema.ref is not None or schema.all_of or schema.one_of or schema.any_of:
        return
    optional = [one.name for one in schema.properties if not one.required]
    for name in _undeclared(schema):
        for meant in get_close_matches(name, optional, n=1, cutoff=0.8):
            yield (
                schema.location.child("required"),
                "contract-required",
                f"{quoted(name)} is required, but is no property of this schema",
                f"did you mean {meant!r}?",
            )


def _undeclared(schema: Schema) -> Iterator[str]:
    declared = {one.name for one in schema.properties}
    return (name for name in schema.required if name not in declared)


def _listed(names: list[str]) -> str:
    shown = ", ".join(map(quoted, names[:_MOST_NAMES]))
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f"{shown}{more} {'is' if len(names) == 1 else 'are'}"
