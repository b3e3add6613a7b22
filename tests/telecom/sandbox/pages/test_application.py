"""The pages: who sees what, what browsers may do with them, and texts that want to be more than texts."""

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from tests.telecom.sandbox.conftest import ADA, BOB, UNSCOPED
from tests.telecom.sandbox.pages.visitor import SIGN_IN, SIGN_OUT, Visitor, visitor

from telecom.sandbox.pages.application import COOKIE
from telecom.sandbox.pages.sessions import SESSIONS
from telecom.sandbox.tokens.token_store import revoke_stored_token
from telecom.sandbox.tokens.tokens import Grant, Token, hash_token, key_id

LISTS = ("/_sandbox/messages", "/_sandbox/calls", "/_sandbox/events")
HOSTILE = "<script>alert(1)</script> \"'><img src=x onerror=alert(1)> {{ 7 * 7 }} &amp;"
INVISIBLE = "a\u202eb\u2066c\u200fd\x1be\x00f"


@pytest.fixture
def ada(sandbox: Any) -> Visitor:
    return visitor(sandbox.app, ADA)


def message(sandbox: Any, **changes: Any) -> str:
    body = {"to": "+12025550123", "channel": "sms", "body": "Hello", **changes}
    return str(sandbox.send(body).json()["id"])


def test_pages_ask_who_looks(sandbox: Any) -> None:
    """Without a session there is the form, and nothing of any account."""
    identifier = message(sandbox)
    stranger = Visitor(sandbox.app)

    for path in (*LISTS, f"/_sandbox/messages/{identifier}"):
        html = stranger.see(path)
        assert 'name="token"' in html
        assert f'name="next" value="{path}"' in html
        assert "Timeline" not in html


def test_home_tells_strangers_how_to_sign_in(sandbox: Any) -> None:
    """And what is running."""
    html = Visitor(sandbox.app).see("/_sandbox/")

    assert sandbox.api.title in html
    assert SIGN_IN in html


def test_signing_in_leads_to_what_was_wanted(sandbox: Any) -> None:
    """Else to the first list that the token may see."""
    plain = Visitor(sandbox.app).sign_in(ADA)
    wanted = Visitor(sandbox.app).sign_in(ADA, wanted="/_sandbox/events?type=webhook.test")

    assert (plain.status_code, plain.headers["Location"]) == (303, "/_sandbox/messages")
    assert wanted.headers["Location"] == "/_sandbox/events?type=webhook.test"


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/_sandbox/events",
        "//evil.example/_sandbox/events",
        "/\\evil.example",
        "/_sandbox/../v1/messages",
        "/_sandbox/events\r\nSet-Cookie: a=b",
        "javascript:alert(1)",
        "/v1/messages",
        "//[",
        "http://[::1/_sandbox/events",
    ],
)
def test_signing_in_leads_nowhere_else(sandbox: Any, target: str) -> None:
    """Where to go on is a page of ours, whatever a link said."""
    answer = Visitor(sandbox.app).sign_in(ADA, wanted=target)

    assert answer.headers["Location"] == "/_sandbox/messages"


@pytest.mark.parametrize("token", ["", "nobody-has-this-token", "Bearer ", "\ud800"])
def test_wrong_token_is_refused(sandbox: Any, token: str) -> None:
    """With a sentence, and without a session."""
    somebody = Visitor(sandbox.app)
    body = b"token=%ED%A0%80" if token == "\ud800" else f"token={token}".encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = somebody.ask("POST", SIGN_IN, content=body, headers=headers)

    assert answer.status_code in {400, 403}
    assert somebody.cookies == {}


def test_session_is_kept_from_scripts_and_other_sites(sandbox: Any) -> None:
    """The cookie is random, for these pages only, and neither it nor the token is in the database."""
    answer = Visitor(sandbox.app).sign_in(ADA)
    secure = Visitor(sandbox.app, base_url="https://sandbox").sign_in(ADA)

    cookie = answer.headers["Set-Cookie"]
    identifier = answer.cookies[COOKIE]
    for part in ("HttpOnly", "SameSite=strict", "Path=/_sandbox/", "Max-Age=28800"):
        assert part in cookie
    assert "Secure" not in cookie
    assert "Secure" in secure.headers["Set-Cookie"]
    assert len(identifier) == 64
    assert identifier != secure.cookies[COOKIE]
    with sandbox.database.read() as connection:
        rows = connection.execute(sa.select(SESSIONS)).all()
    assert len(rows) == 2
    assert not {identifier, ADA} & {value for row in rows for value in row}


def test_session_ends_after_8_hours(sandbox: Any, ada: Visitor) -> None:
    """Then the form is there again."""
    sandbox.clock.forward(hours=7, minutes=59)
    before = ada.see(LISTS[0])
    sandbox.clock.forward(minutes=2)

    assert 'name="token"' not in before
    assert 'name="token"' in ada.see(LISTS[0])


def test_session_ends_with_its_token(sandbox: Any, ada: Visitor) -> None:
    """Who revokes a token has not to think of sessions."""
    with sandbox.database.write() as connection:
        revoke_stored_token(connection, key_id(hash_token(ADA)), sandbox.clock())
    sandbox.clock.forward(seconds=2)

    assert 'name="token"' in ada.see(LISTS[0])


def test_signing_out_ends_the_session(ada: Visitor) -> None:
    """In the database too: a cookie that somebody has copied is worth nothing."""
    copied = dict(ada.cookies)
    answer = ada.ask("POST", SIGN_OUT)
    ada.cookies = copied

    assert answer.status_code == 303
    assert "Max-Age=0" in answer.headers["Set-Cookie"]
    assert 'name="token"' in ada.see(LISTS[0])


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://sandbox"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
    ],
)
@pytest.mark.parametrize("path", [SIGN_IN, SIGN_OUT])
def test_forms_of_other_sites_are_refused(ada: Visitor, headers: dict[str, str], path: str) -> None:
    """Nobody signs a reader in as somebody else, or out."""
    answer = ada.ask("POST", path, data={"token": BOB}, headers=headers)

    assert answer.status_code == 403
    assert "Set-Cookie" not in answer.headers
    assert "<strong>ada</strong>" in ada.see(LISTS[0])


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "same-origin"}, {"Origin": "http://sandbox"}, {}])
def test_own_forms_are_taken(sandbox: Any, headers: dict[str, str]) -> None:
    """Those of browsers that tell where a request comes from, and those of other programs."""
    assert Visitor(sandbox.app).sign_in(ADA, **headers).status_code == 303


@pytest.mark.parametrize(
    ("content", "media_type"),
    [(b"token=" + b"a" * 5000, "application/x-www-form-urlencoded"), (b'{"token": "x"}', "application/json")],
)
def test_what_no_form_sends_is_refused(sandbox: Any, content: bytes, media_type: str) -> None:
    """Nothing of it is kept in memory."""
    answer = Visitor(sandbox.app).ask("POST", SIGN_IN, content=content, headers={"Content-Type": media_type})

    assert answer.status_code == 400


def test_everybody_sees_their_own_account(sandbox: Any, ada: Visitor) -> None:
    """What another account has is not there, as if it were nowhere."""
    of_ada = message(sandbox, body="a secret of Ada")
    bob = visitor(sandbox.app, BOB)

    assert "a secret of Ada" in ada.see(LISTS[0])
    assert "a secret of Ada" not in bob.see(LISTS[0])
    answer = bob.ask("GET", f"/_sandbox/messages/{of_ada}")
    assert answer.status_code == 404
    assert "a secret of Ada" not in answer.text


def test_pages_need_the_scopes_of_the_api(sandbox: Any) -> None:
    """Signing in works with any token; what it may not read is refused, with the scope that it lacks."""
    somebody = visitor(sandbox.app, UNSCOPED)

    for path, scope in zip(LISTS, ("messages:read", "calls:read", "webhooks:read"), strict=True):
        answer = somebody.ask("GET", path)
        assert answer.status_code == 403
        assert scope in answer.text


def test_timeline_without_the_scope_of_events(sandbox: Any) -> None:
    """The message is shown, and why its events are not."""
    token = Token(text="token-of-reader", grant=Grant(account="ada", scopes=frozenset({"messages:read"})))
    sandbox.restart(tokens=(*sandbox.settings.tokens, token))
    identifier = message(sandbox)
    sandbox.clock.forward(seconds=2)
    sandbox.step()
    html = visitor(sandbox.app, token.text).see(f"/_sandbox/messages/{identifier}")

    assert "sent → delivered" in html
    assert "message.status_changed" not in html
    assert "webhooks:read" in html


def test_pages_may_load_nothing_of_others(sandbox: Any, ada: Visitor) -> None:
    """The policy allows our own files only, no page is kept, and none is framed."""
    paths = ("/_sandbox/", SIGN_IN, *LISTS, f"/_sandbox/messages/{message(sandbox)}", "/_sandbox/calls/none")

    for path in paths:
        answer = ada.ask("GET", path)
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'self';")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        for inline in (" style=", "<style", " onclick=", "javascript:"):
            assert inline not in answer.text
        assert answer.text.count("<script") == answer.text.count('<script type="module" src="/_sandbox/')


def test_texts_stay_texts(sandbox: Any, ada: Visitor) -> None:
    """Whoever writes a message, an address or a description writes no page."""
    identifier = message(sandbox, body=HOSTILE)
    endpoint = {
        "url": "http://127.0.0.1:9000/?q=<script>alert(1)</script>",
        "description": HOSTILE,
        "event_types": ["message.status_changed"],
    }
    made = sandbox.post("/v1/webhook-endpoints", endpoint)
    if made.status_code == 422:
        made = sandbox.post(
            "/v1/webhook-endpoints", {**endpoint, "url": "http://127.0.0.1:9000/?q=%3Cscript%3E"}
        )
    assert made.status_code == 201, made.text
    second = message(sandbox, body=HOSTILE)
    sandbox.clock.forward(seconds=2)
    sandbox.step(_refusing)
    pages = [ada.see(f"/_sandbox/messages/{text}") for text in (identifier, second)]
    pages += [ada.see(LISTS[0]), ada.see(LISTS[2])]
    faulty = ada.ask("GET", "/_sandbox/messages?to=%3Cscript%3Ealert(1)%3C/script%3E")

    for html in (*pages, faulty.text):
        assert "<script>" not in html
        assert "<img src=x" not in html
    assert "{{ 7 * 7 }}" in pages[0]
    assert any("&lt;script&gt;alert(1)" in html for html in pages)
    assert "&lt;script&gt;" in faulty.text


def test_what_cannot_be_seen_is_shown(sandbox: Any, ada: Visitor) -> None:
    """A text cannot turn around what stands beside it, or hide a part of itself."""
    html = ada.see(f"/_sandbox/messages/{message(sandbox, body=INVISIBLE)}")

    for code in ("202e", "2066", "200f", "001b", "0000"):
        assert f"\\u{code}" in html
    assert not set(INVISIBLE) - set("abcdef") & set(html)


def test_list_is_filtered_and_paged(sandbox: Any, ada: Visitor) -> None:
    """By what the API filters by, with its cursors."""
    for _ in range(22):
        message(sandbox)
    other = message(sandbox, to="+12025550176")
    first = ada.see(LISTS[0])
    only = ada.see(f"{LISTS[0]}?to=%2B12025550176&status=")
    cursor = first.split('href="?cursor=')[1].partition('"')[0]
    second = ada.see(f"{LISTS[0]}?cursor={cursor}")

    assert first.count('<th scope="row">') == 20
    assert only.count('<th scope="row">') == 1
    assert other in only
    assert "Newest" in second
    assert not set(_ids(first)) & set(_ids(second))


def test_faulty_filter_is_told(ada: Visitor) -> None:
    """The form is there again, with what was typed."""
    html = ada.see(f"{LISTS[0]}?to=abc")

    assert 'role="alert"' in html
    assert 'value="abc"' in html


def test_other_methods_are_refused(ada: Visitor) -> None:
    """A page is read; only the forms are sent."""
    assert ada.ask("DELETE", LISTS[0]).status_code == 405
    assert ada.ask("GET", SIGN_OUT).status_code == 405


def test_assets_are_those_of_the_documentation(sandbox: Any) -> None:
    """Colours and pieces are shared; what else is asked for is not there."""
    stranger = Visitor(sandbox.app)

    assert "--dp-bg: light-dark(" in stranger.see("/_sandbox/assets/tokens.css")
    assert ".dp-badge" in stranger.see("/_sandbox/assets/portal.css")
    for name in ("../views.py", "%2e%2e/views.py", "none.css"):
        assert stranger.ask("GET", f"/_sandbox/assets/{name}").status_code == 404


def test_sessions_that_have_ended_are_forgotten(sandbox: Any) -> None:
    """The next one that begins takes them away."""
    Visitor(sandbox.app).sign_in(ADA)
    sandbox.clock.now += timedelta(hours=9)
    Visitor(sandbox.app).sign_in(ADA)

    with sandbox.database.read() as connection:
        assert len(connection.execute(sa.select(SESSIONS)).all()) == 1


def test_what_is_no_page_is_nothing(sandbox: Any) -> None:
    """A problem document, as anywhere else in the API."""
    answer = Visitor(sandbox.app).ask("GET", "/_sandbox/nothing")

    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_fault_is_a_page_without_details(
    sandbox: Any, ada: Visitor, caplog: pytest.LogCaptureFixture
) -> None:
    """What it was is in the log only."""
    with sandbox.database.write() as connection:
        connection.execute(sa.text("ALTER TABLE messages RENAME TO lost_messages"))
    try:
        answer = ada.ask("GET", LISTS[0])
    finally:
        with sandbox.database.write() as connection:
            connection.execute(sa.text("ALTER TABLE lost_messages RENAME TO messages"))

    assert answer.status_code == 500
    assert "unexpected error" in answer.text
    assert "messages.account" not in answer.text
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert "a page failed" in caplog.text


def _ids(html: str) -> list[str]:
    return [part.partition('"')[0] for part in html.split('href="/_sandbox/messages/')[1:]]


async def _refusing(scope: Any, _receive: Any, send: Any) -> None:
    del scope
    await send({"type": "http.response.start", "status": 500, "headers": []})
    await send({"type": "http.response.body", "body": b"<script>"})
