"""What is searched for: identifiers, prices in their markets, networks, notes; and what is no leak."""

import json
from decimal import Decimal

import pytest

from devportal.catalog import content_sha256, published
from devportal.catalog.audit.lifecycle import Action, State
from devportal.site.leaks.detectors import Leak
from devportal.site.leaks.private_values import ValueKind, find_private_values, without_public_entries
from tests.catalog.build import COVERAGE, TODAY, coverage, log_of, rate, records, with_unchecked_entry
from tests.catalog.own_book import net, replace
from tests.site.leaks.catalog import DRAFT, NEXT, NOTE, PUBLIC, draft, draft_of, leaks_of, search_for


def secrets_in(content: str, *versions: object, name: str = "page/index.html", said: str = "") -> set[str]:
    """Return the kinds of what leaks in a page."""
    return {leak.kind for leak in leaks_of(name, content, *versions, said=said)}  # type: ignore[arg-type]


# ---- identifiers -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "<p>no-sms-brage</p>",
        '<tr id="rate-no-sms-brage-1">',
        "no-sms-brage@1",
        "see rates/no-sms-brage",
        "NO-SMS-BRAGE",
        '{"row_id": "no-sms-brage@1"}',
        "no-sms-brage-history.html",
    ],
)
def test_identifier_of_a_draft_leaks(text: str) -> None:
    """In text, as an anchor, with its version, in capitals, as a part of a name."""
    assert secrets_in(text) == {ValueKind.IDENTIFIER}


@pytest.mark.parametrize(
    "text", ["no-sms-brageland", "xno-sms-brage", "no-sms", "no sms brage", "no_sms_brage"]
)
def test_identifier_is_a_whole_one(text: str) -> None:
    """Part of a longer word is another word."""
    assert secrets_in(text) == set()


def test_identifier_in_a_longer_public_one_is_no_leak() -> None:
    """`no-sms` is not meant where `no-sms-fjord` stands, which is public; by itself it is."""
    short = draft_of(id="no-sms", price=PUBLIC.price, network=None)
    longer = draft_of(id="no-sms-fjord-plus", price=PUBLIC.price, network=None)

    assert secrets_in("rate-no-sms-fjord-1, no-sms-fjord@1", draft_of(id="sms-fjord")) == set()
    assert secrets_in("rate-no-sms-fjord-1", longer) == set()
    assert secrets_in("rate-no-sms-fjord-plus-1", longer) == {ValueKind.IDENTIFIER}
    assert secrets_in("no-sms", short) == set(), "the coverage record of that name is public"


@pytest.mark.parametrize(
    ("text", "leaks"), [("in-sms", True), ("rate-in-sms-1", True), ("opt-in-sms", False)]
)
def test_identifier_of_two_words_stands_alone(text: str, leaks: bool) -> None:  # noqa: FBT001 - a column
    """`opt-in-sms` is a word of any text."""
    terms = draft_of(id="in-sms", price=PUBLIC.price, network=None)

    assert secrets_in(text, terms) == ({ValueKind.IDENTIFIER} if leaks else set())


@pytest.mark.parametrize(
    "text", ["no-sms-fjord@2", "no-sms-fjord-2", 'id="rate-no-sms-fjord-2"', "rates/no-sms-fjord@2 0.1"]
)
def test_version_of_a_public_rate_leaks(text: str) -> None:
    """The next version of a public rate is a secret, though the rate is none."""
    assert secrets_in(text, draft(NEXT)) == {ValueKind.VERSION}


@pytest.mark.parametrize("text", ["no-sms-fjord@1", "rate-no-sms-fjord-1", "no-sms-fjord", "no-sms-fjord@20"])
def test_public_version_is_no_leak(text: str) -> None:
    """What is public may be shown in all forms; version 20 is not version 2."""
    assert secrets_in(text, draft(NEXT)) == set()


def test_identifier_of_one_word_counts_with_its_version() -> None:
    """`norway` stands in every text; `norway@1` does not."""
    terms = draft_of(id="norway", price=PUBLIC.price, network=None)

    assert secrets_in("welcome to norway", terms) == set()
    assert secrets_in("norway@1", terms) == {ValueKind.VERSION}
    assert secrets_in('id="rate-norway-1"', terms) == {ValueKind.VERSION}


def test_hash_of_content_leaks() -> None:
    """From the hash of a draft its price can be found by trying; that of a public version is shown."""
    log = log_of(PUBLIC, COVERAGE, log=log_of(DRAFT, steps=(Action.CREATE,)))
    search = search_for((draft(),), "", log)

    assert [
        leak.kind
        for leak in search.search_file("a.json", content_sha256(DRAFT).encode())
        if isinstance(leak, Leak)
    ] == [ValueKind.CONTENT]
    assert list(search.search_file("a.json", content_sha256(PUBLIC).encode())) == []


# ---- prices ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    [
        "0.42420",
        "0.4242",
        "0,4242",
        ".4242",
        "0.424200",
        "€0.4242",
        "EUR0.4242",
        "4.242e-1",
        "0.42420000000000002",
        "kr0.4242",
        "-0.4242 EUR",
    ],
)
def test_price_leaks_however_it_is_written(written: str) -> None:
    """With zeros, with a comma, without its zero, with a sign, as a program or a spreadsheet writes it."""
    page = f"<p>In Norway it is {written} for a segment</p>".encode()

    found = leaks_of("a/index.html", page)

    number = written.strip("€EURkr- ").encode()
    assert [(leak.kind, leak.offset) for leak in found] == [(ValueKind.PRICE, page.index(number))]


@pytest.mark.parametrize(
    "written",
    [
        "10.4242",
        "0.42421",
        "1.0.4242",
        "0.4242.1",
        "+0.4242",
        "-0.4242",
        "−0.4242",
        "0.4242 %",
        "0.4242em",
        "x0.4242",
        "42.42",
    ],
)
def test_other_numbers_are_no_price(written: str) -> None:
    """Longer ones, versions, differences, shares and lengths."""
    assert secrets_in(f"<p>In Norway it is {written} for a segment</p>") == set()


@pytest.mark.parametrize(
    "text",
    [
        "<tr><td>NO</td><td>0.4242</td></tr>",
        "<tr><td>0.4242</td><td>Norway</td></tr>",
        '<tr data-country="NO"><td>0.4242</td></tr>',
        "<a href='/coverage/no/'>0.4242</a>",
        '<tr data-network="242-010"><td>0.4242</td></tr>',
        "<p>Calls to +47 cost 0.4242</p>",
        "<p>Fjord Mobil takes 0.4242</p>",
        "<h2>Norway</h2><table><tr><td>0.4242</td></tr></table>",
        "<h2>NORWAY</h2>" + "<p>Some words between.</p>" * 400 + "<p>0.4242</p>",
        '{"no": {"price": 1}, "country": "no", "price": "0.4242"}',
    ],
)
def test_price_leaks_near_its_market(text: str) -> None:
    """Code, name, address, network, dialling code; before or after; in its row or as the heading above."""
    assert secrets_in(text) == {ValueKind.PRICE}


@pytest.mark.parametrize(
    "text",
    [
        "<tr><td>SE</td><td>0.4242</td></tr>",
        "<p>There is no price of 0.4242 in here</p>",
        "<tr><td>Sweden</td><td>0.4242</td></tr><tr><td>SE</td><td>0.1</td></tr><tr><td>NO</td><td>0.10</td></tr>",
        "<p>Norway</p>" + "<p>Some words between.</p>" * 400 + "<p>0.4242</p>",
    ],
)
def test_price_far_from_its_market_is_none(text: str) -> None:
    """Another market's row, the word `no`, or a page's other end."""
    assert secrets_in(text) == set()


@pytest.mark.parametrize(
    "name", ["coverage/no/index.html", "rates/sms/no/index.html", "rates-no.csv", "no.json"]
)
def test_market_of_a_page_is_near_everywhere(name: str) -> None:
    """On the page of one country no mention is needed."""
    assert secrets_in("<p>It is 0.4242 there</p>", name=name) == {ValueKind.PRICE}


def test_title_of_a_page_names_its_market() -> None:
    """A page whose title names one country is about that country."""
    page = "<title>Rates for Norway</title>" + "<p>Words.</p>" * 500 + "<p>0.4242</p>"

    assert secrets_in(page) == {ValueKind.PRICE}


def test_price_that_is_public_in_that_market_is_no_leak() -> None:
    """The draft of another product may cost what a public one costs."""
    assert secrets_in("<p>Norway: 0.1 EUR</p>", draft_of(price=Decimal("0.100"), network=None)) == set()


def test_public_price_of_another_market_in_the_next_row_is_no_leak() -> None:
    """The row of a market with that price ends where the row of the draft's market begins."""
    swedish = draft_of(id="se-sms-vind", country="SE", price=PUBLIC.price, network=None)
    rows = "".join(
        f'<tr data-country="{code}"><td>{name}</td><td>{price}</td><td>EUR</td></tr>'
        for code, name, price in (("NO", "Norway", "0.10"), ("SE", "Sweden", "0.55"))
    )

    assert secrets_in(rows, swedish) == set()
    assert secrets_in(rows.replace("0.55", "0.10"), swedish) == {ValueKind.PRICE}


def test_public_price_of_another_market_in_the_next_line_is_no_leak() -> None:
    """The same for the lines of a CSV and the objects of a JSON file."""
    swedish = draft_of(id="se-sms-vind", country="SE", price=PUBLIC.price, network=None)

    assert secrets_in("id,NO,0.10,EUR\nid,SE,0.55,EUR\n", swedish, name="r.csv") == set()
    assert secrets_in("id,NO,0.55,EUR\nid,SE,0.10,EUR\n", swedish, name="r.csv") == {ValueKind.PRICE}
    assert secrets_in('[{"c":"NO","p":"0.10 EUR"},{"c":"SE"}]', swedish, name="r.json") == set()
    assert secrets_in('[{"c":"NO"},{"c":"SE","p":"0.10 EUR"}]', swedish, name="r.json") == {ValueKind.PRICE}


@pytest.mark.parametrize(
    "text",
    [
        "<p>Norway</p><p>SMS: 2 in 2 countries, 0.06 to 0.10 EUR per segment</p><p>Sweden</p>",
        "<h2>Sweden and others</h2><p>It is 0.10 EUR</p>",
        "<tr><td>Sweden</td></tr><tr><td>0.10</td><td>EUR</td></tr>",
    ],
)
def test_public_price_is_explained_where_no_market_is_named(text: str) -> None:
    """In a summary it may be that of any market; in a row that names its own it may not, nor in its page."""
    swedish = draft_of(id="se-sms-vind", country="SE", price=PUBLIC.price, network=None)
    dollars = draft_of(id="se-sms-vind", country="SE", price=PUBLIC.price, network=None, currency="USD")

    assert secrets_in(text, swedish) == set()
    assert secrets_in("<p>Sweden: 0.10 EUR</p>", swedish) == {ValueKind.PRICE}
    assert secrets_in("<p>It is 0.10 EUR</p>", swedish, name="coverage/se/index.html") == {ValueKind.PRICE}
    assert secrets_in("<p>Sweden</p><p>0.10 USD</p>", dollars) == {ValueKind.PRICE}


def test_row_is_whole_where_something_is_broken_near_it() -> None:
    """What is read again around a soft hyphen begins with a row, not amid one that loses its country so."""
    swedish = draft_of(id="se-sms-vind", country="SE", price=PUBLIC.price, network=None, currency="USD")
    rows = "<tr><td>Norway</td><td>0.10</td><td>USD</td></tr><tr><td>Sweden</td></tr>"

    for length in range(980, 1060, 4):
        assert secrets_in(f"{rows}<p>{'y ' * length}hy&shy;phen</p>", swedish) == set()


@pytest.mark.parametrize(
    "text",
    [
        "0.5 EUR",
        "€ 0.5",
        "EUR 0.50",
        "<td>0.50</td><td>EUR</td>",
        "&euro;0.5",
        '"price": "0.5", "currency": "EUR"',
    ],
)
def test_short_price_leaks_beside_its_currency(text: str) -> None:
    """`0.5` is a number of any text; with its currency it is a price."""
    assert secrets_in(f"<p>Norway {text}</p>", draft_of(price=Decimal("0.5"))) == {ValueKind.PRICE}


@pytest.mark.parametrize(
    ("currency", "text"), [("USD", "0.5 dollars"), ("EUR", "0.50 euros"), ("GBP", "half of it, 0.5 pounds")]
)
def test_short_price_leaks_beside_the_name_of_its_currency(currency: str, text: str) -> None:
    """As people write it."""
    terms = draft_of(price=Decimal("0.5"), currency=currency)

    assert secrets_in(f"<p>Norway {text}</p>", terms) == {ValueKind.PRICE}
    assert (
        secrets_in(f"<p>Norway {text}</p>", replace(terms, terms=replace(terms.terms, currency="SEK")))
        == set()
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "a.html",
            "<table><tr><th>Country</th><th>EUR per minute</th></tr>{}<tr><td>Norway</td><td>0.5</td></tr>",
        ),
        ("a.md", "| Country | EUR |\n|---|---|\n{}| Norway | 0.50 |\n"),
        ("a.csv", "country,price_eur\n{}NO,0.50\n"),
    ],
)
def test_short_price_leaks_below_its_currency(name: str, text: str) -> None:
    """The header of a table says the currency for all its rows, however many there are."""
    row = {
        "a.html": "<tr><td>Sweden</td><td>0.1</td></tr>",
        "a.md": "| Sweden | 0.1 |\n",
        "a.csv": "SE,0.1\n",
    }
    content = text.format(row[name] * 30)
    terms = draft_of(price=Decimal("0.5"))

    assert secrets_in(content, terms, name=name) == {ValueKind.PRICE}
    assert secrets_in(content.replace("EUR", "hits").replace("eur", "hits"), terms, name=name) == set()
    assert secrets_in("<table><tr><th>EUR</th></tr></table><p>Norway 0.5</p>", terms) == set()


@pytest.mark.parametrize("text", ["0.5", "0.5 USD", "version 0.5", "0.5 seconds"])
def test_short_price_without_its_currency_is_none(text: str) -> None:
    """The number alone tells nothing."""
    assert secrets_in(f"<p>Norway {text}</p>", draft_of(price=Decimal("0.5"))) == set()


@pytest.mark.parametrize(
    "text",
    [
        "12 EUR", "EUR 12", "€12", "12.00 EUR", "12,00 €", "12&nbsp;€", "<td>12</td><td>EUR</td>",
        '"price": "12", "currency": "EUR"', "12 | EUR", "EUR12",
    ],
)  # fmt: skip
def test_whole_price_leaks_beside_its_currency(text: str) -> None:
    """A number without decimals, as numbers are rented for."""
    assert secrets_in(f"<p>Norway {text}</p>", draft_of(price=Decimal(12))) == {ValueKind.PRICE}


@pytest.mark.parametrize("text", ["12", "112 EUR", "12.5 EUR", "<td>12</td>", "12 days, 5 EUR and 3 rows"])
def test_other_whole_numbers_are_none(text: str) -> None:
    """Without its currency, or as a part of another number."""
    assert secrets_in(f"<p>Norway {text}</p>", draft_of(price=Decimal(12))) - {ValueKind.PRICE} == set()
    if "days" not in text:
        assert secrets_in(f"<p>Norway {text}</p>", draft_of(price=Decimal(12))) == set()


@pytest.mark.parametrize("text", ["1,250.5 EUR", "1250.50 EUR", "1.250,5"])
def test_price_over_a_thousand_leaks(text: str) -> None:
    """With and without a separator of thousands; the one of half of Europe is not read."""
    expected = set() if text == "1.250,5" else {ValueKind.PRICE}

    assert secrets_in(f"<p>Norway {text}</p>", draft_of(price=Decimal("1250.5"))) == expected


def test_very_small_price_leaks_with_an_exponent() -> None:
    """As a program writes 0.00005."""
    assert secrets_in("Norway EUR 5e-05", draft_of(price=Decimal("0.00005"))) == {ValueKind.PRICE}


def test_four_decimals_make_a_price() -> None:
    """`0.0098` has two digits that count, and is nothing but a price."""
    assert secrets_in("<p>Norway 0.0098</p>", draft_of(price=Decimal("0.0098"))) == {ValueKind.PRICE}


def test_outline_of_a_country_is_no_price() -> None:
    """A map has many numbers beside the names of countries."""
    drawn = '<a href="/coverage/no/"><title>Norway</title><path d="M1.5 0.4242l3 4z"/></a>'

    assert secrets_in(drawn) == set()
    assert secrets_in(drawn.replace("</a>", "<text x='3'>0.4242</text></a>")) == {ValueKind.PRICE}


# ---- networks ----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["Brage Nett", "brage nett", "BRAGE NETT", "brage-nett", "Brage\n  Nett"])
def test_name_of_a_network_leaks(text: str) -> None:
    """In any case, broken, and as an anchor."""
    assert secrets_in(f"<p>with {text}.</p>") == {ValueKind.NAME}


@pytest.mark.parametrize("text", ["Fjord Mobil", "Brage", "Nett Brage", "Brages Nett"])
def test_other_names_are_none(text: str) -> None:
    """A public network, and parts or neighbours of a name."""
    assert secrets_in(f"<p>with {text}.</p>") == set()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", "<td>Brage</td><td>Nett</td>"),
        ("a.html", "<li>Brage</li>\n<li>Nett</li>"),
        ("a.html", "<option>Brage<option>Nett"),
        ("a.csv", "Brage,Nett"),
        ("a.csv", "1;Brage\nNett;2"),
        ("a.md", "| Brage | Nett |"),
        ("a.md", "- Brage\n- Nett\n"),
        ("a.json", '["Brage", "Nett"]'),
    ],
)
def test_neighbours_in_a_list_are_no_name(name: str, text: str) -> None:
    """A name ends with its cell, its item and its line."""
    assert secrets_in(text, name=name) == set()


def test_neighbours_that_are_public_are_no_name() -> None:
    """In the search index tags are left out: `Fjord Mobil`, `Fjord Mobil` hold `Mobil Fjord`."""
    terms = draft_of(price=PUBLIC.price, network=net(name="Mobil Fjord", mcc="242", mnc="010"))
    index = "search/search_index.json"

    assert secrets_in("<a>Fjord Mobil</a> <a>Fjord Mobil</a>", terms) == set()
    assert secrets_in("Networks: Fjord Mobil Fjord Mobil", terms, name=index) == set()
    assert secrets_in("Networks: Fjord Mobil, Mobil Fjord", terms, name=index) == {ValueKind.NAME}


def test_name_within_a_public_one_is_no_leak() -> None:
    """`Fjord` alone is a draft's network, `Fjord Mobil` is public."""
    terms = draft_of(price=PUBLIC.price, network=net(name="Fjord", mcc="242", mnc="010"))

    assert secrets_in("<p>Norway: Fjord Mobil</p>", terms) == set()
    assert secrets_in("<p>Norway: Fjord</p>", terms) == {ValueKind.NAME}


def test_name_of_one_word_needs_its_market() -> None:
    """`Three` is a word of any text."""
    terms = draft_of(price=PUBLIC.price, network=net(name="Three", mcc="242", mnc="010"))

    assert secrets_in("<p>Three of them</p>", terms) == set()
    assert secrets_in("<tr><td>Norway</td><td>Three</td></tr>", terms) == {ValueKind.NAME}
    assert secrets_in("<p>In Norway there are three of them</p>", terms) == set()


@pytest.mark.parametrize("name", ["МТС", "東京移動", "Ørsted", "Ø"])
def test_name_in_letters_of_others_leaks(name: str) -> None:
    """Names that have few letters of ASCII, or none; a single letter says nothing."""
    terms = draft_of(price=PUBLIC.price, network=net(name=name, mcc="242", mnc="010"))
    expected = {ValueKind.NAME} if len(name) > 1 else set()

    assert secrets_in(f"<p>Norway: {name}</p>", terms) == expected
    assert secrets_in(json.dumps({"Norway": name}), terms) == expected


def test_project_that_names_a_network_itself_leaks_it() -> None:
    """A guide may say a restriction, but none of what else is not public."""
    said = f"Brage Nett is a network. {NOTE}. no-sms-brage. Norway: 0.4242 EUR"
    leaks = {ValueKind.IDENTIFIER, ValueKind.NOTE, ValueKind.PRICE, ValueKind.NAME}

    assert secrets_in(said, draft(note=NOTE), said=said) == leaks


@pytest.mark.parametrize(
    "text",
    [
        "242-097",
        "242/097",
        "MCC 242 MNC 097",
        "<td>MCC</td><td>242</td><td>097</td>",
        '{"mcc": "242", "mnc": "097"}',
        'data-mcc="242" data-mnc="097"',
        "network 242097",
        "Norway,242,097,mobile",
        'data-network="242-097"',
        "network-242-97",
    ],
)
def test_codes_of_a_network_leak(text: str) -> None:
    """As a pair, in markup, in cells, as one number beside what tells that it is one, without its zero."""
    assert secrets_in(text) == {ValueKind.CODES}


@pytest.mark.parametrize(
    "text", ["242-010", "242097 bytes", "1-242-097", "242-097-1234", "1242-097", "242,097 rows"]
)
def test_other_numbers_are_no_codes(text: str) -> None:
    """A public network, and numbers of any text."""
    assert secrets_in(text) == set()


# ---- notes, restrictions, reasons --------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        NOTE,
        NOTE.upper(),
        "it is agreed with the wholesale team, as always",
        "agreed with\n the <b>wholesale</b> team",
        "to be agreed &mdash; with the wholesale team",
    ],
)
def test_note_leaks_whole_or_in_pieces(text: str) -> None:
    """Five words of a note are enough, whatever stands between them."""
    assert secrets_in(f"<p>{text}</p>") == {ValueKind.NOTE}


@pytest.mark.parametrize(
    "text", ["agreed with the wholesale", "a price to be agreed", "team wholesale the with agreed"]
)
def test_fewer_words_are_no_note(text: str) -> None:
    """Four words, or five in another order, are written by anybody."""
    assert secrets_in(f"<p>{text}</p>") == set()


def test_note_of_a_public_version_leaks() -> None:
    """A note is never published, whatever becomes of its version."""
    held = records(rate(PUBLIC, note="Waits for a signature from Oslo"), coverage())
    audit = log_of(PUBLIC, COVERAGE)

    found = find_private_values(held, audit, published(held, audit, TODAY))

    assert {private_value.kind for private_value in found} == {ValueKind.NOTE}


def test_small_words_make_no_piece() -> None:
    """`until the end of the month` may stand in any text; a ticket's number may not."""
    assert (
        secrets_in("it holds until the end of the month", draft(note="Valid until the end of the month"))
        == set()
    )
    assert secrets_in("see OPS-4711", draft(note="OPS-4711")) == {ValueKind.NOTE}
    assert secrets_in("a draft", draft(note="draft")) == set()


def test_restriction_of_a_hidden_market_leaks() -> None:
    """Coverage that is not public may have free texts."""
    hidden = coverage(
        replace(COVERAGE, id="se-rcs-agents", country="SE", restrictions=("Agents are verified by hand.",)),
        State.REJECTED,
    )

    assert secrets_in("<li>Agents are verified by hand.</li>", hidden) == {ValueKind.RESTRICTION}
    assert (
        secrets_in("<li>Agents are verified by hand.</li>", hidden, said="agents are verified by hand")
        == set()
    )


def test_reason_of_a_refusal_leaks_unless_public_versions_share_it() -> None:
    """Why somebody refused a draft is nobody's business; what many versions share says nothing of one."""
    log = log_of(PUBLIC, COVERAGE, log=log_of(DRAFT, steps=(Action.CREATE, Action.SUBMIT)))
    log = with_unchecked_entry(log, Action.REJECT, DRAFT.ref, reason="Carrier doubled its wholesale fee")
    shared = with_unchecked_entry(log, Action.EDIT, DRAFT.ref, reason="Prices of the second quarter")
    shared = with_unchecked_entry(shared, Action.EDIT, PUBLIC.ref, reason="Prices of the second quarter")
    held = records(rate(PUBLIC), draft())

    found = {
        private_value.text
        for private_value in find_private_values(
            held, shared, published(held, log_of(PUBLIC, COVERAGE), TODAY)
        )
        if private_value.kind is ValueKind.REASON
    }

    assert found == {"Carrier doubled its wholesale fee"}


def test_log_without_public_entries_has_the_same_private_values() -> None:
    """A site keeps only that part of its log until it is searched."""
    log = with_unchecked_entry(log_of(PUBLIC, COVERAGE), Action.CREATE, DRAFT.ref, content_sha256="5" * 64)
    for reason in ("Prices of the second quarter of this year", "Carrier doubled its wholesale fee"):
        log = with_unchecked_entry(log, Action.REJECT, DRAFT.ref, reason=reason)
    for ref in (PUBLIC.ref, COVERAGE.ref, PUBLIC.ref):
        log = with_unchecked_entry(log, Action.EDIT, ref, reason="Prices of the second quarter of this year")
    held = records(rate(PUBLIC), coverage(), draft(note=NOTE))
    public = published(held, log_of(PUBLIC, COVERAGE), TODAY)

    part = without_public_entries(log, public)

    assert len(part.entries) < len(log.entries)
    values = find_private_values(held, part, public)
    assert values == find_private_values(held, log, public)
    assert {ValueKind.CONTENT, ValueKind.REASON} <= {value.kind for value in values}
    assert "Prices of the second quarter of this year" not in {value.text for value in values}


@pytest.mark.parametrize(("place", "name"), [(0, "Norway"), (1, "Sweden")])
def test_price_of_two_drafts_is_watched_in_both_markets(place: int, name: str) -> None:
    """That one market has the price is no reason to miss it in the other."""
    drafts = (draft(), draft_of(id="se-secret", country="SE"))

    found = leaks_of("a.html", f"<p>{name}: {DRAFT.price} EUR</p>", *drafts)

    assert [(leak.kind, leak.ref) for leak in found] == [(ValueKind.PRICE, drafts[place].ref)]
