"""The values of a parameter such as `sort`: those that a contract enumerates, and those that its description names."""

import re
from collections.abc import Iterator

from devportal.conformance.knowledge.paging import ListTarget, list_target
from devportal.conformance.knowledge.requests.valid_request import body_schema
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Parameter
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Listing, item_properties, object_properties
from devportal.contract.wording import sentences_of

_SPRING_FORM = re.compile(r"\bproperty\s*\(?,\s*\(?\|?\s*asc\s*\|\s*desc\b", re.IGNORECASE)
"""How springdoc describes the parameter `sort` of Spring Data, whose values are members of what is stored."""
_QUOTED = re.compile(r"`([+-]?[A-Za-z_]\w*)`")
_HAS_MINUS = re.compile(r"`-`|'-'|\"-\"|\bminus\b|\bhyphen\b|\bprefix\w*\b[^.;]*-", re.IGNORECASE)
_EXCLUDES = re.compile(
    r"\b(?:not|cannot|can't|except|unless|other than|unsupported|ignored)\b", re.IGNORECASE
)
"""Words of sentences that name members by which a list cannot be sorted."""
_DIRECTIONS = frozenset({"asc", "desc", "ascending", "descending"})
_SORTABLE = frozenset({"integer", "number", "string"})


def documented_values(subject: Subject, parameter: Parameter) -> tuple[str, ...]:
    """Return the texts that a parameter takes: its enumeration, that of its items, or its examples."""
    if parameter.schema is None:
        return ()
    schema = subject.api.resolve(parameter.schema)
    if "array" in schema.types and schema.items is not None:
        schema = subject.api.resolve(schema.items)
    given = schema.enum or tuple(example.value for example in parameter.examples if example.has_value)
    return tuple(item for item in given if isinstance(item, str))


def sort_values(subject: Subject, listing: Listing, parameter: Parameter) -> tuple[str, ...]:
    """Return the values by which a list may be sorted: `documented_values`, or else the default and those that the
    description names.
    """
    documented = documented_values(subject, parameter)
    is_sort = matches_any_name(parameter.name, subject.conventions.sort)
    if documented or not is_sort or parameter.schema is None:
        return documented
    default = default_value(subject, parameter)
    described = _described_values(list_target(subject, listing), parameter)
    return tuple(dict.fromkeys((*((default,) if default else ()), *described)))


def default_value(subject: Subject, parameter: Parameter) -> str:
    """Return the default of a parameter that is a text, or a list of one; empty if it has none."""
    default = subject.api.resolve(parameter.schema).default if parameter.schema is not None else None
    if isinstance(default, list) and len(default) == 1:
        default = default[0]
    return default if isinstance(default, str) else ""


def _described_values(target: ListTarget, parameter: Parameter) -> Iterator[str]:
    api, item = target.subject.api, target.listing.item
    text = parameter.description or (api.resolve(parameter.schema).description if parameter.schema else "")
    members = (
        {member.name: api.resolve(member.schema) for member in item_properties(api, item)} if item else {}
    )
    if _SPRING_FORM.search(text):
        stored = _stored_names(target)
        for name, schema in members.items():
            if name in stored and not schema.enum and not _SORTABLE.isdisjoint(schema.types):
                yield from (f"{name},asc", f"{name},desc")
        return
    has_minus = _HAS_MINUS.search(text) is not None
    values = [
        value
        for sentence in sentences_of(text)
        if not _EXCLUDES.search(sentence)
        for value in _QUOTED.findall(sentence)
    ]
    if not _DIRECTIONS.isdisjoint(map(str.lower, values)):
        return  # the parameter may take a direction alone, or one after each member
    for value in values:
        if value.lstrip("+-") in members:
            yield value
            if has_minus and value[0] not in "+-":
                yield f"-{value}"


def _stored_names(target: ListTarget) -> frozenset[str]:
    """Return the names of members that are stored: the identifier, and those that clients send."""
    path = target.listing.operation.path
    creations = (each for each in target.subject.operations if (each.method, each.path) == ("POST", path))
    schemas = (schema for each in creations if (schema := body_schema(each)) is not None)
    sent = (member.name for schema in schemas for member in object_properties(target.subject.api, schema))
    return frozenset((*target.key, *sent))
