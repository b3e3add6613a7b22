"""Whether a request was refused with the problem that the contract documents."""

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.knowledge.path_values import response_json
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import ProblemType
from telecom.problems import ProblemKind


def documented_problem(subject: Subject, kind: ProblemKind) -> ProblemType | None:
    """Return the problem type of a kind, None where the contract has none."""
    types = subject.api.problem_types
    return next((one for one in types if one.uri.rstrip("/").rpartition("/")[2] == kind.value), None)


def refusal_mismatch(subject: Subject, exchange: Exchange, kind: ProblemKind) -> str:
    """Return how an answer differs from the refusal that is documented, in words that follow the request;
    nothing where it does not, or where the contract does not document it.
    """
    wanted = documented_problem(subject, kind)
    if wanted is None:
        return ""
    if exchange.answer is None:
        return f"gets no answer; {wanted.status} {kind.value} is documented"
    shown = response_json(exchange)
    told = shown.get("type") if isinstance(shown, dict) else None
    if exchange.status == wanted.status and told == wanted.uri:
        return ""
    said = f" {told!r}" if isinstance(told, str) else ""
    return f"gets {exchange.status}{said}; {wanted.status} {kind.value} is documented"
