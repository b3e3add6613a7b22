"""What differs in the parameters of an operation."""

from collections.abc import Iterator
from dataclasses import replace

from devportal.contract import In, Parameter
from devportal.differ.applying import applied
from devportal.differ.judged import Judged
from devportal.differ.lifecycle import Life, LifePair, Removal
from devportal.differ.matching import placeholders
from devportal.differ.merging import canonical
from devportal.differ.parameter_matching import ParameterMatching, match_parameters
from devportal.differ.parameter_pair import ParameterFate, ParameterFatePair, ParameterPair, schema_of
from devportal.differ.parts import OperationPair
from devportal.differ.places import within
from devportal.differ.rule import Rule
from devportal.differ.rules.event_headers import EVENT_HEADER_RULES
from devportal.differ.rules.lifecycle import LIFE_RULES
from devportal.differ.rules.parameter_forms import PARAMETER_RULES
from devportal.differ.rules.parameter_values import PARAMETER_VALUE_RULES
from devportal.differ.rules.parameters import PARAMETER_FATE_RULES
from devportal.differ.rules.removals import REMOVAL_RULES
from devportal.differ.sites import Found, Site


def parameter_findings(pair: OperationPair, site: Site) -> Iterator[Found]:
    """Yield everything that is found in the parameters of an operation."""
    site = replace(site, direction=pair.sends)
    matching = parameters_matched(pair)
    for one in _fates(matching, pair):
        parameter = one.old or one.new
        if parameter is not None:
            yield from applied(_rules(parameter, pair), one, _at(site, parameter))
    for gone in matching.removed:
        if gone.location_in is not In.PATH:
            yield from _removed(gone, pair, _at(site, gone))
    for old, new in matching.kept:
        yield from _kept(ParameterPair(old=old, new=new, operation=pair), _at(site, new, old))


def parameters_matched(pair: OperationPair) -> ParameterMatching:
    """Return what became of each parameter of an operation."""

    def is_renamed(old: Parameter, new: Parameter) -> bool:
        is_ending = _removal(old, pair).is_due
        is_alike = ParameterPair(old=old, new=new, operation=pair).changes_notation is False
        return not is_ending and is_alike and pair.contracts.is_alike(schema_of(old), schema_of(new))

    return match_parameters(
        (pair.old.parameters, pair.old.path), (pair.new.parameters, pair.new.path), is_renamed
    )


def _fates(matching: ParameterMatching, pair: OperationPair) -> Iterator[ParameterFatePair]:
    for old, new in matching.relocated:
        yield ParameterFatePair(fate=ParameterFate.RELOCATED, old=old, new=new, operation=pair)
    for old, new in matching.renamed:
        yield ParameterFatePair(fate=ParameterFate.RENAMED, old=old, new=new, operation=pair)
    is_longer = len(placeholders(pair.new.path)) > len(placeholders(pair.old.path))
    has_more_places = is_longer and not pair.is_moved
    for new in matching.added:
        if new.location_in is not In.PATH:
            yield ParameterFatePair(fate=ParameterFate.ADDED, new=new, operation=pair)
        elif has_more_places:
            yield ParameterFatePair(fate=ParameterFate.PLACED, new=new, operation=pair)


def _rules(parameter: Parameter, pair: OperationPair) -> tuple[Rule[ParameterFatePair], ...]:
    """Return the rules of a parameter: the headers that an event comes with have their own."""
    is_header_of_event = pair.is_event and parameter.location_in is In.HEADER
    return EVENT_HEADER_RULES if is_header_of_event else PARAMETER_FATE_RULES


def _removed(old: Parameter, pair: OperationPair, site: Site) -> Iterator[Found]:
    removal = _removal(old, pair)
    if removal.is_told:
        yield from applied(REMOVAL_RULES, removal, site)
    else:
        fate = ParameterFatePair(fate=ParameterFate.REMOVED, old=old, operation=pair)
        yield from applied(_rules(old, pair), fate, site)


def _removal(old: Parameter, pair: OperationPair) -> Removal:
    life = _life(old, pair)
    life = replace(life, location=within(old.location, pair.old.location))
    return Removal(life=life, name=old.name, policy=pair.policy)


def _life(parameter: Parameter, pair: OperationPair) -> Life:
    return Life(
        is_deprecated=parameter.deprecated,
        sunset=parameter.sunset,
        stability=parameter.stability or pair.old.stability,
        location=parameter.location,
    )


def _kept(pair: ParameterPair, site: Site) -> Iterator[Found]:
    if pair.old.broken or pair.new.broken:
        return
    yield from applied((*PARAMETER_RULES, *PARAMETER_VALUE_RULES), pair, site)
    lives = LifePair(
        old=_life(pair.old, pair.operation), new=_life(pair.new, pair.operation), policy=pair.operation.policy
    )
    yield from applied(LIFE_RULES, lives, site)
    if pair.changes_notation or pair.becomes_array or pair.becomes_scalar:
        return
    contracts = pair.operation.contracts
    judged = contracts.judged(schema_of(pair.old), schema_of(pair.new), pair.position)
    if judged is not None and pair.becomes_text:
        contracts.schemas.settle()
        judged = _without_numbers(judged, pair)
    if judged is not None:
        yield Found(site=site, judged=judged)


_OF_NUMBERS = (
    "schema.type.",
    "schema.minimum.",
    "schema.maximum.",
    "schema.exclusive.",
    "schema.multiple-of.",
    "schema.without-effect.",
)
"""What is said of numbers alone means nothing where a parameter takes any text."""


def _without_numbers(judged: Judged, pair: ParameterPair) -> Judged:
    """Return what was found in a schema of numbers whose place a schema of texts has taken, as far as it
    tells which texts are refused.
    """
    silent = list(_OF_NUMBERS)
    if not pair.new_form.format:
        silent.append("schema.format.")
    if _are_listed(pair):
        silent.append("schema.enum.")
    return Judged(
        direction=judged.direction,
        old_location=judged.old_location,
        new_location=judged.new_location,
        boundary=judged.boundary,
        stability=judged.stability,
        hits=[(rule, hit) for rule, hit in judged.hits if not rule.id.startswith(tuple(silent))],
        below=judged.below,
        is_filled=True,
    )


def _are_listed(pair: ParameterPair) -> bool:
    """Say whether the new texts list each of the old values as it is written."""
    old, new = pair.old_form, pair.new_form
    values = (True, False) if old.types == frozenset({"boolean"}) and old.values is None else old.values
    if new.values is None or values is None:
        return False
    return {canonical(value) for value in values} <= set(map(str, new.values))


def _at(site: Site, parameter: Parameter, old: Parameter | None = None) -> Site:
    told = old or parameter
    return site.at(f"{parameter.location_in.value}.{parameter.name}", told.stability)
