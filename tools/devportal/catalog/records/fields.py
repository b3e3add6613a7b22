"""Reads the fields of one record whose shape is valid. Remaining problems become findings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

from devportal.catalog.book.book import Markets
from devportal.catalog.records.codes import country_help, currency_codes
from devportal.catalog.records.text import Source
from devportal.findings import Finding, Level

_EnumT = TypeVar("_EnumT", bound=StrEnum)

Value = str | Sequence[str] | Mapping[str, str]


@lru_cache(maxsize=1024)
def _parse_day(text: str) -> date:
    """Return a day. Raises ValueError. Most records start on one of a few days, and share them."""
    return date.fromisoformat(text)


@dataclass(slots=True, kw_only=True)
class Fields:
    """The fields of one record, all text, and the findings made while reading them."""

    data: Mapping[str, Value]
    source: Source
    findings: list[Finding] = field(default_factory=list)

    def report(self, rule: str, name: str, message: str, help: str) -> None:  # noqa: A002 - Finding's word
        """Report a problem with a field."""
        self.findings.append(
            Finding(rule=rule, level=Level.ERROR, place=self.source.place(name), message=message, help=help)
        )

    def text(self, name: str, default: str = "") -> str:
        """Return a scalar field as written."""
        value = self.data.get(name, default)
        return value if isinstance(value, str) else default

    def number(self, name: str) -> int:
        """Return a field of digits as an integer."""
        return int(self.text(name))

    def amount(self, name: str) -> Decimal:
        """Return a price with all its digits."""
        return Decimal(self.text(name))

    def flag(self, name: str) -> bool:
        """Return whether a field says yes; a missing one says no."""
        return self.text(name, "no") == "yes"

    def choice(self, name: str, choices: type[_EnumT]) -> _EnumT:
        """Return a field that is one of a closed set."""
        return choices(self.text(name))

    def items(self, name: str) -> tuple[str, ...]:
        """Return a list field; a missing one is empty."""
        value = self.data.get(name)
        return () if value is None or isinstance(value, str | Mapping) else tuple(value)

    def mapping(self, name: str) -> Mapping[str, str]:
        """Return a field that is a mapping; a missing one is empty."""
        value = self.data.get(name)
        return value if value is not None and isinstance(value, Mapping) else {}

    def day(self, name: str) -> date | None:
        """Return a date, or None if it is missing or, with a finding, not in the calendar."""
        if name not in self.data:
            return None
        try:
            return _parse_day(self.text(name))
        except ValueError:
            message = f"{name} is {self.text(name)!r}, which is not a day of the calendar"
            self.report("catalog-date", name, message, "write an existing day as YYYY-MM-DD")
            return None

    def required_day(self, name: str) -> date:
        """Return a required date; a day that does not exist is a finding."""
        return self.day(name) or date.max

    def market(self, markets: Markets) -> str:
        """Return the key of a market; an unknown one is a finding."""
        name, key = str(markets.kind), self.text(markets.kind)
        if key not in markets.names:
            help_ = (
                f"use one of the zones of book.yaml: {', '.join(markets.names)}"
                if markets.zones
                else country_help(key)
            )
            self.report("catalog-country", name, f"{name} is {key!r}, which names no {markets.kind}", help_)
        return key

    def currency(self, name: str) -> str:
        """Return an ISO 4217 code; a code that is not legal tender now is a finding."""
        code = self.text(name)
        if code not in currency_codes():
            help_ = "use the ISO 4217 code of a current currency, such as EUR"
            self.report(
                "catalog-currency", name, f"{name} is {code!r}, which names no current currency", help_
            )
        return code

    def window(self) -> tuple[date, date | None]:
        """Return the effective window; one that ends before it starts is a finding."""
        start, end = self.required_day("effective_from"), self.day("effective_to")
        if end is not None and end <= start and start != date.max:
            message = f"effective_to is '{end}', not after effective_from '{start}'"
            help_ = "effective_to is the first day on which the version no longer holds"
            self.report("catalog-window", "effective_to", message, help_)
        return start, end
