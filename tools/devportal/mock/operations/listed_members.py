"""Members that list what is below a resource: `PUT /contacts/{id}/tags/{tag}` adds to the `tags` of the contact."""

from dataclasses import replace

from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import last_segment, parent_path
from devportal.mock.operations.call import Call
from devportal.mock.operations.records import Records
from devportal.mock.resources.store import Record


def is_listed(call: Call) -> bool:
    """Say whether the resource above has the identifier of a request in its list."""
    owner = _owner_with_list(call)
    return owner is not None and call.id in map(str, owner[0].members[owner[1]])


def changed_owner(call: Call, records: Records, *, is_removal: bool) -> tuple[Record, ...]:
    """Return the resource above with the identifier of a request in its list, or without it for a removal. Nothing if
    it has no such list, or the list is so already or cannot be so: an empty list may be one of objects.
    """
    owner = _owner_with_list(call)
    if owner is None or is_listed(call) is not is_removal:
        return ()
    record, name = owner
    kept = [item for item in record.members[name] if str(item) != call.id]
    listed = kept if is_removal else [*kept, call.id]
    kind = next(kind for kind in call.assignment.ancestors if kind.path == record.type)
    if not records.fits_member(kind, name, listed):
        return ()
    return (replace(record, members={**record.members, name: listed}, version=record.version + 1),)


def _owner_with_list(call: Call) -> tuple[Record, str] | None:
    """Return the resource right above that of a request, and its member with a list of texts whose name is that of the
    collection. None for a resource that has a representation, and so is more than an item of a list.
    """
    collection = parent_path(call.type.path)
    above = [kind for kind in call.assignment.ancestors if kind.path == parent_path(collection)]
    if call.type.schema is not None or not above:
        return None
    owner = call.state.find(above[0].path, *call.address_of(above[0]))
    names = [
        name
        for name, value in (owner.members.items() if owner is not None else ())
        if isinstance(value, list)
        and all(isinstance(item, str) for item in value)
        and matches_any_name(name, (last_segment(collection),))
    ]
    return (owner, names[0]) if owner is not None and names else None
