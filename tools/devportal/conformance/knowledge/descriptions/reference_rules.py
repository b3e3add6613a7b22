"""References to resources that must exist by the words of a contract."""

import re
from itertools import pairwise

from devportal.conformance.knowledge.descriptions.described_rules import operation_sentences
from devportal.conformance.knowledge.response_check import documented_response, documents_exact_status
from devportal.contract import Operation
from devportal.contract.wording import sentences_of

REFUSALS = (404, 409, 422)
_MEMBER_REFUSALS = (422, 404, 409)
"""The same, the likeliest first if only the member is described."""
_MUST_EXIST = (
    r"\bmust exist\b|\bmust be (?:an?|the|one of the) (?:id |identifier |existing |known |of |an? |the )*{noun}\b|"
    r"\b(?:does|do) not exist\b|\b(?:doesn't|don't) exist\b|\bno such\b|\bunknown\b|\bnot found\b|\bnon-?existent\b"
)
_OF_MEMBER = (
    r"^(?:the )?(?:[\w-]+ )?must exist\b|"
    r"\bmust (?:be|name|refer to|identify|reference) (?:the (?:id|identifier) of )?an existing {noun}\b"
)
"""What the description of a member says, which is its subject."""
_AFTER = (
    r"(?:the|an?|both|either|neither|each|every|all|two|no such|an? existing|an? unknown|existing|unknown)"
)
_OTHERWISE = re.compile(r"(?:otherwise|else)\b", re.IGNORECASE)
"""How a sentence begins that says what happens if the one before does not hold."""
_REFUSED = re.compile(r"\b(?:404|409|422)\b", re.IGNORECASE)
_EXCEPTIONS = re.compile(r"\b(unless|except|should|may|might|optional|later|eventually)\b", re.IGNORECASE)


def promised_refusal(operation: Operation, member: str, names: tuple[str, ...], description: str = "") -> int:
    """Return the status that the contract promises if a member names nothing, 0 if it promises none. `names` are those
    of members that name the type of resource (`contract.path_templates.reference_names`): the words before one in the
    member are its role. `description` is that of the member.
    """
    noun, bare = re.escape(_noun(member)), re.escape(_noun(names[-1]))
    named = re.compile(
        rf"\b(?:{re.escape(member)}|{noun})\b|(?:^|\b{_AFTER} (?:{_AFTER} )?){bare}s?\b", re.IGNORECASE
    )
    must_exist = re.compile(_MUST_EXIST.format(noun=rf"(?:{noun}|{bare})"), re.IGNORECASE)
    of_member = re.compile(_OF_MEMBER.format(noun=rf"(?:{noun}|{bare})"), re.IGNORECASE)
    is_described = any(
        of_member.search(sentence) and not _EXCEPTIONS.search(sentence)
        for sentence in sentences_of(description)
    )

    def is_promise(sentence: str) -> bool:
        return bool(
            named.search(sentence) and must_exist.search(sentence) and not _EXCEPTIONS.search(sentence)
        )

    for status in REFUSALS:
        response = documented_response(operation, status)
        if response is None or not documents_exact_status(operation, status):
            continue
        of_operation = [
            operation_sentence
            for operation_sentence, following in pairwise((*operation_sentences(operation), ""))
            if str(status) in _REFUSED.findall(operation_sentence)
            or (_OTHERWISE.match(following) and str(status) in _REFUSED.findall(following))
        ]
        if any(map(is_promise, (*of_operation, *sentences_of(response.description)))):
            return status
    documented = (status for status in _MEMBER_REFUSALS if documents_exact_status(operation, status))
    return next(documented, 0) if is_described else 0


def _noun(member: str) -> str:
    """Return what a member names: `client` for `clientId` and `client_id`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\-]", " ", member).split()
    return " ".join(words[:-1] or words)
