"""Rules about states that a contract has in words: in the summary and the description of an operation.

Only plain sentences are taken as rules, such as "moves an order from `draft` or `placed` to `cancelled`", "only
orders in `draft` can be changed" and "archived samples cannot be changed".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from devportal.conformance.knowledge.response_check import documented_response, documents_exact_status
from devportal.contract import Operation, Schema
from devportal.contract.path_templates import action_name
from devportal.contract.wording import OR_PATTERN, name_words, plain_letters, sentences_of

CONFLICT = 409
_FORBIDS = re.compile(
    r"\b(cannot|can ?not|can't|can no longer|must not|may not|is refused|are refused|is rejected|are rejected)\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(r"\b(changed|modified|updated|edited|altered)\b", re.IGNORECASE)
_DELETED = re.compile(r"\b(deleted|removed)\b", re.IGNORECASE)
_FORBIDDEN_SOMETIMES = re.compile(
    r"\b(?:unless|except|other than|(?:is|are) not|only|without|may be|admin\w*|and)\b(?! longer)",
    re.IGNORECASE,
)
_DELETION_EXCEPTIONS = re.compile(r"\b(unless|except|if|when|without|may be|admin\w*)\b", re.IGNORECASE)
_LEFT_OUT = re.compile(
    r"\b(left out|leaves? out|excluded?s?|omitted|omits|hidden|hides|"
    r"(?:not|no longer) (?:be )?(?:listed|shown|included)|"
    r"(?:included|listed|shown|returned) only (?:if|when|with)|"
    r"only (?:included|listed|shown|returned) (?:if|when|with))\b",
    re.IGNORECASE,
)
_REFUSED = re.compile(r"\b409\b|\b(refused|rejected|conflict)\b", re.IGNORECASE)
_FROM_TO = re.compile(
    r"\b(?:from|moves?|takes?|turns?)\b(?P<start>.*?)\bto\b(?P<end>.*)", re.IGNORECASE | re.DOTALL
)
_OBJECT = re.compile(
    r"(?:deletes?|removes?|changes?|updates?|edits?|replaces?) an? (?P<state>\w+)(?: \w+)?\.?$", re.IGNORECASE
)
_ONLY = re.compile(r"\bonly\b(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_OF_STATE = re.compile(
    r"^\w+ (?:an? [\w ]{1,40}?\b(?:that|which) is (?P<rest>.*)|"
    r"an? (?:(?!from\b)\w+ ){1,5}?(?:for|of|to|from|on) an? (?P<owner>[\w`'-]+ (?!(?:state|status)$)[\w-]+)$)",
    re.IGNORECASE | re.DOTALL,
)
_OTHERS = re.compile(r"\b(?:others?|(?:another|any other|other) (?:status|state)s?)\b", re.IGNORECASE)
_OTHER_OWNERS = r"^(?:all )?others\b|\b(?:another|any other|other) (?:(?:status|state)s?|{owner}s?)\b"
"""What rejects all but those with a state, after a sentence about something that belongs to them."""
_REPEATED = re.compile(
    r"^(?P<verb>\w+)ing\s+(?:an?\s+|the\s+)?(?P<what>[\w`' -]{1,60}?)\s+"
    r"(?:returns?|gets?|yields?|gives?|(?:responds|fails)\s+with|"
    r"results\s+in|is\s+(?:rejected|refused)\s+with|causes?)\s+(?:an?\s+)?(?:HTTP\s+|error\s+)?`?409\b`?"
    r"(?=\s*(?:$|[.,;:(])|\s+(?:conflict|error|and|with)\b)",
    re.IGNORECASE,
)
"""The beginning of "Cancelling a cancelled booking returns 409"."""
_NOUN = r"[\w-]+(?:\s+(?!(?:again|twice)\b)[\w-]+)?"
_VERBS_OF_METHODS = {
    "DELETE": ("delete", "remove"),
    "PATCH": ("change", "edit", "modify", "update"),
    "PUT": ("change", "edit", "modify", "replace", "update"),
}
_MERGES = re.compile(
    r"\b(merg\w*|partial\w*|unchanged|keeps?|stays?|remains?|preserv\w*|only the (?:members|fields|properties)|"
    r"only those)\b",
    re.IGNORECASE,
)
_NEEDS_ALL = re.compile(
    r"\bmust\s+(?:include|contain|have|be)\b[^.;]{0,30}?\b(?:full|complete|entire|whole|all)\b", re.IGNORECASE
)
_REPLACES = re.compile(r"\breplac", re.IGNORECASE)
_NEW = r"\bnew(?:ly\s+created)?\s+[\w-]+(?:\s+[\w-]+)?\s+(?:is|are|starts?|begins?|has|have)\b"
_IN_STATE = r"(?:\s+(?:always|first|out|in|as|with|the|an?|of|created|placed|`?(?:state|status)`?))*\s+"
_CREATES = r"\b(?:creates?|created|opens?|adds?|places?|books?|registers?|submits?|files?)\b"
_CONDITIONS = re.compile(r"\b(?:if|unless|when|except|may|might|can|or|not|never)\b", re.IGNORECASE)
_ALTERNATIVES = re.compile(r"^with(?:out)?\b|\b(?:else|otherwise|without)\b", re.IGNORECASE)
"""What a sentence has that names the states of several creations: "with `trial_days` it starts as …, else as …"."""
_NOT_IN = re.compile(r"\b(?:is|was|are|were) (?:not|no longer) (?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_MUST_BE = re.compile(
    r"^(?:the|an?|its|their) [\w -]{1,40}? (?:must|has to|needs to) be (?P<rest>[^.;]*)$", re.IGNORECASE
)
_MORE_CONDITIONS = re.compile(r"\b(?:and|except|other than|may|admin\w*)\b", re.IGNORECASE)
_UNLESS = r"\b(?:unless|(?:if|when|while)\b[^.;,]{0,60}?\b(?:isn't|(?:is|are) (?:not|no longer)))\b"
_EXCEPTIONS = re.compile(r"\b(unless|except|other than|not|if|when|admin\w*)\b", re.IGNORECASE)
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


def target_state(operation: Operation, values: Sequence[str]) -> str:
    """Return the state that an action leads to, empty if the contract does not name exactly one."""
    verb = plain_letters(action_name(operation.path))
    stem = verb[:-1] if verb.endswith(("e", "y")) and len(verb) > SHORTEST_VERB else verb
    stems = (stem, f"{verb[:-1]}i") if verb.endswith("y") else (stem,)  # pay, paid
    named = [
        value for value in values if len(stem) >= SHORTEST_VERB and plain_letters(value).startswith(stems)
    ]
    if not named:
        text = f"{operation.summary}\n{operation.description}"
        quoted = re.findall(r"[`'\"]([^`'\"\n]+)[`'\"]", text)
        named = [value for value in values if value in quoted]
    if len(named) > 1:
        ends = (_FROM_TO.search(sentence) for sentence in operation_sentences(operation))
        named = [value for end in ends if end for value in states_in(end["end"], named)]
    return named[0] if len(named) == 1 else ""


def initial_state(sentences: Sequence[str], states: Sequence[str]) -> str:
    """Return the state of something new, by sentences about its creation: "A new order is `open`", "Creates an order in
    the state `open`". Empty if they name none, or with a condition.
    """
    plain = "|".join(map(re.escape, states))
    if not plain:
        return ""
    quoted, named = rf"[`'\"](?:{plain})[`'\"]", rf"(?:[`'\"]|\b)(?:{plain})(?:[`'\"]|\b)"
    begins = re.compile(
        rf"(?:{_NEW}{_IN_STATE}|\b(?:initial|first)\s+(?:state|status)\s+(?:is\s+)?|"
        rf"(?:^|\bit\s+)(?:starts?|begins?)\s+(?:out\s+)?(?:in|as){_IN_STATE})(?P<state>{named})|"
        rf"{_CREATES}[^.;]*?\b(?:(?:in|as|with)\s+(?:the\s+|an?\s+)?(?P<quoted>{quoted})|"
        rf"(?:in|as|with)\s+(?:the\s+|an?\s+)?`?(?:state|status)`?\s+(?:of\s+)?(?P<named>{named})|"
        rf"as\s+an?\s+(?P<kind>{named}))",
        re.IGNORECASE,
    )
    for sentence in sentences:
        found = begins.search(sentence)
        if found is not None and not _CONDITIONS.search(sentence) and not _ALTERNATIVES.search(sentence):
            text = next(group for group in found.group("state", "quoted", "named", "kind") if group)
            return next((state for state in states if plain_letters(state) == plain_letters(text)), "")
    return ""


def allowed_states(operation: Operation, states: Sequence[str], target: str = "") -> tuple[str, ...]:
    """Return the states from which an operation is allowed, empty if its description names none, or names them
    with an exception. `target` is the state that the operation leads to.
    """
    for sentence in operation_sentences(operation):
        from_to, only = _FROM_TO.search(sentence), _ONLY.search(sentence)
        if target and from_to and target in states_in(from_to["end"], states):
            named = states_in(from_to["start"], states)
        elif only and (not target or not from_to):
            named = states_in(only["rest"], states)
        elif (of := _OF_STATE.search(sentence)) and _rejects_others(operation, of["owner"] or ""):
            named = states_in(of["rest"] or of["owner"], states)
        elif (must := _MUST_BE.search(sentence.rstrip("."))) and not target:
            named = states_in(must["rest"], states)
        else:
            continue
        named = tuple(text for text in named if text != target)
        if named:
            return () if _EXCEPTIONS.search(sentence) else named
    return (
        _states_of_conflict(operation, states, target)
        or _states_of_rejection(operation, states)
        or _state_of_object(operation, states)
        or _states_beside_forbidden(operation, states)
    )


def _states_beside_forbidden(operation: Operation, states: Sequence[str]) -> tuple[str, ...]:
    """Return the states beside those in which an operation is forbidden by its description: "A `published` post cannot
    be deleted", "Cancelling a cancelled booking returns 409". None if it names none, or with a condition.
    """
    verb = {"DELETE": _DELETED, "PUT": _CHANGED, "PATCH": _CHANGED}.get(operation.method)
    for sentence in operation_sentences(operation) if documents_exact_status(operation, CONFLICT) else ():
        if named := _states_of_repetition(operation, sentence, states):
            return tuple(state for state in states if state not in named)
        found = verb.search(sentence) if verb is not None else None
        if found and _FORBIDS.search(sentence) and not _FORBIDDEN_SOMETIMES.search(sentence):
            before = sentence[: found.start()]
            forbidden = {state for state in states if f"`{state}`" in before}
            if forbidden:
                return tuple(state for state in states if state not in forbidden)
    return ()


def _states_of_repetition(operation: Operation, sentence: str, states: Sequence[str]) -> tuple[str, ...]:
    """Return the states in which a sentence rejects an operation, if it says nothing else of what is rejected:
    "Cancelling a cancelled booking", "a booking that is already cancelled". Its verb is that of the operation: what
    rejects a step does not reject each change.
    """
    found = _REPEATED.search(sentence)
    if found is None or _EXCEPTIONS.search(sentence) or not _is_verb_of(operation, found["verb"]):
        return ()
    values = rf"{_value_pattern(states)}(?:{OR_PATTERN}{_value_pattern(states)})*"
    what = (
        rf"(?:(?:already|previously)\s+)?{values}\s+{_NOUN}|"
        rf"{_NOUN}\s+(?:that|which)\s+(?:is|was|has\s+been)\s+(?:already\s+)?{values}"
    )
    return states_in(found["what"], states) if re.fullmatch(what, found["what"], re.IGNORECASE) else ()


def _is_verb_of(operation: Operation, gerund: str) -> bool:
    """Return whether the beginning of a verb with -ing is that of an operation: of its action, of its method, or of its
    summary or description.
    """
    first_words = (
        text.split(maxsplit=1)[0] for text in (operation.summary, operation.description) if text.strip()
    )
    verbs = (action_name(operation.path), *_VERBS_OF_METHODS.get(operation.method, ()), *first_words)
    stems = (plain_letters(verb).removesuffix("s").removesuffix("e") for verb in verbs)
    return any(len(stem) >= SHORTEST_VERB and gerund.lower().startswith(stem) for stem in stems)


def _states_of_conflict(operation: Operation, states: Sequence[str], target: str) -> tuple[str, ...]:
    """Return the states without which an operation is rejected, by the description of its 409: "The order is not
    `open`".
    """
    response = documented_response(operation, CONFLICT)
    if response is None or not documents_exact_status(operation, CONFLICT):
        return ()
    for sentence in sentences_of(response.description):
        if missing := missing_states(sentence, states):
            return tuple(state for state in missing if state != target)
    return ()


def missing_states(sentence: str, states: Sequence[str]) -> tuple[str, ...]:
    """Return the states in which something is not, by a sentence about a rejection: "The order is not `open`"."""
    found = _NOT_IN.search(sentence)
    if found is None or re.search(r"\b(?:unless|except|if|when|and|admin\w*)\b", sentence, re.IGNORECASE):
        return ()
    return states_in(found["rest"], states)


def _states_of_rejection(operation: Operation, states: Sequence[str]) -> tuple[str, ...]:
    """Return the states without which an operation is rejected, by its description: "If the order is not `paid`, the
    request is rejected with 409".
    """
    if not documents_exact_status(operation, CONFLICT):
        return ()
    value = _value_pattern(states)
    condition = re.compile(
        rf"{_UNLESS}[^.;,]{{0,40}}?(?P<states>{value}(?:{OR_PATTERN}{value})*)",
        re.IGNORECASE,
    )
    for sentence in operation_sentences(operation):
        found = condition.search(sentence)
        if found and _REFUSED.search(sentence) and not _MORE_CONDITIONS.search(sentence):
            return states_in(found["states"], states)
    return ()


def _rejects_others(operation: Operation, owner: str = "") -> bool:
    """Return whether the description of an operation that documents 409 rejects all but those that it names. After a
    sentence about what belongs to an `owner`, such as "paid order", others have to be other orders.
    """
    noun = re.escape(owner.rsplit(maxsplit=1)[-1]) if owner else ""
    others = re.compile(_OTHER_OWNERS.format(owner=noun), re.IGNORECASE) if owner else _OTHERS
    return documents_exact_status(operation, CONFLICT) and any(
        others.search(sentence) and _REFUSED.search(sentence) for sentence in operation_sentences(operation)
    )


def _state_of_object(operation: Operation, states: Sequence[str]) -> tuple[str, ...]:
    """Return the state that is the object of the summary of a change or a deletion: "Delete a draft"."""
    found = _OBJECT.match(operation.summary.strip())
    is_change = operation.method in ("PUT", "PATCH", "DELETE")
    return tuple(state for state in states if is_change and found and found["state"].lower() == state.lower())


def states_in(text: str, states: Sequence[str]) -> tuple[str, ...]:
    """Return the states that a text names as words, `onSale` also as "on sale". A state of one short word may be a word
    of English, so it counts in quotes only if any state of the text is quoted.
    """
    quoted = tuple(state for state in states if re.search(rf"[`'\"]{re.escape(state)}[`'\"]", text))
    if quoted:
        return quoted
    return tuple(
        state
        for state in states
        if re.search(rf"\b(?:{_state_pattern(state)})\b", text, re.IGNORECASE) is not None
    )


def _value_pattern(states: Sequence[str]) -> str:
    """Return the pattern of one of several states, maybe in quotes."""
    return rf"[`'\"]?\b(?:{'|'.join(map(_state_pattern, states))})\b[`'\"]?"


def _state_pattern(state: str) -> str:
    """Return the pattern of a state as it is, and as the words that it is made of."""
    return "|".join((re.escape(state), r"[\s-]+".join(map(re.escape, name_words(state)))))


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
        if _names(sentence, verb) and _FORBIDS.search(sentence):
            return True
    is_change = operation.method in ("PUT", "PATCH")
    return is_change and any(
        _names(sentence, verb) and _FORBIDS.search(sentence) and _CHANGED.search(sentence)
        for sentence in operation_sentences(action)
    )


def forbids_deletion_with(delete: Operation, plural: str) -> bool:
    """Return whether the description of a deletion forbids it for a resource that others of a type refer to: "a
    client with orders cannot be deleted", or that of its 409: "The client has orders". A sentence with an exception or
    an adjective, such as "open orders", is not a rule.
    """
    forms = {plural, plural.removesuffix("s"), re.sub("ies$", "y", plural)}
    words = "|".join(re.escape(re.sub(r"[-_]", " ", form)) for form in sorted(forms, reverse=True) if form)
    owns = re.compile(rf"\b(?:with|has|have|having)\s+(?:(?:an?|any|its)\s+)?(?:{words})\b", re.IGNORECASE)
    response = documented_response(delete, CONFLICT)
    reasons = sentences_of(response.description) if response is not None else ()
    forbidding = (
        sentence
        for sentence in operation_sentences(delete)
        if _FORBIDS.search(sentence) and _DELETED.search(sentence)
    )
    return any(
        owns.search(sentence) and not _DELETION_EXCEPTIONS.search(sentence)
        for sentence in (*forbidding, *reasons)
    )


def forbids_before(operation: Operation, state: str) -> bool:
    """Return whether an operation is rejected unless something is in a state: "if the job is not `done`, 409"."""
    before = re.compile(
        rf"\b(?:not|isn't|unless|until|before)\b[^.;]{{0,40}}?\b{re.escape(state)}\b", re.IGNORECASE
    )
    return documents_exact_status(operation, CONFLICT) and any(
        before.search(operation_sentence) and _REFUSED.search(operation_sentence)
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
    rejections = [sentence for sentence in sentences if _REFUSED.search(sentence)]
    is_about_repetition = any(
        _names(sentence, verb) and re.search(r"\balready\b", sentence, re.IGNORECASE)
        for sentence in (*rejections, *sentences_of(response.description))
    )
    return is_about_repetition or any(
        _names(sentence, verb)
        and _FORBIDS.search(sentence)
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
        merges.search(sentence) and not _CONDITIONS.search(sentence)
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
        deletes.search(sentence) and below.search(sentence) and not _EXCEPTIONS.search(sentence)
        for sentence in operation_sentences(delete)
        if not _FORBIDS.search(sentence)
    )


def members_with_verb(operation: Operation, verbs: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the members that an operation sets or clears, by its description: "sets `paid_at`"."""
    for sentence in operation_sentences(operation):
        for name in names:
            found = re.search(
                _MEMBER.format(verb=f"(?:{verbs})", name=re.escape(name)), sentence, re.IGNORECASE
            )
            if found and not _EXCEPTIONS.search(sentence):
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
        for name in names if not _EXCEPTIONS.search(sentence) else ():
            if re.search(pattern.format(name=re.escape(name)), sentence, re.IGNORECASE):
                yield name, sentence


def _is_about(sentence: str, verb: str) -> bool:
    """Return whether a sentence is about what an action was done on: "archived folders", or "folders in the trash"."""
    is_place = re.search(rf"\bin (?:the|an?|its|their) {re.escape(verb)}\b", sentence, re.IGNORECASE)
    return _names(sentence, verb) or is_place is not None


def _names(sentence: str, verb: str) -> bool:
    words = "|".join(map(re.escape, past_participles(verb)))
    return re.search(rf"\b(?:{words})\b", sentence, re.IGNORECASE) is not None
