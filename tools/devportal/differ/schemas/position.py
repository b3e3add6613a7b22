"""Schemas that are compared: of which contract they are, and where their value travels."""

from enum import StrEnum
from typing import NamedTuple

from devportal.contract import Schema
from devportal.differ.rule import Direction, Verdict
from devportal.differ.schemas.xml_forms import XmlPlace

FIELD_DEPTH, FORM_DEPTH, WHOLE_TEXT = 1, 2, 100
"""How many levels of objects are written as text: a field of a form with its lists, a form, a parameter."""
SCALAR_DEPTH = -1
"""The depth of a value that is text as a scalar alone: objects and lists are JSON."""


class Position(NamedTuple):
    """Where a value travels: what verdicts depend on.

    `is_text` holds where values are written as text without types: parameters, headers, fields of forms.
    `is_form` holds for a form as a whole, `is_field` for its fields: an object in a field is written as JSON
    (OAS 3.0.3 §4.7.15.1). `is_plain` holds for a body in plain text: an object or a list is written as JSON there
    as well. `is_required` says whether the value is always there, so that its default is never used, and
    `was_required` whether that has ended. `is_repeated` holds for a form, and for its fields, if each item of a list
    is a separate field, so that one value is a list of one. `is_branch` holds for a branch of a union: whether null
    is allowed is a matter of the union as a whole.
    `is_negated` holds for what must not be kept. `is_parameter` holds for a parameter as a whole, whose default has
    a separate rule. `is_mirrored` holds if the properties that count are those of the other direction: whether a
    schema includes another is asked as if the value was sent, also of responses.
    `gravest` is the gravest verdict that a change of a
    branch can have, if it is shown that other branches allow what it did. `keeps_properties` holds if it is
    shown that each property which the old schemas describe is still described, maybe in another branch.
    `encoded_parts` are the steps to the parts of a body whose media types an encoding declares, and
    `is_encoded` holds for such a part: its `contentMediaType` does not count (OAS 3.1.1 §4.8.15.1.1). `whole_parts`
    are the steps to fields of a form in which `is_repeated` does not hold. `xml` is the place in an XML document,
    None if the value travels as something else.
    """

    direction: Direction
    is_text: bool = False
    xml: XmlPlace | None = None
    is_required: bool = True
    was_required: bool = False
    is_branch: bool = False
    is_form: bool = False
    is_field: bool = False
    is_plain: bool = False
    is_repeated: bool = False
    is_negated: bool = False
    is_parameter: bool = False
    is_mirrored: bool = False
    gravest: Verdict | None = None
    keeps_properties: bool = False
    encoded_parts: frozenset[str] = frozenset()
    whole_parts: frozenset[str] = frozenset()
    is_encoded: bool = False

    @property
    def text_depth(self) -> int:
        """Return how many levels of objects in the value are written as text: none in JSON."""
        if not self.is_text:
            return 0
        if self.is_plain:
            return SCALAR_DEPTH
        return FORM_DEPTH if self.is_form else FIELD_DEPTH if self.is_field else WHOLE_TEXT

    @property
    def opposite(self) -> "Position":
        """Return the position of a value that must not be kept (`not`)."""
        return self._replace(
            direction=self.direction.opposite,
            is_branch=False,
            is_negated=not self.is_negated,
            is_mirrored=not self.is_mirrored,
        )

    @property
    def travels(self) -> Direction:
        """Return the direction of the messages that have the value."""
        return self.direction.opposite if self.is_mirrored else self.direction

    def within(self, *, is_required: bool) -> "Position":
        """Return the position of a part of the value."""
        return self._replace(
            is_required=is_required,
            was_required=False,
            is_branch=False,
            is_parameter=False,
            is_repeated=False,
            encoded_parts=frozenset(),
            whole_parts=frozenset(),
        )

    def of_item(self) -> "Position":
        """Return the position of an item of the value, a list."""
        return self.within(is_required=True)._replace(
            is_text=self.is_text and not self.is_plain, is_plain=False
        )

    def of_property(self, *, is_required: bool) -> "Position":
        """Return the position of a property of the value."""
        return self.within(is_required=is_required)._replace(
            is_text=self.is_text and not (self.is_field or self.is_plain),
            is_form=False,
            is_field=self.is_form,
            is_plain=False,
            is_repeated=self.is_form and self.is_repeated,
            is_encoded=False,
        )

    def of_named_property(self, name: str, *, is_required: bool) -> "Position":
        """Return the position of a property that an object lists under a name."""
        position = self.of_property(is_required=is_required)
        if self.xml is None:
            return position
        return position._replace(xml=XmlPlace(name, name, is_property=True))


class Side(StrEnum):
    """Which of the two contracts a schema is from."""

    OLD = "old"
    NEW = "new"

    @property
    def opposite(self) -> "Side":
        """Return the other of the two contracts."""
        return Side.NEW if self is Side.OLD else Side.OLD


Schemas = tuple[Schema, ...]
"""The schemas of one value: mostly one, several that apply together, or none."""
