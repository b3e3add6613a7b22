"""Names groups of operations by what their paths are about.

Most paths begin with a collection: `/v1/accounts/{id}`. Those of procedures do not: `/getUser`, `/DeleteUser` and
`/#Action=CreateUser` are about the noun behind the verb, and `/users.list` and `/shop.v1.UserService/Get` about the
name before the procedure.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from devportal.contract.model import Operation
from devportal.contract.titles.nouns import make_singular
from devportal.contract.titles.operation_titles import collection_of_id
from devportal.contract.titles.path_titles import VERSION_SEGMENT, path_segments
from devportal.contract.titles.verbs import ACTIONS
from devportal.contract.wording import has_own_capitals, name_words, spell_word, split_camel_case, title_words

ROOT = "root"
"""The name of the group of paths that name nothing."""
OTHERS = "other-operations"
"""The name of the group of procedures that have nothing in common."""
ALL = "operations"
"""The same if no operations have anything in common."""
_MOST_LONE_GROUPS = 8
"""How many groups may have one operation. It is a choice of ours: more of them make a list that nobody reads."""
_LEAST_SHARE = 4
"""Nouns make groups if at least one in so many procedures shares one."""
_NON_RESOURCE_SEGMENT = re.compile(rf"{VERSION_SEGMENT}|\{{.*\}}", re.IGNORECASE)
_WELL_KNOWN = ".well-known"
"""What paths begin with that clients know without a contract (RFC 8615)."""
_SERVICE = re.compile(r"[\w.-]+\.[A-Z]\w*")
"""A service with its package before it, as Connect, gRPC and Twirp write it: `shop.v1.UserService`."""
_SERVICE_WORDS = frozenset({"API", "Api", "Server", "Service"})
"""Names of services that say nothing of them."""
_VERBS = ACTIONS | {
    "batch",
    "bulk",
    "change",
    "copy",
    "describe",
    "modify",
    "put",
    "read",
    "set",
    "show",
    "write",
}
_PARTICLES = frozenset({"a", "all", "an", "by", "for", "from", "in", "my", "of", "on", "the", "to", "with"})
"""Words before a noun that say nothing of it, and behind it that need another one."""


def group_names(operations: Sequence[Operation]) -> list[str]:
    """Return the name of the group of each operation. Procedures have names of one group if they share a noun and most
    paths would be separate groups.
    """
    names = _segments_of(operations)
    counts = Counter(names)
    lone = [number for number, name in enumerate(names) if name == ROOT or counts[name] == 1]
    if len(lone) * 2 <= len(names) or len(lone) == 1:
        return names
    nouns = dict(zip(lone, _nouns(operations[number] for number in lone), strict=True))
    by_noun = _groups_by_noun(nouns.values(), (name for name in counts if counts[name] > 1 and name != ROOT))
    found = {
        number: by_noun[first]
        for number, words in nouns.items()
        if words and (first := make_singular(words[0])) in by_noun
    }
    if len(found) * _LEAST_SHARE < len(lone):
        found = {}
    rest = [number for number in lone if number not in found]
    if len(rest) > _MOST_LONE_GROUPS:
        found |= dict.fromkeys(rest, OTHERS if len(rest) < len(names) else ALL)
    elif found:
        found |= {number: OTHERS for number in rest if names[number] == ROOT}
    return [found.get(number, name) for number, name in enumerate(names)]


def paths_divide(operations: Sequence[Operation]) -> bool:
    """Say whether paths make several groups, and not one for each operation."""
    return 1 < len(set(group_names(operations))) < len(operations)


def resource_segment(path: str) -> str:
    """Return the first segment of a path that names what it is about: `/v1/accounts/{id}` → `accounts`.

    If all others are parameters, it is the last one that a template of Google's style holds:
    `/v1/{name=projects/*/jobs/*}:cancel` → `jobs`.
    """
    return next(_resource_names(path), "") or _templated_name(path) or ROOT


def title_from_segment(segment: str) -> str:
    """Return a path segment as a heading: `balance_transactions` → `Balance transactions`."""
    is_name = has_own_capitals(spell_word(segment.lower()))
    spaced = segment if is_name else split_camel_case(segment, " ")
    words = title_words(filter(None, re.split(r"[ _-]+", spaced)))
    return words[:1].upper() + words[1:] if words else segment


def _segments_of(operations: Sequence[Operation]) -> list[str]:
    """Return the segments that name what paths are about, behind those that all paths begin with:
    `/rest-service/users` and `/rest-service/orders` → `users` and `orders`.
    """
    names = [tuple(_resource_names(operation.path)) for operation in operations]
    depth = 0
    while _is_prefix([each[depth : depth + 2] for each in names]):
        depth += 1
    return [
        each[depth] if depth < len(each) else _segment_of(operation)
        for each, operation in zip(names, operations, strict=True)
    ]


def _segment_of(operation: Operation) -> str:
    """Return what a path is about; if it has parameters only, as `/v1/{name}` of Google, by the id of its operation."""
    segment = resource_segment(operation.path)
    by_id = collection_of_id(operation.id) if segment == ROOT and operation.id_is_declared else ""
    return by_id or segment


def _is_prefix(names: Sequence[Sequence[str]]) -> bool:
    """Say whether the first of two segments is that of all paths, and the second one divides them better. It must not
    be what is done with the first one: `/users/list`, `/users/create`.
    """
    if len({each[:1] for each in names}) != 1 or any(len(each) == 1 for each in names):
        return False
    seconds = [each[1] for each in names if each]
    verbs = sum(_is_verb(name_words(second)[:1]) for second in seconds)
    return 1 < len(set(seconds)) < len(seconds) and verbs * 2 <= len(seconds)


def _resource_names(path: str) -> Iterator[str]:
    """Yield what the segments up to the first parameter name. A fragment is not part of the path that is sent."""
    segments = path_segments(path.partition("#")[0])
    is_started = False
    for number, segment in enumerate(segments, start=1):
        is_parameter = segment.startswith("{")
        if is_started and is_parameter:
            return
        if (
            is_parameter
            or _NON_RESOURCE_SEGMENT.fullmatch(segment)
            or (segment == _WELL_KNOWN and segments[number:])
        ):
            continue
        is_started = True
        is_service = number < len(segments) and _SERVICE.fullmatch(segment)
        yield _service_name(segment) if is_service else re.split(r"[.:({]", segment)[0] or segment
        if is_service:  # what follows is a method
            return


def _service_name(segment: str) -> str:
    """Return what a service is called: by its package if it is only called a service, as in `billing.v1.Service`."""
    *packages, name = segment.split(".")
    named = (package for package in reversed(packages) if not _NON_RESOURCE_SEGMENT.fullmatch(package))
    return next(named, name) if name in _SERVICE_WORDS else name


def _templated_name(path: str) -> str:
    templates = (segment for segment in path_segments(path) if segment.startswith("{"))
    inside = [part for template in templates for part in re.split(r"[/={}]", template.partition("=")[2])]
    return next((part for part in reversed(inside) if re.fullmatch(r"[A-Za-z]\w*", part)), "")


def _nouns(operations: Iterable[Operation]) -> list[tuple[str, ...]]:
    """Return the words behind the verbs of procedures. If most begin with a verb, all of them do."""
    words = [name_words(_procedure_name(operation)) for operation in operations]
    longer = [each for each in words if len(each) > 1]
    are_verbs = sum(_is_verb(each) for each in longer) * 2 > len(longer)
    return [_without_verb(each, are_verbs=are_verbs) for each in words]


def _procedure_name(operation: Operation) -> str:
    """Return the name of a procedure: that of a fragment, such as `GetTags` in `/#X-Amz-Target=AWSGlue.GetTags`, or
    that of the path, or else the id of the operation.
    """
    base, _, fragment = operation.path.partition("#")
    named = re.fullmatch(r"[\w-]+=(?:\w+\.)*([A-Za-z]\w*)", fragment)
    segment = "" if named else next(_resource_names(base), "")
    return named[1] if named else segment or (operation.id if operation.id_is_declared else "")


def _without_verb(words: tuple[str, ...], *, are_verbs: bool) -> tuple[str, ...]:
    start = 1 if are_verbs or _is_verb(words) else 0
    while start + 1 < len(words) and (words[start] in _PARTICLES or (start and _is_verb(words[start:]))):
        start += 1
    return words[start:]


def _is_verb(words: Sequence[str]) -> bool:
    return bool(words) and words[0] in _VERBS


def _groups_by_noun(nouns: Iterable[tuple[str, ...]], segments: Iterable[str]) -> Mapping[str, str]:
    """Return the names of groups by the first words of nouns in the singular: those of segments that are groups
    already, and what several nouns begin with.
    """
    alike: dict[str, list[tuple[str, ...]]] = {}
    for words in filter(None, nouns):
        alike.setdefault(make_singular(words[0]), []).append(words)
    shared = {first: "-".join(_common_start(members)) for first, members in alike.items() if len(members) > 1}
    named = {make_singular(segment.casefold()): segment for segment in segments}
    return shared | {first: named[first] for first in alike if first in named}


def _common_start(members: Sequence[tuple[str, ...]]) -> list[str]:
    """Return the words that all begin with. A word is in the singular if it is the plural in some of them only."""
    words = []
    for each in zip(*members, strict=False):
        singulars = set(map(make_singular, each))
        if len(singulars) > 1:
            break
        words.append(each[0] if len(set(each)) == 1 else singulars.pop())
    while len(words) > 1 and words[-1] in _PARTICLES:
        words.pop()
    return words
