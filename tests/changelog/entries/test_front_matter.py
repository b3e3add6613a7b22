"""Fields are put into front matter, and nothing else of the file differs."""

import pytest

from devportal.changelog.entries.entry import Cover
from devportal.changelog.entries.front_matter import with_covers, with_fields, with_versions
from devportal.errors import RefusedWrite
from tests.changelog.samples import BODY, file_text


def text_of(*head: str, ending: str = "\n") -> str:
    """Return a file with lines of front matter and a body."""
    return ending.join(["---", *head, "---", "", "## What changed", ""])


def test_field_keeps_its_place() -> None:
    """What is there is replaced where it stands."""
    text = text_of("id: a", "covers:", "  - rule: one", "title: T")

    made = with_covers(text, (Cover(schema="Parcel"),))

    assert made == text_of("id: a", "covers:", "  - schema: Parcel", "title: T")


def test_new_field_goes_to_the_end() -> None:
    """What is not there yet is the last of the front matter."""
    made = with_versions(text_of("id: a"), spec_from="1.0.0", spec_to="1.1.0")

    assert made == text_of("id: a", 'spec_from: "1.0.0"', 'spec_to: "1.1.0"')


def test_field_is_taken_out() -> None:
    """None leaves nothing of a field, its further lines included."""
    text = text_of("id: a", "covers:", "  - rule: one", "  - rule: two", "title: T")

    assert with_covers(text, ()) == text_of("id: a", "title: T")


def test_first_release_follows_none() -> None:
    """An entry of the first release says no version before it."""
    assert with_versions(text_of("id: a"), spec_from="", spec_to="1.0.0") == text_of(
        "id: a", 'spec_to: "1.0.0"'
    )


def test_comments_and_blank_lines_belong_to_what_follows() -> None:
    """They stay where a field in front of them is replaced or taken out."""
    text = text_of("covers:", "  - rule: one", "  # of the next", "", "# why", "title: T")

    replaced = with_covers(text, (Cover(rule="two"),))

    assert replaced == text_of("covers:", "  - rule: two", "  # of the next", "", "# why", "title: T")
    assert with_covers(text, ()) == text_of("  # of the next", "", "# why", "title: T")


def test_field_may_be_written_in_quotes() -> None:
    """A key in quotes is the same key."""
    made = with_fields(text_of("'id': a", '"title": T'), {"title": "title: U"})

    assert made == text_of("'id': a", "title: U")


def test_key_of_another_field_is_none_of_this() -> None:
    """A field within another one, and one that begins alike, are left alone."""
    text = text_of("links:", "  - title: A", "titles: B", "title: T")

    made = with_fields(text, {"title": "title: U"})

    assert made == text_of("links:", "  - title: A", "titles: B", "title: U")


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_endings_of_lines_stay(ending: str) -> None:
    """A file keeps the line endings that it has throughout."""
    text = file_text(BODY, covers=[{"schema": "Parcel"}]).replace("\n", ending)

    made = with_versions(text, spec_from="1.0.0", spec_to="1.1.0")

    added = f'spec_from: "1.0.0"{ending}spec_to: "1.1.0"{ending}'
    assert made == text.replace(f"{ending}---{ending}", f"{ending}{added}---{ending}", 1)


def test_mixed_endings_of_lines_stay() -> None:
    """Only lines that change may get another ending; a selector that stays is no such line."""
    text = "---\r\nid: a\ncovers:\n  - rule: one\r\n  - rule: two\ntitle: T\r\n---\n\r\nA\nB\r\nC\rD"

    made = with_covers(text, (Cover(rule="one"), Cover(rule="new"), Cover(rule="two")))

    assert made == text.replace("  - rule: two\n", "  - rule: new\n  - rule: two\n")


@pytest.mark.parametrize(
    "head",
    [
        ("{id: a,", "covers: [{rule: one}],", "title: T}"),
        ("id: &name a", "covers: &all", "  - rule: one", "title: *name", "links: *all"),
    ],
)
def test_form_that_cannot_be_changed_in_place(head: tuple[str, ...]) -> None:
    """What would change another field, or end the front matter, is refused."""
    with pytest.raises(RefusedWrite, match="cannot be changed in place"):
        with_covers(text_of(*head), (Cover(rule="two"),))
