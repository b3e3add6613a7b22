"""What explains many failures at once, asked before they are read one by one: is this the base URL at all,
does something else answer in its place, is what is in front of it unsteady?
"""

from collections.abc import Callable, Iterator, Sequence
from urllib.parse import urlsplit

from devportal.conformance.exchange import Answer, Exchange
from devportal.conformance.subject import Subject

NEARLY_ALL = 0.9
NOT_FOUND = 404
REDIRECTS = frozenset({301, 302, 303, 307, 308})
HTML = "text/html"
UNSTEADY = frozenset({0, 502, 503, 504})
"""No answer, and what a gateway says where nobody behind it answers (RFC 9110 §15.6)."""
FEWEST_UNSTEADY, FEWEST_OPERATIONS = 5, 3
MOST_UNSTEADY = 0.5
"""A deployment that is mostly away is no unsteady one."""


def hints(subject: Subject, exchanges: Sequence[Exchange]) -> Iterator[str]:
    """Yield what somebody should look at first."""
    answers = [one.answer for one in exchanges if one.answer is not None]
    if found := _nearly_all(answers, lambda one: one.status == NOT_FOUND):
        yield f"{found} are 404. Is {subject.base_url} the base URL?{other_base_urls(subject)}"
    elif found := _nearly_all(answers, lambda one: bool(_target(one))):
        yield f"{found} lead elsewhere, such as to {max(map(_target, answers))[:200]!r}. {_IN_FRONT}"
    elif not _promises_html(subject) and (found := _nearly_all(answers, lambda one: one.media_type == HTML)):
        yield f"{found} are pages of HTML, of which the contract says nothing. {_IN_FRONT}"
    yield from _unsteady(exchanges)


_IN_FRONT = "Is a login or another site in front of the deployment?"


def other_base_urls(subject: Subject) -> str:
    """Return what the contract says of its servers, where their path is another one."""
    own = urlsplit(subject.base_url)
    paths = dict.fromkeys(urlsplit(one.address).path.rstrip("/") for one in subject.api.servers)
    others = [path for path in paths if path != own.path.rstrip("/")]
    if not others:
        return ""
    tries = " or ".join(f"{own.scheme}://{own.netloc}{path}" for path in others[:3])
    return f" The contract's servers have another path: try {tries}."


def _nearly_all(answers: Sequence[Answer], is_so: Callable[[Answer], bool]) -> str:
    """Return how many answers are so, where that is nearly all; else nothing."""
    count = sum(map(is_so, answers))
    return f"{count} of {len(answers)} answers" if count and count >= NEARLY_ALL * len(answers) else ""


def _target(answer: Answer) -> str:
    """Return where a redirect leads, nothing for other answers."""
    return (answer.header("location") or "") if answer.status in REDIRECTS else ""


def _promises_html(subject: Subject) -> bool:
    return any(
        media.name.lower().startswith(HTML)
        for operation in subject.operations
        for response in operation.responses
        for media in response.content
    )


def _unsteady(exchanges: Sequence[Exchange]) -> Iterator[str]:
    """Yield that what is in front of a deployment comes and goes: every check meets that, and tells it in
    words of its own.
    """
    met = [one for one in exchanges if one.status in UNSTEADY]
    operations = {one.operation for one in met}
    if (
        len(met) >= FEWEST_UNSTEADY
        and len(operations) >= FEWEST_OPERATIONS
        and len(met) < MOST_UNSTEADY * len(exchanges)
    ):
        kinds = ", ".join(str(one) if one else "no answer" for one in sorted({one.status for one in met}))
        yield (
            f"{len(met)} of {len(exchanges)} requests, of {len(operations)} operations, got {kinds}: what is "
            "in front of the deployment, or the way there, seems unsteady. Look at that first."
        )
