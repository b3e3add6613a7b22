"""Operations that no request could use so far are asked once more: by now there may be what they are about.

Some things only come of others, as the event log of a new account has entries once something was made. A run
looks for things before it makes any, so its requests for those named what is not there.
"""

from devportal.conformance.family import Send, sent_or_none
from devportal.conformance.run_log import RunLog
from devportal.conformance.stocking import stocked
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import request_for
from devportal.conformance.variation import fresh

TRIES = 3
"""How often: what a request names may be deleted by others that are tested at the same time."""


def ask_again(subject: Subject, send: Send, log: RunLog) -> None:
    """Send each operation that has never succeeded a valid request about things that are there now.

    The values of `subject` are those that somebody has declared: others are looked up.
    """
    for _ in range(TRIES):
        used = {one.operation for one in log.exchanges if one.answer is not None and one.answer.is_success}
        unused = [one for one in subject.operations if label(one) not in used]
        now = stocked(subject, send) if unused else subject
        for operation in sorted(unused, key=lambda one: one.method == "DELETE"):
            request = request_for(now, operation)
            sent_or_none(send, operation, fresh(now, operation, request) if request is not None else None)
