"""What the body of a refusal says: the facts of a request in the members that a contract documents for errors."""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from devportal.contract import ABSENT, Api, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.wire_format.request_check import BODY, RequestProblem
from devportal.contract.wording import name_words
from devportal.mock.http.exchange import MockRequest, Refused
from devportal.mock.http.representation import Representations

_DETAIL_NAMES = (
    "detail",
    "message",
    "error_description",
    "description",
    "reason",
    "msg",
    "error_message",
    "errorMessage",
    "issue",
    "diagnostics",
)
_STATUS_NAMES = ("status", "status_code", "http_status")
_CODE_NAMES = ("code", "error_code")
_SEVERITY_NAMES = ("severity", "level")
_TITLE_NAMES = ("title", "error")
_PATH_NAMES = ("path", "instance")
_PLACE_NAMES = (
    "field",
    "path",
    "parameter",
    "property",
    "name",
    "param",
    "propertyPath",
    "attribute",
    "argument",
)
_OWN_PLACE_NAMES = tuple(name for name in _PLACE_NAMES if name not in ("path", "name"))
"""What an error itself calls the place that it is about; its `path` is that of the request."""
_PART_NAMES = ("location", "in")
"""What the part of a request with a problem is called; without a member for the place in it, it is the whole place."""
_PROBLEM_WORDS = frozenset({"errors", "failures", "issue", "issues", "problems", "violations"})
_PHRASES = frozenset(status.phrase for status in HTTPStatus)
_LARGEST_SAMPLE = 1
"""Numbers up to this one are samples, and no codes of a company's own."""
_STATUS_WORDS: Mapping[int, tuple[str, ...]] = {
    400: ("invalid", "validation", "bad", "malformed"),
    401: ("unauthorized", "unauthenticated", "authentication", "credentials", "token"),
    403: ("forbidden", "permission", "denied", "access"),
    404: ("found", "missing", "unknown", "exist"),
    405: ("method",),
    406: ("acceptable",),
    409: ("conflict", "duplicate", "already", "exists", "state"),
    410: ("gone", "deleted", "found"),
    412: ("precondition", "version", "conflict"),
    413: ("large", "size"),
    415: ("media", "unsupported", "type"),
    422: ("unprocessable", "validation", "invalid", "bad"),
    428: ("precondition",),
    429: ("rate", "many", "limit", "throttled"),
}
"""Words of the codes that contracts give to errors with a status, the most telling first."""


UNNAMED = "Error"
"""The phrase of a status that HTTP does not define."""


def status_phrase(status: int) -> str:
    """Return the phrase of a status (RFC 9110 §15)."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return UNNAMED


def generic_problem(status: int, refused: Refused) -> dict[str, Any]:
    """Return a problem document for what the contract leaves to HTTP (RFC 9457 §4.2.1)."""
    return {"type": "about:blank", "title": status_phrase(status), "status": status, "detail": refused.detail}


class ProblemFacts:
    """Finds what members of an error say of one refusal."""

    def __init__(
        self,
        api: Api,
        representations: Representations,
        status: int,
        refused: Refused,
        request: MockRequest | None = None,
        *,
        is_example: bool = False,
    ) -> None:
        """Take the contract, what makes its values, the status, and what is wrong with which request.
        `is_example` if the error is an example of the contract, whose texts are kept.
        """
        self._is_example = is_example
        self._api = api
        self._representations = representations
        self._status = status
        self._refused = refused
        self._request = request

    def of_error(self, base: Mapping[str, Any], *schemas: Schema) -> Iterator[tuple[str, Any]]:
        """Yield the members of a whole error. ABSENT stands also for flags and texts that nothing is known about: a
        made-up `retryable` would have a client repeat what cannot succeed.
        """
        facts = dict(self.of(base, *schemas))
        members = self._representations.shape(*schemas).members if schemas else {}
        yield from facts.items()
        for name, member in base.items():
            described = members.get(name, ())
            if name not in facts and isinstance(member, bool | str) and self._is_made_up(name, described):
                yield name, ABSENT

    def _is_made_up(self, name: str, schemas: tuple[Schema, ...]) -> bool:
        """Say whether a sample of a flag or a plain text was made up. Those of identifiers and formats may be."""
        resolved = [self._api.resolve(schema) for schema in schemas]
        is_plain = not any(
            schema.format or schema.constraints or schema.const is not ABSENT for schema in resolved
        )
        is_identifier = bool({"id", "code", "type"} & set(name_words(name)))
        return bool(schemas) and is_plain and not is_identifier and all(map(self._is_free, schemas))

    def of(self, base: Mapping[str, Any], *schemas: Schema) -> Iterator[tuple[str, Any]]:
        """Yield the members of an error that this request decides, those in objects within it too. ABSENT stands for
        a member that says nothing. An error that the contract leaves open has a message.
        """
        members = self._representations.shape(*schemas).members if schemas else {}
        if not base and not members:
            yield "message", self._refused.detail
        is_told = any(isinstance(base[name], str) and _is_detail(name) for name in base)
        for name, member in base.items():
            described = members.get(name, ())
            fact = self._fact(name, member, described, is_told=is_told)
            if fact is not None:
                yield name, fact

    def _fact(self, name: str, member: Any, schemas: tuple[Schema, ...], *, is_told: bool) -> Any:
        match member:
            case bool():
                return None
            case str():
                return self._text(name, member, schemas)
            case int():
                return self._number(name, member)
            case dict() if not member:
                return None
            case dict() if self._refused.problems and self._maps_problems(name, schemas):
                return self._problems_by_place(next(iter(member.values())))
            case dict():
                return self._inner_error(member, schemas)
            case [dict() as first, *_]:
                return self._problem_items(first, schemas, is_told=is_told)
        return None

    def _inner_error(self, sample: Mapping[str, Any], schemas: tuple[Schema, ...]) -> dict[str, Any] | None:
        """Return an object in an error with what is known; what it requires stays as in its sample."""
        required = self._representations.shape(*schemas).required if schemas else frozenset[str]()
        facts = dict(self.of_error(sample, *schemas))
        known = {name: fact for name, fact in facts.items() if fact is not ABSENT or name not in required}
        return _without_absent({**sample, **known}) if known else None

    def _maps_problems(self, name: str, schemas: tuple[Schema, ...]) -> bool:
        """Say whether a member is a map from the places in a request to what is wrong there, such as `errors` of
        ASP.NET Core: its schema names no members.
        """
        is_about_problems = bool(_PROBLEM_WORDS.intersection(name_words(name)))
        return is_about_problems and bool(schemas) and not self._representations.shape(*schemas).members

    def _problems_by_place(self, sample: Any) -> dict[str, Any] | None:
        """Return what is wrong by its place, each as a text or as a list of texts, like a sample."""
        found: dict[str, list[str]] = {}
        for problem in self._refused.problems:
            found.setdefault(_place(problem), []).append(problem.message)
        match sample:
            case str():
                return {place: "; ".join(messages) for place, messages in found.items()}
            case [str(), *_]:
                return dict(found)
        return None

    def _text(self, name: str, member: str, schemas: tuple[Schema, ...]) -> str | None:
        """Return the text of a member, None to keep it: what the contract gives as an example is kept."""
        if _is_detail(name):
            return self._refused.detail
        is_status = matches_any_name(name, (*_STATUS_NAMES, *_CODE_NAMES))
        if is_status and member.isdigit() and len(member) == 3:
            return str(self._status)
        values = [value for schema in schemas for value in self._api.resolve(schema).enum]
        texts = [value for value in values if isinstance(value, str)]
        if texts and matches_any_name(name, _SEVERITY_NAMES):
            return next((text for text in texts if text.lower() == "error"), None)
        if values:
            return _code_for(self._status, texts)
        if matches_any_name(name, _TITLE_NAMES) and member in _PHRASES:
            return status_phrase(self._status)
        is_free = bool(schemas) and all(map(self._is_free, schemas))
        return self._free_text(name) if is_free else None

    def _free_text(self, name: str) -> str | None:
        """Return the text of a member for which the contract gives no value, None if nothing is known."""
        if matches_any_name(name, _STATUS_NAMES):
            return str(self._status)
        if matches_any_name(name, _TITLE_NAMES):
            return status_phrase(self._status)
        if matches_any_name(name, _PATH_NAMES) and self._request is not None:
            return self._request.path
        if matches_any_name(name, _OWN_PLACE_NAMES) and self._refused.problems:
            return _place(self._refused.problems[0])
        return None

    def _is_free(self, schema: Schema) -> bool:
        """Say whether the contract gives no value for a schema, so that a sample of it was made up."""
        resolved = self._api.resolve(schema)
        has_example = self._is_example or bool(schema.examples or resolved.examples)
        return not has_example and resolved.default is ABSENT and not resolved.enum

    def _number(self, name: str, member: int) -> int | None:
        if matches_any_name(name, _STATUS_NAMES):
            return self._status
        is_replaced = 100 <= member <= 599 or 0 <= member <= _LARGEST_SAMPLE
        return self._status if matches_any_name(name, _CODE_NAMES) and is_replaced else None

    def _problem_items(self, first: Mapping[str, Any], schemas: tuple[Schema, ...], *, is_told: bool) -> Any:
        """Return a list of what is wrong. ABSENT if no part of the request is, and a member beside the list says what
        is (`is_told`).
        """
        items = [item for schema in schemas for item in self._representations.shape(schema).items]
        sample = self._representations.sample(items[0]) if items else {}
        made = sample if isinstance(sample, dict) else {}
        whole = {**made, **first} if self._is_example else {**first, **made}
        item = _without_absent({**whole, **dict(self.of(whole, *items))})
        is_invalid = bool(self._refused.problems) and self._refused.statuses[0] not in _WHOLE
        has_place = any(
            name in ("pointer", "loc", *_PART_NAMES) or matches_any_name(name, _PLACE_NAMES) for name in item
        )
        if not is_invalid and is_told and has_place and all(map(self._is_free, items)):
            return ABSENT
        if self._refused.problems:
            return [_problem_item(item, problem) for problem in self._refused.problems]
        return [{name: value for name, value in item.items() if name != "source"}]


_WHOLE = (404, 415)
"""The first statuses of refusals that are about a request as a whole: a member beside a list of problems says it."""


def apply_facts(
    representations: Representations, schema: Schema | None, base: Any, facts: Mapping[str, Any]
) -> Any:
    """Return an error with the facts that its schema allows, and without the members that say nothing."""
    filled = representations.overlay(schema, base, _without_absent(facts))
    for name, value in facts.items():
        shorter = {other: member for other, member in filled.items() if other != name}
        if value is ABSENT and (schema is None or representations.is_valid(schema, shorter)):
            filled = shorter
    return filled


def _is_detail(name: str) -> bool:
    return name.lower() in map(str.lower, _DETAIL_NAMES)


def _without_absent(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not ABSENT}


def _code_for(status: int, values: Sequence[str]) -> str | None:
    """Return the code that means a status by its words, None if none does."""
    words = _STATUS_WORDS.get(status, ())
    fitting = (value for word in words for value in values if word in name_words(value))
    return next(fitting, None)


def _place(problem: RequestProblem) -> str:
    """Return the member or parameter with a problem, such as `address.city`; the part of the request without one."""
    return ".".join(problem.pointer) or problem.part


def _problem_item(item: Mapping[str, Any], problem: RequestProblem) -> dict[str, Any]:
    """Return an item of a list of problems that describes one."""
    described = dict(item)
    place = (problem.part, *problem.pointer)
    for name, member in item.items():
        lower = name.lower()
        if isinstance(member, str) and lower in (*_DETAIL_NAMES, "title"):
            described[name] = problem.message
        elif lower == "pointer" and isinstance(member, str):
            described[name] = "".join(f"/{text}" for text in problem.pointer)
        elif lower == "loc" and isinstance(member, list):
            described[name] = [*place]
        elif matches_any_name(name, _PLACE_NAMES) and isinstance(member, str):
            described[name] = _place(problem)
        elif lower in _PART_NAMES and isinstance(member, str):
            has_place = any(matches_any_name(other, _PLACE_NAMES) or other == "pointer" for other in item)
            described[name] = problem.part if has_place else problem.place
        elif lower == "source" and isinstance(member, dict):
            kept = "pointer" if problem.part == BODY else "parameter"
            source = {other: value for other, value in member.items() if other == kept}
            described[name] = _problem_item(source, problem)
    return described
