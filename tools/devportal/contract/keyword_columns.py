"""The columns of the registry of keywords: what a row may say, and in which words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Holds(StrEnum):
    """The kind of value that a keyword has."""

    VALUE = "a value that only the keyword knows"
    DATA = "a value of the API"
    DATA_LIST = "a list of values of the API"
    ONE = "an object that may be a reference"
    LIST = "a list of such objects"
    MAP = "a mapping from names to such objects"
    MINOR = "an object that is never a reference"


class Below(StrEnum):
    """What the schemas under a keyword speak of."""

    COMBINED = "the same value"
    NEGATED = "the same value, which need not keep them"
    CONDITIONAL = "the same value, under a condition"
    PART = "a part of the value"
    NAMES = "the names of properties"
    NOTHING = "nothing, until something refers to them"


class Reading(StrEnum):
    """How a keyword becomes a field of the model (`contract/read/read_schema.py`)."""

    TEXT = "text"
    FLAG = "flag"
    CONSTRAINT = "constraint"
    CONTENT = "content"
    EXTENSION = "extension"
    SCHEMA = "schema"
    SCHEMA_LIST = "list of schemas"
    OTHER = "schema under its keyword"
    OWN = "a separate reader"
    REFERENCE = "followed as a reference, or as what one names"


class Merge(StrEnum):
    """What two values of a keyword make under `allOf`."""

    LARGEST = "the larger"
    SMALLEST = "the smaller"
    MULTIPLE = "the least common multiple"
    EACH = "both"
    BY_NAME = "both, the later one where they share a name"
    EITHER = "true if one of them is"
    FIRST = "the first"
    LAST = "the last"
    COMMON = "what both allow"
    LONGEST = "the longer"
    ALL_OF = "an `allOf` of both"
    APART = "nothing: the parts that have it are looked at one by one"


class Sampling(StrEnum):
    """How a keyword limits the examples that are made from a schema."""

    GIVES = "its value is the example"
    SHAPES = "the example is built to keep it"
    TRIED = "examples are tried until one keeps it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One fact in the row of a field. `%(value)s` in the label is the place of the value: as JSON, or with
    `has_code` as code.
    """

    label: str
    has_code: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CountRange:
    """A sentence for two keywords: "2 to 5 items". The row of the upper one has no noun."""

    noun: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A bound of numbers with its sign: "≥ 0"."""

    sign: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubschemaRow:
    """A row for the schema below; `if_false` is the fact in its place if that is the schema `false`."""

    label: str
    if_false: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAs:
    """A separate place: the attribute of a value's description or of a field, in `reference/schema`."""

    attribute: str


Description = Sentence | CountRange | Comparison | SubschemaRow | ShownAs


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueShape:
    """What the value of a keyword must be, in words and as a test."""

    expected: str
    fits: Callable[[Any], bool]


class Column(StrEnum):
    """The columns of a row that are filled or waived."""

    READING = "reading"
    MERGE = "merge"
    DESCRIPTION = "description"
    SAMPLING = "sampling"
    RULES = "rules"
    BROWSER = "browser"


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyword:
    """A keyword of a schema."""

    name: str
    since: str = ""
    """The OAS version that brought it; empty for extensions and for what only older drafts have."""
    removed_in: str = ""
    version_advice: str = ""
    """What to write instead in a version that does not have it."""
    spellings: tuple[str, ...] = ()
    """Further names in use for it."""
    applies_to: str = ""
    """The one type of values that it concerns, empty for any."""
    holds: Holds = Holds.VALUE
    kind: str = ""
    """The kind of the objects that it holds (`contract/validate/oas_objects.py`)."""
    below: Below | None = None
    beside: str = ""
    """The keyword without which it means nothing."""
    is_keyed_by_property: bool = False
    has_page: bool = False
    """Whether a shared schema with this keyword gets its own page."""
    is_annotation: bool = False
    """Whether it decides nothing about which values are valid."""
    is_unambiguous: bool = False
    """Whether every validator reads it alike."""
    value: ValueShape | None = None
    exclusive: str = ""
    """The keyword for the same bound, short of which numbers have to stay."""
    upper: tuple[str, ...] = ()
    """The bounds that must not be below this one."""
    model_field: str = ""
    """The field of `contract.schemas.Schema` that has its value."""
    reading: Reading | None = None
    merge: Merge | None = None
    description: Description | None = None
    sampling: Sampling | None = None
    rules: tuple[str, ...] = ()
    """The rules of the differ that compare it: an id, or the beginning of ids that goes up to a dot."""
    browser: bool = False
    """Whether the console's validator checks it (`console/validate.js`)."""
    waivers: Mapping[Column, str] = field(default_factory=dict)
    """Why a column is empty."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return every name of the keyword, the usual one first."""
        return (self.name, *self.spellings)
