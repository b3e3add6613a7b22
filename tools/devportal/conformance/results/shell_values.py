"""Marks in a request for what a script makes up or takes from an earlier response, and how a shell reads them."""

import re
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import quote

MARKS = re.compile(r"⟦(?P<encoded>%?)(?P<variable>[a-z_][a-z_0-9]*)⟧")

_NUMBER = re.compile(r"member \S+ (\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """A value of the response at a position: `source` is the command that prints it, `name` what it is called."""

    RANDOM: ClassVar[str] = "⟦run⟧"
    """The mark of characters that are other ones each time."""

    position: int
    source: str
    name: str

    @property
    def variable(self) -> str:
        """The name of the variable that holds it."""
        number = _NUMBER.match(self.source)
        suffix = f"_{number[1]}" if number is not None and number[1] != "1" else ""
        plain_name = re.sub(r"[^a-z0-9]+", "_", self.name.lower()).strip("_") or "value"
        return f"{'n' if plain_name[0].isdigit() else ''}{plain_name}_of_{self.position + 1}{suffix}"

    @property
    def mark(self) -> str:
        """What stands for it in a request."""
        return f"⟦{self.variable}⟧"

    @property
    def encoded_mark(self) -> str:
        """What stands for it where it is percent-encoded."""
        return f"⟦%{self.variable}⟧"

    @property
    def assignment(self) -> str:
        """The line of a script that takes it."""
        return f"{self.variable}=$({self.source})"


def is_encoded_in_urls(value: str) -> bool:
    """Return whether a value has characters that a URL has to encode."""
    return quote(value, safe="") != value


def expand_mark(match: re.Match[str]) -> str:
    """Return the expansion of a mark, for a place between double quotes."""
    variable = match["variable"]
    return f'$(encoded "${variable}")' if match["encoded"] else f"${{{variable}}}"
