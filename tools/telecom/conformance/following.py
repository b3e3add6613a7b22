"""Messages that are followed until they have ended."""

from collections.abc import Callable, Mapping
from typing import Any

from devportal.conformance.exchange import Exchange
from devportal.conformance.family import Send
from devportal.conformance.subject import Subject
from telecom.conformance.sending import accepted, read_message
from telecom.conformance.waiting import WITHIN_S, awaited

Document = dict[str, Any]


def followed(
    subject: Subject,
    send: Send,
    sent: Mapping[str, Exchange],
    is_over: Callable[[str, Document], bool],
    *,
    within_s: float = WITHIN_S,
) -> dict[str, Document]:
    """Return the last reading of each message that was accepted, by the keys of `sent`: when all are over, or
    after so many seconds.
    """
    names = {key: str((accepted(exchange) or {}).get("id")) for key, exchange in sent.items()}
    seen: dict[str, Document] = {}
    left = set(names)

    def all_over() -> bool:
        for key in sorted(left):
            document = read_message(subject, send, names[key])
            if isinstance(document, dict):
                seen[key] = document
                if is_over(key, document):
                    left.discard(key)
        return not left

    awaited(subject, send, all_over, within_s)
    return seen
