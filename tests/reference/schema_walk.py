"""Walks the schemas of a contract as they are written, and yields what they say."""

import json
from collections.abc import Iterator
from dataclasses import replace

from .claims import Claim, Form, Spot, as_code, claims_of, docs, flag, stability, texts
from .raw import Node, Raw
from .shown import Shown, letters_and_digits

NUMBERS = (
    "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength",
    "minItems", "maxItems", "minContains", "maxContains", "minProperties", "maxProperties",
)  # fmt: skip
LOW = {"minLength", "minItems", "minProperties", "minContains"}
"""Bounds that say nothing where they are 0."""
RULES = (
    "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "not",
)  # fmt: skip
OWN = ("x-unit",)
"""Extensions that are shown by their values."""


class SchemaWalk:
    """Yields what schemas say, each with a name of its own once."""

    def __init__(self, raw: Raw, shown: Shown) -> None:
        """Take the contract as it is written, and the pages made of it."""
        self.raw = raw
        self.shown = shown
        self._seen: set[tuple[str, tuple[str, ...], Spot]] = set()
        self._entered: set[tuple[str, tuple[str, ...]]] = set()

    def component_claims(self, schema: Node) -> Iterator[Claim]:
        """Yield what a schema with a name of its own says, on the page that it has."""
        key = (schema.file, schema.pointer)
        homes = self.shown.with_part_pages(self.shown.pages_titled(schema.name, folder="/schemas/"))
        if key in self._entered or not homes:
            return
        self._entered.add(key)
        yield from self._schema_body(schema, Spot(f"{schema.file}#/{'/'.join(schema.pointer)}", homes))

    def schema(self, schema: Node, here: Spot) -> Iterator[Claim]:
        """Yield what a schema says where it stands, or that its reference is followed to a page."""
        key = (schema.file, schema.pointer, here)
        if key in self._seen or self._is_internal(schema):
            return
        self._seen.add(key)
        target = self.raw.follow(schema) if isinstance(schema.value, dict) else None
        if target is None:
            yield from self._schema_body(schema, here)
            return
        if not self.raw.is_first:
            yield from self._schema_body(schema, here)
        homes = self.shown.with_part_pages(self.shown.pages_titled(target.name, folder="/schemas/"))
        if not homes:
            yield from self.schema(target, here)
            return
        yield from self.component_claims(target)
        if not set(homes) & set(here.homes):
            names = tuple(self._recognised_by(target, 0))
            yield Claim(
                where=here.where,
                kind="reference to",
                wanted=(target.name, *homes),
                form=Form.PAGE,
                homes=here.homes,
                row=here.row,
                in_place=names or (f"nothing of {target.name}",),
            )

    def _recognised_by(self, schema: Node, depth: int) -> Iterator[str]:
        """Yield the code by which a schema is known where it is shown in place: its names, or its values."""
        yield from (
            name or '""' for name, node in schema.members("properties") if not self._is_internal(node)
        )
        yield from (json.dumps(node.value, ensure_ascii=False) for node in schema.items("enum"))
        if (discriminator := schema.get("discriminator")) is not None:
            yield from (value for value, _ in discriminator.members("mapping"))
        for part in schema.items("allOf") if depth < 9 else ():
            for target in self.raw.chain(part)[-1:]:
                yield from self._recognised_by(target, depth + 1)

    def _is_internal(self, schema: Node) -> bool:
        return any(node.is_true("x-internal") for node in self.raw.chain(schema) or [schema])

    def _schema_body(self, schema: Node, here: Spot) -> Iterator[Claim]:
        """Yield what stands in a schema itself."""
        if not isinstance(schema.value, dict):
            return
        yield from texts(schema, here, "description")
        yield from self._title(schema, here)
        yield from self._types(schema, here)
        yield from self._values(schema, here)
        yield from self._machine(schema, here)
        yield from self._bounds(schema, here)
        yield from self._marks(schema, here)
        yield from docs(schema, here)
        yield from self._xml(schema, here)
        yield from self._discriminator(schema, here)
        yield from self._member_claims(schema, here)

    def _title(self, schema: Node, here: Spot) -> Iterator[Claim]:
        known = {
            letters_and_digits(text).casefold()
            for text in (here.row or "", schema.name, schema.text("description"))
        }
        title = schema.text("title")
        if letters_and_digits(title).casefold() not in known:
            yield from claims_of(here, "title", title)

    def _types(self, schema: Node, here: Spot) -> Iterator[Claim]:
        if self._is_named(schema):
            return
        written = schema.value.get("type")
        types = written if isinstance(written, list) else [written]
        for type_ in types:
            if type_ in ("string", "number", "integer", "boolean"):
                yield from claims_of(here, "type", type_)
        is_null = "null" in types or (self.raw.is_first and schema.is_true("nullable"))
        if is_null and here.row is not None and "allOf" not in here.where:
            yield from claims_of(here, "nullable", "null")
        yield from claims_of(here, "format", schema.text("format"), form=Form.WORDS)

    def _is_named(self, schema: Node) -> bool:
        """Say whether a type is shown by the name of a shared schema, whose page says the rest."""
        branches = (node for key in ("allOf", "oneOf", "anyOf") for node in schema.items(key))
        return any(node.get("$ref") is not None for node in (schema, *branches))

    def _values(self, schema: Node, here: Spot) -> Iterator[Claim]:
        for item in schema.items("enum"):
            if item.value is not None:
                yield from as_code(here, "enum", item.value)
        if schema.value.get("const") is not None:
            yield from as_code(here, "const", schema.value["const"])
        if "default" in schema.value:
            yield from claims_of(
                here, "default", f"default {json.dumps(schema.value['default'], ensure_ascii=False)}"
            )
        yield from self._enum_claims(schema, here)
        lone = [schema.value["example"]] if "example" in schema.value else []
        for value in (*lone, *(item.value for item in schema.items("examples"))):
            yield from claims_of(here, "example", value, form=Form.VALUE)

    def _enum_claims(self, schema: Node, here: Spot) -> Iterator[Claim]:
        for key in ("x-enumDescriptions", "x-enum-descriptions"):
            for name, node in schema.members(key):
                if name in (schema.value.get("enum") or ()):
                    yield from claims_of(here, f"meaning of {name}", node.value)
        values = [str(item.value) for item in schema.items("enum")]
        for key in ("x-enum-varnames", "x-enumNames", "x-enum-names"):
            for value, item in zip(values, schema.items(key), strict=False):
                is_new = (
                    letters_and_digits(value).casefold() != letters_and_digits(str(item.value)).casefold()
                )
                yield from claims_of(here, key, item.value if is_new else "", form=Form.CODE)

    def _machine(self, schema: Node, here: Spot) -> Iterator[Claim]:
        """Yield what a state machine says. The drawing names each step by its two ends, as nothing else of
        the page does; the twin names all that a state leads to.
        """
        machine = schema.get("x-state-machine")
        if machine is None:
            return
        first = [node.value for node in machine.items("initial")]
        begins = (f"Begins as {', '.join(first)}", f"Begins as {', '.join(f'`{item}`' for item in first)}")
        yield from claims_of(here, "initial", *begins if first else (), form=Form.WORDS)
        steps = [
            (source, step.text("to"))
            for step in machine.items("transitions")
            for source in [node.value for node in step.items("from")] or [step.text("from")]
        ]
        values = [item.value for item in schema.items("enum")]
        for source, target in steps:
            targets = [f"`{value}`" for value in values if (source, value) in steps]
            ends = (f"{source} to {target}", f"`{source}` → {', '.join(targets)}")
            yield from claims_of(here, "transition", *ends, form=Form.WORDS)
        for step in machine.items("transitions"):
            yield from texts(step, here, "on", "description")
            yield from claims_of(here, "event", step.text("event"), form=Form.CODE)

    def _bounds(self, schema: Node, here: Spot) -> Iterator[Claim]:
        for key in NUMBERS:
            value = schema.value.get(key)
            if (
                isinstance(value, (int, float))
                and not isinstance(value, bool)
                and not (key in LOW and not value)
            ):
                yield from claims_of(here, key, value, form=Form.NUMBER)
        for key, sign in (("exclusiveMinimum", ">"), ("exclusiveMaximum", "<")):
            if schema.value.get(key) not in (None, False):
                yield from claims_of(here, key, sign, form=Form.WORDS)
        if schema.text("pattern"):
            yield from claims_of(here, "pattern", schema.text("pattern"), form=Form.CODE)
        yield from flag(schema, here, "uniqueItems", "no duplicate items")
        for name, others in schema.members("dependentRequired"):
            yield from claims_of(
                here, "dependentRequired", f"{name} → {', '.join(others.value)}", form=Form.WORDS
            )
        for key in ("contentMediaType", "contentEncoding"):
            yield from claims_of(here, key, schema.text(key), form=Form.CODE)

    def _marks(self, schema: Node, here: Spot) -> Iterator[Claim]:
        yield from flag(schema, here, "readOnly", "read only")
        yield from flag(schema, here, "writeOnly", "write only")
        yield from flag(schema, here, "deprecated", "deprecated")
        yield from stability(schema, here)
        yield from texts(schema, here, "x-sunset")
        anywhere = replace(here, row=None)  # in a beta operation its badge says so
        for key in ("x-beta-keywords", "x-beta-values"):
            for item in schema.items(key):
                yield from claims_of(anywhere, f"{key} {item.value}", "beta")
        for key in OWN:
            if key in schema.value:
                yield from claims_of(here, key, str(schema.value[key]))
        if schema.value.get("additionalProperties") is False:
            yield from claims_of(here, "additionalProperties", "no other properties")
        for key, words in (
            ("unevaluatedProperties", "no other properties"),
            ("unevaluatedItems", "no further items"),
        ):
            if schema.value.get(key) is False:
                yield from claims_of(here, key, words)

    def _xml(self, schema: Node, here: Spot) -> Iterator[Claim]:
        xml = schema.get("xml")
        if xml is not None:
            yield from claims_of(here, "xml name", xml.text("name"), form=Form.WORDS)
            yield from claims_of(here, "xml namespace", xml.text("namespace"), form=Form.WORDS)
            yield from claims_of(here, "xml prefix", xml.text("prefix"), form=Form.WORDS)
            yield from texts(xml, here.at("xml"), "nodeType")
            yield from flag(xml, here.at("xml"), "attribute", "attribute")
            yield from flag(xml, here.at("xml"), "wrapped", "wrapped")

    def _discriminator(self, schema: Node, here: Spot) -> Iterator[Claim]:
        one = schema.get("discriminator")
        if one is not None:
            yield from claims_of(here, "discriminator", f"selected by {one.text('propertyName')}")
            default = one.text("defaultMapping").rsplit("/", 1)[-1]
            yield from claims_of(here, "defaultMapping", f"any other value is {default}" if default else "")
            for value, target in one.members("mapping"):
                yield from claims_of(here, "discriminator value", value, form=Form.CODE)
                name = str(target.value).rsplit("/", 1)[-1]
                yield from claims_of(here, f"discriminator value {value}", name)

    def _member_claims(self, schema: Node, here: Spot) -> Iterator[Claim]:
        yield from self._properties(schema, here)
        for name, node in schema.members("patternProperties"):
            yield from claims_of(replace(here, row=None), "pattern property", name, form=Form.CODE)
            yield from self.schema(node, here.at(f"~{name}", row=name))
        for key in ("allOf", "oneOf", "anyOf", "prefixItems"):
            for number, node in enumerate(schema.items(key)):
                yield from self.schema(node, here.at(f"{key}/{number}"))
        for key in ("items", "additionalProperties", *RULES, "contentSchema"):
            if (below := schema.get(key)) is not None:
                yield from self.schema(below, here.at(key))
        for name, node in schema.members("dependentSchemas"):
            yield from claims_of(here, "dependentSchemas", name, form=Form.WORDS)
            yield from self.schema(node, here.at(f"dependentSchemas {name}"))

    def _properties(self, schema: Node, here: Spot) -> Iterator[Claim]:
        required = [node.value for node in schema.items("required")]
        for name, node in schema.members("properties"):
            if self._is_internal(node) or self._is_other_way(node, here):
                continue
            if words := self._stated_words(name, node, here):
                for each in words:
                    yield from claims_of(replace(here, row=None), f"told of .{name}", each)
                continue
            row = name or '""'
            spot = here.at(f".{name}", row=row)
            yield from claims_of(replace(spot, row=None), "property", row, form=Form.CODE)
            yield from self.schema(node, spot)
            if name in required and not isinstance(node.value, bool):
                yield from claims_of(spot, "required", "required")
        for name in required:
            if name not in (schema.value.get("properties") or {}):
                yield from claims_of(here, "required", name, form=Form.REQUIRED)

    def _stated_words(self, name: str, node: Node, here: Spot) -> list[str]:
        """Return the words in which a response tells the values of a member, where it does that of all of
        them, and the member says nothing else.
        """
        if not isinstance(node.value, dict) or set(node.value) - {"type", "enum", "const"}:
            return []
        lone = [node.value["const"]] if "const" in node.value else []
        values = [*lone, *(item.value for item in node.items("enum"))]
        told = {value: words for member, value, words in here.told if member == name}
        return [told[value] for value in values] if set(values) <= told.keys() else []

    def _is_other_way(self, node: Node, here: Spot) -> bool:
        """Say whether a property goes the other way only: it is no part of this request or answer."""
        if here.sent is None:
            return False
        chain = self.raw.chain(node)[-1:] or [node]
        return chain[0].is_true("readOnly" if here.sent else "writeOnly")
