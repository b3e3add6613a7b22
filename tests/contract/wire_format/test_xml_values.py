"""XML documents are values by the `xml` of their schemas."""

from typing import Any

import pytest

from devportal.contract import Api
from devportal.contract.validate.validator import Validator
from devportal.contract.wire_format.deserialisation import TextReader
from devportal.contract.wire_format.xml_values import XmlReader, parse_xml
from devportal.reference.samples.xml import xml_text
from tests.contract.inline import api

STATION = """\
components:
  schemas:
    Station:
      type: object
      xml: {name: station, prefix: s, namespace: 'urn:stations'}
      properties:
        id: {type: integer, xml: {attribute: true}}
        name: {type: string}
        online: {type: boolean}
        note: {type: string, xml: {name: remark}}
        sensors: {type: array, xml: {wrapped: true}, items: {type: string, xml: {name: sensor}}}
        values: {type: array, items: {type: number, xml: {name: value}}}
        place: {type: object, properties: {lat: {type: number}}}
"""


@pytest.fixture(name="stations", scope="module")
def _stations() -> Api:
    return api(STATION, version="3.0.3")


def value_of(stations: Api, document: str) -> Any:
    """Return what a document is for the schema of a station."""
    schema = next(found for at, found in stations.schemas.items() if at.pointer[-1] == "Station")
    return XmlReader(stations, TextReader(stations, Validator(stations))).read(schema, document.encode())


@pytest.mark.parametrize(
    "station",
    [
        {"id": 7, "name": "Hill & Dale", "online": True, "note": "5"},
        {"sensors": ["a", "b"], "values": [1, 2.5], "place": {"lat": 1.5}},
        {"sensors": [], "name": ""},
        {"values": [3]},
    ],
)
def test_what_is_written_is_read(stations: Api, station: dict[str, Any]) -> None:
    """Attributes, other names, lists with and without a wrapper, and objects in objects."""
    schema = next(found for at, found in stations.schemas.items() if at.pointer[-1] == "Station")

    assert value_of(stations, xml_text(stations, schema, station)) == station


@pytest.mark.parametrize(
    ("document", "value"),
    [
        ("<station>0</station>", "0"),
        ("<station/>", {}),
        ("<station id='x'/>", {"id": "x"}),
        ("<station><online> true </online></station>", {"online": True}),
        ("<station><extra><a>1</a></extra></station>", {"extra": {"a": "1"}}),
        ("<station><name><b/></name></station>", {"name": {"b": ""}}),
    ],
)
def test_what_the_schema_does_not_describe_stays_to_be_refused(
    stations: Api, document: str, value: Any
) -> None:
    """A validator sees the wrong types and the unknown members."""
    assert value_of(stations, document) == value


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (b"<a", "not XML"),
        (b"", "not XML"),
        (b"<a></b>", "not XML"),
        (b"<?xml version='1.0' encoding='utf-99'?><a/>", "not XML"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "document type"),
        (b"<a>" * 200 + b"</a>" * 200, "nested"),
        (b"<a>\x00</a>", "not XML"),
    ],
)
def test_what_is_no_safe_document_is_refused(document: bytes, message: str) -> None:
    """Entities can grow without end, and so can the nesting."""
    with pytest.raises(ValueError, match=message):
        parse_xml(document)
