"""What the samples of the reference write in place of what they cannot know: the identifier in `/cats/ID`, and the
version in `If-Match`.
"""

from dataclasses import replace

from devportal.contract import Api, ParameterLocation
from devportal.contract.path_templates import placeholder_names
from devportal.contract.wire_format.serialisation import serialise_header
from devportal.mock.operations.call import Call
from devportal.mock.operations.records import Records
from devportal.mock.resources.plan import ResourceType
from devportal.reference.samples.parameter_values import parameter_value, path_placeholder

IF_MATCH = "if-match"


def with_sample_addresses(api: Api, call: Call, records: Records) -> Call:
    """Return a call in whose path each placeholder of a sample is the identifier of the first resource there: a sample
    finds something, as it is pasted. So is an example of the contract that no resource can have as its identifier,
    such as a text for a number. A resource with that identifier comes first, and a request that creates what its path
    names keeps the name.
    """
    own = call.assignment.type
    kinds = sorted(
        {kind.path: kind for kind in (*call.assignment.ancestors, own) if kind is not None}.values(),
        key=lambda kind: len(kind.scope_names),
    )
    for kind in kinds:
        if kind.parameter and not kind.is_called and not (kind is own and call.can_create_at_address):
            call = _with_sample_address(api, call, kind, records)
    return _with_sample_tag(api, call)


def _with_sample_tag(api: Api, call: Call) -> Call:
    """Return a call with any version in place of the one that a sample has in `If-Match`: it stands for that which the
    resource has (RFC 9110 §13.1.1).
    """
    given = call.request.header(IF_MATCH)
    is_sampled = given is not None and any(
        serialise_header(parameter, parameter_value(api, parameter)) == given
        for parameter in call.operation.parameters
        if parameter.location_in is ParameterLocation.HEADER and parameter.name.lower() == IF_MATCH
    )
    if not is_sampled:
        return call
    headers = tuple((name, "*" if name == IF_MATCH else value) for name, value in call.request.headers)
    return replace(call, request=replace(call.request, headers=headers))


def _with_sample_address(api: Api, call: Call, kind: ResourceType, records: Records) -> Call:
    names = placeholder_names(call.operation.path)
    place = len(kind.scope_names)
    scope, record_id = call.address_of(kind)
    if place >= len(names):
        return call
    name, found = names[place], call.state.records(kind.path, scope)
    if not found or call.state.find(kind.path, scope, record_id) is not None:
        return call
    identifiers = records.identifiers
    if record_id != path_placeholder(name) and identifiers.is_allowed(
        kind, identifiers.read(kind, record_id)
    ):
        return call
    is_sampled = any(
        parameter_value(api, parameter) == record_id
        for parameter in call.operation.parameters
        if parameter.location_in is ParameterLocation.PATH and parameter.name == name
    )
    return replace(call, values={**call.values, name: found[0].id}) if is_sampled else call
