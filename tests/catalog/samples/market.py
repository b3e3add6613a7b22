"""The rows of `markets.csv`: what is sold in one country, and what it asks of senders."""

import csv
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

from devportal.catalog.audit.lifecycle import State
from devportal.catalog.records.values import Values
from tests.catalog.own_book import net


@dataclass(frozen=True, slots=True, kw_only=True)
class Market:
    """One country: `cells` are its prices by column, `changes` the days and new prices of its messages."""

    country: str
    dialling_code: str
    launched: date
    state: State
    currencies: tuple[str, ...]
    networks: tuple[Values[str], ...]
    mobile_prefixes: tuple[str, ...]
    fixed_prefixes: tuple[str, ...]
    numbers: tuple[tuple[str, Decimal], ...]
    channels: tuple[str, ...]
    registration: str
    registration_days: int | None
    features: str
    restrictions: tuple[str, ...]
    changes: tuple[tuple[date, Decimal], ...]
    cells: Mapping[str, str]

    def price(self, column: str) -> Decimal | None:
        """Return a price, or None where the country is not sold that."""
        return Decimal(self.cells[column]) if self.cells[column] else None


def markets() -> tuple[Market, ...]:
    """Return the markets in the order of their codes."""
    return tuple(_market(row) for row in rows_of("markets.csv"))


def rows_of(name: str) -> list[dict[str, str]]:
    """Return the rows of a table beside this module."""
    with (Path(__file__).parent / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _market(row: dict[str, str]) -> Market:
    return Market(
        country=row["country"],
        dialling_code=row["dialling_code"],
        launched=date.fromisoformat(row["launched"]),
        state=State(row["state"]),
        currencies=_items(row["currencies"]),
        networks=tuple(_network(item, row["mcc"]) for item in _items(row["networks"])),
        mobile_prefixes=_items(row["mobile_prefixes"]),
        fixed_prefixes=_items(row["fixed_prefixes"]),
        numbers=tuple((kind, Decimal(price)) for kind, price in map(str.split, _items(row["numbers"]))),
        channels=_items(row["coverage"]),
        registration=row["registration"],
        registration_days=int(row["registration_days"]) if row["registration_days"] else None,
        features=row["features"],
        restrictions=_items(row["restrictions"]),
        changes=tuple(
            (date.fromisoformat(day), Decimal(price)) for day, price in map(str.split, _items(row["changes"]))
        ),
        cells=row,
    )


def _items(cell: str) -> tuple[str, ...]:
    return tuple(cell.split("; ")) if cell else ()


def _network(item: str, mcc: str) -> Values[str]:
    name, _, mnc = item.rpartition(" ")
    return net(name=name, mcc=mcc, mnc=mnc)


def slug(network: Values[str]) -> str:
    """Return the first word of a network's name as an identifier has it."""
    letters = {"Ż": "Z", "ł": "l", "Ħ": "H", "ġ": "g", "ạ": "a"}
    word = "".join(letters.get(letter, letter) for letter in network["name"].split()[0])
    plain = unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode()
    return plain.lower()
