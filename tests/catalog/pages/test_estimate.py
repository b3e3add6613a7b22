"""The estimator's worked examples, and the form that a page has for it."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import pytest

from devportal.catalog import Published
from devportal.catalog.pages.estimate import calculation_text, estimator_html, unit_data, worked_examples
from devportal.catalog.publication import PublishedRate
from devportal.markup import PageDraft, render_markdown
from tests.catalog.billing_examples import COSTS
from tests.catalog.build import RATE
from tests.catalog.own_book import BOOK, Product, Unit, net, replace
from tests.catalog.past import CALL_NOW, INBOUND, NUMBER
from tests.catalog.publishing import public, read

MMS = replace(RATE, id="no-mms", product=Product.MMS, network=None, unit=Unit.MESSAGE, price=Decimal("0.3"))
URI = "coverage/no/index.md"


def rates_of_each_unit() -> Published:
    """Return a rate for each unit, an inbound SMS first."""
    return public([INBOUND, RATE, CALL_NOW, NUMBER, MMS])


def page_and_twin(rates: Sequence[PublishedRate]) -> tuple[str, str]:
    """Return the estimator as it stands on a page, and in its twin."""
    draft, html = PageDraft(URI), estimator_html(rates, URI, BOOK, group="Product")
    return draft.body(html), draft.markdown(html)


@pytest.mark.parametrize("example", COSTS, ids=str)
def test_the_sum_is_written_out(example: dict[str, Any]) -> None:
    """As the browser writes it: what is multiplied, and an equals sign only where nothing is rounded."""
    terms = replace(
        RATE,
        price=Decimal(example["price"]),
        unit=Unit(example["unit"]),
        billing_increment=example.get("increment"),
    )

    assert calculation_text(terms, example["amount"], example["times"]) == example["sum"]


def test_examples_are_of_the_first_outbound_rate_of_each_product() -> None:
    """One and three segments, a call of 61 seconds, messages, and a year of a number."""
    found = [
        (worked_example.rate, worked_example.use, worked_example.sum)
        for worked_example in worked_examples(rates_of_each_unit().rates, BOOK)
    ]

    assert sorted(found) == [
        ("Norway, MMS outbound", "1,000 messages", "1,000 messages × 0.3 EUR = 300.00 EUR"),
        ("Norway, MMS outbound", "A message", "1 message × 0.3 EUR = 0.30 EUR"),
        (
            "Norway, Phone number inbound, local numbers",
            "A number for a year",
            "12 months × 1.50 EUR = 18.00 EUR",
        ),
        (
            "Norway, SMS outbound, Fjord (242-010)",
            "A long message of 3 segments",
            "3 segments × 0.10 EUR = 0.30 EUR",
        ),
        (
            "Norway, SMS outbound, Fjord (242-010)",
            "A short message",
            "1 segment × 0.10 EUR = 0.10 EUR",
        ),
        (
            "Norway, Voice outbound, mobile numbers",
            "A call of 61 seconds, billed as 61 s (1/1)",
            "61 s × 0.0210 USD ÷ 60 = 0.02135 USD",
        ),
    ]


def test_estimator_is_this(golden: Callable[[str, str], None]) -> None:
    """The whole of it, with a counter of segments, and its twin."""
    page, twin = page_and_twin(rates_of_each_unit().rates)

    golden("catalog/estimate.html", page)
    golden("catalog/estimate.md", twin)


def test_a_unit_without_examples_has_no_heading_of_them() -> None:
    """An empty list below it would be read aloud."""
    unit = replace(RATE.unit, examples=())

    page, twin = page_and_twin(public([replace(RATE, unit=unit)]).rates)

    assert "estimate-examples" in page_and_twin(public([RATE]).rates)[0]
    assert "estimate-examples" not in page
    assert "Worked examples" not in twin


def test_folded_it_says_the_same_inside_of_details() -> None:
    """Above a long table a line opens it: its heading is in the summary, without a link."""
    plain = estimator_html(rates_of_each_unit().rates, URI, BOOK, group="Product")
    folded = estimator_html(rates_of_each_unit().rates, URI, BOOK, group="Product", is_folded=True)

    summary = folded.partition("<summary>")[2].partition("</summary>")[0]
    assert '<h2 id="estimate">Estimate a cost</h2>' in summary
    assert "<a" not in summary
    assert "dp-estimate__fold" not in plain
    assert plain.partition("<form")[2].partition("</section>")[0].strip() in folded
    assert read(folded).refused == []


def test_fields_are_those_of_the_rates_on_the_page() -> None:
    """A page of calls asks for seconds, and for nothing else that its rates have no use for."""
    calls = estimator_html(public([CALL_NOW]).rates, URI, BOOK, group="Product")
    messages = estimator_html(public([RATE]).rates, URI, BOOK, group="Product")

    assert set(re.findall(r'data-unit="(\w+)"', calls)) == {"minute"}
    assert set(re.findall(r'data-unit="(\w+)"', messages)) == {"segment"}


def test_a_text_is_asked_for_only_where_something_can_count_it() -> None:
    """The unit names the module; where it has none, the amount is asked for, and so it is if none loads."""
    without = estimator_html(public([CALL_NOW]).rates, URI, BOOK, group="Product")
    with_counter = estimator_html(public([RATE]).rates, URI, BOOK, group="Product")

    assert "textarea" not in without
    assert "counter" not in without
    assert 'id="estimate-amount-segment"' in with_counter
    assert "textarea" in with_counter
    assert "../../assets/segments/counter.js" in with_counter


def test_every_field_has_a_label_and_every_id_is_its_own() -> None:
    """Each label has its field, and nothing is inline that a strict policy refuses."""
    shown = estimator_html(rates_of_each_unit().rates, URI, BOOK, group="Product")
    found = read(shown)

    assert set(re.findall(r'<label for="([\w-]+)"', shown)) == set(
        re.findall(r'<(?:input|select|textarea) id="([\w-]+)"', shown)
    )
    assert len(found.ids) == len(set(found.ids))
    assert set(re.findall(r'aria-(?:labelledby|describedby)="([\w-]+)"', shown)) <= set(found.ids)
    assert found.refused == []


def test_the_form_waits_for_the_script() -> None:
    """Without JavaScript nobody sees a form that does nothing; the examples are there."""
    shown = estimator_html(rates_of_each_unit().rates, URI, BOOK, group="Product")

    assert '<form class="dp-estimate__form" hidden' in shown
    assert "3 segments × 0.10 EUR = 0.30 EUR" in shown


def test_the_calculation_is_explained_without_a_script() -> None:
    """A reader multiplies by hand what the form would multiply, for each unit of the page."""
    shown = estimator_html(rates_of_each_unit().rates, URI, BOOK, group="Product")

    for formula in (
        "Messages × segments in each message × price.",
        "Messages × price.",
        "Calls × seconds of talk in each call, rounded up to the steps of the rate, × price ÷ 60.",
        "Numbers × months × price.",
    ):
        assert formula in shown


def test_a_price_per_month_has_no_monthly_volume() -> None:
    """The book says which unit is a month itself: its uses are not asked for per month."""
    assert (unit_data(Unit.SEGMENT)["uses"], unit_data(Unit.SEGMENT)["total"]) == (
        "Messages per month",
        "Monthly total",
    )
    assert (unit_data(Unit.MONTH)["uses"], unit_data(Unit.MONTH)["total"]) == ("Numbers", "Total")


def test_it_weighs_the_same_for_many_rates() -> None:
    """The script reads the rows of the page, so no rate stands here twice."""
    many = public(
        [
            replace(RATE, id=f"no-{number}", network=net(name="N", mcc="242", mnc=f"{number:03}"))
            for number in range(200)
        ]
    )

    assert len(estimator_html(many.rates, URI, BOOK, group="Product")) < 5000


def test_where_nothing_is_published_there_is_no_estimator() -> None:
    """A country without rates has none."""
    assert estimator_html((), URI, BOOK, group="Product") == ""


def test_hostile_names_are_text() -> None:
    """HTML and Markdown in a network's name are neither in the page nor in its twin."""
    evil = replace(RATE, network=net(name="<img src=x>\n# [x](javascript:y)", mcc="242", mnc="010"))
    rates = public([evil]).rates

    assert "<img" not in estimator_html(rates, URI, BOOK, group="Product")
    twin = render_markdown(page_and_twin(rates)[1])
    assert "<img" not in twin
    assert "<h1" not in twin
    assert "<a " not in twin


def test_currencies_without_two_places_are_named_to_the_script() -> None:
    """Yen have none: the worked example has none either, and the form hears of it."""
    yen = public([replace(MMS, currency="JPY", price=Decimal(15))]).rates

    assert 'data-places="JPY=0"' in estimator_html(yen, URI, BOOK, group="Product")
    assert "1 message × 15 JPY = 15 JPY" in estimator_html(yen, URI, BOOK, group="Product")
    assert "data-places" not in estimator_html(rates_of_each_unit().rates, URI, BOOK, group="Product")


def test_no_field_cuts_what_is_pasted() -> None:
    """A number that is too large is said to be, not priced as another one."""
    assert "maxlength" not in estimator_html(rates_of_each_unit().rates, URI, BOOK, group="Product")
