"""The contract: valid, tight, whole, and in step with the code that serves it."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from devportal.contract import (
    Api,
    Contract,
    Header,
    MediaType,
    Operation,
    Parameter,
    ParameterLocation,
    Response,
    Schema,
    Stability,
)
from devportal.contract.published.bundle import bundle
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from devportal.documents import read_document
from telecom.problems import ProblemKind
from telecom.receipts import MESSAGE_STATE_MACHINE, CarrierStatus, Channel, ErrorCode, MessageStatus
from telecom.sandbox.api.operations import IDEMPOTENCY_KEY
from telecom.sandbox.delivery.deliveries import DeliveryState
from telecom.sandbox.delivery.endpoint_store import MAX_ENDPOINTS, TEST_EVENT_TYPE, DisabledReason
from telecom.sandbox.handlers import HANDLERS
from telecom.segments import MAX_SEGMENTS, Encoding, split_into_segments
from telecom.signature import Secret, sign
from telecom.states import StateMachines

DECISIONS = Path(__file__).parents[2] / "docs" / "decisions"


@pytest.fixture(scope="session")
def raw(contract_path: Path) -> dict[str, Any]:
    """Return the files as they are written, by name, for what the model does not keep."""
    files = sorted(path for path in contract_path.parent.glob("*.yaml") if path.name != "redirects.yaml")
    return {path.name: read_document(path).data for path in files}


@pytest.fixture(scope="session")
def one_file(contract: Contract) -> dict[str, Any]:
    """Return the contract in one file, as it is published."""
    published: dict[str, Any] = bundle(contract)
    return published


def operations(api: Api) -> Iterator[Operation]:
    yield from api.operations
    for webhook in api.webhooks:
        yield from webhook.operations


def bodies(api: Api) -> Iterator[tuple[str, MediaType, Direction]]:
    for operation in operations(api):
        if operation.request_body is not None:
            for media in operation.request_body.content:
                yield f"{operation.id} request", media, Direction.REQUEST
        for response in operation.responses:
            for media in response.content:
                yield f"{operation.id} {response.status}", media, Direction.RESPONSE


def schema_of(api: Api, name: str) -> Schema:
    return next(s for location, s in api.schemas.items() if location.pointer[-1] == name)


def operation_of(api: Api, operation_id: str) -> Operation:
    return next(operation for operation in api.operations if operation.id == operation_id)


def property_schema(api: Api, name: str, member: str) -> Schema:
    return next(property_.schema for property_ in schema_of(api, name).properties if property_.name == member)


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for child in node.values():
            yield from nodes(child)
    elif isinstance(node, list):
        for child in node:
            yield from nodes(child)


def test_contract_is_valid_openapi(one_file: dict[str, Any], contract: Contract) -> None:
    """The validator of the OpenAPI schema and our own reader find nothing."""
    validate(one_file)

    assert one_file["openapi"] == "3.0.3"
    assert contract.findings == ()


def test_every_example_keeps_its_schema(api: Api) -> None:
    """Each body, parameter and header has an example, and each example is valid."""
    validator = Validator(api)
    for where, media, direction in bodies(api):
        assert media.examples, where
        assert media.schema is not None
        for example in media.examples:
            violations = list(validator.violations(media.schema, example.value, direction))
            assert violations == [], (where, example.name)
    for operation in operations(api):
        headers = (header for response in operation.responses for header in response.headers)
        parts: list[Parameter | Header] = [*operation.parameters, *headers]
        for part in parts:
            assert part.schema is not None
            assert part.examples or part.schema.examples, part.name
            for other_example in part.examples:
                assert validator.is_valid(part.schema, other_example.value, Direction.RESPONSE), (
                    part.name,
                    other_example.value,
                )


def test_property_examples_keep_their_schemas(api: Api) -> None:
    """The example of each property is valid by itself."""
    validator = Validator(api)
    checked = 0
    for schema in api.schemas.values():
        for property_ in schema.properties:
            for value in property_.schema.examples:
                checked += 1
                assert validator.is_valid(property_.schema, value, Direction.RESPONSE), (
                    schema.name,
                    property_.name,
                )

    assert checked > 20


def test_request_examples_have_answers_of_the_same_name(api: Api) -> None:
    """The examples tell whole exchanges, and their segment counts are the true ones."""
    operation = operation_of(api, "sendMessage")
    assert operation.request_body is not None
    requests = {e.name: e.value for e in operation.request_body.content[0].examples}
    answers = {e.name: e.value for e in operation.successes[0].content[0].examples}

    assert requests.keys() == answers.keys()
    assert {request["channel"] for request in requests.values()} == set(Channel)
    texts = {name: request["body"] for name, request in requests.items() if request["channel"] == "sms"}
    for name, text in texts.items():
        assert answers[name]["segments"] == len(split_into_segments(text).segments), name
    assert {split_into_segments(text).encoding for text in texts.values()} == set(Encoding)


def test_objects_are_closed(one_file: dict[str, Any]) -> None:
    """What a contract leaves open cannot be checked: every shared object schema names all its members."""
    open_ones = [
        name
        for name, schema in one_file["components"]["schemas"].items()
        if schema.get("type") == "object" and schema.get("additionalProperties") is not False
    ]

    assert open_ones == []


def problem_types(response: Response) -> tuple[Any, ...]:
    schema = response.content[0].schema if response.content else None
    if schema is None or len(schema.all_of) < 2:
        return ()
    return next(
        property_.schema.enum for property_ in schema.all_of[1].properties if property_.name == "type"
    )


def test_every_answer_carries_its_headers(api: Api) -> None:
    """Each answer has a correlation id, and those that need more have it."""
    wanted = {
        **{status: {"RateLimit", "RateLimit-Policy"} for status in ("200", "201", "202", "204", "304")},
        "401": {"WWW-Authenticate"},
        "403": {"WWW-Authenticate"},
        "405": {"Allow"},
        "429": {"Retry-After", "RateLimit", "RateLimit-Policy"},
        "503": {"Retry-After"},
    }
    for operation in api.operations:
        is_revalidated = any(response.status == "304" for response in operation.responses)
        for response in operation.responses:
            names = {header.name for header in response.headers}
            required = {header.name for header in response.headers if header.required}
            expected = {"X-Correlation-Id"} | wanted.get(response.status, set())
            if is_revalidated and response.status in {"200", "304"}:
                expected |= {"ETag", "Cache-Control"}
            announced = {"Deprecation", "Sunset", "Link"} if response.is_success else set()
            if any(uri.endswith("/idempotency-key-in-use/") for uri in problem_types(response)):
                announced = {"Retry-After"}
            assert names - expected == announced, (operation.id, response.status)
            # A token that may send still gets 403 for a message that a route refuses, without a challenge.
            sometimes = {"WWW-Authenticate"} if len(problem_types(response)) > 1 else set()
            assert expected - required == sometimes & expected, (operation.id, response.status)


def test_every_list_leads_to_its_next_page(api: Api) -> None:
    """With all that was asked for, since a cursor belongs to its filters; only the cursor is another."""
    pages = [
        operation
        for operation in api.operations
        if any(asked.name == "cursor" for asked in operation.parameters)
    ]
    for operation in pages:
        (link,) = [link for link in operation.successes[0].links if link.name == "next"]
        asked = {
            parameter.name: f"$request.{parameter.location_in.value}.{parameter.name}"
            for parameter in operation.parameters
            if parameter.location_in in {ParameterLocation.QUERY, ParameterLocation.PATH}
        }
        assert link.operation_id == operation.id
        assert dict(link.parameters) == {**asked, "cursor": "$response.body#/next_cursor"}, operation.id
    assert len(pages) > 10


def test_every_problem_type_is_registered_and_used(api: Api) -> None:
    """The types in the responses, in their examples, in the registry and in the code are the same set."""
    registered = {
        (problem_type.uri, problem_type.title, problem_type.status) for problem_type in api.problem_types
    }
    shown = {
        (example.value["type"], example.value["title"], example.value["status"])
        for _, media, _ in bodies(api)
        if media.name == "application/problem+json"
        for example in media.examples
    }
    slugs = {uri.rstrip("/").rpartition("/")[2] for uri, _, _ in registered}

    assert slugs == {kind.value for kind in ProblemKind}
    assert shown <= registered
    assert {uri.rpartition("/errors/")[2].strip("/") for uri, _, _ in registered - shown} <= {"not-found"}
    assert all(problem_type.description and problem_type.resolution for problem_type in api.problem_types)


def test_problem_schemas_allow_only_the_types_of_their_status(api: Api) -> None:
    """A problem document whose status differs from the answer's is no valid answer."""
    by_status: dict[int, set[str]] = {}
    for problem_type in api.problem_types:
        by_status.setdefault(problem_type.status, set()).add(problem_type.uri)
    for operation in api.operations:
        for response in operation.responses:
            if response.is_success or response.status == "304":
                continue
            schema = response.content[0].schema
            assert schema is not None
            members = {property_.name: property_.schema.enum for property_ in schema.all_of[1].properties}
            assert members["status"] == (int(response.status),)
            assert members["type"], (operation.id, response.status)
            assert set(members["type"]) <= by_status[int(response.status)], (operation.id, response.status)


def test_refusals_are_true_of_each_operation_that_shows_them(api: Api) -> None:
    """A cursor is refused only where there is one, JSON only where a body is read; no other path is named."""
    for operation in api.operations:
        bad = next(response for response in operation.responses if response.status == "400")
        has_cursor = any(parameter.name == "cursor" for parameter in operation.parameters)
        absent = [response for response in operation.responses if response.status == "404"]
        refused = [
            kind for response in absent for kind in problem_types(response) if "invalid-cursor" in kind
        ]
        assert has_cursor == bool(refused), operation.id
        details = {example.name: example.value["detail"] for example in bad.content[0].examples}
        assert (operation.request_body is not None) == ("not JSON" in details["malformedRequest"])
        shown = [
            example.value["detail"]
            for response in operation.responses
            if response.content and response.content[0].name == "application/problem+json"
            for example in response.content[0].examples
        ]
        assert [item for item in shown if "/v1/" in item] == [], operation.id


def test_signature_that_is_shown_verifies(api: Api) -> None:
    """The headers of an event belong together, and to the first example of a delivery receipt."""
    (sent,) = next(
        webhook.operations for webhook in api.webhooks if webhook.name == "message.delivery_receipt"
    )
    assert sent.request_body is not None
    event = sent.request_body.content[0].examples[0].value
    created = next(
        response for response in operation_of(api, "createWebhookEndpoint").responses if response.is_success
    )
    secret = Secret.parse(created.content[0].examples[0].value["secret"])
    headers = {parameter.name: str(parameter.examples[0].value) for parameter in sent.parameters}
    at = datetime.fromisoformat(event["timestamp"]).replace(microsecond=0)
    body = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()

    signed = sign(body, event_id=headers["webhook-id"], at=at, secrets=(secret,))

    assert headers == signed


def test_documented_parts_are_stable_and_proposals_are_beta(api: Api, raw: dict[str, Any]) -> None:
    """What the service's description documents is stable; whatever else there is says that it is beta."""
    operation = operation_of(api, "sendMessage")
    assert operation.stability is Stability.STABLE
    fields = {property_.name: property_.schema for property_ in schema_of(api, "NewMessage").properties}
    documented = {name for name, field in fields.items() if api.resolve(field).stability is Stability.STABLE}
    assert documented == {"to", "channel", "body"} == set(schema_of(api, "NewMessage").required)
    assert set(fields["channel"].enum) - set(fields["channel"].beta_values) == {"sms"}
    status = schema_of(api, MESSAGE_STATE_MACHINE)
    assert set(status.enum) - set(status.beta_values) == {"queued"}
    assert {property_.schema.stability for property_ in schema_of(api, "AcceptedMessage").properties} == {
        Stability.STABLE
    }
    for response in operation.responses:
        expected = Stability.STABLE if response.is_success else Stability.BETA
        assert response.stability is expected, response.status
        assert {header.stability for header in response.headers} == {Stability.BETA}
    assert {parameter.stability for parameter in operation.parameters} == {Stability.BETA}
    assert {o.stability for webhook in api.webhooks for o in webhook.operations} == {Stability.BETA}
    others = {
        other_operation.stability for other_operation in api.operations if other_operation is not operation
    }
    assert others <= {Stability.BETA}
    beta = [node for node in nodes(raw) if node.get("x-stability-level") == "beta"]
    assert all("x-decision" in node for node in beta)


def test_every_decision_has_its_record(raw: dict[str, Any]) -> None:
    """Each decision that the contract refers to is written down, and the index lists every record."""
    referred = {node["x-decision"] for node in nodes(raw) if "x-decision" in node}
    records = {path.name[:4]: path for path in DECISIONS.glob("[0-9]*.md")}
    index = (DECISIONS / "index.md").read_text(encoding="utf-8")

    assert referred <= records.keys()
    assert set(re.findall(r"\]\(([0-9][^)]*)\)", index)) == {p.name for p in records.values()}
    for path in records.values():
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"^## (.*)$", text, re.MULTILINE) == [
            "Context",
            "Decision",
            "Why",
            "Consequences",
        ], path.name


def test_code_and_contract_agree(api: Api) -> None:
    """Handlers, limits and closed sets are the same here and there."""
    limits = {c.keyword: c.value for c in property_schema(api, "AcceptedMessage", "segments").constraints}

    assert HANDLERS.keys() == {operation.id for operation in api.operations}
    assert limits["maximum"] == MAX_SEGMENTS
    assert IDEMPOTENCY_KEY in {parameter.name for parameter in operation_of(api, "sendMessage").parameters}
    for name, values in (
        (MESSAGE_STATE_MACHINE, list(MessageStatus)),
        ("Channel", list(Channel)),
        ("CarrierStatus", [*CarrierStatus, None]),
        ("ErrorCode", [*ErrorCode, None]),
    ):
        assert list(schema_of(api, name).enum) == values, name
    assert list(property_schema(api, "Message", "encoding").enum) == [*Encoding, None]


def test_event_types_are_those_of_the_webhooks(api: Api) -> None:
    """The log knows every event there is, with its payload; an endpoint can want all but the test."""
    names = {webhook.name for webhook in api.webhooks}
    bodies_sent = {
        webhook.name: media.schema and media.schema.ref
        for webhook in api.webhooks
        for operation in webhook.operations
        if operation.request_body is not None
        for media in operation.request_body.content
    }
    payload = schema_of(api, "EventPayload")
    wanted = schema_of(api, "SubscribedEventTypes")

    assert set(schema_of(api, "EventType").enum) == names
    assert wanted.items is not None
    assert set(wanted.items.enum) == names - {TEST_EVENT_TYPE}
    assert {constraint.keyword: constraint.value for constraint in wanted.constraints}["maxItems"] == len(
        names
    ) - 1
    assert {schema.ref for schema in payload.one_of} == set(bodies_sent.values())


def test_deliveries_and_endpoints_have_the_states_of_the_contract(api: Api) -> None:
    """Closed sets and limits of webhooks are the same here and there."""
    create = operation_of(api, "createWebhookEndpoint")

    assert list(schema_of(api, "DeliveryState").enum) == list(DeliveryState)
    assert list(schema_of(api, "DisabledReason").enum) == [*DisabledReason, None]
    assert f"at most {MAX_ENDPOINTS} endpoints" in create.description
    too_many = next(
        problem_type
        for problem_type in api.problem_types
        if ProblemKind.TOO_MANY_WEBHOOK_ENDPOINTS in problem_type.uri
    )
    assert f"has {MAX_ENDPOINTS} webhook endpoints" in too_many.description


@pytest.mark.parametrize("reported", ["DeliveryReceipt", "MessageStatusChange"])
def test_events_report_each_status_but_the_first(api: Api, reported: str) -> None:
    """A message starts `queued`; whatever comes after is reported."""
    machine = StateMachines.read(api).of(MESSAGE_STATE_MACHINE)

    assert machine.initial == (MessageStatus.QUEUED,)
    assert list(property_schema(api, reported, "status").enum) == list(MessageStatus)[1:]


def test_change_of_status_starts_from_what_is_not_final(api: Api) -> None:
    """What is final is no status to come from."""
    machine = StateMachines.read(api).of(MESSAGE_STATE_MACHINE)
    before = property_schema(api, "MessageStatusChange", "previous_status").enum

    assert set(before) == set(machine.states) - set(machine.finals)


def test_longest_body_is_what_the_segments_hold(api: Api) -> None:
    """`maxLength` is the longest text that can ever be accepted, not one character more or less."""
    limits = {c.keyword: c.value for c in property_schema(api, "NewMessage", "body").constraints}
    longest = int(limits["maxLength"])

    assert len(split_into_segments("a" * longest).segments) == MAX_SEGMENTS
    assert len(split_into_segments("a" * (longest + 1)).segments) == MAX_SEGMENTS + 1
