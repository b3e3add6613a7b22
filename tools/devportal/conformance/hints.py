"""What explains many failures at once, asked before they are read one by one: is this the base URL at all?"""

from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from devportal.conformance.result import OperationResult
from devportal.conformance.subject import Subject

NEARLY_ALL = 0.9
NOT_FOUND = 404


def hints(subject: Subject, operations: Sequence[OperationResult]) -> Iterator[str]:
    """Yield what somebody should look at first."""
    statuses = [pair for one in operations for pair in one.statuses if pair[0]]
    answered = sum(count for _, count in statuses)
    missing = sum(count for status, count in statuses if status == NOT_FOUND)
    if not answered or missing < NEARLY_ALL * answered:
        return
    others = other_base_urls(subject)
    yield f"{missing} of {answered} answers are 404. Is {subject.base_url} the base URL?{others}"


def other_base_urls(subject: Subject) -> str:
    """Return what the contract says of its servers, where their path is another one."""
    own = urlsplit(subject.base_url)
    paths = dict.fromkeys(urlsplit(one.address).path.rstrip("/") for one in subject.api.servers)
    others = [path for path in paths if path != own.path.rstrip("/")]
    if not others:
        return ""
    tries = " or ".join(f"{own.scheme}://{own.netloc}{path}" for path in others[:3])
    return f" The contract's servers have another path: try {tries}."
