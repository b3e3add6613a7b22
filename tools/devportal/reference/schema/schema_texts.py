"""Titles and descriptions of the schemas of a contract, in the order in which they describe a value."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from devportal.contract import Schema
from devportal.contract.schemas import Location
from devportal.reference.markup import escape_markdown
from devportal.reference.reference import Reference
from devportal.reference.schema.shapes import described_branches
from devportal.reference.wording import says_the_same


class WrittenText(NamedTuple):
    """A title and a description in a contract; `is_combined` if a branch of the described schema has them, and
    `is_elsewhere` if they are on the page of a shared schema.
    """

    title: str
    description: str
    is_elsewhere: bool
    is_combined: bool

    def besides(self, title: str, *, known: Collection[str] = ()) -> str:
        """Return both as one text, without a title that is shown already or names another schema, and without known
        texts.
        """
        is_about_another = self.is_combined and self.is_elsewhere
        is_shown = self.title == title or self.title in known or is_about_another
        words = ("" if is_shown else self.title, self.description)
        return ". ".join(
            (escape_markdown(word) if word is self.title else word)
            for word in words
            if word.strip() and word not in known
        )


class SchemaTexts:
    """The texts about the values of the schemas of one contract."""

    def __init__(self, reference: Reference) -> None:
        """Take the reference that has the schemas, and pages of the shared ones."""
        self._reference = reference

    def of(self, schema: Schema) -> tuple[WrittenText, ...]:
        """Return the texts about a value: of the chain of references, then of all that is combined there.

        Without a description in the chain, the first combined one comes first.
        """
        found = tuple(
            self._gather_texts(schema, {schema.location}, (), is_elsewhere=False, is_combined=False)
        )
        described = [written_text for written_text in found if written_text.description.strip()]
        first = next(
            (written_text for written_text in described if not written_text.is_combined),
            next(iter(described), None),
        )
        return (
            found
            if first is None
            else (first, *(written_text for written_text in found if written_text is not first))
        )

    def reference_chain(self, schema: Schema) -> tuple[Schema, ...]:
        """Return a schema and the schemas that its chain of references reaches."""
        if schema.ref is None:
            return (schema,)
        found = {schema.location: schema}
        while (
            schema.ref is not None and schema.ref in self._reference.api.schemas and schema.ref not in found
        ):
            schema = self._reference.api.schemas[schema.ref]
            found[schema.location] = schema
        return tuple(found.values())

    def _gather_texts(
        self,
        schema: Schema,
        seen: set[Location],
        names: tuple[str, ...],
        *,
        is_elsewhere: bool,
        is_combined: bool,
    ) -> Iterator[WrittenText]:
        """Yield the texts; `names` are those of the schemas around one, which its title may repeat."""
        for subschema in self.reference_chain(schema):
            has_page = subschema is not schema and subschema.location in self._reference.addresses.schemas
            is_elsewhere = is_elsewhere or has_page
            if subschema.title or subschema.description:
                title = _distinct_title(subschema, subschema)
                is_known = any(says_the_same(title, name) for name in names)
                yield WrittenText("" if is_known else title, subschema.description, is_elsewhere, is_combined)
            names = (*names, subschema.name) if subschema.name else names
            for branch in described_branches(subschema):
                if branch.location not in seen:
                    seen.add(branch.location)
                    yield from self._gather_texts(
                        branch, seen, names, is_elsewhere=is_elsewhere, is_combined=True
                    )


def title_of(schema: Schema, target: Schema, texts: Iterable[WrittenText]) -> str:
    """Return the title of a schema, or else the last that its branches have themselves."""
    combined = [text.title for text in texts if text.is_combined and not text.is_elsewhere]
    return _distinct_title(schema, target) or next(filter(None, reversed(combined)), "")


def _distinct_title(schema: Schema, target: Schema) -> str:
    """Return the title if it says more than the name of the schema or the description."""
    title = schema.title or target.title
    known = (target.name, schema.description, target.description)
    is_known = any(says_the_same(title, text) for text in known) or _is_of_framework(title, schema)
    return "" if is_known else title


def _is_of_framework(title: str, schema: Schema) -> bool:
    """Say whether a title is made by FastAPI of the name, the path and the method of an operation, which its page has:
    `Response List Images Images Get`.
    """
    match schema.location.pointer:
        case ("paths", _, method, "responses", *_, "schema"):
            return title.startswith("Response ") and title.endswith(f" {method.capitalize()}")
    return False
