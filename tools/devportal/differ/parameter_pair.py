"""What rules of parameters look at: one parameter in both contracts, or what became of it."""

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from devportal.contract import In, Parameter, Schema
from devportal.differ.contracts import schemas_of
from devportal.differ.describing import described
from devportal.differ.forms import Form
from devportal.differ.media_types import MediaName, media_name
from devportal.differ.pair import Position, Side
from devportal.differ.parts import OperationPair
from devportal.differ.policy import Policy
from devportal.differ.serialisation import Kind, is_array, is_scalar, kinds_of
from devportal.differ.verdict import Verdict

_UNQUOTED = frozenset({"number", "integer", "boolean"})


class ParameterFate(StrEnum):
    """What became of a parameter that is not where it was; `PLACED` is one of a new placeholder."""

    ADDED = "added"
    PLACED = "placed"
    REMOVED = "removed"
    RENAMED = "renamed"
    RELOCATED = "relocated"


@dataclass(frozen=True, kw_only=True)
class ParameterFatePair:
    """A parameter that is not where it was: no `old` where it was added, no `new` where it was removed."""

    fate: ParameterFate
    old: Parameter | None = None
    new: Parameter | None = None
    operation: OperationPair = field(repr=False)

    @property
    def policy(self) -> Policy:
        """Return the policy by which changes are judged."""
        return self.operation.policy


@dataclass(frozen=True, kw_only=True)
class ParameterPair:
    """One parameter in both contracts, matched by name and place; path parameters by their position."""

    old: Parameter
    new: Parameter
    operation: OperationPair = field(repr=False)

    @property
    def position(self) -> Position:
        """Return where its value travels; what its default means is judged for the parameter as a whole."""
        return Position(self.operation.sends, is_text=self._is_text, is_required=True)

    @property
    def _is_text(self) -> bool:
        content = self.new.content
        return content is None or media_name(content.name).is_text

    @property
    def is_in_content(self) -> bool:
        """Say whether its value is written in a media type in one contract at least."""
        return self.old.content is not None or self.new.content is not None

    @property
    def changes_notation(self) -> bool:
        """Say whether it is written in another media type, or in one where it had a style, or back."""
        return _notation(self.old) != _notation(self.new)

    @cached_property
    def old_form(self) -> Form:
        """Return what the old schema says."""
        return self.operation.contracts.includes.forms(Side.OLD).of(*schemas_of(schema_of(self.old)))

    @cached_property
    def new_form(self) -> Form:
        """Return what the new schema says."""
        return self.operation.contracts.includes.forms(Side.NEW).of(*schemas_of(schema_of(self.new)))

    @property
    def old_described(self) -> str:
        """Return the old schema in a few words."""
        return described(self.operation.contracts.includes.forms(Side.OLD), schemas_of(schema_of(self.old)))

    @property
    def new_described(self) -> str:
        """Return the new schema in a few words."""
        return described(self.operation.contracts.includes.forms(Side.NEW), schemas_of(schema_of(self.new)))

    @property
    def kinds(self) -> frozenset[Kind]:
        """Return the kinds of values that are allowed in both contracts."""
        return kinds_of(self.old_form) & kinds_of(self.new_form)

    @property
    def becomes_array(self) -> bool:
        """Say whether a list takes the place of single values."""
        return self._is_written and is_scalar(self.old_form) and is_array(self.new_form)

    @property
    def becomes_scalar(self) -> bool:
        """Say whether a single value takes the place of lists."""
        return self._is_written and is_array(self.old_form) and is_scalar(self.new_form)

    @property
    def becomes_text(self) -> bool:
        """Say whether any text takes the place of numbers or booleans, whose text it was all along."""
        kinds = self.old_form.types
        return (
            self.position.is_text
            and not self.changes_notation
            and bool(kinds)
            and kinds <= _UNQUOTED
            and self.new_form.types == frozenset({"string"})
        )

    @property
    def _is_written(self) -> bool:
        """Say whether a style says how the value is written."""
        return not self.is_in_content

    @cached_property
    def is_scalar_an_item(self) -> bool:
        """Say whether each single value of the old parameter is a list of one in the new parameter."""
        new = self.new_form
        style_fits = self.new.location_in is In.QUERY and self.new.style == "form" and self.new.explode
        if not style_fits or new.min_items > 1 or new.max_items == 0 or new.prefix_items:
            return False
        worst = self.operation.contracts.schemas.worst(
            schemas_of(schema_of(self.old)), new.items, self.position
        )
        return worst is None or not worst.is_at_least(Verdict.RISKY)


def schema_of(parameter: Parameter) -> Schema | None:
    """Return the schema of the value, wherever it is given."""
    return parameter.content.schema if parameter.content is not None else parameter.schema


def _notation(parameter: Parameter) -> MediaName | None:
    return media_name(parameter.content.name) if parameter.content is not None else None
