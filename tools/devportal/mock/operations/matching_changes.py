"""Changes and deletions of all resources of a list that fit filters: `DELETE /orders?status=eq.new` of PostgREST."""

from dataclasses import replace

from devportal.contract import ABSENT
from devportal.mock.lists.list_reader import ListReader
from devportal.mock.operations.call import Call
from devportal.mock.operations.records import Records
from devportal.mock.resources.plan import Role
from devportal.mock.resources.store import Change, Record, Removal


def matching_changes(call: Call, reader: ListReader, records: Records) -> tuple[Change, ...]:
    """Return the changes of what a request filters: of all resources of the list, if it has no filter."""
    known = call.state.records(call.type.path, call.scope)
    found = reader.matching(known, replace(call.read, body=ABSENT))  # that of a search would have filters
    if call.assignment.role is Role.DELETE_MATCHING:
        return tuple(Removal(type=record.type, scope=record.scope, id=record.id) for record in found)
    return tuple(_changed_record(call, record, records) for record in found)


def _changed_record(call: Call, before: Record, records: Records) -> Record:
    return records.next_version(call, before, records.changed_members(call, before))
