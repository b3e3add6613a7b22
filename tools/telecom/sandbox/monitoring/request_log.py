"""The log on standard error: a line for each request and for each webhook attempt.

No line has a token, a secret, a body, or a whole phone number. Everything that looks like one is masked in
all log records, because messages of libraries and exceptions quote their input.
"""

import json
import logging
import re
import sys
import time
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from telecom.times import format_rfc3339

if TYPE_CHECKING:
    from telecom.sandbox.api.exchange import ServedRequest  # the options of a sandbox need no server

LOG = logging.getLogger("telecom.sandbox")
_SECRET = re.compile(r"(?i)\b([sc]k_[a-z]+_|whsec_|bearer(?:\s|%20)+)[A-Za-z0-9._~+/=%-]+")
_NUMBER = re.compile(r"(?:\+|%2B|(?<![\w.]))[0-9]{3,11}([0-9]{4})(?![\w])", re.IGNORECASE)


class LogFormat(StrEnum):
    """The format of log lines."""

    TEXT = "text"
    JSON = "json"


def mask_secrets(text: str) -> str:
    """Return a text without tokens and secrets, and with only the last four digits of each number."""
    return _NUMBER.sub(r"…\1", _SECRET.sub(r"\1…", text))


def log_request(served: "ServedRequest") -> None:
    """Log a request with its response: no token, no body."""
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
    """Write all log records to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if log_format is LogFormat.JSON else TextFormatter())
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)
    logging.getLogger("httpx").setLevel(logging.WARNING)


class TextFormatter(logging.Formatter):
    """A line for people, with the time in UTC; the traceback of an exception follows it."""

    converter = staticmethod(time.gmtime)

    def __init__(self) -> None:
        """Set the format, which begins with the time."""
        super().__init__("%(asctime)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, masked."""
        return mask_secrets(super().format(record))


class JsonFormatter(logging.Formatter):
    """A JSON object per line, with the fields of a request or an attempt as its members."""

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
