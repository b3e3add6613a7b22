"""Parameters whose schemas are unions with null, as FastAPI writes optional ones: what they mean is the rest."""

from dataclasses import replace

from devportal.contract import Api, Contract, Parameter
from devportal.contract.resources import inner_schema


def with_plain_parameters(contract: Contract) -> Contract:
    """Return a contract whose parameters have the only schema of a union with null, or of an `allOf`, in its place:
    its type, its enumerated values and its bounds are those of the parameter, and no text in a request is null.
    """
    api = contract.api
    operations = tuple(
        replace(
            operation,
            parameters=tuple(_with_plain_schema(api, parameter) for parameter in operation.parameters),
        )
        for operation in api.operations
    )
    return replace(contract, api=replace(api, operations=operations))


def _with_plain_schema(api: Api, parameter: Parameter) -> Parameter:
    if parameter.schema is None:
        return parameter
    inner = inner_schema(api, parameter.schema)
    return (
        parameter if inner is parameter.schema else replace(parameter, schema=replace(inner, nullable=False))
    )
