"""Sample bodies of JSON Patch (RFC 6902): a schema of operations says nothing of the resource that they change."""

from collections.abc import Iterator
from typing import Any

from devportal.contract import ABSENT, Api, MediaType, Operation, Property, Schema
from devportal.contract.conventions import OWN_IDENTIFIERS, matches_any_name
from devportal.contract.media_types import JSON_PATCH, json_media_type, media_type_essence
from devportal.contract.resources import object_properties
from devportal.contract.validate.json_schema import Direction, is_hidden
from devportal.contract.values.synthesis import Selection, is_valid_value, sample_value


def is_json_patch(media_type: MediaType) -> bool:
    """Say whether bodies of a media type are documents of JSON Patch."""
    return media_type_essence(media_type.name) == JSON_PATCH


def patched_schema(operation: Operation) -> Schema | None:
    """Return the schema of what an operation changes: that of another media type of its body, such as a merge patch,
    or that of its response; None if neither has one.
    """
    others = (media_type for media_type in operation.request_content if not is_json_patch(media_type))
    shown = (json_media_type(success.content) for success in operation.successes)
    return next((found.schema for found in (*others, *shown) if found is not None and found.schema), None)


def json_patch_sample(api: Api, media_type: MediaType, patched: Schema) -> list[dict[str, Any]] | None:
    """Return a patch that replaces one member, None if the schema of the patch does not allow any.

    A text or a number that clients may change is the best one.
    """
    schema = media_type.schema
    for property_ in _changeable_properties(api, patched):
        value = sample_value(api, property_.schema, Direction.REQUEST, Selection.TYPICAL).value
        name = property_.name.replace("~", "~0").replace("/", "~1")
        patch = [{"op": "replace", "path": f"/{name}", "value": value}]
        if value is not ABSENT and (schema is None or is_valid_value(api, schema, patch, Direction.REQUEST)):
            return patch
    return None


def _changeable_properties(api: Api, patched: Schema) -> Iterator[Property]:
    members = [
        member
        for member in object_properties(api, patched)
        if not is_hidden(api, member, Direction.REQUEST)
        and not matches_any_name(member.name, OWN_IDENTIFIERS)
    ]
    yield from sorted(
        members, key=lambda member: bool({"object", "array"} & {*api.resolve(member.schema).types})
    )
