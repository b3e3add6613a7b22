"""Texts with quotes, an ampersand and letters beyond ASCII: they are accepted or rejected, and read as sent."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_location
from devportal.conformance.knowledge.requests.request_variants import (
    object_body,
    valid_body,
    varied_texts_request,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    REFUSED_STATUSES,
    at_new_address,
    create_resource,
    identify_created,
    is_from_cache,
    is_success,
    read_created,
    read_resource,
    resource_json,
    with_if_match,
)
from devportal.conformance.knowledge.resources.operation_resources import checkable_changes
from devportal.conformance.knowledge.resources.representation_match import is_masked, normalized_text
from devportal.conformance.knowledge.resources.versions import VERSION_NAMES
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Resource, object_properties
from devportal.contract.wording import quote_value

UNUSUAL_TEXT = 'O\'Neil & "Zoë" Žižek'
OTHER_TEXT = "1 < 2, 50%25 + C:\\new \U0001f389"
"""A text that is escaped, decoded or replaced by programs that the first one does not show."""
REMOVED = "<\U0001f389"
MOST_REQUESTS = 3
"""How many requests are sent until one is accepted."""
SERVER_ERROR = 500
SERVER_ERROR_TITLES = {
    UNUSUAL_TEXT: "quotes or letters beyond ASCII in a text are a server error",
    OTHER_TEXT: "signs, a backslash or an emoji in a text are a server error",
}
ESCAPES = ("&#39;", "&#x27;", "&#34;", "&apos;", "&quot;", "&amp;", "\\'", '\\"', "''", "\\u")
"""What programs write for quotes and ampersands in HTML, SQL and JSON."""
REPLACEMENTS = ("?", "\N{REPLACEMENT CHARACTER}", "Ã")
"""What letters turn into in a program that mistakes an encoding."""


def creation_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each creation with a free text."""
    for resource in subject.resources:
        create = resource.create
        if create is not None and resource.read is not None and any(_variants(subject, resource, create)):
            run = partial(_check_creation, subject, resource, create)
            yield Probe(operation=operation_label(create), run=run)


def change_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each change with a free text."""
    for resource, change in checkable_changes(subject):
        if any(_variants(subject, resource, change)):
            run = partial(_check_change, subject, resource, change)
            yield Probe(operation=operation_label(change), run=run)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Variant:
    """A valid request in which the members `names` have an unusual text."""

    names: tuple[str, ...]
    text: str
    request: Request


def _variants(
    subject: Subject,
    resource: Resource,
    operation: Operation,
    text: str = UNUSUAL_TEXT,
    *,
    has_new_texts: bool = False,
) -> Iterator[_Variant]:
    """Yield the request with an unusual text in all free texts, then in single ones; with `has_new_texts`, the other
    texts are new.
    """
    body = valid_body(subject, operation)
    if body is not None and has_new_texts:
        renewed = varied_texts_request(subject, operation, body.request(body.members))
        body = object_body(subject, operation, renewed)
    if body is None:
        return
    names = tuple(
        property_.name
        for property_ in object_properties(subject.api, body.schema)
        if _is_free_text(subject.api.resolve(property_.schema))
        and not matches_any_name(property_.name, (*resource.key, *subject.conventions.state, *VERSION_NAMES))
        and body.is_valid(subject, {**body.members, property_.name: text})
    )
    single = ((name,) for name in names) if len(names) > 1 else ()
    for chosen in (names, *single)[:MOST_REQUESTS] if names else ():
        members = {**body.members, **dict.fromkeys(chosen, text)}
        if body.is_valid(subject, members):
            yield _Variant(names=chosen, text=text, request=body.request(members))


def _is_free_text(schema: Schema) -> bool:
    is_restricted = bool(schema.enum or schema.format or schema.read_only or schema.write_only)
    return not is_restricted and "string" in schema.types and set(schema.types) <= {"string", "null"}


def _check_creation(
    subject: Subject, resource: Resource, create: Operation, send: Send
) -> Iterator[CheckFailure]:
    yield from _check_created_text(subject, resource, create, UNUSUAL_TEXT, send)
    yield from _check_created_text(subject, resource, create, OTHER_TEXT, send)


def _check_created_text(
    subject: Subject, resource: Resource, create: Operation, text: str, send: Send
) -> Iterator[CheckFailure]:
    variants = chain(  # another resource may have a unique value, such as a code, of the usual request
        _variants(subject, resource, create, text),
        _variants(subject, resource, create, text, has_new_texts=True),
    )
    for variant in variants:
        addressed = at_new_address(subject, resource, variant.request)
        exchange = send(create, with_new_idempotency_key(subject, create, addressed))
        if exchange.status >= SERVER_ERROR:
            create_resource(subject, resource, send)  # it raises Unsendable if nothing can be created at all
            yield _server_error(create, variant, exchange)
        elif is_success(exchange) and exchange.status != ACCEPTED:
            created = identify_created(subject, resource, addressed, exchange)
            yield from _damages(create, resource, variant, exchange, read_created(subject, created, send))
        elif not is_success(exchange) and exchange.status not in REFUSED_STATUSES:
            raise Unsendable("a creation that accepts or refuses a text")
        if exchange.status not in REFUSED_STATUSES:
            return


def _check_change(
    subject: Subject, resource: Resource, change: Operation, send: Send
) -> Iterator[CheckFailure]:
    created = create_resource(subject, resource, send)
    before = read_created(subject, created, send)
    resource_subject = with_resource_id(subject, resource, created.id)
    if not is_success(before):
        raise Unsendable("a created resource that can be read")
    for variant in _variants(resource_subject, resource, change):
        request = with_new_idempotency_key(subject, change, variant.request)
        exchange = send(change, with_if_match(change, request, before))
        if exchange.status >= SERVER_ERROR:
            plain = resource_subject.valid(change)
            if plain is not None and is_success(send(change, with_if_match(change, plain, before))):
                yield _server_error(change, variant, exchange)
        elif is_success(exchange) and exchange.status != ACCEPTED:
            after = read_resource(subject, resource, created.id, send)
            yield from _damages(change, resource, variant, exchange, after)
        elif not is_success(exchange) and exchange.status not in REFUSED_STATUSES:
            raise Unsendable("a change that accepts or refuses a text")
        if exchange.status not in REFUSED_STATUSES:
            return


def _damages(
    operation: Operation, resource: Resource, variant: _Variant, exchange: Exchange, read: Exchange
) -> Iterator[CheckFailure]:
    """Yield a failure for the first text that is read in another form than a server could want."""
    shown = resource_json(resource, read)
    if not is_success(read) or is_from_cache(read) or not isinstance(shown, dict):
        return
    for name in variant.names:
        if damage := text_damage(variant.text, shown.get(name)):
            yield CheckFailure(
                title=damage,
                message=f"{name!r} was sent as {variant.text!r} and is read as {quote_value(shown[name], 100)}",
                operation=operation_label(operation),
                promise=response_location(operation, exchange),
                evidence=(exchange, read),
                member=name,
            )
            return


def text_damage(sent: str, shown: Any) -> str:
    """Return what is wrong with a text that is read, empty if nothing surely is: a server may trim, shorten,
    normalize and mask texts, or leave them as they were before.
    """
    if not isinstance(shown, str) or is_masked(shown) or shown == sent:
        return ""
    if any(escape in shown and escape not in sent for escape in ESCAPES):
        return "quotes of a text are read escaped"
    if sent == OTHER_TEXT:
        return "" if _is_kept(sent, shown) else "characters of a text are read as others"
    letters, shown_letters = normalized_text(sent), normalized_text(shown)
    ascii_letters = "".join(letter for letter in letters if letter.isascii())
    is_replaced = any(replacement in shown and replacement not in sent for replacement in REPLACEMENTS)
    if shown_letters == ascii_letters or (is_replaced and shown_letters != letters):
        return "letters of a text are lost"
    return ""


def _is_kept(sent: str, shown: str) -> bool:
    """Return whether a text is read as it was sent, trimmed or shortened, or without what programs remove that do
    not store markup and emoji. Its order is compared with plain texts.
    """
    plain, plain_shown = (
        "".join(
            character for character in text.casefold() if not character.isspace() and character not in REMOVED
        )
        for text in (sent, shown)
    )
    return plain.startswith(plain_shown) or sorted(plain) == sorted(plain_shown)


def _server_error(operation: Operation, variant: _Variant, exchange: Exchange) -> CheckFailure:
    return CheckFailure(
        title=SERVER_ERROR_TITLES[variant.text],
        message=f"{variant.text!r} in {', '.join(variant.names)} gets {exchange.outcome}",
        operation=operation_label(operation),
        promise=response_location(operation, exchange),
        evidence=(exchange,),
    )
