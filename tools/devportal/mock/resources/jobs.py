"""Resources that are work: an export, an import or another job, which a client starts, and whose state it polls."""

from collections.abc import Sequence

from devportal.contract import Operation

_WORK_NOUNS = frozenset(
    {
        "job",
        "export",
        "import",
        "batch",
        "run",
        "execution",
        "operation",
        "backup",
        "conversion",
        "transcription",
    }
)
_WAITING = frozenset(
    {
        *(
            "queued",
            "pending",
            "submitted",
            "scheduled",
            "enqueued",
            "waiting",
            "accepted",
            "received",
            "created",
        ),
        *("new", "requested", "notstarted", "todo", "validating", "preparing", "initializing", "starting"),
    }
)
_WORKING = frozenset(
    {
        *("running", "processing", "inprogress", "executing", "working", "started", "active", "uploading"),
        *("exporting", "importing", "finalizing", "finishing", "completing"),
    }
)
_DONE = ("succeeded", "completed", "complete", "finished", "done", "success", "successful", "ready")
"""Words of the states that work goes through, by stage."""


def job_states(nouns: Sequence[str], create: Operation | None, states: Sequence[str]) -> tuple[str, ...]:
    """Return the states that a resource goes through by itself, in their order, if it is work: by its noun, or because
    its creation is only accepted (RFC 9110 §15.3.3). None for another resource, or states that name no end.

    Several states before its end follow each other as the contract lists them: something new may be in any of them.
    """
    is_accepted = create is not None and [response.status for response in create.successes] == ["202"]
    if not is_accepted and not (nouns and nouns[-1] in _WORK_NOUNS):
        return ()
    by_word = {"".join(filter(str.isalpha, state)).lower(): state for state in states}
    begun = [state for stage in (_WAITING, _WORKING) for word, state in by_word.items() if word in stage]
    end = next((by_word[word] for word in _DONE if word in by_word), None)
    return (*begun, end) if begun and end is not None else ()
