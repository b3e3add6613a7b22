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
_STAGES = (
    (
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
        *("new", "requested", "notstarted", "todo"),
    ),
    ("running", "processing", "inprogress", "executing", "working", "started", "active"),
    ("succeeded", "completed", "complete", "finished", "done", "success", "successful", "ready"),
)
"""Words of the states that work goes through, by stage."""


def job_states(nouns: Sequence[str], create: Operation | None, states: Sequence[str]) -> tuple[str, ...]:
    """Return the states that a resource goes through by itself, in their order, if it is work: by its noun, or because
    its creation is only accepted (RFC 9110 §15.3.3). None for another resource, or states that name no end.
    """
    is_accepted = create is not None and [response.status for response in create.successes] == ["202"]
    if not is_accepted and not (nouns and nouns[-1] in _WORK_NOUNS):
        return ()
    by_word = {"".join(filter(str.isalpha, state)).lower(): state for state in states}
    stages = [next((by_word[word] for word in words if word in by_word), "") for words in _STAGES]
    found = tuple(filter(None, stages))
    return found if stages[-1] and len(found) > 1 else ()
