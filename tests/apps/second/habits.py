"""What the contract and HTTP leave to a server: the same service can keep its promises in many ways."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How one server does what others do otherwise. None of these is a fault.

    `largest_page` is the most that a page holds, whatever `limit` asks for; with `ends_with_nothing` a full
    page has a cursor even where nothing follows. `asks_who_first` answers 401 before 404 and 405.
    `judges_names` refuses identifiers without their form with 400 instead of 404. `counts_fractions` takes
    5.0 for an integer.
    """

    delay_s: float = 0.002
    largest_page: int = 100
    ends_with_nothing: bool = False
    asks_who_first: bool = False
    judges_names: bool = False
    counts_fractions: bool = False
    has_options: bool = False
    compresses: bool = False
    sends_chunks: bool = False
    hangs_up: bool = False
    charset: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


PLAIN = Habits(headers={"Cache-Control": "no-store", "Vary": "Accept"})
CONTRARY = Habits(
    delay_s=0.006,
    largest_page=7,
    ends_with_nothing=True,
    asks_who_first=True,
    judges_names=True,
    counts_fractions=True,
    has_options=True,
    compresses=True,
    sends_chunks=True,
    charset="; charset=UTF-8",
    headers={
        "Cache-Control": "private, max-age=0, must-revalidate",
        "Vary": "Accept, Accept-Encoding, Authorization",
        "Strict-Transport-Security": "max-age=31536000",
        "X-Content-Type-Options": "nosniff",
        "Content-Language": "en-GB",
        "X-Served-By": "second-7",
    },
)
