"""What the options of the review take: names, reasons, markets, days, hashes."""

import re
import unicodedata
from datetime import date
from typing import Any

import click

_NAME = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
_MARKET = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
_SHA256 = re.compile(r"[0-9a-f]{12,64}")
_LENGTH_OF_DAY = len("2026-01-31")
_LONGEST_NAME = 80
_LONGEST_REASON = 2000


class Actor(click.ParamType[str]):
    """A name as the audit log takes it."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return a name, or fail as click does."""
        if not _NAME.fullmatch(value) or len(value) > _LONGEST_NAME:
            self.fail(
                f"{value!r} is no name of the audit log: it has small letters, digits and single . _ or -, "
                f"and at most {_LONGEST_NAME} of them",
                param,
                ctx,
            )
        return str(value)


class Reason(click.ParamType[str]):
    """One line of text."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return a reason, or fail as click does."""
        if not value.strip():
            self.fail("say why, in words", param, ctx)
        if any(unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} for character in value):
            self.fail(f"{value[:60]!r} is no line of plain text", param, ctx)
        if len(value) > _LONGEST_REASON:
            self.fail(
                f"it has {len(value):,} characters, more than the log's {_LONGEST_REASON:,}", param, ctx
            )
        return str(value)


class Market(click.ParamType[str]):
    """The key of a market, in capitals or small letters; whether there is one, the rate book says."""

    name = "key"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return a key, or fail as click does."""
        if not _MARKET.fullmatch(str(value)):
            self.fail(
                f"{value!r} is neither a code of ISO 3166-1, such as NO, nor the key of a zone", param, ctx
            )
        return str(value)


class Day(click.ParamType[date]):
    """A day of the calendar."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Return a day, or fail as click does."""
        found = value if isinstance(value, date) else _day(value)
        if found is None:
            self.fail(f"{value!r} is no day: write it as YYYY-MM-DD", param, ctx)
        return found


def _day(text: str) -> date | None:
    """Return the day that a text names, None where it names none."""
    try:
        return date.fromisoformat(text) if len(text) == _LENGTH_OF_DAY else None
    except ValueError:
        return None


class Digest(click.ParamType[str]):
    """The beginning of a SHA-256."""

    name = "sha256"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return digits in small letters, or fail as click does."""
        if not _SHA256.fullmatch(value.lower()):
            self.fail(f"{value!r} is not the first 12 digits, or more, of a SHA-256", param, ctx)
        return str(value).lower()
