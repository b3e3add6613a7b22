"""The status of a response in the sample of its body: errors repeat it (RFC 9457 §3.1.2)."""

import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from devportal.contract.conventions import matches_any_name
from devportal.contract.media_types import media_type_essence
from devportal.contract.model import Api
from devportal.contract.schemas import ABSENT, Schema
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.conjunction import applicable_schemas
from devportal.contract.values.schema_shapes import gives_example
from devportal.contract.values.synthesis import is_valid_value

_NAMES = ("status", "status_code", "http_status", "http_status_code", "http_code", "code", "error_code")
_DESCRIBED = re.compile(r"\bHTTP\W+(?:\w+\W+)?(?:status|code)\b", re.IGNORECASE)
"""How descriptions say that a member is the status: `HTTP status code`, `HTTP response code`."""
_EXACT = re.compile("[1-5][0-9][0-9]")
_PROBLEM_MEMBERS = frozenset({"type", "title", "status"})
_PHRASES = frozenset(status.phrase.lower() for status in HTTPStatus)
_MAX_NESTING = 3
_MAX_PARTS = 50

_Schemas = tuple[Schema, ...]


def with_response_status(api: Api, schema: Schema, media_type: str, sample: Any, status: str) -> Any:
    """Return the sample of a response body with the status of the response, if the schema allows it: the
    schema of an error has the example of one status, and is that of responses with others.

    `status` is as the contract writes it. A range or `default` changes nothing.
    """
    if not isinstance(sample, dict) or not _EXACT.fullmatch(status):
        return sample
    number = int(status)
    changes = [_members_with_status(api, (schema,), sample, number)]
    if _is_problem(media_type, sample):
        changes += ({name: fact} for name, fact in _problem_facts(api, schema, sample, number))
    shown = sample
    for change in changes:
        merged = {**shown, **change}
        tried = {name: member for name, member in merged.items() if member is not ABSENT}
        if tried != shown and not _breaks(api, schema, shown, tried):
            shown = tried
    return shown


def _breaks(api: Api, schema: Schema, valid: Any, changed: Any) -> bool:
    """Say whether a change makes a valid value invalid."""
    values = (changed, valid)
    return [is_valid_value(api, schema, value, Direction.RESPONSE) for value in values] == [False, True]


def _members_with_status(
    api: Api, schemas: _Schemas, sample: Mapping[str, Any], status: int, nesting: int = 0
) -> dict[str, Any]:
    """Return the members of an object, the status in those that repeat it, at any depth."""
    described = _member_schemas(api, schemas)
    return {
        name: _member_with_status(api, name, member, described.get(name, ()), status, nesting)
        for name, member in sample.items()
    }


def _member_with_status(api: Api, name: str, value: Any, schemas: _Schemas, status: int, nesting: int) -> Any:
    match value:
        case dict() if nesting < _MAX_NESTING:
            return _members_with_status(api, schemas, value, status, nesting + 1)
        case [dict() as item] if nesting < _MAX_NESTING:
            items = tuple(part.items for part in _parts(api, schemas) if part.items is not None)
            return [_members_with_status(api, items, item, status, nesting + 1)]
        case int() if not isinstance(value, bool) and matches_any_name(name, _NAMES):
            is_of_error = status >= 400 and 400 <= value <= 599
            return status if is_of_error or _is_described(api, schemas) else value
        case str() if matches_any_name(name, _NAMES) and _is_described(api, schemas):
            return str(status)
    return value


def _is_described(api: Api, schemas: _Schemas) -> bool:
    """Say whether a description calls a member the status of the response."""
    return any(_DESCRIBED.search(part.description) for part in _parts(api, schemas))


def _member_schemas(api: Api, schemas: _Schemas) -> dict[str, _Schemas]:
    """Return the schemas of the members of an object, those of all branches."""
    found: dict[str, _Schemas] = {}
    for part in _parts(api, schemas):
        for property_ in part.properties:
            found[property_.name] = (*found.get(property_.name, ()), property_.schema)
    return found


def _parts(api: Api, schemas: _Schemas) -> Iterator[Schema]:
    """Yield schemas, what applies with them, and the branches of their unions, up to a limit."""
    pending = list(schemas)
    for _ in range(_MAX_PARTS):
        if not pending:
            return
        for part in applicable_schemas(api, (pending.pop(0),)):
            yield part
            pending += (*part.one_of, *part.any_of)


def _is_problem(media_type: str, sample: Mapping[str, Any]) -> bool:
    is_named = media_type_essence(media_type).startswith("application/problem+")
    return is_named or sample.keys() >= _PROBLEM_MEMBERS


def _problem_facts(
    api: Api, schema: Schema, sample: Mapping[str, Any], status: int
) -> Iterator[tuple[str, Any]]:
    """Yield what the members of a problem document say at a status: those of the example of another status, and
    those without an example. ABSENT stands for a member that says nothing.

    The type is the first that the contract registers for the status, or none, whose title is the phrase of the status
    (RFC 9457 §4.2.1).
    """
    members, parts = _member_schemas(api, (schema,)), tuple(_parts(api, (schema,)))
    given = {
        name
        for name in sample
        if any(gives_example(api, member) for member in members.get(name, ()))
        or any(name in example for part in parts for example in part.examples if isinstance(example, dict))
    }
    is_of_other = _is_of_other_status(sample, given, status)
    registered = ((known.uri, known.title) for known in api.problem_types if known.status == status)
    uri, title = next(registered, ("about:blank", _phrase(status)))
    facts = {"type": uri, "title": title, "status": status}
    yield from (
        (name, fact)
        for name, fact in facts.items()
        if name in sample and (is_of_other or name == "status" or not given & {"type", "title"})
    )
    if is_of_other and "detail" in given:
        yield "detail", ABSENT


def _is_of_other_status(sample: Mapping[str, Any], given: set[str], status: int) -> bool:
    """Say whether the example of a problem is that of another status, by its status or by its title."""
    title = str(sample.get("title", "")).lower()
    is_other_phrase = title in _PHRASES and title != _phrase(status).lower()
    return ("status" in given and sample["status"] != status) or ("title" in given and is_other_phrase)


def _phrase(status: int) -> str:
    """Return the phrase of a status (RFC 9110 §15)."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"
