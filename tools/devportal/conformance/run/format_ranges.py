"""Recognises generated numbers that break the range of a format alone, such as `int32`, and no bound."""

from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.schemathesis.events import Case
from devportal.contract import Schema
from devportal.contract.values.conjunction import combine_schemas

_MAXIMUM, _MINIMUM = {"maximum", "exclusiveMaximum"}, {"minimum", "exclusiveMinimum"}
_BOUNDS_BY_RULE = {
    "value above maximum": _MAXIMUM,
    "maximum": _MAXIMUM,
    "value below minimum": _MINIMUM,
    "minimum": _MINIMUM,
}
"""The rules of Schemathesis about the range of a number, as its phases name them, with the keywords that write one."""


def is_beyond_format_only(subject: Subject, case: Case) -> bool:
    """Return whether a case breaks nothing but the range of a format, for which the contract writes no bound:
    formats need not be checked (OAS 3.0.3 §4.4).
    """
    operation = subject.operation(case.exchange.operation)
    if operation is None or not case.broken_rules or not set(case.broken_rules) <= set(_BOUNDS_BY_RULE):
        return False
    keywords = {keyword for rule in case.broken_rules for keyword in _BOUNDS_BY_RULE[rule]}
    by_place = {
        (str(parameter.location_in), parameter.name): parameter.schema for parameter in operation.parameters
    }
    schemas = [by_place.get(place) for place in case.invalid_inputs]
    return all(schema is not None and not _constrains(subject, schema, keywords) for schema in schemas)


def _constrains(subject: Subject, schema: Schema, keywords: set[str]) -> bool:
    constraints = combine_schemas(subject.api, [schema]).schema.constraints
    return any(constraint.keyword in keywords for constraint in constraints)
