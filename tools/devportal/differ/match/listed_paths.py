"""Paths whose parameter lists its values, and paths that spell these values out: both describe the same URLs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import prod
from typing import Any
from urllib.parse import quote

from devportal.contract import ABSENT, Api, Operation, Parameter, ParameterLocation
from devportal.contract.path_templates import (
    encoded_path,
    fill_placeholders,
    placeholder_names,
    without_names,
)

_MAX_PATHS = 100
"""How many paths one template is spelled out into."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegroupedOperation:
    """An operation at one path that the other contract describes with a parameter that lists its values.

    `old` and `new` are as written. `old_at_path` and `new_at_path` have the value in their path.
    """

    old: Operation
    new: Operation
    old_at_path: Operation
    new_at_path: Operation


def take_regrouped_operations(
    left: list[Operation], right: list[Operation], old: Api, new: Api
) -> tuple[RegroupedOperation, ...]:
    """Return the operations whose path became one with a parameter or the reverse, and take them out of both lists.

    A template that the new contract lacks counts only if each of its URLs has a separate path now. One that the
    old contract lacks stays in the list if it has further URLs.
    """
    regrouped: list[RegroupedOperation] = []
    for template in tuple(left):
        for spelled_out in _operations_by_url(old, template):
            literals = _operations_at(right, spelled_out)
            if literals.keys() == spelled_out.keys():
                left.remove(template)
                for url, literal in literals.items():
                    right.remove(literal)
                    regrouped.append(
                        RegroupedOperation(
                            old=template, new=literal, old_at_path=spelled_out[url], new_at_path=literal
                        )
                    )
                break
    for template in tuple(right):
        for spelled_out in _operations_by_url(new, template):
            literals = _operations_at(left, spelled_out)
            for url, literal in literals.items():
                left.remove(literal)
                regrouped.append(
                    RegroupedOperation(
                        old=literal, new=template, old_at_path=literal, new_at_path=spelled_out[url]
                    )
                )
            if literals:
                if literals.keys() == spelled_out.keys():
                    right.remove(template)
                break
    return tuple(regrouped)


def _operations_at(
    operations: list[Operation], spelled_out: Mapping[tuple[str, str], Operation]
) -> dict[tuple[str, str], Operation]:
    return {url: operation for operation in operations if (url := _url(operation)) in spelled_out}


def _url(operation: Operation) -> tuple[str, str]:
    return operation.method, encoded_path(without_names(operation.path))


def _operations_by_url(api: Api, template: Operation) -> Iterator[dict[tuple[str, str], Operation]]:
    """Yield the operations that a template stands for by their URL, for each choice of the parameters to spell out."""
    values = {
        parameter.name: texts
        for parameter in template.parameters
        if parameter.name in placeholder_names(template.path) and (texts := _listed_texts(api, parameter))
    }
    for count in range(1, len(values) + 1):
        for names in combinations(values, count):
            choices = [values[name] for name in names]
            if prod(map(len, choices)) <= _MAX_PATHS:
                chosen = (dict(zip(names, texts, strict=True)) for texts in product(*choices))
                yield {
                    _url(operation): operation
                    for operation in (_spelled_out(template, texts) for texts in chosen)
                }


def _spelled_out(template: Operation, texts: Mapping[str, str]) -> Operation:
    return replace(
        template,
        path=fill_placeholders(template.path, texts),
        parameters=tuple(
            parameter
            for parameter in template.parameters
            if parameter.location_in is not ParameterLocation.PATH or parameter.name not in texts
        ),
    )


def _listed_texts(api: Api, parameter: Parameter) -> tuple[str, ...]:
    """Return the values of a path parameter as they stand in URLs, nothing if it does not list them."""
    is_plain = parameter.location_in is ParameterLocation.PATH and parameter.style == "simple"
    if not is_plain or parameter.schema is None:
        return ()
    schema = api.resolve(parameter.schema)
    values = schema.enum if schema.const is ABSENT else (schema.const,)
    return tuple(map(_segment, values)) if all(map(_is_segment, values)) else ()


def _is_segment(value: Any) -> bool:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return is_number or (isinstance(value, str) and value != "")


def _segment(value: Any) -> str:
    return quote(str(value), safe="")
