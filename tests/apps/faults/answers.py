"""Faults in the shape of answers: statuses, headers, media types, bodies."""

from collections.abc import Callable
from dataclasses import replace

from tests.apps.faults.proxy import Fault, Given
from tests.apps.faults.twists import (
    BRAND,
    BRANDS,
    CALL,
    CALLS,
    CALLS_IDS,
    COVERAGE,
    DELETE_ENDPOINT,
    ENDPOINT_IDS,
    ENDPOINTS,
    EVENTS,
    LIST,
    MESSAGES,
    RATES,
    READ,
    READ_CALL,
    READ_ENDPOINT,
    SEND,
    VERSION_IDS,
    VERSIONS,
    Make,
    answer,
    each_item,
)

_CREATES = ("created-things",)
_REFUSES = ("boundary-values",)


def _shape(
    name: str, breaks: str, make: Make, operations: tuple[str, ...], beside: tuple[str, ...] = _CREATES
) -> Fault:
    return Fault(
        name=name,
        breaks=breaks,
        check="documented-responses",
        operations=operations,
        make=make,
        beside=beside,
    )


def _status(status: int) -> Callable[[Given], Given]:
    return lambda given: replace(given, status=status)


FAULTS = (
    _shape("accepted-with-200", "acceptance is 202", answer(SEND, _status(200)), MESSAGES),
    _shape("call-created-with-201", "acceptance is 202", answer(CALL, _status(201)), CALLS_IDS),
    _shape(
        "another-id-prefix",
        "the pattern of identifiers",
        answer(SEND, lambda given: given.with_members(id=given.json["id"].replace("msg_", "message-"))),
        MESSAGES,
    ),
    _shape(
        "no-segments",
        "a required member",
        answer(SEND, lambda given: given.without_members("segments")),
        MESSAGES,
    ),
    _shape(
        "segments-as-text",
        "the type of a member",
        answer(SEND, lambda given: given.with_members(segments=str(given.json["segments"]))),
        MESSAGES,
    ),
    _shape(
        "segments-null",
        "what may be null",
        answer(SEND, lambda given: given.with_members(segments=None)),
        MESSAGES,
    ),
    _shape(
        "an-unknown-status",
        "an enum",
        answer(SEND, lambda given: given.with_members(status="accepted")),
        MESSAGES,
    ),
    _shape(
        "an-undocumented-member",
        "a closed object",
        answer(SEND, lambda given: given.with_members(route="carrier-7")),
        MESSAGES,
    ),
    _shape(
        "a-time-without-zone",
        "the format of times",
        answer(READ, lambda given: given.with_members(created_at=given.json["created_at"].rstrip("Z"))),
        MESSAGES,
    ),
    _shape(
        "a-time-as-number",
        "the type of times",
        answer(READ_CALL, lambda given: given.with_members(created_at=1)),
        CALLS_IDS,
    ),
    _shape(
        "a-list-without-data",
        "a required member",
        answer(LIST, lambda given: given.without_members("data")),
        MESSAGES,
        ("pagination",),
    ),
    _shape(
        "a-bare-list",
        "the type of a body",
        answer(CALLS, lambda given: given.with_json(given.json["data"])),
        CALLS_IDS,
        ("pagination",),
    ),
    _shape(
        "items-without-an-id",
        "a required member of items",
        answer(LIST, each_item(lambda item: {key: value for key, value in item.items() if key != "id"})),
        MESSAGES,
        ("filters", "pagination"),
    ),
    _shape(
        "a-cursor-as-number",
        "the type of a cursor",
        answer(EVENTS, lambda given: given.with_members(next_cursor=7)),
        ("listEvents", "retrieveEvent"),
        ("pagination",),
    ),
    _shape(
        "prices-as-numbers",
        "prices are decimal text",
        answer(RATES, each_item(lambda item: {**item, "price": float(item["price"])})),
        ("listRates", "listCountryRates"),
        ("pagination",),
    ),
    _shape(
        "currencies-in-lower-case",
        "the pattern of currencies",
        answer(RATES, each_item(lambda item: {**item, "currency": item["currency"].lower()})),
        ("listRates", "listCountryRates"),
        ("pagination",),
    ),
    _shape(
        "a-secret-in-every-reading",
        "a closed object: secrets are shown once",
        answer(READ_ENDPOINT, lambda given: given.with_members(secret="whsec_c2hvd24gYWdhaW4=")),
        ENDPOINT_IDS,
    ),
    _shape(
        "no-correlation-id",
        "a required header",
        answer(SEND, lambda given: given.with_headers(x_correlation_id=None)),
        MESSAGES,
    ),
    _shape(
        "no-correlation-id-in-refusals",
        "a required header of errors",
        answer(SEND, lambda given: given.with_headers(x_correlation_id=None), statuses=(422,)),
        MESSAGES,
        _REFUSES,
    ),
    _shape(
        "no-rate-limit",
        "a required header",
        answer(LIST, lambda given: given.with_headers(ratelimit=None)),
        MESSAGES,
        ("pagination",),
    ),
    _shape(
        "no-etag",
        "a required header",
        answer(COVERAGE, lambda given: given.with_headers(etag=None)),
        ("listCoverage",),
        ("pagination",),
    ),
    _shape(
        "html-instead-of-json",
        "the media type",
        answer(READ, lambda given: given.with_headers(content_type="text/html")),
        MESSAGES,
    ),
    _shape(
        "no-media-type",
        "a Content-Type",
        answer(READ_CALL, lambda given: given.with_headers(content_type=None)),
        CALLS_IDS,
    ),
    _shape("an-empty-body", "a body", answer(SEND, lambda given: replace(given, body=b"")), MESSAGES),
    _shape("half-a-body", "JSON", answer(READ, lambda given: replace(given, body=given.body[:-9])), MESSAGES),
    _shape(
        "a-teapot", "documented statuses", answer(SEND, _status(418), statuses=(422,)), MESSAGES, _REFUSES
    ),
    _shape(
        "an-error-page",
        "errors are problem documents",
        answer(
            READ,
            lambda given: replace(given.with_headers(content_type="text/html"), body=b"<h1>Not Found</h1>"),
            statuses=(404,),
        ),
        MESSAGES,
        ("unknown-ids",),
    ),
    _shape(
        "problems-as-plain-json",
        "the media type of errors",
        answer(SEND, lambda given: given.with_headers(content_type="application/json"), statuses=(422,)),
        MESSAGES,
        _REFUSES,
    ),
    _shape(
        "problems-of-old",
        "the shape of errors",
        answer(
            SEND,
            lambda given: given.with_json({"code": 42, "message": given.json["detail"]}),
            statuses=(422,),
        ),
        MESSAGES,
        _REFUSES,
    ),
    _shape("brand-accepted-with-200", "acceptance is 202", answer(BRAND, _status(200)), BRANDS),
    _shape(
        "deleted-with-200",
        "deleting answers 204",
        answer(DELETE_ENDPOINT, lambda given: replace(given, status=200)),
        ENDPOINT_IDS,
        ("deleted-things",),
    ),
    _shape(
        "a-version-of-unknown-status",
        "an enum in lists",
        answer(VERSIONS, each_item(lambda item: {**item, "status": "pending"})),
        VERSION_IDS,
        ("filters", "pagination"),
    ),
    _shape(
        "an-endpoint-that-is-maybe-on",
        "the type of a member",
        answer(ENDPOINTS, each_item(lambda item: {**item, "enabled": "maybe"})),
        ENDPOINT_IDS,
        ("pagination",),
    ),
)
