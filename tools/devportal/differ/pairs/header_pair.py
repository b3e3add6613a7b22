"""What rules of headers look at: a header of a response or a part, in one contract or in both."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from devportal.contract import Header, Location
from devportal.differ.contract_sources import schemas_of
from devportal.differ.match.parameters import named_field, schema_of
from devportal.differ.match.renames import Rename, Renames, find_renames
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.pairs.parameter_pair import ValueKind, are_written_alike, content_media_name, kinds_of
from devportal.differ.part_pair import OperationPair
from devportal.differ.rule import Direction
from devportal.differ.schemas.position import Position, Side

_IGNORED_HEADER = "content-type"
"""The header that media types describe (OAS 3.0.3 §4.7.16.1)."""


@dataclass(frozen=True, kw_only=True)
class HeaderPair:
    """A header in both contracts, or in one; the locations are those of what it is a header of."""

    old: Header | None
    new: Header | None
    old_location: Location
    new_location: Location
    direction: Direction
    rename: Rename | None = None
    """What a removed header is called now, or an added one was called before, if that is known."""
    operation: OperationPair = field(repr=False)

    @property
    def name(self) -> str:
        """Return the name of the header as the new contract writes it."""
        header = self.new or self.old
        return header.name if header is not None else ""

    @property
    def step(self) -> str:
        """Return the step from the response or part to the header."""
        return f".header.{self.name}"

    @property
    def is_readable(self) -> bool:
        """Say whether both are there, and nothing is behind a reference that cannot be followed."""
        return all(header is not None and not header.broken for header in (self.old, self.new))

    @property
    def changes_notation(self) -> bool:
        """Return whether its media type changed, was added or was removed, and its values are written otherwise."""
        old, new = content_media_name(self.old), content_media_name(self.new)
        return self.is_readable and old != new and not are_written_alike(old, new, self._forms)

    @property
    def position(self) -> Position:
        """Return where its value travels."""
        notation = content_media_name(self.new)
        is_text = notation is None or notation.is_text
        return Position(self.direction, is_text=is_text, is_required=True)

    @property
    def kinds(self) -> frozenset[ValueKind]:
        """Return the kinds of values that the header may have in both contracts."""
        old, new = self._forms
        return kinds_of(old) & kinds_of(new)

    @property
    def _forms(self) -> tuple[NormalSchema, NormalSchema]:
        includes = self.operation.contracts.includes
        old = includes.forms(Side.OLD).of(*schemas_of(schema_of(self.old)))
        new = includes.forms(Side.NEW).of(*schemas_of(schema_of(self.new)))
        return old, new


def pair_headers(
    old: Sequence[Header], new: Sequence[Header]
) -> Iterator[tuple[Header | None, Header | None]]:
    """Yield headers with the same name in whatever case (RFC 9110 §5.1), those of one side alone too."""
    before, after = ({header.name.lower(): header for header in side} for side in (old, new))
    for name in before | after:
        if name != _IGNORED_HEADER:
            yield before.get(name), after.get(name)


def header_renames(old: Sequence[Header], new: Sequence[Header], operation: OperationPair) -> Renames:
    """Return which headers of one side alone are the same under another name."""
    pairs = [*pair_headers(old, new)]
    return find_renames(
        [named_field(before) for before, after in pairs if before is not None and after is None],
        [named_field(after) for before, after in pairs if after is not None and before is None],
        operation.policy.renamed.headers,
        lambda first, other: operation.contracts.is_alike(schema_of(first), schema_of(other)),
    )
