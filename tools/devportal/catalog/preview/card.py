"""What a preview image says, as texts: it is drawn from this and nothing else, so tests read this."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A figure with what it is of and what goes with it: `Parcels from`, `0.10 EUR`, `per piece`."""

    label: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """The texts of one image. The first few facts and chips are drawn; all texts are plain."""

    service: str
    title: str
    subtitle: str = ""
    facts: tuple[Fact, ...] = ()
    chips: tuple[str, ...] = ()
    on: date
    """The day for which all of it was published."""
    place: str = ""
    """The address of the page without its scheme; empty where it is not known."""
    is_sample: bool = False
    headline: str = ""
    """The value of the headline field that its prices have, where there are public ones with another too."""

    @property
    def alt(self) -> str:
        """Return what the image shows, for those who do not see it."""
        return f"{self.title}: {self.subtitle}"

    @property
    def marks(self) -> tuple[str, ...]:
        """Return what the reader is warned of."""
        return ("SAMPLE DATA",) if self.is_sample else ()

    @property
    def day(self) -> str:
        """Return the day as a sentence says it."""
        return f"In force on {self.on.day} {self.on:%B %Y}"

    def texts(self) -> Iterator[str]:
        """Yield every text that the image may show."""
        yield from (self.service, self.title, self.subtitle, *self.marks, *self.chips, self.day, self.place)
        for fact in self.facts:
            yield from (fact.label, fact.value, fact.note)
