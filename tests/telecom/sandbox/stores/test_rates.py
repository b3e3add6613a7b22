"""Public rates and coverage: what the publication gate lets through, for anybody, page by page."""

from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.catalog.own_book import replace
from tests.telecom.sandbox.problem_names import problem_name

from devportal.catalog import Catalog
from devportal.catalog.audit.lifecycle import State
from devportal.contract import Api
from telecom.sandbox.stores.audit_trail import AUDIT
from telecom.sandbox.stores.rate_versions import RATE_VERSIONS

RATES, COVERAGE = "/v1/rates", "/v1/coverage"
NOTHING = ({"country": "NO", "currency": "USD"}, {"country": "ZZ"}, {"network": "31010"})
"""Filters that no rate fits; mnc `10` is another network than `010`."""
PUBLIC = (RATES, f"{RATES}/NO", COVERAGE, f"{COVERAGE}/NO")


def names(response: Any) -> list[str]:
    """Return the items of a page, each as `name@version`."""
    assert response.status_code == 200, response.text
    return [f"{name_of(item)}@{item['version']}" for item in response.json()["data"]]


def name_of(item: dict[str, Any]) -> str:
    """Return what the versions of a rate, or of a coverage record, have in common."""
    name: str = item["rate_id"] if "rate_id" in item else item["id"]
    return name


def network_code(rate: dict[str, Any]) -> str | None:
    """Return the code by which the network of a rate is asked for."""
    network = rate["network"]
    return network["mcc"] + network["mnc"] if network else None


def names_on_all_pages(sandbox: Any, path: str, limit: int, **filters: str) -> list[str]:
    """Return what a list holds, page after page."""
    found, cursor = [], None
    while True:
        page = sandbox.get(path, params={**filters, "limit": limit, **({"cursor": cursor} if cursor else {})})
        found += names(page)
        cursor = page.json()["next_cursor"]
        if cursor is None:
            return found


@pytest.mark.parametrize("path", PUBLIC)
def test_no_token_is_needed(sandbox: Any, path: str) -> None:
    """Nor does a wrong one matter; the quota is that of the address."""
    answers = [
        sandbox.request("GET", path),
        sandbox.request("GET", path, headers={"Authorization": "Bearer nonsense"}),
    ]

    assert [answer.status_code for answer in answers] == [200, 200]
    remaining = [int(answer.headers["RateLimit"].split(";")[1].removeprefix("r=")) for answer in answers]
    assert remaining[0] - remaining[1] == 1


def test_only_approved_and_active_versions_are_public(sandbox: Any, records: Catalog) -> None:
    """Of the project's records in every state, those that the gate lets through; never a note."""
    shown = names_on_all_pages(sandbox, RATES, 100)

    public = {f"{rate.terms.id}@{rate.terms.version}" for rate in records.records.rates} & set(shown)
    by_name = {f"{rate.terms.id}@{rate.terms.version}": rate for rate in records.records.rates}
    assert public >= {"no-sms-fjord@2", "us-sms-summit@1"}
    assert {by_name[name].status for name in public} == {State.ACTIVE}
    assert "gb-voice-fixed@1" not in shown, "it is effective only in 2099"
    notes = [rate.note for rate in records.records.rates if rate.note]
    assert notes
    assert not [note for note in notes if note in sandbox.get(RATES).text]


def test_examples_are_the_records_that_they_name(sandbox: Any, api: Api) -> None:
    """What the reference shows as published is what is published."""
    shown = {name_of(item): item for path in (RATES, COVERAGE) for item in sandbox.get(path).json()["data"]}
    operations = {operation.id: operation for operation in api.operations}
    checked = 0
    for operation_id in ("listRates", "listCountryRates", "listCoverage", "retrieveCountryCoverage"):
        for example in operations[operation_id].successes[0].content[0].examples:
            for item in example.value.get("data", example.value.get("channels")):
                checked += 1
                assert shown[name_of(item)] == item, operation_id

    schemas = {at.pointer[-1]: schema for at, schema in api.schemas.items()}
    for name in ("Rate", "Coverage"):
        for other_example in schemas[name].examples:
            checked += 1
            assert shown[name_of(other_example)] == other_example, name

    assert checked >= 8


def test_list_is_ordered_by_country_then_product(sandbox: Any) -> None:
    """A price list reads the same each time."""
    rates = sandbox.get(RATES, params={"limit": 100}).json()["data"]
    records = sandbox.get(COVERAGE, params={"limit": 100}).json()["data"]

    by_place = [(rate["country"], rate["product"], rate["direction"], rate["rate_id"]) for rate in rates]
    assert by_place == sorted(by_place)
    assert len({rate["country"] for rate in rates}) > 2
    by_market = [(record["country"], record["channel"]) for record in records]
    assert by_market == sorted(by_market)


@pytest.mark.parametrize(
    "filters",
    [
        {"country": "NO"},
        {"country": "NO", "product": "voice"},
        {"direction": "inbound"},
        {"network": "310010"},
        {"country": "US", "number_type": "toll_free"},
        {"currency": "USD"},
        {"country": "NO", "currency": "USD"},
        {"country": "ZZ"},
        {"network": "31010"},
    ],
)
def test_filters_hold_together(sandbox: Any, filters: dict[str, str]) -> None:
    """Each narrows what the others leave; where nothing is left the list is empty."""
    whole = sandbox.get(RATES, params={"limit": 100}).json()["data"]
    fitting = [
        f"{name_of(item)}@{item['version']}"
        for item in whole
        if filters.items() <= {**item, "network": network_code(item)}.items()
    ]

    assert names(sandbox.get(RATES, params={**filters, "limit": 100})) == fitting
    assert bool(fitting) != (filters in NOTHING)
    assert len(fitting) < len(whole)


@pytest.mark.parametrize("filters", [{"channel": "voice"}, {"registration": "10dlc"}, {"country": "NO"}])
def test_coverage_is_filtered_too(sandbox: Any, filters: dict[str, str]) -> None:
    """By country, channel and registration."""
    whole = sandbox.get(COVERAGE, params={"limit": 100}).json()["data"]
    fitting = [
        f"{name_of(item)}@{item['version']}"
        for item in whole
        if filters.items() <= {**item, "registration": item["registration"]["scheme"]}.items()
    ]

    assert names(sandbox.get(COVERAGE, params={**filters, "limit": 100})) == fitting
    assert 0 < len(fitting) < len(whole)


def test_unpublished_market_is_answered_like_one_that_does_not_exist(sandbox: Any, records: Catalog) -> None:
    """Submitted, unsupported, drafted or unheard of: the answers differ in nothing but the code asked for."""
    public = {item["country"] for item in sandbox.get(COVERAGE, params={"limit": 100}).json()["data"]}
    hidden = {version.terms.market for version in records.records.coverage} - public
    answers = {country: sandbox.get(f"{COVERAGE}/{country}") for country in (*hidden, "ZZ")}

    assert hidden
    for country, answer in answers.items():
        assert (answer.status_code, problem_name(answer)) == (404, "not-found")
        assert answer.json()["detail"] == f"Nothing is published for '{country}'."


def test_country_of_which_only_unpublished_rates_exist_has_none(sandbox: Any, records: Catalog) -> None:
    """Versions that were withdrawn, rejected or drafted leave no trace."""
    public = {item["country"] for item in sandbox.get(RATES, params={"limit": 100}).json()["data"]}
    hidden = {rate.terms.market for rate in records.records.rates} - public
    answers = {country: sandbox.get(f"{RATES}/{country}") for country in (*hidden, "ZZ")}

    assert hidden
    assert {answer.status_code for answer in answers.values()} == {404}
    for country, answer in answers.items():
        assert answer.json()["detail"] == f"Nothing is published for '{country}'."


def test_country_with_rates_that_do_not_fit_is_an_empty_list(sandbox: Any) -> None:
    """404 is for countries without anything published."""
    assert names(sandbox.get(f"{RATES}/NO", params={"currency": "USD"})) == []


@pytest.mark.parametrize("path", [f"{RATES}/no", f"{RATES}/NOR", f"{COVERAGE}/47"])
def test_what_is_no_country_code_is_not_found(sandbox: Any, path: str) -> None:
    """Codes are two capital letters."""
    assert sandbox.get(path).status_code == 404


@pytest.mark.parametrize("path", [RATES, COVERAGE])
@pytest.mark.parametrize(
    "query", ["contry=NO", "limit=0", "limit=101", "country=NO&country=SE", "country=norway"]
)
def test_malformed_filter_is_refused(sandbox: Any, path: str, query: str) -> None:
    """A filter that is misspelt must not return everything."""
    answer = sandbox.get(f"{path}?{query}")

    assert (answer.status_code, problem_name(answer)) == (400, "invalid-parameter")


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
@pytest.mark.parametrize("path", [RATES, COVERAGE])
def test_pages_join_to_the_whole_list(sandbox: Any, path: str, limit: int) -> None:
    """However long the pages are, nothing is missing and nothing comes twice."""
    whole = names(sandbox.get(path, params={"limit": 100}))

    assert names_on_all_pages(sandbox, path, limit) == whole
    assert len(whole) == len(set(whole)) > 3


def test_cursor_belongs_to_its_list_and_filters(sandbox: Any) -> None:
    """With others it is refused."""
    cursor = sandbox.get(RATES, params={"limit": 1}).json()["next_cursor"]
    others = [
        sandbox.get(RATES, params={"limit": 1, "product": "sms", "cursor": cursor}),
        sandbox.get(COVERAGE, params={"cursor": cursor}),
        sandbox.get(f"{RATES}/NO", params={"cursor": cursor}),
    ]

    assert [answer.status_code for answer in others] == [404, 404, 404]


@given(cursor=st.from_regex(r"[A-Za-z0-9_-]{1,256}", fullmatch=True))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_cursor_breaks_the_list(sandbox: Any, cursor: str) -> None:
    """What no page has given is refused."""
    assert sandbox.get(RATES, params={"cursor": cursor}).status_code == 404


def test_rate_appears_and_disappears_on_its_days(sandbox: Any, records: Catalog) -> None:
    """The effective window is half-open, and the day is that of the clock in UTC."""
    (norway,) = (rate for rate in records.records.rates if str(rate.ref) == "rates/no-sms-fjord@2")
    sandbox.clock.now = sandbox.clock.now.replace(month=5, day=31)
    assert norway.terms.effective_from == date(2026, 6, 1)
    before = names(sandbox.get(RATES, params={"network": "242010"}))
    sandbox.clock.forward(days=1)

    assert before == []
    assert names(sandbox.get(RATES, params={"network": "242010"})) == ["no-sms-fjord@2"]


def started_anew(sandbox: Any, catalog: Catalog) -> None:
    """Start with other records and without what was there of rates: a database goes its own way."""
    with sandbox.database.write() as connection:
        connection.execute(RATE_VERSIONS.delete())
        connection.execute(AUDIT.delete())
    sandbox.restart(catalog=catalog)


def test_sandbox_without_records_has_only_its_samples(sandbox: Any) -> None:
    """A missing folder is no fault: nothing but the sample that is active is public."""
    started_anew(sandbox, Catalog())

    assert names(sandbox.get(RATES)) == ["sample-pt-sms@1"]
    assert sandbox.get(COVERAGE).json() == {"data": [], "next_cursor": None}


def test_records_whose_log_is_broken_publish_nothing(sandbox: Any, records: Catalog) -> None:
    """One line of the log that was changed empties the lists (decision 0014)."""
    entries = list(records.audit.entries)
    entries[3] = replace(entries[3], actor="mallory", line_sha256="0" * 64)
    started_anew(sandbox, replace(records, audit=replace(records.audit, entries=tuple(entries))))

    assert names(sandbox.get(RATES)) == ["sample-pt-sms@1"]
    assert sandbox.get(COVERAGE).json()["data"] == []


def test_row_that_was_activated_past_the_log_is_not_public(sandbox: Any) -> None:
    """Whoever writes to the database directly publishes nothing."""
    with sandbox.database.write() as connection:
        connection.execute(RATE_VERSIONS.update().values(status="active"))

    shown = names_on_all_pages(sandbox, RATES, 100)
    assert [name for name in shown if name.startswith("sample-")] == ["sample-pt-sms@1"]


def test_price_that_was_changed_past_the_log_is_not_public(sandbox: Any) -> None:
    """The approval pins the content."""
    with sandbox.database.write() as connection:
        row = connection.execute(
            RATE_VERSIONS.select().where(RATE_VERSIONS.c.rate_id == "sample-pt-sms")
        ).one()
        changed = row.terms.replace('"0.0380"', '"0.0038"')
        connection.execute(RATE_VERSIONS.update().where(RATE_VERSIONS.c.id == row.id).values(terms=changed))

    assert changed != row.terms
    assert "sample-pt-sms@1" not in names_on_all_pages(sandbox, RATES, 100)


@pytest.mark.parametrize("path", PUBLIC)
def test_answer_that_has_not_changed_is_not_sent_again(sandbox: Any, path: str) -> None:
    """Its tag is enough, among others and weakly too (RFC 9110 §13.1.2); HEAD tells the same tag."""
    first = sandbox.get(path)
    tag = first.headers["ETag"]
    again = [
        sandbox.get(path, headers={"If-None-Match": sent}) for sent in (tag, f'"other", {tag}', f"W/{tag}")
    ]

    assert [(answer.status_code, answer.content) for answer in again] == [(304, b"")] * 3
    assert {answer.headers["ETag"] for answer in again} == {tag}
    assert sandbox.request("HEAD", path).headers["ETag"] == tag
    assert sandbox.get(path, headers={"If-None-Match": '"other"'}).json() == first.json()


@pytest.mark.parametrize("path", PUBLIC)
def test_any_tag_fits_the_asterisk(sandbox: Any, path: str) -> None:
    """`*` stands for whatever answer there is (RFC 9110 §13.1.2); quoted it is a tag like others."""
    answers = [sandbox.get(path, headers={"If-None-Match": sent}) for sent in ("*", " * ", '"*"')]

    assert [answer.status_code for answer in answers] == [304, 304, 200]


def test_tags_may_come_in_several_lines(sandbox: Any) -> None:
    """A header that is a list may occur more than once (RFC 9110 §5.3)."""
    tag = sandbox.get(RATES).headers["ETag"]
    lines = [("Authorization", "Bearer token-of-ada"), ("If-None-Match", '"other"'), ("If-None-Match", tag)]

    assert sandbox.request("GET", RATES, headers=lines).status_code == 304


def test_tag_changes_with_the_answer(sandbox: Any) -> None:
    """Other filters, and another day, have another tag; so does a price that was withdrawn."""
    tags = {sandbox.get(path).headers["ETag"] for path in (*PUBLIC, f"{RATES}?product=voice")}
    (portugal,) = sandbox.get("/v1/rate-versions?rate_id=sample-pt-sms").json()["data"]
    before = sandbox.get(f"{RATES}?country=PT").headers["ETag"]
    sandbox.post(f"/v1/rate-versions/{portugal['id']}/withdraw", {"reason": "Closed."})
    after = sandbox.get(f"{RATES}?country=PT", headers={"If-None-Match": before})

    assert len(tags) == len(PUBLIC) + 1
    assert (after.status_code, after.json()["data"]) == (200, [])


def test_what_is_no_tag_is_ignored(sandbox: Any) -> None:
    """A condition that cannot be read saves nothing, and costs nothing either."""
    tag = sandbox.get(RATES).headers["ETag"]
    answers = [sandbox.get(RATES, headers={"If-None-Match": sent}) for sent in (tag.strip('"'), "", "0", '"')]

    assert [answer.status_code for answer in answers] == [200] * 4
