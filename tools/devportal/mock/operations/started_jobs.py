"""What an action starts: a resource of another type, such as an operation whose status can be read."""

from devportal.contract import Response, Schema
from devportal.documents import with_member_at
from devportal.mock.operations.call import Call
from devportal.mock.operations.record_views import resource_media_type
from devportal.mock.operations.records import Records
from devportal.mock.resources.plan import Plan, ResourceType
from devportal.mock.resources.store import Record


def started_type(plan: Plan, call: Call, response: Response | None) -> ResourceType | None:
    """Return the type of what an action starts: the response has its schema, nothing else creates it, and it can be
    read below the resource of the action.
    """
    media_type = resource_media_type(response)
    if media_type is None or media_type.schema is None:
        return None
    shown = plan.api.resolve(media_type.schema).location

    def is_shown(schema: Schema | None) -> bool:
        return schema is not None and plan.api.resolve(schema).location == shown

    return next(
        (
            kind
            for kind in plan.types
            if kind is not call.type
            and kind.create is None
            and kind.read is not None
            and kind.key
            and len(kind.scope_names) == len(call.values)
            and is_shown(kind.schema)
        ),
        None,
    )


def started_record(records: Records, call: Call, kind: ResourceType) -> Record:
    """Return what an action starts, in its first state."""
    scope, _ = call.address_of(kind)
    new_id = records.identifiers.make(kind, scope, call.state, call.moment)
    members = with_member_at(records.sample_members(kind), kind.key, new_id)
    members |= records.initial_state(kind, members)
    members = records.untouched_members(kind, members)
    return Record(type=kind.path, scope=scope, id=str(new_id), members=members, serial=call.moment.serial)
