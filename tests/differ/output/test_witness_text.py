"""The words and the text of witnesses."""

from dataclasses import replace

import pytest

from devportal.contract import ABSENT
from devportal.differ.output.witness_text import (
    message_body,
    message_line,
    message_text,
    softening_text,
    vain_search_text,
    witness_sentences,
    witness_summary,
)
from devportal.differ.rule import Verdict
from devportal.differ.witness import Witness, WitnessSearch

from .comparing import request_witness, response_witness, small_diff


def witness(search: WitnessSearch) -> Witness:
    """Return the witness that was found."""
    assert search.witness is not None
    return search.witness


NUMBER = witness(
    request_witness(
        start_line="POST /things",
        body={"n": 3_000_000_000},
        refusal="3000000000 is more than the maximum of 2147483647",
        pointer="/n",
    )
)
LOST = witness(response_witness())


def test_request_worked_and_is_refused() -> None:
    """The old contract allows it, the new one says why not."""
    assert witness_sentences(NUMBER, "1.0.0", "2.0.0") == (
        ("worked in 1.0.0", 'POST /things  {"n": 3000000000}'),
        ("refused in 2.0.0", "/n: 3000000000 is more than the maximum of 2147483647"),
    )


def test_response_is_sent_that_never_was() -> None:
    """The new contract allows it, the old one says why not."""
    assert witness_sentences(LOST, "1.0.0", "2.0.0") == (
        ("sent in 2.0.0", '200 OK  {"id": "p_1", "state": "lost"}'),
        ("never sent in 1.0.0", '/state: "lost" is not one of "sent" and "delivered"'),
    )


@pytest.mark.parametrize(("old", "new"), [("1.0.0", "1.0.0"), ("", "1.0.0"), ("1.0.0", " ")])
def test_contracts_without_two_versions_are_old_and_new(old: str, new: str) -> None:
    """Versions that are equal or missing name no contract."""
    summary = witness_summary(NUMBER, old, new)

    assert summary.startswith("worked in the old contract, refused in the new contract: POST /things")


def test_message_is_written_as_http_does() -> None:
    """With the media type as a header, and a body in several lines."""
    assert message_text(NUMBER) == ('POST /things\nContent-Type: application/json\n\n{\n  "n": 3000000000\n}')


def test_message_without_a_body_ends_with_its_headers() -> None:
    """Null is a body."""
    bare = witness(request_witness(body=ABSENT, headers=(("X-Limit", "300"),)))

    assert message_text(bare) == "POST /parcels\nX-Limit: 300"
    assert message_line(bare) == "POST /parcels  X-Limit: 300"
    assert message_body(bare) == ""
    assert message_body(witness(request_witness(body=None))) == "null"


def test_media_type_that_is_not_json_is_named_on_the_line() -> None:
    """Unless a header says it already."""
    form = witness(request_witness(media_type="text/csv", body="a,b"))
    named = witness(
        request_witness(headers=(("content-type", "text/csv"),), body="a,b", media_type="text/csv")
    )

    assert message_line(form) == 'POST /parcels  Content-Type: text/csv  "a,b"'
    assert message_line(named) == 'POST /parcels  content-type: text/csv  "a,b"'


def test_form_of_plain_values_is_written_as_it_is_sent() -> None:
    """One with lists or objects is JSON: how it is sent depends on the contract."""
    form = {"media_type": "application/x-www-form-urlencoded"}
    plain = witness(request_witness(body={"a b": "ä&", "n": 1, "is": True, "long": "a" * 99}, **form))
    nested = witness(request_witness(body={"a": [1]}, **form))

    assert message_body(plain).startswith("a+b=%C3%A4%26&n=1&is=true&long=aaa")
    assert message_line(plain).endswith("aaa… (99 characters)")
    assert message_body(nested) == '{\n  "a": [\n    1\n  ]\n}'


def test_long_values_are_cut_with_their_size() -> None:
    """Strings, arrays and objects inside the body, and the message as a whole."""
    text = witness(request_witness(body={"note": "a" * 5_001}))
    items = witness(request_witness(body=[1] * 101))
    members = witness(request_witness(body={f"m{number}": number for number in range(50)}))
    query = witness(request_witness(start_line=f"GET /a?q={'a' * 9_000}", body=ABSENT))

    assert message_line(text) == f'POST /parcels  {{"note": "{"a" * 40}… (5,001 characters)"}}'
    assert message_line(items) == 'POST /parcels  [1, 1, 1, 1, 1, 1, "… 95 more items"]'
    assert '"…": "44 more members"' in message_line(members)
    assert message_line(query).endswith("… (9,009 characters)")
    assert len(message_text(text)) < 300


def test_long_body_shows_the_part_that_is_refused() -> None:
    """With what is beside it as a count."""
    body = {
        **{f"member-{number}": "value" * 5 for number in range(12)},
        "items": [{"a": 1, "n": 11}, {"a": 2, "n": 12}, {"a": 3, "n": 13}],
    }
    long = witness(request_witness(body=body, pointer="/items/1/n"))
    whole = witness(request_witness(body=body, pointer=""))

    assert message_line(long) == (
        'POST /parcels  {"items": [{"n": 12, "…": "1 more member"}, "… 2 more items"], "…": "12 more members"}'
    )
    assert '"member-0"' in message_body(long)
    assert message_line(whole).startswith('POST /parcels  {"member-0": ')


def test_part_that_is_refused_is_not_among_those_left_out() -> None:
    """However many members there are before it."""
    body = {**{f"m{number}": 1 for number in range(9)}, "n": 11}
    items = witness(request_witness(body=[1] * 9 + [2], pointer="/9"))

    assert message_line(witness(request_witness(body=body, pointer="/n"))) == (
        'POST /parcels  {"m0": 1, "m1": 1, "m2": 1, "m3": 1, "m4": 1, "n": 11, "…": "4 more members"}'
    )
    assert message_line(items) == 'POST /parcels  [1, 1, 1, 1, 1, 2, "… 4 more items"]'


def test_long_string_in_a_reason_is_cut_with_its_size() -> None:
    """The rest of the sentence stays."""
    reason = f'"{"a" * 5_001}" is longer than 5000 characters'
    (_, refused) = witness_sentences(witness(request_witness(refusal=reason)), "1", "2")

    assert refused.text == f'/note: "{"a" * 40}… (5,001 characters)" is longer than 5000 characters'


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        (f'"{"a" * 75}… (200 characters)" is longer', f'"{"a" * 40}… (200 characters)" is longer'),
        ('"a… (200 characters)" is longer', '"a… (200 characters)" is longer'),
        (f'"a" {"is " * 20}"b"', f'"a" {"is " * 20}"b"'),
        (f'"" {"is " * 20}"b"', f'"" {"is " * 20}"b"'),
    ],
    ids=["long and cut", "short and cut", "between two strings", "after an empty string"],
)
def test_only_strings_in_a_reason_are_cut(reason: str, text: str) -> None:
    """One that is cut already keeps the size of the whole; what stands between two strings is no string."""
    (_, refused) = witness_sentences(witness(request_witness(refusal=reason)), "1", "2")

    assert refused.text == f"/note: {text}"


def test_characters_that_terminals_obey_are_escaped() -> None:
    """In every part; those of the body stay JSON."""
    odd = witness(
        request_witness(
            start_line="POST /\x1b[31m",
            headers=(("X", "\u202e"),),
            body={"a": "\x9b\u202e"},
            refusal="\x1b",
            pointer="/\u2028",
        )
    )
    written = (
        message_text(odd),
        message_line(odd),
        *(text for _, text in witness_sentences(odd, "\x1b", "2")),
    )

    assert [
        other_text
        for text in written
        for other_text in text
        if not (other_text.isprintable() or other_text == "\n")
    ] == []
    assert message_body(odd) == '{\n  "a": "\\u009b\\u202e"\n}'


@pytest.mark.parametrize(("tries", "text"), [(1, "1 try"), (0, "0 tries"), (1200, "1,200 tries")])
def test_vain_search_says_how_many_messages_were_tried(tries: int, text: str) -> None:
    """A search that found a witness was not in vain."""
    assert vain_search_text(WitnessSearch(tries=tries)) == f"no witness found within {text}"
    assert vain_search_text(WitnessSearch(witness=LOST, tries=tries)) == ""


@pytest.mark.parametrize(
    ("search", "reason"),
    [(None, "this part is not stable"), (WitnessSearch(tries=4), "no witness found within 4 tries")],
)
def test_a_lowered_verdict_says_why(search: WitnessSearch | None, reason: str) -> None:
    """It names the verdict before, and says once that no message was found."""
    lowered = replace(small_diff().listed[0], softened_from=Verdict.BREAKING, witness_search=search)

    assert softening_text(lowered) == f"lowered from breaking: {reason}"
    assert softening_text(replace(lowered, softened_from=None)) == ""
