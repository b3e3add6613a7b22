"""API keys that one contract describes as a parameter and the other as a security scheme: the request is the same."""

from collections.abc import Iterable

from devportal.contract import Api, Operation, Parameter, ParameterLocation, Requirement, SecurityScheme

_API_KEY = "apiKey"


def scheme_of_parameter(api: Api, operation: Operation, parameter: Parameter) -> SecurityScheme | None:
    """Return the scheme that an operation asks for, among others, and that is sent as a parameter is."""
    used = {use.scheme for requirement in operation.security for use in requirement}
    return next(
        (scheme for scheme in _sent_as(api, parameter) if scheme.name in used),
        None,
    )


def scheme_of_each_request(api: Api, operation: Operation, parameter: Parameter) -> SecurityScheme | None:
    """Return a scheme without which no request to an operation is complete, and that is sent as a parameter is."""
    for scheme in _sent_as(api, parameter):
        needs = [any(use.scheme == scheme.name for use in requirement) for requirement in operation.security]
        if needs and all(needs):
            return scheme
    return None


def parameters_of_credentials(
    api: Api, requirements: Iterable[Requirement], operation: Operation
) -> tuple[Parameter, ...]:
    """Return the required parameters of an operation that are sent as the credentials of a requirement are, for the
    first one of which there are all.
    """
    schemes = {scheme.name: scheme for scheme in api.security_schemes}
    for requirement in requirements:
        parameters = [
            parameter
            for use in requirement
            if use.scheme in schemes
            for parameter in operation.parameters
            if parameter.required and _is_sent_as(schemes[use.scheme], parameter)
        ]
        if parameters and len(parameters) == len(requirement):
            return tuple(parameters)
    return ()


def _sent_as(api: Api, parameter: Parameter) -> tuple[SecurityScheme, ...]:
    return tuple(scheme for scheme in api.security_schemes if _is_sent_as(scheme, parameter))


def _is_sent_as(scheme: SecurityScheme, parameter: Parameter) -> bool:
    """Say whether the credential of a scheme is the value of a parameter; names of headers have no case (RFC 9110
    §5.1).
    """
    if scheme.kind != _API_KEY or scheme.carrier != parameter.location_in.value or parameter.broken:
        return False
    if parameter.location_in is ParameterLocation.HEADER:
        return scheme.parameter.casefold() == parameter.name.casefold()
    return scheme.parameter == parameter.name
