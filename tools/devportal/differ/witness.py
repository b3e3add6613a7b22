"""A message that one of two contracts allows and the other refuses: the proof of a verdict about values."""

from dataclasses import dataclass
from typing import Any

from devportal.contract import ABSENT
from devportal.differ.rule import Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """One concrete message, as small as the search could make it.

    Sent by clients, it is a request that the old contract allows and the new one refuses: `start_line` is
    `POST /v1/orders?limit=200`. Received by clients, it is a response or event that the new contract allows
    and the old one does not: `start_line` is `200 OK`, or the name of the event. `headers` are those that
    matter, by name. `body` is a JSON value, ABSENT without a body; `media_type` is that of the body.
    `refusal` says why the one contract refuses it, as a sentence without its full stop, and `pointer` where
    in the body, as a JSON pointer (RFC 6901).
    """

    direction: Direction
    start_line: str
    headers: tuple[tuple[str, str], ...] = ()
    media_type: str = ""
    body: Any = ABSENT
    refusal: str = ""
    pointer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessSearch:
    """The result of a search: the witness, if one was found, and the number of messages tried."""

    witness: Witness | None = None
    tries: int = 0
