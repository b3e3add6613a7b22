"""Rules that a contract has in words: in the summary and the description of an operation.

Only plain sentences are taken as rules, such as "archived samples cannot be changed".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from devportal.conformance.knowledge.response_check import documented_response, documents_exact_status
from devportal.contract import Operation, Schema
from devportal.contract.path_templates import action_name
from devportal.contract.wording import name_words, plain_letters, sentences_of

CONFLICT = 409
FORBIDS = re.compile(
    r"\b(cannot|can ?not|can't|can no longer|must not|may not|is refused|are refused|is rejected|are rejected)\b",
    re.IGNORECASE,
)
CHANGED = re.compile(r"\b(changed|modified|updated|edited|altered)\b", re.IGNORECASE)
DELETED = re.compile(r"\b(deleted|removed)\b", re.IGNORECASE)
_DELETION_EXCEPTIONS = re.compile(r"\b(unless|except|if|when|without|may be|admin\w*)\b", re.IGNORECASE)
_OF_ANY_KIND = (
    r"(?=\W*$|`?\s*[.,;:)]|`?\s+(?:and|or|cannot|can|can't|must|may|is|are|left|remaining|attached|assigned|associated|"
    r"linked|below|inside|in it)\b)"
)
"""What follows a noun that means all of its kind: "tasks" is not "tasks in progress"."""
_ONLY_EMPTY = re.compile(
    r"\bonly empty [\w -]+ (?:can|may) be (?:deleted|removed)\b|"
    r"\b(?:deletes?|removes?) an empty [\w-]+|"
    r"^(?!.*\b(?:unless|except|if|when|but|body|request)\b).*\bmust be empty\b",
    re.IGNORECASE,
)
_IS_NOT_EMPTY = re.compile(r"\bis(?: still)? not empty\b|\bisn't empty\b", re.IGNORECASE)
_LEFT_OUT = re.compile(
    r"\b(left out|leaves? out|excluded?s?|omitted|omits|hidden|hides|"
    r"(?:not|no longer) (?:be )?(?:listed|shown|included)|"
    r"(?:included|listed|shown|returned) only (?:if|when|with)|"
    r"only (?:included|listed|shown|returned) (?:if|when|with))\b",
    re.IGNORECASE,
)
REFUSED = re.compile(r"\b409\b|\b(refused|rejected|conflict)\b", re.IGNORECASE)
_MERGES = re.compile(
    r"\b(merg\w*|partial\w*|unchanged|keeps?|stays?|remains?|preserv\w*|only the (?:members|fields|properties)|"
    r"only those)\b",
    re.IGNORECASE,
)
_NEEDS_ALL = re.compile(
    r"\bmust\s+(?:include|contain|have|be)\b[^.;]{0,30}?\b(?:full|complete|entire|whole|all)\b", re.IGNORECASE
)
_REPLACES = re.compile(r"\breplac", re.IGNORECASE)
CONDITIONS = re.compile(r"\b(?:if|unless|when|except|may|might|can|or|not|never)\b", re.IGNORECASE)
EXCEPTIONS = re.compile(r"\b(unless|except|other than|not|if|when|admin\w*)\b", re.IGNORECASE)
SHORTEST_VERB = 3
"""A shorter verb may be the start of any word."""
_IRREGULAR = {
    "begin": "begun", "forbid": "forbidden", "freeze": "frozen", "hide": "hidden", "hold": "held", "lend": "lent",
    "pay": "paid", "read": "read", "reset": "reset", "sell": "sold", "send": "sent", "set": "set", "split": "split",
    "withdraw": "withdrawn", "write": "written",
}  # fmt: skip
_MEMBER = r"\b{verb}\b[^.;]*?`{name}`"
_MEMBER_AFTERWARDS = (
    r"`{name}`\s+(?:is|becomes|turns)\s+(?:again\s+)?(?:set\s+to\s+)?`?(?:null|empty|cleared|removed)\b"
)

_UNTIL = (
    r"(?:(?:it\s+)?is\s+)?(?:`?null`?|empty|absent|unset|not\s+(?:yet\s+)?set)\s+until\s+(?:the|this|an?|its)\s+[\w-]+"
    r"(?:\s+[\w-]+)?\s+(?:is|was|gets|has\s+been)\s+(?:{words})"
)
_MEMBER_RAISED = (
    r"`{name}`\s+(?:(?:is|gets)\s+(?:raised|incremented|increased)|(?:rises|grows|increases))\s+by\s+(?:one|1)\b|"
    r"\b(?:raises|increments|increases)\s+(?:the\s+)?`{name}`\s+by\s+(?:one|1)\b"
)
_MEMBER_KEPT = (
    r"`{name}`(?:(?:\s*,\s*|\s+and\s+|\s*,\s+and\s+)(?:`[\w.]+`|(?:all\s+)?(?:the|its|their)\s+\w+))*\s+(?:(?:is|are|stays?|remains?)\s+"
    r"(?:kept|unchanged|preserved|untouched|the\s+same|as\s+(?:it|they)\s+(?:is|are|was|were))|do(?:es)?\s+not\s+change)\b|"
    r"\b(?:keeps|preserves)\s+(?:`[\w.]+`(?:\s*,\s*|\s+and\s+|\s*,\s+and\s+))*`{name}`"
)


def operation_sentences(operation: Operation) -> tuple[str, ...]:
    """Return the sentences of the summary and the description of an operation."""
    return tuple(
        sentence for text in (operation.summary, operation.description) for sentence in sentences_of(text)
    )


def past_participles(verb: str) -> tuple[str, ...]:
    """Return the spellings of the past participle of a verb of English: `canceled` and `cancelled`."""
    if verb in _IRREGULAR:
        return (_IRREGULAR[verb],)
    if verb.endswith("e"):
        return (f"{verb}d",)
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return (f"{verb[:-1]}ied",)
    doubled = (f"{verb}{verb[-1]}ed",) if re.search("[aeiou][bdglmnprt]$", verb) else ()
    return (f"{verb}ed", *doubled)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionMarks:
    """The members that show by their names whether an action was done: `isArchived` and `archivedAt` of `archive`. An
    action that `undoes` another one, such as `unarchive`, has those of the other.
    """

    flags: tuple[str, ...]
    times: tuple[str, ...]
    undoes: bool


def action_marks(action: Operation, members: Mapping[str, Schema]) -> ActionMarks:
    """Return the marks of an action among the members of its resource, given with their resolved schemas."""
    verb = plain_letters(action_name(action.path))
    undoes = verb.startswith("un") and len(verb) > SHORTEST_VERB + 1
    words = past_participles(verb.removeprefix("un") if undoes else verb)
    times = {f"{word}{end}" for word in words for end in ("at", "on")}
    plain = {name: plain_letters(name) for name in members}
    return ActionMarks(
        flags=tuple(
            name
            for name, schema in members.items()
            if "boolean" in schema.types and plain[name].removeprefix("is") in words
        ),
        times=tuple(
            name for name, schema in members.items() if schema.format == "date-time" and plain[name] in times
        ),
        undoes=undoes,
    )


def awaited_members(action: Operation, members: Mapping[str, Schema]) -> Iterator[tuple[str, str]]:
    """Yield the members that have no value until an action is done, each with the sentence of its description: "`null`
    until the event is published". The members are given with their resolved schemas.
    """
    verb = plain_letters(action_name(action.path))
    words = "|".join(map(re.escape, past_participles(verb)))
    pattern = _UNTIL.format(words=words) if len(verb) >= SHORTEST_VERB else "(?!)"
    for name, schema in members.items():
        for sentence in sentences_of(schema.description):
            if re.fullmatch(pattern, sentence.strip().rstrip("."), re.IGNORECASE):
                yield name, sentence


def forbids_after(operation: Operation, action: Operation, verb: str) -> bool:
    """Return whether the description of an operation, or that of the action itself, forbids it after the action:
    "archived samples cannot be changed". The operation documents 409.
    """
    if not documents_exact_status(operation, CONFLICT):
        return False
    for sentence in operation_sentences(operation):
        if _names(sentence, verb) and FORBIDS.search(sentence):
            return True
    is_change = operation.method in ("PUT", "PATCH")
    return is_change and any(
        _names(sentence, verb) and FORBIDS.search(sentence) and CHANGED.search(sentence)
        for sentence in operation_sentences(action)
    )


def forbids_deletion_with(delete: Operation, plural: str) -> bool:
    """Return whether the description of a deletion forbids it for a resource that others of a type refer to: "a
    client with orders cannot be deleted", or that of its 409: "The client has orders". A sentence with an exception, or
    about some of them, such as "open orders" and "orders that were shipped", is not a rule.
    """
    forms = {plural, plural.removesuffix("s"), re.sub("ies$", "y", plural)}
    words = "|".join(re.escape(re.sub(r"[-_]", " ", form)) for form in sorted(forms, reverse=True) if form)
    owns = re.compile(
        rf"\b(?:with|has|have|having|contains?|containing|holds?)\s+(?:(?:an?|any|its)\s+)?(?:{words})\b{_OF_ANY_KIND}",
        re.IGNORECASE,
    )
    response = documented_response(delete, CONFLICT)
    reasons = sentences_of(response.description) if response is not None else ()
    forbidding = (
        sentence
        for sentence in operation_sentences(delete)
        if FORBIDS.search(sentence) and DELETED.search(sentence)
    )
    return any(
        owns.search(sentence) and not _DELETION_EXCEPTIONS.search(sentence)
        for sentence in (*forbidding, *reasons)
    )


def deletes_only_empty(delete: Operation) -> bool:
    """Return whether the description of a deletion or of its 409 forbids it for what is not empty: "Only empty groups
    can be deleted", "The folder must be empty", "The folder is not empty".
    """
    response = documented_response(delete, CONFLICT)
    reasons = sentences_of(response.description) if response is not None else ()
    return any(map(_ONLY_EMPTY.search, (*operation_sentences(delete), *reasons))) or any(
        map(_IS_NOT_EMPTY.search, reasons)
    )


def forbids_before(operation: Operation, state: str) -> bool:
    """Return whether an operation is rejected unless something is in a state: "if the job is not `done`, 409"."""
    before = re.compile(
        rf"\b(?:not|isn't|unless|until|before)\b[^.;]{{0,40}}?\b{re.escape(state)}\b", re.IGNORECASE
    )
    return documents_exact_status(operation, CONFLICT) and any(
        before.search(operation_sentence) and REFUSED.search(operation_sentence)
        for operation_sentence in operation_sentences(operation)
    )


def forbids_repetition(action: Operation, verb: str) -> bool:
    """Return whether an action is rejected for a resource on which it was done already, by its description or by that
    of its 409: "The order is already cancelled", "A cancelled order cannot be cancelled again".
    """
    response = documented_response(action, CONFLICT)
    if response is None or not documents_exact_status(action, CONFLICT):
        return False
    sentences = operation_sentences(action)
    rejections = [sentence for sentence in sentences if REFUSED.search(sentence)]
    is_about_repetition = any(
        _names(sentence, verb) and re.search(r"\balready\b", sentence, re.IGNORECASE)
        for sentence in (*rejections, *sentences_of(response.description))
    )
    return is_about_repetition or any(
        _names(sentence, verb)
        and FORBIDS.search(sentence)
        and re.search(r"\b(?:again|twice)\b", sentence, re.IGNORECASE)
        for sentence in sentences
    )


def says_that_it_merges(change: Operation) -> bool:
    """Return whether a change leaves what it omits, by its description."""
    return _MERGES.search(f"{change.id} {change.summary} {change.description}") is not None


def says_that_member_merges(change: Operation, name: str) -> bool:
    """Return whether a change leaves the entries of a map that it omits, by its description: "`metadata` is merged key
    by key", "merges `labels`".
    """
    merges = re.compile(
        rf"`{re.escape(name)}`\s+(?:is|are|gets?)\s+merged\b|\bmerges?\s+(?:the\s+)?`{re.escape(name)}`",
        re.IGNORECASE,
    )
    return any(
        merges.search(sentence) and not CONDITIONS.search(sentence)
        for sentence in operation_sentences(change)
    )


def says_that_it_replaces(change: Operation) -> bool:
    """Return whether a change removes what it omits, by its name or its description. One that must have all members
    does not say what happens to those that it omits.
    """
    text = f"{change.id} {change.summary} {change.description}"
    return (
        _REPLACES.search(text) is not None and not _NEEDS_ALL.search(text) and not says_that_it_merges(change)
    )


def leaves_out(listing: Operation, verb: str) -> bool:
    """Return whether a list leaves out the resources on which an action was done, by its description."""
    return any(
        _is_about(operation_sentence, verb) and _LEFT_OUT.search(operation_sentence)
        for operation_sentence in operation_sentences(listing)
    )


def hides_deleted(listing: Operation, delete: Operation) -> bool:
    """Return whether a list leaves out deleted resources that can still be read, by its description or by that of the
    deletion: "archived products are not listed", "no longer listed".
    """
    verbs = [name_words(text)[:1] for text in ("delete", delete.id, delete.summary)]
    is_hidden = any(leaves_out(listing, verb[0]) for verb in verbs if verb)
    return is_hidden or any(
        _LEFT_OUT.search(sentence) and re.search(r"\blist", sentence, re.IGNORECASE)
        for sentence in operation_sentences(delete)
    )


def deletes_below(delete: Operation, collection: str) -> bool:
    """Return whether a deletion also deletes what is in a collection below the resource, by its description: "deletes
    the calendar and all of its events".
    """
    words = re.escape(re.sub(r"[-_]", " ", collection))
    below = re.compile(
        rf"\b(?:and|with|including)\s+(?:all\s+)?(?:of\s+)?(?:its\s+|the\s+)?{words}\b", re.IGNORECASE
    )
    deletes = re.compile(r"\b(?:delet|remov)\w*", re.IGNORECASE)
    return any(
        deletes.search(sentence) and below.search(sentence) and not EXCEPTIONS.search(sentence)
        for sentence in operation_sentences(delete)
        if not FORBIDS.search(sentence)
    )


def members_with_verb(operation: Operation, verbs: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the members that an operation sets or clears, by its description: "sets `paid_at`"."""
    for sentence in operation_sentences(operation):
        for name in names:
            found = re.search(
                _MEMBER.format(verb=f"(?:{verbs})", name=re.escape(name)), sentence, re.IGNORECASE
            )
            if found and not EXCEPTIONS.search(sentence):
                yield name


def emptied_members(operation: Operation, names: Sequence[str]) -> Iterator[str]:
    """Yield the members that have no value after an operation, by its description: "`deleted_at` is null again"."""
    yield from (name for name, _ in _stated_members(operation, names, _MEMBER_AFTERWARDS))


def raised_members(operation: Operation, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the members that an operation raises by one, each with the sentence about it: "`version` is raised by
    one".
    """
    yield from _stated_members(operation, names, _MEMBER_RAISED)


def kept_members(operation: Operation, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the members that an operation does not change, each with the sentence about it: "`paid_at` and `note`
    are kept".
    """
    yield from _stated_members(operation, names, _MEMBER_KEPT)


def _stated_members(operation: Operation, names: Sequence[str], pattern: str) -> Iterator[tuple[str, str]]:
    """Yield the members that a sentence of a description is about, without an exception, each with the sentence."""
    for sentence in operation_sentences(operation):
        for name in names if not EXCEPTIONS.search(sentence) else ():
            if re.search(pattern.format(name=re.escape(name)), sentence, re.IGNORECASE):
                yield name, sentence


def _is_about(sentence: str, verb: str) -> bool:
    """Return whether a sentence is about what an action was done on: "archived folders", or "folders in the trash"."""
    is_place = re.search(rf"\bin (?:the|an?|its|their) {re.escape(verb)}\b", sentence, re.IGNORECASE)
    return _names(sentence, verb) or is_place is not None


def _names(sentence: str, verb: str) -> bool:
    words = "|".join(map(re.escape, past_participles(verb)))
    return re.search(rf"\b(?:{words})\b", sentence, re.IGNORECASE) is not None
