"""The plan of a run: about how many requests it sends, and how long the rest takes."""

from dataclasses import dataclass

from devportal.conformance.deployment.credentials import Role, is_secured
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.run.options import Options, Profile
from devportal.contract import Operation, ParameterLocation

# Measured on servers in the styles of common frameworks and on a large one, with the profile `quick`.
REQUESTS_OF_BODY = 185
REQUESTS_OF_DELETION = 20
REQUESTS_OF_READING = 30
REQUESTS_OF_PARAMETER = 35
REQUESTS_OF_CREDENTIAL = 15
REQUESTS_OF_ROLE = 20
"""The requests with each credential of another role, for each secured operation."""
SECONDS_OF_REQUEST = 0.022
"""How long a request takes with its generation and its checks, if the deployment responds at once."""
QUICK_EXAMPLES = 20
"""The examples that are part of the numbers above."""
REQUESTS_OF_SEQUENCES = 40
"""The requests of sequences of operations, for each operation."""
FEWEST_MEASURED, SHORTEST_MEASURED_S = 50, 2.0
"""From then on the pace of the run itself is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """About how many requests a run sends, and the shortest time for one, in seconds."""

    requests: int
    request_s: float = SECONDS_OF_REQUEST

    def remaining_s(self, sent: int, elapsed_s: float) -> float:
        """Return about how many seconds are left after a number of requests and seconds."""
        is_measured = sent >= FEWEST_MEASURED and elapsed_s >= SHORTEST_MEASURED_S
        pace_s = elapsed_s / sent if is_measured else self.request_s
        return max(self.requests - sent, 0) * pace_s


def plan_run(subject: Subject, options: Options) -> RunPlan:
    """Return about how many requests a run sends, and how long one takes: a rate limit decides if it is slower."""
    roles = sum(credential.role is not Role.MAIN for credential in subject.parties.everyone)
    requests = sum(_expected_requests(operation, options.profile, roles) for operation in subject.operations)
    rate = options.policy.rate_per_s
    return RunPlan(
        requests=_round_count(requests), request_s=max(SECONDS_OF_REQUEST, 1 / rate if rate else 0.0)
    )


def _expected_requests(operation: Operation, profile: Profile, roles: int) -> int:
    """Return about how many requests an operation gets; `roles` is the number of further credentials."""
    inputs = [
        parameter for parameter in operation.parameters if parameter.location_in is not ParameterLocation.PATH
    ]
    count = REQUESTS_OF_DELETION if operation.method == "DELETE" else REQUESTS_OF_READING
    count += REQUESTS_OF_BODY if operation.request_body is not None else 0
    count += REQUESTS_OF_PARAMETER * len(inputs)
    count += REQUESTS_OF_CREDENTIAL + roles * REQUESTS_OF_ROLE if is_secured(operation) else 0
    if operation.parameters or operation.request_body is not None:
        count += max(profile.max_examples - QUICK_EXAMPLES, 0)
    return count + (REQUESTS_OF_SEQUENCES if "stateful" in profile.phases else 0)


def _round_count(count: int) -> int:
    step = 10 if count < 200 else 50 if count < 2_000 else 500
    return max(round(count / step), 1) * step
