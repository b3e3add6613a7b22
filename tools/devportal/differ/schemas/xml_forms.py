"""How a value is written in XML: by which element or attribute (OAS 3.0.3 §4.7.26, OAS 3.2.0 §4.26)."""

from typing import NamedTuple

from devportal.contract import Schema
from devportal.contract.schemas import Xml
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.phrase import phrase
from devportal.differ.rule import quote_value


class XmlPlace(NamedTuple):
    """Where a value stands in an XML document, and its name in both contracts unless `xml.name` gives another.

    The name is that of a property, or that of the component that describes the root. It is empty for any other
    root, which then has no name. Only the list of a property (`is_property`) can lack an element.
    """

    old_name: str
    new_name: str
    is_property: bool = False


class XmlForm(NamedTuple):
    """The node of an XML document that a value is: `element`, `attribute`, `text`, or `none` for no node."""

    node: str
    name: str = ""
    namespace: str = ""
    prefix: str = ""
    is_named: bool = False
    """Whether `xml.name` gives the name."""

    def description(self) -> str:
        """Return the node in words: `the element "guest"`, `the attribute "x:lang" of the namespace "urn:x"`."""
        if not self.name and self.node == "element":
            return phrase("an element without a documented name")
        name: str = quote_value(f"{self.prefix}:{self.name}" if self.prefix else self.name)
        if self.namespace:
            name = phrase(
                "%(name)s of the namespace %(namespace)s", name=name, namespace=quote_value(self.namespace)
            )
        match self.node:
            case "element":
                return phrase("the element %(name)s", name=name)
            case "attribute":
                return phrase("the attribute %(name)s", name=name)
            case "text":
                return phrase("the text of an element")
        return phrase("no separate element")


def is_rewritten(old: XmlForm, new: XmlForm) -> bool:
    """Say whether two nodes differ; a root without a name may be called as the component that now describes it."""
    if not (old.name and new.name) and not (old.is_named or new.is_named):
        old, new = old._replace(name=""), new._replace(name="")
    return old._replace(is_named=False) != new._replace(is_named=False)


def root_place(old: Schema | None, new: Schema | None) -> XmlPlace:
    """Return the place of the root of a document: the component that a schema refers to names it."""
    return XmlPlace(_component_name(old), _component_name(new))


def _component_name(schema: Schema | None) -> str:
    if schema is None:
        return ""
    location = schema.ref or schema.location
    return location.pointer[-1] if location.pointer[:2] == ("components", "schemas") else ""


def xml_form(form: NormalSchema, name: str, *, is_property: bool) -> XmlForm:
    """Return how the values of a form are written that have a name unless their schema gives another."""
    xml = form.xml or Xml()
    node = xml.node_type or "element"
    if form.types == {"array"} and is_property and not xml.has_list_element:
        return XmlForm("none")
    if node in ("text", "cdata"):
        return XmlForm("text")
    if node == "none":
        return XmlForm("none")
    return XmlForm(node, xml.name or name, xml.namespace, xml.prefix, bool(xml.name))


def item_name(form: NormalSchema, name: str, *, is_property: bool) -> str:
    """Return the name of the items of a list unless their schema gives another: that of the list itself."""
    return xml_form(form, name, is_property=is_property).name or name
