"""The address of a client: which header counts, who may say it, and everything that asks for it."""

import ast
import asyncio
from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.telecom.sandbox.pages.visitor import SIGN_IN

from devportal.errors import InvalidSettings
from telecom.sandbox.api.rate_limit import RateLimit
from telecom.sandbox.connections.client_address import (
    ClientAddress,
    ClientAddresses,
    TrustedProxies,
    client_address,
)
from telecom.sandbox.processes import server_config
from telecom.sandbox.sources import scopes_of
from telecom.sandbox.tokens.roles import AllowList
from telecom.sandbox.tokens.token_cache import DEMO_ACCOUNT, DEMO_LIMITS, demo_token
from telecom.sandbox.tokens.token_store import Conditions, store_issued_token
from telecom.sandbox.tokens.tokens import DEMO_TOKEN, Grant, Token

from .conftest import Sandbox

PROXY, EDGE, CLIENT, FORGED = "10.0.0.5", "10.0.1.9", "198.51.100.7", "203.0.113.5"
TRUSTED = TrustedProxies.parse(["10.0.0.5", "10.0.1.0/24", "2001:db8:ffff::/48"])
OVER_UNIX_SOCKET = ("/run/sandbox.sock", None)

Lines = list[tuple[str, str]]


def scope_of(peer: str | None, headers: Lines, *, server: tuple[str, int | None] = ("sandbox", 80)) -> Scope:
    return {
        "type": "http",
        "client": None if peer is None else (peer, 5000),
        "server": server,
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers],
    }


def address_of(peer: str | None, *headers: tuple[str, str], trusted: TrustedProxies = TRUSTED) -> str | None:
    address = trusted.client(scope_of(peer, list(headers))).address
    return str(address) if address is not None else None


XFF, FORWARDED = "X-Forwarded-For", "Forwarded"


@pytest.mark.parametrize("header", [(XFF, FORGED), (FORWARDED, f"for={FORGED}"), ("X-Real-IP", FORGED)])
@pytest.mark.parametrize("peer", [CLIENT, "127.0.0.1", "::1", PROXY])
def test_headers_count_for_nothing_unless_a_proxy_is_trusted(peer: str, header: tuple[str, str]) -> None:
    """The address is that of the connection, of a loopback one too (decision 0028)."""
    assert address_of(peer, header, trusted=TrustedProxies()) == peer


@pytest.mark.parametrize("header", [(XFF, FORGED), (FORWARDED, f"for={FORGED}")])
@pytest.mark.parametrize("peer", [CLIENT, "127.0.0.1", "10.0.0.6", "2001:db8::1"])
def test_headers_of_others_count_for_nothing(peer: str, header: tuple[str, str]) -> None:
    """A client that reaches the sandbox past the proxy cannot choose its address."""
    assert address_of(peer, header) == peer


@pytest.mark.parametrize(
    ("lines", "address"),
    [
        ([CLIENT], CLIENT),
        ([f"{FORGED}, {CLIENT}"], CLIENT),
        ([f"{FORGED},{CLIENT} , {EDGE}"], CLIENT),
        ([FORGED, CLIENT, EDGE], CLIENT),
        ([f"{PROXY}, {CLIENT}"], CLIENT),
        ([f"garbage, {CLIENT}"], CLIENT),
        ([f"{CLIENT}:50312"], CLIENT),
        (["2001:DB8:0::1"], "2001:db8::1"),
        (["[2001:db8::1]:443"], "2001:db8::1"),
        ([f"::ffff:{CLIENT}"], CLIENT),
        ([f"{CLIENT}, ::ffff:{EDGE}"], CLIENT),
        ([f"{CLIENT}, 2001:db8:ffff::2"], CLIENT),
        ([f"{CLIENT}, ,"], CLIENT),
        ([f"{EDGE}, {PROXY}"], EDGE),
        ([""], PROXY),
        ([], PROXY),
    ],
)
def test_last_address_that_is_not_trusted_counts(lines: list[str], address: str) -> None:
    """What is before it the client may have written; where all are proxies, the first of them asks."""
    assert address_of(PROXY, *((XFF, line) for line in lines)) == address


@pytest.mark.parametrize(
    ("lines", "address"),
    [
        ([f"for={CLIENT}"], CLIENT),
        ([f"FOR={CLIENT};proto=https;by={PROXY}"], CLIENT),
        ([f"proto=https ; for={CLIENT}"], CLIENT),
        ([f'for="{CLIENT}:50312"'], CLIENT),
        (['for="[2001:db8::1]"'], "2001:db8::1"),
        (['for="[2001:db8::1]:_port"'], "2001:db8::1"),
        ([f'for="{CLIENT[:-1]}\\{CLIENT[-1]}"'], CLIENT),
        ([f"for={FORGED}, for={CLIENT},for={EDGE}"], CLIENT),
        ([f"for={FORGED}", f"for={CLIENT}", f"for={EDGE}"], CLIENT),
        ([f'for="{FORGED}', f"for={CLIENT}"], CLIENT),
        ([f"for={CLIENT}, ,"], CLIENT),
        ([f'for={CLIENT};host="a, for={FORGED}"'], CLIENT),
        ([f"for={EDGE}"], EDGE),
        ([""], PROXY),
    ],
)
def test_last_address_of_forwarded_counts(lines: list[str], address: str) -> None:
    """As RFC 7239 §4 has it, with names in any case, quoted values and several lines."""
    assert address_of(PROXY, *((FORWARDED, line) for line in lines)) == address


@pytest.mark.parametrize(
    "header",
    [
        (XFF, f"{CLIENT}, unknown"),
        (XFF, f"{CLIENT}, {EDGE}, garbage"),
        (XFF, "198.51.100.256"),
        (XFF, "٢.0.0.1".encode().decode("latin-1")),
        (XFF, f"fe80::1%{CLIENT}"),
        (FORWARDED, f"for={CLIENT}, for=unknown"),
        (FORWARDED, f"for={CLIENT}, for=_hidden"),
        (FORWARDED, f"for={CLIENT}, proto=https"),
        (FORWARDED, f"for={FORGED};for={CLIENT}"),
        (FORWARDED, f'for={FORGED};x=", for={CLIENT}'),
        (FORWARDED, f'for={FORGED};x=", for="{CLIENT}:1"'),
        (FORWARDED, f"for = {CLIENT}"),
        (FORWARDED, f"for={CLIENT} for={FORGED}"),
        (FORWARDED, " " * 60_000 + "!"),
        (FORWARDED, "a=" + '"\\' * 30_000),
    ],
)
def test_what_cannot_be_read_is_unknown(header: tuple[str, str]) -> None:
    """An address before it may be forged, so none counts."""
    assert address_of(PROXY, header) is None


@pytest.mark.parametrize(
    "line", [f"for={FORGED}", f"for={FORGED}, for={CLIENT}, for={FORGED}", "for=unknown"]
)
def test_headers_that_disagree_are_unknown(line: str) -> None:
    """A proxy that writes one of them passes on the other as the client sent it."""
    assert address_of(PROXY, (XFF, CLIENT), (FORWARDED, line)) is None
    assert address_of(PROXY, (XFF, CLIENT), (FORWARDED, f"for={CLIENT}")) == CLIENT


@pytest.mark.parametrize(
    ("peer", "key"),
    [
        (CLIENT, CLIENT),
        (f"::ffff:{CLIENT}", CLIENT),
        ("2001:db8:1:2::3", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        (None, "unknown"),
    ],
)
def test_quotas_count_what_one_client_has_together(peer: str | None, key: str) -> None:
    """Whoever has one address of IPv6 has billions of them."""
    assert TRUSTED.client(scope_of(peer, [])).quota_key == key


def test_unix_socket_has_to_be_trusted() -> None:
    """Whoever connects to it has no address, and the word of a proxy counts only if `unix` is named."""
    forwarded = scope_of(None, [(XFF, CLIENT)], server=OVER_UNIX_SOCKET)
    trusted = TrustedProxies.parse(["unix"])

    assert trusted.client(forwarded) == ClientAddress(address=ip_address(CLIENT), is_direct=False)
    assert TRUSTED.client(forwarded).address is None
    assert trusted.client(scope_of(None, [], server=OVER_UNIX_SOCKET)).address is None


def test_connection_that_is_gone_is_no_unix_socket() -> None:
    """Over TCP the peer is unknown once it has left, and must not become a trusted one."""
    gone = scope_of(None, [(XFF, FORGED)])

    assert TrustedProxies.parse(["unix"]).client(gone).address is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nginx", "'nginx' is not a block of IP addresses"),
        ("10.0.0.5/24", "write 10.0.0.0/24 for the whole block"),
        ("0.0.0.0/0", "any client could forge its own"),
        ("::/0", "any client could forge its own"),
        ("*", "'*' is not a block of IP addresses"),
    ],
)
def test_proxies_are_named_one_by_one(text: str, message: str) -> None:
    """A name may lead elsewhere tomorrow, and to trust everybody is to trust nobody's address."""
    with pytest.raises(InvalidSettings) as refused:
        TrustedProxies.parse([text])

    assert message in str(refused.value)


def test_server_leaves_the_connection_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """uvicorn's own middleware for proxies is off, whatever the environment trusts."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")

    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        """Answer nothing."""

    config = server_config(app)
    config.load()

    assert config.loaded_app is app


NARROW = Token(
    text="sk_sandbox_narrow",
    grant=Grant(account="ada", scopes=frozenset({"messages:read", "sandbox:control"})),
)
FORMS: tuple[Callable[[str], Mapping[str, str]], ...] = (
    lambda address: {XFF: address},
    lambda address: {FORWARDED: f"for={address}"},
)


def ask(
    app: ASGIApp, method: str, path: str, *, peer: str, base_url: str = "http://sandbox", **arguments: Any
) -> httpx.Response:
    """Send a request from an address."""

    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app, client=(peer, 5000))
        async with httpx.AsyncClient(transport=transport, base_url=base_url) as client:
            return await client.request(method, path, **arguments)

    return asyncio.run(send())


@pytest.fixture
def sandbox_behind_proxy(sandbox: Sandbox) -> Sandbox:
    """Return a sandbox behind a proxy, with a token that is good from the client's network only, and a limit
    of one request for the demo token from each address."""
    conditions = Conditions(networks=AllowList.parse([f"{CLIENT}/32"]))
    with sandbox.database.write() as connection:
        store_issued_token(connection, NARROW, conditions, sandbox.clock.now)
    sandbox.restart(
        trusted_proxies=TRUSTED,
        tokens=(*sandbox.settings.tokens, demo_token(scopes_of(sandbox.api))),
        account_limits={DEMO_ACCOUNT: DEMO_LIMITS},
    )
    return sandbox


def bearer(headers: Mapping[str, str], token: str = NARROW.text) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}", **headers}


@pytest.mark.parametrize("form", FORMS)
def test_allow_list_of_a_token_asks_for_the_address(sandbox_behind_proxy: Sandbox, form: Any) -> None:
    """It is good behind the proxy from where it may be used, and nobody else can say so."""

    def status(peer: str, headers: Mapping[str, str]) -> int:
        return ask(
            sandbox_behind_proxy.app, "GET", "/v1/messages", peer=peer, headers=bearer(headers)
        ).status_code

    assert status(PROXY, form(CLIENT)) == 200
    assert status(CLIENT, {}) == 200
    assert status(PROXY, form(FORGED)) == 401
    assert status(PROXY, {XFF: f"{CLIENT}, {FORGED}"}) == 401
    assert status(PROXY, {FORWARDED: f"for={CLIENT}, for={FORGED}"}) == 401
    assert status(PROXY, {}) == 401
    assert status("127.0.0.1", form(CLIENT)) == 401


@pytest.mark.parametrize("form", FORMS)
def test_sign_in_to_the_pages_asks_for_the_address(sandbox_behind_proxy: Sandbox, form: Any) -> None:
    """With each page too: a session that was begun there is of no use elsewhere."""
    fields = {"token": NARROW.text, "next": ""}

    def sign_in(peer: str, headers: Mapping[str, str]) -> httpx.Response:
        return ask(sandbox_behind_proxy.app, "POST", SIGN_IN, peer=peer, headers=headers, data=fields)

    begun = sign_in(PROXY, form(CLIENT))
    session = {"Cookie": begun.headers["Set-Cookie"].partition(";")[0]}

    def page(peer: str, headers: Mapping[str, str]) -> str:
        return ask(
            sandbox_behind_proxy.app, "GET", "/_sandbox/messages", peer=peer, headers={**session, **headers}
        ).text

    assert begun.status_code == 303
    assert sign_in(PROXY, form(FORGED)).status_code == 403
    assert sign_in("127.0.0.1", form(CLIENT)).status_code == 403
    assert 'name="token"' not in page(PROXY, form(CLIENT))
    assert 'name="token"' in page(PROXY, form(FORGED))
    assert 'name="token"' in page("127.0.0.1", form(CLIENT))


@pytest.mark.parametrize("form", FORMS)
def test_quota_of_the_demo_token_asks_for_the_address(sandbox_behind_proxy: Sandbox, form: Any) -> None:
    """Each client behind the proxy has its own, and nobody gets another by a header."""
    quota = DEMO_LIMITS.rate_limit.quota if DEMO_LIMITS.rate_limit is not None else 0

    def remaining_quota(peer: str, headers: Mapping[str, str]) -> int:
        response = ask(
            sandbox_behind_proxy.app,
            "GET",
            "/v1/messages",
            peer=peer,
            headers=bearer(headers, token=DEMO_TOKEN),
        )
        return int(response.headers["RateLimit"].partition("r=")[2].partition(";")[0])

    of_clients = [remaining_quota(PROXY, form(address)) for address in (CLIENT, CLIENT, FORGED)]
    of_liar = [remaining_quota("192.0.2.9", form(f"192.0.2.{number}")) for number in range(3)]
    of_unreadable = [remaining_quota(PROXY, form(f"unknown{number}")) for number in range(2)]

    assert of_clients == [quota - 1, quota - 2, quota - 1]
    assert of_liar == [quota - 1, quota - 2, quota - 3]
    assert of_unreadable == [quota - 1, quota - 2]


@pytest.mark.parametrize("form", FORMS)
def test_quota_of_requests_without_a_token_asks_for_the_address(
    sandbox_behind_proxy: Sandbox, form: Any
) -> None:
    """Rates are public, and counted by address."""
    sandbox_behind_proxy.restart(rate_limit=RateLimit(quota=1))

    def status(peer: str, headers: Mapping[str, str]) -> int:
        return ask(sandbox_behind_proxy.app, "GET", "/v1/rates", peer=peer, headers=headers).status_code

    behind = [status(PROXY, form(address)) for address in (CLIENT, CLIENT, FORGED)]
    liar = [status("192.0.2.9", form(f"192.0.2.{number}")) for number in range(2)]

    assert behind == [200, 429, 200]
    assert liar == [200, 429]


@pytest.mark.parametrize("form", FORMS)
def test_allow_list_of_who_reads_metrics_asks_for_the_address(
    sandbox_behind_proxy: Sandbox, form: Any
) -> None:
    """A token of the control API can have a list too."""

    def status(peer: str, headers: Mapping[str, str]) -> int:
        return ask(
            sandbox_behind_proxy.app, "GET", "/metrics", peer=peer, headers=bearer(headers)
        ).status_code

    assert status(PROXY, form(CLIENT)) == 200
    assert status(PROXY, form(FORGED)) == 401
    assert status("192.0.2.9", form(CLIENT)) == 401


@pytest.mark.parametrize("form", FORMS)
def test_metrics_without_a_token_are_for_this_machine(sandbox: Sandbox, form: Any) -> None:
    """Neither a header nor a proxy on this machine makes somebody a program on it."""

    def status(peer: str, headers: Mapping[str, str]) -> int:
        here = "http://127.0.0.1:8080"
        return ask(sandbox.app, "GET", "/metrics", peer=peer, base_url=here, headers=headers).status_code

    direct = [status(peer, {}) for peer in ("127.0.0.1", "::1", "::ffff:127.0.0.1", CLIENT)]
    forged = status(CLIENT, form("127.0.0.1"))
    sandbox.restart(trusted_proxies=TrustedProxies.parse(["127.0.0.1"]))
    behind = [
        status("127.0.0.1", {}),
        *(status("127.0.0.1", form(address)) for address in (CLIENT, "127.0.0.1")),
    ]

    assert direct == [200, 200, 200, 401]
    assert forged == 401
    assert behind == [401, 401, 401]


def test_applications_find_the_address_in_one_place() -> None:
    """The scope that they get has no `client`, so what reads it past `client_address` finds nobody."""
    seen: list[Any] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        seen.extend((scope["client"], request.client, client_address(request).address))
        await PlainTextResponse("")(scope, receive, send)

    ask(ClientAddresses(app, TRUSTED), "GET", "/", peer=CLIENT)

    assert seen == [None, None, ip_address(CLIENT)]


TELECOM = Path(__file__).parents[3] / "tools" / "telecom"
HEADERS = {"forwarded", "x-forwarded-for", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"}
ATTRIBUTES = {"client", "getpeername", "remote_addr", "proxy_headers", "forwarded_allow_ips"}
NAMES = {"ProxyHeadersMiddleware", "get_remote_addr", "get_client_addr"}


def address_bypasses(source: str) -> Iterator[str]:
    """Yield each place of a module that could read an address past `client_address`."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(attr=name) if name in ATTRIBUTES:
                yield f"{node.lineno}: .{name}"
            case ast.Name(id=name) | ast.alias(name=name) if name in NAMES:
                yield f"{node.lineno}: {name}"
            case ast.Subscript(slice=ast.Constant(value="client")):
                yield f"{node.lineno}: [client]"
            case ast.Call(func=ast.Attribute(attr="get" | "pop"), args=[ast.Constant(value="client"), *_]):
                yield f"{node.lineno}: get(client)"
            case ast.Constant(value=str() as text) if text.lower() in HEADERS | {"peername"}:
                yield f"{node.lineno}: {text}"
            case ast.Constant(value=bytes() as raw) if raw.decode("latin-1").lower() in HEADERS:
                yield f"{node.lineno}: {raw!r}"


def test_nothing_reads_an_address_past_it() -> None:
    """A new use of the peer or of a header of proxies belongs into the one module."""
    found = {
        path.relative_to(TELECOM).as_posix(): lines
        for path in sorted(TELECOM.rglob("*.py"))
        if (lines := list(address_bypasses(path.read_text(encoding="utf-8"))))
    }

    assert set(found) == {"sandbox/connections/client_address.py"}, found


@pytest.mark.parametrize(
    "source",
    [
        "request.client.host",
        "scope['client'][0]",
        "scope.get('client')",
        "self.client",
        "request.headers['X-Forwarded-For']",
        "request.headers.get('forwarded')",
        "headers = ((b'x-real-ip', b''),)",
        "transport.get_extra_info('peername')",
        "transport.get_extra_info('socket').getpeername()",
        "from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware",
        "get_remote_addr(transport)",
        "config.proxy_headers",
    ],
)
def test_every_way_past_it_is_found(source: str) -> None:
    """The test above goes red for each."""
    assert list(address_bypasses(source))
