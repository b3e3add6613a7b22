"""The members of new resources that nobody has set, as they are before anything has happened to them."""

from collections.abc import Collection, Mapping
from typing import Any

from devportal.contract import ABSENT, Api, Schema
from devportal.mock.http.representation import Representations
from devportal.mock.resources.initial_values import untouched_values

_MAX_NESTING = 3


class InitialMembers:
    """Makes the members of new resources of one contract agree with their being new."""

    def __init__(self, api: Api, representations: Representations) -> None:
        """Take the contract, and what validates its values."""
        self._api = api
        self._representations = representations

    def apply(
        self,
        members: Mapping[str, Any],
        shape: Mapping[str, Schema],
        *,
        required: Collection[str],
        later_states: Collection[str],
        fixed: Collection[str] = (),
        nesting: int = 0,
    ) -> dict[str, Any]:
        """Return members with zero, false, nothing or none at all for what has not happened yet. Those that are
        `required` stay, and so do the `fixed` ones.
        """
        initial: dict[str, Any] = {}
        for name, value in members.items():
            schema = shape.get(name)
            if schema is None or name in fixed:
                initial[name] = value
                continue
            untouched = self._untouched_value(name, schema, value, later_states, is_required=name in required)
            if isinstance(untouched, dict) and nesting < _MAX_NESTING:
                inner = self._representations.shape(schema)
                untouched = self.apply(
                    untouched,
                    {inner_name: schemas[0] for inner_name, schemas in inner.members.items()},
                    required=inner.required,
                    later_states=(),
                    nesting=nesting + 1,
                )
            if untouched is not ABSENT:
                initial[name] = untouched
        return initial

    def _untouched_value(
        self, name: str, schema: Schema, value: Any, later_states: Collection[str], *, is_required: bool
    ) -> Any:
        """Return the first value of a member before anything has happened that its schema allows."""
        for untouched in untouched_values(name, self._api.resolve(schema), later_states):
            if untouched is ABSENT and not is_required:
                return ABSENT
            if untouched is not ABSENT and self._representations.is_valid(schema, untouched):
                return untouched
        return value
