"""Values as XML, by the `xml` of their schemas."""

from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.reference.samples.request import TextBody
from devportal.reference.samples.sample_requests import sample_requests
from devportal.reference.samples.xml import xml_text
from tests.reference.reading import api_from, pages_of

PERSON = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "xml": {"attribute": True}},
        "name": {"type": "string", "xml": {"namespace": "https://example.com/s", "prefix": "s"}},
        "pets": {"type": "array", "items": {"type": "string"}},
        "cars": {"type": "array", "items": {"type": "string", "xml": {"name": "car"}}},
        "books": {
            "type": "array",
            "xml": {"wrapped": True, "name": "library"},
            "items": {"type": "string", "xml": {"name": "book"}},
        },
        "home": {"allOf": [{"$ref": "#/components/schemas/Address"}]},
        "none": {"nullable": True},
    },
}
ADDRESS = {"type": "object", "properties": {"zip": {"type": "string", "xml": {"attribute": True}}}}
VALUE = {
    "id": 7,
    "name": "A & <B>",
    "pets": ["cat", "dog"],
    "cars": ["a"],
    "books": ["x", "y"],
    "home": {"zip": '"1"'},
    "none": None,
    "two words": True,
}


def body(schema: dict[str, Any], value: Any) -> str:
    """Return the body of the sample of an operation that takes XML."""
    media = {"schema": schema, "example": value}
    paths = {"/a": {"post": {"requestBody": {"content": {"application/xml": media}}, "responses": {}}}}
    components = {"schemas": {"Person": PERSON, "Address": ADDRESS}}
    api = api_from({"openapi": "3.0.3", "paths": paths, "components": components})
    made = sample_requests(api, api.operations[0])[0].request.body
    assert isinstance(made, TextBody)
    return made.text


def test_value_is_written_as_its_schema_says() -> None:
    """Attributes, names, namespaces, and lists with and without an element around them."""
    assert body({"$ref": "#/components/schemas/Person"}, VALUE).splitlines() == [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<Person id="7">',
        '  <s:name xmlns:s="https://example.com/s">A &amp; &lt;B&gt;</s:name>',
        "  <pets>cat</pets>",
        "  <pets>dog</pets>",
        "  <car>a</car>",
        "  <library>",
        "    <book>x</book>",
        "    <book>y</book>",
        "  </library>",
        "  <home zip='\"1\"'/>",
        "  <none/>",
        "  <two_words>true</two_words>",
        "</Person>",
    ]


@pytest.mark.parametrize(
    ("schema", "value", "document"),
    [
        ({"type": "object", "xml": {"name": "a"}}, {"b": 1}, "<a>\n  <b>1</b>\n</a>"),
        (
            {"type": "array", "items": {"type": "integer", "xml": {"name": "n"}}},
            [1],
            "<root>\n  <n>1</n>\n</root>",
        ),
        ({"type": "integer"}, 5, "<root>5</root>"),
        ({"type": "object"}, {}, "<root/>"),
    ],
)
def test_root_has_a_name_of_its_own(schema: dict[str, Any], value: Any, document: str) -> None:
    """A schema without name and values that are no objects have a root element too."""
    assert body(schema, value) == f'<?xml version="1.0" encoding="UTF-8"?>\n{document}'


def test_xml_that_is_given_stays() -> None:
    """An example that is XML already is sent as it is."""
    assert body({"type": "object"}, "<a/>") == "<a/>"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text('a1.-é日 <&"\x00²:', max_size=5), inner)
    ),
    max_leaves=8,
)


@given(values)
def test_any_value_is_well_formed(value: Any) -> None:
    """Whatever the names and texts are."""
    ElementTree.fromstring(xml_text(api_from({"paths": {}}), None, value).encode())  # noqa: S314 - our own


def test_rows_and_samples_agree_on_what_stands_behind_all_of() -> None:
    """What refers to others decides, and the last of those; the rest of an `xml` object is not mixed in."""
    label = {"type": "string", "xml": {"name": "label", "prefix": "t", "namespace": "urn:t"}}
    reference = {"allOf": [{"$ref": "#/components/schemas/Label"}]}
    cat = {
        "allOf": [
            {"type": "object", "xml": {"name": "pet"}, "properties": {"id": {"type": "integer"}}},
            {
                "type": "object",
                "xml": {"name": "cat"},
                "properties": {
                    "tag": reference,
                    "other": {**reference, "xml": {"name": "otherTag"}},
                    "tags": {"type": "array", "xml": {"wrapped": True}, "items": reference},
                },
            },
        ]
    }
    media = {
        "schema": {"$ref": "#/components/schemas/Cat"},
        "example": {"tag": "a", "other": "b", "tags": ["c"]},
    }
    responses = {"200": {"description": "A cat", "content": {"application/xml": media}}}
    api = api_from(
        {
            "openapi": "3.0.3",
            "paths": {"/a": {"get": {"operationId": "a", "responses": responses}}},
            "components": {"schemas": {"Cat": cat, "Label": label}},
        }
    )

    (response,) = api.operations[0].responses
    text = xml_text(api, response.content[0].schema, media["example"])
    twin = pages_of(api)["reference/a/a.md"].markdown

    assert text.splitlines()[1:] == [
        "<cat>",
        '  <t:label xmlns:t="urn:t">a</t:label>',
        "  <otherTag>b</otherTag>",
        "  <tags>",
        '    <t:label xmlns:t="urn:t">c</t:label>',
        "  </tags>",
        "</cat>",
    ]
    rules = [line.strip() for line in twin.splitlines() if "Rules:" in line]
    assert [rule for rule in rules if "XML" in rule] == [
        "Rules: element in XML `cat`",
        "Rules: element in XML `label`; XML namespace `urn:t`; XML prefix `t`",
        "Rules: element in XML `otherTag`",
        (
            "Rules: wrapped in an element in XML; each item: element in XML `label`; "
            "each item: XML namespace `urn:t`; each item: XML prefix `t`"
        ),
    ]


def test_namespaces_are_declared_once_where_they_are_needed() -> None:
    """Not again within an element that declares them; an attribute with a prefix needs one too."""
    soap = {"prefix": "s", "namespace": "urn:soap"}
    other = {"prefix": "s", "namespace": "urn:other"}
    header = {"type": "object", "xml": other, "properties": {"id": {"type": "string", "xml": {**soap}}}}
    unit = {"type": "string", "xml": {"attribute": True, "prefix": "u", "namespace": "urn:u"}}
    inner = {"type": "object", "xml": {"prefix": "s", "namespace": "urn:soap"}, "properties": {"unit": unit}}
    plain = {"type": "object", "xml": {"name": "e", **soap}, "properties": {"Body": inner}}
    mixed = {"type": "object", "xml": {"name": "e", **soap}, "properties": {"Head": header}}

    assert body(plain, {"Body": {"unit": "m"}}).splitlines()[1:] == [
        '<s:e xmlns:s="urn:soap">',
        '  <s:Body xmlns:u="urn:u" u:unit="m"/>',
        "</s:e>",
    ]
    assert body(mixed, {"Head": {"id": "1"}}).splitlines()[1:] == [
        '<s:e xmlns:s="urn:soap">',
        '  <s:Head xmlns:s="urn:other">',
        '    <s:id xmlns:s="urn:soap">1</s:id>',
        "  </s:Head>",
        "</s:e>",
    ]
