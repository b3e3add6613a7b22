"""Which words say whether the bound of a filter belongs to its range."""

import pytest

from devportal.conformance.knowledge.descriptions.described_bounds import is_inclusive_bound, member_of_verb
from tests.contract.inline import api


@pytest.mark.parametrize(
    ("words", "is_inclusive"),
    [
        ("The last day, inclusive.", True),
        ("Up to and including this day.", True),
        ("Created on or after this date.", True),
        ("Appointments that start at this time or later.", True),
        ("First day of admission.", True),
        ("created_at >= the value", True),
        ("The end of the range, exclusive.", False),
        ("Strictly before this time.", False),
        ("Bookings up to this day; the day itself is not included.", False),
        ("Only later ones.", None),
        ("The highest price, exclusive of tax.", None),
        ("The lowest price, inclusive of tax.", None),
        ("The start is inclusive, the end exclusive.", None),
        ("Only since this day. Must be on or after 2020-01-01.", None),
        ("Since this day. Defaults to the first day of the month.", None),
        ("Since this day. Mutually exclusive with `year`. Deleted ones are excluded.", None),
        ("Since this day. At least one of `from` and `to` is required.", None),
    ],
)
def test_words_of_bounds(words: str, is_inclusive: bool | None) -> None:  # noqa: FBT001 - an expectation
    """Limits of the value itself and words about other things say nothing."""
    read = api(
        f"""
        paths:
          /visits:
            get:
              parameters: [{{name: to, in: query, description: '{words}', schema: {{type: string, format: date}}}}]
              responses: {{'200': {{description: Visits}}}}
        """.lstrip("\n")
    )

    assert is_inclusive_bound(read.operations[0].parameters[0]) is is_inclusive


@pytest.mark.parametrize(
    ("words", "member"),
    [
        ("Only visits that start at or after this time.", "startsAt"),
        ("Visits created before this time.", "created_at"),
        ("Visits between these times.", ""),
        ("Visits that start after this time or end before it.", ""),
        ("Visits that overlap with what starts here.", ""),
        ("Only visits that started on this day.", ""),
        ("Only visits that started on or before this day.", "startsAt"),
        ("Return results starting from this time.", ""),
        ("Visits starting no earlier than this time.", "startsAt"),
    ],
)
def test_verbs_of_descriptions_name_a_time(words: str, member: str) -> None:
    """One verb with a word of a bound behind it names a member; several verbs name none, and neither does what is about
    one day, or about where the list begins.
    """
    read = api(
        f"""
        paths:
          /visits:
            get:
              parameters: [{{name: from, in: query, description: '{words}', schema: {{type: string}}}}]
              responses: {{'200': {{description: Visits}}}}
        """.lstrip("\n")
    )

    assert member_of_verb(read.operations[0].parameters[0], ("startsAt", "end", "created_at")) == member
