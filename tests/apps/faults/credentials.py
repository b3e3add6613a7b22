"""Faults in who may do what: credentials, scopes, accounts, and caches between them."""

from collections.abc import Callable

from tests.apps.faults.proxy import Asked, Fault, Forward, Given, Twist
from tests.apps.faults.standing import ADA, BOB, EXPIRED, UNSCOPED
from tests.apps.faults.twists import (
    BRANDS,
    CALL,
    CALLS,
    CALLS_IDS,
    CHANGE_ENDPOINT,
    DELETE_ENDPOINT,
    ENDPOINT_IDS,
    ENDPOINTS,
    EVENTS,
    LIST,
    MESSAGES,
    READ,
    READ_BRAND,
    READ_CALL,
    READ_ENDPOINT,
    SEND,
    VERSIONS,
    Make,
    answer,
    as_ada,
    bearer,
    request,
)


def _lets_in(label: str, when: Callable[[Asked], bool]) -> Make:
    return request(label, as_ada, when=when)


def _authentication(name: str, breaks: str, make: Make, operations: tuple[str, ...] = MESSAGES) -> Fault:
    return Fault(name=name, breaks=breaks, check="authentication", operations=operations, make=make)


def _is_of(secret: str) -> Callable[[Asked], bool]:
    return lambda asked: bearer(asked) == secret


def _is_anonymous(asked: Asked) -> bool:
    return not asked.header("authorization")


def _in_query() -> Twist:
    async def twist(asked: Asked, forward: Forward) -> Given:
        given = ADA in asked.query
        return await forward(
            as_ada(asked.with_params(**dict.fromkeys(asked.params, None))) if given else asked
        )

    return twist


AUTHENTICATION = (
    _authentication("reads-without-a-token", "a token is needed", _lets_in(READ, _is_anonymous)),
    _authentication("sends-without-a-token", "a token is needed", _lets_in(SEND, _is_anonymous)),
    _authentication("lists-without-a-token", "a token is needed", _lets_in(LIST, _is_anonymous)),
    _authentication(
        "audit-without-a-token",
        "a token is needed",
        _lets_in("GET /v1/audit-log", _is_anonymous),
        ("listAuditLog",),
    ),
    _authentication(
        "calls-with-any-token",
        "the token has to be known",
        _lets_in(CALL, lambda asked: bool(bearer(asked))),
        CALLS_IDS,
    ),
    _authentication(
        "any-token-is-good",
        "the token has to be known",
        _lets_in(LIST, lambda asked: bool(bearer(asked))),
    ),
    _authentication(
        "the-beginning-of-a-token-is-enough",
        "the whole token counts",
        _lets_in(LIST, lambda asked: len(bearer(asked)) > 6 and ADA.startswith(bearer(asked))),
    ),
    _authentication(
        "what-follows-a-token-is-ignored",
        "the whole token counts",
        _lets_in(READ, lambda asked: bearer(asked).startswith(ADA)),
    ),
    _authentication(
        "another-scheme-is-good",
        "the scheme counts",
        _lets_in(READ, lambda asked: asked.header("authorization").endswith(ADA)),
    ),
    _authentication("a-token-in-the-query", "tokens travel in a header", _in_query),
    _authentication(
        "the-scheme-in-lower-case-is-refused",
        "schemes are case-insensitive (RFC 9110 §11.1)",
        request(
            SEND,
            lambda asked: asked.with_headers(authorization=None),
            when=lambda asked: asked.header("authorization").startswith(("bearer", "BEARER")),
        ),
    ),
    _authentication(
        "forbidden-instead-of-unauthenticated",
        "401 without a token",
        answer(
            LIST, lambda given: Given(status=403, headers=given.headers, body=given.body), statuses=(401,)
        ),
    ),
    _authentication(
        "not-found-without-a-token",
        "401 without a token",
        answer(
            READ, lambda given: Given(status=404, headers=given.headers, body=given.body), statuses=(401,)
        ),
    ),
    _authentication(
        "no-challenge",
        "401 says how to authenticate (RFC 9110 §15.5.2)",
        answer(SEND, lambda given: given.with_headers(www_authenticate=None), statuses=(401,)),
    ),
    _authentication(
        "an-unknown-token-breaks-it",
        "401 with a wrong token",
        answer(
            LIST, lambda given: Given(status=500, headers=given.headers, body=given.body), statuses=(401,)
        ),
    ),
    Fault(
        name="an-expired-token-reads",
        breaks="what has expired opens nothing",
        check="expired-credentials",
        operations=MESSAGES,
        make=_lets_in(READ, _is_of(EXPIRED)),
    ),
    Fault(
        name="an-expired-token-sends",
        breaks="what has expired opens nothing",
        check="expired-credentials",
        operations=MESSAGES,
        make=_lets_in(SEND, _is_of(EXPIRED)),
    ),
)


def _scope(name: str, label: str, operations: tuple[str, ...]) -> Fault:
    return Fault(
        name=name,
        breaks="the scopes of the contract",
        check="permissions",
        operations=operations,
        make=_lets_in(label, _is_of(UNSCOPED)),
    )


SCOPES = (
    _scope("reads-without-scope", READ, MESSAGES),
    _scope("sends-without-scope", SEND, MESSAGES),
    _scope("lists-events-without-scope", EVENTS, ("listEvents",)),
    _scope("changes-without-scope", CHANGE_ENDPOINT, ENDPOINT_IDS),
    _scope("deletes-without-scope", DELETE_ENDPOINT, ENDPOINT_IDS),
    _scope("audits-without-scope", "GET /v1/audit-log", ("listAuditLog",)),
    _scope("lists-versions-without-scope", VERSIONS, ("listRateVersions",)),
)


def _tenant(name: str, breaks: str, label: str, operations: tuple[str, ...]) -> Fault:
    return Fault(
        name=name,
        breaks=breaks,
        check="tenants",
        operations=operations,
        make=_lets_in(label, _is_of(BOB)),
    )


TENANTS = (
    _tenant("another-account-reads", "things are an account's own", READ, MESSAGES),
    _tenant("another-account-lists", "lists are an account's own", LIST, MESSAGES),
    _tenant("another-account-reads-calls", "things are an account's own", READ_CALL, CALLS_IDS),
    _tenant("another-account-lists-calls", "lists are an account's own", CALLS, CALLS_IDS),
    _tenant("another-account-reads-endpoints", "things are an account's own", READ_ENDPOINT, ENDPOINT_IDS),
    _tenant("another-account-lists-endpoints", "lists are an account's own", ENDPOINTS, ENDPOINT_IDS),
    _tenant("another-account-changes", "things are an account's own", CHANGE_ENDPOINT, ENDPOINT_IDS),
    _tenant("another-account-deletes", "things are an account's own", DELETE_ENDPOINT, ENDPOINT_IDS),
    _tenant("another-account-reads-brands", "things are an account's own", READ_BRAND, BRANDS),
    Fault(
        name="a-filter-leaves-the-account",
        breaks="lists are an account's own",
        check="tenants",
        operations=MESSAGES,
        make=request(LIST, as_ada, when=lambda asked: bool(asked.params) and _is_of(BOB)(asked)),
    ),
    Fault(
        name="keys-of-all-accounts-are-one",
        breaks="idempotency keys are an account's own",
        check="idempotency-tenants",
        operations=MESSAGES,
        make=request(
            SEND,
            as_ada,
            when=lambda asked: bool(asked.header("idempotency-key")) and _is_of(BOB)(asked),
        ),
    ),
)


def _cache_fault(
    name: str, value: str, label: str, operations: tuple[str, ...], beside: tuple[str, ...]
) -> Fault:
    return Fault(
        name=name,
        breaks="no shared cache keeps what needs a credential",
        check="private-caching",
        operations=operations,
        make=answer(label, lambda given: given.with_headers(cache_control=value)),
        beside=beside,
    )


CACHES = (
    _cache_fault("a-public-message", "public, max-age=60", READ, MESSAGES, ("created-things",)),
    _cache_fault("a-list-that-caches-share", "s-maxage=30", LIST, MESSAGES, ("pagination",)),
    _cache_fault("an-endpoint-for-all", "public", READ_ENDPOINT, ENDPOINT_IDS, ("created-things",)),
)
FAULTS = (*AUTHENTICATION, *SCOPES, *TENANTS, *CACHES)
