"""Rules of schemas for what changes no value: texts, how it is written in XML, and by which JSON Schema."""

from collections.abc import Iterator

from devportal.contract import ABSENT, Location, Schema
from devportal.differ.normalise.all_of import canonical_json, null_branches
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, FoundChange, Verdict, quote_value
from devportal.differ.rules.part_changes import edited_texts
from devportal.differ.rules.rows import schema_rule
from devportal.differ.rules.schema_values import has_moved_descriptions
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.xml_forms import XmlForm, is_rewritten
from devportal.translation import gettext_noop

_Texts = frozenset[tuple[str, str]]
"""The texts of a schema: kind, and text."""


def _texts_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    """Yield one change for each part that says something else than before, wherever it is used."""
    is_moved = has_moved_descriptions(pair)
    has_null = pair.old.allows_null and pair.new.allows_null
    old, new = (
        _texts_by_location(form, without_values=is_moved, with_null=has_null) for form in (pair.old, pair.new)
    )
    removed, added = (
        frozenset().union(*first.values()) - frozenset().union(*other.values())
        for first, other in ((old, new), (new, old))
    )
    if not removed and not added:
        return
    no_texts: _Texts = frozenset()
    locations = [
        location for location in {**old, **new} if old.get(location, no_texts) != new.get(location, no_texts)
    ]
    same = [location for location in locations if location in old and location in new] or locations[-1:]
    for location in same:
        before, after = (_texts_by_kind(texts.get(location, no_texts)) for texts in (old, new))
        yield FoundChange(
            old_location=location if location in old else None,
            new_location=location if location in new else None,
            names={"texts": edited_texts(before, after)},
        )


def _texts_by_kind(texts: _Texts) -> dict[str, _Texts]:
    kinds = sorted({kind for kind, _ in texts})
    return {kind: frozenset(text for text in texts if text[0] == kind) for kind in kinds}


def _texts_by_location(
    form: NormalSchema, *, without_values: bool, with_null: bool
) -> dict[Location, _Texts]:
    """Return the texts of each part, also of parts without texts, so that added texts have a location.

    Those of a branch that only says null belong to the part that it is a branch of.
    """
    texts_by_location = {part.location: frozenset(_texts(part)) for part in form.parts}
    for part in form.parts if with_null else ():
        texts = (text for branch in null_branches((part,)) for text in _texts(branch))
        texts_by_location[part.location] |= {
            (phrase("%(texts)s of null", texts=kind), text) for kind, text in texts
        }
    if without_values:
        kinds = (phrase("descriptions of values"),)
        return {
            location: frozenset(text for text in texts if text[0] not in kinds)
            for location, texts in texts_by_location.items()
        }
    return texts_by_location


def _texts(schema: Schema) -> Iterator[tuple[str, str]]:
    yield from ((phrase("title"), schema.title),) if schema.title else ()
    yield from ((phrase("description"), schema.description),) if schema.description else ()
    yield from ((phrase("comment"), schema.comment),) if schema.comment else ()
    yield from ((phrase("examples"), canonical_json(example)) for example in schema.examples)
    if schema.external_docs is not None:
        yield phrase("link"), canonical_json([schema.external_docs.url, schema.external_docs.description])
    for kind, values in (
        (phrase("descriptions of values"), schema.enum_descriptions),
        (phrase("names of values"), schema.enum_names),
        (phrase("extensions"), schema.extensions),
    ):
        yield from ((kind, canonical_json(value)) for value in values)
    if schema.state_machine is not None:
        yield phrase("states"), repr(schema.state_machine)


def _xml_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    forms = pair.xml_forms
    if forms is None or not is_rewritten(*forms):
        return
    old, new = forms
    reason = _xml_reason(old, new)
    yield FoundChange(
        keyword="xml",
        old=old.description(),
        new=new.description(),
        verdict=Verdict.RISKY if reason else None,
        reason=reason,
        names={"before": old.description(), "now": new.description()},
    )


def _xml_reason(old: XmlForm, new: XmlForm) -> str:
    """Return why it is open whether a change breaks anyone, empty if it does."""
    if not (old.name and new.name) and old.node == new.node == "element":
        return phrase("one contract does not name the element")
    is_same = old._replace(prefix="", is_named=False) == new._replace(prefix="", is_named=False)
    return phrase("only clients without support for namespaces notice another prefix") if is_same else ""


def _dialect_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    old, new = pair.old.dialect.rstrip("#"), pair.new.dialect.rstrip("#")
    if old != new:
        yield FoundChange(
            old=old or ABSENT,
            new=new or ABSENT,
            names={"old": _dialect_name(old), "new": _dialect_name(new)},
        )


def _dialect_name(dialect: str) -> str:
    return quote_value(dialect) if dialect else phrase("that of the contract")


TEXT_RULES = (
    schema_rule(
        "schema.text.changed",
        Action.CHANGED,
        (Verdict.DOCUMENTATION, Verdict.DOCUMENTATION),
        gettext_noop("the documentation of the value is changed (%(texts)s)"),
        _texts_changed,
    ),
)

XML_RULES = (
    schema_rule(
        "schema.xml.changed",
        Action.CHANGED,
        (Verdict.BREAKING, Verdict.BREAKING),
        gettext_noop("in XML, the value is %(now)s instead of %(before)s"),
        _xml_changed,
    ),
)

DIALECT_RULES = (
    schema_rule(
        "doc.dialect.changed",
        Action.CHANGED,
        (Verdict.RISKY, Verdict.RISKY),
        gettext_noop(
            "the schema dialect is %(new)s instead of %(old)s, so keywords can have another meaning"
        ),
        _dialect_changed,
    ),
)
