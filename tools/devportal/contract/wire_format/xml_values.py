"""XML documents as values, by the `xml` of their schemas (OAS 3.0.3 §4.7.26, OAS 3.2.0 §4.26).

The other direction is `reference.samples.xml`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from devportal.contract import ABSENT, Api, Schema
from devportal.contract.schemas import Xml
from devportal.contract.values.conjunction import xml_of
from devportal.contract.wire_format.deserialisation import TextReader

_MAX_NESTING = 100
_LISTED = "element"


@dataclass(slots=True, kw_only=True)
class XmlElement:
    """An element of a document. Names have no prefix, and `attributes` no namespaces."""

    name: str
    attributes: Mapping[str, str]
    children: list["XmlElement"] = field(default_factory=list)
    text: str = ""


def parse_xml(document: bytes) -> XmlElement:
    """Return the root of a document. Raises ValueError for one that is not well-formed, that has a document type,
    whose entities can grow without end, or that is nested too deeply.
    """
    root = XmlElement(name="", attributes={})
    path = [root]

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(path) > _MAX_NESTING:
            raise ValueError(f"the body is nested more than {_MAX_NESTING} levels deep")
        plain = {key: value for key, value in attributes.items() if key != "xmlns" and ":" not in key}
        element = XmlElement(name=name.rpartition(":")[2], attributes=plain)
        path[-1].children.append(element)
        path.append(element)

    def add_text(text: str) -> None:
        path[-1].text += text

    def refuse_document_type(*_: Any) -> None:
        raise ValueError("the body has a document type, which is not allowed")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: path.pop()
    parser.CharacterDataHandler = add_text
    parser.StartDoctypeDeclHandler = refuse_document_type
    try:
        parser.Parse(document, True)  # noqa: FBT003 - it has no name
    except (expat.ExpatError, LookupError) as error:
        raise ValueError(f"the body is not XML: {error}") from error
    return root.children[0]


class XmlReader:
    """Reads XML documents for the schemas of one contract."""

    def __init__(self, api: Api, texts: TextReader) -> None:
        """Take the contract and what reads its texts."""
        self._api = api
        self._texts = texts

    def read(self, schema: Schema | None, document: bytes) -> Any:
        """Return the value that a document is for a schema. Raises ValueError as `parse_xml` does."""
        return self.read_element(schema, parse_xml(document))

    def read_element(self, schema: Schema | None, element: XmlElement) -> Any:
        """Return the value that an element is for a schema."""
        is_object = self._texts.is_object(schema)
        if self._texts.is_list(schema) and not is_object:
            items = self._texts.items(schema)
            return [self.read_element(items, child) for child in element.children]
        has_members = bool(element.children or element.attributes)
        if has_members or (is_object and not element.text.strip()):
            return self._members(schema, element)
        kinds = self._texts.kinds(schema) if schema is not None else frozenset({"string"})
        return self._texts.read(schema, element.text if "string" in kinds else element.text.strip())

    def _members(self, schema: Schema | None, element: XmlElement) -> dict[str, Any]:
        """Return the members that the attributes, children and text of an element are. Those that no schema describes
        have their own names.
        """
        members: dict[str, Any] = {}
        known: set[str] = set()
        for name, described in self._texts.members(schema).items():
            names, value = self._member(name, described, element)
            known.update(names)
            if value is not ABSENT:
                members[name] = value
        others = {child.name: child for child in element.children if child.name not in known}
        undescribed = {name: self.read_element(None, child) for name, child in others.items()}
        attributes = {name: text for name, text in element.attributes.items() if f"@{name}" not in known}
        return attributes | undescribed | members

    def _member(self, name: str, schema: Schema, element: XmlElement) -> tuple[tuple[str, ...], Any]:
        """Return the names of the children that a member may be, with `@` before that of an attribute, and its value,
        ABSENT if the element has none.
        """
        xml = xml_of(self._api, schema)
        local = xml.name or name
        if xml.node_type == "attribute":
            text = element.attributes.get(local)
            return (f"@{local}",), ABSENT if text is None else self._texts.read(schema, text)
        if xml.node_type in ("text", "cdata"):
            return (), self._texts.read(schema, element.text) if element.text.strip() else ABSENT
        if self._is_unwrapped_list(schema, xml):
            items = self._texts.items(schema)
            listed = xml_of(self._api, items)
            names = (listed.name or name, name)
            found = [self.read_element(items, child) for child in element.children if child.name in names]
            return names, found or ABSENT
        last = next((child for child in reversed(element.children) if child.name == local), None)
        return (local,), ABSENT if last is None else self.read_element(schema, last)

    def _is_unwrapped_list(self, schema: Schema, xml: Xml) -> bool:
        is_wrapped = xml.is_wrapped or xml.node_type == _LISTED
        return self._texts.is_list(schema) and not is_wrapped
