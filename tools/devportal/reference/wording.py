"""Types and constraints in words, and values as JSON text."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final

from devportal.contract import ABSENT, Absent, Api, Encoding, Parameter, Schema
from devportal.contract.keyword_columns import Comparison, CountRange, Sentence, SubschemaRow
from devportal.contract.keywords import KEYWORDS
from devportal.contract.schemas import Xml
from devportal.contract.wire_format.serialisation import sample_form
from devportal.documents.writing import to_indented_json, to_json_line
from devportal.reference.schema.shapes import extended_schema, wrapped_branches
from devportal.translation import (
    format_number,
    gettext,
    gettext_noop,
    join_list,
    ngettext,
    ngettext_noop,
    pgettext,
    with_label,
)

_NO_LETTERS = re.compile(r"[\W_]+")

VALUE: Final = "%(value)s"
"""The place of a value in a label."""
MAX_TYPE_DEPTH = 4
"""How many nested arrays, maps and wrappers a type in words spells out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintFact:
    """A constraint: a label, and its value as code if it has one, or several.

    The values stand where the label says `%(value)s`, or behind it.

    A page shows one that `is_quiet` among the details of a row: few readers look for it. `part` names the part of the
    value that it is about, as code, if it is not the whole.
    """

    label: str
    code: str = ""
    part: str = ""
    is_beta: bool = False
    is_quiet: bool = False
    further: tuple[str, ...] = ()

    @property
    def codes(self) -> tuple[str, ...]:
        """All its values."""
        return (self.code, *self.further) if self.code else self.further

    @property
    def text(self) -> str:
        """The whole as plain text."""
        return self.with_values(self.label, str)

    def with_values(self, label: str, write: Callable[[str], str]) -> str:
        """Return the label, as the caller has escaped it, with the values, each written as code."""
        whole = self._with_codes(label, write)
        return with_label(write(self.part), whole) if self.part else whole

    def _with_codes(self, label: str, write: Callable[[str], str]) -> str:
        values = self.codes
        if not values:
            return label.replace(VALUE, "").strip() if VALUE in label else label
        code = join_list(map(write, values))
        return label.replace(VALUE, code) if VALUE in label else f"{label} {code}"


_SUBSCHEMA_ROWS = {row.name: row.description for row in KEYWORDS if isinstance(row.description, SubschemaRow)}
SUBSCHEMA_LABELS = {name: row.label for name, row in _SUBSCHEMA_ROWS.items()}
"""The labels of keywords with a subschema."""
_CLOSED_LABELS = {name: row.if_false for name, row in _SUBSCHEMA_ROWS.items() if row.if_false}
"""Their labels if the subschema is `false`."""


def format_json(value: Any, *, is_indented: bool = False) -> str | None:
    """Return a value as JSON, None for an absent one. Keys keep their order, letters are not escaped."""
    if value is ABSENT:
        return None
    return to_indented_json(value) if is_indented else to_json_line(value)


def type_words(api: Api, schema: Schema, depth: int = 0) -> str:
    """Return a type in words: `array of Charge`, `string (date-time)`, `Card or BankAccount`."""
    extended = extended_schema(api, schema) if schema.ref is not None else None
    if extended is not None:
        return extended.name
    target = api.resolve(schema)
    if target.verdict is not None:
        return gettext("anything") if target.verdict else gettext("nothing")
    if target.broken:
        return gettext("%(name)s (unresolved)", name=target.name)
    if is_only_null(target):
        return "null"
    words = _type_words(api, schema, target, depth)
    nullable = target.nullable or schema.nullable
    or_null = f"{gettext(' or ')}null"
    return words + or_null if nullable and depth == 0 and not words.endswith(or_null) else words


def _type_words(api: Api, schema: Schema, target: Schema, depth: int) -> str:
    if target.prefix_items:
        return _plain_type(api, target, depth)
    is_union = bool(target.one_of or target.any_of) and not target.types
    items = target.items if _allows_type(target, "array") and not is_union else None
    if items is not None and items.verdict is None and depth < MAX_TYPE_DEPTH:
        list_words = gettext("array of %(type)s", type=_element_words(api, items, depth + 1))
        return _beside_other_types(target, "array", list_words)
    named = schema.ref is not None and target.name
    if named and (target.properties or target.all_of or target.one_of or target.any_of):
        return target.name
    for branches in (target.one_of, target.any_of):
        if branches and not target.types:
            return _union_words(api, branches, depth)
    branches = wrapped_branches(target) if target.all_of else ()
    if len(branches) == 1 and not target.properties and depth < MAX_TYPE_DEPTH:
        return type_words(api, branches[0], depth + 1)
    return _plain_type(api, target, depth)


def _element_words(api: Api, element: Schema, depth: int) -> str:
    """Return the type of the items of a list, or of the values of a map, in words.

    A shared list or map that holds itself, at any depth, has its name: `array of Nested`.
    """
    first = api.resolve(element)
    if first.name and any(inner.location == first.location for inner in _elements_within(api, first)):
        return first.name
    return type_words(api, element, depth)


def _elements_within(api: Api, schema: Schema) -> Iterator[Schema]:
    """Yield the items or values of a list or map, and those of each of these, if they are lists or maps."""
    for _ in range(MAX_TYPE_DEPTH):
        inner = schema.items or schema.additional_properties
        if inner is None or schema.properties:
            return
        schema = api.resolve(inner)
        yield schema


def is_only_null(schema: Schema) -> bool:
    """Say whether null is the only value: `type: 'null'`, `const: null` or `enum: [null]`."""
    return schema.const is None or schema.enum == (None,)


def _union_words(api: Api, branches: tuple[Schema, ...], depth: int) -> str:
    if depth > 2:
        return gettext("union")
    types = (type_words(api, branch, depth + 1) for branch in _plain_branches(api, branches, depth))
    names = list(dict.fromkeys(types))
    if len(names) > 4:
        rest = len(names) - 3
        return ngettext(
            "%(types)s or %(number)s more", "%(types)s or %(number)s more", rest, types=join_list(names[:3])
        )
    return gettext(" or ").join(names)


def _plain_branches(api: Api, branches: Iterable[Schema], depth: int) -> Iterator[Schema]:
    """Yield branches, in place of a union without a page its own: else a type in several of them is named twice."""
    for branch in branches:
        target = api.resolve(branch)
        inner = () if target.types else target.one_of or target.any_of
        if inner and not target.name and not target.nullable and depth < MAX_TYPE_DEPTH:
            yield from _plain_branches(api, inner, depth + 1)
        else:
            yield branch


def _plain_type(api: Api, target: Schema, depth: int) -> str:
    types = gettext(" or ").join(target.types) or _implied_type(api, target, depth)
    free = target.additional_properties
    is_map = not target.properties and depth < MAX_TYPE_DEPTH and _allows_type(target, "object")
    if free is not None and free.verdict is None and is_map:
        map_words = gettext("map of %(type)s", type=_element_words(api, free, depth + 1))
        return _beside_other_types(target, "object", map_words)
    is_repeated = target.format.lower() == types  # many generators write `format: string`
    return f"{types} ({target.format})" if target.format and not is_repeated else types


def _names_elements(schema: Schema) -> bool:
    """Say whether the type of a schema in words names what it holds or its branches, and so not its format."""
    if (schema.one_of or schema.any_of) and not schema.types:
        return True
    values = schema.additional_properties
    is_map = values is not None and values.verdict is None and not schema.properties
    is_list = schema.items is not None and not schema.prefix_items
    return (is_list and _allows_type(schema, "array")) or (is_map and _allows_type(schema, "object"))


def _allows_type(target: Schema, kind: str) -> bool:
    return not target.types or kind in target.types


def _beside_other_types(target: Schema, kind: str, words: str) -> str:
    """Return the words for the lists or maps that a schema allows, after its other types: `string or array of Card`."""
    return gettext(" or ").join((*(other for other in target.types if other != kind), words))


def _implied_type(api: Api, schema: Schema, depth: int) -> str:
    """Return the type implied by a schema without `type`."""
    if schema.properties:
        return "object"
    if schema.prefix_items:
        return "array"
    if schema.all_of:
        return _shared_type(api, schema.all_of, depth)
    values = schema.enum or ((schema.const,) if schema.const is not ABSENT else ())
    kinds = dict.fromkeys(_KINDS.get(type(value), gettext("any")) for value in values if value is not None)
    return gettext(" or ").join(kinds) if 0 < len(kinds) <= _MAX_IMPLIED_TYPES else gettext("any")


def _shared_type(api: Api, parts: tuple[Schema, ...], depth: int) -> str:
    """Return the common type of the parts of an `allOf`: mostly `object`."""
    targets = [api.resolve(part) for part in parts]
    kinds = {kind for part in targets for kind in part.types}
    has_items = all(kind == "array" for kind in kinds) and any(part.items is not None for part in targets)
    if depth >= MAX_TYPE_DEPTH or any(part.properties for part in targets):
        return "object"
    if has_items:
        items = next(part.items for part in targets if part.items is not None)
        return gettext("array of %(type)s", type=type_words(api, items, depth + 1))
    formats = dict.fromkeys(part.format for part in targets if part.format)
    format_words = f" ({', '.join(formats)})" if formats else ""
    return f"{kinds.pop()}{format_words}" if len(kinds) == 1 else "object"


_MAX_IMPLIED_TYPES = 3
"""How many types of the values of a list stand for a type; of more, the list itself says most."""
_KINDS: dict[type, str] = {
    str: "string", bool: "boolean", int: "integer", float: "number", dict: "object", list: "array",
}  # fmt: skip


def constraint_facts(
    schema: Schema, *, of: str = "", tells: bool = True, has_xml: bool = True
) -> tuple[ConstraintFact, ...]:
    """Return the constraints of a schema in words.

    With `of`, they hold for each item or value. With `tells`, they include the discriminator property, with `has_xml`
    how the value is written in XML.
    """
    facts = [*_range_facts(schema)]
    facts += [
        _sentence_fact(keyword, value, is_beta=keyword in schema.beta_keywords)
        for keyword, value in (
            *((constraint.keyword, constraint.value) for constraint in schema.constraints),
            *schema.content,
        )
        if keyword in _SENTENCES and not (keyword == "uniqueItems" and _is_no_array(schema))
    ]
    if schema.format and _names_elements(schema):
        facts.append(ConstraintFact(label=gettext("format %(value)s"), code=schema.format))
    facts += [_sentence_fact(key, value) for key, value in schema.extensions if key in _SENTENCES]
    if not isinstance(schema.extensible_enum, Absent):
        known = ", ".join(filter(None, map(format_json, schema.extensible_enum)))
        label = (
            gettext("open list; known values %(value)s")
            if known
            else gettext("open list: expect other values")
        )
        facts.append(ConstraintFact(label=label, code=known))
    facts += _closed_facts(schema)
    facts += _other_beta_keywords(schema)
    if schema.discriminator is not None and tells:
        facts.append(
            ConstraintFact(label=gettext("selected by %(value)s"), code=schema.discriminator.property_name)
        )
    if schema.xml is not None and has_xml:
        facts += _xml_facts(schema.xml)
    if not of:
        return tuple(facts)
    return tuple(replace(fact, label=each_of(of, fact.label)) for fact in facts)


def each_of(of: str, label: str) -> str:
    """Return a label for each item or value of something: `each item: at most 5 characters`."""
    if of == "item":
        return gettext("each item: %(label)s", label=label)
    if of == "value":
        return gettext("each value: %(label)s", label=label)
    return with_label(of, label)


def _closed_facts(schema: Schema) -> tuple[ConstraintFact, ...]:
    """Return that a value has no properties or items but those listed: once, whichever keywords say it."""
    closed = {"additionalProperties"} if _forbids_others(schema) else set()
    if schema.items is not None and schema.items.verdict is False and schema.prefix_items:
        closed.add("items")
    closed |= {keyword for keyword, rule in schema.others if rule.verdict is False}
    labels: dict[str, bool] = {}
    for keyword, label in _CLOSED_LABELS.items():
        if keyword in closed:
            words = gettext(label)
            labels[words] = labels.get(words, True) and keyword in schema.beta_keywords
    return tuple(ConstraintFact(label=label, is_beta=beta, is_quiet=True) for label, beta in labels.items())


def _is_no_array(schema: Schema) -> bool:
    return bool(schema.types) and "array" not in schema.types


def _forbids_others(schema: Schema) -> bool:
    free = schema.additional_properties
    return free is not None and free.verdict is False


def _other_beta_keywords(schema: Schema) -> Iterator[ConstraintFact]:
    """Yield the beta keywords that no other fact or list of values marks."""
    if not schema.beta_keywords:
        return
    shown = {"additionalProperties"} if _forbids_others(schema) else set()
    shown |= {constraint.keyword for constraint in schema.constraints} | {key for key, _ in schema.content}
    shown |= {"enum"} if schema.enum else set()
    shown |= {"const"} if schema.const is not ABSENT else set()
    for keyword in schema.beta_keywords:
        if keyword not in shown:
            yield ConstraintFact(
                label=gettext("keyword %(value)s"), code=keyword, is_beta=True, is_quiet=True
            )


_XML_NODES = {
    "element": gettext_noop("element"),
    "attribute": gettext_noop("attribute"),
    "text": gettext_noop("text"),
}
"""Kinds of nodes that have a word in other languages; further ones stay as the contract writes them."""


def _xml_facts(xml: Xml) -> list[ConstraintFact]:
    """Return how a value is written in XML, if the contract states it."""
    facts: list[ConstraintFact] = []
    if xml.name or xml.node_type:
        kind = xml.node_type or "element"
        node = gettext(_XML_NODES[kind]) if kind in _XML_NODES else kind
        if xml.name:
            label = gettext("%(node)s in XML %(value)s", node=node, value=VALUE)
        else:
            label = gettext("%(node)s in XML", node=node)
        facts.append(ConstraintFact(label=label, code=xml.name))
    if xml.is_wrapped:
        facts.append(ConstraintFact(label=gettext("wrapped in an element in XML")))
    facts += [
        ConstraintFact(label=label, code=code)
        for label, code in (
            (gettext("XML namespace %(value)s"), xml.namespace),
            (gettext("XML prefix %(value)s"), xml.prefix),
        )
        if code
    ]
    return [replace(fact, is_quiet=True) for fact in facts]


_SINGLE_TYPES = frozenset({"string", "integer", "number", "boolean", "null"})


def serialisation_facts(api: Api, parameter: Parameter) -> tuple[ConstraintFact, ...]:
    """Return how a parameter is serialised, if it differs from the default. `explode` has no effect on single values
    (OAS 3.0.3 §4.7.12.2).
    """
    types = api.resolve(parameter.schema).types if parameter.schema is not None else ()
    is_single = bool(types) and _SINGLE_TYPES.issuperset(types)
    facts = []
    is_usual = parameter.style in ("simple", "form") and parameter.explode == (parameter.style == "form")
    if not is_usual and (form := sample_form(parameter, types)):
        facts.append(ConstraintFact(label=gettext("sent as %(value)s"), code=form))
    if parameter.style not in ("simple", "form"):
        facts.append(ConstraintFact(label=gettext("style %(value)s"), code=parameter.style))
    if not is_single and parameter.explode != (parameter.style in ("form", "cookie", "deepObject")):
        facts.append(
            ConstraintFact(label=gettext("explode %(value)s"), code="true" if parameter.explode else "false")
        )
    if parameter.allow_reserved:
        facts.append(ConstraintFact(label=gettext("reserved characters are sent as they are")))
    if parameter.allow_empty:
        facts.append(ConstraintFact(label=gettext("may be empty")))
    return tuple(replace(fact, is_quiet=True) for fact in facts)


def encoding_facts(encoding: Encoding) -> tuple[ConstraintFact, ...]:
    """Return how a part of a form or multipart value is written."""
    facts = []
    if encoding.content_type:
        facts.append(ConstraintFact(label=gettext("sent as %(value)s"), code=encoding.content_type))
    if encoding.style:
        facts.append(ConstraintFact(label=gettext("style %(value)s"), code=encoding.style))
    if encoding.explode is not None:
        facts.append(
            ConstraintFact(label=gettext("explode %(value)s"), code="true" if encoding.explode else "false")
        )
    if encoding.allow_reserved:
        facts.append(ConstraintFact(label=gettext("reserved characters are sent as they are")))
    return tuple(facts)


def status_reason(status: str) -> str:
    """Return the reason phrase of a status, or what a range of them is; empty for an unknown one."""
    if status == "default":
        return gettext("Any other response")
    try:
        return HTTPStatus(int(status)).phrase  # a term of RFC 9110 §15, which is not a message
    except ValueError:
        return ""


def says_the_same(title: str, name: str) -> bool:
    """Say whether a title and a name have the same letters and digits: `Created At` and `created_at`."""
    return _normalise_letters(title) == _normalise_letters(name)


@lru_cache(maxsize=8192)
def _normalise_letters(text: str) -> str:
    """Return the letters and digits of a text; the titles and names of one contract repeat."""
    return _NO_LETTERS.sub("", text.casefold())


_COUNT_BOUNDS = tuple(
    (row.name, row.upper[0], row.description.noun)
    for row in sorted(KEYWORDS, key=lambda row: row.beside != "")
    if isinstance(row.description, CountRange) and row.upper
)
"""Minimum and maximum keywords with the noun they count, those that belong to another keyword last."""
_NUMBER_BOUNDS = tuple(
    (row.name, row.description.sign) for row in KEYWORDS if isinstance(row.description, Comparison)
)
RANGE_KEYWORDS = frozenset(
    keyword for bounds in (*_COUNT_BOUNDS, *_NUMBER_BOUNDS) for keyword in bounds[:-1] if keyword
)
"""The keywords of bounds, of which several make one range."""


def _range_facts(schema: Schema) -> Iterator[ConstraintFact]:
    """Yield the ranges, each as one fact unless only one of its bounds is beta."""
    if not schema.constraints:
        return
    values = {constraint.keyword: constraint.value for constraint in schema.constraints}
    beta = set(schema.beta_keywords)
    for low, high, noun in _COUNT_BOUNDS:
        pairs = [(low, high)] if (low in beta) == (high in beta) else [(low, ""), ("", high)]
        for pair in pairs:
            fact = _count_fact(values.get(pair[0]), values.get(pair[1]), noun)
            if fact is not None:
                yield replace(fact, is_beta=not beta.isdisjoint(pair))
    for is_beta in (False, True):
        bounds = [
            f"{sign} {format_json(values[keyword])}"
            for keyword, sign in _NUMBER_BOUNDS
            if keyword in values and (keyword in beta) is is_beta
        ]
        if bounds:
            yield ConstraintFact(label=pgettext("between two bounds", " and ").join(bounds), is_beta=is_beta)


_COUNT_WORDS = {
    "character": (
        ngettext_noop("exactly %(number)s character", "exactly %(number)s characters"),
        ngettext_noop("at most %(number)s character", "at most %(number)s characters"),
        ngettext_noop("at least %(number)s character", "at least %(number)s characters"),
        gettext_noop("%(low)s to %(high)s characters"),
    ),
    "item": (
        ngettext_noop("exactly %(number)s item", "exactly %(number)s items"),
        ngettext_noop("at most %(number)s item", "at most %(number)s items"),
        ngettext_noop("at least %(number)s item", "at least %(number)s items"),
        gettext_noop("%(low)s to %(high)s items"),
    ),
    "matching item": (
        ngettext_noop("exactly %(number)s matching item", "exactly %(number)s matching items"),
        ngettext_noop("at most %(number)s matching item", "at most %(number)s matching items"),
        ngettext_noop("at least %(number)s matching item", "at least %(number)s matching items"),
        gettext_noop("%(low)s to %(high)s matching items"),
    ),
    "property": (
        ngettext_noop("exactly %(number)s property", "exactly %(number)s properties"),
        ngettext_noop("at most %(number)s property", "at most %(number)s properties"),
        ngettext_noop("at least %(number)s property", "at least %(number)s properties"),
        gettext_noop("%(low)s to %(high)s properties"),
    ),
}
"""What a number of each noun means: that it is exact, the most, the least, or between two."""


def _count_fact(low: Any, high: Any, noun: str) -> ConstraintFact | None:
    low = low if isinstance(low, (int, float)) else None
    high = high if isinstance(high, (int, float)) else None
    if not low and high is None:
        return None
    exactly, at_most, at_least, between = _COUNT_WORDS[noun]
    if low == high:
        return ConstraintFact(label=ngettext(*exactly, high))
    if not low:
        return ConstraintFact(label=ngettext(*at_most, high))
    if high is None:
        return ConstraintFact(label=ngettext(*at_least, low))
    return ConstraintFact(label=gettext(between, low=format_number(low), high=format_number(high)))


def _dependent_members(rules: dict[str, list[str]]) -> str:
    """Return which members require which others: `card → billing, name`."""
    return "; ".join(f"{name} → {', '.join(map(str, others))}" for name, others in rules.items())


_SENTENCES = {row.name: row.description for row in KEYWORDS if isinstance(row.description, Sentence)}
_QUIET = frozenset({"pattern"})
"""The keywords whose sentences are quiet."""
_CODES: dict[str, Callable[[Any], str]] = {"dependentRequired": _dependent_members}
"""How values other than texts and numbers are written as code."""


def _sentence_fact(keyword: str, value: Any, *, is_beta: bool = False) -> ConstraintFact:
    """Return the constraint that the sentence of a keyword makes of its value."""
    sentence = _SENTENCES[keyword]
    label = gettext(sentence.label)
    if not sentence.has_code:
        label = label.replace(VALUE, format_json(value) or "")
    code = _CODES.get(keyword, str)(value) if sentence.has_code else ""
    return ConstraintFact(label=label, code=code, is_beta=is_beta, is_quiet=keyword in _QUIET)
