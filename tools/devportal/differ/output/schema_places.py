"""The place in a named schema where a change of an operation is: of schemas that have another name than before."""

from typing import NamedTuple

from devportal.contract import ABSENT
from devportal.differ import Change, SubjectKind
from devportal.differ.change import component_of, path_in_component

_SCHEMAS = "schemas"


class SchemaPlace(NamedTuple):
    """A place in a schema among the components: the name of the schema, and the path in it."""

    schema: str
    path: str

    def __str__(self) -> str:
        """Return both, as in `Order lines[].price`."""
        return f"{self.schema} {self.path}".rstrip()


def schema_place(change: Change) -> SchemaPlace | None:
    """Return the place in a schema where a change of an operation is written, None if it is written elsewhere.

    What was removed is written in the old contract, everything else in the new one.
    """
    if change.subject.kind not in (SubjectKind.OPERATION, SubjectKind.EVENT):
        return None
    old, new = change.targets or (change.old_location, change.new_location)
    is_gone = change.new is ABSENT and change.old is not ABSENT
    if old is None or new is None:
        return None
    before, after = component_of(old), component_of(new)
    if before is None or after is None:
        return None
    component = before if is_gone else after
    if component[0] != _SCHEMAS:
        return None
    path = path_in_component(_SCHEMAS, component[2])
    begin = change.field.rfind(path)
    return SchemaPlace(component[1], (change.field[begin:] if begin >= 0 else path).removeprefix("."))
