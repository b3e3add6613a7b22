"""Another account beside the main one, and what it must see nothing of."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from devportal.conformance.deployment.credentials import CredentialSet, Role, credential_slots, is_secured
from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.knowledge.resources import Resource
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.contract import Operation

UNAUTHENTICATED = 401
LONGEST_COUNT = 9
"""Digits of an identifier that may be a number that each account counts for itself."""


def as_other_account(subject: Subject) -> Subject:
    """Return the subject as the other account sees it: it is the main party of all requests.

    Raises Unsendable where the run knows nobody else.
    """
    credential = subject.other(Role.OTHER_TENANT)
    if credential is None:
        raise Unsendable("there is nobody else")
    return replace(subject, parties=CredentialSet(everyone=(replace(credential, role=Role.MAIN),)))


def require_authenticated(exchange: Exchange) -> Exchange:
    """Return what the other account got. Raises Unsendable where its credential is none."""
    if exchange.status == UNAUTHENTICATED:
        raise Unsendable("the credential of the other account is refused")
    return exchange


def is_private(subject: Subject, operation: Operation) -> bool:
    """Say whether an operation is about what one account has: it demands a credential that we can send, and
    the settings do not call it shared.
    """
    return (
        is_secured(operation)
        and bool(credential_slots(subject.api, operation))
        and operation_label(operation) not in subject.shared
    )


def private_resources(subject: Subject) -> Iterator[Resource]:
    """Yield the kinds of things that the main account can make and read, and that others must not see."""
    for resource in subject.resources:
        needed = (resource.create, resource.read)
        if all(each is not None and is_private(subject, each) for each in needed):
            yield resource


def is_unique_id(value: str) -> bool:
    """Say whether an identifier means the same for every account. A small number need not: each account may
    count for itself.
    """
    return not (value.isdigit() and len(value) <= LONGEST_COUNT)


def contains_text(document: Any, value: str) -> bool:
    """Say whether a text of a JSON value is this one, however deep."""
    match document:
        case dict():
            return any(contains_text(one, value) for one in document.values())
        case list() | tuple():
            return any(contains_text(one, value) for one in document)
        case bool() | None:
            return False
        case _:
            return str(document) == value
