"""The day of a build: the only place of the site that looks at the clock."""

import os
from datetime import UTC, date, datetime

from devportal.errors import InvalidSettings


def today() -> date:
    """Return today in UTC, or the day of `SOURCE_DATE_EPOCH` (Unix seconds), for repeatable builds."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not epoch:
        return datetime.now(tz=UTC).date()
    try:
        return datetime.fromtimestamp(int(epoch), tz=UTC).date()
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidSettings(
            f"SOURCE_DATE_EPOCH is {epoch!r}, which is no number of seconds since 1970",
            help="unset or mend it",
        ) from error
