"""Which constraints of an operation a run exercised: with values that obey them, and with values that break them."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from urllib.parse import parse_qsl, unquote, urlsplit

from devportal.conformance.deployment.exchange import (
    Exchange,
    Request,
    content_type_of,
    parse_json,
)
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.results.constraint_tree import ConstraintTree, Observation, Rule
from devportal.conformance.results.result import CoveredConstraint
from devportal.contract import MediaType, Operation, Parameter, ParameterLocation
from devportal.contract.media_types import documented_media_type, is_json, media_type_essence
from devportal.contract.validate.json_schema import Direction

MOST_CONSTRAINTS = 300
"""How many constraints of one operation are listed."""
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,40})(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,2})?")
_Key = tuple[str, Rule]


def operation_constraints(
    subject: Subject, operation: Operation, exchanges: Sequence[Exchange]
) -> tuple[CoveredConstraint, ...]:
    """Return the constraints of an operation, with how often each was obeyed and broken.

    A value of a request that obeys one counts if the response was a success, so that what is always rejected
    does not count as tested. One that breaks it counts if there was a response.
    """
    trees = _Trees(subject, operation)
    counts: Counter[tuple[_Key, bool]] = Counter()
    for exchange in exchanges:
        if exchange.answer is not None and exchange.request.method == operation.method:
            counts.update(_exercised_constraints(trees, exchange))
    rules = list(dict.fromkeys(trees.rules()))[:MOST_CONSTRAINTS]
    return tuple(
        CoveredConstraint(
            where=f"{where} {rule.path}".strip(),
            in_response=where in trees.response_places,
            keyword=rule.keyword,
            value=rule.value,
            obeyed=counts[(where, rule), True] if rule.is_obeyable else None,
            broken=counts[(where, rule), False] if rule.is_breakable else None,
        )
        for where, rule in rules
    )


def _exercised_constraints(trees: "_Trees", exchange: Exchange) -> set[tuple[_Key, bool]]:
    """Return each constraint that an exchange exercises, with whether it is obeyed."""
    is_success = exchange.is_success
    sent = {
        (key, is_obeyed)
        for key, is_obeyed in trees.in_request(exchange.request)
        if is_success or not is_obeyed
    }
    return sent | {(key, True) for key in trees.in_response(exchange)}


class _Trees:
    """The trees of an operation's parameters, request bodies and response bodies, by where they apply."""

    def __init__(self, subject: Subject, operation: Operation) -> None:
        self._subject = subject
        self._operation = operation
        self._parameters = [
            (parameter, self._tree_of(parameter))
            for parameter in operation.parameters
            if _is_readable_parameter(subject, parameter)
        ]
        bodies = operation.request_content
        self._request_bodies = self._body_trees("body", bodies, Direction.REQUEST)
        self._response_bodies = {
            response.status: self._body_trees(f"{response.status} body", response.content, Direction.RESPONSE)
            for response in operation.responses
        }
        self.response_places = {
            where for trees in self._response_bodies.values() for where, _ in trees.values()
        }
        self._path = re.compile(
            re.escape(urlsplit(subject.base_url).path.rstrip("/"))
            + re.sub(r"\\\{([^}]*)\\\}", "([^/]*)", re.escape(operation.path))
        )
        self._path_names = re.findall(r"\{([^}]*)\}", operation.path)

    def rules(self) -> Iterator[_Key]:
        """Yield every constraint with where it applies."""
        for parameter, tree in self._parameters:
            if parameter.required and parameter.location_in is not ParameterLocation.PATH:
                yield _where(parameter), _REQUIRED
            yield from ((_where(parameter), rule) for rule in tree.rules())
        for trees in (self._request_bodies, *self._response_bodies.values()):
            yield from (
                (where, rule) for where, tree in dict(trees.values()).items() for rule in tree.rules()
            )

    def in_request(self, request: Request) -> Iterator[tuple[_Key, bool]]:
        """Yield each constraint that a request obeys or breaks, with which."""
        texts = _parameter_texts(self._operation, request, self._path_values(request))
        for parameter, tree in self._parameters:
            found = texts.get((parameter.location_in, parameter.name))
            if parameter.required:
                yield (_where(parameter), _REQUIRED), found is not None
            if found is not None:
                value = _read_value(tree, parameter, found)
                yield from _observations_at(_where(parameter), tree.observations(value))
        given = content_type_of(request.headers)
        where, body_tree = self._request_bodies.get(media_type_essence(given), ("", None))
        if body_tree is not None and request.body is not None and request.complete:
            try:
                yield from _observations_at(where, body_tree.observations(parse_json(request.body)))
            except (ValueError, RecursionError):
                return

    def in_response(self, exchange: Exchange) -> Iterator[_Key]:
        """Yield each constraint that a response obeys."""
        response = documented_response(self._operation, exchange.status)
        if response is None or exchange.answer is None or not is_json(exchange.answer.media_type):
            return
        media_type = documented_media_type(response.content, exchange.answer.media_type)
        if media_type is None or media_type.schema is None:
            return
        where, tree = self._response_bodies[response.status].get(
            media_type_essence(media_type.name), ("", None)
        )
        if tree is None:
            return
        try:
            found = _observations_at(where, tree.observations(parse_json(exchange.answer.body)))
            yield from (key for key, is_obeyed in found if is_obeyed)
        except (ValueError, RecursionError):
            return

    def _tree_of(self, parameter: Parameter) -> ConstraintTree:
        assert parameter.schema is not None  # noqa: S101 - only readable parameters have a tree
        return ConstraintTree(
            self._subject.api, self._subject.validator, parameter.schema, Direction.REQUEST, is_parameter=True
        )

    def _body_trees(
        self, where: str, content: Sequence[MediaType], direction: Direction
    ) -> dict[str, tuple[str, ConstraintTree]]:
        """Return the trees of JSON bodies by media type; several media types with one schema share a tree."""
        by_schema: dict[object, tuple[str, ConstraintTree]] = {}
        found: dict[str, tuple[str, ConstraintTree]] = {}
        for media_type in content:
            if media_type.schema is None or not (is_json(media_type.name) or "*" in media_type.name):
                continue
            location = media_type.schema.ref or media_type.schema.location
            if location not in by_schema:
                name = f"{where} ({media_type.name})" if by_schema else where
                tree = ConstraintTree(
                    self._subject.api, self._subject.validator, media_type.schema, direction
                )
                by_schema[location] = (name, tree)
            found[media_type_essence(media_type.name)] = by_schema[location]
        return found

    def _path_values(self, request: Request) -> dict[str, str]:
        match = self._path.fullmatch(urlsplit(request.url).path)
        return dict(zip(self._path_names, map(unquote, match.groups()), strict=False)) if match else {}


_REQUIRED = Rule("", "required")


def _where(parameter: Parameter) -> str:
    return f"{parameter.location_in} {parameter.name}"


def _observations_at(where: str, observations: Iterator[Observation]) -> Iterator[tuple[_Key, bool]]:
    for observation in observations:
        yield (where, observation.rule), observation.is_obeyed


def _is_readable_parameter(subject: Subject, parameter: Parameter) -> bool:
    """Return whether the value of a parameter can be read from a request: objects have many forms."""
    if parameter.schema is None or parameter.location_in is ParameterLocation.QUERYSTRING:
        return False
    return "object" not in subject.api.resolve(parameter.schema).types


def _parameter_texts(
    operation: Operation, request: Request, path_values: dict[str, str]
) -> dict[tuple[ParameterLocation, str], list[str]]:
    """Return the texts of the parameters that a request has, by location and name."""
    texts: dict[tuple[ParameterLocation, str], list[str]] = {}
    for name, value in parse_qsl(urlsplit(request.url).query, keep_blank_values=True):
        texts.setdefault((ParameterLocation.QUERY, name), []).append(value)
    texts.update({(ParameterLocation.PATH, name): [value] for name, value in path_values.items()})
    headers = {name.lower(): value for name, value in request.headers}
    pairs = (pair.strip().partition("=") for pair in headers.get("cookie", "").split(";"))
    texts.update({(ParameterLocation.COOKIE, name): [value] for name, _, value in pairs if name})
    for parameter in operation.parameters:
        if parameter.location_in is ParameterLocation.HEADER and parameter.name.lower() in headers:
            texts[parameter.location_in, parameter.name] = [headers[parameter.name.lower()]]
    return texts


def _read_value(tree: ConstraintTree, parameter: Parameter, texts: Sequence[str]) -> object:
    """Return the value that the texts of a parameter stand for."""
    types = tree.root.schema.types
    if "array" not in types:
        return _read_scalar(types, texts[-1])
    items = tree.root.items.schema.types if tree.root.items is not None else ()
    is_split = len(texts) == 1 and not (
        parameter.explode and parameter.location_in is ParameterLocation.QUERY
    )
    return [_read_scalar(items, text) for text in (texts[0].split(",") if is_split else texts)]


def _read_scalar(types: Sequence[str], text: str) -> object:
    if {"integer", "number"} & set(types) and _NUMBER.fullmatch(text):
        return json.loads(text)
    if "boolean" in types and text in ("true", "false"):
        return text == "true"
    return text
