"""How bad a change is, and which way the messages travel whose shape it changes."""

from enum import StrEnum


class Verdict(StrEnum):
    """What a change between two contracts means for code that keeps to the older one, the gravest first.

    `LIFECYCLE` is a promise about time, such as a deprecation; `DOCUMENTATION` changes words alone.
    """

    BREAKING = "breaking"
    RISKY = "risky"
    COMPATIBLE = "compatible"
    LIFECYCLE = "lifecycle"
    DOCUMENTATION = "documentation"

    @property
    def rank(self) -> int:
        """Return how grave the verdict is: 0 for the least."""
        return len(_ORDER) - 1 - _ORDER.index(self)

    def is_at_least(self, other: "Verdict") -> bool:
        """Say whether the verdict is as grave as another, or graver."""
        return self.rank >= other.rank


_ORDER = tuple(Verdict)


class Direction(StrEnum):
    """Who sends the messages that a schema describes.

    What the consumer sends may become wider (each old message is still accepted), what the provider sends may
    become narrower (each new message was already allowed). Webhooks and callbacks have the two swapped.
    """

    TO_PROVIDER = "to provider"
    TO_CONSUMER = "to consumer"

    @property
    def opposite(self) -> "Direction":
        """Return the other direction."""
        return Direction.TO_CONSUMER if self is Direction.TO_PROVIDER else Direction.TO_PROVIDER
