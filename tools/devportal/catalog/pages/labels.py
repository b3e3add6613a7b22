"""The words that pages use for the closed sets of the records. One value means the same in every set."""

from enum import StrEnum

_LABELS = {
    "sms": "SMS",
    "mms": "MMS",
    "rcs": "RCS",
    "voice": "Voice",
    "number": "Phone numbers",
    "outbound": "Outbound",
    "inbound": "Inbound",
    "local": "Local",
    "mobile": "Mobile",
    "national": "National",
    "toll_free": "Toll-free",
    "short_code": "Short code",
    "segment": "per segment",
    "message": "per message",
    "minute": "per minute",
    "month": "per month",
    "full": "Full",
    "limited": "Limited",
    "unavailable": "Unavailable",
    "yes": "Yes",
    "no": "No",
    "unknown": "Not stated",
    "none": "None needed",
    "sender_id": "Sender ID",
    "10dlc": "10DLC brand and campaign",
    "dlt": "DLT entity, header and template",
}

_ATTRIBUTES = {"number": "Phone number"}
"""The words that are others before a noun."""

FEATURES = {
    "two_way": "Two-way",
    "alphanumeric_sender": "Alphanumeric sender",
    "delivery_receipts": "Delivery receipts",
    "concatenation": "Concatenation",
    "unicode": "Unicode",
    "number_portability": "Number portability",
}
"""The label of each feature, in the order in which pages and files show them."""


def label(value: StrEnum) -> str:
    """Return the word for a member of a closed set."""
    return _LABELS[value]


def inline_label(value: StrEnum) -> str:
    """Return the word for a member of a closed set inside a sentence: `SMS`, but `voice`."""
    return _inline(label(value))


def attribute(value: StrEnum) -> str:
    """Return the word for a member of a closed set before what it is of: `Phone number` rates."""
    return _ATTRIBUTES.get(value, label(value))


def inline_attribute(value: StrEnum) -> str:
    """Return the same inside a sentence: all `phone number` rates."""
    return _inline(attribute(value))


def _inline(word: str) -> str:
    return word if word.isupper() else word.lower()
