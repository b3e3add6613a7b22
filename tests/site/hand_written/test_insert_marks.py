"""Which lines of a page ask for an insert."""

import pytest

from devportal.site.hand_written.inserts import InsertMark, insert_marks_in


def test_a_comment_alone_in_its_line_is_a_mark() -> None:
    """With its words, quoted ones as one, and its indent."""
    text = "# T\n<!-- devportal: scopes -->\n\n    <!--devportal:operations 'Rate administration' -->  \r\n"

    assert list(insert_marks_in(text)) == [
        InsertMark(number=1, words=("scopes",)),
        InsertMark(number=3, indent="    ", words=("operations", "Rate administration")),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- a comment -->",
        "devportal: scopes",
        "`<!-- devportal: scopes -->` is how it is written",
        "```markdown\n<!-- devportal: scopes -->\n```",
        "~~~\n```\n<!-- devportal: scopes -->\n~~~",
        "````md\n```\n<!-- devportal: scopes -->\n```\n````",
    ],
)
def test_nothing_else_is_one(text: str) -> None:
    """Least of all what a page shows as code."""
    assert list(insert_marks_in(text)) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("See <!-- devportal: scopes -->.", "on its own line"),
        ("<!-- devportal: scopes", "on its own line"),
        ("<!-- devportal: operations 'Rate -->", "quotation mark"),
        ("<!-- devportal: -->", "has no name"),
    ],
)
def test_what_is_wrong_with_a_mark_is_told(text: str, fault: str) -> None:
    """What is nearly a mark is meant as one."""
    (mark,) = insert_marks_in(f"```\n```\n{text}")

    assert mark.number == 2
    assert fault in mark.problem
