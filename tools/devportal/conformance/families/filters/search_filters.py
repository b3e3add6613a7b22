"""Searches for a text (`q`, `search`): they find what holds it, and nothing else."""

import random
import re
import string
import uuid
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.families.filters.filtering import (
    filter_failure,
    filter_parameters,
    lost_items_title,
    unwanted_items_title,
)
from devportal.conformance.families.filters.text_filters import is_text_filter
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.paging import (
    ListTarget,
    PageWalk,
    fill_list,
    item_keys,
    list_target,
    listed_resource,
    read_filtered_list,
)
from devportal.conformance.knowledge.requests.request_variants import (
    ObjectBody,
    is_allowed_value,
    valid_body,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    CreatedResource,
    create_resource,
    is_among,
    is_success,
    poll_until,
    read_resource,
    response_json,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, Parameter, ParameterLocation
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import last_segment, names_resource, parent_path, singular
from devportal.contract.resources import Listing, Resource, object_properties
from devportal.documents import member_at

MOST_MEMBERS = 3
"""How many members that a description names are searched."""
CONSONANTS = "bcdfghjklmnpqrtvwxz"
"""Words of these are not words of a language, so a search finds them as they are."""
TOKEN_LENGTH = 12
_VAGUE = re.compile(
    r"\b(fuzzy|similar\w*|semantic\w*|suggest\w*|recommend\w*|synonyms?|typos?|closest|nearest|related|syntax|"
    r"expression|lucene|operators?)\b",
    re.IGNORECASE,
)
_ANY_CASE = re.compile(
    r"\b(case[- ]insensitive(?:ly)?|insensitive to case|not case[- ]sensitive|in any case|(?:ignor\w+|regardless of) "
    r"(?:the )?(?:letter )?case)\b",
    re.IGNORECASE,
)
_BEGINNING = re.compile(r"\b(starts?|starting|begins?|beginning) with\b|\bprefix\b", re.IGNORECASE)
_LANGUAGE = re.compile(r"[:=<>()*~\"]")
"""What a text has that is written in a language of queries."""
_BEFORE_MEMBERS = (
    r"the|an?|its|their|in|by|or|and|on|with|whose|for|match(?:es|ing)?|search(?:es|ing)?|against|within|across|both|"
    r"contain(?:s|ing)?|either|item|resource"
)
_GENERAL_WORD = re.compile(
    r"all|an?|and|any|by|case|contain(?:s|ing)?|fields?|filter(?:s|ed|ing)?|find|for|free|full|hold(?:s|ing)?|"
    r"ignor(?:es|ing)|in|insensitive|items?|its?|keywords?|list|match(?:es|ing)?|members?|of|on|only|or|over|"
    r"optional|param(?:eter)?|phrase|query|regardless|resources?|results?|returns?|search(?:es|ed|ing)?|"
    r"sensitive|shows?|string|term|texts?|textual|that|the|their|this|those|to|which|with|words?"
)
_INSIDE = re.compile(r"\b(substrings?|(?:any )?part of|anywhere in|partial(?:ly)?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """A list that a query parameter searches, and the type of its items."""

    target: ListTarget
    parameter: Parameter
    owner: Resource
    create: Operation

    @property
    def description(self) -> str:
        """What the contract says of the parameter."""
        schema = self.parameter.schema
        resolved = self.target.subject.api.resolve(schema) if schema is not None else None
        return f"{self.parameter.description}\n{resolved.description if resolved is not None else ''}"

    def read(self, text: str, send: Send) -> PageWalk:
        """Read what a search for a text finds. Raises Unsendable if it is rejected."""
        return read_filtered_list(self.target, send, {self.parameter.name: text})

    def finds(self, created: CreatedResource, walk: PageWalk) -> bool:
        """Return whether a search has found a resource."""
        return is_among(created, walk.items)


def search_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each query parameter that searches a list of resources that can be created."""
    for listing in subject.listings:
        target = list_target(subject, listing)
        owner = listed_resource(subject, listing)
        for parameter in filter_parameters(subject.api, listing.operation) if owner is not None else ():
            if owner and owner.create and owner.key and _is_search(subject, listing, parameter):
                search = _Search(target=target, parameter=parameter, owner=owner, create=owner.create)
                run = partial(_check_search, search)
                yield Probe(operation=operation_label(listing.operation), run=run)


def _is_search(subject: Subject, listing: Listing, parameter: Parameter) -> bool:
    """Return whether a parameter takes a text to search for, by its name, and not one in a language of queries."""
    if parameter.location_in is not ParameterLocation.QUERY or parameter.schema is None:
        return False
    schema = subject.api.resolve(parameter.schema)
    is_text = "string" in schema.types and not schema.enum and not schema.format
    is_named = matches_any_name(parameter.name, subject.conventions.search)
    words = f"{parameter.description} {schema.description}"
    return (
        is_named and is_text and not is_text_filter(subject, listing, parameter) and not _VAGUE.search(words)
    )


def _check_search(search: _Search, send: Send) -> Iterator[CheckFailure]:
    """Create resources with a word that nothing else has, one for each member that the description names, and search
    for it.
    """
    fill_list(search.target, send)
    has_compared = False
    for members in _searched_members(search):
        word = _new_word()
        if not is_allowed_value(search.target.subject, search.parameter, word):
            break
        with suppress(Unsendable):
            request = _request_with(search, members, word)
            created = create_resource(search.target.subject, search.owner, send, request=request)
            if created.exchange.status == ACCEPTED or word not in str(request.body):
                continue
            failure = _search_failure(search, created, members, word, send)
            has_compared = True
            if failure is not None:
                yield failure
                return
    if not has_compared:
        raise Unsendable("a resource with a text that can be searched for, which the run can create")


def _searched_members(search: _Search) -> Iterator[tuple[str, ...]]:
    """Yield the members in which a search looks, each alone, by the description; all texts at once if it names none."""
    texts = tuple(_text_members(search))
    named = [name for name in texts if _is_named(name, search.description)]
    yield from ((name,) for name in named[:MOST_MEMBERS])
    if not named and texts and _is_general(search):
        yield texts


def _is_named(name: str, description: str) -> bool:
    """Return whether a description names a member: in backticks, or as a word that is not that of something else,
    as in "customer name" and "the name of the customer".
    """
    words = re.escape(re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\-]", " ", name).lower())
    plain = rf"(?:^|[,(/]\s*|\b(?:{_BEFORE_MEMBERS})\s+){words}s?\b(?!\s+of\b)"
    return re.search(rf"`{re.escape(name)}`|{plain}", description.strip(), re.IGNORECASE) is not None


def _is_general(search: _Search) -> bool:
    """Return whether a description limits a search to nothing: it has no other words than those of searching."""
    collection = last_segment(parent_path(search.owner.path)).lower()
    known = {collection, singular(collection)}
    words = re.findall(r"[a-z]+", search.description.lower().replace("-", " "))
    return all(word in known or _GENERAL_WORD.fullmatch(word) for word in words)


def _body(search: _Search) -> ObjectBody:
    body = valid_body(search.target.subject, search.create)
    if body is None:
        raise Unsendable(NO_VALID_REQUEST)
    return body


def _text_members(search: _Search) -> Iterator[str]:
    """Yield the members of a creation that take any text, and that the resource shows."""
    api = search.target.subject.api
    with suppress(Unsendable):
        references = search.target.subject.reference_names
        for property_ in object_properties(api, _body(search).schema):
            name, resolved = property_.name, api.resolve(property_.schema)
            is_free = "string" in resolved.types and not resolved.enum and not resolved.format
            is_hidden = resolved.write_only or resolved.read_only or names_resource(name, references)
            if is_free and not is_hidden:
                yield name


def _request_with(search: _Search, members: tuple[str, ...], word: str) -> Request:
    """Return a creation with a word in these members. Raises Unsendable if the contract allows it in none."""
    subject, body = search.target.subject, _body(search)
    changed, has_word = body.members, False
    for name in members:
        value = changed.get(name)
        text = value if isinstance(value, str) else ""
        texts = (f"{text} {word}", f"{word} {text}", word, f"{text[: -len(word)]}{word}", word.upper())
        for candidate in (*texts[1:], texts[0]) if _BEGINNING.search(search.description) else texts:
            with_word: Mapping[str, Any] = {**changed, name: candidate.strip()}
            if body.is_valid(subject, with_word):
                changed, has_word = with_word, True
                break
    if not has_word:
        raise Unsendable("a text that the contract allows to hold a word")
    return body.request(changed)


def _new_word() -> str:
    """Return a word of lower-case letters that nothing has."""
    source = random.Random(uuid.uuid4().int)  # noqa: S311 - no secret
    return "".join(source.choice(CONSONANTS) for _ in range(TOKEN_LENGTH))


def _search_failure(
    search: _Search, created: CreatedResource, members: tuple[str, ...], word: str, send: Send
) -> CheckFailure | None:
    parameter, name = search.parameter, search.parameter.name
    where = " or ".join(f"`{member}`" for member in members)
    unheld = _new_word()
    walk = search.read(unheld, send)
    if walk.items:
        key = next(item_keys(walk.items, search.owner.key))
        message = f"{name}={unheld} shows {key:.80}, and nothing holds that text"
        return filter_failure(search.target, parameter, unwanted_items_title(name), message, walk)
    for text in _spellings(search, word):
        if not is_allowed_value(search.target.subject, parameter, text):
            continue
        walk = poll_until(partial(search.read, text, send), send, partial(search.finds, created))
        other = next((item for item in walk.items if not _holds(search, item, word, send)), None)
        if other is not None:
            key = next(item_keys([other], search.owner.key))
            message = f"{name}={text} shows {key:.80}, which does not hold it"
            return filter_failure(search.target, parameter, unwanted_items_title(name), message, walk)
        if walk.is_complete and not search.finds(created, walk) and created.is_id_certain:
            if not search.finds(created, read_filtered_list(search.target, send, {})):
                raise Unsendable("a list that shows what was created")
            message = f"{name}={text} does not show {created.id!r}, which has {word!r} in {where}"
            return filter_failure(search.target, parameter, lost_items_title(name), message, walk)
    return None


def _spellings(search: _Search, word: str) -> Iterator[str]:
    """Yield a word, and what must find it as well by the description: other letters, its beginning, its middle."""
    yield word
    if _ANY_CASE.search(search.description):
        yield word.upper()
    if _BEGINNING.search(search.description):
        yield word[: TOKEN_LENGTH * 2 // 3]
    elif _INSIDE.search(search.description):
        yield word[2:-2]


def _holds(search: _Search, item: Any, word: str, send: Send) -> bool:
    """Return whether a found item has part of a word: in the list, or when it is read, as lists leave members out."""
    if _has_text(item, word):
        return True
    key = next(item_keys([item], search.owner.key))
    if search.owner.read is None or member_at(item, search.owner.key) is None:
        return True  # what it has cannot be seen
    exchange = read_resource(search.target.subject, search.owner, key, send)
    return not is_success(exchange) or _has_text(response_json(exchange), word)


def _has_text(value: Any, word: str) -> bool:
    plain = "".join(character for character in str(value).casefold() if character in string.ascii_lowercase)
    return word in plain
