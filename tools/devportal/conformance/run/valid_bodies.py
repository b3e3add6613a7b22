"""Recognises generated requests that are valid or invalid as they are sent, or as the contract is meant, whatever the
generator calls them.
"""

import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from devportal.conformance.deployment.exchange import Exchange, Request, content_type_of, parse_json
from devportal.conformance.knowledge.requests.encoded_bodies import FORM_MEDIA_TYPE, MULTIPART
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.schemathesis.events import Case
from devportal.contract import ABSENT, ParameterLocation
from devportal.contract.media_types import documented_media_type, is_json, is_xml, media_type_essence
from devportal.contract.path_templates import path_values_pattern, placeholder_names
from devportal.contract.validate.json_schema import Direction, Reading
from devportal.contract.validate.validator import Validator
from devportal.contract.wire_format.deserialisation import TextReader, parse_multipart
from devportal.contract.wire_format.request_check import ReadParameter, RequestChecker, UncheckableValue
from devportal.contract.wire_format.request_parameters import GivenParameters, ParameterReader
from devportal.contract.wire_format.xml_values import XmlElement, XmlReader, parse_xml
from devportal.differ.witnesses.validation import FORMAT_RULES

_FORMS = (FORM_MEDIA_TYPE, MULTIPART)
_WRONG_TYPE = frozenset({"incorrect type", "type"})
"""What Schemathesis calls the rule that a value of another type breaks, in its phases of coverage and fuzzing."""
_MORE_MEMBERS = "additionalProperties"


def is_valid_as_sent(subject: Subject, case: Case) -> bool:
    """Return whether a body, or a parameter in the path or the query, that has a wrong type by the generator is valid:
    a form sends the number 0 and a list of it alike, XML and text send the number 0 and the text "0" alike, and
    `nullable` beside an `enum` of OAS 3.0 may be meant to allow null. So is a query with more members of an object
    that it has in pieces: they are texts, and no different from parameters that the contract does not have.
    """
    if case.invalid_inputs and {*case.broken_rules} == {_MORE_MEMBERS}:
        return all(_is_object_in_pieces(subject, case.exchange, *given) for given in case.invalid_inputs)
    if not case.invalid_inputs or not case.broken_rules or not _WRONG_TYPE.issuperset(case.broken_rules):
        return False
    if all(place == "body" for place, _ in case.invalid_inputs):
        return _is_valid_body(subject, case.exchange) is True
    read = {
        (parameter.parameter.location_in.value, parameter.parameter.name): parameter
        for parameter in _read_parameters(subject, case.exchange)
    }
    return all(given in read and not read[given].problems for given in case.invalid_inputs)


def _is_object_in_pieces(subject: Subject, exchange: Exchange, place: str, name: str) -> bool:
    """Return whether a parameter is an object whose members are parameters of the query (OAS 3.0.3 §4.7.12.1)."""
    operation = subject.operation(exchange.operation)
    return operation is not None and any(
        (parameter.location_in.value, parameter.name) == (place, name)
        and parameter.location_in is ParameterLocation.QUERY
        and (parameter.style, parameter.explode) == ("form", True)
        and parameter.schema is not None
        and "object" in subject.api.resolve(parameter.schema).types
        for parameter in operation.parameters
    )


def is_invalid_as_sent(subject: Subject, exchange: Exchange) -> bool:
    """Return whether a request that the generator calls valid is invalid: an empty list leaves no field in a form,
    and may be required; a value can break a format that the generator does not know, as a number beyond the range of
    `int64` or `float` does.
    """
    essence = media_type_essence(content_type_of(exchange.request.headers))
    if essence in _FORMS and _is_valid_body(subject, exchange) is False:
        return True
    strict = replace(subject, validator=Validator(subject.api, reading=Reading(format_rules=FORMAT_RULES)))
    if _is_valid_body(strict, exchange) is False and _is_valid_body(subject, exchange):
        return True
    return _has_invalid_parameter(strict, exchange) and not _has_invalid_parameter(subject, exchange)


def _has_invalid_parameter(subject: Subject, exchange: Exchange) -> bool:
    return any(read.problems for read in _read_parameters(subject, exchange))


def _read_parameters(subject: Subject, exchange: Exchange) -> tuple[ReadParameter, ...]:
    """Return the parameters that a request has in its path and query; none if one cannot be judged."""
    operation, url = subject.operation(exchange.operation), urlsplit(exchange.request.url)
    if operation is None:
        return ()
    template = urlsplit(operation.path).path
    names = placeholder_names(template)
    found = re.search(f"{path_values_pattern(template).pattern}$", url.path)
    given = GivenParameters(
        path=dict(zip(names, map(unquote, found.groups()), strict=True)) if found is not None else {},
        query=parse_qsl(url.query, keep_blank_values=True),
        query_text=url.query,
    )
    reader = ParameterReader(TextReader(subject.api, subject.validator))
    checker = RequestChecker(subject.api, subject.validator, reader)
    places = (ParameterLocation.PATH, ParameterLocation.QUERY, ParameterLocation.QUERYSTRING)
    try:
        return tuple(
            read
            for read in checker.parameters(operation, given)
            if read.value is not ABSENT and read.parameter.location_in in places
        )
    except UncheckableValue:
        return ()


def _is_valid_body(subject: Subject, exchange: Exchange) -> bool | None:
    """Return whether a body of JSON, XML or text, or a form, is valid as it is sent, None for others and what cannot
    be read.
    """
    operation, request = subject.operation(exchange.operation), exchange.request
    if operation is None or operation.request_body is None:
        return None
    content_type = content_type_of(request.headers)
    essence = media_type_essence(content_type)
    media_type = documented_media_type(operation.request_body.content, essence)
    schema = media_type.schema if media_type is not None else None
    value = _value_as_sent(request, content_type)
    if schema is None or value is ABSENT:
        return None
    texts = TextReader(subject.api, subject.validator)
    if essence == FORM_MEDIA_TYPE:
        value = texts.read_form(schema, value)
    elif essence == MULTIPART:
        value = texts.read_multipart(schema, value)
    elif isinstance(value, XmlElement):
        value = XmlReader(subject.api, texts).read_element(schema, value)
    return subject.validator.is_valid(schema, value, Direction.REQUEST)


def _value_as_sent(request: Request, content_type: str) -> Any:
    """Return the value of a body of JSON or text, the root of XML, the fields of a form, ABSENT for others and what
    cannot be read.
    """
    if request.body is None or not request.complete:
        return ABSENT
    essence = media_type_essence(content_type)
    try:
        if is_json(essence):
            return parse_json(request.body)
        if essence == FORM_MEDIA_TYPE:
            return tuple(parse_qsl(request.body.decode(), keep_blank_values=True))
        if essence == MULTIPART:
            return tuple(parse_multipart(content_type, request.body))
        if is_xml(essence):
            return parse_xml(request.body)
        if essence.startswith("text/"):
            return request.body.decode()
    except ValueError:
        return ABSENT
    return ABSENT
