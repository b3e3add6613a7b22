"""Where the subjects of changes stand, for changes that name no place of their own."""

import re
from collections.abc import Iterator, Mapping

from devportal.contract import Api, Location, Operation
from devportal.differ import Change, SubjectKind

_PARTS = {"version": ("info", "version"), "servers": ("servers",), "security": ("security",)}
"""Parts of a contract as a whole, by the first step of a change's field."""
_WORDS = {
    "doc.openapi.changed": ("openapi",),
    "doc.dialect.changed": ("jsonSchemaDialect",),
    "doc.info.changed": ("info",),
}
"""What a contract says of itself, by the rule that looks at it."""
_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
_Subject = tuple[SubjectKind, str]


class Homes:
    """The operations and events of one contract, with where they stand."""

    def __init__(self, api: Api) -> None:
        """Take the contract's model."""
        self._known: Mapping[_Subject, Location] = dict(_homes(api))

    def of(self, change: Change) -> Location | None:
        """Return the narrowest part that a change is about, None where this contract has no such part."""
        part = change.field.partition(".")[0]
        if change.subject.kind is SubjectKind.DOCUMENT:
            return Location("", _PARTS.get(part, _WORDS.get(change.rule, ())))
        home = self._known.get(_key(change.subject.kind, change.subject.name))
        return home.child(part) if home is not None and part in _PARTS else home


def _homes(api: Api) -> Iterator[tuple[_Subject, Location]]:
    for webhook in api.webhooks:
        yield from _event(webhook.name, webhook.operations)
    for one in api.operations:
        name = f"{one.method.upper()} {one.path}"
        yield _key(SubjectKind.OPERATION, name), one.location
        for callback in one.callbacks:
            yield from _event(f"{name} > {callback.name}", callback.operations)


def _event(name: str, requests: tuple[Operation, ...]) -> Iterator[tuple[_Subject, Location]]:
    for first in requests[:1]:
        yield _key(SubjectKind.EVENT, name), first.location


def _key(kind: SubjectKind, name: str) -> _Subject:
    """Return what finds a subject again whose placeholders have other names in the other contract."""
    return kind, _PLACEHOLDER.sub("{}", name)
