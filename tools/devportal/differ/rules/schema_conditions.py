"""Rules of schemas for indirect keywords: `not`, conditions, dependents, names, unevaluated parts."""

from collections.abc import Iterable, Iterator

from devportal.contract import ABSENT
from devportal.differ import change
from devportal.differ.normalise import unevaluated
from devportal.differ.normalise.forms import Condition, NormalSchema
from devportal.differ.rule import Action, FoundChange, Verdict, quote_value
from devportal.differ.rules.rows import Find, narrowing_rule, only_for_objects, schema_rule, widening_rule
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.position import Side
from devportal.differ.schemas.schema_descriptions import describe_schema
from devportal.translation import gettext_noop

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE


def _not_set(pair: SchemaPair) -> Iterator[FoundChange]:
    for schema in pair.negations.added if not pair.is_typing else ():
        yield FoundChange(
            new=describe_schema(pair.new_forms, (schema,)), keyword="not", new_location=schema.location
        )


def _not_unset(pair: SchemaPair) -> Iterator[FoundChange]:
    for schema in pair.negations.removed if not pair.is_typing else ():
        yield FoundChange(
            old=describe_schema(pair.old_forms, (schema,)), keyword="not", old_location=schema.location
        )


def _keyword_only_on(side: Side, *keywords: str) -> Find:
    """Return a function that finds a keyword that only one side has."""

    def find(pair: SchemaPair) -> Iterator[FoundChange]:
        having, lacking = (pair.old, pair.new) if side is Side.OLD else (pair.new, pair.old)
        for keyword in keywords:
            is_alone = keyword in having.others and keyword not in lacking.others
            if is_alone and not _is_closed_on_both_sides(pair, keyword):
                says = _unevaluated_sentence(having, keyword, side)
                yield _keyword_change(pair, keyword, says=says)

    return find


def _unevaluated_sentence(form: NormalSchema, keyword: str, side: Side) -> str:
    """Return the sentence about a keyword that allows some values, empty for that of the rule."""
    is_refusing = all(schema.verdict is False for schema in form.others[keyword])
    if is_refusing or keyword not in (unevaluated.PROPERTIES, unevaluated.ITEMS):
        return ""
    if side is Side.NEW:
        return gettext_noop(
            "values that no other part of the schema describes must now be %(new)s (%(keyword)s)"
        )
    return gettext_noop(
        "values that no other part of the schema describes no longer have to be %(old)s (%(keyword)s is removed)"
    )


def _keyword_change(pair: SchemaPair, keyword: str, *, says: str = "") -> FoundChange:
    return FoundChange(
        says=says,
        old=_describe_keyword(pair, Side.OLD, keyword),
        new=_describe_keyword(pair, Side.NEW, keyword),
        keyword=keyword,
        names={"keyword": keyword},
    )


def _describe_keyword(pair: SchemaPair, side: Side, keyword: str) -> object:
    form, forms = (pair.old, pair.old_forms) if side is Side.OLD else (pair.new, pair.new_forms)
    return describe_schema(forms, form.others[keyword]) if keyword in form.others else ABSENT


def _is_closed_on_both_sides(pair: SchemaPair, keyword: str) -> bool:
    """Say whether the other side refuses unlisted properties as well, by `additionalProperties: false`."""
    one, other = (pair.new, pair.old) if keyword in pair.new.others else (pair.old, pair.new)
    kind = "array" if keyword == "unevaluatedItems" else "object"
    is_refusing = keyword == "unevaluatedProperties" and all(
        schema.verdict is False for schema in one.others[keyword]
    )
    return not pair.may_both_be_of_type(kind) or (is_refusing and other.is_closed)


def _evaluation_narrowed(pair: SchemaPair) -> Iterator[FoundChange]:
    yield from _evaluation_changes(pair, is_shrunk=True)


def _evaluation_widened(pair: SchemaPair) -> Iterator[FoundChange]:
    yield from _evaluation_changes(pair, is_shrunk=False)


def _evaluation_changes(pair: SchemaPair, *, is_shrunk: bool) -> Iterator[FoundChange]:
    """Yield the branches that evaluate less of the value, or more, if unevaluated parts are limited."""
    for keyword in (unevaluated.PROPERTIES, unevaluated.ITEMS):
        if keyword not in pair.old.others or keyword not in pair.new.others:
            continue
        old_own, new_own = (
            unevaluated.own_evaluated_parts(pair.old),
            unevaluated.own_evaluated_parts(pair.new),
        )
        for first, other in (branches for pairing in pair.unions.pairings for branches in pairing.pairs):
            old = old_own | unevaluated.evaluated_parts(pair.old_forms.of(*first), pair.old_forms)
            new = new_own | unevaluated.evaluated_parts(pair.new_forms.of(*other), pair.new_forms)
            few, many = (new, old) if is_shrunk else (old, new)
            if few.lacks(keyword, many):
                yield _keyword_change(pair, keyword)
                break


_DEPENDENT = "dependentSchemas "


def _dependent_added(pair: SchemaPair) -> Iterator[FoundChange]:
    yield from _dependent_changes(pair, pair.new, pair.old)


def _dependent_removed(pair: SchemaPair) -> Iterator[FoundChange]:
    yield from _dependent_changes(pair, pair.old, pair.new)


def _dependent_changes(
    pair: SchemaPair, having: NormalSchema, lacking: NormalSchema
) -> Iterator[FoundChange]:
    for keyword in having.others:
        if keyword.startswith(_DEPENDENT) and keyword not in lacking.others:
            yield FoundChange(
                old=_describe_keyword(pair, Side.OLD, keyword),
                new=_describe_keyword(pair, Side.NEW, keyword),
                at=change.keyword_step(keyword),
                keyword=keyword,
                names={"name": quote_value(keyword.removeprefix(_DEPENDENT))},
            )


def _condition_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    if pair.is_typing:
        return
    for old, new in pair.conditions.changed:
        yield _condition_change(old, new, old.consequences, new.consequences, verdict=_B)
    for old, new in pair.conditions.kept:
        yield from _consequence_changes(pair, old, new)
    for new in pair.conditions.added:
        yield from _consequence_changes(pair, None, new)
    for old in pair.conditions.removed:
        yield from _consequence_changes(pair, old, None)


def _consequence_changes(
    pair: SchemaPair, old: Condition | None, new: Condition | None
) -> Iterator[FoundChange]:
    """Yield what now follows from a condition, and what no longer does."""
    before = frozenset(old.consequences) if old is not None else frozenset()
    after = frozenset(new.consequences) if new is not None else frozenset()
    if come := after - before:
        verdict, says = _B if pair.is_sent else _C, _ADDED_CONSEQUENCES[come]
        yield _condition_change(old, new, (), come, verdict=verdict, says=says)
    if gone := before - after:
        verdict, says = _C if pair.is_sent else _B, _REMOVED_CONSEQUENCES[gone]
        yield _condition_change(old, new, gone, (), verdict=verdict, says=says)


def _condition_change(
    old: Condition | None,
    new: Condition | None,
    before: Iterable[str],
    after: Iterable[str],
    *,
    verdict: Verdict,
    says: str = "",
) -> FoundChange:
    """Return the change of a condition from some consequences to others, each by its keyword."""
    return FoundChange(
        old=sorted(before) or ABSENT,
        new=sorted(after) or ABSENT,
        says=says,
        keyword="if",
        old_location=old.test.location if old is not None else None,
        new_location=new.test.location if new is not None else None,
        verdict=verdict,
    )


_ADDED_CONSEQUENCES = {
    frozenset({"then"}): gettext_noop('values that match "if" must now also match "then"'),
    frozenset({"else"}): gettext_noop('values that do not match "if" must now match "else"'),
    frozenset({"then", "else"}): gettext_noop(
        'values must now also match "then" if they match "if", and "else" if they do not'
    ),
}
_REMOVED_CONSEQUENCES = {
    frozenset({"then"}): gettext_noop('values that match "if" no longer have to match "then"'),
    frozenset({"else"}): gettext_noop('values that do not match "if" no longer have to match "else"'),
    frozenset({"then", "else"}): gettext_noop(
        'values no longer have to match "then" or "else" ("if" is removed)'
    ),
}
"""The sentences about what follows from a condition, by what only one side has of it."""

_WAIVER = "what readers do not know they ignore, unless they check the old schema"

CONDITION_RULES = (
    narrowing_rule(
        "schema.not.set",
        gettext_noop("values that are %(new)s are no longer allowed (not)"),
        _not_set,
        mirror="schema.not.unset",
    ),
    widening_rule(
        "schema.not.unset",
        gettext_noop("values that are %(old)s are now allowed (not is removed)"),
        _not_unset,
        mirror="schema.not.set",
    ),
    narrowing_rule(
        "schema.property-names.set",
        gettext_noop("property names must now match a schema (propertyNames)"),
        _keyword_only_on(Side.NEW, "propertyNames"),
        mirror="schema.property-names.unset",
    ),
    widening_rule(
        "schema.property-names.unset",
        gettext_noop("property names can now be anything (propertyNames is removed)"),
        _keyword_only_on(Side.OLD, "propertyNames"),
        mirror="schema.property-names.set",
    ),
    narrowing_rule(
        "schema.unevaluated.set",
        gettext_noop("values that no other part of the schema describes are no longer allowed (%(keyword)s)"),
        _keyword_only_on(Side.NEW, "unevaluatedProperties", "unevaluatedItems"),
        mirror="schema.unevaluated.unset",
    ),
    widening_rule(
        "schema.unevaluated.unset",
        gettext_noop(
            "values that no other part of the schema describes are now allowed (%(keyword)s is removed)"
        ),
        _keyword_only_on(Side.OLD, "unevaluatedProperties", "unevaluatedItems"),
        mirror="schema.unevaluated.set",
    ),
    narrowing_rule(
        "schema.unevaluated.reach.shrunk",
        gettext_noop("a branch no longer describes parts of the value, which %(keyword)s now limits"),
        _evaluation_narrowed,
        mirror="schema.unevaluated.reach.grown",
        waiver=_WAIVER,
    ),
    schema_rule(
        "schema.unevaluated.reach.grown",
        Action.WIDENED,
        (_C, _R),
        gettext_noop("a branch now describes parts of the value that %(keyword)s limited before"),
        _evaluation_widened,
        mirror="schema.unevaluated.reach.shrunk",
        waiver=_WAIVER,
    ),
    narrowing_rule(
        "schema.dependent-schema.added",
        gettext_noop("objects with the property %(name)s must now match another schema"),
        only_for_objects(_dependent_added),
        mirror="schema.dependent-schema.removed",
        action=Action.ADDED,
    ),
    widening_rule(
        "schema.dependent-schema.removed",
        gettext_noop("objects with the property %(name)s no longer have to match another schema"),
        only_for_objects(_dependent_removed),
        mirror="schema.dependent-schema.added",
        action=Action.REMOVED,
    ),
    schema_rule(
        "schema.if.changed",
        Action.CHANGED,
        (_B, _B),
        gettext_noop("the condition (if) for other rules is changed"),
        _condition_changed,
    ),
)
