"""Members whose values only one resource may have, by the words of a contract: "the `email` is unique within the
account".

Only plain sentences are taken as promises, and only of a creation that documents 409. A sentence that names an
exception or a state, such as "unique among active users", is none.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from devportal.conformance.knowledge.descriptions.described_filters import ignores_case
from devportal.conformance.knowledge.descriptions.described_rules import CONFLICT, operation_sentences
from devportal.conformance.knowledge.json_api import members_schema
from devportal.conformance.knowledge.requests.valid_request import body_schema
from devportal.conformance.knowledge.response_check import documented_response, documents_exact_status
from devportal.contract import Api, Operation, Schema
from devportal.contract.path_templates import names_resource
from devportal.contract.resources import object_properties
from devportal.contract.wording import sentences_of

UNIQUE_EXTENSION = "x-unique"
_EXCEPTIONS = re.compile(
    r"\b(not|non|never|unless|except|should|may|might|optional|active|published|open|live|enabled|pending|running|"
    r"confirmed|verified|scheduled|unpaid|drafts?)\b|n't\b",
    re.IGNORECASE,
)
_MEMBER_IS_UNIQUE = re.compile(
    r"(?:^|[,(]\s*|\b(?:is|are|be)\s+)unique\b"
    r"(?=\s*(?:$|[,:)])|\s+(?:within|in|per|across)\b|\s+among\s+(?:(?:all|the|other)\s+){0,2}[\w-]+$)",
    re.IGNORECASE,
)
_IS_TAKEN = re.compile(
    r"\balready\s+(?:exists?|in use|used|taken|registered)\b|\bexists already\b|\b(?:is|are)\s+taken\b|\bin use\b|"
    r"\b(?:an?|another)\s+[\w-]+\s+(?:of|with)\s+(?:this|that)(?:\s+[\w-]+){1,2}\s+exists\b|"
    r"\bbelongs?\s+to\s+another\b|"
    r"\b(?:an?|another)\s+[\w-]+\s+(?:has|uses)\s+(?:this|that)\b|\bthe same\b|\bduplicates?\b|"
    r"\bis\s+(?:already\s+)?(?:on|in)\s+the\s+(?:[\w-]+\s+)?(?:list|queue|waitlist|register)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:in|within|per|of|for|under|below)\s+(?:this|that|the|its|their|each|every|an?|one)\b",
    re.IGNORECASE,
)
_IS_REFUSED = re.compile(r"\b409\b|\b(refuse[sd]?|rejects?|rejected|conflicts?)\b", re.IGNORECASE)
_CASE_CLAUSE = re.compile(
    r"\b(?:upper(?:-\s*|\s+)?(?:(?:and|or)\s+)?lower\s*case|(?:its|their|the|letter)?\s*case)\s+(?:does|do|is|are)\s+not\s+\w+|"
    r"\bnot\s+case[- ]sensitive\b",
    re.IGNORECASE,
)
_TOGETHER = re.compile(r"\b(?:and|with|at|in|for|on|of|combination|pair|both)\b|&|\+", re.IGNORECASE)
_OF_ITSELF = re.compile(r"\bin\s+use\b|\bwith\s+(?:this|that|the\s+same)\b", re.IGNORECASE)
"""Words of `_TOGETHER` that join no other member: "A user with this email", once, and "is in use"."""
_PER_ACCOUNT = re.compile(
    r"\b(?:within|in|per|inside)\s+(?:(?:the|an|your|each|every|one|a|its)\s+)?(?:same\s+)?"
    r"(?:account|tenant|organi[sz]ation|workspace)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UniqueMember:
    """A member that only one resource may have with a value. `is_always` if the contract requires that of
    resources, not of the request alone; `is_per_account` if another account may have the value too; `ignores_case` if
    values that differ in case alone count as one; `is_alone` if it is certainly not unique together with another one.
    """

    name: str
    is_always: bool
    is_per_account: bool = False
    ignores_case: bool = False
    is_alone: bool = False


def unique_members(
    api: Api, create: Operation, envelope: str, reference_names: tuple[str, ...]
) -> tuple[UniqueMember, ...]:
    """Return the unique members of what an operation creates, if it documents 409, in the order of its schema. Those
    that name other resources (`reference_names`) are none.
    """
    schema = body_schema(create)
    if schema is None or not documents_exact_status(create, CONFLICT):
        return ()
    found = []
    for property_ in object_properties(api, members_schema(api, schema, envelope)):
        meaning = api.resolve(property_.schema)
        if not meaning.read_only and not names_resource(property_.name, reference_names):
            member = _unique_member(create, property_.name, meaning)
            if member is not None:
                found.append(member)
    return tuple(found)


def _unique_member(create: Operation, name: str, meaning: Schema) -> UniqueMember | None:
    own = [sentence for sentence in sentences_of(meaning.description) if _MEMBER_IS_UNIQUE.search(sentence)]
    word = _name_pattern(name)
    is_unique = re.compile(rf"{word}\W+(?:\w+\W+){{0,4}}?(?:is|are|be)\s+unique\b", re.IGNORECASE)
    no_two = re.compile(rf"\bno two\b[^.;]{{0,80}}?\b(?:have|share|use)\b[^.;]{{0,80}}?{word}", re.IGNORECASE)
    of_operation = [
        operation_sentence
        for operation_sentence in operation_sentences(create)
        if is_unique.search(operation_sentence) or _is_about_one(no_two, operation_sentence)
    ]
    promises = [text for text in (*own, *of_operation) if not _EXCEPTIONS.search(_without_case_clause(text))]
    if promises or dict(meaning.extensions).get(UNIQUE_EXTENSION) is True:
        return UniqueMember(
            name=name,
            is_always=True,
            is_per_account=any(map(_PER_ACCOUNT.search, promises)),
            ignores_case=any(map(ignores_case, promises)),
            is_alone=bool(own),
        )
    conflicts = [
        conflict
        for conflict in _conflicts(create)
        if re.search(word, conflict, re.IGNORECASE) and not _EXCEPTIONS.search(_without_case_clause(conflict))
    ]
    if conflicts:
        return UniqueMember(
            name=name,
            is_always=False,
            ignores_case=any(map(ignores_case, conflicts)),
            is_alone=not any(map(_names_several, conflicts)),
        )
    return None


def _names_several(conflict: str) -> bool:
    """Return whether a member may be unique only together with another one: with this name, in this team."""
    return _TOGETHER.search(_OF_ITSELF.sub(" ", _without_case_clause(conflict), count=1)) is not None


def _without_case_clause(sentence: str) -> str:
    """Return a sentence without its clause about upper and lower case, which does not limit what it says before."""
    return _CASE_CLAUSE.sub("", sentence)


def _is_about_one(pattern: re.Pattern[str], sentence: str) -> bool:
    """Return whether a sentence matches and quotes one member: two may be unique together."""
    return pattern.search(sentence) is not None and len(re.findall(r"`[^`]+`", sentence)) <= 1


def conflicts_over(change: Operation, name: str) -> bool:
    """Return whether a change is refused because another resource has the value of a member, by the description of
    its 409: "Another customer has this `email`". A sentence that quotes several members, or a place in which a value
    is unique, promises less.
    """
    response = documented_response(change, CONFLICT)
    if response is None or not documents_exact_status(change, CONFLICT):
        return False
    word = re.compile(_name_pattern(name), re.IGNORECASE)
    return any(
        _IS_TAKEN.search(sentence)
        and _is_about_one(word, sentence)
        and not _EXCEPTIONS.search(sentence)
        and not _PLACE.search(sentence)
        for sentence in sentences_of(response.description)
    )


def _conflicts(create: Operation) -> Sequence[str]:
    """Return the sentences which say that a creation is refused because something exists already."""
    refused = [
        operation_sentence
        for operation_sentence in operation_sentences(create)
        if _IS_REFUSED.search(operation_sentence)
    ]
    response = documented_response(create, CONFLICT)
    of_response = sentences_of(response.description) if response is not None else ()
    return [text for text in (*refused, *of_response) if _IS_TAKEN.search(text)]


def _name_pattern(name: str) -> str:
    """Return a pattern of a member's name in a sentence: as it is written, or its words; of one or of several."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\-.]", " ", name).split()
    spoken = r"[\s_-]".join(map(re.escape, words))
    return rf"(?<![\w-])(?:{re.escape(name)}|{spoken})s?(?![\w-])"
