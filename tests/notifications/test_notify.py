"""`devportal notify`: each subscriber learns of each change once, and no secret is printed."""

import base64
import email
import email.policy
import hashlib
import hmac
import json
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from devportal.cli import cli
from devportal.notifications.delivery import sign
from tests.changelog.pages.test_change_list import changes_file, rewrite_change
from tests.conftest import GOLDEN
from tests.notifications.receivers import Inbox, garbage_server, mail_receiver, web_receiver

KEY = bytes(range(32))
SECRET = f"whsec_{base64.b64encode(KEY).decode()}"
HARM = "<script>alert(1)</script> *b* @everyone <!channel> [x](https://evil.example/) `c` & |\r\nBcc: eve@example.com"
TIME = 1_793_620_800  # 2026-11-02 12:00 UTC
FEED: dict[str, Any] = {
    "version": "https://jsonfeed.org/version/1.1",
    "items": [
        {
            "id": "tag:portal.example,2026-03-02:no-sms@2",
            "url": "https://portal.example/docs/rates/no/#sms",
            "title": "Norway, SMS: price down 5 %, from 0.06 to 0.057",
            "summary": "0.057 from 2026-03-02.",
            "date_published": "2026-03-02T00:00:00Z",
            "tags": ["kind:rates", "product:sms", "country:NO", "change:price"],
        },
        {"id": "c", "title": "Coverage", "tags": ["kind:coverage", "product:sms"]},
        {"id": "t", "title": "Terms", "tags": ["kind:rates", "change:terms"]},
    ],
}


@pytest.fixture
def portal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a portal with three releases, and a working folder beside it."""
    (tmp_path / "history").mkdir()
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(TIME))
    folder = tmp_path / "site"
    (folder / "changelog").mkdir(parents=True)
    (folder / "changelog" / "changes.json").write_bytes(changes_file(tmp_path / "history"))
    return folder


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Inbox]:
    """Serve a receiver of posts, whose address and secret are in the environment."""
    with web_receiver() as inbox:
        monkeypatch.setenv("HOOK_URL", inbox.url)
        monkeypatch.setenv("HOOK_SECRET", SECRET)
        yield inbox


@pytest.fixture
def mail() -> Iterator[Inbox]:
    """Serve a receiver of emails."""
    with mail_receiver() as inbox:
        yield inbox


SMTP_WITHOUT_TLS = "version: 1\nsmtp: {host: x, security: none, username_env: U, password_env: P}\n"
HOOK = {"webhook": {"url_env": "HOOK_URL", "secret_env": "HOOK_SECRET"}}
SLACK = {"slack": {"url_env": "HOOK_URL"}}
TEAMS = {"teams": {"url_env": "HOOK_URL"}}
EMAIL = {"email": {"from": "api@example.com", "to": ["ada@example.org"]}}


def run(portal: Path | str, *options: str, smtp: Inbox | None = None, **subscriptions: Any) -> Result:
    """Run the command with subscriptions; neither address nor secret is printed."""
    data: dict[str, Any] = {"version": 1, "subscriptions": subscriptions}
    if smtp is not None:
        data["smtp"] = {"host": "127.0.0.1", "port": smtp.port, "security": "none"}
    Path("notify.yaml").write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    result = CliRunner().invoke(cli, ["notify", "--changes", str(portal), *options], prog_name="devportal")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "secret-path" not in result.output
    assert SECRET not in result.output
    return result


def add_release(portal: Path, version: str, count: int = 1) -> None:
    """Add a release with so many changes."""
    path = portal / "changelog" / "changes.json"
    data = json.loads(path.read_text("utf-8"))
    change = data["releases"][2]["changes"][0]
    changes = [
        {**change, "fingerprint": f"{number:016x}", "entries": [], "message": f"change {number}"}
        for number in range(count)
    ]
    data["releases"].insert(
        -1, {**data["releases"][2], "version": version, "previous": "2.0.0", "changes": changes}
    )
    path.write_text(json.dumps(data), encoding="utf-8")


def events(inbox: Inbox) -> list[list[str]]:
    """Return the releases of the changes of each event."""
    return [
        [change["release"] for change in json.loads(body)["data"]["changes"]] for _, _, body in inbox.posts
    ]


def test_each_change_is_told_once(portal: Path, web: Inbox) -> None:
    """The first run tells the latest release, the next one what is new; what is not released yet is not told."""
    first, again = run(portal, partner=HOOK), run(portal, partner=HOOK)
    add_release(portal, "3.0.0")
    later = run(portal, partner=HOOK)

    assert [result.exit_code for result in (first, again, later)] == [0, 0, 0]
    assert events(web) == [["2.0.0"], ["3.0.0"]]
    assert first.stdout == "partner: sent to webhook: Parcels 2.0.0: 1 breaking\n"
    assert again.stdout == "partner: nothing new\n"


def test_a_webhook_is_signed(portal: Path, web: Inbox) -> None:
    """As Standard Webhooks says; the event has what a program needs."""
    run(portal, partner=HOOK)

    path, headers, body = web.posts[0]
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(KEY, content, hashlib.sha256).digest()).decode()
    event = json.loads(body)
    (change,) = event["data"]["changes"]
    assert (path, headers["content-type"]) == ("/secret-path", "application/json")
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert headers["webhook-timestamp"] == str(TIME)
    assert (event["type"], event["timestamp"]) == ("api.changes", "2026-11-02T12:00:00Z")
    assert (change["impact"], change["affects"], change["apis"]) == (
        "breaking",
        ["POST /parcels"],
        ["Messages"],
    )
    assert change["url"] == "https://portal.example/docs/changelog/2026-05-01-shorter/"
    assert change["what_to_do"] == "Move."
    assert change["witness"].startswith("POST /parcels")


def test_the_signature_is_that_of_the_standard() -> None:
    """The example of its libraries."""
    key = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

    signature = sign(
        key, id="msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp=1614265330, body=b'{"test": 2432232314}'
    )

    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.mark.parametrize("status", [404, 410, 500, 302])
def test_a_failed_delivery_is_tried_again(portal: Path, web: Inbox, status: int) -> None:
    """In the next run, with the same id; other subscribers get theirs, and only once."""
    web.status, web.location = status, "http://127.0.0.1:1/elsewhere" if status == 302 else ""
    failed = run(portal, first=EMAIL, partner=HOOK)
    web.status, web.location = 200, ""
    sent = run(portal, first=EMAIL, partner=HOOK)

    assert (failed.exit_code, sent.exit_code) == (1, 0)
    assert "error: partner: the address in HOOK_URL did not take the message: it re" in failed.stderr
    assert len({headers["webhook-id"] for _, headers, _ in web.posts}) == 1
    assert len(web.posts) == 2
    assert "first: nothing new" in sent.stdout
    assert len(list(Path("outbox").iterdir())) == 1


def test_many_changes_are_several_messages(portal: Path, web: Inbox) -> None:
    """Each is remembered when it is delivered."""
    add_release(portal, "3.0.0", count=250)

    run(portal, partner=HOOK)
    again = run(portal, partner=HOOK)

    assert again.stdout == "partner: nothing new\n"

    assert [len(event) for event in events(web)] == [100, 100, 50]
    delivered = json.loads(Path("notify-state.json").read_text("utf-8"))["subscriptions"]["partner"][
        "delivered"
    ]
    assert len(delivered) == 250


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, ["2.0.0"]),
        ({"since": "1.0.0"}, ["2.0.0", "1.1.0"]),
        ({"since": "1.0.0", "impacts": ["additive"]}, ["1.1.0"]),
        ({"since": "1.0.0", "impacts": []}, []),
        ({"apis": ["Messages"]}, ["2.0.0"]),
        ({"apis": ["Other"]}, []),
        ({"uses": "uses.yaml", "since": "1.0.0"}, ["2.0.0"]),
        ({"uses": "other.yaml", "since": "1.0.0"}, []),
    ],
)
def test_a_subscription_has_a_filter(
    portal: Path, web: Inbox, settings: dict[str, Any], told: list[str]
) -> None:
    """By API, impact, release, and what the subscriber's code uses: by the judgement of `devportal affected`."""
    for name, field in (("uses", "to"), ("other", "note")):
        use = {"parameters": [], "request": [field], "responses": {}, "headers": []}
        text = yaml.safe_dump({"version": 1, "operations": {"POST /parcels": use}})
        Path(f"{name}.yaml").write_text(text, encoding="utf-8")

    result = run(portal, partner={**settings, **HOOK})

    assert result.exit_code == 0, result.output
    assert events(web) == ([told] if told else [])


def test_a_wider_filter_gets_what_it_lets_through(portal: Path, web: Inbox) -> None:
    """Since the release at which the subscription began; a later `since` leaves out what is before it."""
    run(
        portal,
        partner={"since": "1.0.0", "impacts": ["fix"], **HOOK},
        other={"since": "1.0.0", "impacts": [], **HOOK},
    )
    run(portal, partner={"since": "1.0.0", **HOOK}, other={"since": "1.1.0", **HOOK})

    assert events(web) == [["2.0.0", "1.1.0"], ["2.0.0"]]


def test_an_unknown_impact_counts_as_breaking(portal: Path, web: Inbox) -> None:
    """As the published schema asks of programs."""
    rewrite_change(portal, impact="catastrophic")

    run(portal, partner={"impacts": ["breaking"], **HOOK})

    assert events(web) == [["2.0.0"]]


def test_an_api_that_no_change_has_is_a_warning(portal: Path, web: Inbox) -> None:
    """Its name may be misspelt, and then nothing would ever be sent; a new API has no change yet."""
    result = run(portal, partner={"apis": ["Parcls"], **HOOK})

    assert result.exit_code == 0
    assert result.stdout == "partner: nothing new\n"
    assert "warning: partner: no change is of the API 'Parcls'; changes are of '" in result.stderr
    assert web.posts == []


def test_changes_of_prices_are_told(portal: Path, web: Inbox) -> None:
    """Those that come after the first run: not every price there is. Coverage and other terms are no prices."""
    (portal / "rates").mkdir()
    feed = portal / "rates" / "feed.json"
    feed.write_text(json.dumps({**FEED, "items": []}), encoding="utf-8")
    prices: dict[str, Any] = {
        "all": {"prices": True, **HOOK},
        "sweden": {"prices": ["country:SE"], **HOOK},
        "none": HOOK,
    }
    run(portal, **prices)
    web.posts.clear()
    feed.write_text(json.dumps(FEED), encoding="utf-8")

    result = run(portal, **prices)

    assert result.stdout.splitlines() == [
        "all: sent to webhook: Parcels: 1 price change",
        "sweden: nothing new",
        "none: nothing new",
    ]
    (change,) = json.loads(web.posts[0][2])["data"]["changes"]
    assert (change["kind"], change["release"], change["title"]) == (
        "price",
        "2026-03-02",
        FEED["items"][0]["title"],
    )


def test_the_feed_of_a_portal_is_read(portal: Path, web: Inbox) -> None:
    """As the rates section writes it."""
    (portal / "rates").mkdir()
    feed = portal / "rates" / "feed.json"
    feed.write_text(json.dumps({**FEED, "items": []}), encoding="utf-8")
    run(portal, partner={"impacts": [], "prices": True, **HOOK})
    feed.write_bytes((GOLDEN / "catalog" / "feed.json").read_bytes())

    run(portal, partner={"impacts": [], "prices": True, **HOOK})

    changes = json.loads(web.posts[0][2])["data"]["changes"]
    assert [change["impact"] for change in changes] == ["price"] * len(changes)
    assert any("from" in change["title"] for change in changes)
    assert [change["tags"] for change in changes if "kind:rates" not in change["tags"]] == []


def test_changes_of_one_entry_are_one_paragraph(portal: Path) -> None:
    """With what differs between them, and all that they affect; the rest is counted. Code stays on the page."""
    path = portal / "changelog" / "changes.json"
    data = json.loads(path.read_text("utf-8"))
    change = data["releases"][2]["changes"][0]
    place = change["places"][0]
    data["releases"][2]["changes"] = [
        {
            **change,
            "fingerprint": f"{number:016x}",
            "message": f"change {number}",
            "places": [{**place, "name": f"GET /{number}"}],
        }
        for number in range(9)
    ]
    migration = "Send **less**:\n\n```json\n{}\n```\n\nSee `docs`.\n"
    data["entries"]["2026-05-01-shorter"]["what_to_do"] = migration
    path.write_text(json.dumps(data), encoding="utf-8")

    run(portal, partner=EMAIL)

    (file,) = Path("outbox").iterdir()
    message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    text = message.get_body(("plain",))
    assert text is not None
    lines = text.get_content().splitlines()
    assert lines[0] == "Parcels 2.0.0: 9 breaking"
    assert lines[2:10] == [
        "breaking in 2.0.0, in effect from 2026-05-01",
        "  A thing is new",
        *(f"  change {number}" for number in range(5)),
        "  and 4 more changes",
    ]
    assert "  Affects: GET /0, GET /1, GET /2 and 6 more" in lines
    assert "  What to do: Send less: See docs." in lines


def test_older_prices_are_not_told(portal: Path, web: Inbox) -> None:
    """Neither to a new subscriber, nor to one who asks for prices later."""
    (portal / "rates").mkdir()
    (portal / "rates" / "feed.json").write_text(json.dumps(FEED), encoding="utf-8")

    run(portal, new={"prices": True, **HOOK}, later=HOOK)
    run(portal, new={"prices": True, **HOOK}, later={"prices": True, **HOOK})

    assert len(web.posts) == 2


@pytest.mark.parametrize("feed", [None, "{", '{"items": [{"tags": ["kind:rates"]}]}', '{"items": 1}'])
def test_a_portal_without_prices_is_reported(portal: Path, web: Inbox, feed: str | None) -> None:
    """Who wants prices gets nothing by mistake; the others get theirs."""
    if feed is not None:
        (portal / "rates").mkdir()
        (portal / "rates" / "feed.json").write_text(feed, encoding="utf-8")

    result = run(portal, partner={"prices": True, **HOOK}, other=HOOK)

    assert result.exit_code == 1
    assert "rates" in result.stderr
    assert "partner: nothing was sent" in result.stderr
    assert len(web.posts) == 1


def test_an_email_has_text_and_html(portal: Path, mail: Inbox) -> None:
    """Both say what changed and where to read on."""
    result = run(portal, smtp=mail, partner=EMAIL)

    sender, recipients, content = mail.mails[0]
    message = email.message_from_bytes(content, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    assert text is not None
    assert html is not None
    assert result.stdout == "partner: sent by email: Parcels 2.0.0: 1 breaking\n"
    assert (sender, recipients) == ("api@example.com", ("ada@example.org",))
    assert (message["Subject"], message["To"]) == ("Parcels 2.0.0: 1 breaking", "ada@example.org")
    assert message["Date"] == "Mon, 02 Nov 2026 12:00:00 +0000"
    assert "breaking in 2.0.0, in effect from 2026-05-01" in text.get_content()
    assert "  What to do: Move." in text.get_content().splitlines()
    assert (
        '<a href="https://portal.example/docs/changelog/2026-05-01-shorter/">A thing is new</a>'
        in html.get_content()
    )


def test_recipients_do_not_see_each_other(portal: Path, mail: Inbox) -> None:
    """One email goes to all of them, and an address that the server refuses is a warning."""
    mail.refused = frozenset({"eve@example.org"})
    to = ["ada@example.org", "bob@example.org", "eve@example.org"]

    result = run(portal, smtp=mail, partner={"email": {"from": "api@example.com", "to": to}})

    assert mail.mails[0][1] == ("ada@example.org", "bob@example.org")
    assert b"example.org" not in mail.mails[0][2].split(b"\r\n\r\n")[0]
    assert (result.exit_code, "refused 1 recipient" in result.stderr) == (0, True)


def test_recipients_refused_for_now_get_it_in_the_next_run(portal: Path, mail: Inbox) -> None:
    """They alone get the same message; the others get nothing twice, and new changes go to all."""
    partner = {"email": {"from": "api@example.com", "to": ["ada@example.org", "bob@example.org"]}}
    mail.busy_for = frozenset({"bob@example.org"})
    first = run(portal, smtp=mail, partner=partner)
    still = run(portal, smtp=mail, partner=partner)
    remembered = Path("notify-state.json").read_text(encoding="utf-8")
    mail.busy_for = frozenset()
    add_release(portal, "3.0.0", count=1)
    third = run(portal, smtp=mail, partner=partner)
    last = run(portal, smtp=mail, partner=partner)

    assert [result.exit_code for result in (first, still, third, last)] == [1, 1, 0, 0]
    refused = (
        "error: partner: the mail server refused 1 recipient for now; the next run sends it to them again"
    )
    assert refused in first.stderr
    assert (refused in still.stderr, still.stdout) == (True, "")
    assert '"bob@example.org": [' in remembered
    assert "missed" not in Path("notify-state.json").read_text(encoding="utf-8")
    assert [other_mail[1] for other_mail in mail.mails] == [
        ("ada@example.org",),
        ("bob@example.org",),
        ("ada@example.org", "bob@example.org"),
    ]
    ids = [email.message_from_bytes(other_mail[2])["Message-ID"] for other_mail in mail.mails]
    assert ids[0] == ids[1] != ids[2]
    assert "nothing new" in last.stdout


def test_recipients_who_left_are_not_waited_for(portal: Path, mail: Inbox) -> None:
    """What they missed is forgotten, as is that of one whom the server then refuses for good."""
    both = {"email": {"from": "api@example.com", "to": ["ada@example.org", "bob@example.org"]}}
    mail.busy_for = frozenset({"bob@example.org"})
    run(portal, smtp=mail, partner=both)
    mail.busy_for, mail.refused = frozenset(), frozenset({"bob@example.org"})
    refused = run(portal, smtp=mail, partner=both)
    after = run(portal, smtp=mail, partner=both)

    assert (refused.exit_code, after.exit_code) == (0, 0)
    assert "warning: partner: the mail server refused 1 recipient\n" in refused.stderr
    assert "nothing new" in after.stdout

    add_release(portal, "3.0.0", count=1)
    mail.busy_for, mail.refused = frozenset({"bob@example.org"}), frozenset()
    waiting = run(portal, smtp=mail, partner=both)
    left = run(portal, smtp=mail, partner={"email": {"from": "api@example.com", "to": ["ada@example.org"]}})

    assert (waiting.exit_code, left.exit_code) == (1, 0)
    assert "missed" not in Path("notify-state.json").read_text(encoding="utf-8")


def test_a_mail_server_that_fails_is_asked_again(portal: Path, mail: Inbox) -> None:
    """It takes nothing, knows no recipient, or does not speak TLS."""
    mail.data_reply = "451 later"
    later = run(portal, smtp=mail, partner=EMAIL)
    mail.data_reply, mail.refused = "250 ok", frozenset({"ada@example.org"})
    unknown = run(portal, smtp=mail, partner=EMAIL)
    mail.refused = frozenset()
    mail.mails.clear()
    sent = run(portal, smtp=mail, partner=EMAIL)

    assert [result.exit_code for result in (later, unknown, sent)] == [1, 1, 0]
    assert "the mail server 127.0.0.1 returned 451" in later.stderr
    assert "error: partner: the mail server refused 1 recipient" in unknown.stderr
    assert len(mail.mails) == 1


def test_an_unprotected_mail_server_gets_nothing(portal: Path, mail: Inbox) -> None:
    """STARTTLS is the default, and there is no way around it."""
    settings = {"version": 1, "smtp": {"host": "127.0.0.1", "port": mail.port}, "subscriptions": {"a": EMAIL}}
    Path("notify.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")

    result = CliRunner().invoke(cli, ["notify", "--changes", str(portal)], prog_name="devportal")

    assert (result.exit_code, mail.mails) == (1, [])
    assert "SMTPNotSupportedError" in result.stderr


def test_slack_gets_blocks(portal: Path, web: Inbox) -> None:
    """A header, a section for each change, and the rest as a count with a link."""
    add_release(portal, "3.0.0", count=30)

    run(portal, team=SLACK)

    payload = json.loads(web.posts[0][2])
    blocks = payload["blocks"]
    assert payload["text"] == "Parcels 3.0.0: 30 breaking"
    assert [block["type"] for block in blocks] == ["header", *["section"] * 20, "context"]
    assert blocks[1]["text"]["text"].startswith("*breaking in 3.0.0, in effect from 2026-03-01*\n")
    assert blocks[-1]["elements"][0]["text"] == (
        "and 10 more changes · <https://portal.example/docs/changelog/|All changes>"
    )


def test_teams_gets_a_card(portal: Path, web: Inbox) -> None:
    """Small enough for Teams, with a button that leads to the changelog."""
    add_release(portal, "3.0.0", count=90)

    run(portal, team=TEAMS)

    body = web.posts[0][2]
    (attachment,) = json.loads(body)["attachments"]
    card = attachment["content"]
    assert len(body) < 28 * 1024
    assert attachment["contentType"] == "application/vnd.microsoft.card.adaptive"
    assert (card["type"], card["body"][0]["text"]) == ("AdaptiveCard", "Parcels 3.0.0: 90 breaking")
    assert card["actions"][0]["url"] == "https://portal.example/docs/changelog/"
    assert "more changes" in card["body"][-1]["text"]


def test_texts_of_a_portal_are_no_markup(portal: Path, web: Inbox, mail: Inbox) -> None:
    """In no channel, and no header of an email."""
    path = portal / "changelog" / "changes.json"
    data = json.loads(path.read_text("utf-8"))
    data["title"] = HARM
    for entry in data["entries"].values():
        entry |= {"title": HARM, "what_to_do": HARM, "url": f"javascript:{HARM}"}
    data["releases"][2]["changes"][0] |= {"message": HARM, "hint": HARM}
    path.write_text(json.dumps(data), encoding="utf-8")

    result = run(portal, smtp=mail, a=EMAIL, b=SLACK, c=TEAMS)

    assert result.exit_code == 0, result.output
    message = email.message_from_bytes(mail.mails[0][2], policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    html = message.get_body(("html",))
    assert html is not None
    assert message["Bcc"] is None
    assert "<script" not in html.get_content()
    assert "javascript:" not in html.get_content()
    slack = json.dumps(json.loads(web.posts[0][2])["blocks"][1:], ensure_ascii=False)
    assert all(item not in slack for item in ("<!channel>", "@everyone", "<script", "*b*", "`c`"))
    teams = json.dumps(json.loads(web.posts[1][2]), ensure_ascii=False)
    assert all(item not in teams for item in ("](", "://evil", "@everyone", " *b*"))
    assert "javascript:" not in slack + teams


def test_a_dry_run_writes_everything_and_sends_nothing(portal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It needs no secret, remembers nothing, and writes the same bytes for the same time."""
    monkeypatch.delenv("HOOK_URL", raising=False)
    four: dict[str, Any] = {"a": EMAIL, "b": SLACK, "c": TEAMS, "d": HOOK}

    first = run(portal, "--dry-run", **four)
    written = {path.name: path.read_bytes() for path in Path("outbox").iterdir()}
    second = run(portal, "--dry-run", "--outbox", "again", **four)

    assert (first.exit_code, second.exit_code) == (0, 0)
    assert sorted(Path(name).suffix for name in written) == [".eml", ".json", ".json", ".json"]
    assert {path.name: path.read_bytes() for path in Path("again").iterdir()} == written
    assert not Path("notify-state.json").exists()


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("HOOK_URL", "", "the environment variable HOOK_URL is not set"),
        (
            "HOOK_URL",
            "http://hooks.example/secret-path",
            "the environment variable HOOK_URL has no https address",
        ),
        ("HOOK_URL", "https://ada:pw@hooks.example/secret-path", "has no https address"),
        ("HOOK_URL", "https://hooks.example/secret-path\nx", "has no https address"),
        ("HOOK_SECRET", "", "the environment variable HOOK_SECRET is not set"),
        ("HOOK_SECRET", "whsec_c2hvcnQ=", "the environment variable HOOK_SECRET has no signing secret"),
        ("HOOK_SECRET", SECRET.removeprefix("whsec_"), "HOOK_SECRET has no signing secret"),
    ],
)
def test_a_secret_that_cannot_be_used_stops_the_run(
    portal: Path, web: Inbox, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, message: str
) -> None:
    """Before anything is sent to anybody."""
    monkeypatch.setenv(variable, value)

    result = run(portal, first=EMAIL, partner=HOOK)

    assert result.exit_code == 2
    assert message in result.stderr
    assert (web.posts, Path("outbox").exists()) == ([], False)


@pytest.mark.parametrize(
    "channel",
    [
        {"slack": "https://hooks.example/secret-path"},
        {"slack": {"url_env": "https://hooks.example/secret-path"}},
        {"webhook": {"url_env": "HOOK_URL", "secret_env": "whsec-secret-path"}},
    ],
)
def test_a_secret_in_place_of_its_variable_is_not_printed(portal: Path, channel: dict[str, Any]) -> None:
    """The message tells how to write the channel instead."""
    result = run(portal, partner=channel)

    assert result.exit_code == 2
    assert "secret-path" not in result.output
    assert "url_env: " in result.stderr or "name of the environment variable" in result.stderr


def test_a_receiver_that_is_not_there_is_reported(portal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its address."""
    monkeypatch.setenv("HOOK_URL", "http://127.0.0.1:1/secret-path")
    monkeypatch.setenv("HOOK_SECRET", SECRET)

    result = run(portal, partner=HOOK)

    assert result.exit_code == 1
    assert "error: partner: the address in HOOK_URL cannot be reached: Connection refused" in result.stderr


def test_a_receiver_that_speaks_no_http_is_reported(portal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Like one that is not there."""
    monkeypatch.setenv("HOOK_SECRET", SECRET)
    with garbage_server() as address:
        monkeypatch.setenv("HOOK_URL", address)

        result = run(portal, partner=HOOK)

    assert result.exit_code == 1
    assert "error: partner: the address in HOOK_URL cannot be reached: " in result.stderr


def test_a_mail_server_whose_name_is_none_is_reported(portal: Path) -> None:
    """Without a traceback."""
    smtp = {"host": f"{'x' * 70}.example"}
    settings = {"version": 1, "smtp": smtp, "subscriptions": {"a": EMAIL}}
    Path("notify.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")

    result = CliRunner().invoke(cli, ["notify", "--changes", str(portal)], prog_name="devportal")

    assert result.exit_code == 1
    assert "cannot be reached" in result.stderr


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("", "the file is empty"),
        ("version: 2\nsubscriptions: {a: {slack: {url_env: X}}}", "notify.yaml:1:1"),
        ("version: 1\nsubscriptions: {}", "notify-file"),
        ("version: 1\nsubscriptions: {a: {}}", "the subscription 'a' has no channel"),
        ("version: 1\nsubscriptions: {a: {slack: {url_env: X}, teams: {url_env: Y}}}", "has slack and teams"),
        ("version: 1\nsubscriptions: {a: {slack: {url_env: 'https://hooks.example/'}}}", "notify.yaml:2"),
        ("version: 1\nsubscriptions: {../a: {slack: {url_env: X}}}", "notify-file"),
        ("version: 1\nsubscriptions: {a: {email: {from: a@b.example, to: ['x y@b']}}}", "notify-file"),
        (
            "version: 1\nsubscriptions: {a: {email: {from: a..b@b.example, to: [a@b.example]}}}",
            "is not an email address",
        ),
        (
            "version: 1\nsmtp: {host: x, username_env: U}\nsubscriptions: {a: {slack: {url_env: X}}}",
            "a name and a password",
        ),
        (f"{SMTP_WITHOUT_TLS}subscriptions: {{a: {{slack: {{url_env: X}}}}}}", "sent without protection"),
        ("version: 1\nsubscriptions: {a: {uses: none.yaml, slack: {url_env: X}}}", "none.yaml"),
        (
            "version: 1\nsubscriptions: {a: {since: 9.9.9, email: {from: a@b.example, to: [c@b.example]}}}",
            "9.9.9",
        ),
    ],
)
def test_settings_with_problems_stop_the_run(portal: Path, settings: str, message: str) -> None:
    """Each is reported with exit code 2."""
    Path("notify.yaml").write_text(settings, encoding="utf-8")

    result = CliRunner().invoke(cli, ["notify", "--changes", str(portal)], prog_name="devportal")

    assert result.exit_code == 2, result.output
    assert message in result.stderr


@pytest.mark.parametrize(
    "state",
    [
        "{",
        "[]",
        '{"version": 2, "subscriptions": {}}',
        '{"version": 1, "subscriptions": {"a": {"since": 1}}}',
    ],
)
def test_a_broken_state_is_not_written_over(portal: Path, state: str) -> None:
    """Nobody gets everything again by mistake."""
    Path("notify-state.json").write_text(state, encoding="utf-8")

    result = run(portal, a=EMAIL)

    assert result.exit_code == 2
    assert "notify-state.json" in result.stderr
    assert Path("notify-state.json").read_text("utf-8") == state
    assert not Path("outbox").exists()


def test_the_state_of_another_api_is_refused(portal: Path) -> None:
    """Its releases are not those of this one."""
    state = {"version": 1, "subscriptions": {"a": {"since": "7.0.0", "prices": False, "delivered": []}}}
    Path("notify-state.json").write_text(json.dumps(state), encoding="utf-8")

    result = run(portal, a=EMAIL)

    assert (result.exit_code, "has no release '7.0.0'" in result.stderr) == (2, True)
