"""Query parameters that choose the members of a response, such as `fields` and `$select`: a response has these members,
and leaves out others.

What a deployment always sends is hardly described, so only what the contract calls the only members is compared one by
one. Else it is a failure that nothing at all is left out.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.responses.included_resources import included_probes
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.json_api import members_schema, with_attributes_as_members
from devportal.conformance.knowledge.paging import fill_list, list_target, page_size_limits, with_query
from devportal.conformance.knowledge.requests.inputs import authorised_request, conjunction_for_value
from devportal.conformance.knowledge.requests.member_choices import CHOICE_NAMES
from devportal.conformance.knowledge.requests.valid_request import example_request_values
from devportal.conformance.knowledge.resources.created_resources import (
    create_resource,
    is_success,
    resource_json,
    response_json,
)
from devportal.conformance.knowledge.resources.representation_match import resource_schema
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import ABSENT, Operation, Parameter, ParameterLocation, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Listing, Resource, object_properties
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.member_rules import EMPTY_VALUES
from devportal.documents import member_at

FEWEST_MEMBERS = 3
"""How many members a representation needs, so that one is chosen and others are left out."""
MOST_ITEMS = 20
MOST_NAMED = 8
"""How many members a message names."""
_OF_TYPE = re.compile(r"fields\[([^\[\]]+)\]")
_ONLY = re.compile(
    r"\bonly (?:these|those|the (?:given|listed|named|requested|selected|specified|chosen)|what|returns?|includes?|"
    r"shows?)\b|\b(?:returns?|includes?|shows?|contains?) only\b",
    re.IGNORECASE,
)
_ADDS = re.compile(
    r"\b(?:additional\w*|extra|adds?|added|besides|also|expand\w*|hidden|omit\w*|exclu\w+|"
    r"search\w*|match\w*|find\w*|look\w*|filter\w*|sort\w*|order\w*|group\w*)\b",
    re.IGNORECASE,
)
"""Words of parameters that add members to the usual ones, leave out what they name, or choose where to search."""
_MEMBERS = re.compile(r"\b(?:fields|members|properties|attributes|columns)\b", re.IGNORECASE)
_RETURNED = re.compile(
    r"\b(?:return\w*|respon\w*|includ\w*|select\w*|show\w*|retriev\w*|fetch\w*|only|sparse|partial\w*|limit\w*)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[`'\"]([\w$.@-]+)[`'\"]")
_LINKS = re.compile(r"[_@$].*|type|kind|object|links?|href|self|url|uri|etag|relationships", re.IGNORECASE)
"""Names of members that tell what an object is and where it is, whatever was chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choice:
    """A parameter that chooses members, the operation that takes it, and what it returns: the items of a `listing`, or
    one `resource`.
    """

    operation: Operation
    parameter: Parameter
    resource: Resource | None
    listing: Listing | None

    @property
    def is_only(self) -> bool:
        """Whether the description calls the chosen members the only ones, and no others those that are always sent."""
        description = self.parameter.description
        return _ONLY.search(description) is not None and "always" not in description.lower()

    @property
    def always_shown(self) -> frozenset[str]:
        """The members that a response has anyhow: its identifier, and those that the description names."""
        key = self.resource.key[:1] if self.resource is not None else ()
        return frozenset((*key, "id", *_QUOTED.findall(self.parameter.description)))

    def schema(self, subject: Subject) -> Schema | None:
        """Return the schema of a representation, with the attributes of JSON:API as members."""
        if self.listing is not None and self.listing.item is not None:
            return members_schema(subject.api, self.listing.item, "")
        statuses = [int(success.status) for success in self.operation.successes if success.status.isdigit()]
        is_read = self.resource is not None and bool(statuses)
        return (
            resource_schema(subject, self.resource, self.operation, statuses[0])
            if self.resource is not None and is_read
            else None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """A response and the representations in it, JSON:API's attributes of them."""

    exchange: Exchange
    shown: tuple[Mapping[str, Any], ...]

    @property
    def names(self) -> frozenset[str]:
        """The members that any representation has."""
        return frozenset(name for members in self.shown for name in members)

    @property
    def filled_names(self) -> frozenset[str]:
        """The members that all representations have, with values."""
        filled = [
            {name for name, value in members.items() if value not in EMPTY_VALUES} for members in self.shown
        ]
        return frozenset(set.intersection(*filled)) if filled else frozenset()


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each reading and each list with a parameter that chooses members, or resources to include."""
    for choice in _choices(subject):
        run = partial(_check_choice, subject, choice)
        yield Probe(operation=operation_label(choice.operation), run=run)
    yield from included_probes(subject)


def _choices(subject: Subject) -> Iterator[_Choice]:
    """Yield the parameters that choose members of what a resource's reading or a list returns."""
    listings = {listing.operation.path: listing for listing in subject.listings}
    resources = {
        operation.path: resource
        for resource in subject.resources
        for operation in (resource.read, resource.listing.operation if resource.listing else None)
        if operation is not None
    }
    for operation in (operation for operation in subject.operations if operation.method == "GET"):
        listing, resource = listings.get(operation.path), resources.get(operation.path)
        for parameter in operation.parameters if listing or resource else ():
            if _chooses_members(subject, operation, parameter):
                choice = _Choice(operation=operation, parameter=parameter, resource=resource, listing=listing)
                if any(True for _ in _named_members(subject, choice)):
                    yield choice


def _chooses_members(subject: Subject, operation: Operation, parameter: Parameter) -> bool:
    """Return whether a parameter chooses members: by its name, and by its words, or without words by its enumeration. A
    search may have one that says where to search.
    """
    is_certain = parameter.name == "$select" or _OF_TYPE.fullmatch(parameter.name) is not None
    description = parameter.description
    if (
        parameter.location_in is not ParameterLocation.QUERY
        or not (is_certain or matches_any_name(parameter.name, CHOICE_NAMES))
        or parameter.schema is None
        or _ADDS.search(description)
    ):
        return False
    if description and not is_certain:
        is_named = bool(_enumeration(subject, parameter)) or _MEMBERS.search(description) is not None
        return is_named and _RETURNED.search(description) is not None
    searches = subject.conventions.search
    return is_certain or (
        bool(_enumeration(subject, parameter))
        and not any(matches_any_name(other.name, searches) for other in operation.parameters)
    )


def _enumeration(subject: Subject, parameter: Parameter) -> tuple[str, ...]:
    schema = subject.api.resolve(parameter.schema) if parameter.schema is not None else None
    if schema is not None and schema.items is not None:
        schema = subject.api.resolve(schema.items)
    return tuple(value for value in schema.enum if isinstance(value, str)) if schema is not None else ()


def _named_members(subject: Subject, choice: _Choice) -> Iterator[str]:
    """Yield the members that a parameter can name and a response can leave out."""
    schema, allowed = choice.schema(subject), _enumeration(subject, choice.parameter)
    for member in object_properties(subject.api, schema) if schema is not None else ():
        is_allowed = not allowed or member.name in allowed
        if is_allowed and member.name not in choice.always_shown and not _LINKS.fullmatch(member.name):
            yield member.name


def _check_choice(subject: Subject, choice: _Choice, send: Send) -> Iterator[CheckFailure]:
    """Read everything, then two members one after the other, then all but one if the parameter takes several."""
    subject = _with_representation(subject, choice, send)
    whole = _read(subject, choice, (), send)
    required = _required_names(subject, choice, whole)
    named = _named_members(subject, choice)
    optional = [name for name in named if name in whole.filled_names and name not in required]
    if len(optional) < FEWEST_MEMBERS:
        raise Unsendable(f"a representation with {FEWEST_MEMBERS} optional members that can be chosen")
    chosen: list[tuple[str, ...]] = [(optional[0],), (optional[-1],)]
    if _takes_several(subject, choice.parameter):
        chosen.append((optional[0], *optional[2:]))
    for names in chosen:
        part = _read(subject, choice, names, send)
        title, message = _difference(subject, choice, whole, part, names)
        if title:
            yield CheckFailure(
                title=title,
                message=message,
                operation=operation_label(choice.operation),
                promise=choice.parameter.location,
                evidence=(whole.exchange, part.exchange),
            )
            return


def _difference(
    subject: Subject, choice: _Choice, whole: _Reading, part: _Reading, names: Sequence[str]
) -> tuple[str, str]:
    """Return the title and the message of what is wrong with a response that should have some members, or nothing."""
    name, asked = choice.parameter.name, ",".join(names)
    missing = [text for text in names if text not in part.names]
    if missing:
        return (
            f"{name!r} leaves out a member that is asked for",
            f"{name}={asked} gets no {missing[0]!r}, which is shown without the parameter",
        )
    others = part.names.intersection(_named_members(subject, choice)) - frozenset(names)
    unasked = sorted(others - _required_names(subject, choice, whole))
    is_ignored = len(names) == 1 and part.names >= whole.filled_names
    if unasked and (choice.is_only or is_ignored):
        return (
            f"{name!r} does not leave out what is not asked for",
            f"{name}={asked} gets {', '.join(map(repr, unasked[:MOST_NAMED]))} too",
        )
    return "", ""


def _required_names(subject: Subject, choice: _Choice, whole: _Reading) -> frozenset[str]:
    """Return the members that the schema of a response requires, whatever is asked for."""
    schema = choice.schema(subject)
    if schema is None:
        return frozenset()
    combined = conjunction_for_value(subject, schema, whole.shown[0], Direction.RESPONSE).schema
    return frozenset(combined.required)


def _with_representation(subject: Subject, choice: _Choice, send: Send) -> Subject:
    """Return the subject whose requests read a new resource, or a list with items."""
    if choice.listing is not None:
        fill_list(list_target(subject, choice.listing), send)
        return subject
    resource = choice.resource
    if resource is None or resource.create is None:
        return subject
    return with_resource_id(subject, resource, create_resource(subject, resource, send).id)


def _read(subject: Subject, choice: _Choice, names: Sequence[str], send: Send) -> _Reading:
    """Read with some members, or with all if none are named. Raises Unsendable if nothing is shown: what is chosen may
    be a path from the root of the response.
    """
    exchange = send(choice.operation, _request(subject, choice, names))
    if choice.listing is not None:
        found = member_at(response_json(exchange), choice.listing.items)
        values = found[:MOST_ITEMS] if isinstance(found, list) else []
    else:
        values = [resource_json(choice.resource, exchange)] if choice.resource is not None else []
    shown = [with_attributes_as_members(value) for value in values]
    reading = _Reading(exchange=exchange, shown=tuple(value for value in shown if isinstance(value, dict)))
    if not is_success(exchange) or not reading.names:
        raise Unsendable("a representation that the credential of the run may read, with chosen members too")
    return reading


def _request(subject: Subject, choice: _Choice, names: Sequence[str]) -> Request:
    unique_names = subject.conventions.idempotency_key
    examples = example_request_values(subject.api, choice.operation, subject.values, unique_names)
    values = next(examples).with_parameter(choice.parameter, ABSENT)
    if names:
        is_list = _is_list(subject, choice.parameter)
        values = values.with_parameter(choice.parameter, list(names) if is_list else ",".join(names))
    request = authorised_request(subject, values)
    listing = choice.listing
    if listing is None or listing.limit is None:
        return request
    return with_query(request, {listing.limit.name: str(page_size_limits(listing)[1])})


def _is_list(subject: Subject, parameter: Parameter) -> bool:
    return parameter.schema is not None and "array" in subject.api.resolve(parameter.schema).types


def _takes_several(subject: Subject, parameter: Parameter) -> bool:
    """Return whether a parameter takes several members: as a list, or in a text that commas divide."""
    has_commas = "comma" in parameter.description.lower() or not matches_any_name(
        parameter.name, CHOICE_NAMES
    )
    return _is_list(subject, parameter) or (has_commas and not _enumeration(subject, parameter))


FAMILY = Family(
    name="sparse-fields",
    summary="responses have the members that are asked for",
    words=CheckDescription(
        promise="A query parameter that chooses members, such as `fields`, `fields[type]` or `$select`, gets a "
        "response with these members, and leaves out others. `include` of JSON:API adds the resources that a response "
        "refers to, and only these.",
        test="A resource, and the items of a list, are read without the parameter, then with one member, with another, "
        "and with all but one. Each must be there. If the response has all other members as well, or one of them "
        "although the description says “only these”, it is a failure. Identifiers, links, members that the schema "
        "requires, and those that the description names may always be there. The parameter is recognized by its name, "
        "and by its `enum` or its description. A resource with relationships, and its list, are read with `include`: "
        "what a relationship names and can be read must be in `included`, once, and nothing that none names.",
        remedy="Select the members before the response is written, in lists too.",
        sources=("OAS 3.0.3 §4.7.12", "JSON:API 1.1 §6.2, §6.3, §7.2", "OData 4.01 Part 1 §11.2.5.1"),
    ),
    needs="a parameter such as `fields`, whose `enum` or description names members of the response, or `include` of "
    "JSON:API",
    probes=probes,
    about_state=True,
)
