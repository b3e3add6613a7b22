"""What a stability rests on, on pages and on their twins."""

from devportal.contract import Grounds
from devportal.reference.pages.stability import GroundsPages, grounds_html, grounds_markdown
from tests.reference.reading import parse_html

GROUNDS = Grounds(sources=("Limits 4", "<b>"), decisions=("0007", "8"))
PAGES = GroundsPages(
    sources={"Limits 4": "about/service.md#limits-4"}, decisions={"0007": "decisions/0007-a.md"}
)


def test_what_is_described_is_linked_and_the_rest_is_named() -> None:
    """Sources before decisions, each kind by its word once; nothing in a name is markup."""
    found = parse_html(grounds_html(GROUNDS, PAGES, "reference/a/b.md"))

    assert found.text == "source Limits 4, <b>, decision 0007, 8"
    assert [element.attributes["href"] for element in found.find("a")] == [
        "../../../about/service/#limits-4", "../../../decisions/0007-a/",
    ]  # fmt: skip


def test_twin_leads_to_twins() -> None:
    """They have no anchors."""
    assert grounds_markdown(GROUNDS, PAGES, "reference/a/b.md") == (
        "source [Limits 4](../../about/service.md), &lt;b>, decision [0007](../../decisions/0007-a.md), 8"
    )


def test_nothing_said_is_nothing_shown() -> None:
    """No empty element either."""
    assert grounds_html(None, PAGES, "a.md") == grounds_markdown(None, PAGES, "a.md") == ""
