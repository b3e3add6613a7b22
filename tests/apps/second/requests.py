"""What a handler is given and gives back, and how the first is read from what came over the wire."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote_plus

from tests.apps.second.documents import Operation, Parameter
from tests.apps.second.habits import Habits
from tests.apps.second.refusals import Refusal

LARGEST_BYTES = 65_536
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A request as it came. The names of `headers` are in small letters; several values are joined."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request that fits the contract. Whose it is, what the path names, the query, the parsed body."""

    operation: Operation
    account: str
    path: Mapping[str, str]
    query: Mapping[str, Any]
    headers: Mapping[str, str]
    body: Any = None

    @property
    def subject(self) -> str:
        """Return the identifier that the path names."""
        return next(iter(self.path.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A good answer. `body` is None where there is none."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


def accepts_json(accept: str) -> bool:
    """Say whether an Accept header lets application/json through (RFC 9110 §12.5.1)."""
    qualities: dict[str, float] = {}
    for text in filter(None, (part.strip() for part in accept.lower().split(","))):
        kind, *parameters = (part.strip() for part in text.split(";"))
        weights = [part for part in parameters if re.fullmatch(r"q=[01](\.[0-9]*)?", part)]
        qualities[kind] = float(weights[0].removeprefix("q=")) if weights else 1.0
    ranges = ("application/json", "application/*", "*/*")
    return not qualities or next((qualities[range_] for range_ in ranges if range_ in qualities), 0.0) > 0


def read_query(operation: Operation, query: str) -> dict[str, Any]:
    """Return the query parameters by name; raises Refusal where one does not fit."""
    known, given = operation.parameters_in("query"), dict[str, list[str]]()
    for part in filter(None, query.split("&")):
        name, _, text = part.partition("=")
        given.setdefault(_decode(name), []).append(_decode(text))
    for name in given:
        if name not in known:
            raise Refusal("invalid-parameter", f"Nothing is known of a parameter {name!r}.")
    read = {name: _value(known[name], texts) for name, texts in given.items()}
    for parameter in known.values():
        if parameter.is_required and parameter.name not in read:
            raise Refusal("invalid-parameter", f"The parameter {parameter.name!r} has to be there.")
        if "default" in parameter.schema:
            read.setdefault(parameter.name, parameter.schema["default"])
    return read


def _decode(text: str) -> str:
    try:
        return unquote_plus(text, errors="strict")
    except UnicodeDecodeError:
        raise Refusal("invalid-parameter", "The query is not percent-encoded UTF-8.") from None


def _value(parameter: Parameter, texts: list[str]) -> Any:
    kind = parameter.schema.get("type")
    if kind != "array" and len(texts) > 1:
        raise Refusal("invalid-parameter", f"The parameter {parameter.name!r} is there {len(texts)} times.")
    value: Any = texts if kind == "array" else texts[0]
    if kind == "integer":
        value = int(texts[0]) if re.fullmatch(r"-?[0-9]{1,18}", texts[0], re.ASCII) else texts[0]
    if faults := parameter.faults(value):
        raise Refusal("invalid-parameter", f"The parameter {parameter.name!r}: {faults[0]}")
    return value


def check_headers(operation: Operation, headers: Mapping[str, str]) -> None:
    """Raise Refusal where a header of the contract does not have its form."""
    for parameter in operation.parameters_in("header").values():
        value = headers.get(parameter.name.lower())
        if value is not None and (faults := parameter.faults(value)):
            raise Refusal("malformed-request", f"The header {parameter.name}: {faults[0]}")


def check_media_type(incoming: Incoming) -> None:
    """Raise Refusal where the body is not declared as plain JSON in UTF-8."""
    written = incoming.headers.get("content-type", "")
    kind, *parameters = (part.strip() for part in written.lower().split(";"))
    charsets = [
        parameter.partition("=")[2].strip('"') for parameter in parameters if parameter.startswith("charset=")
    ]
    if kind != "application/json" or any(charset not in ("utf-8", "utf8") for charset in charsets):
        raise Refusal("unsupported-media-type", f"{written!r} is not understood, application/json is.")
    if incoming.headers.get("content-encoding", "identity").lower() != "identity":
        raise Refusal("unsupported-media-type", "Compressed bodies are not understood.")


def read_body(operation: Operation, incoming: Incoming, habits: Habits) -> Any:
    """Return the body that an operation takes, None where it takes none; raises Refusal."""
    if operation.body is None:
        if incoming.body:
            raise Refusal("malformed-request", "No body belongs here.")
        return None
    check_media_type(incoming)
    value = _parse_json(incoming.body, _parse_number if habits.counts_fractions else float)
    if faults := operation.body_faults(value):
        raise Refusal("validation-failed", f"{len(faults)} things do not fit.", errors=faults)
    return value


def _parse_json(body: bytes, number: Callable[[str], float]) -> Any:
    try:
        text = body.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=number)
    except (ValueError, RecursionError) as reason:
        raise Refusal("malformed-request", f"This is not JSON: {str(reason)[:200]}") from None
    if _SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        raise Refusal("malformed-request", "A string has half of a surrogate pair, which is not text.")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is there twice in one object")
    return found


def _parse_number(text: str) -> float:
    """Return a number, as an integer if its value is one (JSON Schema since 2017)."""
    number = float(text)
    return int(number) if number.is_integer() else number


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")
