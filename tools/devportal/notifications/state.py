"""What subscribers got, in a file that is written after each delivery."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from devportal.atomic_files import FileWrite, write_atomically
from devportal.documents import parse_document, read_text
from devportal.errors import Place, UnreadableInput
from devportal.notifications.notices import Subscriber

VERSION = 1
"""The number of the shape: a higher one is another shape."""
_MAX_BYTES = 64 * 1024 * 1024


def read_state(path: Path) -> dict[str, Subscriber]:
    """Return what is remembered of each subscription, nothing if there is no file yet. Raises UnreadableInput."""
    if not path.exists():
        return {}
    data = parse_document(read_text(path, name=str(path), max_bytes=_MAX_BYTES), name=f"{path}").data
    try:
        if data["version"] != VERSION:
            raise ValueError("another version")
        return {name: _subscriber(subscription) for name, subscription in data["subscriptions"].items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableInput(
            f"this is not version {VERSION} of the state of notifications",
            place=Place(file=str(path)),
            help="restore it: without it, the changes of the latest release are sent again",
        ) from error


def _subscriber(data: Mapping[str, Any]) -> Subscriber:
    since, delivered, missed = data["since"], data["delivered"], data.get("missed", {})
    if not isinstance(since, str) or not all(
        isinstance(id_, str) for ids in (delivered, *missed.values()) for id_ in ids
    ):
        raise ValueError("another shape")
    return Subscriber(
        since=since,
        delivered=tuple(delivered),
        has_prices=data["prices"] is True,
        missed={recipient: tuple(ids) for recipient, ids in missed.items()},
    )


def _subscriber_data(subscriber: Subscriber) -> dict[str, Any]:
    data: dict[str, Any] = {
        "since": subscriber.since,
        "prices": subscriber.has_prices,
        "delivered": sorted(subscriber.delivered),
    }
    missed = {recipient: sorted(ids) for recipient, ids in sorted(subscriber.missed.items())}
    return data | ({"missed": missed} if missed else {})


def write_state(path: Path, subscribers: Mapping[str, Subscriber]) -> None:
    """Write the file, whole or not at all. Raises EnvironmentProblem."""
    data = {
        "version": VERSION,
        "subscriptions": {
            name: _subscriber_data(subscriber) for name, subscriber in sorted(subscribers.items())
        },
    }
    text = json.dumps(data, ensure_ascii=False, indent=2)
    write_atomically(
        [FileWrite(path=path.resolve(), content=f"{text}\n".encode("utf-8", "backslashreplace"))]
    )
