"""Steps of resources that no request asks for: a message that is queued is sent, and then delivered."""

from collections.abc import Mapping
from itertools import pairwise

from devportal.mock.http.exchange import MockRequest, MockResponse, Moment
from devportal.mock.http.requests import ReadRequest
from devportal.mock.operations.outcome import Happening, Outcome
from devportal.mock.operations.records import Records
from devportal.mock.resources.nested_members import nest_members
from devportal.mock.resources.plan import Plan, ResourceType, Role
from devportal.mock.resources.resource_states import StateRules
from devportal.mock.resources.store import Record


class AutomaticSteps:
    """The steps of the resources of one contract."""

    def __init__(self, plan: Plan, records: Records, rules: Mapping[str, StateRules]) -> None:
        """Take what operations do, what makes records, and the rules of states by the paths of types."""
        self._plan = plan
        self._records = records
        self._rules = rules
        self._automatic = {type_.path: self._automatic_steps(type_) for type_ in plan.types}

    def next_state(self, record: Record) -> str:
        """Return the state that a record goes to by itself, empty if it stays."""
        kind = self._plan.type_at(record.type)
        steps = self._automatic.get(record.type, {})
        return steps.get(str(record.members.get(kind.state)), "") if kind is not None else ""

    def take(self, record: Record, moment: Moment) -> Outcome | None:
        """Return what happens if the state of a record goes on by itself, None if it stays."""
        target, kind = self.next_state(record), self._plan.type_at(record.type)
        operation = (kind.read or kind.create) if kind is not None else None
        if not target or kind is None or operation is None:
            return None
        source = record.members.get(kind.state)
        changed = self._records.take_step(kind, record, target, moment)
        response = MockResponse(status=200, value=nest_members(changed.members, kind.nested))
        happening = Happening(
            operation=operation,
            request=MockRequest(method="POST", path=""),
            read=ReadRequest(),
            response=response,
            role=Role.UPDATE,
            record=changed,
            previous=record,
            event=self._rules[kind.path].event_of(source, target),
            is_step=True,
        )
        return Outcome(response=response, changes=(changed,), happenings=(happening,))

    def _automatic_steps(self, kind: ResourceType) -> Mapping[str, str]:
        """Return the steps that no action and no change of a client leads to, by the state before."""
        rules = self._rules[kind.path]
        own = [assignment for assignment in self._plan.assignments.values() if assignment.type is kind]
        changes = [
            assignment.operation for assignment in own if assignment.role in (Role.REPLACE, Role.UPDATE)
        ]
        if any(kind.state in self._records.settable(change, kind) for change in changes):
            return {}
        targets = [
            rules.action_target(assignment.operation) for assignment in own if assignment.role is Role.ACTION
        ]
        if kind.machine is None:  # a job that an action starts does not start by itself
            return {source: target for source, target in pairwise(kind.job_states) if target not in targets}
        steps = {state: rules.next_automatic(state, targets) for state in kind.machine.states}
        return {source: target for source, target in steps.items() if target}
