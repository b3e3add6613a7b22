"""What rules of bodies and statuses look at: media types and responses in both contracts."""

from dataclasses import dataclass, field, replace
from functools import cached_property

from devportal.contract import Location, MediaType, Response
from devportal.differ.contract_sources import schemas_of
from devportal.differ.match.media_types import MediaMatching, MediaName, match_media, parse_media_name
from devportal.differ.match.statuses import DEFAULT, StatusMatching, match_statuses
from devportal.differ.normalise.forms import allows_any_value
from devportal.differ.part_pair import OperationPair
from devportal.differ.rule import Direction
from devportal.differ.schemas.position import Side


@dataclass(frozen=True, kw_only=True)
class ContentPair:
    """A body in all its media types; the locations are those of what it is the body of."""

    old: tuple[MediaType, ...]
    new: tuple[MediaType, ...]
    old_location: Location
    new_location: Location
    direction: Direction
    operation: OperationPair = field(repr=False)

    @cached_property
    def matching(self) -> MediaMatching:
        """Return which media types belong together."""
        return match_media(self.old, self.new)

    def is_first(self, added: MediaType) -> bool:
        """Say whether a new media type is listed before all that were there."""
        stays = [new.name for _, new in self.matching.pairs]
        names = [media_type.name for media_type in self.new]
        return bool(stays) and names.index(added.name) < min(map(names.index, stays))


@dataclass(frozen=True, kw_only=True)
class MediaPair:
    """A body in one media type in both contracts; `direction` is that in which the body travels."""

    old: MediaType
    new: MediaType
    direction: Direction
    operation: OperationPair = field(repr=False)

    @property
    def old_name(self) -> MediaName:
        """Return the old media type, read."""
        return parse_media_name(self.old.name)

    @property
    def new_name(self) -> MediaName:
        """Return the new media type, read."""
        return parse_media_name(self.new.name)

    def _allows_any_body(self, media: MediaType, side: Side) -> bool:
        """Say whether a body may be anything; OAS 3.0 calls bytes a binary string, and later versions leave
        that out (OAS 3.1.0, Considerations for File Uploads) or repeat the media type (OAS 3.1.1 §4.4.3).
        """
        form = self.operation.contracts.includes.forms(side).of(*schemas_of(media.schema))
        if parse_media_name(media.name).may_be_bytes:
            if form.types == {"string"} and form.format == "binary":
                form = replace(form, types=frozenset(), format="", allows_null=True)
            if not form.types:
                content = tuple(item for item in form.content if item[0] != "contentMediaType")
                form = replace(form, format="" if form.format == "binary" else form.format, content=content)
        return media.item_schema is None and allows_any_value(form)

    @property
    def gets_schema(self) -> bool:
        """Return whether an undescribed body got a schema."""
        return not _has_schema(self.old) and not self._allows_any_body(self.new, Side.NEW)

    @property
    def is_free(self) -> bool:
        """Say whether the body may be anything on both sides."""
        return self._allows_any_body(self.old, Side.OLD) and self._allows_any_body(self.new, Side.NEW)

    @property
    def is_respelled(self) -> bool:
        """Say whether the body may be anything on both sides, in two ways of saying so."""
        old, new = (
            self.operation.contracts.includes.forms(side).of(*schemas_of(media.schema))
            for side, media in ((Side.OLD, self.old), (Side.NEW, self.new))
        )
        return self.is_free and (
            None in (self.old.schema, self.new.schema)
            or (old.types, old.format, old.content) != (new.types, new.format, new.content)
        )

    @property
    def loses_schema(self) -> bool:
        """Return whether a described body lost its schema."""
        return not _has_schema(self.new) and not self._allows_any_body(self.old, Side.OLD)


def _has_schema(media: MediaType) -> bool:
    """Say whether a schema is given: one that is empty is one, too."""
    return media.schema is not None or media.item_schema is not None


@dataclass(frozen=True, kw_only=True)
class ResponsesPair:
    """All responses of an operation."""

    operation: OperationPair = field(repr=False)

    @cached_property
    def matching(self) -> StatusMatching:
        """Return the matched responses by status."""
        return match_statuses(self.operation.old.responses, self.operation.new.responses, self._is_covered)

    def is_unlike_default(self, old: Response | None, new: Response | None) -> bool:
        """Say whether an error that one side lists has the other side's default, and so another body."""
        before = old or _default_response(self.operation.old.responses)
        after = new or _default_response(self.operation.new.responses)
        return before is not None and after is not None and not self._is_covered(before, after)

    def _is_covered(self, old: Response, new: Response) -> bool:
        """Return whether one response covers the other: each body that is sent now was allowed before, or is
        still accepted if the consumer responds.
        """
        contracts = self.operation.contracts
        accepts = contracts.is_still_accepted if self.operation.is_event else contracts.was_allowed
        before = {parse_media_name(media_type.name): media_type for media_type in old.content}
        after = {parse_media_name(media_type.name): media_type for media_type in new.content}
        return before.keys() == after.keys() and all(
            accepts(before[name].schema, after[name].schema) for name in before
        )


def _default_response(responses: tuple[Response, ...]) -> Response | None:
    return next((response for response in responses if response.status.upper() == DEFAULT), None)
