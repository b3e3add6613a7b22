"""What rules of statuses look at: the responses of an operation in both contracts."""

from dataclasses import dataclass, field
from functools import cached_property

from devportal.contract import Response
from devportal.differ.media_types import media_name
from devportal.differ.parts import OperationPair
from devportal.differ.statuses import DEFAULT, StatusMatching, match_statuses


@dataclass(frozen=True, kw_only=True)
class ResponsesPair:
    """All responses of an operation."""

    operation: OperationPair = field(repr=False)

    @cached_property
    def matching(self) -> StatusMatching:
        """Return what became of the response for each status."""
        return match_statuses(self.operation.old.responses, self.operation.new.responses, self._is_covered)

    def is_unlike_default(self, old: Response | None, new: Response | None) -> bool:
        """Say whether an error that one side lists has the other side's default, and so another body."""
        before = old or _default(self.operation.old.responses)
        after = new or _default(self.operation.new.responses)
        return before is not None and after is not None and not self._is_covered(before, after)

    def _is_covered(self, old: Response, new: Response) -> bool:
        """Say whether one response stands for the other: each body that comes now was allowed before, or is
        taken still where the consumer answers.
        """
        contracts = self.operation.contracts
        judge = contracts.is_still_accepted if self.operation.is_event else contracts.was_allowed
        before = {media_name(one.name): one for one in old.content}
        after = {media_name(one.name): one for one in new.content}
        return before.keys() == after.keys() and all(
            judge(before[name].schema, after[name].schema) for name in before
        )


def _default(responses: tuple[Response, ...]) -> Response | None:
    return next((one for one in responses if one.status.upper() == DEFAULT), None)
