"""Every documented link of a response leads to an existing resource (OAS 3.0.3 §4.7.20), and so do the links in
its body.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from devportal.conformance.deployment.exchange import SAFE_METHODS, Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.families.responses.body_links import body_link_probes
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.paging import with_query
from devportal.conformance.knowledge.requests.request_variants import with_header, with_new_idempotency_key
from devportal.conformance.knowledge.resources.created_resources import (
    GONE_STATUSES,
    is_success,
    poll_until,
    response_json,
)
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Link, LinkTargets, Operation, ParameterLocation, Response

BODY_EXPRESSION, HEADER_EXPRESSION = "$response.body#", "$response.header."
QUERY_EXPRESSION, PATH_EXPRESSION = "$request.query.", "$request.path."


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for the links in the body of each operation that reads something, and for each documented link
    of each operation that reads or creates something. Links of operations that change or delete are not followed, and
    after a read only links to safe methods are. Targets are tested operations on the same server.
    """
    yield from body_link_probes(subject)
    targets = LinkTargets(subject.operations)
    for operation in subject.operations:
        if operation.method not in ("GET", "POST"):
            continue
        for response in operation.successes:
            for link in response.links:
                target = targets.of(link) if link.server is None else None
                if target is not None and (operation.method == "POST" or target.method in SAFE_METHODS):
                    run = partial(_follow_link, subject, operation, response, link, target)
                    yield Probe(operation=operation_label(operation), run=run)


def _follow_link(
    subject: Subject, operation: Operation, response: Response, link: Link, target: Operation, send: Send
) -> Iterator[CheckFailure]:
    request = subject.valid(operation)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    start = send(operation, with_new_idempotency_key(subject, operation, request))
    if not is_success(start) or documented_response(operation, start.status) is not response:
        raise Unsendable("the documented response with the link")
    link_values = _link_parameters(operation, link, start)
    link_request = _link_request(subject, target, link_values)
    must_exist = target.method in SAFE_METHODS and _gives_all_path_parameters(target, link_values)
    end = poll_until(
        lambda: send(target, link_request),
        send,
        lambda exchange: not must_exist or exchange.status not in GONE_STATUSES,
    )
    wrong = end.answer is None or end.status >= 500 or (must_exist and end.status in GONE_STATUSES)
    if wrong:
        yield CheckFailure(
            title=f"the link {link.name!r} leads nowhere",
            message=f"{operation_label(target)} gets {end.outcome}",
            operation=operation_label(operation),
            promise=link.location,
            evidence=(start, end),
        )


def _link_parameters(operation: Operation, link: Link, start: Exchange) -> dict[str, str]:
    """Return the parameters that a link passes on; parameters that the request did not have are omitted.

    Raises Unsendable if the response lacks the value for the link.
    """
    link_values: dict[str, str] = {}
    for name, expression in link.parameters:
        value = _runtime_expression_value(operation, expression, start)
        if isinstance(value, str | int | float) and value != "" and "://" not in str(value):
            link_values[name.removeprefix("path.").removeprefix("query.").removeprefix("header.")] = (
                value if isinstance(value, str) else str(value).lower()
            )
        elif not str(expression).startswith("$request"):
            raise Unsendable("a value for the parameters of the link in the response")
    return link_values


def _runtime_expression_value(operation: Operation, expression: Any, start: Exchange) -> Any:
    """Return the value of a runtime expression (OAS 3.0.3 §4.7.20.3), None if it has none."""
    if not isinstance(expression, str) or not expression.startswith("$"):
        return expression
    if expression.startswith(BODY_EXPRESSION):
        return _value_at_pointer(response_json(start), expression.removeprefix(BODY_EXPRESSION))
    if expression.startswith(HEADER_EXPRESSION) and start.answer is not None:
        return start.answer.header(expression.removeprefix(HEADER_EXPRESSION))
    address = urlsplit(start.request.url)
    if expression.startswith(QUERY_EXPRESSION):
        return dict(parse_qsl(address.query)).get(expression.removeprefix(QUERY_EXPRESSION))
    if expression.startswith(PATH_EXPRESSION):
        segments = zip(reversed(operation.path.split("/")), reversed(address.path.split("/")), strict=False)
        return dict(segments).get("{" + expression.removeprefix(PATH_EXPRESSION) + "}")
    return None


def _value_at_pointer(value: Any, pointer: str) -> Any:
    """Return the value at a JSON Pointer (RFC 6901), None if there is none."""
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value


def _link_request(subject: Subject, target: Operation, link_values: dict[str, str]) -> Request:
    values = {name: value for name, value in subject.values.items() if name not in link_values}
    request = replace(subject, values={**values, **link_values}).valid(target)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    for parameter in target.parameters:
        value = link_values.get(parameter.name)
        if value is not None and parameter.location_in is ParameterLocation.QUERY:
            request = with_query(request, {parameter.name: value})
        if value is not None and parameter.location_in is ParameterLocation.HEADER:
            request = with_header(request, parameter.name, value)
    return with_new_idempotency_key(subject, target, request)


def _gives_all_path_parameters(target: Operation, link_values: dict[str, str]) -> bool:
    """Return whether a link provides all path parameters of its target."""
    path = [
        parameter.name for parameter in target.parameters if parameter.location_in is ParameterLocation.PATH
    ]
    return all(name in link_values for name in path)


FAMILY = Family(
    name="links",
    summary="links work",
    words=CheckDescription(
        promise="The target operation of a documented link, called with the values from the response, finds "
        "the resource. A link in a body that leads to the deployment itself leads to something.",
        test="Each link of each successful response from an operation that reads or creates is followed. "
        "Links whose values are missing in the response are skipped. Reading must not return 404 or "
        "410, and nothing may cause a server error. The same holds for links in bodies (`_links`, `links`, `next`) "
        "that are read: those to a tested operation, and `self`, `up` and pages.",
        remedy="Return the identifiers that the linked operation accepts, or correct the link. Build the addresses of "
        "links from the address that clients use.",
        sources=("OAS 3.0.3 §4.7.20", "OAS 3.0.3 §4.7.20.3", "RFC 8288 §3.3"),
    ),
    needs="`links` in a response, to an operation that is tested, or links in the schema of a body",
    probes=probes,
    about_state=True,
)
