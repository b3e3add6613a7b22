"""Faults in what is taken and refused: bodies, bounds, types, parameters, media types, methods."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.apps.faults.proxy import Asked, Fault, Forward, Given, Twist
from tests.apps.faults.twists import (
    CALL,
    CALLS,
    CALLS_IDS,
    ENDPOINT,
    ENDPOINT_IDS,
    LIST,
    MESSAGES,
    RATES,
    READ,
    SEND,
    Make,
    answer,
    breaks_down,
    internal_error,
    is_json,
    is_object,
    refuses,
    request,
    text_of,
)

_LONGEST_BODY = 1530


def _fault(check: str, name: str, breaks: str, make: Make, operations: tuple[str, ...] = MESSAGES) -> Fault:
    return Fault(name=name, breaks=breaks, check=check, operations=operations, make=make)


def _crash(
    name: str, when: Callable[[Asked], bool], label: str = SEND, ids: tuple[str, ...] = MESSAGES
) -> Fault:
    return _fault("odd-bodies", name, "no body is a server error", breaks_down(label, when), ids)


def _correct_body(label: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Make:
    """Accept a body that should be refused: correct it before the application reads it."""
    return request(label, lambda asked: asked.with_json(change(asked.json)), when=is_object)


def _cut(value: dict[str, Any]) -> dict[str, Any]:
    body = value.get("body")
    return {**value, "body": body[:_LONGEST_BODY]} if isinstance(body, str) else value


def _numbers_to_strings(value: dict[str, Any]) -> dict[str, Any]:
    return {
        name: str(other_value) if name in ("to", "body") and isinstance(other_value, int) else other_value
        for name, other_value in value.items()
    }


def _trim_recipient(value: dict[str, Any]) -> dict[str, Any]:
    return {
        name: other_value.strip() if name == "to" and isinstance(other_value, str) else other_value
        for name, other_value in value.items()
    }


def _without_nulls(value: dict[str, Any]) -> dict[str, Any]:
    return {name: other_value for name, other_value in value.items() if other_value is not None}


BODIES = (
    _crash("malformed-json-breaks-it", lambda asked: not is_json(asked.body)),
    _crash("an-empty-body-breaks-it", lambda asked: not asked.body),
    _crash("a-lone-surrogate-breaks-it", lambda asked: b"\\ud800" in asked.body.lower()),
    _crash("nul-breaks-it", lambda asked: b"\\u0000" in asked.body),
    _crash("an-emoji-breaks-it", lambda asked: "\U0001f389" in asked.body.decode("utf-8", "replace")),
    _crash("right-to-left-breaks-it", lambda asked: "\u202e" in asked.body.decode("utf-8", "replace")),
    _crash("a-byte-order-mark-breaks-it", lambda asked: asked.body.startswith(b"\xef\xbb\xbf")),
    _crash("deep-nesting-breaks-it", lambda asked: asked.body.count(b"[") > 500),
    _crash("a-list-breaks-it", lambda asked: is_json(asked.body) and not is_object(asked)),
    _crash("bytes-that-are-no-text-break-it", lambda asked: b"\xff\xfe\xc0" in asked.body),
    _crash(
        "utf-16-breaks-endpoints",
        lambda asked: "utf-16" in asked.header("content-type"),
        ENDPOINT,
        ENDPOINT_IDS,
    ),
    _fault(
        "odd-bodies",
        "malformed-json-is-taken",
        "malformed JSON is refused",
        request(
            SEND,
            lambda asked: replace(asked, body=asked.body.rstrip(b",") + b"}"),
            when=lambda asked: asked.body.endswith(b","),
        ),
    ),
)
BOUNDS = (
    _fault("boundary-values", "a-body-too-long-is-taken", "maxLength", _correct_body(SEND, _cut)),
    _fault(
        "boundary-values",
        "the-longest-body-is-refused",
        "maxLength",
        refuses(SEND, lambda asked: len(text_of(asked, "body")) == _LONGEST_BODY),
    ),
    _fault(
        "boundary-values",
        "an-empty-text-is-taken",
        "minLength",
        _correct_body(
            SEND, lambda item: {**item, "body": item.get("body") or "-"} if item.get("body") == "" else item
        ),
    ),
    _fault(
        "boundary-values",
        "one-character-is-refused",
        "minLength",
        refuses(SEND, lambda asked: len(text_of(asked, "body")) == 1),
    ),
    _fault(
        "boundary-values",
        "an-empty-description-is-refused",
        "a text without minLength",
        refuses(ENDPOINT, lambda asked: is_object(asked) and len(text_of(asked, "description")) > 100),
        ENDPOINT_IDS,
    ),
    _fault(
        "boundary-values",
        "the-shortest-ring-is-refused",
        "minimum",
        refuses(CALL, lambda asked: is_object(asked) and asked.json.get("ring_timeout_s") == 5),
        CALLS_IDS,
    ),
    _fault("json-types", "numbers-are-taken-for-text", "types", _correct_body(SEND, _numbers_to_strings)),
    _fault(
        "json-types",
        "null-is-taken-for-nothing",
        "what may be null",
        _correct_body(ENDPOINT, _without_nulls),
        ENDPOINT_IDS,
    ),
    _fault(
        "whitespace",
        "numbers-are-trimmed",
        "whitespace counts in values",
        _correct_body(SEND, _trim_recipient),
    ),
    _fault(
        "whitespace",
        "indented-json-is-refused",
        "whitespace between tokens counts for nothing (RFC 8259 §2)",
        refuses(SEND, lambda asked: is_json(asked.body) and b"\n" in asked.body),
    ),
)
PARAMETERS = (
    _fault(
        "query-parameters",
        "a-limit-that-is-no-number-is-taken",
        "types",
        request(
            LIST,
            lambda asked: asked.with_params(limit=None),
            when=lambda asked: not asked.params.get("limit", "1").isdigit(),
        ),
    ),
    _fault(
        "boundary-values",
        "a-limit-of-zero-is-taken",
        "minimum",
        request(
            LIST,
            lambda asked: asked.with_params(limit=None),
            when=lambda asked: asked.params.get("limit") == "0",
        ),
    ),
    _fault(
        "query-parameters",
        "a-limit-of-any-size-is-taken",
        "maximum",
        request(
            CALLS,
            lambda asked: asked.with_params(limit="100"),
            when=lambda asked: asked.params.get("limit", "").isdigit() and int(asked.params["limit"]) > 100,
        ),
        CALLS_IDS,
    ),
    _fault(
        "query-parameters",
        "any-status-is-taken",
        "an enum",
        request(
            LIST,
            lambda asked: asked.with_params(status=None),
            when=lambda asked: (
                asked.params.get("status", "sent")
                not in ("queued", "sent", "delivered", "undelivered", "failed", "rejected", "expired")
            ),
        ),
    ),
    _fault(
        "query-parameters",
        "any-country-is-taken",
        "a pattern",
        request(
            RATES,
            lambda asked: asked.with_params(country=None),
            when=lambda asked: re.fullmatch("[A-Z]{2}", asked.params.get("country", "NO")) is None,
        ),
        ("listRates",),
    ),
    _fault(
        "pagination",
        "any-cursor-is-taken",
        "cursors are those that were given",
        request(
            LIST,
            lambda asked: asked.with_params(cursor=None),
            when=lambda asked: len(asked.params.get("cursor", "")) < 40,
        ),
    ),
    _fault(
        "odd-parameters",
        "a-long-parameter-breaks-it",
        "no parameter is a server error",
        breaks_down(LIST, lambda asked: len(asked.query) > 500),
    ),
    _fault(
        "odd-parameters",
        "nul-in-a-parameter-breaks-it",
        "no parameter is a server error",
        breaks_down(LIST, lambda asked: "%00" in asked.query),
    ),
    _fault(
        "odd-parameters",
        "nul-in-a-path-breaks-it",
        "no parameter is a server error",
        breaks_down(READ, lambda asked: "%00" in asked.path),
    ),
    _fault(
        "odd-parameters",
        "bytes-in-a-query-break-it",
        "no parameter is a server error",
        breaks_down(RATES, lambda asked: re.search("%(?:ff|c0|80)", asked.query, re.IGNORECASE) is not None),
        ("listRates",),
    ),
)


def _taken_anyway() -> Twist:
    async def twist(asked: Asked, forward: Forward) -> Given:
        given = await forward(asked)
        if asked.has(SEND) and given.status == 415:
            return await forward(asked.with_headers(content_type="application/json"))
        return given

    return twist


def _answers_any_method() -> Twist:
    async def twist(asked: Asked, forward: Forward) -> Given:
        given = await forward(asked)
        if given.status == 405 and asked.path == "/v1/messages":
            headers = given.with_headers(content_type="application/json", allow=None).headers
            return Given(status=200, headers=headers, body=b"{}")
        return given

    return twist


def _without_allow(given: Given) -> Given:
    return given.with_headers(allow=None)


HTTP = (
    _fault("media-types", "any-media-type-is-taken", "415", _taken_anyway),
    _fault(
        "media-types",
        "a-charset-is-refused",
        "parameters of media types (RFC 9110 §8.3.1)",
        request(
            SEND,
            lambda asked: asked.with_headers(content_type="text/x-json"),
            when=lambda asked: "charset" in asked.header("content-type"),
        ),
    ),
    _fault(
        "media-types",
        "an-upper-case-media-type-breaks-it",
        "case of media types (RFC 9110 §8.3.1)",
        breaks_down(SEND, lambda asked: asked.header("content-type").isupper()),
    ),
    _fault(
        "media-types",
        "an-unreadable-media-type-breaks-it",
        "no server error",
        breaks_down(SEND, lambda asked: "/" not in asked.header("content-type")),
    ),
    _fault(
        "media-types",
        "400-instead-of-415",
        "415",
        answer(SEND, lambda given: replace(given, status=400), statuses=(415,)),
    ),
    _fault(
        "methods",
        "405-without-allow",
        "Allow (RFC 9110 §15.5.6)",
        answer("* /v1/messages", _without_allow, statuses=(405,)),
    ),
    _fault("methods", "any-method-is-answered", "405", _answers_any_method),
    _fault(
        "methods",
        "a-wrong-method-breaks-it",
        "405",
        answer("* /v1/messages", lambda _: internal_error(), statuses=(405,)),
    ),
    _fault(
        "methods",
        "404-instead-of-405",
        "405",
        answer("* /v1/messages", lambda given: replace(given, status=418), statuses=(405,)),
    ),
    _fault(
        "methods",
        "allow-forgets-get",
        "Allow lists what is allowed",
        answer("* /v1/messages", lambda given: given.with_headers(allow="POST"), statuses=(405,)),
    ),
    _fault("head", "head-breaks-it", "HEAD is as GET", breaks_down("HEAD /v1/messages")),
    _fault(
        "head",
        "head-has-another-media-type",
        "HEAD is as GET",
        answer("HEAD /v1/messages", lambda given: given.with_headers(content_type="text/html")),
    ),
    _fault(
        "accept",
        "any-accept-is-refused",
        "Accept (RFC 9110 §12.5.1)",
        request(
            LIST,
            lambda asked: asked.with_headers(accept="text/html"),
            when=lambda asked: asked.header("accept") == "application/*",
        ),
    ),
    _fault(
        "accept",
        "accept-breaks-it",
        "no server error",
        breaks_down(LIST, lambda asked: ";" in asked.header("accept")),
    ),
    _fault(
        "accept",
        "json-with-a-weight-is-refused",
        "Accept (RFC 9110 §12.5.1)",
        request(
            LIST,
            lambda asked: asked.with_headers(accept="text/html"),
            when=lambda asked: "q=" in asked.header("accept") and "json" in asked.header("accept"),
        ),
    ),
)
FAULTS = (*BODIES, *BOUNDS, *PARAMETERS, *HTTP)
