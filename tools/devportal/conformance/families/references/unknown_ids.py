"""An unknown identifier finds nothing."""

import re
import secrets
import string
from collections.abc import Iterator, Sequence
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.references.missing_references import missing_reference_probes
from devportal.conformance.families.references.missing_resources import missing_resource_probes
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.failures import status_failure
from devportal.conformance.knowledge.resources.created_resources import (
    create_resource,
    is_allowed_id,
    is_success,
    read_resource,
)
from devportal.conformance.knowledge.response_check import documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.resources import Resource

SERVER_ERROR = 500
FREE_CHARACTERS = 8
"""How many characters of an identifier must be variable for a random one to be unused."""
UNKNOWN_IDS = 2
CHARACTER_KINDS = (string.digits, "abcdef", "ABCDEF", string.ascii_lowercase, string.ascii_uppercase)
"""Characters that may replace each other. Hexadecimal digits stay such."""
_PREFIX = re.compile(r".*_|[A-Za-z]+-(?=[^-]*$)", re.DOTALL)
"""What stays of an identifier: `quiz-` of `quiz-3f2a`, and nothing of a UUID."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each resource type that is read."""
    for resource in subject.resources:
        if resource.read is not None and resource.key:
            yield Probe(
                operation=operation_label(resource.read), run=partial(_check_unknown_ids, subject, resource)
            )
    yield from missing_reference_probes(subject)
    yield from missing_resource_probes(subject)


def _check_unknown_ids(subject: Subject, resource: Resource, send: Send) -> Iterator[CheckFailure]:
    """Request resources with random identifiers, which should not exist."""
    existing_id = _existing_id(subject, resource, send)
    unknown_ids = [
        random_id for random_id in _random_ids(existing_id) if is_allowed_id(subject, resource, random_id)
    ][:UNKNOWN_IDS]
    if len(unknown_ids) < UNKNOWN_IDS or resource.read is None:
        raise Unsendable("identifiers with random parts, such as UUIDs")
    exchanges = [read_resource(subject, resource, id_, send) for id_ in unknown_ids]
    made_up = f"{unknown_ids[0]!r} and {unknown_ids[1]!r} are made up, and both"
    if all(map(is_success, exchanges)) and documents_exact_status(resource.read, 404):
        yield _failure(
            resource.read, "an unknown identifier finds something", f"{made_up} are found", exchanges
        )
    if all(exchange.status == SERVER_ERROR for exchange in exchanges):
        title = "an unknown identifier is a server error"
        yield _failure(resource.read, title, f"{made_up} get {SERVER_ERROR}", exchanges)


def _failure(operation: Operation, title: str, message: str, exchanges: Sequence[Exchange]) -> CheckFailure:
    return status_failure(operation, 404, title, message, *exchanges)


def _existing_id(subject: Subject, resource: Resource, send: Send) -> str:
    """Return the identifier of an existing resource: a known one, or one created for it."""
    if resource.create is not None:
        return create_resource(subject, resource, send).id
    if resource.value_key not in subject.values or not resource.is_key_sure or resource.listing is None:
        raise Unsendable("the identifier of an existing resource: give it under `values` in the settings")
    return subject.values[resource.value_key]


def _random_ids(existing_id: str) -> Iterator[str]:
    """Yield identifiers of the same form as one, with other characters."""
    before = _PREFIX.match(existing_id)
    head, tail = ("", existing_id) if before is None else (before[0], existing_id[before.end() :])
    if existing_id.isascii() and existing_id.isdigit():
        yield from (str(10**8 + secrets.randbelow(10**9)) for _ in range(UNKNOWN_IDS))
    elif sum(text.isalnum() for text in tail) >= FREE_CHARACTERS:
        yield from (head + "".join(map(random_character_like, tail)) for _ in range(4 * UNKNOWN_IDS))


def random_character_like(character: str) -> str:
    """Return a character of the same kind at random."""
    kind = next(
        (character_kind for character_kind in CHARACTER_KINDS if character in character_kind), character
    )
    return secrets.choice(kind)


FAMILY = Family(
    name="unknown-ids",
    summary="unknown identifiers return 404",
    words=CheckDescription(
        promise="An unknown identifier returns 404 if the contract documents 404. It causes no server error, "
        "even if the contract documents 500. Changes, deletions, actions and lists of a resource that does not exist "
        "return 404 or 410 if they document it, unless their descriptions accept it. A creation, a change or an action "
        "that names a resource which does not exist is rejected if the contract promises that.",
        test="Two identifiers in the form of a real one, with random characters, are requested. It is a "
        "failure if both are found or both return 500; 502, 503 and 504 have other causes. An identifier that "
        "returns 404 is named in a request whose description says that the resource must exist, else 404, 409 or "
        "422, and in the path of each operation on the resource.",
        remedy="Look up the whole identifier, and return 404 if there is nothing.",
        sources=("RFC 9110 §15.5.5", "RFC 9110 §15.6.1"),
    ),
    needs="a resource that can be read by an identifier",
    probes=probes,
    about_state=True,
)
