"""Every rule of schemas, in the order in which they are tried, and which of them count for a pair."""

from typing import Any

from devportal.differ.normalise.forms import is_broken
from devportal.differ.rule import Rule
from devportal.differ.rules.schema_arrays import ARRAY_RULES
from devportal.differ.rules.schema_branches import BRANCH_RULES, OVERLAP_RULES
from devportal.differ.rules.schema_conditions import CONDITION_RULES
from devportal.differ.rules.schema_containments import CONTAINMENT_RULES
from devportal.differ.rules.schema_discriminators import DISCRIMINATOR_RULES, WRAPPED_DISCRIMINATOR_RULES
from devportal.differ.rules.schema_formats import FORMAT_RULES
from devportal.differ.rules.schema_idle_keywords import IDLE_RULES
from devportal.differ.rules.schema_numbers import NUMBER_RULES
from devportal.differ.rules.schema_objects import OBJECT_RULES
from devportal.differ.rules.schema_promises import PROMISE_RULES
from devportal.differ.rules.schema_properties import PROPERTY_RULES
from devportal.differ.rules.schema_strings import STRING_RULES
from devportal.differ.rules.schema_texts import DIALECT_RULES, TEXT_RULES, XML_RULES
from devportal.differ.rules.schema_types import BOOLEAN_RULES, NULL_RULES, TYPE_RULES
from devportal.differ.rules.schema_unions import PART_RULES, REPLACING_RULES, UNION_RULES, WRAPPING_RULES
from devportal.differ.rules.schema_values import VALUE_RULES
from devportal.differ.rules.schema_visibility import VISIBILITY_RULES
from devportal.differ.schemas.effective_keywords import have_disjoint_types
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.text_changes import differ_in_texts_only

_OF_OBJECTS = (*PROPERTY_RULES, *VISIBILITY_RULES, *OBJECT_RULES)
_OF_ARRAYS = (*ARRAY_RULES, *CONTAINMENT_RULES)
SCHEMA_RULES: tuple[Rule[Any], ...] = (
    *BOOLEAN_RULES,
    *TYPE_RULES,
    *NULL_RULES,
    *FORMAT_RULES,
    *VALUE_RULES,
    *NUMBER_RULES,
    *STRING_RULES,
    *_OF_ARRAYS,
    *_OF_OBJECTS,
    *CONDITION_RULES,
    *BRANCH_RULES,
    *OVERLAP_RULES,
    *UNION_RULES,
    *DISCRIMINATOR_RULES,
    *IDLE_RULES,
    *DIALECT_RULES,
    *XML_RULES,
    *TEXT_RULES,
    *PROMISE_RULES,
)
_NOT_OF_OBJECTS = tuple(schema_rule for schema_rule in SCHEMA_RULES if schema_rule not in _OF_OBJECTS)
_NOT_OF_ARRAYS = tuple(schema_rule for schema_rule in SCHEMA_RULES if schema_rule not in _OF_ARRAYS)
_OF_PLAIN_VALUES = tuple(keyword for keyword in _NOT_OF_OBJECTS if keyword not in _OF_ARRAYS)
_OF_WRAPPED: tuple[Rule[Any], ...] = (
    *BRANCH_RULES,
    *WRAPPING_RULES,
    *NULL_RULES,
    *WRAPPED_DISCRIMINATOR_RULES,
)
_OF_REPLACED: tuple[Rule[Any], ...] = (
    *TYPE_RULES,
    *NULL_RULES,
    *VALUE_RULES,
    *REPLACING_RULES,
    *XML_RULES,
    *TEXT_RULES,
)
_OF_NOTHING: tuple[Rule[Any], ...] = (*BOOLEAN_RULES, *IDLE_RULES, *TEXT_RULES)
_OF_ANOTHER_KIND: tuple[Rule[Any], ...] = (*TYPE_RULES, *NULL_RULES, *XML_RULES, *TEXT_RULES)
_OF_TEXTS_ONLY: tuple[Rule[Any], ...] = (*IDLE_RULES, *XML_RULES, *TEXT_RULES, *PROMISE_RULES)


def rules_for(pair: SchemaPair) -> tuple[Rule[Any], ...]:
    """Return the rules that apply to a pair.

    For a plain schema and a union with it as a branch, branch and schema are compared on their own. If one
    side allows nothing, or only values of another type, no other rule applies. What a reference that leads nowhere
    would say is unknown.
    """
    if is_broken(pair.old) is not is_broken(pair.new):
        return PART_RULES
    if differ_in_texts_only(pair.old, pair.new):
        return _OF_TEXTS_ONLY
    if pair.is_wrapped:
        return _OF_REPLACED if pair.unions.is_replaced else _OF_WRAPPED
    if pair.old.allows_nothing or pair.new.allows_nothing:
        return _OF_NOTHING
    if have_disjoint_types(pair):
        return _OF_ANOTHER_KIND
    if pair.may_both_be_of_type("object"):
        return SCHEMA_RULES if pair.may_both_be_of_type("array") else _NOT_OF_ARRAYS
    return _NOT_OF_OBJECTS if pair.may_both_be_of_type("array") else _OF_PLAIN_VALUES
