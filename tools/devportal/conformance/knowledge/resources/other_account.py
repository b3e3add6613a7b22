"""The other account of a run, and the resources that it must not see."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from devportal.conformance.deployment.credentials import CredentialSet, Role, credential_slots, is_secured
from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.resources import Resource

UNAUTHENTICATED = 401
LONGEST_COUNT = 9
"""The maximum number of digits of an identifier that each account may count for itself."""


def as_other_account(subject: Subject) -> Subject:
    """Return the subject with the other account's credential as the main one.

    Raises Unsendable if the run has no other account.
    """
    credential = subject.other(Role.OTHER_TENANT)
    if credential is None:
        raise Unsendable("a credential of another account")
    return replace(subject, parties=CredentialSet(everyone=(replace(credential, role=Role.MAIN),)))


def require_authenticated(exchange: Exchange) -> Exchange:
    """Return the exchange of the other account. Raises Unsendable if its credential is rejected."""
    if exchange.status == UNAUTHENTICATED:
        raise Unsendable("a credential of another account that the operation accepts")
    return exchange


def is_private(subject: Subject, operation: Operation) -> bool:
    """Return whether an operation is private to an account: it requires a credential that can be sent, and
    the settings do not declare it shared.
    """
    return (
        is_secured(operation)
        and bool(credential_slots(subject.api, operation))
        and operation_label(operation) not in subject.shared
    )


def private_resources(subject: Subject) -> Iterator[Resource]:
    """Yield the resource types that the main account can create and read, and that others must not see."""
    for resource in subject.resources:
        operations = (resource.create, resource.read)
        if all(each is not None and is_private(subject, each) for each in operations):
            yield resource


def is_unique_id(value: str) -> bool:
    """Return whether an identifier is unique over all accounts. A small number may not be: each account may
    count for itself.
    """
    return not (value.isdigit() and len(value) <= LONGEST_COUNT)


def contains_text(document: Any, value: str) -> bool:
    """Return whether a text of a JSON value is this one, however deep. An identifier is found in the name or address
    of a resource too, which ends in it.
    """
    match document:
        case dict():
            return any(contains_text(item, value) for item in document.values())
        case list() | tuple():
            return any(contains_text(item, value) for item in document)
        case bool() | None:
            return False
        case _:
            text = str(document)
            return text == value or (is_unique_id(value) and text.endswith(f"/{value}"))
