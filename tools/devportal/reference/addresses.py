"""Where each part of a contract is shown: page uris and anchors, unique and stable."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from devportal.contract import Api, Group, Location, Operation, ProblemType, Schema, Webhook

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def slug(text: str) -> str:
    """Return text as a part of an address: `sendMessage` → `send-message`, `issues/lock` → `issues-lock`.

    Letters of every script are kept; text without any letter or digit becomes `x`.
    """
    words = re.sub(r"[\W_]+", "-", _CAMEL.sub("-", text)).strip("-").lower()
    return words[:80].rstrip("-") or "x"


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """The uris of the pages of one contract, by the parts they show."""

    overview: str
    errors: str
    schemas_index: str
    groups: dict[str, str] = field(repr=False)
    operations: dict[Location, str] = field(repr=False)
    schemas: dict[Location, str] = field(repr=False)
    problems: dict[str, str] = field(repr=False)
    events: dict[str, str] = field(repr=False)

    def group_of(self, group: Group) -> str:
        """Return the uri of a group's page."""
        return self.groups[group.name]

    def operation(self, operation: Operation) -> str:
        """Return the uri of an operation's page; operations of callbacks have none."""
        return self.operations[operation.location]

    def schema(self, schema: Schema) -> str | None:
        """Return the uri of the page of the shared schema that a reference leads to, if it has one."""
        return self.schemas.get(schema.ref if schema.ref is not None else schema.location)


def addresses_of(api: Api, *, folder: str = "reference", overview: str = "reference/index.md") -> Addresses:
    """Return the addresses of all parts below `folder`; `overview` is the page of the whole."""
    taken: set[str] = {overview}

    def take(parent: str, name: str, *, index: bool = False) -> str:
        base = f"{parent}/{slug(name)}"
        candidate, number = base, 1
        while f"{candidate}.md" in taken or f"{candidate}/index.md" in taken:
            number += 1
            candidate = f"{base}-{number}"
        uri = f"{candidate}/index.md" if index else f"{candidate}.md"
        taken.add(uri)
        return uri

    reserved = f"{folder}/schemas/index.md", f"{folder}/errors/index.md", f"{folder}/events/index.md"
    taken.update(reserved)
    groups = {group.name: take(folder, group.name, index=True) for group in api.groups}
    operations: dict[Location, str] = {}
    for group in api.groups:
        parent = groups[group.name].removesuffix("/index.md")
        for operation in group.operations:
            if operation.location not in operations:
                operations[operation.location] = take(parent, operation.id)
    return Addresses(
        overview=overview,
        errors=f"{folder}/errors/index.md",
        schemas_index=f"{folder}/schemas/index.md",
        groups=groups,
        operations=operations,
        schemas={one.location: take(f"{folder}/schemas", one.name) for one in shared_schemas(api)},
        problems={one.uri: take(f"{folder}/errors", problem_slug(one)) for one in api.problem_types},
        events={one.name: take(f"{folder}/events", one.name) for one in events(api)},
    )


def shared_schemas(api: Api) -> Iterable[Schema]:
    """Return the schemas that have a page of their own: named ones that show more than a plain type."""
    for schema in api.schemas.values():
        combined = schema.properties or schema.all_of or schema.one_of or schema.any_of or schema.enum
        items = schema.items or schema.additional_properties or schema.pattern_properties
        if schema.name and schema.ref is None and (combined or items):
            yield schema


def events(api: Api) -> tuple[Webhook, ...]:
    """Return the webhooks that describe at least one request."""
    return tuple(webhook for webhook in api.webhooks if webhook.operations)


def problem_slug(problem: ProblemType) -> str:
    """Return the last segment of a problem type's URI, or its title where that says nothing."""
    last = problem.uri.rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1]
    return last or problem.title
