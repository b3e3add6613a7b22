"""Faults in problem documents, and in the names that answers have."""

from tests.apps.faults.proxy import Fault
from tests.apps.faults.twists import EVERYTHING, LIST, MESSAGES, READ, SEND, Make, answer

_REFUSES = ("boundary-values",)


def _problem(name: str, breaks: str, make: Make, beside: tuple[str, ...] = _REFUSES) -> Fault:
    return Fault(
        name=name, breaks=breaks, check="problem-details", operations=MESSAGES, make=make, beside=beside
    )


PROBLEMS = (
    _problem(
        "a-problem-of-another-status",
        "status in a problem is that of the answer",
        answer(SEND, lambda given: given.with_members(status=400), statuses=(422,)),
    ),
    _problem(
        "a-problem-of-another-correlation-id",
        "the header and the body name one answer",
        answer(SEND, lambda given: given.with_members(correlation_id="0" * 32), statuses=(422,)),
    ),
    _problem(
        "a-404-of-another-status",
        "status in a problem is that of the answer",
        answer(READ, lambda given: given.with_members(status=200), statuses=(404,)),
        ("unknown-ids",),
    ),
    _problem(
        "a-401-of-another-status",
        "status in a problem is that of the answer",
        answer(LIST, lambda given: given.with_members(status=403), statuses=(401,)),
        ("authentication",),
    ),
)
CORRELATION = (
    Fault(
        name="one-correlation-id-for-all",
        breaks="every answer has a name of its own",
        check="correlation",
        operations=MESSAGES,
        make=answer(EVERYTHING, lambda given: given.with_headers(x_correlation_id="f" * 32)),
        beside=("filters",),
    ),
    Fault(
        name="one-correlation-id-for-each-message",
        breaks="every answer has a name of its own",
        check="correlation",
        operations=MESSAGES,
        make=answer(
            READ, lambda given: given.with_headers(x_correlation_id=given.json["id"][-26:].ljust(32, "0"))
        ),
        beside=("repeat-reads",),
    ),
)
FAULTS = (*PROBLEMS, *CORRELATION)
