"""Titles of operations: the summary if it is one, or else one made from the id, or from method and path."""

import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from devportal.contract.model import Operation
from devportal.contract.titles.nouns import is_plural, make_singular, with_article
from devportal.contract.titles.path_titles import (
    VERSION,
    is_action,
    is_procedure,
    segment_words,
    title_from_path,
)
from devportal.contract.titles.verbs import (
    ACTIONS,
    ADDING_VERBS,
    INTRANSITIVE_VERBS,
    METHOD_VERBS,
)
from devportal.contract.wording import normalise_name, title_from_id
from devportal.reporting.printable import capitalise

MAX_TITLE_LENGTH = 60
"""A longer summary is a text, in code points: it would take several lines of a heading or of the navigation."""
_MAX_SENTENCE_LENGTH = 100
"""The same for a summary whose operation has an id that makes no readable title."""
_MAX_EVENT_TITLE_LENGTH = 40
"""The same for the summary of an event, which has a name that is shorter."""

_MARKDOWN = re.compile(r"\*\*|\]\(")
"""Emphasis and links: whoever writes those writes a text."""
_STATUS = re.compile(
    r"\W*(?:deprecated|obsolete|beta|alpha|experimental|preview|internal|todo|tbd|wip|n/a|summary|string|description)\W*",
    re.IGNORECASE,
)
"""What says how far an operation is, or that nobody has written a summary yet, but not what it does."""
_MARKUP = re.compile(r"[`*_~<&\\]")
"""What may be inline markup; most summaries have none, and reading CommonMark takes time."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(\[`*])|(?<=[。！？])(?=.)")


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationTitle:
    """A title, and the summary if it says more than that."""

    title: str
    text: str = ""


def operation_title(summary: str, operation_id: str, method: str, path: str) -> OperationTitle:
    """Return the title of an operation in plain text: its summary if that is short, or else the first sentence
    of it if that is, or else one made from id, method and path. A longer sentence is a title too if the one made from
    the id does not read as one.
    """
    if not summary:
        return OperationTitle(title=make_title(operation_id, method, path))
    line = " ".join(summary.split())
    words = _plain_text(line) if _MARKUP.search(line) and not _MARKDOWN.search(line) else line
    if _STATUS.fullmatch(words):
        return OperationTitle(title=make_title(operation_id, method, path), text=summary)
    if words and _is_title(words):
        return OperationTitle(title=_title_from_summary(words, operation_id))
    first = _first_sentence(summary)
    is_statement = bool(first) and not first.endswith(("?", "!"))
    if is_statement and _is_title(first):
        return OperationTitle(title=first, text=summary)
    title = make_title(operation_id, method, path)
    if words and _is_title(words, _MAX_SENTENCE_LENGTH) and not _is_readable(title):
        return OperationTitle(title=_title_from_summary(words, operation_id))
    return OperationTitle(title=title, text=summary)


def _is_readable(title: str) -> bool:
    """Say whether a title that was made is short, and has no verb behind its noun: `Orgs list pat grants` has."""
    first, *others = title.lower().split()
    return len(title) <= MAX_TITLE_LENGTH and (first in METHOD_VERBS or METHOD_VERBS.isdisjoint(others))


def _title_from_summary(summary: str, operation_id: str) -> str:
    """Return a short summary as a title: without its full stop, and in words if it is an identifier."""
    if _IDENTIFIER.fullmatch(summary) or (summary == operation_id and _CAMEL_CASE.fullmatch(summary)):
        return title_from_id(summary)
    return _FULL_STOP.sub("", summary)


_IDENTIFIER = re.compile(r"[a-z]{2,}[A-Z]\w*|[a-z0-9]+(?:_[a-z0-9]+)+")
"""What programs call an operation, and generators repeat as its summary: `getUser`, `get_user`."""
_CAMEL_CASE = re.compile(r"(?:[A-Z][a-z0-9]+){2,}")
_FULL_STOP = re.compile(r"(?<![.\s])(?<!\.[A-Za-z])(?<!\betc)(?<!\bInc)(?<!\bLtd)\.\Z")
"""The end of a sentence, but not of an abbreviation such as `U.S.`"""


def event_title(summary: str, name: str) -> OperationTitle:
    """Return the title of an event in plain text: its summary, or its name if that is a sentence."""
    line = " ".join(summary.split())
    words = _plain_text(line) if _MARKUP.search(line) or _MARKDOWN.search(line) else line
    is_sentence = words.endswith((".", "!", "?")) or words.startswith("This ")
    if not words or is_sentence or len(words) > _MAX_EVENT_TITLE_LENGTH:
        return OperationTitle(title=name, text=summary)
    return OperationTitle(title=words, text=summary if _MARKDOWN.search(line) else "")


def _first_sentence(summary: str) -> str:
    """Return the first sentence in plain text without its full stop."""
    line = _plain_text(summary.split("\n", maxsplit=1)[0])
    return _SENTENCE_END.split(line, maxsplit=1)[0].removesuffix(".")


def _is_title(text: str, most: int = MAX_TITLE_LENGTH) -> bool:
    return len(text) <= most and not _MARKDOWN.search(text) and not _SENTENCE_END.search(text)


def _plain_text(text: str) -> str:
    from devportal.markup.markdown import plain_text  # noqa: PLC0415 - slow to import

    return plain_text(text)


def make_title(operation_id: str, method: str, path: str, *, with_parent: bool = False) -> str:
    """Return a title made from the id, or from method and path if the id only repeats those: `Create a payment
    intent` for `PostPaymentIntents`. `with_parent` also names what the resource belongs to.
    """
    operation_id = _SPRING_SUFFIX.sub("", _RPC_ID.sub(r"\1", operation_id))
    if operation_id and not _repeats_path(operation_id, method, path):
        title = (
            _title_from_group_and_task(operation_id, path)
            or _title_from_dotted_id(operation_id, path, with_parent=with_parent)
            or title_from_id(operation_id)
        )
        if title:
            return _REPEATED_WORD.sub(r"\1", _with_plural(title, path))
    procedure = _RPC_METHOD.search(path)
    title = (
        title_from_id(procedure[1]) if procedure else title_from_path(method, path, with_parent=with_parent)
    )
    title = title or ("" if _is_generated(operation_id, method, path) else title_from_id(operation_id))
    return _REPEATED_WORD.sub(r"\1", title) or f"{method} {path}"


_RPC_ID = re.compile(r"\A(?:\w+\.)+[A-Z]\w*[./]([A-Z]\w*)\Z")
"""The same as an id: `shop.v1.UserService.GetUser`."""
_SPRING_SUFFIX = re.compile(r"(?<=[a-z0-9])Using(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)(?:_\d+)?\Z")
"""What Springfox adds to the name of a Java method: `createOrderUsingPOST_1`."""
_RPC_METHOD = re.compile(r"/[\w.-]+\.[A-Z]\w*/([A-Z]\w*)\Z")
"""The method of a service, as Connect, gRPC and Twirp write it: `/shop.v1.UserService/GetUser`."""
_REPEATED_WORD = re.compile(r"\b(\w{2,})(?: \1\b)+", re.IGNORECASE)
"""A word that a group and what it is asked for share: `NamedValue_ListValue`."""


_GROUP_AND_TASK = re.compile(r"([A-Z][A-Za-z0-9]*)_([A-Za-z][A-Za-z0-9]*)")
_PREPOSITIONS = frozenset(
    {"at", "by", "for", "from", "in", "of", "on", "to", "under", "using", "with", "without"}
)


def _title_from_group_and_task(operation_id: str, path: str) -> str:
    """Return a title made from an id of AutoRest's or TypeSpec's style: `List data flows by factory` for
    `DataFlows_ListByFactory`. It is empty for any other. Services of gRPC have methods that say it all: `Get user` for
    `UserService_GetUser`.
    """
    match = _GROUP_AND_TASK.fullmatch(operation_id)
    if match is None:
        return ""
    group, task = match.groups()
    return _task_title(group, task, path, ACTIONS - INTRANSITIVE_VERBS | _verb_of_method(task, path))


def _verb_of_method(task: str, path: str) -> Set[str]:
    """Return the verb of a task that is the custom method at the end of a path, which begins with one:
    `/v1/{name}:abortUpgrade` (AIP-136).
    """
    method = path.rpartition(":")[2] if ":" in path else ""
    is_method = bool(method) and normalise_name(method) == normalise_name(task)
    return {segment_words(task).partition(" ")[0].lower()} - _AMOUNTS if is_method else set()


_DOTTED_ID = re.compile(r"[a-z]\w*(?:\.[a-z]\w*){2,}")


def _title_from_dotted_id(operation_id: str, path: str, *, with_parent: bool) -> str:
    """Return a title made from an id of Google's style, which begins with the API and ends with a method: `List files`
    for `drive.files.list`. It is empty for any other, as for `admin.users.list` at `/admin/users`.
    """
    if _DOTTED_ID.fullmatch(operation_id) is None:
        return ""
    api, *parents, group, task = operation_id.split(".")
    names = [*filter(None, path.split("/")), ""]
    is_base = any(name == api and VERSION.fullmatch(after) for name, after in pairwise(names))
    if api in names and not is_base:
        return ""
    title = _task_title(group, task, path, METHOD_VERBS | _verb_of_method(task, path))
    if not (title and parents and with_parent):
        return title
    owner = with_article(" ".join(make_singular(segment_words(parent)) for parent in parents))
    return f"{title} {'for' if title.partition(' ')[0].lower() in ADDING_VERBS else 'of'} {owner}"


def collection_of_id(operation_id: str) -> str:
    """Return the collection that an id of Google's style names: `jobs` for `batch.projects.jobs.get`. It is empty for
    any other.
    """
    return operation_id.split(".")[-2] if _DOTTED_ID.fullmatch(operation_id) else ""


def _task_title(group: str, task: str, path: str, verbs: Set[str]) -> str:
    """Return what a task does to a group, empty if it does not begin with a verb."""
    group, words = segment_words(group), segment_words(task).split(" ")
    amount = [words.pop(0)] if words[0] in _AMOUNTS and len(words) > 1 else []
    end = next(
        (number for number in range(1, len(words), 2) if words[number] not in ("and", "or")), len(words)
    )
    verb, rest = " ".join((*amount, *words[:end])), words[end:]
    has_verb = bool(amount) or all(word.lower() in verbs for word in words[:end:2])
    if not has_verb or is_action(group):
        return ""
    if rest and rest[0] not in _PREPOSITIONS:
        is_named = group.endswith(" service") or make_singular(" ".join(rest)) == make_singular(group)
        about = "" if is_named else make_singular(group)
    else:
        is_one = verb in ADDING_VERBS or (_is_about_one(path, verb) and is_plural(group))
        about = with_article(make_singular(group)) if is_one else group
    return capitalise(" ".join(filter(None, (verb, about, *rest))))


_AMOUNTS = frozenset({"batch", "bulk"})
"""What stands before a verb that is done to several at once: `batchGet`."""


def _is_about_one(path: str, verb: str) -> bool:
    """Say whether a path ends in a parameter, or in one and the verb behind it; keys of OData have quotes. A verb of
    several is not about what Google calls `{parent}`: that is what their collection belongs to (AIP-231).
    """
    if _SEVERAL_BELOW.search(path):
        return False
    end = re.search(r"\}'?\)?(?:[/:](\w+))?$", path)
    return end is not None and (not end[1] or segment_words(end[1]) == verb) and verb != "list"


_SEVERAL_BELOW = re.compile(r"\{parent\}:(?:batch|bulk)[A-Z]")


def _with_plural(title: str, path: str) -> str:
    """Return `List call notifications` for `List call notification`, if the path ends in the plural."""
    start, _, last = title.rpartition(" ")
    if not start.startswith("List"):
        return title
    words = segment_words(path.rpartition("/")[2]).rpartition(" ")[2]
    is_plural = words != last and make_singular(words).casefold() == last.casefold()
    return f"{start} {words}" if is_plural else title


def distinguish_titles(operations: Sequence[Operation]) -> tuple[Operation, ...]:
    """Return the operations; of those with one title, made from their paths, each names its parent as well."""
    counts = Counter(operation.title for operation in operations)
    return tuple(
        replace(operation, title=_title_with_parent(operation)) if counts[operation.title] > 1 else operation
        for operation in operations
    )


def _title_with_parent(operation: Operation) -> str:
    declared = operation.id if operation.id_is_declared else ""
    if operation.title != make_title(declared, operation.method, operation.path):
        return operation.title
    return make_title(declared, operation.method, operation.path, with_parent=True)


_GENERATED_ID = re.compile(r"Controller|_(list|retrieve|read|create|update|partial_update|destroy)(_\d+)?$")
"""What NestJS and Django REST framework write into ids: the class, or the kind of the view. drf-yasg writes `read`."""


_ONLY_VERB = re.compile(
    r"(?:add|create|delete|destroy|fetch|find|get|index|insert|list|patch|put|read|remove|replace|retrieve|save|show"
    r"|store|update)(?:All|One|ById)?(?:_\d+)?"
)
"""The name of a method in a class about one kind of resource, which springdoc numbers: `findAll`, `get_1`."""


def _is_generated(operation_id: str, method: str, path: str) -> bool:
    """Say whether an id has the class or the kind of a view in it. A path of controllers is about those, and only GET
    reads: others mark something as read.
    """
    found = _GENERATED_ID.search(operation_id)
    if found is None or (found[0] == "Controller" and "controller" in path.lower()):
        return False
    return method == "GET" or found[1] != "read"


def _repeats_path(operation_id: str, method: str, path: str) -> bool:
    """Say whether an id says nothing that method and path do not say."""
    if _is_generated(operation_id, method, path) or _ONLY_VERB.fullmatch(operation_id):
        return True
    name, word = normalise_name(operation_id), method.lower()
    last = path.rpartition("/")[2]
    if name == normalise_name(last) and is_procedure(last):
        return True
    if not name.startswith(word) and not name.endswith(word):
        return False
    rest = name.removeprefix(word) if name.startswith(word) else name.removesuffix(word)
    segments = [part for part in path.split("/") if part]
    later = [segment for segment in segments if not VERSION.fullmatch(segment)]
    spellings = (segments, later, *([text for text in each if "{" not in text] for each in (segments, later)))
    return rest in {normalise_name("".join(each)) for each in spellings}
