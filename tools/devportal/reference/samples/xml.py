"""Values as XML, by the `xml` of their schemas (OAS 3.0.3 §4.7.26, OAS 3.2.0 §4.26)."""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from devportal.contract import Api, Schema
from devportal.contract.schemas import Xml
from devportal.contract.values.conjunction import xml_of
from devportal.contract.wire_format.serialisation import scalar_text

_NAME_START = (
    "A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_NOT_IN_NAME = f"^{_NAME_START}.0-9\u00b7\u0300-\u036f\u203f\u2040-"
_NOT_IN_TEXT = "^\t\n\r\\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff"
"""What XML cannot hold, however it is written (XML 1.0 §2.2, §2.3)."""
ROOT_ELEMENT = "root"
"""The name of the outermost element where no schema has one."""


@dataclass(slots=True, kw_only=True)
class _ElementContent:
    """The content of an element: the attributes of its tag, and lines or one text."""

    namespaces: list[str] = field(default_factory=list)
    """The declarations that attributes need."""
    attributes: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    text: str = ""


@cache
def _character_pattern(characters: str) -> re.Pattern[str]:
    """Return the pattern of a set of characters: making such large ones takes a while, and few need them."""
    return re.compile(f"[{characters}]")


def xml_text(api: Api, schema: Schema | None, value: Any) -> str:
    """Return an XML document for a value."""
    name = ROOT_ELEMENT
    if schema is not None and schema.ref is not None and schema.ref.pointer:
        name = str(schema.ref.pointer[-1])
    lines = _XmlWriter(api).elements(schema, name, value, is_member=False)
    return "\n".join(('<?xml version="1.0" encoding="UTF-8"?>', *lines))


@dataclass(frozen=True, slots=True)
class _XmlWriter:
    """Writes the elements of one document."""

    api: Api

    def elements(self, schema: Schema | None, name: str, value: Any, *, is_member: bool) -> Iterator[str]:
        """Yield the lines of a value: one element, or one per item of a list that has no wrapper."""
        target, xml = self._resolve_schema(schema), xml_of(self.api, schema)
        if isinstance(value, list):
            if is_member and not xml.has_list_element:
                yield from self._items(target, name, value)
            else:
                content = _ElementContent(lines=list(self._items(target, name, value)))
                yield from _element_lines(xml, name, content)
            return
        content = _ElementContent()
        if isinstance(value, dict):
            self._fill(content, target, value)
        elif value is not None:
            content.text = _element_text(xml, value)
        yield from _element_lines(xml, name, content)

    def _items(self, target: Schema | None, name: str, values: list[Any]) -> Iterator[str]:
        for value in values:
            yield from self.elements(target.items if target else None, name, value, is_member=False)

    def _fill(self, content: _ElementContent, target: Schema | None, value: dict[str, Any]) -> None:
        for name, item in value.items():
            member = self._resolve_schema(self._property(target, str(name)))
            xml = xml_of(self.api, member)
            match xml.node_type:
                case "attribute":
                    if xml.prefix:  # an attribute without a prefix has no namespace
                        content.namespaces += _namespace_attributes(xml)
                    content.attributes.append(
                        f"{_element_name(xml, str(name))}={_quote_attribute(_legal_text(item))}"
                    )
                case "text" | "cdata":
                    content.text += _element_text(xml, item)
                case "none" if isinstance(item, dict):
                    self._fill(content, member, item)
                case _:
                    content.lines += self.elements(member, str(name), item, is_member=True)

    def _resolve_schema(self, schema: Schema | None) -> Schema | None:
        return None if schema is None else self.api.resolve(schema)

    def _property(self, target: Schema | None, name: str) -> Schema | None:
        """Return the schema of a property, also of one that a part of the schema declares."""
        if target is None:
            return None
        for property_ in target.properties:
            if property_.name == name:
                return property_.schema
        parts = (*target.all_of, *target.one_of, *target.any_of)
        found = (self._property(self._resolve_schema(part), name) for part in parts)
        return next((schema for schema in found if schema is not None), target.additional_properties)


def _element_text(xml: Xml, value: Any) -> str:
    text = _legal_text(value)
    if xml.node_type == "cdata":
        return f"<![CDATA[{text.replace(']]>', ']]]]><![CDATA[>')}]]>"
    return html.escape(text, quote=False)


def _quote_attribute(text: str) -> str:
    """Return a text as the value of an attribute: escaped, and in quotes that it does not have."""
    from xml.sax.saxutils import quoteattr  # noqa: PLC0415 - it imports what makes requests

    return quoteattr(text)


def _legal_text(value: Any) -> str:
    return _character_pattern(_NOT_IN_TEXT).sub("\ufffd", scalar_text(value))


def _element_lines(xml: Xml, name: str, content: _ElementContent) -> Iterator[str]:
    """Yield the lines of an element, with what is within indented."""
    tag = _element_name(xml, name)
    namespaces = dict.fromkeys((*_namespace_attributes(xml), *content.namespaces))
    opening = " ".join((tag, *namespaces, *content.attributes))
    if content.lines:
        yield f"<{opening}>{content.text}"
        yield from (f"  {line}" for line in _without_declarations(content.lines, namespaces))
        yield f"</{tag}>"
    elif content.text:
        yield f"<{opening}>{content.text}</{tag}>"
    else:
        yield f"<{opening}/>"


def _without_declarations(lines: list[str], namespaces: Iterable[str]) -> list[str]:
    """Return the lines within an element without its declarations of namespaces: they hold there too (Namespaces in XML
    1.0 §6.1), unless an element between has another one for the prefix.
    """
    for declaration in namespaces:
        name = declaration.partition("=")[0]
        others = (found for line in lines for found in re.findall(rf" {name}=(?:\"[^\"]*\"|'[^']*')", line))
        if all(found == f" {declaration}" for found in others):
            tag = re.compile(rf"^(\s*<[^<>]*?) {re.escape(declaration)}(?=[\s/>])")
            lines = [tag.sub(r"\1", line) for line in lines]
    return lines


def _namespace_attributes(xml: Xml) -> Iterator[str]:
    if xml.namespace:
        prefix = f":{xml.prefix}" if xml.prefix else ""
        yield f"xmlns{prefix}={_quote_attribute(xml.namespace)}"


def _element_name(xml: Xml, name: str) -> str:
    """Return the name of an element or attribute; invalid characters become underscores."""
    local = xml.name or name
    legal = _character_pattern(_NOT_IN_NAME).sub("_", local)
    legal = legal if _character_pattern(_NAME_START).match(legal) else f"_{legal}"
    return f"{xml.prefix}:{legal}" if xml.prefix else legal
