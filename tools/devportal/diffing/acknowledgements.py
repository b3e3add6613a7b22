"""What is doubtful about what a policy acknowledges: it is told, and counts all the same."""

import datetime as dt
from collections.abc import Iterator

from devportal.differ import Comparison, Policy
from devportal.documents import Document
from devportal.findings import Finding, Level

_RULE = "diff-acknowledged"


def doubtful(
    document: Document, policy: Policy, comparison: Comparison, *, today: dt.date
) -> Iterator[Finding]:
    """Yield a warning for each acknowledgement of no change, or of a day that has not come."""
    known = {change.fingerprint for change in comparison.changes}
    for fingerprint, accepted in policy.acknowledged.items():
        if fingerprint not in known:
            yield _warning(
                document,
                (fingerprint,),
                f"no change has the fingerprint {fingerprint!r}: there is nothing to acknowledge",
                "delete it if the change is released or gone; if its values have become others, look at the "
                "change again, and acknowledge it under its new fingerprint",
            )
        if accepted.date > today:
            yield _warning(
                document,
                (fingerprint, "date"),
                f"the day of this acknowledgement, '{accepted.date}', has not come: today is {today}",
                "write the day on which the change was accepted",
            )


def _warning(document: Document, way: tuple[str, ...], message: str, advice: str) -> Finding:
    return Finding(
        rule=_RULE,
        level=Level.WARNING,
        place=document.place(("acknowledged", *way)),
        message=message,
        help=advice,
    )
