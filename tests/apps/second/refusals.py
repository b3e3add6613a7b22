"""Refusals: an exception for each answer that is a problem document (RFC 9457)."""

from collections.abc import Mapping, Sequence

TYPES = "https://devportal.example.com/reference/errors/"
STATUSES: Mapping[str, int] = {
    "malformed-request": 400,
    "invalid-parameter": 400,
    "unauthenticated": 401,
    "insufficient-scope": 403,
    "content-refused": 403,
    "webhook-url-forbidden": 403,
    "not-found": 404,
    "invalid-cursor": 404,
    "method-not-allowed": 405,
    "not-acceptable": 406,
    "idempotency-key-in-use": 409,
    "answer-not-kept": 409,
    "too-many-webhook-endpoints": 409,
    "no-webhook-endpoint": 409,
    "unknown-webhook-endpoint": 409,
    "brand-not-approved": 409,
    "campaign-not-approved": 409,
    "sender-not-usable": 409,
    "caller-not-usable": 409,
    "content-too-large": 413,
    "unsupported-media-type": 415,
    "validation-failed": 422,
    "too-many-segments": 422,
    "channel-mismatch": 422,
    "idempotency-key-reused": 422,
    "rate-limit-exceeded": 429,
    "internal-error": 500,
}
"""The status of each problem type that this server has."""


class Refusal(Exception):
    """An answer that refuses. `kind` is the last part of the problem type's address."""

    def __init__(
        self,
        kind: str,
        detail: str,
        *,
        pointer: str | None = None,
        errors: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.status = STATUSES[kind]
        self.errors = errors or ([{"pointer": pointer, "detail": detail[:500]}] if pointer else [])
        self.headers = headers or {}

    def problem(self, titles: Mapping[str, str], correlation_id: str) -> dict[str, object]:
        """Return the problem document. `titles` has those of all types, by their addresses."""
        address = f"{TYPES}{self.kind}/"
        document: dict[str, object] = {
            "correlation_id": correlation_id,
            "status": self.status,
            "type": address,
            "title": titles[address],
            "detail": str(self)[:2000],
        }
        return document | ({"errors": self.errors} if self.errors else {})


def not_found(name: str) -> Refusal:
    """Return the 404 for an identifier that the account does not have."""
    return Refusal("not-found", f"You have nothing that is called {name!r}.")
