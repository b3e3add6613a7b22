"""Errors of the OAS schemas, split up: each problem at its node, in one sentence.

For `anyOf` and `oneOf`, a validator only reports that no branch fits the object. Authors need to know what is
wrong in the branch they meant.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import jsonschema_rs

from devportal.contract.validate.field_advice import (
    field_type_advice,
    foreign_version_advice,
    member_name_advice,
    missing_field_advice,
    unknown_field_advice,
)
from devportal.contract.validate.oas_objects import fixed_fields_of, kind_at
from devportal.contract.wording import quote_value, truncate_text
from devportal.documents import Pointer

_MAX_LISTED_VALUES = 12
"""How many of the values that are allowed a sentence lists."""
_TYPE_WORDS = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}
_MEMBER_WORDS = {
    "paths": ("path", "a path starts with '/'"),
    "responses": ("status", "write a status such as '200', a range such as '4XX', or 'default'"),
    "components": ("kind of component", "compare with the fields of the Components Object"),
}
"""What the keys of objects are that hold names, and what a good one looks like."""
_EXCLUSIVE_FIELDS = (("schema", "content"), ("operationId", "operationRef"))
_LIMIT_WORDS = {
    "minimum": "is less than",
    "exclusiveMinimum": "is not more than",
    "maximum": "is more than",
    "exclusiveMaximum": "is not less than",
}
_KIND_WORDS = {"sent operation": "operation", "event": "path item", "": "object"}


@dataclass(frozen=True, slots=True, kw_only=True)
class OasError:
    """Something in an object that the OAS does not allow; `pointer` leads to it from the object."""

    pointer: Pointer
    message: str
    help: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _KeywordError:
    """One keyword of a schema that a value breaks, its details by their names in the validator."""

    pointer: Pointer
    keyword: str
    value: Any
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _ErrorLocations:
    """Where something is wrong that may be why a member is called unknown, and all that this is in."""

    at: Set[Pointer]
    around: Set[Pointer]

    @classmethod
    def among(cls, breaks: Sequence[_KeywordError]) -> "_ErrorLocations":
        at = {break_.pointer for break_ in breaks if break_.keyword != "unevaluatedProperties"}
        return cls(at=at, around={item[:length] for item in at for length in range(len(item) + 1)})


def explain_oas_errors(
    errors: Sequence[jsonschema_rs.ValidationError], kind: str, version: str
) -> Iterator[OasError]:
    """Yield the problems behind validation errors in an object of a kind, each once."""
    breaks = [keyword_error for error in errors for keyword_error in _keyword_errors(error)]
    causes = _ErrorLocations.among(breaks)
    seen = set()
    for cause in _without_consequential_errors(breaks, kind):
        for oas_error in _oas_errors(cause, kind, version, causes):
            if (oas_error.pointer, oas_error.message) not in seen:
                seen.add((oas_error.pointer, oas_error.message))
                yield oas_error


def _without_consequential_errors(breaks: Sequence[_KeywordError], kind: str) -> Iterator[_KeywordError]:
    """Yield the errors that do not just follow from another error of the same value: no mapping has no
    members, and the required members of an object depend on its type.
    """
    mistyped = {break_.pointer for break_ in breaks if break_.keyword == "type"}
    typeless = {break_.pointer for break_ in breaks if break_.details.get("property") == "type"}
    counts = Counter(break_.pointer for break_ in breaks)
    for break_ in breaks:
        is_mistyped = break_.pointer in mistyped and break_.keyword != "type"
        is_typeless = break_.pointer in typeless and break_.details.get("property") not in (None, "type")
        is_default = (
            break_.details.get("property") == "default" and kind_at(kind, break_.pointer) == "responses"
        )
        is_vague = break_.keyword == "oneOf" or is_default
        if not (is_mistyped or is_typeless or (is_vague and counts[break_.pointer] > 1)):
            yield break_


def _keyword_errors(error: jsonschema_rs.ValidationError) -> Iterator[_KeywordError]:
    """Yield the causes of an error; for branches, the errors of the branch that was meant."""
    keyword, details = error.kind.name, error.kind.as_dict()
    own_error = _KeywordError(
        pointer=tuple(map(str, error.instance_path)), keyword=keyword, value=error.instance, details=details
    )
    branches = details.get("context")
    if keyword not in ("anyOf", "oneOf") or not branches or not all(branches):
        yield own_error
        return
    branch_errors = [list(chain.from_iterable(map(_keyword_errors, branch))) for branch in branches]
    candidates = [
        branch for branch in branch_errors if not _lacks_only_ref(branch, own_error.pointer)
    ] or branch_errors
    yield from (
        _missing_alternatives(candidates, own_error)
        or _unmatched_values(candidates)
        or _commonly_missing_members(candidates)
        or min(candidates, key=_branch_distance(own_error))
    )


def _lacks_only_ref(branch: Sequence[_KeywordError], pointer: Pointer) -> bool:
    """Return whether a branch only fails because a `$ref` is missing: the value is not a reference, nor meant to
    be one.
    """
    return any(
        keyword_error.pointer == pointer and keyword_error.details.get("property") == "$ref"
        for keyword_error in branch
    )


def _missing_alternatives(
    branches: Sequence[Sequence[_KeywordError]], union_error: _KeywordError
) -> list[_KeywordError]:
    """Return one break for branches of which each only asks for another member."""
    names = [
        branch[0].details["property"]
        for branch in branches
        if len(branch) == 1 and "property" in branch[0].details and branch[0].pointer == union_error.pointer
    ]
    if len(names) < len(branches) or len(names) == 1:
        return []
    return [
        _KeywordError(
            pointer=union_error.pointer, keyword="required", value=union_error.value, details={"any": names}
        )
    ]


def _unmatched_values(branches: Sequence[Sequence[_KeywordError]]) -> list[_KeywordError]:
    """Return one error for branches that are distinguished by a value, if the value fits none of them."""
    errors_by_pointer = [
        {
            keyword_error.pointer: keyword_error
            for keyword_error in branch
            if "options" in keyword_error.details
        }
        for branch in branches
    ]
    shared = [
        pointer for pointer in errors_by_pointer[0] if all(pointer in error for error in errors_by_pointer)
    ]
    if len(branches) < 2 or not shared:
        return []
    first = errors_by_pointer[0][shared[0]]
    options = chain.from_iterable(error[shared[0]].details["options"] for error in errors_by_pointer)
    return [
        _KeywordError(
            pointer=first.pointer,
            keyword="enum",
            value=first.value,
            details={"options": list(dict.fromkeys(map(_quote_short, options))), "are_quoted": True},
        )
    ]


def _commonly_missing_members(branches: Sequence[Sequence[_KeywordError]]) -> list[_KeywordError]:
    """Return the breaks for members that all of several branches ask for."""
    required_names = [
        {keyword_error.details.get("property") for keyword_error in branch} - {None} for branch in branches
    ]
    shared = set.intersection(*required_names) if len(branches) > 1 else set()
    return [keyword_error for keyword_error in branches[0] if keyword_error.details.get("property") in shared]


def _branch_distance(
    union_error: _KeywordError,
) -> Callable[[Sequence[_KeywordError]], tuple[int, int, int, int]]:
    """Return a measure of how far a value is from a branch: by its type, by fixed values, by missing members,
    then by the number of errors.
    """

    def measure(branch: Sequence[_KeywordError]) -> tuple[int, int, int, int]:
        own_errors = [
            keyword_error for keyword_error in branch if keyword_error.pointer == union_error.pointer
        ]
        return (
            sum(error.keyword == "type" for error in own_errors),
            sum("options" in keyword_error.details for keyword_error in branch),
            sum(error.keyword == "required" for error in own_errors),
            len(branch),
        )

    return measure


def _oas_errors(
    keyword_error: _KeywordError, kind: str, version: str, causes: _ErrorLocations
) -> Iterator[OasError]:
    object_kind = kind_at(kind, keyword_error.pointer)
    match keyword_error.keyword:
        case "additionalProperties" | "unevaluatedProperties":
            for name in keyword_error.details["unexpected"]:
                if not _is_consequential_error(keyword_error, name, object_kind, version, causes):
                    yield _unknown_member_error(keyword_error, name, object_kind, version)
        case "not":
            yield _exclusive_members_error(keyword_error)
        case "oneOf" if exclusive := _exclusive_members(keyword_error.value):
            yield _exclusive_members_error(
                replace(keyword_error, details={"schema": {"required": exclusive}})
            )
        case "required":
            yield _missing_member_error(keyword_error, object_kind)
        case "propertyNames":
            yield _invalid_name_error(keyword_error)
        case _:
            message, advice = _message_and_advice(keyword_error, object_kind, kind)
            yield OasError(pointer=keyword_error.pointer, message=message, help=advice)


def _is_consequential_error(
    keyword_error: _KeywordError, name: str, kind: str, version: str, causes: _ErrorLocations
) -> bool:
    """Say whether a member is only called unknown because something else is wrong: in it, or beside it in the
    part of a schema that would have known it.
    """
    if keyword_error.keyword == "additionalProperties":
        return False
    if (*keyword_error.pointer, name) in causes.around:
        return True
    return keyword_error.pointer in causes.at and name in _field_names(kind, version)


def _unknown_member_error(keyword_error: _KeywordError, name: str, kind: str, version: str) -> OasError:
    pointer = (*keyword_error.pointer, name)
    if kind in _MEMBER_WORDS:
        word, advice = _MEMBER_WORDS[kind]
        return OasError(
            pointer=pointer,
            message=f"{_quote_short(name)} is not a {word}",
            help=member_name_advice(name, kind, advice),
        )
    word = _KIND_WORDS.get(kind, kind)
    if name == "$ref":
        return OasError(
            pointer=pointer, message="this '$ref' is not text", help="write a reference: '#/components/…'"
        )
    fields = fixed_fields_of(kind, version)
    if fields is not None and name in fields.in_other_versions:
        message = (
            f"{name!r} of this {word} {fields.in_other_versions[name]} and has no effect in OAS {version[:3]}"
        )
        return OasError(pointer=pointer, message=message, help=foreign_version_advice(name, kind))
    field_names = _field_names(kind, version)
    is_beside_reference = isinstance(keyword_error.value, dict) and "$ref" in keyword_error.value
    if is_beside_reference and (name in field_names or name.startswith("x-")):
        message = f"{name!r} is not allowed next to the '$ref' of this {word}, where OAS ignores it"
        return OasError(pointer=pointer, message=message, help="move it into what the '$ref' leads to")
    if name in field_names:
        message = f"{name!r} is not allowed next to the other fields of this {word}"
        return OasError(pointer=pointer, message=message, help="remove it, or them")
    value = keyword_error.value.get(name, "") if isinstance(keyword_error.value, dict) else ""
    return OasError(
        pointer=pointer,
        message=f"{_quote_short(name)} is not a field of this {word}",
        help=unknown_field_advice(name, value, kind, version),
    )


def _field_names(kind: str, version: str) -> list[str]:
    fields = fixed_fields_of(kind, version)
    return sorted(fields.in_version) if fields is not None else []


def _missing_member_error(keyword_error: _KeywordError, kind: str) -> OasError:
    names = keyword_error.details.get("any", [keyword_error.details.get("property")])
    if kind == "responses":
        message, advice = "this operation has no response", "describe at least one"
    else:
        message = f"this {_KIND_WORDS.get(kind, kind)} has no {' or '.join(map(_quote_short, names))}"
        advice = missing_field_advice(names[0], kind) if len(names) == 1 else "add one of them"
    return OasError(pointer=keyword_error.pointer, message=message, help=advice)


def _exclusive_members(value: Any) -> list[str]:
    """Return the first two members of an object that exclude each other, none if no two do."""
    pairs = ([*pair] for pair in _EXCLUSIVE_FIELDS if isinstance(value, dict) and value.keys() >= {*pair})
    return next(pairs, [])


def _exclusive_members_error(keyword_error: _KeywordError) -> OasError:
    """Return the error for members that exclude each other, or are not allowed here."""
    schema = keyword_error.details.get("schema")
    if isinstance(
        keyword_error.value, list
    ):  # the only lists that the OAS restricts like this are parameters
        message = "parameters 'in: query' and 'in: querystring' exclude each other"
        return OasError(
            pointer=keyword_error.pointer, message=message, help="keep parameters of one of the two kinds"
        )
    names = schema.get("required") if isinstance(schema, dict) else None
    if not isinstance(names, list) or not names:
        message = f"{_quote_short(keyword_error.value)} is not allowed here"
        return OasError(
            pointer=keyword_error.pointer, message=message, help="compare with the OpenAPI Specification"
        )
    pointer = (*keyword_error.pointer, str(names[-1]))
    if len(names) == 1:
        message = f"{names[0]!r} is not allowed next to the other fields here"
        return OasError(pointer=pointer, message=message, help="remove it")
    message = f"{' and '.join(map(repr, names))} exclude each other"
    return OasError(pointer=pointer, message=message, help="keep one of them")


def _invalid_name_error(keyword_error: _KeywordError) -> OasError:
    error = keyword_error.details.get("error")
    name = error.instance if isinstance(error, jsonschema_rs.ValidationError) else None
    pointer = (*keyword_error.pointer, name) if isinstance(name, str) else keyword_error.pointer
    kind = "method" if keyword_error.pointer[-1:] == ("additionalOperations",) else "component"
    return OasError(
        pointer=pointer,
        message=f"{_quote_short(name)} is not a name for a {kind}",
        help="use letters, digits, '.', '-' and '_' only",
    )


def _message_and_advice(keyword_error: _KeywordError, kind: str, root_kind: str) -> tuple[str, str]:
    """Return message and advice for an error in an object of a kind, found from one of the root's kind."""
    details, value = keyword_error.details, _quote_short(keyword_error.value)
    match keyword_error.keyword:
        case "type":
            expected = "a schema" if kind == "schema" else _format_types(details["types"])
            *around, name = keyword_error.pointer or ("",)
            return (
                f"{_expectation_prefix(keyword_error.pointer)} {expected}, found {value}",
                field_type_advice(name, kind_at(root_kind, tuple(around)), expected, keyword_error.value),
            )
        case "enum":
            return f"{value} is none of {_format_options(details)}", "write one of these"
        case "const":
            expected = _quote_short(details.get("expected_value"))
            return f"expected {expected}, found {value}", f"write {expected}"
        case "pattern":
            return f"{value} does not match {details.get('pattern')!r}", "fix the spelling"
        case "falseSchema":
            return f"{value} is not allowed here", "remove it"
        case "contains":
            return "an operation may have one parameter 'in: querystring', found more", "keep one of them"
        case "uniqueItems":
            return "this list holds something twice", "remove what is there again"
    if "limit" in details:
        return _limit_message(keyword_error, details["limit"], kind)
    return (
        f"{value} is not what {keyword_error.keyword!r} in the schema of the OAS asks for",
        "compare with the OpenAPI Specification",
    )


def _expectation_prefix(pointer: Pointer) -> str:
    """Return the start of a sentence about the expected value, with its name if it has one."""
    is_named = bool(pointer) and not pointer[-1].isdigit()
    return f"{_quote_short(pointer[-1])} must be" if is_named else "expected"


def _limit_message(keyword_error: _KeywordError, limit: int | float, kind: str) -> tuple[str, str]:
    """Return message and advice for a number, or for a number of members."""
    if keyword_error.keyword in ("minItems", "minProperties") and limit == 1:
        container = "a list" if isinstance(keyword_error.value, list) else "a mapping"
        if kind == "responses":
            return "this operation has no response", "describe at least one"
        return f"expected {container} that is not empty", "write something into it, or remove it"
    if keyword_error.keyword == "maxProperties" and limit == 1:
        return f"expected one member, found {len(keyword_error.value)}", "keep one of them"
    return (
        f"{_quote_short(keyword_error.value)} {_LIMIT_WORDS.get(keyword_error.keyword, keyword_error.keyword)} {limit}",
        "fix the value",
    )


def _format_types(names: Sequence[str]) -> str:
    return " or ".join(_TYPE_WORDS.get(name, name) for name in names)


def _format_options(details: Mapping[str, Any]) -> str:
    options = [
        str(option) if details.get("are_quoted") else _quote_short(option) for option in details["options"]
    ]
    rest = len(options) - _MAX_LISTED_VALUES
    return ", ".join(options[:_MAX_LISTED_VALUES]) + (f" and {rest} more" if rest > 0 else "")


def _quote_short(value: Any) -> str:
    """Return a value as a sentence quotes it: text in quotation marks, and large values by their kind only."""
    match value:
        case dict():
            return "an empty mapping" if not value else "a mapping"
        case list():
            return "an empty list" if not value else "a list"
        case str():
            return quote_value(value)
    return truncate_text(json.dumps(value, default=str))
