"""The word before an API key, as descriptions name it."""

import pytest

from devportal.contract.authorization_scheme import described_authorization_scheme

from .inline import api


def read_word(description: str, *, name: str = "Authorization") -> str:
    """Return the word of an API key in a header with a description."""
    scheme = {"type": "apiKey", "in": "header", "name": name, "description": description}
    return described_authorization_scheme(
        api(f"components:\n  securitySchemes:\n    key: {scheme!r}\n").security_schemes[0]
    )


@pytest.mark.parametrize(
    ("description", "word"),
    [
        ("Token-based authentication with required prefix `Token`", "Token"),
        ("Enter `Bearer` [space] and then your token.", "Bearer"),
        ("Using the Bearer scheme. Example: `Authorization: Bearer {token}`", "Bearer"),
        ("Authorization: GenieKey 5f2a-11aa", "GenieKey"),
        ("Send `SSWS ${apiKey}`", "SSWS"),
        ("Bearer {access_token}", "Bearer"),
        ("Write `Token` and a space before the key.", "Token"),
        ("Put `Bearer ` in front of your token.", "Bearer"),
        ("The key, preceded by the word `GenieKey`.", "GenieKey"),
        ("Keys have the prefix `live` or `test`.", ""),
        ("Click `Save` before the key expires.", ""),
        ("Please enter a valid token", ""),
        ("Authorization: the header with the key", ""),
        ("Authorization: your key_123", ""),
        ("Click `Generate API-Key` to get one, such as `abc-123456`", ""),
        ("See `Manage keys (admin)`", ""),
        ("See the page `Token management`", ""),
        ("Do not add the prefix `Bearer`.", ""),
        ("Send the key alone, not `Bearer <key>`.", ""),
        ("If you have no account yet, ask for one. Then send `Bearer your-token`.", "Bearer"),
    ],
)
def test_word_before_a_key_is_read_from_the_description(description: str, word: str) -> None:
    """Words that are not the scheme of a credential are not taken for one."""
    assert read_word(description) == word


def test_another_header_has_no_word_before_its_key() -> None:
    """Only `Authorization` has credentials with a scheme (RFC 9110 §11.6.2)."""
    assert read_word("Required prefix `Token`", name="X-Key") == ""
