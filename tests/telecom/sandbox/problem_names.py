"""Problems (RFC 9457) in responses of the sandbox, by the names that the contract gives their types."""

from typing import Any


def problem_name(response: Any) -> str:
    """Return the last segment of the type of a problem: `invalid-request`."""
    uri: str = response.json()["type"]
    return uri.rstrip("/").rpartition("/")[2]


def status_and_problem(response: Any) -> tuple[int, str]:
    """Return the status of a problem, and its name."""
    return response.status_code, problem_name(response)
