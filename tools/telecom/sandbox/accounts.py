"""Names of accounts, as they are given on command lines."""

import re

from devportal.errors import InvalidSettings

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def check_account(name: str) -> None:
    """Raise InvalidSettings for a text that is no name of an account."""
    if not _NAME.fullmatch(name):
        raise InvalidSettings(
            f"{name[:80]!r} is no name of an account",
            help="give 1 to 64 letters, digits, hyphens and underscores",
        )
