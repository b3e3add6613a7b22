"""What is said where a write is refused: all of it at once, and which command leads on."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from devportal.catalog.journal import Write
from devportal.catalog.lifecycle import Action, State
from devportal.catalog.ref import RecordRef
from devportal.errors import Place, RefusedWrite

_SHOWN = 50
"""The most refusals that are told one by one."""
_LONGEST = 1900
"""What is kept of a reason that something is added to: the log takes 2,000 characters."""
_ItemT = TypeVar("_ItemT")


class Denied(RefusedWrite):
    """A step that its actor may not take, as opposed to one that nobody may take now."""

    def __init__(
        self,
        message: str,
        *,
        place: Place | None = None,
        help: str,  # noqa: A002 - as PortalError has it
        attempt: Write,
        others: int = 0,
    ) -> None:
        """Take the message, what to do, the first attempt, and how many others came with it."""
        super().__init__(message, place=place, help=help)
        self.attempt = attempt
        self.others = others


def take_each(items: Sequence[_ItemT], take: Callable[[_ItemT], object]) -> Sequence[_ItemT]:
    """Take items one after the other and return those with which `take` says that something changed.

    Raises RefusedWrite at the end, with all that was refused.
    """
    changed: list[_ItemT] = []
    refused: list[RefusedWrite] = []
    for item in items:
        try:
            if take(item) is not False:
                changed.append(item)
        except RefusedWrite as error:
            refused.append(error)
    if refused:
        raise together(refused, count=len(items))
    return changed


def together(refused: Sequence[RefusedWrite], *, count: int) -> RefusedWrite:
    """Return one refusal that tells several of `count` versions, each with its place and what to do."""
    if len(refused) == 1:
        return refused[0]
    by_place = sorted(refused, key=lambda error: error.place or Place(file=""))
    listed = "".join(f"\n{error}".replace("\n", "\n  ") for error in by_place[:_SHOWN])
    more = f"\n  and {len(refused) - _SHOWN:,} more" if len(refused) > _SHOWN else ""
    message = f"nothing was written: {len(refused):,} of {count:,} versions are refused{listed}{more}"
    if denied := [error for error in refused if isinstance(error, Denied)]:
        others = sum(1 + error.others for error in denied) - 1
        return Denied(message, help="", attempt=denied[0].attempt, others=others)
    return RefusedWrite(message)


def counted(reason: str, others: int) -> str:
    """Return a reason for the log that also tells how many other versions one denied attempt was about."""
    if not others:
        return reason
    more = f"and {others:,} other version{'' if others == 1 else 's'}"
    return f"{reason[:_LONGEST]} ({more})" if reason else more


def command_for(name: str, record: RecordRef) -> str:
    """Return the command line, without who acts, that takes a version through a step."""
    return f"devportal {record.kind} {name} {record.id}@{record.version}"


def leading_on(record: RecordRef, state: State | None, action: Action) -> str:
    """Return which command leads on from the state of a version that an action may not start from."""

    def command(name: str) -> str:
        return command_for(name, record)

    match state:
        case None | State.DRAFT:
            return f"hand it in first: {command('submit')}"
        case State.SUBMITTED if action in {Action.SUBMIT, Action.ACTIVATE}:
            return f"it waits for an approver: {command('approve')}; {command('reject')} takes it back"
        case State.SUBMITTED:
            return f"have an approver take it back: {command('reject')} --reason …"
        case State.REJECTED:
            return f"make it a draft again: {command('revise')}"
        case State.APPROVED:
            return f"make it public: {command('activate')}, or end it: {command('withdraw')} --reason …"
        case State.ACTIVE:
            return f"write a change as a new version; this one ends by {command('withdraw')} --reason …"
        case State.SUPERSEDED | State.WITHDRAWN:
            return (
                f"it has ended: write a new version; devportal {record.kind} submit {record.id} hands it in"
            )
