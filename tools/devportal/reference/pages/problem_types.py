"""The pages of problem types (RFC 9457), and which responses carry which."""

from collections.abc import Iterable, Iterator
from typing import Any

from devportal.contract import Api, Operation, ProblemType, Response, Schema
from devportal.reference.addresses import problem_types


class ProblemTypes:
    """The problem types of one contract, and the responses with them; computed once."""

    def __init__(self, api: Api) -> None:
        """Take the contract."""
        self._api = api
        self._types = {problem.uri: problem for problem in problem_types(api)}
        self._operations: dict[str, dict[str, Operation]] = {uri: {} for uri in self._types}
        self._examples: dict[str, Any] = {}
        if self._types:
            self._index_operations()

    def _index_operations(self) -> None:
        for operation in self._api.operations:
            for response in operation.responses:
                for problem in self.of(response):
                    self._operations[problem.uri].setdefault(str(operation.key), operation)
                for value in _problem_examples(response):
                    self._examples.setdefault(value["type"], value)

    def __iter__(self) -> Iterator[ProblemType]:
        """Yield the problem types in the order written."""
        return iter(self._types.values())

    def of(self, response: Response) -> tuple[ProblemType, ...]:
        """Return the problem types that a response names: as values of its member `type`, or in examples."""
        if not self._types:
            return ()
        type_uris: dict[str, None] = {}
        for media in response.content:
            if media.schema is not None:
                type_uris |= dict.fromkeys(self._type_values(media.schema, ()))
        type_uris |= dict.fromkeys(value["type"] for value in _problem_examples(response))
        return tuple(self._types[uri] for uri in type_uris if uri in self._types)

    def _type_values(self, schema: Schema, trail: tuple[Schema, ...]) -> Iterable[str]:
        target = self._api.resolve(schema)
        if any(subschema is target for subschema in trail):
            return
        for property_ in target.properties:
            if property_.name == "type":
                member = self._api.resolve(property_.schema)
                yield from (value for value in (*member.enum, member.const) if isinstance(value, str))
        for part in (*target.all_of, *target.one_of, *target.any_of):
            yield from self._type_values(part, (*trail, target))

    def operations(self, problem: ProblemType) -> tuple[Operation, ...]:
        """Return the operations whose responses include a problem."""
        return tuple(self._operations[problem.uri].values())

    def example(self, problem: ProblemType) -> Any:
        """Return an example of a problem, None if there is none."""
        return self._examples.get(problem.uri)


def _problem_examples(response: Response) -> Iterator[dict[str, Any]]:
    """Yield the examples of a response that are problem documents with a type."""
    for media in response.content:
        for example in media.examples:
            if isinstance(example.value, dict) and isinstance(example.value.get("type"), str):
                yield example.value
