"""The verdict on one operation, from the failures that a run met there."""

from typing import NamedTuple

from devportal.conformance.result import QUIET, Failure, Standing

KEPT, BROKEN, DOUBTFUL = "kept", "broken", "doubtful"


class OperationVerdict(NamedTuple):
    """What kind of verdict it is (`kept`, `broken`, `doubtful`), and its words."""

    kind: str
    words: str


def verdict_of(failures: tuple[Failure, ...]) -> OperationVerdict:
    """Return the verdict on an operation with these failures."""
    red = sum(one.fails for one in failures)
    known = sum(one.standing is Standing.KNOWN for one in failures)
    if red:
        return OperationVerdict(BROKEN, f"{red} failed")
    if known:
        return OperationVerdict(DOUBTFUL, f"{known} known")
    if any(one.standing not in QUIET for one in failures):
        return OperationVerdict(DOUBTFUL, f"{len(failures)} not counted")
    return OperationVerdict(KEPT, "kept")
