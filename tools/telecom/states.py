"""The state machines of the contract, for the code that changes a status.

The allowed steps are written once, beside the enum of each status (decision 0026). Pages draw them from
there, and no other step is possible here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from devportal.contract import Api, StateMachine
from devportal.errors import InvalidContract


class ForbiddenTransition(ValueError):
    """A step that the contract does not have: a bug in the program, never a client's error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateMachines:
    """State machines by the name of the schema that has them, such as `MessageStatus`."""

    by_schema: Mapping[str, StateMachine]

    @classmethod
    def read(cls, api: Api) -> "StateMachines":
        """Return every state machine of a contract."""
        return cls(
            by_schema={
                location.pointer[-1]: schema.state_machine
                for location, schema in api.schemas.items()
                if schema.state_machine is not None
            }
        )

    def of(self, schema: str) -> StateMachine:
        """Return the machine of a schema; raises InvalidContract if there is none."""
        if schema not in self.by_schema:
            raise InvalidContract(
                f"the contract has no state machine at the schema {schema!r}",
                help="write x-state-machine next to its enum; there are machines at: "
                + (", ".join(sorted(self.by_schema)) or "no schema"),
            )
        return self.by_schema[schema]

    def allows(self, schema: str, source: str, target: str) -> bool:
        """Return whether one step leads from a state to another."""
        return self.of(schema).allows(source, target)

    def step(self, schema: str, source: str, target: str) -> str:
        """Return the state after a step; raises ForbiddenTransition if the contract does not have it."""
        if not self.allows(schema, source, target):
            raise ForbiddenTransition(f"{schema} has no step from {source!r} to {target!r}")
        return str(target)

    def is_final(self, schema: str, state: str) -> bool:
        """Return whether no step leaves a state."""
        return state in self.of(schema).finals
