"""Addresses of the web: what a setting may name, a command may show, and a mock may send to."""

import pytest

from devportal.project.site_url import is_web_address


@pytest.mark.parametrize(
    "text",
    [
        *("", "file:///etc/passwd", "http://", "http://[", "ftp://a.example/", "http://a:99999/"),
        *("/token", "https://{tenant}.example/token", "https://a.example/x y"),
    ],
)
def test_what_is_no_web_address(text: str) -> None:
    """Nothing is sent there, and no command shows it."""
    assert not is_web_address(text)


@pytest.mark.parametrize("text", ["http://a", "https://a.example:8443/x?y=%7Bz%7D#b", "http://[::1]:80/"])
def test_what_is_one(text: str) -> None:
    """Whatever its port, path and query are."""
    assert is_web_address(text)
