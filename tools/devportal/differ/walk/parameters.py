"""What differs in the parameters of an operation."""

from collections.abc import Iterator
from dataclasses import replace

from devportal.contract import ABSENT, Parameter, ParameterLocation
from devportal.contract.wire_format.serialisation import scalar_text
from devportal.differ.located_changes import (
    ChangeLocation,
    ComparedSchemas,
    LocatedChange,
    apply_rules,
    location_or_parent,
)
from devportal.differ.match.operations import placeholders
from devportal.differ.match.parameters import (
    ParameterMatching,
    all_parameters,
    is_sendable,
    match_parameters,
    schema_of,
)
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.pairs.lifecycle import Lifecycle, LifecyclePair, Removal
from devportal.differ.pairs.parameter_pair import ParameterChange, ParameterChangeKind, ParameterPair
from devportal.differ.pairs.placeholders import has_reordered_placeholders
from devportal.differ.part_pair import OperationPair
from devportal.differ.patterns.pattern_relations import matches_every_filled_text, matches_every_text
from devportal.differ.phrase import phrase
from devportal.differ.rule import FoundChange, Rule, Verdict
from devportal.differ.rules.event_headers import EVENT_HEADER_RULES
from devportal.differ.rules.lifecycle import LIFECYCLE_RULES
from devportal.differ.rules.parameter_forms import PARAMETER_RULES
from devportal.differ.rules.parameter_values import PARAMETER_VALUE_RULES
from devportal.differ.rules.parameters import PARAMETER_CHANGE_RULES
from devportal.differ.rules.removals import REMOVAL_RULES


def parameter_findings(pair: OperationPair, location: ChangeLocation) -> Iterator[LocatedChange]:
    """Yield everything that is found in the parameters of an operation."""
    location = replace(location, direction=pair.sends)
    matching = match_operation_parameters(pair)
    for change in _parameter_changes(matching, pair):
        parameter = change.old or change.new
        if parameter is not None:
            yield from apply_rules(
                _change_rules(parameter, pair),
                change,
                _parameter_location(location, parameter, change.old, change.new),
            )
    for removed in matching.removed:
        if removed.location_in is not ParameterLocation.PATH:
            change = ParameterChange(
                kind=ParameterChangeKind.REMOVED,
                old=removed,
                rename=matching.rename_of(removed),
                operation=pair,
            )
            removed_location = _parameter_location(location, removed, removed, None)
            yield from _removed_parameter_findings(removed, change, removed_location)
    for old, new in matching.kept:
        kept_location = _parameter_location(location, new, old, new)
        kept_location = kept_location.written_at(old.location, new.location)
        yield from _kept_parameter_findings(ParameterPair(old=old, new=new, operation=pair), kept_location)


def match_operation_parameters(pair: OperationPair) -> ParameterMatching:
    """Match the parameters of an operation in both contracts: by name, and renamed ones by notation and schema."""

    def is_alike(old: Parameter, new: Parameter) -> bool:
        has_same_notation = not ParameterPair(old=old, new=new, operation=pair).changes_notation
        return has_same_notation and pair.contracts.is_alike(schema_of(old), schema_of(new))

    return match_parameters(
        (all_parameters(pair.old), pair.old.path),
        (all_parameters(pair.new), pair.new.path),
        pair.policy.renamed,
        is_alike,
        is_reordered=has_reordered_placeholders(pair),
    )


def _parameter_changes(matching: ParameterMatching, pair: OperationPair) -> Iterator[ParameterChange]:
    for old, new in matching.relocated:
        yield ParameterChange(kind=ParameterChangeKind.RELOCATED, old=old, new=new, operation=pair)
    is_longer = len(placeholders(pair.new.path)) > len(placeholders(pair.old.path))
    has_more_placeholders = is_longer and not pair.is_moved
    for new in matching.added:
        if new.location_in is not ParameterLocation.PATH:
            yield ParameterChange(
                kind=ParameterChangeKind.ADDED, new=new, rename=matching.rename_of(new), operation=pair
            )
        elif has_more_placeholders:
            yield ParameterChange(kind=ParameterChangeKind.PLACED, new=new, operation=pair)


def _change_rules(parameter: Parameter, pair: OperationPair) -> tuple[Rule[ParameterChange], ...]:
    """Return the rules of a parameter: the headers that an event comes with have their own."""
    is_header_of_event = pair.is_event and parameter.location_in is ParameterLocation.HEADER
    return EVENT_HEADER_RULES if is_header_of_event else PARAMETER_CHANGE_RULES


def _removed_parameter_findings(
    old: Parameter, change: ParameterChange, location: ChangeLocation
) -> Iterator[LocatedChange]:
    removal = _parameter_removal(old, change.operation)
    if removal.has_known_sunset:
        yield from apply_rules(REMOVAL_RULES, removal, location)
    else:
        yield from apply_rules(_change_rules(old, change.operation), change, location)


def _parameter_removal(old: Parameter, pair: OperationPair) -> Removal:
    life = _parameter_lifecycle(old, pair)
    life = replace(life, location=location_or_parent(old.location, pair.old.location))
    return Removal(lifecycle=life, name=old.name, policy=pair.policy)


def _parameter_lifecycle(parameter: Parameter, pair: OperationPair) -> Lifecycle:
    return Lifecycle(
        is_deprecated=parameter.deprecated,
        sunset=parameter.sunset,
        stability=parameter.stability or pair.old.stability,
        unknown_stability=parameter.unknown_stability,
        location=parameter.location,
    )


def _kept_parameter_findings(pair: ParameterPair, location: ChangeLocation) -> Iterator[LocatedChange]:
    if pair.old.broken or pair.new.broken:
        return
    lives = LifecyclePair(
        old=_parameter_lifecycle(pair.old, pair.operation),
        new=_parameter_lifecycle(pair.new, pair.operation),
        policy=pair.operation.policy,
    )
    yield from apply_rules(LIFECYCLE_RULES, lives, location)
    if pair.operation.contracts.schemas.are_parts_equal(pair.old, pair.new):
        return
    yield from apply_rules((*PARAMETER_RULES, *PARAMETER_VALUE_RULES), pair, location)
    if pair.changes_notation or pair.becomes_array or pair.becomes_scalar:
        return
    contracts = pair.operation.contracts
    schemas = contracts.compare_schemas(schema_of(pair.old), schema_of(pair.new), pair.position)
    if schemas is not None and pair.becomes_text:
        contracts.schemas.settle()
        schemas = schemas._replace(compared=_without_number_changes(schemas.compared, pair))
    if schemas is not None and (pair.idle_minimums or not is_sendable(pair.old, "")):
        contracts.schemas.settle()
        schemas = schemas._replace(compared=_with_idle_minimums(schemas.compared, pair))
    if schemas is not None:
        yield LocatedChange(location=location, schemas=schemas)


_NUMBER_RULE_PREFIXES = (
    "schema.type.",
    "schema.minimum.",
    "schema.maximum.",
    "schema.exclusive.",
    "schema.multiple-of.",
    "schema.without-effect.",
)
"""Rules for numbers, which mean nothing if a parameter accepts any text."""


def _without_number_changes(compared: ComparedSchemas, pair: ParameterPair) -> ComparedSchemas:
    """Return the changes of a schema of numbers that became a schema of texts, without those that say nothing
    about which texts are refused.
    """
    hidden_prefixes = list(_NUMBER_RULE_PREFIXES)
    if not pair.new_form.format:
        hidden_prefixes.append("schema.format.")
    if _are_values_listed(pair):
        hidden_prefixes.append("schema.enum.")
    return replace(
        compared,
        changes=[
            (rule, change)
            for rule, change in compared.changes
            if not rule.id.startswith(tuple(hidden_prefixes))
        ],
    )


_NEVER_EMPTY = phrase("a parameter that is empty in a path is not a request for this operation")
_LEFT_OUT = phrase("an empty value is sent as no parameter at all")


def _with_idle_minimums(compared: ComparedSchemas, pair: ParameterPair) -> ComparedSchemas:
    """Return the changes of a schema whose empty values cannot be sent: whether it allows them has no effect."""
    keywords, is_empty_sendable = pair.idle_minimums, is_sendable(pair.old, "")
    reason = _NEVER_EMPTY if pair.new.location_in is ParameterLocation.PATH else _LEFT_OUT
    return replace(
        compared,
        changes=[
            (rule, replace(change, verdict=Verdict.DOCUMENTATION, reason=reason, hint=""))
            if (change.keyword in keywords and {change.old, change.new} <= {ABSENT, 0, 1})
            or (not is_empty_sendable and _refuses_empty_text_only(change))
            else (rule, change)
            for rule, change in compared.changes
        ],
    )


def _refuses_empty_text_only(change: FoundChange) -> bool:
    """Say whether a change is that of patterns which refuse the empty text and no other."""
    if change.keyword != "pattern":
        return False
    patterns = [value for value in (change.old, change.new) if isinstance(value, str)]
    return all(matches_every_text(pattern) or matches_every_filled_text(pattern) for pattern in patterns)


def _are_values_listed(pair: ParameterPair) -> bool:
    """Say whether the new texts list each of the old values as it is written."""
    texts = _listed_texts(pair.old_form)
    return bool(texts) and pair.new_form.values is not None and texts <= _listed_texts(pair.new_form)


def _listed_texts(form: NormalSchema) -> frozenset[str]:
    values = (True, False) if form.types == {"boolean"} and form.values is None else form.values or ()
    return frozenset(map(scalar_text, values))


def _parameter_location(
    location: ChangeLocation, named: Parameter, old: Parameter | None, new: Parameter | None
) -> ChangeLocation:
    """Return the location of a parameter, under the name of one of its definitions."""
    step = f"{named.location_in.value}.{named.name}"
    return location.at(step, (old or named).stability).within(lambda part: part.of_parameter(old, new))
