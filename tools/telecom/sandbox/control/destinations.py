"""The numbers that stand for an outcome, as programs read them: the same data as the tables of the guide."""

from typing import Any

from telecom.calls import ANSWERED, OUTCOMES, Outcome
from telecom.magic_numbers import DESTINATIONS, ORDINARY, Destination, fate
from telecom.states import Machines


def destinations_document(machines: Machines) -> dict[str, Any]:
    """Return every number with what becomes of messages and calls to it; `to` is null for all others."""
    return {
        "messages": [
            *(_message(machines, number, one) for number, one in DESTINATIONS.items()),
            _message(machines, None, ORDINARY),
        ],
        "calls": [*(_call(number, one) for number, one in OUTCOMES.items()), _call(None, ANSWERED)],
    }


def _message(machines: Machines, number: str | None, there: Destination) -> dict[str, Any]:
    end = fate(machines, there)
    return {
        "to": number,
        "meaning": there.meaning,
        "status": str(end.status),
        "receipts": [receipt.value for receipt in end.receipts],
        "error_code": end.error.value if end.error else None,
        "refused_with": there.refusal.value if there.refusal else None,
        "refused_channels": sorted(channel.value for channel in there.refused) if there.refusal else [],
    }


def _call(number: str | None, outcome: Outcome) -> dict[str, Any]:
    return {
        "to": number,
        "meaning": outcome.meaning,
        "status": outcome.status.value,
        "end_cause": outcome.cause.value,
    }
