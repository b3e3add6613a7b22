"""Problem documents (RFC 9457) made from the problem types that the contract registers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from devportal.contract import Api, ProblemType
from devportal.errors import InvalidContract

PROBLEM_MEDIA_TYPE = "application/problem+json"
_MAX_ERRORS = 50
_MAX_DETAIL_LENGTH = 500


class ProblemKind(StrEnum):
    """The problem types that this API returns, by the last segment of their URI."""

    MALFORMED_REQUEST = "malformed-request"
    INVALID_PARAMETER = "invalid-parameter"
    INVALID_CURSOR = "invalid-cursor"
    UNAUTHENTICATED = "unauthenticated"
    INSUFFICIENT_SCOPE = "insufficient-scope"
    NOT_FOUND = "not-found"
    METHOD_NOT_ALLOWED = "method-not-allowed"
    NOT_ACCEPTABLE = "not-acceptable"
    STATE_CONFLICT = "state-conflict"
    FAULTY_DRAFT = "faulty-draft"
    FOUR_EYES = "four-eyes"
    CONTENT_CHANGED = "content-changed"
    WINDOW_CONFLICT = "window-conflict"
    IDEMPOTENCY_KEY_IN_USE = "idempotency-key-in-use"
    ANSWER_NOT_KEPT = "answer-not-kept"
    TOO_MANY_WEBHOOK_ENDPOINTS = "too-many-webhook-endpoints"
    NO_WEBHOOK_ENDPOINT = "no-webhook-endpoint"
    UNKNOWN_WEBHOOK_ENDPOINT = "unknown-webhook-endpoint"
    BRAND_NOT_APPROVED = "brand-not-approved"
    CAMPAIGN_NOT_APPROVED = "campaign-not-approved"
    SENDER_NOT_USABLE = "sender-not-usable"
    CALLER_NOT_USABLE = "caller-not-usable"
    CONTENT_TOO_LARGE = "content-too-large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported-media-type"
    VALIDATION_FAILED = "validation-failed"
    TOO_MANY_SEGMENTS = "too-many-segments"
    UNSUPPORTED_CHANNEL = "unsupported-channel"
    SENDER_NOT_REGISTERED = "sender-not-registered"
    CONTENT_REFUSED = "content-refused"
    RECIPIENT_OPTED_OUT = "recipient-opted-out"
    WEBHOOK_URL_FORBIDDEN = "webhook-url-forbidden"
    CHANNEL_MISMATCH = "channel-mismatch"
    IDEMPOTENCY_KEY_REUSED = "idempotency-key-reused"
    RATE_LIMIT_EXCEEDED = "rate-limit-exceeded"
    INTERNAL_ERROR = "internal-error"
    SERVICE_UNAVAILABLE = "service-unavailable"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorDetail:
    """One error in a request body; `pointer` is a JSON Pointer in URI fragment form (RFC 6901 §6)."""

    detail: str
    pointer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One occurrence of a problem."""

    type: ProblemType
    detail: str
    errors: tuple[ErrorDetail, ...] = ()

    def document(self, correlation_id: str) -> dict[str, Any]:
        """Return the problem as the JSON object that goes into the response."""
        document: dict[str, Any] = {
            "type": self.type.uri,
            "title": self.type.title,
            "status": self.type.status,
            "detail": _shorten_detail(self.detail),
            "correlation_id": correlation_id,
        }
        if self.errors:
            document["errors"] = [
                {"detail": _shorten_detail(fault.detail), "pointer": fault.pointer}
                for fault in self.errors[:_MAX_ERRORS]
            ]
        return document


class ProblemRegistry:
    """The problem types of a contract by kind; each kind is registered exactly once."""

    def __init__(self, types: Mapping[ProblemKind, ProblemType]) -> None:
        """Take the problem type of every kind."""
        self._types = dict(types)

    @classmethod
    def of(cls, api: Api) -> "ProblemRegistry":
        """Read `x-problem-types`; raises InvalidContract if a kind is missing or occurs twice."""
        by_slug: dict[str, list[ProblemType]] = {}
        for problem_type in api.problem_types:
            by_slug.setdefault(_slug(problem_type.uri), []).append(problem_type)
        for kind in ProblemKind:
            types = by_slug.get(kind, [])
            if len(types) != 1:
                raise InvalidContract(
                    f"the contract registers the problem type {kind.value!r} {len(types)} times",
                    help="x-problem-types needs exactly one entry whose 'type' ends in /" + kind.value + "/",
                )
        return cls({kind: by_slug[kind][0] for kind in ProblemKind})

    def problem(self, kind: ProblemKind, detail: str, errors: Iterable[ErrorDetail] = ()) -> Problem:
        """Return an occurrence of the problem type of a kind."""
        return Problem(type=self._types[kind], detail=detail, errors=tuple(errors))


def _slug(uri: str) -> str:
    return uri.rstrip("/").rpartition("/")[2]


def _shorten_detail(text: str) -> str:
    return text if len(text) <= _MAX_DETAIL_LENGTH else text[: _MAX_DETAIL_LENGTH - 1] + "…"
