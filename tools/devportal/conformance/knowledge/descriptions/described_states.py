"""States of a resource that descriptions name: the first one, the one that an action leads to, and those in which an
operation is allowed. Only plain sentences are taken as rules, such as "moves an order from `draft` or `placed` to
`cancelled`" and "only orders in `draft` can be changed".
"""

import re
from collections.abc import Sequence

from devportal.conformance.knowledge.descriptions.described_rules import (
    CHANGED,
    CONDITIONS,
    CONFLICT,
    DELETED,
    EXCEPTIONS,
    FORBIDS,
    REFUSED,
    SHORTEST_VERB,
    operation_sentences,
)
from devportal.conformance.knowledge.response_check import documented_response, documents_exact_status
from devportal.contract import Operation
from devportal.contract.path_templates import action_name
from devportal.contract.wording import OR_PATTERN, name_words, plain_letters, sentences_of

FINAL_STATE = re.compile(
    r"^(done|finished|complet\w*|succe\w*|failed|failure|error\w*|cancel\w*|abort\w*|expired|rejected|ready)$",
    re.IGNORECASE,
)
"""The usual words of states that nothing follows."""
_FORBIDDEN_SOMETIMES = re.compile(
    r"\b(?:unless|except|other than|(?:is|are) not|only|without|may be|admin\w*|and)\b(?! longer)",
    re.IGNORECASE,
)
_FROM_TO = re.compile(
    r"\b(?:from|moves?|takes?|turns?)\b(?P<start>.*?)\bto\b(?P<end>.*)", re.IGNORECASE | re.DOTALL
)
_BECOMES = re.compile(
    r"^(?!.*\b(?:when|once|after|if|until|then|later|eventually|finally|as soon as)\b).*?\bbecomes\b(?P<end>.*)",
    re.IGNORECASE | re.DOTALL,
)
"""A new state. One that comes by itself has a condition: "and becomes `running` when a worker is free"."""
_OBJECT = re.compile(
    r"(?:deletes?|removes?|changes?|updates?|edits?|replaces?) an? (?P<state>\w+)(?: \w+)?\.?$", re.IGNORECASE
)
_ONLY = re.compile(r"\bonly\b(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_OF_STATE = re.compile(
    r"^\w+ (?:an? [\w ]{1,40}?\b(?:that|which) is (?P<rest>.*)|"
    r"an? (?:(?!from\b)\w+ ){1,5}?(?:for|of|to|from|on) an? (?P<owner>[\w`'-]+ (?!(?:state|status)$)[\w-]+)$|"
    r"an? (?P<quoted>`[^`]+`(?:(?:,|,? or) `[^`]+`)*) (?!(?:state|status)\b)(?P<noun>[\w-]+)(?:, which .*)?$)",
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
_NEW = r"\bnew(?:ly\s+created)?\s+[\w-]+(?:\s+[\w-]+)?\s+(?:is|are|starts?|begins?|has|have)\b"
_IN_STATE = r"(?:\s+(?:always|first|out|in|as|with|the|an?|of|created|placed|`?(?:state|status)`?))*\s+"
_CREATES = r"\b(?:creates?|created|opens?|adds?|places?|books?|registers?|submits?|files?)\b"
_ALTERNATIVES = re.compile(r"^with(?:out)?\b|\b(?:else|otherwise|without)\b", re.IGNORECASE)
"""What a sentence has that names the states of several creations: "with `trial_days` it starts as …, else as …"."""
_NOT_IN = re.compile(r"\b(?:is|was|are|were) (?:not|no longer) (?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_MUST_BE = re.compile(
    r"^(?:the|an?|its|their) [\w -]{1,40}? (?:must|has to|needs to) be (?P<rest>[^.;]*)$", re.IGNORECASE
)
_MORE_CONDITIONS = re.compile(r"\b(?:and|except|other than|may|admin\w*)\b", re.IGNORECASE)
_UNLESS = r"\b(?:unless|(?:if|when|while)\b[^.;,]{0,60}?\b(?:isn't|(?:is|are) (?:not|no longer)))\b"


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
        sentences = operation_sentences(operation)
        ends = (_FROM_TO.search(sentence) or _BECOMES.search(sentence) for sentence in sentences)
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
        if found is not None and not CONDITIONS.search(sentence) and not _ALTERNATIVES.search(sentence):
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
        elif (of := _OF_STATE.search(sentence)) and _rejects_others(
            operation, of["owner"] or of["noun"] or ""
        ):
            named = states_in(of["rest"] or of["owner"] or of["quoted"], states)
        elif (must := _MUST_BE.search(sentence.rstrip("."))) and not target:
            named = states_in(must["rest"], states)
        else:
            continue
        named = tuple(text for text in named if text != target)
        if named:
            return () if EXCEPTIONS.search(sentence) else named
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
    verb = {"DELETE": DELETED, "PUT": CHANGED, "PATCH": CHANGED}.get(operation.method)
    for sentence in operation_sentences(operation) if documents_exact_status(operation, CONFLICT) else ():
        if named := _states_of_repetition(operation, sentence, states):
            return tuple(state for state in states if state not in named)
        found = verb.search(sentence) if verb is not None else None
        if found and FORBIDS.search(sentence) and not _FORBIDDEN_SOMETIMES.search(sentence):
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
    if found is None or EXCEPTIONS.search(sentence) or not _is_verb_of(operation, found["verb"]):
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
        if found and REFUSED.search(sentence) and not _MORE_CONDITIONS.search(sentence):
            return states_in(found["states"], states)
    return ()


def _rejects_others(operation: Operation, owner: str = "") -> bool:
    """Return whether the description of an operation that documents 409 rejects all but those that it names. After a
    sentence about what belongs to an `owner`, such as "paid order", others have to be other orders.
    """
    noun = re.escape(owner.rsplit(maxsplit=1)[-1]) if owner else ""
    others = re.compile(_OTHER_OWNERS.format(owner=noun), re.IGNORECASE) if owner else _OTHERS
    return documents_exact_status(operation, CONFLICT) and any(
        others.search(sentence) and REFUSED.search(sentence) for sentence in operation_sentences(operation)
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
