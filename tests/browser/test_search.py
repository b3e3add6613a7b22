"""Search: what is typed puts the wanted page on top, in a dialog that needs no mouse."""

import gzip
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, Page, Route, expect

from devportal.contract import load_contract
from devportal.contract.wording import title_from_id
from devportal.markup import SearchEntry, SearchKind, url_of
from devportal.reference.pages.pages import reference_pages
from devportal.site.rendering.page_assets import packed_script
from devportal.site.search.index import SearchIndex
from tests.corpus import corpus_file
from tests.site.reading_search import entries

from .questions import QUESTIONS
from .searching import search
from .test_accessibility import violations
from .views import PHONE, WIDE
from .wanted import BANDWIDTH, DISCORD, FREEE, MESSAGING, MUSEUM, OURS, STRIPE, TWILIO
from .watching import open_and_settle, watch

pytestmark = pytest.mark.browser

ASSETS = Path(__file__).parents[2] / "tools" / "devportal" / "site" / "theme" / "assets" / "devportal"
QUERIES = Path(__file__).with_name("queries.yaml")
FIRST, OTHERS = 6, 4
"""How many results of the best kind, and of each other kind, are listed at first."""
_FIND = """async ([origin, index, queries]) => {
  const { read, find } = await import(`${origin}/portal/assets/devportal/find.js`);
  const ready = read(JSON.parse(index));
  return queries.map((query) => find(ready, query).groups);
}"""
_FIELDS = """async ([origin, index]) => {
  const { read } = await import(`${origin}/portal/assets/devportal/find.js`);
  const { fields, roots, above } = read(JSON.parse(index));
  const ways = (shape) => [
    ...(roots.get(shape) ?? []).map(({ page, anchor }) => [`${page.address}#`, ...(anchor ? [anchor] : [])]),
    ...(above.get(shape) ?? []).flatMap((one) => ways(one.shape).map((way) => [...way, one.field.piece])),
  ];
  return fields.flatMap(({ piece, shapes }) => shapes.flatMap((shape) =>
    ways(shape).map(([address, ...way]) => address + [...way, piece].join("."))));
}"""
_READ = """async ([origin, index]) => {
  const { read } = await import(`${origin}/portal/assets/devportal/find.js`);
  return read(JSON.parse(index)).pages.map((page) => [page.kind, page.address, page.title]);
}"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context(viewport=WIDE, reduced_motion="reduce") as context:
        yield context.new_page()


@pytest.fixture(scope="module")
def search_results(
    browser: Browser, origin: str, sites: Path
) -> Iterator[Callable[[str, list[str]], list[list[str]]]]:
    """Yield `search_results(contract, queries)`: for each query the first addresses in the list, in order.

    In place of a contract's name, pass an empty text for our portal, or the text of an index.
    """
    with browser.new_context() as context:
        opened = context.new_page()
        opened.goto(f"{origin}/portal/404.html")
        ours = (sites / "portal/search/search_index.json").read_text()

        def find_addresses(contract: str, queries: list[str]) -> list[list[str]]:
            text = contract if contract.startswith("{") else index_of(contract) if contract else ours
            groups = opened.evaluate(_FIND, [origin, text, queries])
            return [in_order(group) for group in groups]

        yield find_addresses


def index_of(contract: str) -> str:
    """Return the index of the reference of a contract of the corpus."""
    made = SearchIndex()
    for reference_page in reference_pages(load_contract(corpus_file(contract), name=contract).api):
        for entry in reference_page.search:
            made.add(url_of(reference_page.uri), entry)
    return made.text()


def leads_to(address: str, target: str) -> bool:
    """Say whether an address is a page or place that is wanted, or any section of a page that is wanted."""
    return address.endswith(target) or ("#" not in target and address.partition("#")[0].endswith(target))


def in_order(groups: list[dict[str, Any]]) -> list[str]:
    """Return the addresses that are listed at first."""
    return [
        result["address"].replace("%3A", ":")
        for number, group in enumerate(groups)
        for result in group["results"][: OTHERS if number else FIRST]
    ]


@pytest.mark.parametrize(
    ("contract", "wanted"),
    [
        pytest.param("", OURS, id="ours"),
        pytest.param("stripe.json", STRIPE, id="stripe", marks=[pytest.mark.corpus, pytest.mark.deep]),
        pytest.param(
            "twilio_api_v2010.json", TWILIO, id="twilio", marks=[pytest.mark.corpus, pytest.mark.deep]
        ),
        pytest.param("twilio_messaging_v1.json", MESSAGING, id="messaging", marks=pytest.mark.corpus),
        pytest.param("bandwidth.yml", BANDWIDTH, id="bandwidth", marks=pytest.mark.corpus),
        pytest.param("museum-3.1.yaml", MUSEUM, id="museum", marks=pytest.mark.corpus),
        pytest.param("freee-sm-japanese.yml", FREEE, id="freee", marks=pytest.mark.corpus),
        pytest.param("discord-3.1.json", DISCORD, id="discord", marks=[pytest.mark.corpus, pytest.mark.deep]),
    ],
)
def test_what_is_wanted_is_among_the_first_three(
    contract: str, wanted: list[tuple[str, str]], search_results: Callable[[str, list[str]], list[list[str]]]
) -> None:
    """By path, name, id, field, problem, event, scope, and words of guides."""
    found = search_results(contract, [query for query, _ in wanted])

    ranks = {
        query: next((rank for rank, address in enumerate(addresses, 1) if leads_to(address, target)), 0)
        for (query, target), addresses in zip(wanted, found, strict=True)
    }
    missed = {
        query: addresses[:4]
        for (query, _), addresses in zip(wanted, found, strict=True)
        if not 0 < ranks[query] <= 3
    }
    assert missed == {}
    assert sum(rank == 1 for rank in ranks.values()) > 0.75 * len(ranks)


def test_what_a_developer_asks_is_answered_among_the_first_three(
    search_results: Callable[[str, list[str]], list[list[str]]],
) -> None:
    """In the words of who does not know ours yet, slips included."""
    found = search_results("", [question for question, _ in QUESTIONS])

    missed = {
        question: addresses[:4]
        for (question, target), addresses in zip(QUESTIONS, found, strict=True)
        if not any(leads_to(address, target) for address in addresses[:3])
    }
    assert missed == {}


def test_the_right_page_comes_first(search_results: Callable[[str, list[str]], list[list[str]]]) -> None:
    """For what readers type, synonyms and whole questions included."""
    wanted: dict[str, str | list[str]] = yaml.safe_load(QUERIES.read_text(encoding="utf-8"))

    found = search_results("", [*wanted])

    missed = {
        query: addresses[:3]
        for (query, pages), addresses in zip(wanted.items(), found, strict=True)
        if not addresses
        or addresses[0].partition("#")[0] not in ([pages] if isinstance(pages, str) else pages)
    }
    assert missed == {}
    assert len(wanted) >= 60


def test_synonyms_are_found_and_typed_words_come_first(
    search_results: Callable[[str, list[str]], list[list[str]]],
) -> None:
    """A project's own too; pages for few readers come after others that fit as well."""
    index = SearchIndex(synonyms=(("parcel", "package"), ("sign up", "register")), secondary=("notes/",))
    for address, title in (
        ("parcels/", "Parcels"),
        ("notes/register/", "Register"),
        ("guides/register/", "Register"),
        ("guides/package/", "Package"),
    ):
        index.add(address, SearchEntry(title=title))

    found = search_results(index.text(), ["package", "how do I sign up", "registering"])

    assert found == [
        ["guides/package/", "parcels/"],
        ["guides/register/", "notes/register/"],
        ["guides/register/", "notes/register/"],
    ]


def test_what_nothing_has_is_not_found(search_results: Callable[[str, list[str]], list[list[str]]]) -> None:
    """No guess where no word fits."""
    assert search_results("", ["zzyzx", "?!", " ", "xylophone quartz"]) == [[], [], [], []]


def test_a_rare_word_says_more_than_a_common_one(page: Page, origin: str) -> None:
    """Where no page has both, the page of the country is wanted, not one of the many of the channel."""
    country = SearchEntry(title="Germany: coverage and rates", text="Prices for voice.")
    channel = [SearchEntry(title=f"SMS {name}") for name in ("rates", "coverage", "guide", "sandbox")]
    page.goto(f"{origin}/portal/404.html")

    ((group,),) = page.evaluate(_FIND, [origin, made_index(*channel, country), ["sms germany"]])

    assert [result["title"] for result in group["results"]][:2] == [country.title, "SMS rates"]


def test_what_has_most_words_follows_where_few_have_all(page: Page, origin: str) -> None:
    """A page about one of two words is better than an end after the only page with both."""
    both = SearchEntry(title="Coverage", text="Whether unicode arrives, and segments are put together.")
    one, none = SearchEntry(title="Segments"), SearchEntry(title="Voice")
    page.goto(f"{origin}/portal/404.html")

    ((group,),) = page.evaluate(_FIND, [origin, made_index(none, one, both), ["unicode segments"]])

    assert [found["title"] for found in group["results"]] == ["Coverage", "Segments"]


def test_a_text_that_repeats_the_question_comes_first(page: Page, origin: str) -> None:
    """Words that stand together, and often, are what a page is about."""
    scattered = SearchEntry(title="One", text="A key of an API.")
    together = SearchEntry(title="Two", text="An API key. Keep the API key.")
    page.goto(f"{origin}/portal/404.html")

    ((group,),) = page.evaluate(_FIND, [origin, made_index(scattered, together), ["api key"]])

    assert [found["title"] for found in group["results"]] == ["Two", "One"]


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        pytest.param("sms", "Here it is: an SMS of one segment.", id="prose before code"),
        pytest.param("curl", "curl https://api.example.com --data sms", id="code alone"),
        pytest.param("sending", "It goes out at once.", id="the title says it"),
        pytest.param("sending segment", "Here it is: an SMS of one segment.", id="beyond the title"),
    ],
)
def test_the_sentence_that_says_it_is_shown(typed: str, shown: str, page: Page, origin: str) -> None:
    """Of prose if one does, whole; of code only where neither title nor prose has a word of it."""
    entry = SearchEntry(
        title="Sending", text="It goes out at once. Here it is: an SMS of one segment. It ends."
    )
    index = SearchIndex()
    index.add("guides/a/", entry, samples="#!/bin/sh\ncurl https://api.example.com --data sms\n")
    page.goto(f"{origin}/portal/404.html")

    ((group,),) = page.evaluate(_FIND, [origin, index.text(), [typed]])

    assert group["results"][0]["where"] == f"Guides · {shown}"


def test_results_name_their_area(page: Page, origin: str) -> None:
    """The reference at the head of its groups, any other at each result, once."""
    page.goto(f"{origin}/portal/")
    search(page, "idempotency")

    hits = page.locator(".dp-find__hit")

    expect(hits.filter(has_text="Guides · Retry a request after a timeout")).to_have_count(2)
    expect(hits.filter(has_text="Toolkit · ").first).to_be_visible()
    expect(page.get_by_role("group", name="Reference: fields")).to_be_visible()
    assert "Guides · Guides" not in page.locator(".dp-find__list").inner_text()


def test_an_end_leads_on(page: Page, origin: str) -> None:
    """Where nothing is found: what was looked for, words that are like it, and each area of the site."""
    page.goto(f"{origin}/portal/rates/")
    page.keyboard.press("/")
    box, status = page.get_by_role("combobox"), page.locator(".dp-find [role=status]")

    box.fill("paginates")

    expect(status).to_have_text("Nothing found for “\u2068paginates\u2069”. Try fewer or other words.")
    near = page.get_by_role("group", name="Did you mean").get_by_role("option")
    areas = page.get_by_role("group", name="Areas").get_by_role("option")
    expect(near.filter(has_text=re.compile("^pagination$"))).to_have_count(1)
    expect(areas.filter(has_text="API reference")).to_have_attribute("href", f"{origin}/portal/reference/")
    assert areas.count() == page.locator(".md-tabs__link").count()
    near.filter(has_text=re.compile("^pagination$")).click()
    expect(box).to_have_value("pagination")
    expect(box).to_be_focused()
    expect(status).to_contain_text(re.compile("^[0-9]+ results?$"))


def test_an_end_without_a_like_word_has_the_areas(page: Page, origin: str) -> None:
    """No word is made up; the keyboard reaches the areas, an arrow the next, and Enter follows it."""
    page.goto(f"{origin}/portal/rates/")
    page.keyboard.press("/")

    page.get_by_role("combobox").fill("zzyzx")

    expect(page.get_by_role("group", name="Areas")).to_be_visible()
    expect(page.get_by_role("group", name="Did you mean")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{origin}/portal/reference/")


def test_an_end_on_a_site_of_one_area_has_its_pages(page: Page, origin: str) -> None:
    """A reference without other pages has no tabs."""
    page.goto(f"{origin}/parcels/")
    page.keyboard.press("/")

    page.get_by_role("combobox").fill("zzyzx")

    areas = page.get_by_role("group", name="Areas").get_by_role("option")
    expect(areas.filter(has_text="Authentication")).to_have_attribute(
        "href", f"{origin}/parcels/reference/authentication/"
    )


def test_the_status_names_corrected_words(page: Page, origin: str) -> None:
    """Typing errors are corrected, and the status says for which words the results are; without errors it does not."""
    page.goto(f"{origin}/portal/")
    status = page.locator(".dp-find [role=status]")

    search(page, "verfy signture")
    expect(status).to_have_text(re.compile("^[0-9]+ results for “\u2068verify signature\u2069”$"))
    page.get_by_role("combobox").fill("verify signature")

    expect(status).to_have_text(re.compile("^[0-9]+ results$"))


def test_slips_are_forgiven_by_the_length_of_a_word(page: Page, origin: str) -> None:
    """One from four letters, two from eight; letters may be missing, wrong, too many or swapped, and so may the gap
    between two words of a name.
    """
    wanted = {
        "webhok": ["Webhook"],
        "wehbook": ["Webhook"],
        "authentification": ["Authentication"],
        "calls": ["Call"],
        "cals": ["Call"],
        "phonenumber": ["Phone number"],
        "callwebhook": [],
        "cax": [],
        "wxbhxk": [],
        "ab": [],
    }
    index = made_index(
        *(SearchEntry(title=item) for item in ("Webhook", "Authentication", "Call", "Phone number"))
    )
    page.goto(f"{origin}/portal/404.html")

    found = page.evaluate(_FIND, [origin, index, [*wanted]])

    titles = ([result["title"] for group in groups for result in group["results"]] for groups in found)
    assert dict(zip(wanted, titles, strict=True)) == wanted


def test_the_correction_is_loaded_with_the_first_typing_error(page: Page, origin: str) -> None:
    """No page has all words of that query."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto(f"{origin}/portal/")

    search(page, "message")
    assert "find.js" not in asked

    with page.expect_request("**/find.js"):
        search(page, "mesage")


def test_details_are_loaded_only_where_they_are_needed(page: Page, origin: str) -> None:
    """A value of a field that no name has, and names in `snake_case`; a word that nothing has leads on as before."""
    operation = SearchEntry(
        kind=SearchKind.OPERATION,
        title="List tasks",
        tags=("GET /tasks",),
        details="Returns the newest first.",
        fields="Query\tquery\n state = wont_fix\tstate\t\n state\n wont_fix_at",
    )
    short, whole = SearchIndex(), SearchIndex(with_details=True)
    for index in (short, whole):
        index.add("reference/tasks/list/", operation)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.route("**/search_index.json", lambda route: route.fulfill(body=short.text()))
    page.route("**/search_details.json", lambda route: route.fulfill(body=whole.text()))
    page.goto(f"{origin}/portal/")

    search(page, "state")
    before = "search_details.json" in asked
    box, first = page.locator(".dp-find input"), page.get_by_role("option").first

    box.fill("wont_fix")
    expect(first).to_contain_text("state = wont_fix")
    expect(first).to_have_attribute("href", f"{origin}/portal/reference/tasks/list/#query.state")
    box.fill("newest first")
    expect(first).to_contain_text("List tasks")
    expect(first).to_have_attribute("href", f"{origin}/portal/reference/tasks/list/")
    box.fill("zzyzx")
    expect(page.locator(".dp-find [role=status]")).to_contain_text("Nothing found")
    assert (before, asked.count("search_details.json")) == (False, 1)


def test_details_are_loaded_if_only_ways_to_fields_have_all_words(page: Page, origin: str) -> None:
    """A description that says what was typed comes before fields whose pages and parents have the words."""
    invite = SearchEntry(
        kind=SearchKind.OPERATION,
        title="Room invite",
        tags=("POST /room.invite",),
        details="Invites users to a channel.",
        fields="Response 200\tresponse.200\n channel\n  user",
    )
    short, whole = SearchIndex(), SearchIndex(with_details=True)
    for index in (short, whole):
        index.add("reference/rooms/invite/", invite)
    page.route("**/search_index.json", lambda route: route.fulfill(body=short.text()))
    page.route("**/search_details.json", lambda route: route.fulfill(body=whole.text()))
    page.goto(f"{origin}/portal/")

    assert search(page, "invite user to channel")[0] == f"{origin}/portal/reference/rooms/invite/"

    page.unroute("**/search_details.json")
    page.route("**/search_details.json", lambda route: route.fulfill(status=500))
    page.goto(f"{origin}/portal/")

    assert search(page, "invite user to channel") == [
        f"{origin}/portal/reference/rooms/invite/#response.200.channel.user"
    ]


@pytest.mark.parametrize("query", ["webhook", "parcel callback", "events"])
def test_events_are_found_by_what_they_are(search_results: Any, query: str) -> None:
    """Whatever a contract calls them, readers look for webhooks."""
    index = SearchIndex()
    index.add(
        "reference/events/lost/",
        SearchEntry(kind=SearchKind.EVENT, title="Parcel lost", tags=("parcel.lost",)),
    )
    index.add("reference/parcels/", SearchEntry(kind=SearchKind.GROUP, title="Parcels"))

    (found,) = search_results(index.text(), [query])

    assert found[0] == "reference/events/lost/"


def test_a_title_comes_before_paths_that_end_so(search_results: Any) -> None:
    """Whoever types a title wants that page, in whatever case."""
    index = SearchIndex()
    for title, path in (
        ("Get Featured Playlists", "/featured-playlists"),
        ("Get Playlist", "/playlists/{playlist_id}"),
        ("Get My Playlists", "/me/playlists"),
    ):
        address = f"reference/playlists/{title.lower().replace(' ', '-')}/"
        index.add(address, SearchEntry(kind=SearchKind.OPERATION, title=title, tags=(f"GET {path}",)))

    (found,) = search_results(index.text(), ["get playlist"])

    assert found[0] == "reference/playlists/get-playlist/"


def test_details_are_narrowed_to_an_api_too(page: Page, origin: str) -> None:
    """In a portal of several APIs, a choice holds for values and descriptions as for names."""
    apis = {name: (name.title(), ()) for name in ("orders", "tasks")}
    short, whole = SearchIndex(apis=apis), SearchIndex(apis=apis, with_details=True)
    for index in (short, whole):
        for name in apis:
            index.add(f"reference/{name}/list/", SearchEntry(title=f"List {name}", details="Newest first."))
    page.route("**/search_index.json", lambda route: route.fulfill(body=short.text()))
    page.route("**/search_details.json", lambda route: route.fulfill(body=whole.text()))
    page.goto(f"{origin}/portal/")
    options = page.locator(".dp-find__hit")

    search(page, "newest first")
    expect(options).to_have_count(2)
    page.locator(".dp-find select").select_option("Tasks")

    expect(options).to_have_count(1)
    expect(options).to_contain_text("List tasks")
    page.locator(".dp-find select").select_option("All APIs")
    expect(options).to_have_count(2)


def test_search_goes_on_without_details(page: Page, origin: str) -> None:
    """If they cannot be loaded, what is found without them is shown."""
    index = SearchIndex()
    index.add("reference/a/", SearchEntry(title="List tasks", details="Newest first."))
    page.route("**/search_index.json", lambda route: route.fulfill(body=index.text()))
    page.route("**/search_details.json", lambda route: route.fulfill(status=500))
    page.goto(f"{origin}/portal/")

    assert search(page, "list newest") == [f"{origin}/portal/reference/a/"]


@pytest.mark.parametrize("site", ["portal", "parcels"])
def test_both_languages_read_the_index_alike(site: str, page: Page, origin: str, sites: Path) -> None:
    """Addresses and titles that are left out come back as they were, and every field at all its places."""
    text = (sites / site / "search" / "search_index.json").read_text(encoding="utf-8")
    page.goto(f"{origin}/portal/404.html")

    read = page.evaluate(_READ, [origin, text])
    fields = page.evaluate(_FIELDS, [origin, text])

    made = entries(text)
    assert read == [[entry.kind, entry.address, entry.title] for entry in made]
    assert set(fields) == {f"{entry.address}#{anchor}" for entry in made for anchor, _ in entry.fields}


def made_index(*made: SearchEntry) -> str:
    """Return the index of a page with these entries."""
    index = SearchIndex()
    for entry in made:
        index.add("reference/a/", entry)
    return index.text()


def test_names_are_taken_apart_alike(page: Page, origin: str) -> None:
    """Titles that search leaves out because they follow from names are those of the pages."""
    names = (
        *("v1OAuth2Token", "listAPIsForUser", "userIDs", "getAUser", "getSMSStatus", "A1_2B", "ABs_CDsEf"),
        *("DELETE_NoteText", "LIST_USERS", "getUserId", "listPdfUrls", "GET_Iban", "sign_ins"),
    )
    text = made_index(*(SearchEntry(title=title_from_id(name), tags=("GET /a", name)) for name in names))
    page.goto(f"{origin}/portal/404.html")

    read = page.evaluate(_READ, [origin, text])

    assert [title for _, _, title in read] == list(map(title_from_id, names))


def test_verbs_of_readings_are_known_for_their_fields(page: Page, origin: str) -> None:
    """Readers filter and search where contracts list."""
    bills = SearchEntry(
        kind=SearchKind.OPERATION,
        title="List bills",
        tags=("GET /bills",),
        fields="Query parameters\tquery\n status\n",
    )
    page.goto(f"{origin}/portal/404.html")

    ((group, *_),) = page.evaluate(_FIND, [origin, made_index(bills), ["filter bills by status"]])

    assert [result["title"] for result in group["results"]] == ["status"]


def test_a_slash_asks_for_a_field_where_no_path_fits(page: Page, origin: str) -> None:
    """Names of properties may have one, such as media types; a path that is there comes without fields."""
    operation = SearchEntry(
        title="Send",
        kind=SearchKind.OPERATION,
        tags=("POST /v1/json", "send"),
        fields="Body\tbody\n application/json",
    )
    page.goto(f"{origin}/portal/404.html")

    of_field, of_path = page.evaluate(
        _FIND, [origin, made_index(operation), ["application/json", "/v1/json"]]
    )

    assert [item["kind"] for item in of_field] == ["field"]
    assert [item["kind"] for item in of_path] == ["operation"]


def test_a_status_is_found_by_its_number_its_name_and_its_reason(page: Page, origin: str) -> None:
    """With words of the operation: that of the operation whose name was typed comes first."""
    responses = "Responses\tresponse\n 409 Conflict: The title is taken.\t409\n 429 Too Many Requests\t429"
    made = [
        SearchEntry(title=title, kind=SearchKind.OPERATION, tags=(code,), fields=responses)
        for title, code in (
            ("Create a label of a task", "POST /tasks/{id}/labels"),
            ("Create a task", "POST /tasks"),
        )
    ]
    page.goto(f"{origin}/portal/404.html")

    found = page.evaluate(
        _FIND,
        [origin, made_index(*made), ["409 conflict", "title taken", "409 create task", "too many requests"]],
    )

    assert [groups[0]["kind"] for groups in found] == ["response"] * len(found)
    first = [groups[0]["results"][0] for groups in found]
    assert [result["title"] for result in first] == [
        *["409 Conflict: The title is taken."] * 3,
        "429 Too Many Requests",
    ]
    assert first[2]["where"] == "Responses of Create a task"
    assert first[2]["address"] == "reference/a/#response.409"


def test_a_way_with_dots_comes_before_a_name_with_underscores(page: Page, origin: str) -> None:
    """As it is typed; the number of an item, as programs write it, does not count."""
    schema = SearchEntry(
        kind=SearchKind.SCHEMA,
        title="Order",
        fields="\t\n address_city\n address\n  city\n lines\n  data\n   amount",
    )
    page.goto(f"{origin}/portal/404.html")

    queries = ["address.city", "address_city", "lines.data[0].amount", "$.lines[*].data[].amount"]
    found = page.evaluate(_FIND, [origin, made_index(schema), queries])

    assert [groups[0]["results"][0]["title"] for groups in found] == [
        "address.city",
        "address_city",
        "lines.data.amount",
        "lines.data.amount",
    ]


def test_what_is_called_alike_comes_first(page: Page, origin: str) -> None:
    """The best of each kind, the operation before the schema of its name; then the others by kind."""
    text = made_index(
        SearchEntry(title="Parcel", kind=SearchKind.SCHEMA, fields="\t\n parcel_id"),
        SearchEntry(title="Create parcel", kind=SearchKind.OPERATION, tags=("POST /parcels", "createParcel")),
        SearchEntry(title="List parcels", kind=SearchKind.OPERATION, tags=("GET /parcels", "listParcels")),
        SearchEntry(title="parcel", kind=SearchKind.EVENT, anchor="callback.parcel"),
    )
    page.goto(f"{origin}/portal/404.html")

    found, of_field = page.evaluate(_FIND, [origin, text, ["parcel", "parcel_id"]])

    assert [(group["kind"], [result["title"] for result in group["results"]]) for group in found] == [
        ("best", ["Create parcel", "parcel", "Parcel"]),
        ("operation", ["List parcels"]),
        ("field", ["parcel_id"]),
    ]
    assert [result["badge"] for result in found[0]["results"]] == ["POST", "EVENT", "SCHEMA"]
    assert [group["kind"] for group in of_field] == ["field"]


def test_an_operation_is_found_by_the_end_of_its_path(page: Page, origin: str) -> None:
    """As if it were its name, with a word for its method, where the contract has no better words."""
    wanted = {
        "create parcel": "POST /parcels",
        "list parcels": "GET /parcels",
        "open case": "GET /open/cases.json",
        "usecases": "GET /v1/Usecases",
        "remove parcel": "DELETE /parcels/{id}",
    }
    codes = (
        "GET /parcels",
        "POST /parcels",
        "DELETE /parcels/{id}",
        "GET /open/cases.json",
        "GET /v1/Usecases",
    )
    made = [
        SearchEntry(title=str(at), kind=SearchKind.OPERATION, tags=(code,)) for at, code in enumerate(codes)
    ]
    schemas = [
        SearchEntry(title=f"{name}Base", kind=SearchKind.SCHEMA) for name in ("Parcel", "Case", "Usecase")
    ]
    page.goto(f"{origin}/portal/404.html")

    found = page.evaluate(_FIND, [origin, made_index(*made, *schemas), [*wanted]])

    first = (best["results"][0]["code"] for best, *_ in found)
    assert dict(zip(wanted, first, strict=True)) == wanted


def test_a_field_says_where_it_is(page: Page, origin: str) -> None:
    """Its way from the top, the part of the page, and the page; the link leads to its row."""
    page.goto(f"{origin}/portal/")

    found = search(page, "data.segments")

    first = page.locator(".dp-find__hit").first
    expect(first).to_contain_text("data.segments")
    expect(page.locator(".dp-find__hit", has_text="Request body of")).to_have_count(1)
    page.goto(found[0])
    expect(page.locator(".dp-field:target")).to_be_visible()


def test_a_field_on_a_page_of_its_own_says_its_whole_way(page: Page, origin: str) -> None:
    """Where a page was too heavy and was divided, the way starts at the page it was divided from."""
    index = SearchIndex()
    operation = SearchEntry(kind=SearchKind.OPERATION, title="Create", tags=("POST /parcels",))
    part = SearchEntry(
        kind=SearchKind.OPERATION, title="address", fields="Request body\tbody.address\n city\n  district"
    )
    index.add("reference/parcels/create/", operation)
    index.add("reference/parcels/create/address/", part)
    page.route("**/search_index.json", lambda route: route.fulfill(body=index.text()))
    page.goto(f"{origin}/portal/")

    found = search(page, "address.city.district")

    assert found == [f"{origin}/portal/reference/parcels/create/address/#body.address.city.district"]
    expect(page.get_by_role("option")).to_have_text(
        re.compile(r"POST\s*address\.city\.district\s*Request body of Create")
    )


def test_a_result_is_chosen_with_the_keyboard(page: Page, origin: str) -> None:
    """Arrows go round, the choice is told to screen readers, Enter follows it, Escape closes."""
    page.goto(f"{origin}/portal/rates/")
    found = search(page, "messages")
    box = page.get_by_role("combobox")
    options = page.get_by_role("option")

    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    assert box.get_attribute("aria-activedescendant") == options.nth(1).get_attribute("id")
    page.keyboard.press("Escape")
    expect(page.locator(".dp-find")).to_be_hidden()
    page.keyboard.press("Control+k")
    expect(box).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(f"{found[0].partition('#')[0]}**")


def test_the_focus_goes_back_to_where_it_was(page: Page, origin: str) -> None:
    """The button opens the dialog and has the focus again when it is closed."""
    page.goto(f"{origin}/portal/rates/")
    button = page.get_by_role("button", name="Search")

    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.get_by_role("button", name="Close").click()

    expect(button).to_be_focused()


def test_more_of_a_kind_is_shown_on_demand(page: Page, origin: str) -> None:
    """The line behind the first results opens the rest, and stays where the choice was."""
    page.goto(f"{origin}/portal/")
    before = len(search(page, "message"))
    more = page.get_by_role("option", name=re.compile("Show [0-9]+ more")).first

    more.click()

    expect(page.get_by_role("combobox")).to_be_focused()
    assert page.locator(".dp-find a[role=option]").count() > before


def test_a_slash_in_a_field_is_a_slash(page: Page, origin: str) -> None:
    """The shortcut leaves alone what is typed elsewhere, and in the dialog itself."""
    page.goto(f"{origin}/portal/")
    page.keyboard.press("/")

    page.keyboard.type("/v1/messages")

    expect(page.get_by_role("combobox")).to_have_value("/v1/messages")


def test_a_link_can_bring_its_question(page: Page, origin: str) -> None:
    """`?q=` opens the dialog with what it says."""
    page.goto(f"{origin}/portal/?q=insufficient-scope")

    expect(page.get_by_role("combobox")).to_have_value("insufficient-scope")
    expect(page.get_by_role("option").first).to_contain_text("403")


def test_texts_stay_texts(page: Page, origin: str) -> None:
    """Neither what is typed nor what is in the index becomes live."""
    hostile = '<img src=x onerror="document.title=1">'
    index = SearchIndex()
    index.add("reference/a/", SearchEntry(title=hostile, text=hostile, tags=(hostile,)))
    page.route("**/search_index.json", lambda route: route.fulfill(body=index.text()))
    page.goto(f"{origin}/portal/")

    search(page, hostile)

    expect(page.get_by_role("option").first).to_contain_text(hostile)
    assert page.locator(".dp-find img").count() == 0


def test_a_failed_download_of_the_index_is_shown_and_tried_again(page: Page, origin: str) -> None:
    """Without the index the dialog says so; the next key tries again."""
    failing = True

    def answer(route: Route) -> None:
        route.fulfill(status=500) if failing else route.continue_()

    page.route("**/search_index.json", answer)
    page.goto(f"{origin}/portal/")
    page.keyboard.press("/")
    expect(page.locator(".dp-find [role=status]")).to_contain_text("could not be loaded")

    failing = False
    page.keyboard.type("segments")

    expect(page.get_by_role("option").first).to_be_visible()


def test_nothing_is_loaded_before_it_is_needed(page: Page, origin: str) -> None:
    """A page that is only read asks for no index."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    open_and_settle(page, f"{origin}/portal/reference/")

    assert [
        text
        for text in asked
        if text.endswith(("search_index.json", "matching.js", "find.js")) or "worker" in text
    ] == []
    with page.expect_request("**/search_index.json"):
        page.keyboard.press("/")


@pytest.mark.parametrize(
    ("viewport", "scheme"),
    [
        (WIDE, "light"),
        (PHONE, "dark"),
        pytest.param(WIDE, "dark", marks=pytest.mark.deep),
        pytest.param(PHONE, "light", marks=pytest.mark.deep),
    ],
)
def test_the_dialog_has_no_barrier(viewport: Any, scheme: Any, browser: Browser, origin: str) -> None:
    """With results, wide and on a phone, in light and dark; no complaint of the browser either."""
    with browser.new_context(viewport=viewport, color_scheme=scheme, reduced_motion="reduce") as context:
        page = context.new_page()
        watched = watch(page, origin)
        page.goto(f"{origin}/portal/rates/")
        page.get_by_role("button", name="Search").click()
        page.get_by_role("combobox").fill("message")
        expect(page.get_by_role("option").first).to_be_visible()

        found = violations(page)

        box = page.locator(".dp-find").bounding_box()
        assert found == []
        assert watched.complaints == []
        assert box is not None
        assert box["width"] <= viewport["width"]
        assert page.evaluate("document.scrollingElement.scrollWidth <= document.documentElement.clientWidth")


def test_without_scripts_there_is_no_button(browser: Browser, origin: str) -> None:
    """What could not work is not offered."""
    with browser.new_context(viewport=WIDE, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{origin}/portal/")

        expect(page.locator(".dp-search")).to_be_hidden()


def test_the_scripts_of_search_are_small() -> None:
    """What every page loads for search, and what is loaded when somebody searches; less where that finds too
    little.
    """
    packed = {
        path.name: packed_script(path.read_text(encoding="utf-8")).encode() for path in ASSETS.glob("*.js")
    }
    sizes = {name: len(gzip.compress(script, 9)) for name, script in packed.items()}

    assert sizes["matching.js"] + sizes["search.js"] < 7_900
    assert sizes["find.js"] < 900
