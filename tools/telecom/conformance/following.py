"""Messages that are followed until they have ended."""

from collections.abc import Callable, Mapping
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.family import Send
from devportal.conformance.knowledge.subject import Subject
from telecom.conformance.sending import accepted_json, read_message
from telecom.conformance.waiting import DEFAULT_WAIT_S, wait_until

JsonObject = dict[str, Any]


def follow_messages(
    subject: Subject,
    send: Send,
    sent: Mapping[str, Exchange],
    is_over: Callable[[str, JsonObject], bool],
    *,
    within_s: float = DEFAULT_WAIT_S,
) -> dict[str, JsonObject]:
    """Return the last reading of each message that was accepted, by the keys of `sent`: when all are over, or
    after so many seconds.
    """
    names = {key: str((accepted_json(exchange) or {}).get("id")) for key, exchange in sent.items()}
    seen: dict[str, JsonObject] = {}
    left = set(names)

    def all_over() -> bool:
        for key in sorted(left):
            document = read_message(subject, send, names[key])
            if isinstance(document, dict):
                seen[key] = document
                if is_over(key, document):
                    left.discard(key)
        return not left

    wait_until(subject, send, all_over, within_s)
    return seen
