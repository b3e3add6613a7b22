"""What members of a new resource hold before anything has happened to it: `cancelReason`, `ticketsSold`, `shippedAt`.

Names are all that a contract says of most of them, so only words that nearly always mean this count.
"""

from collections.abc import Collection, Iterator
from typing import Any

from devportal.contract import ABSENT, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.schemas import Absent
from devportal.contract.titles.nouns import make_singular
from devportal.contract.values.name_times import TIME_WORDS
from devportal.contract.values.name_words import words_of_name

_PLANS = frozenset(
    {
        *(
            "scheduled",
            "expected",
            "estimated",
            "planned",
            "predicted",
            "anticipated",
            "promised",
            "projected",
        ),
        *("targeted", "needed", "required", "requested", "desired", "preferred", "proposed", "intended"),
    }
)
"""Participles of what is to come, which may be known from the beginning."""
_IRREGULAR = frozenset(
    {"sold", "taken", "paid", "spent", "sent", "read", "seen", "lost", "won", "frozen", "withdrawn", "begun"}
)
_DONE = _IRREGULAR | {
    *("delivered", "opened", "clicked", "failed", "refunded", "captured", "returned", "shipped", "fulfilled"),
    *(
        "redeemed",
        "booked",
        "consumed",
        "processed",
        "completed",
        "finished",
        "cancelled",
        "canceled",
        "used",
    ),
    *("downloaded", "viewed", "played", "answered", "attempted", "retried", "rejected", "earned", "raised"),
    *("collected", "donated", "claimed", "bounced", "unsubscribed", "converted", "settled", "reversed"),
    *(
        "disputed",
        "resolved",
        "approved",
        "declined",
        "denied",
        "expired",
        "revoked",
        "suspended",
        "terminated",
    ),
    *("archived", "deleted", "trashed", "blocked", "banned", "dismissed", "verified", "closed", "reopened"),
    *("voided", "acknowledged", "dispatched", "discarded", "removed", "deactivated", "merged", "escalated"),
}
"""Participles of what happens to a resource after its creation."""
_DONE_FIRST = _DONE - {"read", "seen", "frozen"}
"""Those that a number after them is about: `paid_amount`, but not `read_timeout`."""
_EVENTS = frozenset(
    {
        *(
            "attempt",
            "retry",
            "failure",
            "error",
            "view",
            "visit",
            "click",
            "download",
            "like",
            "comment",
            "reply",
        ),
        *(
            "reaction",
            "share",
            "vote",
            "follower",
            "subscriber",
            "review",
            "booking",
            "sale",
            "scan",
            "usage",
        ),
        *("execution", "redemption", "refund", "reminder", "warning", "bounce", "delivery", "impression"),
        *("conversion", "dispute", "dislike", "upvote", "downvote", "favorite", "favourite", "repost"),
    }
)
"""Nouns of what happens to a resource after its creation."""
_TROUBLES = frozenset(
    {
        *("cancel", "cancellation", "cancelation", "cancelled", "canceled", "failure", "failed", "error"),
        *("reject", "rejection", "rejected", "decline", "declined", "denial", "denied", "refund", "refunded"),
        *("termination", "suspension", "suspended", "revocation", "revoked", "dispute", "deactivation"),
    }
)
"""What most resources never meet: the names of members about it have one of these words before another."""
_ENDINGS = frozenset(
    {"block", "blocked", "ban", "void", "close", "closed", "closure", "deletion", "return", "lock"}
)
"""Words that begin other names too, and names of reasons."""
_WORDS_ABOUT = frozenset({"reason", "message", "code", "detail", "details", "note", "comment", "description"})
_ALLOWANCES = frozenset(
    {"max", "maximum", "min", "minimum", "allowed", "limit", "remaining", "free", "included", "available"}
)
_SHARES = frozenset({"percent", "percentage"})
_COMPLETE = frozenset({"complete", "done", "progress"})
_PARTICLES = frozenset({"out", "in", "up", "off", "back", "down"})


def is_past_time(name: str, schema: Schema) -> bool:
    """Say whether a member is the time of something that happened, by format and name: `placed_at`, `last_login_at`."""
    words = [word for word in words_of_name(name) if word not in TIME_WORDS]
    if not schema.format.startswith("date") or not words or words[-1] in _PLANS:
        return False
    if schema.format == "date":
        return words[-1] in _DONE or words[0] in _DONE
    return words[-1].endswith("ed") or words[-1] in _IRREGULAR or (words[0] == "last" and len(words) > 1)


def untouched_values(name: str, schema: Schema, later_states: Collection[str]) -> Iterator[Any]:
    """Yield what a member holds of which nothing has happened yet, the most telling first; nothing for other members.
    ABSENT means that the member is left out. `later_states` are those that a new resource is not in.

    The schema is without references.
    """
    words = words_of_name(name)
    if not words or schema.enum or schema.const is not ABSENT or schema.default is not ABSENT:
        return
    match next((type_ for type_ in schema.types if type_ != "null"), ""):
        case "integer" | "number":
            yield from _untouched_numbers(words)
        case "boolean":
            yield from (False,) if _is_later_state(words, later_states) else ()
        case "array":
            yield from ([],) if len(words) == 1 and make_singular(words[0]) in _EVENTS else ()
        case type_:
            if _is_about_happening(words, later_states, is_time=schema.format.startswith("date")):
                yield from (None, ABSENT, *([""] if type_ == "string" and not schema.format else []))


def _untouched_numbers(words: tuple[str, ...]) -> Iterator[int | Absent | None]:
    """Yield zero for a number that counts, and nothing for an average of what there is not yet."""
    if words[0] in ("average", "avg", "mean") and words[-1] in ("rating", "score"):
        yield from (None, ABSENT)
    elif _counts_happenings(words):
        yield 0


def _counts_happenings(words: tuple[str, ...]) -> bool:
    """Say whether a number counts or measures what happened: `tickets_sold`, `refundedAmount`, `view_count`."""
    if _ALLOWANCES.intersection(words):
        return False
    if words[-1] in _DONE or words[0] in _DONE_FIRST:
        return True
    if words == ("progress",) or (words[-1] in _COMPLETE and _SHARES.intersection(words)):
        return True
    is_count = words[-1] == "count" and len(words) > 1
    counted = words[-2] if is_count else words[-1]
    return (is_count or make_singular(counted) != counted) and make_singular(counted) in _EVENTS


def _is_later_state(words: tuple[str, ...], later_states: Collection[str]) -> bool:
    """Say whether a boolean is true once something has happened: `isSoldOut`, `archived`, `is_lost`."""
    core = tuple(word for word in words if word not in ("is", "was", "has", "been"))
    if matches_any_name("".join(core), tuple(later_states)):
        return True
    done = core[:-1] if core and core[-1] in _PARTICLES else core
    return len(done) == 1 and done[0] in _DONE


def _is_about_happening(words: tuple[str, ...], later_states: Collection[str], *, is_time: bool) -> bool:
    """Say whether a time, a text or an object is about what happened: `failureCode`, `last_error`, `cancelled_by`."""
    if is_time:
        subject = next((word for word in reversed(words) if word not in TIME_WORDS), "")
        return subject in _DONE or matches_any_name(subject, tuple(later_states))
    if len(words) == 1:
        return words[0] in ("error", "failure", "cancellation")
    subject = words[-2]
    match words[-1]:
        case "by" if subject in _DONE - _IRREGULAR:
            return True
        case "by" | "to":
            return matches_any_name(subject, tuple(later_states))
        case "reason":
            return subject in _TROUBLES | _ENDINGS | _DONE
        case "error":
            return words[0] == "last"
    return words[-1] in _WORDS_ABOUT and subject in _TROUBLES
