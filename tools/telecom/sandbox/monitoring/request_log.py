"""What is written to standard error: a line for each request and for each attempt of a webhook.

No line has a token, a secret, a body, or the whole of a number; what looks like one is masked in whatever is
logged, as messages of libraries and faults quote what they were given.
"""

import json
import logging
import re
import sys
import time
from datetime import UTC, datetime
from enum import StrEnum

from telecom.sandbox.api.exchange import ServedRequest
from telecom.times import format_rfc3339

LOG = logging.getLogger("telecom.sandbox")
_SECRET = re.compile(r"(?i)\b([sc]k_[a-z]+_|whsec_|bearer(?:\s|%20)+)[A-Za-z0-9._~+/=%-]+")
_NUMBER = re.compile(r"(?:\+|%2B|(?<![\w.]))[0-9]{3,11}([0-9]{4})(?![\w])", re.IGNORECASE)


class LogFormat(StrEnum):
    """How lines are written."""

    TEXT = "text"
    JSON = "json"


def mask_secrets(text: str) -> str:
    """Return a text without tokens and secrets, and with the last four digits only of each number."""
    return _NUMBER.sub(r"…\1", _SECRET.sub(r"\1…", text))


def log_request(served: ServedRequest) -> None:
    """Write the line of a request."""
    fields = {
        "method": served.method,
        "path": served.path,
        "status": served.status,
        "duration_ms": round(served.duration_s * 1000, 1),
        "operation": served.operation,
        "account": served.account,
        "correlation_id": served.correlation_id,
    }
    LOG.info(
        "%s %s %d, %.0f ms, %s, %s, correlation id %s",
        served.method,
        served.path,
        served.status,
        served.duration_s * 1000,
        served.operation or "no operation",
        f"account {served.account}" if served.account else "no account",
        served.correlation_id,
        extra={"fields": fields},
    )


def log_to_stderr(log_format: LogFormat = LogFormat.TEXT) -> None:
    """Let everything that is logged go to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if log_format is LogFormat.JSON else TextFormatter())
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)
    logging.getLogger("httpx").setLevel(logging.WARNING)


class TextFormatter(logging.Formatter):
    """A line for people, with the time in UTC; the trace of a fault stands below it."""

    converter = staticmethod(time.gmtime)

    def __init__(self) -> None:
        """Begin with the time."""
        super().__init__("%(asctime)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, masked."""
        return mask_secrets(super().format(record))


class JsonFormatter(logging.Formatter):
    """A JSON object in a line, with what is known of a request or an attempt as members of their own."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the object, masked."""
        fields: dict[str, object] = getattr(record, "fields", {})
        exception = {"exception": self.formatException(record.exc_info)} if record.exc_info else {}
        line = {
            "at": format_rfc3339(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **fields,
            **exception,
        }
        return json.dumps({name: _mask_value(value) for name, value in line.items()}, ensure_ascii=False)


def _mask_value(value: object) -> object:
    return mask_secrets(value) if isinstance(value, str) else value
