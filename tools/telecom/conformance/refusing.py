"""Whether a request was refused with the problem that the contract documents."""

from devportal.conformance.exchange import Exchange
from devportal.conformance.stocking import body_of
from devportal.conformance.subject import Subject
from devportal.contract import ProblemType
from telecom.problems import Kind


def documented(subject: Subject, kind: Kind) -> ProblemType | None:
    """Return the problem type of a kind, None where the contract has none."""
    types = subject.api.problem_types
    return next((one for one in types if one.uri.rstrip("/").rpartition("/")[2] == kind.value), None)


def misrefusal(subject: Subject, exchange: Exchange, kind: Kind) -> str:
    """Return how an answer differs from the refusal that is documented, in words that follow the request;
    nothing where it does not, or where the contract does not document it.
    """
    wanted = documented(subject, kind)
    if wanted is None:
        return ""
    if exchange.answer is None:
        return f"gets no answer; {wanted.status} {kind.value} is documented"
    shown = body_of(exchange)
    told = shown.get("type") if isinstance(shown, dict) else None
    if exchange.status == wanted.status and told == wanted.uri:
        return ""
    said = f" {told!r}" if isinstance(told, str) else ""
    return f"gets {exchange.status}{said}; {wanted.status} {kind.value} is documented"
