"""The values that samples send of parameters, and the paths with these values."""

import re
from typing import Any
from urllib.parse import quote

from devportal.contract import Api, Operation, Parameter, ParameterLocation, Schema
from devportal.contract.path_templates import sent_path
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.name_hints import value_for_name
from devportal.contract.values.name_words import Owner, noun_of
from devportal.contract.values.per_contract import PerContract
from devportal.contract.values.scalars import DEFAULT_TEXT, allows_text
from devportal.contract.values.schema_shapes import gives_example
from devportal.contract.values.synthesis import WHOLE_PLACEHOLDER, is_valid_value, sample_value
from devportal.contract.wire_format.serialisation import (
    encode_address,
    replace_non_finite,
    scalar_text,
    serialise_path_parameter,
)
from devportal.contract.wording import split_camel_case
from devportal.reference.samples.single_use import is_single_use

MAX_VALUE_LENGTH = 2_000
"""How many characters the value of a parameter may have in a sample; a longer one is replaced by its name."""


def is_sent(api: Api, parameter: Parameter) -> bool:
    """Say whether a sample sends a parameter: if it has to be sent, or if the contract gives an example for it
    that is valid more than once.
    """
    if parameter.required or parameter.deprecated or is_single_use(parameter):
        return parameter.required
    holders = (parameter, parameter.content) if parameter.content else (parameter,)
    if any(example.has_value for holder in holders for example in holder.examples):
        return True
    return any(holder.schema is not None and gives_example(api, holder.schema) for holder in holders)


def parameter_value(api: Api, parameter: Parameter) -> Any:
    """Return an example value of a parameter: one that the contract gives, or one made from its schema.

    It is made once: many operations share a parameter, and the address, the query and the Postman collection of
    each ask for it. Callers must not change it.
    """
    values = _parameter_values(api)
    if id(parameter) not in values:
        values[id(parameter)] = parameter, _make_parameter_value(api, parameter)
    return values[id(parameter)][1]


def _no_values(_: Api) -> dict[int, tuple[Parameter, Any]]:
    """Return the values of no parameters yet; each is kept with its parameter, so that its id stays its own."""
    return {}


_parameter_values = PerContract(_no_values)


def _make_parameter_value(api: Api, parameter: Parameter) -> Any:
    holders = (parameter, parameter.content) if parameter.content else (parameter,)
    for holder in holders:
        for example in holder.examples:
            if example.has_value:
                return _limit_value(example.value, parameter)
    schema = parameter.schema or (parameter.content.schema if parameter.content else None)
    if schema is None:
        return parameter.name
    sample = sample_value(api, schema, Direction.REQUEST)
    if sample.gaps and not sample.gaps[0].pointer:
        return parameter.name if parameter.location_in is ParameterLocation.PATH else f"<{parameter.name}>"
    value = sample.value
    is_free_text = isinstance(value, str) and not value.isdecimal()
    if parameter.location_in is not ParameterLocation.PATH or not is_free_text:
        value = value_for_name(
            api,
            parameter.name,
            schema,
            value,
            fits=lambda part, named: is_valid_value(api, part, named, Direction.REQUEST),
            owner=Owner(noun=noun_of(schema.location.pointer)),
            description=parameter.description,
        )
    if value in ({}, None) and not api.resolve(schema).types:
        value = DEFAULT_TEXT  # anything may be sent, but not nothing
    return _limit_value(_name_if_any_text(api, schema, parameter, value), parameter)


def parameter_notes(api: Api, parameter: Parameter) -> tuple[str, ...]:
    """Return what readers have to know of the value of a parameter that has no example."""
    schema = parameter.schema or (parameter.content.schema if parameter.content else None)
    holders = (parameter, parameter.content) if parameter.content else (parameter,)
    if schema is None or any(example.has_value for holder in holders for example in holder.examples):
        return ()
    notes = sample_value(api, schema, Direction.REQUEST).notes
    return tuple(
        f"{parameter.name}: {note.replace(WHOLE_PLACEHOLDER, f'<{parameter.name}>')}" for note in notes
    )


def _name_if_any_text(api: Api, schema: Schema, parameter: Parameter, value: Any) -> Any:
    """Return the value of a parameter; of a path that may be any text, its placeholder."""
    if value != DEFAULT_TEXT or parameter.location_in is not ParameterLocation.PATH:
        return value
    name, target = path_placeholder(parameter.name), api.resolve(schema)
    return name if not target.types or allows_text(target, name) else value


def path_placeholder(name: str) -> str:
    """Return what a sample has in a path in place of any text: `/repos/OWNER/REPO`."""
    return re.sub(r"\W+", "_", split_camel_case(name, "_")).upper()


def _limit_value(value: Any, parameter: Parameter) -> Any:
    return replace_non_finite(value) if len(scalar_text(value)) <= MAX_VALUE_LENGTH else parameter.name


_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def example_path(api: Api, operation: Operation) -> str:
    """Return the path with example values; a placeholder that no parameter describes becomes its name."""
    values = {
        parameter.name: serialise_path_parameter(parameter, parameter_value(api, parameter))
        for parameter in operation.parameters
        if parameter.location_in is ParameterLocation.PATH
    }
    parts = _PLACEHOLDER.split(sent_path(operation.path))
    return "".join(
        (values[part] if part in values else quote(part, safe="")) if number % 2 else encode_address(part)
        for number, part in enumerate(parts)
    )
