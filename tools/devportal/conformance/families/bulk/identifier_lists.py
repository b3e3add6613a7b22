"""Requests that name several resources by their identifiers, `{"ids": […]}`, and get a result for each."""

from dataclasses import dataclass

from devportal.conformance.families.bulk.bulk_results import has_some_only, member_named
from devportal.conformance.knowledge.requests.request_variants import valid_body
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Operation, Property
from devportal.contract.body_schemas import success_schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Resource, object_properties
from devportal.contract.resources.bulk_creations import list_member


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifierList:
    """The member `ids` of a body has the identifiers of resources. The response has a result for each in the list
    `results`, whose member `identifier` says of which it is; the results have these members.
    """

    resource: Resource
    operation: Operation
    ids: str
    results: str
    identifier: str
    members: tuple[Property, ...]


def identifier_list(subject: Subject, resource: Resource, operation: Operation) -> IdentifierList | None:
    """Return how an operation takes identifiers and returns results: its body has `ids`, or a list with the name of
    their parameter. None if it does not, or if the name of the results says that they are of some of them only.
    """
    body = valid_body(subject, operation)
    shown = list_member(subject.api, success_schema(operation))
    if body is None or shown is None or has_some_only(shown[0]) or not resource.key:
        return None
    names = ("ids", *(f"{name}s" for name in resource.reference_names))
    ids = next((name for name in body.members if matches_any_name(name, names)), "")
    members = tuple(object_properties(subject.api, shown[1]))
    own_names = (resource.key[-1], *resource.reference_names)
    identifier = member_named(subject, members, own_names, ("string", "integer"))
    if not (ids and identifier) or not isinstance(body.members[ids], list):
        return None
    return IdentifierList(
        resource=resource,
        operation=operation,
        ids=ids,
        results=shown[0],
        identifier=identifier,
        members=members,
    )
