"""What a package that brings an insert answers where it was asked for in a way that it does not know."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """What is wrong with the arguments of an insert, and what to write instead."""

    message: str
    help: str
