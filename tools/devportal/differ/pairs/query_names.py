"""The names in a query, whichever parameters they belong to.

An object with `style: form` and `explode` is written as its properties: `filter` as `?name=a&size=3`, never as
`filter=…`. So is a form `in: querystring` (OAS 3.2.0 §4.12.2). With `style: deepObject` it is written as
`?filter[name]=a`. Frameworks describe the same query in either way.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from devportal.contract import Operation, Parameter, ParameterLocation
from devportal.differ.contract_sources import schemas_of
from devportal.differ.match.media_types import parse_media_name
from devportal.differ.match.parameters import schema_of
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.pairs.parameter_pair import ParameterChange, is_array, is_scalar
from devportal.differ.rule import Verdict
from devportal.differ.schemas.position import Position, Schemas, Side


class QueryName(NamedTuple):
    """A name in a query with a single value or a list of them, and whether each request has it.

    `is_always_with_parameter` holds for a required property: each request that has the parameter has the name.
    `is_limited` holds if the object has rules about several properties together, such as `minProperties`.
    `is_nested_list` holds for a list in an object: most frameworks write its name once for each item, but that is
    not defined (OAS 3.0.3 §4.7.12.5).
    """

    name: str
    schemas: Schemas
    is_required: bool
    parameter: Parameter
    is_always_with_parameter: bool = False
    is_limited: bool = False
    is_nested_list: bool = False


def names_that_stay(change: ParameterChange) -> tuple[str, ...]:
    """Return what a removed parameter is written as if new parameters still take all of it, () if not."""
    if change.old is None or change.operation.is_event:
        return ()
    contracts = change.operation.contracts
    old = _query_names(change.old, contracts.includes.forms(Side.OLD))
    new = _names_by_name(change.operation.new, contracts.includes.forms(Side.NEW))
    is_kept = old and all(
        name.name in new
        and not new[name.name].is_limited
        and contracts.includes(name.schemas, Side.OLD, new[name.name].schemas, Side.NEW)
        for name in old
    )
    return tuple(name.name for name in old or ()) if is_kept else ()


def has_undefined_lists(change: ParameterChange) -> bool:
    """Say whether a removed parameter, or the new ones that take its names, write one of these as a list in an
    object.
    """
    if change.old is None:
        return False
    contracts = change.operation.contracts
    old = _query_names(change.old, contracts.includes.forms(Side.OLD)) or ()
    new = _names_by_name(change.operation.new, contracts.includes.forms(Side.NEW))
    return any(name.is_nested_list or (name.name in new and new[name.name].is_nested_list) for name in old)


def names_that_take_less(change: ParameterChange) -> tuple[str, ...]:
    """Return which names of a removed parameter new parameters have, but not with all values; () if new parameters
    do not have all names.
    """
    if change.old is None or change.operation.is_event:
        return ()
    contracts = change.operation.contracts
    old = _query_names(change.old, contracts.includes.forms(Side.OLD)) or ()
    new = _names_by_name(change.operation.new, contracts.includes.forms(Side.NEW))
    if not all(name.name in new for name in old):
        return ()
    position = Position(change.operation.sends, is_text=True, is_required=True, is_parameter=True)
    return tuple(
        name.name
        for name in old
        if contracts.schemas.worst(name.schemas, new[name.name].schemas, position) is Verdict.BREAKING
    )


def names_that_were_there(change: ParameterChange) -> tuple[str, ...]:
    """Return what each request has for an added parameter if each request had all of it before, () if not."""
    if change.new is None or change.operation.is_event:
        return ()
    contracts = change.operation.contracts
    new = _query_names(change.new, contracts.includes.forms(Side.NEW))
    old = _names_by_name(change.operation.old, contracts.includes.forms(Side.OLD))
    required = [name for name in new or () if name.is_required]
    was_required = all(name.name in old and old[name.name].is_required for name in required)
    return tuple(name.name for name in required) if was_required else ()


def names_now_needed(change: ParameterChange) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return which names a query must have that has any of others, if an added optional parameter demands it and
    requests did not need them before; both empty if it demands nothing new.
    """
    if change.new is None or change.operation.is_event:
        return (), ()
    contracts = change.operation.contracts
    new = _query_names(change.new, contracts.includes.forms(Side.NEW)) or ()
    old = _names_by_name(change.operation.old, contracts.includes.forms(Side.OLD))
    known = [name.name for name in new if name.name in old]
    needed = {
        name.name: [other for other in known if other != name.name and _may_lack(name.name, old, other)]
        for name in new
        if name.is_always_with_parameter
    }
    others = {other for names in needed.values() for other in names}
    return tuple(name for name, names in needed.items() if names), tuple(
        name for name in known if name in others
    )


def _may_lack(name: str, old: Mapping[str, QueryName], other: str) -> bool:
    """Say whether a query could have another name without a name."""
    found = old.get(name)
    if found is None:
        return True
    is_together = found.is_always_with_parameter and found.parameter is old[other].parameter
    return not (found.is_required or is_together)


def _names_by_name(operation: Operation, forms: SchemaNormaliser) -> dict[str, QueryName]:
    return {name.name: name for name in _all_query_names(operation.parameters, forms)}


def _all_query_names(parameters: Iterable[Parameter], forms: SchemaNormaliser) -> Iterator[QueryName]:
    for parameter in parameters:
        yield from _query_names(parameter, forms) or ()


def _query_names(parameter: Parameter, forms: SchemaNormaliser) -> tuple[QueryName, ...] | None:
    """Return the names that a parameter is written as, None if it may be written in another way."""
    schemas = schemas_of(schema_of(parameter))
    form = forms.of(*schemas) if schemas else None
    if form is None:
        return None
    if _is_plain_query(parameter) and (is_scalar(form) or (_is_exploded(parameter) and is_array(form))):
        return (QueryName(parameter.name, schemas, parameter.required, parameter),)
    is_deep = _is_plain_query(parameter) and parameter.style == "deepObject"
    if form.types != {"object"} or not (is_deep or _is_written_as_properties(parameter)):
        return None
    names = tuple(
        QueryName(
            f"{parameter.name}[{member.name}]" if is_deep else member.name,
            member.schemas,
            parameter.required and member.is_required,
            parameter,
            is_always_with_parameter=member.is_required,
            is_limited=_limits_combinations(form),
            is_nested_list=is_array(forms.of(*member.schemas)),
        )
        for member in form.members.values()
        if member.schemas
    )
    are_known = all(_is_written_as_name(forms.of(*name.schemas), forms, is_deep=is_deep) for name in names)
    return names if are_known else None


def _is_written_as_name(form: NormalSchema, forms: SchemaNormaliser, *, is_deep: bool) -> bool:
    """Say whether a property is written as its name with a single value, or with each of several."""
    is_plain_list = is_array(form) and bool(form.items) and is_scalar(forms.of(*form.items))
    return is_scalar(form) or (is_plain_list and not is_deep)


def _limits_combinations(form: NormalSchema) -> bool:
    """Say whether an object has rules about several of its properties together."""
    rules = form.unions, form.negated, form.conditions, form.dependent_required, form.others
    return any(rules) or form.min_count("minProperties") > 1 or form.max_count("maxProperties") < math.inf


def _is_written_as_properties(parameter: Parameter) -> bool:
    if parameter.location_in is ParameterLocation.QUERYSTRING:
        content = parameter.content
        return content is not None and parse_media_name(content.name).is_form
    return _is_plain_query(parameter) and _is_exploded(parameter)


def _is_exploded(parameter: Parameter) -> bool:
    return parameter.style == "form" and parameter.explode


def _is_plain_query(parameter: Parameter) -> bool:
    return parameter.location_in is ParameterLocation.QUERY and parameter.content is None
