"""Redirects: from rows of names and addresses to where old links lead, and what is wrong with rows."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.contract import Api
from devportal.documents import Scalars, parse_document
from devportal.findings import Finding
from devportal.reference.addresses import addresses_of
from devportal.reference.redirects.redirect_table import (
    folders_without_page,
    normalise_address,
    pages_to_check,
    redirect_table,
)
from devportal.reference.redirects.redirects import (
    REDIRECT_TABLE,
    Redirects,
    RedirectTable,
    parse_redirects,
    redirect_files,
)
from tests.reference.reading import api_from, parse_html

SEND = "reference/messages/send-message/"
IDS = {
    "reference/": {"group.Messages", "servers"},
    "reference/messages/": {"operations"},
    SEND: {"sendMessage", "POST-/v1/messages", "body.text"},
    "reference/messages/get-v1-messages/": {"get-v1-messages"},
    "guides/start/": set(),
}
FILES = {"openapi.json", "files/a.pdf"}


def api() -> Api:
    """Return a contract with an operation that declares its id, and one that does not."""
    responses: dict[str, Any] = {"200": {"description": "x"}}
    operations = {
        "post": {"operationId": "sendMessage", "tags": ["Messages"], "responses": responses},
        "get": {"tags": ["Messages"], "responses": responses},
    }
    return api_from({"paths": {"/v1/messages": operations}})


def rows(text: str) -> tuple[Redirects, tuple[Finding, ...]]:
    """Return the rows of a file, and what is wrong with its shape."""
    return parse_redirects(parse_document(text, name="redirects.yaml", scalars=Scalars.TEXT))


def resolve_redirects(text: str) -> tuple[RedirectTable, list[str]]:
    """Return the table of a file without errors of shape, and `line rule: message` of what is wrong."""
    redirects, misfits = rows(text)
    assert misfits == ()
    contract = api()
    ids = {address: frozenset(id_) for address, id_ in IDS.items()}
    table, findings = redirect_table(redirects, contract, addresses_of(contract), ids.get, FILES.__contains__)
    return table, [f"{finding.place.line} {finding.rule}: {finding.message}" for finding in findings]


def redirect_targets(text: str) -> Mapping[str, str]:
    """Return the targets of the old addresses in a file without errors."""
    table, wrong = resolve_redirects(text)
    assert wrong == []
    return {**table.pages, **table.anchors}


def test_renamed_operation_leads_on_from_its_page_and_its_anchor() -> None:
    """The page was called after the old operationId, and so was the anchor of its title."""
    assert redirect_targets("operations: {sendSms: sendMessage}") == {
        "reference/messages/send-sms/": SEND,
        f"{SEND}#sendSms": SEND,
    }


def test_moved_path_leads_on_from_its_anchor_only_where_the_page_has_a_name_of_its_own() -> None:
    """The page of an operation without operationId is called after method and path."""
    assert redirect_targets("operations: {post /v1/sms: sendMessage}") == {f"{SEND}#POST-/v1/sms": SEND}
    assert redirect_targets("operations: {GET /v1/sms: GET /v1/messages}") == {
        "reference/messages/get-v1-sms/": "reference/messages/get-v1-messages/",
        "reference/messages/get-v1-messages/#GET-/v1/sms": "reference/messages/get-v1-messages/",
    }


def test_renamed_tag_leads_on_from_all_its_pages() -> None:
    """The group's page, its anchor on the overview, and each operation below; both names may be old."""
    assert redirect_targets("tags: {SMS: Messages}\noperations: {sendSms: sendMessage}") == {
        "reference/sms/": "reference/messages/",
        "reference/#group.SMS": "reference/#group.Messages",
        "reference/sms/send-message/": SEND,
        "reference/sms/get-v1-messages/": "reference/messages/get-v1-messages/",
        "reference/messages/send-sms/": SEND,
        "reference/sms/send-sms/": SEND,
        f"{SEND}#sendSms": SEND,
    }


def test_addresses_are_taken_as_they_are_written() -> None:
    """From page to page, from anchor to anchor, and to a page that is written by hand."""
    assert redirect_targets(
        f"pages:\n  a: {SEND}\n  old.html: guides/start/#here\n  {SEND}#text: {SEND}#body.text\n"
    ) == {
        "a/": SEND,
        "old.html": "guides/start/#here",
        f"{SEND}#text": f"{SEND}#body.text",
    }


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ("openapi.json", "'openapi.json' is a file of this site, so no page can be at 'openapi.json/'"),
        ("files/a.pdf/b/", "'files/a.pdf' is a file of this site, so no page can be at 'files/a.pdf/b/'"),
        (
            f"{SEND[:-1]}.md/b",
            f"'{SEND[:-1]}.md' is a file of this site, so no page can be at '{SEND[:-1]}.md/b/'",
        ),
    ],
)
def test_no_page_takes_the_place_of_a_file(old: str, said: str) -> None:
    """Where a file is, or the twin of a page, there can be no folder."""
    table, wrong = resolve_redirects(f"pages: {{{old}: {SEND}}}")

    assert table.pages == {}
    assert wrong == [f"1 redirect-source: {said}"]


@pytest.mark.parametrize("rows_", ["a.html: {0}, a.html/b/: {0}", "a.html/: {0}, a.html: {0}"])
def test_no_page_is_below_another_that_is_a_file(rows_: str) -> None:
    """Of two rows that cannot both be published, the one that needs a folder is told and left out."""
    table, wrong = resolve_redirects(f"pages: {{{rows_.format(SEND)}}}")

    assert table.pages == {"a.html": SEND}
    assert [text.partition(",")[0] for text in wrong] == [
        "1 redirect-source: 'a.html' is a file of this site"
    ]


def test_chain_of_names_is_followed_and_told() -> None:
    """Two renamings in a row keep both old names alive; the older row should name the present."""
    table, wrong = resolve_redirects("operations:\n  a: b\n  b: sendMessage\n")

    assert table.pages == {"reference/messages/a/": SEND, "reference/messages/b/": SEND}
    assert wrong == ["2 redirect-chain: 'a' leads to 'b', which has moved itself"]


def test_chain_of_addresses_is_followed_and_told() -> None:
    """A page may lead to one that has moved, its anchor with it."""
    table, wrong = resolve_redirects(f"pages:\n  a/: b/#body.text\n  b/: {SEND}\n")

    assert table.pages == {"a/": f"{SEND}#body.text", "b/": SEND}
    assert wrong == ["2 redirect-chain: 'a/' leads to 'b/#body.text', which has moved itself"]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("operations: {a: sendMesage}", "1 redirect-target: the contract has no operation 'sendMesage'"),
        ("tags: {a: Message}", "1 redirect-target: the contract has no tag 'Message'"),
        (
            "operations: {sendMessage: sendMessage}",
            "1 redirect-source: the operation 'sendMessage' is still in the contract",
        ),
        ("operations: {a: a}", "1 redirect-loop: the operation 'a' ends up as itself"),
        ("pages: {a/: nowhere/}", "1 redirect-target: 'nowhere/' is not a page of this site"),
        (
            f"pages: {{a/: '{SEND}#body.body'}}",
            f"1 redirect-target: the page {SEND!r} has no anchor 'body.body'",
        ),
        (f"pages: {{{SEND}: reference/}}", f"1 redirect-source: {SEND!r} is a page of this site"),
        (
            f"pages: {{'{SEND}#body.text': reference/}}",
            f"1 redirect-source: the anchor 'body.text' is still on {SEND!r}",
        ),
        (
            "pages: {'gone/#a': reference/}",
            "1 redirect-source: nothing is at 'gone/' any more, so nobody is led on from 'gone/#a'",
        ),
        ("pages: {a/: a}", "1 redirect-loop: 'a/' leads to itself"),
        (
            f"pages: {{a: {SEND}, /a/: reference/}}",
            f"1 redirect-twice: 'a/' is redirected twice: redirects.yaml:1:9 leads to {SEND!r}",
        ),
        ("pages: {../a: reference/}", "1 redirect-address: '../a' is not an address of this site"),
        (
            "pages: {a/: 'https://x.example/'}",
            "1 redirect-address: 'https://x.example/' is not an address of this site",
        ),
    ],
)
def test_row_that_helps_nobody_is_told(text: str, wrong: str) -> None:
    """Each is told at its place; a name that is nearly right is suggested."""
    assert resolve_redirects(text)[1] == [wrong]


def with_parts(text: str) -> Mapping[str, str]:
    """Return where old pages lead where the page of an operation is divided, and so is its group's list."""
    parts = {SEND: [f"{SEND}text/"], "reference/messages/": ["reference/messages/index/2/"]}
    redirects, _ = rows(text)
    contract = api()
    ids = {address: frozenset(id_) for address, id_ in IDS.items()}
    table, wrong = redirect_table(
        redirects,
        contract,
        addresses_of(contract),
        ids.get,
        FILES.__contains__,
        lambda page: parts.get(page, ()),
    )
    assert wrong == ()
    there = {part for found in parts.values() for part in found}
    return {old: new for old, new in table.pages.items() if new in there}


@pytest.mark.parametrize(
    ("text", "led_on"),
    [
        ("operations: {sendSms: sendMessage}", {"reference/messages/send-sms/text/": f"{SEND}text/"}),
        (
            "tags: {SMS: Messages}",
            {
                "reference/sms/send-message/text/": f"{SEND}text/",
                "reference/sms/index/2/": "reference/messages/index/2/",
            },
        ),
        (f"pages: {{old/send: {SEND}}}", {"old/send/text/": f"{SEND}text/"}),
        (f"pages: {{old/send: {SEND}, old/send/text: guides/start/}}", {}),
        (f"pages: {{old.html: {SEND}}}", {}),
        (f"pages: {{old/send: '{SEND}#body.text'}}", {}),
    ],
)
def test_parts_of_a_page_have_moved_with_it(text: str, led_on: Mapping[str, str]) -> None:
    """Whatever row leads on from the page; one of their own is not overridden, and an anchor has no parts."""
    assert with_parts(text) == led_on


def test_circle_of_addresses_is_told_and_left_out() -> None:
    """No browser is sent round in a circle."""
    table, wrong = resolve_redirects("pages:\n  a/: b/\n  b/: c/\n  c/: a/\n")

    assert table.pages == {}
    assert [text.partition(":")[0] for text in wrong] == [f"{line} redirect-loop" for line in (2, 3, 4)]


def test_near_miss_is_suggested() -> None:
    """The help names what is in the contract."""
    redirects, _ = rows("operations: {a: sendMesage}")
    contract = api()

    _, (finding,) = redirect_table(
        redirects, contract, addresses_of(contract), lambda _: frozenset(), FILES.__contains__
    )

    assert finding.help == "did you mean 'sendMessage'?"


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("- a", "redirects.yaml:1:1", "the file is ['a'], not a mapping"),
        ("operation: {}", "redirects.yaml:1:1", "the field 'operation' is not known here"),
        ("pages:\n  a: [b]", "redirects.yaml:2:3", "`pages.a` is ['b'], not text"),
        ("pages: a", "redirects.yaml:1:1", "`pages` is 'a', not a mapping"),
    ],
)
def test_misshapen_file_is_told(text: str, place: str, message: str) -> None:
    """What does not fit is no row, and is told with its place."""
    redirects, (finding,) = rows(text)

    assert not redirects
    assert (str(finding.place), finding.message, finding.rule) == (place, message, "redirect-shape")


def test_empty_file_says_nothing() -> None:
    """A file of comments only has no row and no fault."""
    assert rows("# nothing yet\n") == (Redirects(), ())


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("/reference/a", "reference/a/"),
        ("reference/a/index.html", "reference/a/"),
        ("reference/a/index.md", "reference/a/"),
        ("reference/a.md", "reference/a/"),
        ("old.html#x", "old.html#x"),
        ("", ""),
        ("/", ""),
        ("index.html#x%20y", "#x y"),
        ("a b/%C3%A9", "a b/é/"),
        ("//host/a", None),
        ("http://host/a", None),
        ("a/../b", None),
        ("a?b=c", None),
        ("a\\b", None),
        ("a\nb", None),
    ],
)
def test_address_has_one_form(text: str, address: str | None) -> None:
    """Ways to write the same page are the same; what leaves the site is none."""
    assert normalise_address(text) == address


@given(st.text(max_size=40))
def test_address_never_leaves_the_site(text: str) -> None:
    """Whatever is written: no step up, no host, no file outside; and parsing it again changes nothing."""
    address = normalise_address(text)

    if address is not None:
        page = address.partition("#")[0]
        assert not page.startswith("/")
        assert not {".", ".."} & set(page.split("/"))
        assert page in {"", normalise_address(page.replace("%", "%25"))}


def files(table: RedirectTable, site_url: str = "") -> dict[str, str]:
    """Return what is published, by uri."""
    return {
        redirect_file.uri: redirect_file.content.decode()
        for redirect_file in redirect_files(table, site_url=site_url)
    }


def test_old_address_has_a_page_that_leads_on() -> None:
    """It refreshes itself without scripts, keeps out of search engines, and has a link to click."""
    made = files(RedirectTable(pages={"reference/sms/": "reference/é/#a b"}), "https://x.example/docs/")
    page = parse_html(made["reference/sms/index.html"].removeprefix("<!doctype html>\n"))

    target = "../../reference/%C3%A9/#a%20b"
    assert {element.attributes.get("content") for element in page.find("meta")} >= {
        "noindex",
        f"0; url={target}",
    }
    assert page.find("link")[0].attributes["href"] == "https://x.example/docs/reference/%C3%A9/"
    assert page.find("script")[0].attributes["data-to"] == target
    assert [element.attributes["href"] for element in page.find("a")] == [target]


def test_anchors_of_a_page_that_has_moved_go_with_it() -> None:
    """The page knows where its own anchors lead; the table has all anchors for pages that are still there."""
    table = RedirectTable(pages={"a/": "b/", "c.html": ""}, anchors={"a/#x": "d/#y", "b/#old": "b/#new"})

    made = files(table)

    script = parse_html(made["a/index.html"].removeprefix("<!doctype html>\n")).find("script")[0]
    assert json.loads(script.attributes["data-anchors"]) == {"x": "../d/#y"}
    assert 'href="./"' in made["c.html"]
    assert json.loads(made[REDIRECT_TABLE]) == {"a/#x": "d/#y", "b/#old": "b/#new"}


def test_hostile_address_stays_text() -> None:
    """What a row holds is escaped in markup."""
    made = files(RedirectTable(pages={"a/": "b/"}, anchors={'a/#"><script>x</script>': "b/#'\"<b>"}))

    assert [
        element.attributes.get("src")
        for element in parse_html(made["a/index.html"].split("\n", 1)[1]).find("script")
    ] == ["../assets/devportal/moved.js"]


def test_table_is_there_without_redirects() -> None:
    """The script may ask for it on any site."""
    assert files(RedirectTable()) == {REDIRECT_TABLE: "{}\n"}


def test_folders_without_page_lead_to_the_overview() -> None:
    """Who cuts an address short arrives somewhere; folders with a page of their own are left alone."""
    contract = api_from({"paths": {}, "webhooks": {"e": {"post": {"responses": {}}}}})

    home = folders_without_page(contract, addresses_of(contract, overview="index.md"))

    assert home == {"reference/": "", "reference/events/": "#events"}
    assert folders_without_page(api(), addresses_of(api())) == {}


def test_only_pages_that_matter_are_asked_for() -> None:
    """Old pages, present ones, and the overview where a tag's anchor was; nothing else need be rendered."""
    contract = api()
    redirects, _ = rows(f"tags: {{SMS: Messages}}\npages: {{x/: '{SEND}#a'}}")

    asked = pages_to_check(redirects, contract, addresses_of(contract))

    assert asked == {
        "x/",
        SEND,
        "reference/",
        "reference/sms/",
        "reference/messages/",
        "reference/sms/send-message/",
        "reference/sms/get-v1-messages/",
        "reference/messages/get-v1-messages/",
    }
