"""Rules of schemas for keywords that decide nothing where they stand: a length beside an integer, `then` without
`if`, `nullable` without `type`, a bound beyond what the format holds.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from devportal.contract import ABSENT, Schema
from devportal.contract.keywords import CONSTRAINTS
from devportal.contract.read.references import has_no_keywords
from devportal.differ.normalise.all_of import (
    CONDITIONAL,
    CONSEQUENCES,
    allows_everything,
    content_schema_without_effect,
    null_branches,
    unevaluated_without_effect,
)
from devportal.differ.normalise.digest import WrittenDigest
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.phrase import list_phrase, phrase
from devportal.differ.rule import Action, FoundChange, Rule, Verdict
from devportal.differ.rules.rows import schema_rule
from devportal.differ.rules.schema_types import why_null_is_refused
from devportal.differ.schemas.effective_keywords import (
    compared_types,
    has_effective_constraints,
    least_count,
    most_count,
    type_applies,
)
from devportal.differ.schemas.format_changes import FormatChange, format_change
from devportal.differ.schemas.format_values import is_superfluous_bound
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.position import Schemas
from devportal.differ.schemas.xml_forms import is_rewritten
from devportal.translation import gettext_noop

_N = Verdict.DOCUMENTATION
_KEYWORDS_OF_TYPE: Mapping[str, tuple[str, ...]] = {
    "array": ("items", "prefixItems", "contains", "unevaluatedItems"),
    "object": (
        "properties", "required", "patternProperties", "additionalProperties", "propertyNames",
        "dependentSchemas", "unevaluatedProperties",
    ),
    "string": ("contentMediaType", "contentEncoding", "contentSchema"),
}  # fmt: skip
"""The keywords for values of one type, but those that hold a limit."""

_Values = dict[str, Any]
"""What keywords hold, by keyword, in a form in which equal values are equal."""


def _idle_keyword_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    if pair.old.allows_nothing is not pair.new.allows_nothing:
        return
    old: _Values = {}
    new: _Values = {}
    for before, after in (
        (
            _keywords_without_meaning(pair.old, pair.old_forms) | _refused_null(pair.old, pair),
            _keywords_without_meaning(pair.new, pair.new_forms) | _refused_null(pair.new, pair),
        ),
        (
            _keywords_of_other_types(pair.old, pair.old_forms, pair),
            _keywords_of_other_types(pair.new, pair.new_forms, pair),
        ),
        _idle_null_branches(pair),
        _idle_limits(pair),
        _idle_format(pair),
        _idle_type(pair),
        _idle_default(pair),
        _idle_xml(pair),
        _known_values_of_enum(pair),
        _keywords_of_nothing(pair),
    ):
        old |= before
        new |= after
    yield from _idle_changes(old, pair.old, new, pair.new)


def _idle_changes(
    old: _Values, old_form: NormalSchema, new: _Values, new_form: NormalSchema
) -> Iterator[FoundChange]:
    """Yield the change of the keywords that decide nothing on either side, if any of them differs."""
    changed = [
        keyword
        for keyword in sorted(old.keys() | new.keys())
        if old.get(keyword) != new.get(keyword)
        and not _is_effective(keyword, old, old_form)
        and not _is_effective(keyword, new, new_form)
    ]
    if changed:
        reason = why_null_is_refused(old_form) or why_null_is_refused(new_form)
        yield _idle_change(changed, old, new, reason)


def _is_effective(keyword: str, idle: _Values, form: NormalSchema) -> bool:
    """Say whether a form has a keyword that decides something: other rules report its change."""
    return keyword not in idle and keyword in form.sources


def _idle_change(changed: list[str], old: _Values, new: _Values, reason: str) -> FoundChange:
    """Return the change of keywords that decide nothing."""
    before, after = (
        {
            key: True if values[key] == _IDLE_NULLABLE else values[key]
            for key in changed
            if key in values and not _is_digest(values[key])
        }
        for values in (old, new)
    )
    action = (
        Action.ADDED if after and not before else Action.REMOVED if before and not after else Action.CHANGED
    )
    return FoundChange(
        says=_SENTENCES[action][len(changed) > 1],
        keyword=changed[0],
        old=before or ABSENT,
        new=after or ABSENT,
        names={"keywords": list_phrase(changed)},
        reason=reason if "nullable" in changed else "",
    )


_IDLE_NULLABLE = [True]
"""A `nullable` of OAS 3.0 that allows no null; in later versions, it is not a keyword."""
_CHANGED = gettext_noop("%(keywords)s is changed, which has no effect here")
_SENTENCES = {
    Action.ADDED: (
        gettext_noop("%(keywords)s is added, which has no effect here"),
        gettext_noop("%(keywords)s are added, which has no effect here"),
    ),
    Action.REMOVED: (
        gettext_noop("%(keywords)s is removed, which has no effect here"),
        gettext_noop("%(keywords)s are removed, which has no effect here"),
    ),
    Action.CHANGED: (_CHANGED, gettext_noop("%(keywords)s are changed, which has no effect here")),
}
"""The sentences about one keyword and about several."""


def _is_digest(value: Any) -> bool:
    values = value if isinstance(value, list) else [value]
    return any(isinstance(member, WrittenDigest) for member in values)


def _keywords_without_meaning(form: NormalSchema, forms: SchemaNormaliser) -> _Values:
    """Return the keywords that lack what they belong to, or that no version of the OAS has."""
    values = _values_by_keyword(_meaningless_keywords(form.parts, forms))
    return _only_value(values, values)


def _refused_null(form: NormalSchema, pair: SchemaPair) -> _Values:
    """Return a `nullable` of OAS 3.0 to no avail: without `type`, or since other parts of the schema refuse null.

    Later versions write it as a type, which is to no avail either, so nothing changes if one side has such a version.
    """
    are_alike = pair.old_forms.is_nullable_keyword and pair.new_forms.is_nullable_keyword
    is_refused = are_alike and not form.allows_null and not _is_split(form)
    is_idle = any(part.nullable and (part.has_idle_nullable or is_refused) for part in form.parts)
    return {"nullable": _IDLE_NULLABLE} if is_idle else {}


def _meaningless_keywords(parts: Sequence[Schema], forms: SchemaNormaliser) -> Iterator[tuple[str, Any]]:
    without_effect = unevaluated_without_effect(parts) | content_schema_without_effect(parts)
    for part in parts:
        if not (part.ref is not None and has_no_keywords(part)):
            yield from (
                (key, json.loads(text)) for key, text in part.idle_keywords if key != "x-stability-level"
            )
        yield from _impossible_branches(part, forms)
        yield from _idle_conditions(part, forms)
        yield from _idle_containment(part, forms)
        yield from (
            (key, forms.written_digests.of(schema)) for key, schema in part.others if key in without_effect
        )


def _impossible_branches(part: Schema, forms: SchemaNormaliser) -> Iterator[tuple[str, Any]]:
    """Yield the branches of unions that allow nothing, beside others that allow something."""
    for keyword, branches in (("oneOf", part.one_of), ("anyOf", part.any_of)):
        for branch in branches if len(forms.possible_branches(branches)) < len(branches) else ():
            if forms.refuses_all(branch):
                yield phrase("a branch of %(keyword)s", keyword=keyword), forms.written_digests.of(branch)


def _idle_null_branches(pair: SchemaPair) -> tuple[_Values, _Values]:
    """Return the branches that only say null, if what stands beside them refuses null before and after."""
    if pair.old.allows_null or pair.new.allows_null:
        return {}, {}
    old, new = (
        _values_by_keyword(
            (phrase("a null branch"), forms.written_digests.of(null_branch))
            for null_branch in null_branches(form.parts)
        )
        for form, forms in ((pair.old, pair.old_forms), (pair.new, pair.new_forms))
    )
    return old, new


def _idle_conditions(part: Schema, forms: SchemaNormaliser) -> Iterator[tuple[str, Any]]:
    schemas = {keyword: other for keyword, other in part.others if keyword in CONDITIONAL}
    is_followed = any(key in schemas and not allows_everything(schemas[key]) for key in CONSEQUENCES)
    for keyword, schema in schemas.items():
        if "if" not in schemas or not is_followed:
            yield keyword, forms.written_digests.of(schema)


def _idle_containment(part: Schema, forms: SchemaNormaliser) -> Iterator[tuple[str, Any]]:
    schema = next((other for keyword, other in part.others if keyword == "contains"), None)
    counts = {
        constraint.keyword: constraint.value
        for constraint in part.constraints
        if constraint.keyword in _OF_CONTAINS
    }
    if schema is None:
        yield from counts.items()
    elif counts.get("minContains") == 0 and "maxContains" not in counts:
        yield "contains", forms.written_digests.of(schema)


_OF_CONTAINS = frozenset(row.name for row in CONSTRAINTS.values() if row.beside == "contains")


def _keywords_of_other_types(form: NormalSchema, forms: SchemaNormaliser, pair: SchemaPair) -> _Values:
    """Return the keywords for types that the value has in neither contract; not those of a schema of several
    types that is compared type by type.
    """
    idle = {
        keyword
        for kind, keywords in _KEYWORDS_OF_TYPE.items()
        if _is_of_no_type(pair, kind)
        for keyword in keywords
    }
    return _values_by_keyword(
        (keyword, forms.written_digests.of(value))
        for part in (form.parts if idle and not _is_split(form) else ())
        for keyword, value in _written_keywords(part)
        if keyword in idle
    )


def _values_by_keyword(written: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    """Return the values of each keyword, sorted."""
    found: dict[str, list[Any]] = {}
    for keyword, value in written:
        found.setdefault(keyword, []).append(value)
    return {keyword: sorted(values, key=str) for keyword, values in found.items()}


def _is_split(form: NormalSchema) -> bool:
    """Say whether a form is a schema of several types for one of them, so that a union can be compared."""
    return len({part.location for part in form.parts}) < len(form.parts)


def _is_of_no_type(pair: SchemaPair, kind: str) -> bool:
    return not (pair.old.allows_type(kind) or pair.new.allows_type(kind))


def _written_keywords(part: Schema) -> Iterator[tuple[str, Any]]:
    values = {
        "properties": part.properties,
        "required": part.required,
        "patternProperties": part.pattern_properties,
        "additionalProperties": part.additional_properties,
        "items": part.items,
        "prefixItems": part.prefix_items,
    }
    yield from ((keyword, value) for keyword, value in values.items() if value)
    yield from ((keyword.partition(" ")[0], schema) for keyword, schema in part.others)
    yield from part.content


def _idle_limits(pair: SchemaPair) -> tuple[_Values, _Values]:
    """Return the limits on both sides that decide nothing in either: those of a type that the value does not
    have, those that all listed values keep, and bounds that the format makes superfluous.
    """
    old, new = _limits_of(pair.old), _limits_of(pair.new)
    changed = [
        keyword
        for keyword in old.keys() | new.keys()
        if old.get(keyword) != new.get(keyword) and _decides_nothing(pair, keyword)
    ]
    return _only_value(old, changed), _only_value(new, changed)


def _only_value(limits: Mapping[str, list[Any]], keywords: Iterable[str]) -> _Values:
    """Return the limits by keyword, each as its one value if it has one."""
    return {
        key: limits[key][0] if len(limits[key]) == 1 else limits[key] for key in keywords if key in limits
    }


def _limits_of(form: NormalSchema) -> dict[str, list[Any]]:
    """Return the limits of a form by keyword, without those that are none, such as a minimum length of 0."""
    limits = {
        (constraint.keyword, str(constraint.value)): constraint.value
        for part in form.parts
        for constraint in part.constraints
        if constraint.keyword not in _OF_CONTAINS
        and (constraint.value or constraint.keyword not in _NONE_IF_ZERO)
    }
    return _values_by_keyword((keyword, value) for (keyword, _), value in limits.items())


_NONE_IF_ZERO = frozenset({"minLength", "minItems", "minProperties", "uniqueItems"})


def _decides_nothing(pair: SchemaPair, keyword: str) -> bool:
    kind = CONSTRAINTS[keyword].applies_to
    if pair.old.allows_type(kind) is not pair.new.allows_type(kind):
        return False
    if kind in _LISTED and pair.old.values is not None and pair.new.values is not None:
        return not has_effective_constraints(pair, kind)
    if not type_applies(pair, kind):
        return True
    if keyword == "minProperties":
        most = max(form.min_count(keyword) for form in (pair.old, pair.new))
        return all(most <= least_count(form, keyword) for form in (pair.old, pair.new))
    if keyword == "maxItems":
        form, forms = min(
            (pair.old, pair.old_forms),
            (pair.new, pair.new_forms),
            key=lambda side: side[0].max_count(keyword),
        )
        return form.max_count(keyword) >= most_count(form, forms, keyword)
    if keyword == "uniqueItems":
        return all(form.max_count("maxItems") <= 1 for form in (pair.old, pair.new))
    return keyword in _BOUNDS and is_superfluous_bound(pair, is_lower=keyword in _LOWER_BOUNDS)


_LISTED = frozenset({"number", "string"})
_LOWER_BOUNDS = frozenset({"minimum", "exclusiveMinimum"})
_BOUNDS = _LOWER_BOUNDS | {"maximum", "exclusiveMaximum"}


def _idle_format(pair: SchemaPair) -> tuple[_Values, _Values]:
    if format_change(pair) is not FormatChange.WITHOUT_EFFECT:
        return {}, {}
    old, new = ({"format": form.format} if form.format else {} for form in (pair.old, pair.new))
    return old, new


def _idle_type(pair: SchemaPair) -> tuple[_Values, _Values]:
    """Return `integer` and `number`, if the format holds integers alone anyway."""
    types = compared_types(pair)
    if types is None or types.old != types.new or pair.old.types == pair.new.types:
        return {}, {}
    return {"type": sorted(pair.old.types)}, {"type": sorted(pair.new.types)}


def _idle_default(pair: SchemaPair) -> tuple[_Values, _Values]:
    """Return the defaults of a value that is always sent, which nobody uses."""
    if pair.is_sent and pair.position.is_required and not pair.position.is_parameter:
        return _default_of(pair.old), _default_of(pair.new)
    return {}, {}


def _default_of(form: NormalSchema) -> _Values:
    return {} if form.default is ABSENT else {"default": form.default}


def _known_values_of_enum(pair: SchemaPair) -> tuple[_Values, _Values]:
    """Return the values of `x-extensible-enum`, if an `enum` lists what is allowed anyway."""
    if pair.old.values is None or pair.new.values is None or pair.old.extensible == pair.new.extensible:
        return {}, {}
    return _known_values(pair.old), _known_values(pair.new)


def _known_values(form: NormalSchema) -> _Values:
    return {} if form.extensible is None else {"x-extensible-enum": list(form.extensible)}


def _idle_xml(pair: SchemaPair) -> tuple[_Values, _Values]:
    """Return what `xml` says, if the value is sent as something else, or written in XML as before."""
    forms = pair.xml_forms
    if pair.old.xml == pair.new.xml or (forms is not None and is_rewritten(*forms)):
        return {}, {}
    return {"xml": _written_xml(pair.old)}, {"xml": _written_xml(pair.new)}


def _written_xml(form: NormalSchema) -> Mapping[str, Any]:
    return {} if form.xml is None else {key: value for key, value in asdict(form.xml).items() if value}


def _keywords_of_nothing(pair: SchemaPair) -> tuple[_Values, _Values]:
    """Return the values and types of schemas that allow nothing, before and after."""
    if not (pair.old.allows_nothing and pair.new.allows_nothing):
        return {}, {}
    return _values_and_types(pair.old, pair.old_forms), _values_and_types(pair.new, pair.new_forms)


def _values_and_types(form: NormalSchema, forms: SchemaNormaliser) -> _Values:
    return _values_by_keyword(
        (keyword, forms.written_digests.of(value))
        for part in form.parts
        for keyword, value in (
            ("type", list(part.types)),
            ("format", part.format),
            ("enum", list(part.enum)),
            ("const", None if part.const is ABSENT else part.const),
            ("oneOf", part.one_of),
            ("anyOf", part.any_of),
        )
        if value
    )


IDLE_KEYWORD_RULE: Rule[SchemaPair] = schema_rule(
    "schema.without-effect.changed",
    Action.CHANGED,
    (_N, _N),
    _CHANGED,
    _idle_keyword_changed,
)
IDLE_RULES = (IDLE_KEYWORD_RULE,)


def idle_uses(
    old_form: NormalSchema, old: Schemas, new_form: NormalSchema, new: Schemas, *, is_property: bool
) -> Iterator[FoundChange]:
    """Yield the change of what decides nothing where a schema is used, whatever it says itself: keywords beside
    a `$ref` of OAS 3.0, and `readOnly` of what is not a property (OAS 3.0.3 §4.7.24).
    """
    before, after = dict(_sibling_keywords(old)), dict(_sibling_keywords(new))
    if not is_property:
        before |= _visibility(old_form)
        after |= _visibility(new_form)
    yield from _idle_changes(before, old_form, after, new_form)


def _sibling_keywords(schemas: Schemas) -> Iterator[tuple[str, Any]]:
    for schema in schemas:
        if schema.ref is not None and has_no_keywords(schema):
            yield from ((key, json.loads(text)) for key, text in schema.idle_keywords)


def _visibility(form: NormalSchema) -> _Values:
    flags = {
        "readOnly": any(part.read_only for part in form.parts),
        "writeOnly": any(part.write_only for part in form.parts),
    }
    return {keyword: True for keyword, is_set in flags.items() if is_set}
