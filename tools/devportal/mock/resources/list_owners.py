"""To whom the items of a list belong: `/customers/{id}/orders` lists the orders whose `customer_id` is that one."""

from collections.abc import Iterable

from devportal.contract import Api
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import (
    last_segment,
    parent_path,
    reference_names,
    singular,
    without_names,
)
from devportal.mock.resources.nested_members import resource_members
from devportal.mock.resources.plan import ResourceType


def type_above(types: Iterable[ResourceType], path: str) -> ResourceType | None:
    """Return the type of the resource above a path that is below no other, None without."""
    bare = without_names(parent_path(path))
    return next(
        (
            kind
            for kind in types
            if kind.parameter and not kind.scope_names and without_names(kind.path) == bare
        ),
        None,
    )


def owner_member(api: Api, kind: ResourceType, path: str, owner: ResourceType) -> str:
    """Return the member of a type that refers to the resource above the path of a list, empty without. A name that any
    type may have, such as the `name` of `/projects/{name}/builds`, is that of the items themselves.
    """
    word = singular(last_segment(parent_path(owner.path)))
    names = (*reference_names(parent_path(path))[-1:], *reference_names(owner.path)[-1:], word)
    references = tuple(name for name in names if name.lower() != "id")
    for member in resource_members(api, kind.schema, kind.nested):
        types = set(api.resolve(member.schema).types)
        if types and types <= {"string", "integer"} and matches_any_name(member.name, references):
            return member.name
    return ""
