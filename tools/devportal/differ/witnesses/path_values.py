"""Whether the values that a template of a path reads from a literal path are such that its parameters refuse them."""

from urllib.parse import unquote

from devportal.contract import Api, Operation, Parameter, ParameterLocation
from devportal.contract.path_templates import path_values_pattern, placeholder_names
from devportal.differ.rule import Direction
from devportal.differ.schemas.position import WHOLE_TEXT, Side
from devportal.differ.witnesses.validation import AS_WRITTEN, TRAVELS, JoinedSchemas, MessageValidators


def refuses_path(api: Api, template: Operation, path: str) -> bool:
    """Say whether a literal path has a value that a parameter of a template of the same contract does not allow, so
    that the template never served it. False if nobody can say.
    """
    found = path_values_pattern(template.path).fullmatch(path)
    if found is None:
        return False
    parameters = {
        parameter.name: parameter
        for parameter in template.parameters
        if parameter.location_in is ParameterLocation.PATH
    }
    validators = MessageValidators(api, api, JoinedSchemas(), AS_WRITTEN)
    return any(
        "{" not in text and name in parameters and _refuses(validators, parameters[name], unquote(text))
        for name, text in zip(placeholder_names(template.path), found.groups(), strict=True)
    )


def _refuses(validators: MessageValidators, parameter: Parameter, text: str) -> bool:
    if parameter.style != "simple" or parameter.schema is None:
        return False
    types = set(parameter.schema.types)
    if types & {"array", "object"}:
        return False
    schemas, travel = (parameter.schema,), TRAVELS[Direction.TO_PROVIDER]
    return bool(validators.issues(Side.OLD, schemas, text, travel, text_depth=WHOLE_TEXT))
