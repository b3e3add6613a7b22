"""Conditions that changes need by the words of a contract: without `If-Match`, 428 (RFC 6585 §3)."""

import re

from devportal.conformance.knowledge.requests.valid_request import is_if_match
from devportal.conformance.knowledge.response_check import documented_response
from devportal.contract import Operation

PRECONDITION_REQUIRED = 428
_HEADER = re.compile(r"`?If-[A-Z][A-Za-z-]+`?")
_CONDITION = re.compile(r"\b(?:if|when|unless|may|might|some|sometimes|only|for)\b", re.IGNORECASE)
_WORD_OF_ABSENCE = re.compile(
    r"an?|and|any|client|condition(?:al)?|contains?|does|etag|field|given|ha(?:s|ve)|headers?|in|includes?|is|it|"
    r"lacks|missing|no|not|omit(?:s|ted)|or|precondition|present|provided|requests?|sent|set|tag|that|the|there|"
    r"this|value|was|without"
)
"""What a sentence about a missing header is made of; any other word limits it to some requests."""


def needs_condition(operation: Operation) -> bool:
    """Return whether each request needs a condition: the words of 428 set no other condition than the lack of it."""
    if any(parameter.required and is_if_match(parameter) for parameter in operation.parameters):
        return True
    response = documented_response(operation, PRECONDITION_REQUIRED)
    words = _HEADER.sub("tag", response.description if response is not None else "")
    return all(
        _WORD_OF_ABSENCE.fullmatch(word)
        for sentence in re.split(r"(?<=[.;])\s", words)
        for clause in _CONDITION.split(sentence)[1:]
        for word in re.findall(r"[a-z'-]+", clause.lower())
    )
