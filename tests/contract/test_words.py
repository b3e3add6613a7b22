"""The words of a name."""

import pytest

from devportal.contract.wording import split_camel_case, title_from_id


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sendMessage", "send Message"),
        ("getSMSStatus", "get SMS Status"),
        ("HTTPServer", "HTTP Server"),
        ("v1OAuth2Token", "v1 OAuth2 Token"),
        ("OAuthURLs", "OAuth URLs"),
        ("listAPIsForUser", "list APIs For User"),
        ("userIDs", "user IDs"),
        ("getAUser", "get A User"),
        ("GetXIssue", "Get X Issue"),
        ("3DModel", "3 D Model"),
        ("ABs_CDsEf", "ABs_CDs Ef"),
        ("plain_text", "plain_text"),
    ],
)
def test_words_in_camel_case_are_taken_apart(name: str, words: str) -> None:
    """Abbreviations are one word, with the `s` of their plural; so is OAuth."""
    assert split_camel_case(name, " ") == words


@pytest.mark.parametrize(
    ("operation_id", "title"),
    [
        ("sendMessage", "Send message"),
        ("getSMSStatus", "Get SMS status"),
        ("v1OAuth2Token", "V1 OAuth2 token"),
        ("listUserIDs", "List user IDs"),
        ("getA1Report", "Get A1 report"),
        ("a.b", "A b"),
        ("LIST", "List"),
        ("LIST_USERS", "List users"),
        ("DELETE_NoteText", "Delete note text"),
        ("", ""),
    ],
)
def test_an_operation_id_reads_as_words(operation_id: str, title: str) -> None:
    """Camel case, underscores and punctuation become spaces; abbreviations stay."""
    assert title_from_id(operation_id) == title
