"""How one example value is built, and what it may take."""

from dataclasses import dataclass

from devportal.contract.validate.json_schema import Direction

MAX_DEPTH = 6
"""The deepest nesting of objects and arrays; required parts below it cannot be generated."""
MAX_VALUES = 2_000
"""Values that an example is made of at most, those of its parts and members counted."""
MAX_BUILT = 5_000
"""Values that are built for an example at most, those that are tried in vain counted."""
MAX_CHECKS = 1_500
"""Values that are validated for an example at most."""
MAX_LOOKS = 200_000
"""Looks of validators at parts of values for an example at most: unions in unions multiply them."""
MAX_TRIES = 60
"""Values that are tried for one schema at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildPlan:
    """How a value is built.

    `optional` is how many optional properties an object has at most, by nesting depth. With `is_typical`, they
    are those that the contract gives an example for; an object that would be empty has one or two. One that
    `is_exact` has no list shorter than its schema asks for. If it `is_checked`, each part is validated, and
    others are tried until one is valid. With `has_placeholders`, a required value that cannot be made is a
    `Placeholder`.
    """

    direction: Direction
    optional: tuple[int, ...]
    is_typical: bool = False
    is_exact: bool = True
    is_checked: bool = False
    has_placeholders: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether objects have all of their fields, on the first levels at least."""
        return self.optional[:1] == (MAX_VALUES,)


@dataclass(slots=True)
class BuildBudget:
    """How many values an example may still be made of, and how many may be built and validated for it."""

    values_left: int = MAX_VALUES
    built_left: int = MAX_BUILT
    checks_left: int = MAX_CHECKS
    looks_left: int = MAX_LOOKS
