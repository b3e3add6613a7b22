"""Words of one trade, that of this API, which the toolkit does not speak."""

import re
from collections.abc import Iterator
from pathlib import Path

_WORDS = re.compile(
    r"(?<![a-z0-9])(?:sms|mms|rcs|gsm(?:-?7)?|ucs-?2|mcc|mnc|10dlc|dlt|e\.?164|telecom\w*|messaging"
    r"|segment[ _-]?counter|phone numbers?|text messages?|delivery[ _-]receipts?|send[ _-]?messages?)"
    r"(?![a-z0-9])|/v1/messages",
    re.IGNORECASE,
)
_SMTP_CALL = "client.send_message("
"""How `smtplib` sends an email: the name is the library's."""


def messaging_words(text: str) -> list[str]:
    """Return the words of messaging in a text, each once and in lower case."""
    own = text.replace(_SMTP_CALL, "")
    return sorted({found.lower() for found in _WORDS.findall(own)})


def messaging_files(root: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the files below a folder that speak of messaging, by path, in their names or contents."""
    for path in sorted(root.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            name = path.relative_to(root).as_posix()
            found = messaging_words(f"{name}\n{path.read_text(encoding='utf-8', errors='replace')}")
            if found:
                yield name, found
