"""Finds the member of a representation that holds the identifier of a path by its form, if the two have other names.

`/specimens/{number}` and `catalogueNumber` are one identifier if the contract gives both the same pattern.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from devportal.contract.model import Api, Operation, ParameterLocation
from devportal.contract.path_templates import last_segment, parent_path, singular
from devportal.contract.schemas import Property, Schema
from devportal.contract.wording import name_words


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifierForm:
    """What a schema says of the form of an identifier. Null is left out of `types`."""

    types: frozenset[str]
    pattern: str
    format: str


def path_parameter_form(api: Api, name: str, operations: Iterable[Operation]) -> IdentifierForm | None:
    """Return the form of a parameter of the path of some operations, None if none has a schema for it."""
    schemas = (
        parameter.schema
        for operation in operations
        for parameter in operation.parameters
        if parameter.location_in is ParameterLocation.PATH and parameter.name == name
    )
    schema = next((schema for schema in schemas if schema is not None), None)
    return _form_of(api, schema) if schema is not None else None


def identifier_names(path: str) -> tuple[str, ...]:
    """Return the names that the member with the identifier of a path may have: that of the parameter, and that without
    the word for a resource of the collection: `systemSymbol` and `symbol` for `/systems/{systemSymbol}`.
    """
    parameter = last_segment(path)[1:-1]
    resource = name_words(singular(last_segment(parent_path(path))))
    words = name_words(parameter)
    is_qualified = bool(resource) and words[: len(resource)] == resource
    bare = "_".join(words[len(resource) :]) if is_qualified else ""
    return (parameter, bare) if bare else (parameter,)


def member_with_pattern(api: Api, members: Iterable[Property], form: IdentifierForm | None) -> str:
    """Return the only member whose values have the pattern of an identifier, empty if none or several have it."""
    if form is None or not form.pattern:
        return ""
    return _only(member.name for member in members if _form_of(api, member.schema) == form)


def assigned_member(api: Api, members: Iterable[Property], form: IdentifierForm | None) -> str:
    """Return the only whole number or UUID that the server assigns, if identifiers are such values: it is `readOnly`.
    Empty if none or several are.
    """
    if form is None or not ("integer" in form.types or form.format == "uuid"):
        return ""
    return _only(
        member.name
        for member in members
        if (member.schema.read_only or api.resolve(member.schema).read_only)
        and _form_of(api, member.schema) == form
    )


def _form_of(api: Api, schema: Schema) -> IdentifierForm:
    resolved = api.resolve(schema)
    patterns = [str(item.value) for item in resolved.constraints if item.keyword == "pattern"]
    return IdentifierForm(
        types=frozenset(resolved.types) - {"null"},
        pattern=next(iter(patterns), ""),
        format=resolved.format,
    )


def _only(names: Iterable[str]) -> str:
    several = [*dict.fromkeys(names)]
    return several[0] if len(several) == 1 else ""
