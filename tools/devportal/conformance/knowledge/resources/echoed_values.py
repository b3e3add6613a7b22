"""What the response to a creation or a change shows of a member that was sent."""

import json
import unicodedata
from collections.abc import Sequence
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.knowledge.json_api import ATTRIBUTES
from devportal.conformance.knowledge.requests.inputs import PathSteps, value_at
from devportal.conformance.knowledge.resources.created_resources import ACCEPTED, resource_json
from devportal.conformance.knowledge.resources.representation_match import (
    is_equivalent,
    is_masked,
    normalized_text,
    resource_schema,
)
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import ABSENT, Operation, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Resource, object_properties
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.member_rules import EMPTY_VALUES

LONGEST_QUOTE = 60
"""How much of a value a message shows, in code points."""
MISSING = "missing in the response"


def stored_resource(subject: Subject, operation: Operation) -> Resource | None:
    """Return the resource type that an operation creates or changes, None if it does neither."""
    return next(
        (
            resource
            for resource in subject.resources
            if operation is resource.create or operation in resource.changes
        ),
        None,
    )


def echo_difference(
    subject: Subject, operation: Operation, steps: PathSteps, schema: Schema, sent: Any, exchange: Exchange
) -> str:
    """Return how a response shows a member of the request with another value, empty if it does not: it shows
    the same, need not show the member, or only accepts the request (RFC 9110 §15.3.3). `schema` is that of the
    member in the request.
    """
    resource = stored_resource(subject, operation)
    if resource is None or subject.keeps_nothing or exchange.status == ACCEPTED:
        return ""
    inner = steps[1:] if resource.envelope and steps[:1] == (resource.envelope,) else steps
    if (
        inner[:1] == (ATTRIBUTES,)
        and _shown_schema(subject, resource, operation, inner[:1], exchange) is None
    ):
        inner = inner[1:]  # of JSON:API, members like others
    shown_schema = _shown_schema(subject, resource, operation, inner, exchange)
    if shown_schema is None or not _is_alike(subject, inner, subject.api.resolve(schema), shown_schema):
        return ""
    shown = value_at(resource_json(resource, exchange), inner)
    if not _is_another_value(subject, shown_schema, sent, shown):
        return ""
    return MISSING if shown is ABSENT else f"shown as {_quote(shown)}"


def _shown_schema(
    subject: Subject, resource: Resource, operation: Operation, steps: PathSteps, exchange: Exchange
) -> Schema | None:
    """Return the schema of a member in the response, None if the contract does not describe it there."""
    shown = resource_schema(subject, resource, operation, exchange.status) if steps else None
    for step in steps:
        shown = _child(subject, shown, step) if shown is not None else None
    return shown


def _child(subject: Subject, schema: Schema, step: str | int) -> Schema | None:
    if isinstance(step, int):
        items = subject.api.resolve(schema).items
        return subject.api.resolve(items) if items is not None else None
    members = object_properties(subject.api, schema)
    return next((subject.api.resolve(member.schema) for member in members if member.name == step), None)


def _is_alike(subject: Subject, steps: PathSteps, sent: Schema, shown: Schema) -> bool:
    """Return whether request and response describe a member alike, and it is not part of a state."""
    is_hidden = (
        any(schema.write_only or schema.read_only for schema in (sent, shown)) or sent.format == "password"
    )
    is_state = any(
        isinstance(step, str) and matches_any_name(step, subject.conventions.state) for step in steps
    )
    return not is_hidden and not is_state and shown.state_machine is None and sent.types == shown.types


def _is_another_value(subject: Subject, schema: Schema, sent: Any, shown: Any) -> bool:
    """Return whether a response shows a value that no reading takes for the one that was sent."""
    if sent in EMPTY_VALUES or not subject.validator.is_valid(schema, sent, Direction.RESPONSE):
        return False
    if shown is ABSENT or shown is None:
        return True
    if isinstance(sent, bool | int | float):
        return not is_equivalent(sent, shown)
    if isinstance(sent, str):
        return isinstance(shown, str) and not is_masked(shown) and _is_another_text(schema, sent, shown)
    if isinstance(sent, list) and isinstance(shown, list):
        return _has_lost_items(sent, shown)
    return False


def _is_another_text(schema: Schema, sent: str, shown: str) -> bool:
    """Return whether a text has other letters. With a form, a server may normalize it, and not truncate it."""
    if schema.enum or schema.format == "date":
        return sent != shown
    letters, shown_letters = normalized_text(sent), normalized_text(shown)
    if schema.format or any(constraint.keyword == "pattern" for constraint in schema.constraints):
        return len(shown_letters) < len(letters) and letters.startswith(shown_letters)
    if letters:
        return letters not in shown_letters
    return unicodedata.normalize("NFC", sent).strip() != unicodedata.normalize("NFC", shown).strip()


def _has_lost_items(sent: Sequence[Any], shown: Sequence[Any]) -> bool:
    """Return whether items are missing. A server may take equal ones for one."""
    is_distinct = all(value not in sent[:position] for position, value in enumerate(sent))
    return is_distinct and len(shown) < len(sent)


def _quote(value: Any) -> str:
    text = repr(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"
