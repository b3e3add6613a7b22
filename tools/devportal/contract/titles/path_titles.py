"""Titles made from method and path: `List payment intents` for `GET /v1/payment_intents`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from devportal.contract.titles.nouns import is_plural, make_singular, with_article
from devportal.contract.titles.verbs import (
    ACTIONS,
    ADDING_VERBS,
    ADJECTIVE_VERBS,
    NOUNS_IN_PHRASES,
    REMOVALS,
    VERBS_IN_PHRASES,
)
from devportal.contract.wording import split_camel_case, title_words
from devportal.reporting.printable import capitalise

VERSION_SEGMENT = r"v\d+([._]\d+)*|\d{4}-\d{2}-\d{2}|api|rest|\d+(\.\d+)*"
"""A segment of a path that names a version or the API as a whole, as a pattern of the whole segment."""
VERSION = re.compile(rf"{VERSION_SEGMENT}|v\d+([._]\d+)*(alpha|beta)\d*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Resource:
    """What consecutive segments of a path name, and whether an id of one follows."""

    segments: tuple[str, ...]
    is_item: bool

    @property
    def plural(self) -> str:
        """Return the name of the collection: `issuing cards`."""
        *spaces, last = self.segments
        return " ".join((*map(make_singular, spaces), last))

    @property
    def name_with_article(self) -> str:
        """Return the name of one of them, with its article: `an issuing card`."""
        return with_article(self.singular)

    @property
    def singular(self) -> str:
        """Return the name of one of them: `issuing card`."""
        return " ".join(map(make_singular, self.segments))


def title_from_path(method: str, path: str, *, with_parent: bool) -> str:
    """Return a title such as `List payment intents`, empty if the path names nothing."""
    resources, action = _read_path(method, path)
    if action:
        return capitalise(_action_phrase(action, resources[-1] if resources else None))
    verbs = _VERBS.get(method)
    if not resources or verbs is None:
        return ""
    last = resources[-1]
    parent = next((resource for resource in reversed(resources[:-1]) if resource.is_item), None)
    is_created = method == "POST" and not last.is_item
    of_parent = f" {'for' if is_created else 'of'} {parent.name_with_article}" if parent is not None else ""
    if last.is_item:
        return f"{verbs.item} {last.name_with_article}{of_parent if with_parent else ''}"
    if not is_plural(last.segments[-1]):
        noun = with_article(last.plural) if is_created else f"the {last.plural}"
        return f"{verbs.single} {noun}{of_parent}"
    noun = last.name_with_article if is_created else last.plural
    return f"{verbs.collection} {noun}{of_parent}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verbs:
    """What a method does to one of a collection, to the collection, and to a resource that is the only one."""

    item: str
    collection: str
    single: str


_VERBS = {
    "GET": _Verbs(item="Retrieve", collection="List", single="Retrieve"),
    "POST": _Verbs(item="Update", collection="Create", single="Create"),
    "PUT": _Verbs(item="Replace", collection="Replace", single="Set"),
    "PATCH": _Verbs(item="Update", collection="Update", single="Update"),
    "DELETE": _Verbs(item="Delete", collection="Delete", single="Delete"),
    "HEAD": _Verbs(item="Check", collection="Check", single="Check"),
    "QUERY": _Verbs(item="Query", collection="Query", single="Query"),
}


def _read_path(method: str, path: str) -> tuple[tuple[_Resource, ...], str]:
    """Return the resources of a path, and the action at its end, if it ends in one that the method performs."""
    names, resources = [], []
    for segment in _named_segments(path):
        if not segment.startswith("{"):
            names.append(segment_words(segment))
        elif names:
            resources.append(_Resource(segments=tuple(names), is_item=True))
            names = []
    action = ""
    last = path.rpartition("/")[2]
    ends_in_procedure = is_procedure(last)
    ends_in_action = bool(names) and (is_action(names[-1]) or ":" in last)
    if ends_in_procedure or (ends_in_action and _performs(method, names[-1])):
        action = names.pop()
    if names:
        resources.append(_Resource(segments=tuple(names), is_item=False))
    return tuple(resources), action


def is_action(words: str) -> bool:
    """Return whether words name what is done to something: `cancel`, `mark paid`; not `export jobs`."""
    verb, _, rest = words.lower().partition(" ")
    if verb in NOUNS_IN_PHRASES and is_plural(rest):
        return False
    return verb in ACTIONS or (bool(rest) and verb in VERBS_IN_PHRASES)


def _performs(method: str, action: str) -> bool:
    """Say whether a request does what the last word of its path says: `DELETE /issues/{id}/lock` ends the lock, and
    `GET /users/list` has a noun there.
    """
    if action.lower() == "list" and method != "POST":
        return False
    if method == "DELETE":
        return action.lower().partition(" ")[0] in REMOVALS
    return method in _ACTION_METHODS


_ACTION_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "QUERY"})


def path_segments(path: str) -> list[str]:
    """Return the segments of a path; a slash between braces is a part of one."""
    return _SEGMENT.findall(path)


_SEGMENT = re.compile(r"(?:\{[^{}]*\}|[^/])+")


def _named_segments(path: str) -> Iterator[str]:
    """Yield the segments, versions left out, and what follows a colon on its own: `/jobs/{id}:cancel`. A procedure
    has several: `/users.profile.get`.
    """
    for segment in path_segments(path):
        if is_procedure(segment):
            yield from segment.split(".")
        elif not VERSION.fullmatch(segment):
            yield from filter(None, re.split(r":(?![^{]*\})", segment))


def is_procedure(segment: str) -> bool:
    """Say whether a segment of a path is what a procedure is about, and its verb behind a dot: `users.list`."""
    words = segment_words(segment.rpartition(".")[2])
    is_verb = words in VERBS_IN_PHRASES or is_action(words)
    return is_verb and _PROCEDURE.fullmatch(segment) is not None


_PROCEDURE = re.compile(r"[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)+")


def segment_words(segment: str) -> str:
    """Return a segment as words: `BankAccounts.json` → `bank accounts`."""
    plain = re.sub(r"\.(json|xml)$|\{[^{}]*\}", "", segment)
    words = re.split(r"[\W_]+", split_camel_case(plain, " "))
    return title_words(filter(None, words))


def _action_phrase(action: str, resource: _Resource | None) -> str:
    """Return `cancel a payment intent`, `search customers`, or `apply customer balance for a payment intent`."""
    if resource is None:
        return action
    verb, _, rest = action.partition(" ")
    about = resource.name_with_article if resource.is_item or verb in ADDING_VERBS else resource.plural
    if not rest:
        return f"{verb} {about}"
    return f"{verb} {about} {rest}" if verb in ADJECTIVE_VERBS else f"{verb} {rest} for {about}"
