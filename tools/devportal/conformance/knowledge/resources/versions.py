"""Versions of resources that a change names in its body, so that none is lost: optimistic locking."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from devportal.conformance.deployment.exchange import Request
from devportal.conformance.knowledge.descriptions.described_rules import operation_sentences
from devportal.conformance.knowledge.requests.request_variants import ObjectBody, request_json, with_json
from devportal.conformance.knowledge.response_check import documented_response, documents_exact_status
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import object_properties

ETAG_NAMES = ("etag",)
"""The names of members that hold the tag of a version, which only a server makes (AIP-154)."""
VERSION_NAMES = ("version", "revision", "lock_version", "row_version", "resource_version", *ETAG_NAMES)
"""The names of members that a server sets with each change."""
CONFLICTS = (409, 412)
_OF_VERSIONS = re.compile(
    r"\b(versions?|revisions?|e-?tags?|stale|outdated|meanwhile|concurrent(?:ly)?|optimistic|"
    r"(?:changed|modified|updated) since)\b",
    re.IGNORECASE,
)


def version_conflict(change: Operation) -> int:
    """Return the status with which a change of an outdated version is rejected by the words of the contract: those of
    the response, or a sentence about versions that names the status. 0 if it has none.
    """
    for status in CONFLICTS:
        response = documented_response(change, status)
        if response is None or not documents_exact_status(change, status):
            continue
        named = (
            sentence for sentence in operation_sentences(change) if re.search(rf"\b{status}\b", sentence)
        )
        if any(map(_OF_VERSIONS.search, (response.description, *named))):
            return status
    return 0


def with_current_version(change: Operation, request: Request, shown: Any) -> Request:
    """Return the request with the version that a representation shows, if its body names one and an outdated one is
    rejected.
    """
    body = request_json(request)
    if not isinstance(body, dict) or not _has_conflict(change):
        return request
    known = dict(_versions(shown))
    changed = _with_versions(body, known)
    return with_json(request, changed) if changed != body else request


def version_member(subject: Subject, body: ObjectBody) -> str:
    """Return the member of a change that names a version by its number or its tag, empty if none does."""
    for property_ in object_properties(subject.api, body.schema):
        types = subject.api.resolve(property_.schema).types
        is_number = matches_any_name(property_.name, VERSION_NAMES) and "integer" in types
        is_tag = matches_any_name(property_.name, ETAG_NAMES) and "string" in types
        if is_number or is_tag:
            return property_.name
    return ""


def _has_conflict(change: Operation) -> bool:
    return any(documents_exact_status(change, status) for status in CONFLICTS)


def _versions(shown: Any) -> Iterator[tuple[str, Any]]:
    """Yield the version of a representation, by the name of its member, in an envelope too."""
    for name, value in shown.items() if isinstance(shown, dict) else ():
        if matches_any_name(name, VERSION_NAMES) and isinstance(value, str | int):
            yield name, value
        elif isinstance(value, dict):
            inner = ((key, item) for key, item in value.items() if matches_any_name(key, VERSION_NAMES))
            yield from (pair for pair in inner if isinstance(pair[1], str | int))


def _with_versions(body: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    if len(body) == 1 and all(isinstance(value, dict) for value in body.values()):
        return {name: _with_versions(value, known) for name, value in body.items()}
    current = {name: value for name, value in known.items() if type(body.get(name)) is type(value)}
    return {**body, **current}
