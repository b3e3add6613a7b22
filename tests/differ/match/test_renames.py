"""Renames need evidence, and are only called sure if the contract or the policy declares them."""

import pytest

from devportal.differ.match.renames import NamedPart, Renames, are_similar_names, find_renames


def part(
    name: str, *, description: str = "", examples: tuple[object, ...] = (), renamed_from: tuple[str, ...] = ()
) -> NamedPart[str]:
    """Return a part; all parts have the same values."""
    return NamedPart(
        part=name, name=name, description=description, examples=examples, renamed_from=renamed_from
    )


def renames_of(
    removed: list[NamedPart[str]],
    added: list[NamedPart[str]],
    declared: dict[str, str] | None = None,
    *,
    are_alike: bool = True,
) -> list[tuple[str, str, str]]:
    """Return the old and the new name of each rename, and how sure it is."""
    renames = find_renames(removed, added, declared or {}, lambda _, __: are_alike)
    return sorted(
        (rename.old, rename.new, "renamed" if rename.is_declared else "possibly renamed")
        for rename in renames.by_old.values()
    )


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("msg_id", "message_id"),
        ("recipientName", "recipient_name"),
        ("userID", "user_id"),
        ("X-Request-Id", "Request-Id"),
        ("colour", "color"),
        ("recieved_at", "received_at"),
        ("qty", "quantity"),
        ("addr_line", "address_line"),
        ("limit", "limits"),
        ("created", "created_at"),
        ("sms_message_id", "message_id"),
        ("name_of_recipient", "recipient_name"),
    ],
)
def test_names_in_other_words_are_similar(first: str, other: str) -> None:
    """Notation, abbreviations, plurals, misspellings and small words leave a name recognisable."""
    assert are_similar_names(first, other)
    assert are_similar_names(other, first)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("code_scanning_upload", "copilot_usage_records"),
        ("till", "wallet"),
        ("line1", "line2"),
        ("first_name", "last_name"),
        ("start_date", "end_date"),
        ("min_price", "max_price"),
        ("created_by", "created_at"),
        ("html_url", "git_url"),
        ("id", "rate_id"),
        ("name", "full_name"),
        ("to", "total"),
        ("cat", "contract"),
        ("from", "to"),
        ("sent", "send"),
        ("source", "resource"),
        ("state", "status"),
        ("", "id"),
    ],
)
def test_other_names_are_not_similar(first: str, other: str) -> None:
    """Names that share a word, a number or some letters may be of quite different things."""
    assert not are_similar_names(first, other)
    assert not are_similar_names(other, first)


def test_the_same_values_are_no_evidence() -> None:
    """Two texts with unrelated names are a removal and an addition."""
    assert renames_of([part("code_scanning_upload")], [part("copilot_usage_records")]) == []


def test_similar_names_need_the_same_values() -> None:
    """A number in place of a text is not the same part, whatever it is called."""
    assert renames_of([part("msg_id")], [part("message_id")], are_alike=False) == []


def test_the_same_description_or_example_is_evidence() -> None:
    """Texts that say something and stand at one part of each side only identify a part."""
    description = "When the carrier took the message."

    assert renames_of([part("till", description=description)], [part("taken", description=description)]) == [
        ("till", "taken", "possibly renamed")
    ]
    assert renames_of(
        [part("till", examples=("+4915112345",))], [part("phone", examples=("+4915112345",))]
    ) == [("till", "phone", "possibly renamed")]


@pytest.mark.parametrize("description", ["", "The id.", "An id"])
def test_a_short_description_is_no_evidence(description: str) -> None:
    """What many parts say identifies none."""
    assert (
        renames_of([part("till", description=description)], [part("wallet", description=description)]) == []
    )


@pytest.mark.parametrize("example", [1, True, None, "", "abc", [], {}])
def test_a_common_example_is_no_evidence(example: object) -> None:
    """What many parts have as an example identifies none."""
    assert renames_of([part("till", examples=(example,))], [part("wallet", examples=(example,))]) == []


def test_a_description_of_several_parts_is_no_evidence() -> None:
    """If two added parts have it, either may be the removed one, or neither."""
    text = "The unique identifier of the object."
    added = [part("wallet", description=text), part("purse", description=text)]

    assert renames_of([part("till", description=text)], added) == []


def test_a_declared_rename_needs_no_evidence() -> None:
    """The contract or the policy knows; the part may even have other values."""
    assert renames_of([part("till")], [part("wallet", renamed_from=("cash", "till"))], are_alike=False) == [
        ("till", "wallet", "renamed")
    ]
    assert renames_of([part("till")], [part("wallet")], {"till": "wallet"}, are_alike=False) == [
        ("till", "wallet", "renamed")
    ]


def test_the_strongest_evidence_decides_and_each_part_is_in_one_rename() -> None:
    """A declared name goes before the same description, that before a similar name."""
    removed = [part("msg_id", description="The id of the message."), part("message"), part("page")]
    added = [
        part("reference", description="The id of the message."),
        part("message_id"),
        part("messages", renamed_from=("page",)),
    ]

    assert renames_of(removed, added) == [
        ("msg_id", "reference", "possibly renamed"),
        ("page", "messages", "renamed"),
    ]


def test_many_parts_are_not_compared_each_with_each() -> None:
    """Of thousands of names only declared renames count."""
    removed = [part(f"old_name_{number}") for number in range(100)]
    added = [part(f"oldName{number}") for number in range(100)]

    assert renames_of(removed, added) == []
    assert renames_of(removed, added, {"old_name_7": "oldName7"}) == [("old_name_7", "oldName7", "renamed")]


def test_a_part_of_both_sides_is_not_renamed() -> None:
    """A change that has both names belongs to no rename."""
    renames = find_renames([part("msg_id")], [part("message_id")], {}, lambda _, __: True)

    assert renames.of_names("msg_id", "message_id") is None
    assert renames.of_names("msg_id", "") is renames.of_names("", "message_id")
    assert Renames().of_names("msg_id", "") is None
