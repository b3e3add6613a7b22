"""What a row shows of a value: its type, texts and rules."""

from dataclasses import dataclass, fields
from operator import attrgetter

from devportal.contract import ExternalDocs, Grounds, Stability
from devportal.reference.markup import level_words
from devportal.reference.schema.allowed_values import AllowedValue
from devportal.reference.schema.examples import ExampleView
from devportal.reference.wording import ConstraintFact
from devportal.translation import ENGLISH, current_interface, gettext, gettext_noop, join_list


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeLabel:
    """A type in words, with the page of the shared schema that it names, if there is one."""

    text: str
    target: str = ""
    in_english: str = ""
    """The type in English if it has words in another language: addresses are the same in all languages."""
    name: str = ""
    """The name of the shared schema of the page, which words such as `integer` do not have."""

    def in_interface(self) -> str:
        """Return the type in the language that is asked for now, which is English for an address."""
        return self.in_english if self.in_english and current_interface() is ENGLISH else self.text


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ValueDescription:
    """Type, texts and rules of a value. Texts are CommonMark or plain; values are JSON text.

    Within one contract, equal descriptions are one object (`ValueDescriptions.intern`). Most occur in many
    places, and rendering each once makes large contracts fast. So they are compared by identity.
    """

    type: TypeLabel = TypeLabel(text="")
    deprecated: bool = False
    sunset: str = ""
    read_only: bool = False
    write_only: bool = False
    stability: Stability | None = None
    grounds: Grounds | None = None
    title: str = ""
    description: str = ""
    further: tuple[str, ...] = ()
    """Texts besides the description: those of referenced schemas, and of the items."""
    docs: tuple[ExternalDocs, ...] = ()
    facts: tuple[ConstraintFact, ...] = ()
    enum: tuple[AllowedValue, ...] = ()
    enum_is_beta: bool = False
    default: str | None = None
    examples: tuple[ExampleView, ...] = ()
    mapping: tuple[tuple[str | None, TypeLabel], ...] = ()
    """The values of a discriminator, each with the schema that it selects."""
    combines: tuple[TypeLabel, ...] = ()
    """The shared schemas (`allOf`) that a value must also match."""

    def words(self, *, required: bool) -> str:
        """Return the type and the flags on one line."""
        flags = (
            (required, gettext_noop("required")),
            (self.read_only, gettext_noop("read only")),
            (self.write_only, gettext_noop("write only")),
            (self.deprecated, gettext_noop("deprecated")),
        )
        words = [self.type.text, *(gettext(word) for is_so, word in flags if is_so)]
        words += [gettext("sunset %(day)s", day=self.sunset)] if self.sunset else []
        words += [level_words(self.stability)] if self.stability else []
        return join_list(filter(None, words))

    @property
    def short_examples(self) -> tuple[ExampleView, ...]:
        """The examples that fit on the line: short, and without a description."""
        plain = (
            example
            for example in self.examples
            if example.has_value and not example.url and not example.description
        )
        return tuple(example_view for example_view in plain if example_view.is_short)

    @property
    def enum_is_described(self) -> bool:
        """Say whether any allowed value has a description."""
        return any(allowed_value.about for allowed_value in self.enum)

    @property
    def has_flags(self) -> bool:
        """Say whether the type has a flag other than `required`."""
        is_marked = self.deprecated or self.sunset or self.stability is not None
        return bool(self.read_only or self.write_only or is_marked)

    @property
    def has_rules(self) -> bool:
        """Say whether there is a constraint, default, example or closed set of values to show."""
        return (
            bool(self.facts or self.enum or self.examples or self.has_related_schemas)
            or self.default is not None
        )

    @property
    def has_related_schemas(self) -> bool:
        """Say whether the description links to other schemas."""
        return bool(self.mapping or self.combines)

    @property
    def has_texts(self) -> bool:
        """Say whether the author wrote a title, description or link."""
        return bool(self.title or self.description or self.further or self.docs)


description_values = attrgetter(*(field.name for field in fields(ValueDescription)))
EMPTY_DESCRIPTION = ValueDescription()
"""The description of a row that only groups others."""
